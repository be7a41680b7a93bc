"""The vector env: the same games as single environments, in every mode, on any threads."""

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from agemonia_env.core.jit import COMPILED
from agemonia_env.core.work_stealing import BLOCK_MAX
from agemonia_env.envs import env_class, vector_env_class
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.obs_spec import N_OBSERVATION, SCALES
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests.games import mostly_legal

N = 3
EVERY = pytest.mark.parametrize("ruleset", [AGEMONIA, HEXDUNGEON], ids=lambda rules: rules.env_id)
STEPS = 300 if COMPILED else 120
PLAYED = [
    {"max_decisions": 70},
    {"heroes": 3, "ties": "auto", "reward": "shaped", "max_decisions": 60},
    {"illegal": "terminate", "max_decisions": 40},
]


class Singles:
    """Single environments in the place of a vector env, with Gymnasium's words for the modes."""

    def __init__(self, ruleset, arguments, mode):
        self.envs = [env_class(ruleset.env_id)(**arguments) for _ in range(N)]
        self.mode = mode
        self.over = [False] * N
        self.finals = [None] * N

    def reset(self, seed):
        return np.array([env.reset(seed=seed + i)[0] for i, env in enumerate(self.envs)])

    def step(self, actions):
        return tuple(
            np.array(column)
            for column in zip(*(self._step(i, actions[i]) for i in range(N)), strict=True)
        )

    def _step(self, i, action):
        if self.over[i]:
            self.over[i] = False
            return self.envs[i].reset()[0], 0.0, False, False
        observation, reward, terminated, truncated, _ = self.envs[i].step(action)
        if terminated or truncated:
            if self.mode == AutoresetMode.SAME_STEP:
                self.finals[i] = observation
                observation, _ = self.envs[i].reset()
            else:
                self.over[i] = True
        return observation, reward, terminated, truncated


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("arguments", PLAYED)
@EVERY
def test_env_i_plays_as_a_single_env_seeded_seed_plus_i(ruleset, arguments, mode):
    env = vector_env_class(ruleset.env_id)(N, autoreset_mode=mode, **arguments)
    singles = Singles(ruleset, arguments, mode)
    assert np.array_equal(env.reset(seed=5)[0], singles.reset(5))
    random, ends = np.random.default_rng(0), 0
    for step in range(STEPS):
        actions = mostly_legal(random, env.action_masks(), step)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        for given, expected in zip(
            (observations, rewards, terminated, truncated), singles.step(actions), strict=True
        ):
            np.testing.assert_array_equal(given, expected)
        assert np.array_equal(
            infos["action_mask"], [single.action_masks() for single in singles.envs]
        )
        ends += (terminated | truncated).sum()
        for i in np.flatnonzero(terminated | truncated):
            if mode == AutoresetMode.SAME_STEP:
                assert infos["_final_obs"][i]
                assert np.array_equal(infos["final_obs"][i], singles.finals[i])
                infos |= infos["final_info"]
            assert infos["_episode_statistics"][i]
            statistics = infos["episode_statistics"]
            assert statistics["_rounds"][i]
            assert statistics["decisions"][i] > 0
            refused = terminated[i] and infos["illegal_action"][i]
            assert (statistics["ending"][i] == "none") == (truncated[i] or refused)
            assert infos["is_success"][i] == (rewards[i] > 0.5)
    assert ends >= N


@EVERY
def test_without_autoreset_the_games_of_a_mask_begin(ruleset):
    env = vector_env_class(ruleset.env_id)(N, autoreset_mode="Disabled", max_decisions=5)
    env.reset(seed=1)
    for step in range(5):
        *_, truncated, _ = env.step(np.argmax(env.action_masks(), axis=1))
        assert truncated.all() == (step == 4)
    with pytest.raises(ValueError, match=r"env 0: the game is over"):
        env.step(np.zeros(N, np.int64))
    before = env.batch.arrays.raw[[0, 2]].tobytes()
    env.reset(options={"reset_mask": np.array([False, True, False])})
    assert env.batch.arrays.raw[[0, 2]].tobytes() == before
    assert env.batch.slots["over"].tolist() == [1, 0, 1]
    single = env_class(ruleset.env_id)(max_decisions=5)
    single.reset(seed=2)
    assert np.array_equal(env.batch.observations[1], single.reset()[0])
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.zeros(N, bool)})


MIX = [
    {"scenario": "ford", "heroes": 4, "weight": 3},
    {"scenario": "beacon", "heroes": 2, "difficulty": "hard", "level": 2},
    {"scenario": "random", "scenario_seed": [0, 3]},
]


def trajectory(n, threads, **arguments):
    """Bytes of everything that a few steps return."""
    env = AgemoniaVectorEnv(n, threads=threads, max_decisions=20, mix=MIX, **arguments)
    observations, infos = env.reset(seed=3)
    steps = [[observations[i].tobytes() for i in range(n)]]
    for _ in range(45):
        masks = infos["action_mask"]
        actions = np.argmax(np.cumsum(masks, axis=1) == (masks.sum(1, keepdims=True) + 1) // 2, 1)
        observations, rewards, *_, infos = env.step(actions)
        steps.append([observations[i].tobytes() + rewards[i].tobytes() for i in range(n)])
    env.close()
    return steps, env


def test_any_number_of_threads_and_envs_gives_the_same_bytes():
    one, env = trajectory(9, 1)
    two, _ = trajectory(9, 2)
    assert one == two
    few, _ = trajectory(4, 3)
    assert few == [step[:4] for step in one]
    assert len({env.batch.compiled(i).names.scenario for i in range(9)}) > 1


def last_observations(n, steps, **arguments):
    env = AgemoniaVectorEnv(n, max_decisions=4, autoreset_mode="SameStep", **arguments)
    env.reset(seed=1)
    all_infos = [env.step(env.action_masks().argmax(1))[4] for _ in range(steps)]
    env.close()
    finals = (final for infos in all_infos for final in infos.get("final_obs", ()))
    return [final for final in finals if final is not None]


def test_last_observations_do_not_depend_on_thread_or_dtype():
    n, steps = (200, 60) if COMPILED else (40, 6)
    one = last_observations(n, steps)
    assert len(one) >= n
    np.testing.assert_array_equal(one, last_observations(n, steps, threads=3))
    whole = last_observations(n, steps, threads=3, dtype="int8")
    np.testing.assert_allclose(one, np.array(whole) / SCALES, rtol=1e-6)


@EVERY
def test_blocks_of_slots_are_played_alike(ruleset):
    """The slots after the first block play as in a batch of their own."""
    settings = {"autoreset_mode": "SameStep", "max_decisions": 3, "copy": False}
    every = vector_env_class(ruleset.env_id)(BLOCK_MAX + 5, **settings)
    rest = vector_env_class(ruleset.env_id)(5, **settings)
    every.reset(seed=0)
    rest.reset(seed=BLOCK_MAX)
    random, n_finals = np.random.default_rng(2), 0
    for step in range(40 if COMPILED else 4):
        actions = mostly_legal(random, every.action_masks(), step)
        ours, theirs = every.step(actions), rest.step(actions[BLOCK_MAX:])
        for mine, yours in zip(ours[:4], theirs[:4], strict=True):
            np.testing.assert_array_equal(mine[BLOCK_MAX:], yours)
        np.testing.assert_array_equal(every.action_masks()[BLOCK_MAX:], rest.action_masks())
        for i in np.flatnonzero(theirs[4].get("_final_obs", ())):
            n_finals += 1
            final = ours[4]["final_obs"][BLOCK_MAX + i]
            np.testing.assert_array_equal(final, theirs[4]["final_obs"][i])
    assert n_finals >= 5


@EVERY
@pytest.mark.parametrize("legal", [False, True], ids=["refused", "taken"])
def test_answers_to_the_question_before_are_not_trusted(ruleset, legal):
    """If a game went on outside the batch, the answers cached in its slot are stale."""
    env = vector_env_class(ruleset.env_id)(1, illegal="noop", copy=False)
    random, tried = np.random.default_rng(4), 0
    for seed in range(12):
        env.reset(seed=seed)
        for step in range(seed):
            env.step(mostly_legal(random, env.action_masks(), step))
        before = env.action_masks()[0].copy()
        table = env.batch.states, env.batch.contents.rows, env.batch.slots["which"].copy()
        taken, denials = np.flatnonzero(before)[:1], np.ones(1, np.int16)
        control = int(env.batch.arrays.episode[0]["control"])
        ruleset.api.step(*table, taken, control, ruleset.api.NO_ROWS, denials)
        now = np.zeros((1, ruleset.N_ACTIONS), np.uint8)
        ruleset.api.write_masks(*table, now)
        assert not denials.any()
        others = np.flatnonzero(now[0] > before if legal else before > now[0])
        for action in others[:1]:
            *_, infos = env.step(np.array([action]))
            assert infos["illegal_action"][0] != legal
            tried += 1
    assert tried >= 6


def test_a_mix_is_drawn_by_its_weights():
    mix = [{"scenario": "ford", "weight": 3.0}, {"scenario": "beacon", "heroes": 1}]
    env = AgemoniaVectorEnv(400, mix=mix)
    env.reset(seed=0)
    which = env.batch.slots["which"].tolist()
    assert 260 < which.count(0) < 340
    assert which.count(0) + which.count(1) == 400
    heroes = [int(env.batch.contents.rows["n_heroes"][row]) for row in (0, 1)]
    assert heroes == [2, 1]


def test_drawn_scenarios_are_reported():
    env = AgemoniaVectorEnv(
        4, "random", autoreset_mode="SameStep", scenario_seed=[0, 5], max_decisions=3
    )
    _, infos = env.reset(seed=0)
    for step in range(12):
        before = infos["scenario_seed"]
        actions = np.argmax(env.action_masks(), axis=1)
        *_, infos = env.step(actions)
        if step % 3 == 2:
            assert infos["final_info"]["scenario_seed"].tolist() == before.tolist()
        for i, seed in enumerate(infos["scenario_seed"]):
            expected, row = env.arguments.compile(int(seed)), env.batch.slots["which"][i]
            assert env.batch.compiled(i).fingerprint == expected.fingerprint
            assert env.batch.contents.rows[row].tobytes() == expected.content.tobytes()
    assert len(set(env.batch.slots["which"])) == 4  # a row for each game


# ---- what Gymnasium asks ------------------------------------------------------------------------
def test_make_vec_finds_it_and_episodes_are_recorded():
    env = gymnasium.make_vec(
        "agemonia_env:Agemonia-v0", num_envs=N, scenario="ford", heroes=2, max_decisions=12
    )
    assert isinstance(env.unwrapped, AgemoniaVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    recorded = RecordEpisodeStatistics(env)
    observations, infos = recorded.reset(seed=0)
    assert observations in recorded.observation_space
    lengths = []
    for _ in range(40):
        actions = np.argmax(infos["action_mask"], axis=1)
        observations, *_, infos = recorded.step(actions)
        assert observations in recorded.observation_space
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert lengths == [12] * len(lengths)
    assert len(lengths) == N * 3
    recorded.close()


@EVERY
def test_returned_arrays_are_copies_by_default(ruleset):
    for copy in (True, False):
        env = vector_env_class(ruleset.env_id)(2, copy=copy)
        first, infos = env.reset(seed=0)
        kept = first.copy()
        env.step(np.argmax(infos["action_mask"], axis=1))
        assert np.array_equal(first, kept) is copy


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_updated_observations_equal_rewritten_ones(dtype):
    mix = [{"scenario": name, "heroes": n} for name in load_pack("core").scenarios for n in (1, 4)]
    vec = AgemoniaVectorEnv(len(mix), mix=mix, dtype=dtype, autoreset_mode="SameStep", copy=False)
    observations, infos = vec.reset(seed=4)
    random, batch = np.random.default_rng(4), vec.batch
    rewritten = np.empty((len(mix), N_OBSERVATION), np.float32)
    for step in range(STEPS):
        which = batch.slots["which"].copy()
        api.write_observations(batch.states, batch.contents.rows, which, rewritten)
        shown = observations if dtype == "float32" else (observations / SCALES).astype(np.float32)
        np.testing.assert_allclose(shown, rewritten, rtol=1e-6)
        observations, _, _, _, infos = vec.step(mostly_legal(random, infos["action_mask"], step))


def test_the_space_of_all_is_the_batched_space_of_one():
    vec = AgemoniaVectorEnv(3)
    batched = batch_space(vec.single_observation_space, 3)
    assert vec.observation_space == batched
    assert vec.observation_space.contains(vec.reset(seed=1)[0])
    vec.observation_space.seed(2)
    batched.seed(2)
    np.testing.assert_array_equal(vec.observation_space.sample(), batched.sample())
    assert not vec.observation_space.low.strides[0]  # one row stands for all
    assert pickle.loads(pickle.dumps(vec.observation_space)) == batched


def test_pictures():
    env = AgemoniaVectorEnv(2, render_mode="rgb_array")
    env.reset(seed=0)
    pictures = env.render()
    assert len(pictures) == 2
    assert pictures[0].shape[2] == 3
    assert AgemoniaVectorEnv(1).render() is None
