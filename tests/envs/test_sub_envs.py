"""Questions to each game of a vector env: `call`, `get_attr` and `set_attr`."""

import gymnasium
import numpy as np
import pytest

from agemonia_env.envs import env_class, vector_env_class
from agemonia_env.envs.guard import InUseError
from agemonia_env.rulesets.doors import RULESETS

BOTH = pytest.mark.parametrize("env_id", RULESETS)
N = 3
MODES = ["NextStep", "SameStep", "Disabled"]


@BOTH
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("illegal", ["noop", "terminate"])
def test_games_answer_as_single_envs_in_the_same_position(env_id, mode, illegal):
    arguments = {"max_decisions": 9, "ties": "auto", "illegal": illegal}
    many = vector_env_class(env_id)(N, autoreset_mode=mode, **arguments)
    singles = [env_class(env_id)(**arguments) for _ in range(N)]
    many.reset(seed=5)
    for i, env in enumerate(singles):
        env.reset(seed=5 + i)
    random = np.random.default_rng(0)
    for step in range(9 if mode == "Disabled" else 25):
        assert many.call("get_state") == tuple(env.get_state() for env in singles)
        legal = many.get_attr("legal_actions")
        for i, env in enumerate(singles):
            assert np.array_equal(legal[i], env.legal_actions())
        actions = [int(random.choice(choices)) for choices in legal]
        if illegal == "terminate" and step == 8:
            actions[1] = int(many.action_masks()[1].argmin())
        meanings = many.call("action_meaning", actions[0])
        assert meanings == tuple(env.action_meaning(actions[0]) for env in singles)
        over = many.batch.slots["over"].copy()
        many.step(np.array(actions))
        for i, env in enumerate(singles):
            _follow(env, actions[i], mode, is_over=bool(over[i]))


def _follow(env, action, mode, *, is_over):
    """Step a single env as a game of the vector env is stepped."""
    if is_over and mode == "NextStep":
        env.reset()
        return
    _, _, terminated, truncated, _ = env.step(action)
    if (terminated or truncated) and mode == "SameStep":
        env.reset()


def test_games_of_a_mix_answer_each_for_its_scenario():
    mix = [{"scenario": "ford"}, {"scenario": "random", "heroes": 3}]
    envs = gymnasium.make_vec("agemonia_env:Agemonia-v0", 8, mix=mix).unwrapped
    assert set(envs.call("render_mode")) == {None}  # before any game
    envs.reset(seed=2)
    names = [compiled.names.scenario for compiled in envs.get_attr("compiled")]
    assert names == [envs.batch.compiled(i).names.scenario for i in range(8)]
    assert len(set(names)) > 1
    assert envs.call("explain", 0) == tuple(env.explain(0) for env in _apart(envs))


def _apart(envs):
    """Single envs of the games, one after the other."""
    for game, position in zip(envs.get_attr("arguments"), envs.call("get_state"), strict=True):
        chosen = {name: getattr(game, name) for name in envs.ruleset.parameters}
        env = env_class("Agemonia-v0")(**chosen)
        env.set_state(position)
        yield env


@BOTH
def test_games_change_by_step_and_reset_alone(env_id):
    envs = vector_env_class(env_id)(N)
    envs.reset(seed=1)
    before = envs.batch.states.tobytes()
    action = int(envs.action_masks()[0].argmax())
    for name, given in (("step", [action]), ("reset", [])):
        with pytest.raises(ValueError, match=f"{name} changes the game: only step"):
            envs.call(name, *given)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        envs.get_attr("nothing")
    with pytest.raises(AttributeError, match="gamma cannot be set: make another vector env"):
        envs.set_attr("gamma", 0.9)
    assert envs.batch.states.tobytes() == before
    envs.step_async(envs.action_masks().argmax(axis=1))
    with pytest.raises(InUseError):
        envs.call("legal_actions")
