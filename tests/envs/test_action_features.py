"""Features of actions in every env: a row for each legal action, and the same everywhere."""

import gymnasium
import numpy as np
import pettingzoo
import pytest

import agemonia_env.envs.pettingzoo  # noqa: F401 - registers the environments
from agemonia_env.core.obs_encoding import INT8_MAX
from agemonia_env.envs import env_class, vec_env_class, vector_env_class
from agemonia_env.envs.wrappers import MaskInObservation
from agemonia_env.rulesets.action_features import dense
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of
from tests.games import Games

STEPS = 120
N = 300  # more than one thread takes at a time

pytestmark = pytest.mark.parametrize("env_id", RULESETS)


def feature(rules, rows, name):
    """The columns of a feature."""
    dtype, offset = rules.ACTION.fields[name][:2]
    return rows[:, offset // 4 : offset // 4 + dtype.itemsize // 4]


@pytest.mark.parametrize("heroes", [1, 3])
def test_the_greedy_choice_is_marked_in_every_question(env_id, heroes):
    rules = ruleset_of(env_id)
    for scenario in rules.load_pack(rules.check_arguments().pack).scenarios:
        games = Games(rules, scenario, heroes, range(6), auto_ties=0)
        for step in range(STEPS):
            masks = games.masks()
            rows, (which, actions) = games.features(masks), masks.nonzero()
            marked = feature(rules, rows, "greedy_choice")[:, 0] == 1
            assert (np.bincount(which[marked], minlength=6) == games.running).all()
            chosen = games.chosen(rules.POLICIES["greedy"])
            assert (actions[marked] == chosen[games.running]).all()
            games.step(games.chosen() if step % 3 else chosen)


def test_rows_say_what_is_answered(env_id):
    rules = ruleset_of(env_id)
    sizes = [size for _, size, _ in rules.BLOCKS]
    block_of = np.repeat(np.arange(len(sizes)), sizes)
    games = Games(rules, rules.check_arguments().scenario, 2, range(20))
    for _ in range(STEPS):
        masks = games.masks()
        rows, (which, actions) = games.features(masks), masks.nonzero()
        named = feature(rules, rows, "kind")
        running = games.running[which]
        assert (named.argmax(1) == block_of[actions])[running].all()
        assert (named.sum(1) == running).all()
        assert (rows[~running] == 0).all()
        games.step(games.chosen())


def test_nothing_hidden_is_in_them(env_id):
    rules = ruleset_of(env_id)
    games = Games(rules, rules.check_arguments().scenario, 3, range(4), auto_ties=0)
    for step in range(STEPS):
        masks = games.masks()
        rows = games.features(masks)
        for i in range(games.n):
            rules.api.set_chance(*games.records, i, np.uint64(1000 * step + i))
        np.testing.assert_array_equal(games.features(masks), rows)
        games.step(games.chosen())


def test_one_env_has_a_row_for_each_action(env_id):
    env = env_class(env_id)(action_features=True, reward="shaped")
    _, info = env.reset(seed=3)
    random = np.random.default_rng(3)
    for _ in range(STEPS):
        rows, legal = info["action_features"], env.legal_actions()
        assert rows.dtype == np.float32
        assert rows.shape == (env.ruleset.N_ACTIONS, env.ruleset.N_ACTION_FEATURES)
        assert np.abs(rows * env.ruleset.ACTION_SCALES).max() <= INT8_MAX
        np.testing.assert_array_equal(env.action_features(), rows[legal])
        assert not np.delete(rows, legal, axis=0).any()
        *_, terminated, truncated, info = env.step(random.choice(env.legal_actions()))
        if terminated or truncated:
            _, info = env.reset()


def test_they_are_not_written_unless_asked_for(env_id):
    assert "action_features" not in env_class(env_id)().reset(seed=3)[1]
    assert "action_features" not in vector_env_class(env_id)(2).reset(seed=3)[1]


def test_a_flag_is_no_word(env_id):
    with pytest.raises(ValueError, match="action_features='no': must be True or False"):
        env_class(env_id)(action_features="no")


@pytest.mark.parametrize(("threads", "dtype"), [(1, "float32"), (2, "int8")])
def test_a_vector_env_has_those_of_the_single_ones(env_id, threads, dtype):
    kinds = {"action_features": True, "ties": "auto"}
    games = [env_class(env_id)(**kinds) for _ in range(3)]
    many = vector_env_class(env_id)(
        N, threads=threads, dtype=dtype, autoreset_mode="SameStep", **kinds
    )
    rules, random = many.ruleset, np.random.default_rng(0)
    infos, single = many.reset(seed=5)[1], [env.reset(seed=5 + i)[1] for i, env in enumerate(games)]
    for _ in range(STEPS // 2):
        masks, spread = infos["action_mask"], infos["action_features"]
        assert spread.dtype == dtype
        assert spread.shape == (*masks.shape, rules.N_ACTION_FEATURES)
        np.testing.assert_array_equal(many.action_features(), spread[masks.nonzero()])
        first = spread[: len(games)]
        first = first if dtype == "float32" else first / rules.ACTION_SCALES
        expected = np.stack([info["action_features"] for info in single])
        np.testing.assert_array_equal(first, expected)
        actions = (random.random(masks.shape) * masks).argmax(1)
        infos = many.step(actions)[-1]
        for i, env in enumerate(games):
            *_, terminated, truncated, single[i] = env.step(actions[i])
            if terminated or truncated:
                single[i] = env.reset()[1]
    many.close()


def test_the_dense_ones_are_at_their_actions(env_id):
    env = MaskInObservation(env_class(env_id)(action_features=True))
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    np.testing.assert_array_equal(observation["action_features"], info["action_features"])
    masks = np.array([[1, 0, 1], [0, 1, 0]])
    spread = dense(masks, np.arange(6).reshape(3, 2))
    np.testing.assert_array_equal(spread[:, :, 1], [[1, 0, 3], [0, 5, 0]])


def test_sb3_and_pettingzoo_have_them_too(env_id):
    venv = vec_env_class(env_id)(3, action_features=True, seed=2)
    for step in range(2):
        if step:
            infos = venv.step(venv.action_masks().argmax(1))[-1]
        else:
            venv.reset()
            infos = venv.reset_infos
        spread = np.stack([info["action_features"] for info in infos])
        np.testing.assert_array_equal(venv.action_features(), spread[venv.action_masks()])
        assert not spread[~venv.action_masks()].any()
    venv.close()

    table = pettingzoo.make("aec", env_id, action_features=True)
    table.reset(seed=2)
    for agent, info in table.infos.items():
        mask, rows = table.observe(agent)["action_mask"], info["action_features"]
        assert rows.shape == (len(mask), table.game.ruleset.N_ACTION_FEATURES)
        assert rows.any() == (agent == table.agent_selection)
        assert not rows[mask == 0].any()


def test_make_passes_the_checker(env_id, strict):
    env = gymnasium.make(f"agemonia_env:{env_id}", action_features=True)
    env.reset(seed=1)
    env.step(int(env.unwrapped.legal_actions()[0]))
