"""The native VecEnv: the same games as single environments, and methods for trainers."""

import itertools

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import env_class, vec_env_class
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS
from agemonia_env.rulesets.agemonia.envs.sb3 import AgemoniaVecEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests.games import mostly_legal

N = 3
EVERY = pytest.mark.parametrize("ruleset", [AGEMONIA, HEXDUNGEON], ids=lambda rules: rules.env_id)


ENEMY = {"side": "enemy", "enemy_will": "free", "max_decisions": 60}
DRAWN = {"scenario": "random", "ties": "auto", "max_decisions": 60}
PLAYED = [
    *itertools.product(
        [AGEMONIA, HEXDUNGEON],
        [
            {},
            {"heroes": 3, "ties": "auto", "reward": "shaped", "max_decisions": 90},
            {"illegal": "terminate", "max_decisions": 40},
        ],
    ),
    (AGEMONIA, ENEMY | {"enemy_will": "card"}),
    (AGEMONIA, ENEMY | {"reward": "shaped", "ties": "auto"}),
    (AGEMONIA, ENEMY | {"side": "both", "opponent": "random"}),
    (AGEMONIA, DRAWN | {"scenario_seed": [10, 13]}),
    (AGEMONIA, DRAWN | {"scenario_seed": 11, "heroes": 3, "reward": "shaped"}),
]


@pytest.mark.parametrize(("ruleset", "arguments"), PLAYED)
def test_env_i_plays_as_a_single_env_seeded_seed_plus_i(ruleset, arguments):
    vec = vec_env_class(ruleset.env_id)(N, seed=11, **arguments)
    singles = [env_class(ruleset.env_id)(**arguments) for _ in range(N)]
    starts = [env.reset(seed=11 + i) for i, env in enumerate(singles)]
    assert np.array_equal(vec.reset(), [observation for observation, _ in starts])
    begun = [info.get("scenario_seed") for _, info in starts]
    random = np.random.default_rng(0)
    ends = 0
    for step in range(300 if COMPILED else 30):
        assert [info.get("scenario_seed") for info in vec.reset_infos] == begun
        masks = vec.env_method("action_masks")
        assert np.array_equal(masks, [env.action_masks() for env in singles])
        actions = mostly_legal(random, np.array(masks), step)
        observations, rewards, dones, infos = vec.step(actions)
        for i, env in enumerate(singles):
            observation, reward, terminated, truncated, info = env.step(actions[i])
            assert rewards[i] == np.float32(reward) or abs(rewards[i] - reward) < 1e-6
            assert dones[i] == (terminated or truncated)
            assert infos[i].get("illegal_action", False) == info["illegal_action"]
            if dones[i]:
                ends += 1
                assert np.array_equal(infos[i]["terminal_observation"], observation)
                assert infos[i]["TimeLimit.truncated"] is truncated
                for key in ("is_success", "episode_statistics", "scenario_seed"):
                    assert infos[i].get(key) == info.get(key)
                observation, info = env.reset()
                begun[i] = info.get("scenario_seed")
            assert np.array_equal(observations[i], observation)
    assert ends >= N or not COMPILED


@EVERY
def test_seeding_again_repeats_the_games(ruleset):
    vec = vec_env_class(ruleset.env_id)(N, seed=2)
    first = vec.reset()
    played = vec.batch.states.tobytes()
    vec.reset()
    assert vec.batch.states.tobytes() != played
    vec.seed(2)
    assert np.array_equal(vec.reset(), first)
    assert vec.batch.states.tobytes() == played


@EVERY
def test_what_is_returned_shares_no_memory(ruleset):
    vec = vec_env_class(ruleset.env_id)(2, seed=0)
    first = vec.reset()
    actions = np.argmax(vec.action_masks(), axis=1)
    kept = first.copy()
    vec.step(actions)
    assert np.array_equal(first, kept)
    vec.action_masks()[:] = False
    assert vec.action_masks().any(axis=1).all()


def test_methods_that_trainers_use():
    vec = AgemoniaVecEnv(2, seed=0, render_mode="rgb_array")
    vec.reset()
    assert vec.has_attr("action_masks")
    assert not vec.has_attr("nothing")
    assert vec.get_attr("render_mode") == ["rgb_array"] * 2
    assert vec.env_method("action_masks", indices=[1])[0].shape == (N_ACTIONS,)
    assert vec.env_is_wrapped(AgemoniaEnv) == [False, False]
    assert vec.render().shape[-1] == 3
    assert vec.metadata["render_fps"] == AgemoniaEnv.metadata["render_fps"]
    with pytest.raises(AttributeError):
        vec.get_attr("nothing")
    with pytest.raises(AttributeError):
        vec.env_method("nothing")
    with pytest.raises(AttributeError):
        vec.set_attr("gamma", 1)
    vec.close()
