"""Whatever holds a game can be pickled and copied, and plays on alike."""

import copy
import pickle

import gymnasium
import numpy as np
import pettingzoo
import pytest

import agemonia_env.envs.pettingzoo  # noqa: F401 - registers the environments
from agemonia_env.envs.game_tree import GameTree
from agemonia_env.envs.wrappers import MaskInObservation, StructuredObservation
from agemonia_env.language.text_env import TextEnv
from agemonia_env.policies import policy_of
from agemonia_env.review import RecordGames
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of

BOTH = pytest.mark.parametrize("env_id", RULESETS)


def unpickled(one):
    return pickle.loads(pickle.dumps(one))


COPIES = pytest.mark.parametrize("again", [unpickled, copy.deepcopy])


def is_second(episode):
    """A trigger that can be pickled, as a lambda cannot."""
    return episode == 1


WRAPPERS = {
    "bare": lambda env, folder: env,
    "mask": lambda env, folder: MaskInObservation(env),
    "structured": lambda env, folder: StructuredObservation(env),
    "recorded": lambda env, folder: RecordGames(env, folder),
    "triggered": lambda env, folder: RecordGames(env, folder, episode_trigger=is_second),
    "both": lambda env, folder: StructuredObservation(RecordGames(env, folder, every=2)),
}


def flat(observation):
    return observation if isinstance(observation, dict) else {"": observation}


@BOTH
@COPIES
@pytest.mark.parametrize("wrap", WRAPPERS)
def test_a_wrapped_env_plays_on_alike(env_id, wrap, again, tmp_path):
    made = gymnasium.make(f"agemonia_env:{env_id}", action_features=True)
    env = WRAPPERS[wrap](made, str(tmp_path))
    _, info = env.reset(seed=1)
    for _ in range(3):
        *_, info = env.step(int(info["action_mask"].argmax()))
    other = again(env)
    for _ in range(3):
        action = int(info["action_mask"].argmax())
        (seen, *results, info), (also, *others, _) = env.step(action), other.step(action)
        assert results == others
        assert flat(seen).keys() == flat(also).keys()
        assert all(map(np.array_equal, flat(seen).values(), flat(also).values()))
    assert env.unwrapped is not other.unwrapped
    assert env.unwrapped.get_state() == other.unwrapped.get_state()
    for one in (env, other):  # the next game, too, is the same
        one.reset()
    assert env.unwrapped.get_state() == other.unwrapped.get_state()


@BOTH
@COPIES
def test_rulesets_and_their_arrays(env_id, again):
    rules = ruleset_of(env_id)
    assert again(rules) is rules
    structure, rows = again(rules.structure), np.ones((2, rules.N_OBSERVATION), np.float32)
    one, other = rules.structure(rows), structure(rows)
    assert one.keys() == other.keys()
    assert all(map(np.array_equal, one.values(), other.values()))


@BOTH
@COPIES
@pytest.mark.parametrize("api", ["aec", "parallel"])
def test_a_pettingzoo_env(env_id, api, again):
    env = pettingzoo.make(api, env_id)
    env.reset(seed=1)
    assert np.array_equal(again(env).state(), env.state())


@BOTH
@COPIES
def test_a_tree_and_its_nodes(env_id, again):
    tree = GameTree(env_id, heroes=1, outcomes=2)
    node = tree.child(tree.root(), 0)
    assert again(tree).child(again(tree.root()), 0) == again(node) == node


@BOTH
@COPIES
def test_a_text_env(env_id, again):
    env = TextEnv(env_id)
    env.reset(seed=1)
    other, answer = again(env), env.sample_random_action()
    assert env.step(answer)[0] == other.step(answer)[0]


@BOTH
@COPIES
@pytest.mark.parametrize("name", ["random", "greedy", "planner:20"])
def test_policies(env_id, name, again):
    rules = ruleset_of(env_id)
    env = gymnasium.make(f"agemonia_env:{env_id}", ties="auto").unwrapped
    env.reset(seed=3)
    policy, twin = policy_of(rules, name), env.clone(reseed=False)
    assert env.choose(policy) == twin.choose(again(policy))
