"""An opponent outside the core plays as the same policy inside it: observations, rewards, ends."""

import copy
import pickle

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from agemonia_env.core.env_slots import SLOT
from agemonia_env.core.jit import COMPILED
from agemonia_env.policies import ScriptedPolicy
from agemonia_env.policies.network import Layer, Network
from agemonia_env.rulesets.agemonia.arguments import OPPONENTS
from agemonia_env.rulesets.agemonia.envs.gauntlet import AgemoniaGauntletEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.identity import identity_of
from tests.games import mostly_legal, same

N_ACTIONS, N_OBSERVATION = AGEMONIA.N_ACTIONS, AGEMONIA.N_OBSERVATION
N = 3
STEPS = 300 if COMPILED else 20
PLAYED = [
    {"enemy_will": "free", "reward": "shaped", "ties": "auto", "max_decisions": 45},
    {"enemy_will": "free", "heroes": 3, "illegal": "terminate"},
    {"side": "enemy", "enemy_will": "free", "reward": "shaped", "max_decisions": 9},
    {"side": "enemy", "enemy_will": "card"},
    {"side": "enemy", "enemy_will": "free", "scenario": "random", "scenario_seed": [0, 2]},
]
SAME = [name for name in SLOT.names if name != "final"]  # its content row is an internal detail
WHO = pytest.mark.parametrize("name", OPPONENTS)
WHAT = pytest.mark.parametrize("arguments", PLAYED)


def outside(name):
    return ScriptedPolicy(AGEMONIA, name, int(OPPONENTS[name]))


# ---- the same trajectories ------------------------------------------------------------------
@pytest.mark.parametrize("mode", AutoresetMode)
@WHAT
@WHO
def test_a_vector_env_plays_the_same_games(name, arguments, mode):
    options = {"autoreset_mode": mode, "threads": 2, **arguments}
    within = AgemoniaVectorEnv(N, opponent=name, **options)
    without = AgemoniaVectorEnv(N, opponent=outside(name), **options)
    (seen, infos), (also_seen, also_infos) = within.reset(seed=5), without.reset(seed=5)
    assert np.array_equal(seen, also_seen)
    random, ends = np.random.default_rng(0), 0
    for step in range(STEPS):
        assert same(infos, also_infos)
        actions = mostly_legal(random, infos["action_mask"], step)
        *results, infos = within.step(actions)
        *also, also_infos = without.step(actions)
        assert all(map(np.array_equal, results, also))
        ours, theirs = within.batch.slots, without.batch.slots
        assert all((ours[name] == theirs[name]).all() for name in SAME)
        over = results[2] | results[3]
        ends += over.sum()
        if mode == AutoresetMode.DISABLED and over.any():
            _, infos = within.reset(options={"reset_mask": over})
            _, also_infos = without.reset(options={"reset_mask": over})
    assert ends or not COMPILED


@WHAT
@WHO
def test_a_single_env_plays_the_same_games(name, arguments):
    within = AgemoniaEnv(opponent=name, log=True, **arguments)
    without = AgemoniaEnv(opponent=outside(name), log=True, **arguments)
    random, over = np.random.default_rng(1), True
    for step in range(STEPS):
        if over:
            (seen, info), (also_seen, also_info) = within.reset(seed=step), without.reset(seed=step)
        else:
            action = mostly_legal(random, info["action_mask"][None], step)[0]
            seen, reward, *ends, info = within.step(action)
            also_seen, also_reward, *also_ends, also_info = without.step(action)
            assert (reward, ends) == (also_reward, also_ends)
        over = not over and any(ends)
        assert np.array_equal(seen, also_seen)
        assert same(info, also_info)


@WHO
def test_games_do_not_depend_on_the_batch(name):
    options = {"side": "enemy", "enemy_will": "free", "opponent": outside(name)}
    envs, singles = AgemoniaVectorEnv(N, **options), [AgemoniaEnv(**options) for _ in range(N)]
    envs.reset(seed=7)
    for i, env in enumerate(singles):
        env.reset(seed=7 + i)
    random = np.random.default_rng(3)
    for step in range(10):
        actions = mostly_legal(random, envs.action_masks(), step)
        observations = envs.step(actions)[0]
        for i, env in enumerate(singles):
            assert np.array_equal(env.step(actions[i])[0], observations[i])


# ---- valid opponents ----------------------------------------------------------------------------
@pytest.fixture
def model(tmp_path):
    """The file of an untrained network."""
    random = np.random.default_rng(0)
    columns = np.arange(0, N_OBSERVATION, 50, dtype=np.int32)
    policy = Layer(
        random.normal(size=(len(columns), N_ACTIONS)).astype(np.float32),
        np.zeros(N_ACTIONS, np.float32),
    )
    value = Layer(np.zeros((len(columns), 1), np.float32), np.zeros(1, np.float32))
    record = {"env_id": "Agemonia-v0", "fingerprint": "of what it was trained on"}
    record |= {"identity": identity_of("Agemonia-v0")}
    Network(columns, [], policy, value, record).save(tmp_path / "model.npz")
    return str(tmp_path / "model.npz")


@pytest.mark.parametrize("name", ["planner:3", "{model}", "likeliest:{model}"])
@pytest.mark.parametrize("side", ["hero", "enemy"])
def test_by_name(name, side, model):
    options = {"side": side, "enemy_will": "free", "opponent": name.format(model=model)}
    envs = AgemoniaVectorEnv(2, **options)
    _, infos = envs.reset(seed=1)
    for _ in range(3):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    env = AgemoniaEnv(**options)
    _, info = env.reset(seed=1)
    for _ in range(3):
        assert info["side"] == side
        *_, info = env.step(info["action_mask"].argmax())
    assert np.array_equal(info["action_mask"], infos["action_mask"][0])


class Obedient:
    """Takes the first legal action, and counts its answers."""

    name, batch, asked = "obedient", 1, 0

    def choose(self, states, contents, which):
        self.asked += len(states)
        masks = np.zeros((len(states), N_ACTIONS), np.uint8)
        AGEMONIA.api.write_masks(states, contents, which, masks)
        return masks.argmax(axis=1)


@pytest.mark.parametrize(
    ("arguments", "is_asked"),
    [
        ({"side": "hero"}, False),
        ({"side": "hero", "enemy_will": "free"}, True),
        ({"side": "enemy"}, True),
        ({"side": "both", "enemy_will": "free"}, False),
    ],
)
def test_any_object_that_chooses_is_asked_where_the_other_side_decides(arguments, is_asked):
    opponent = Obedient()
    env = AgemoniaEnv(opponent=opponent, **arguments)
    _, info = env.reset(seed=2)
    for _ in range(40):
        *_, over, _, info = env.step(info["action_mask"].argmax())
        if over:
            break
    assert bool(opponent.asked) is is_asked


class Stubborn(Obedient):
    """Always takes the first action, legal or not."""

    name = "stubborn"

    def choose(self, states, contents, which):
        return np.zeros(len(states), np.int64)


@pytest.mark.parametrize("env", [AgemoniaEnv, AgemoniaVectorEnv])
def test_an_illegal_answer_is_an_error(env):
    with pytest.raises(ValueError, match="opponent 'stubborn': action 0 is illegal: "):
        env(side="enemy", enemy_will="free", opponent=Stubborn()).reset(seed=1)


def test_a_gauntlet_has_opponents_too():
    opponent = Obedient()
    env = AgemoniaGauntletEnv(enemy_will="free", opponent=opponent)
    _, info = env.reset(seed=2)
    for _ in range(40):
        *_, info = env.step(info["action_mask"].argmax())
        assert info["side"] == "hero"
    assert opponent.asked


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_have_the_same_opponent(copied, model):
    env = AgemoniaEnv(side="enemy", enemy_will="free", opponent=model)
    _, info = env.reset(seed=3)
    other = copied(env)
    for _ in range(5):
        action = info["action_mask"].argmax()
        seen, *_, info = env.step(action)
        assert np.array_equal(other.step(action)[0], seen)
    assert other.ruleset is AGEMONIA


@pytest.mark.parametrize(
    ("opponent", "words"),
    [
        ("me", "opponent='me': must be one of 'greedy', 'random', 'planner', .*or a model's file"),
        (7, "opponent=7: must be one of"),
        ("planner:no", "opponent='planner:no': simulations must be a whole number"),
    ],
)
def test_wrong_opponents(opponent, words):
    with pytest.raises(ValueError, match=words):
        AgemoniaEnv(opponent=opponent)


def test_a_model_without_a_file():
    with pytest.raises(ValueError, match=r"nowhere\.npz: no such model"):
        AgemoniaEnv(side="enemy", opponent="nowhere.npz")


@pytest.mark.parametrize("make", [AgemoniaEnv, lambda **options: AgemoniaVectorEnv(2, **options)])
def test_an_unused_opponent_must_still_be_readable(tmp_path, make):
    (tmp_path / "broken.npz").write_bytes(b"PK")
    for name, message in (("nowhere.npz", "no such model"), ("broken.npz", "damaged|not")):
        with pytest.raises(ValueError, match=message):
            make(opponent=str(tmp_path / name))
