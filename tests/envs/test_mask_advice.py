"""One warning for players who do not use the mask."""

import re
import warnings

import gymnasium
import numpy as np
import pytest

from agemonia_env.envs import env_class, mask_advice, vec_env_class, vector_env_class
from agemonia_env.rulesets.doors import RULESETS

LONG = {"max_decisions": 40}
SAID = "of the 40 actions of an episode were illegal.*action_mask"


@pytest.fixture(autouse=True)
def nobody_told(monkeypatch):
    monkeypatch.setattr(mask_advice, "_given", False)


class One:
    """A single env."""

    def __init__(self, env_id, **arguments):
        self.env = env_class(env_id)(**arguments)
        self.env.reset(seed=1)

    def step(self, choose):
        _, _, terminated, truncated, _ = self.env.step(choose(self.env.action_masks()[None])[0])
        if terminated or truncated:
            self.env.reset()


class Limited(One):
    """A single env whose episodes Gymnasium cuts short."""

    def __init__(self, env_id, **arguments):
        made = gymnasium.make(f"agemonia_env:{env_id}", max_episode_steps=40)
        self.env = gymnasium.Wrapper(made)
        self.env.action_masks = made.unwrapped.action_masks
        self.env.reset(seed=1)


class Many:
    """A vector env."""

    kind = staticmethod(vector_env_class)

    def __init__(self, env_id, **arguments):
        self.env = self.kind(env_id)(3, **arguments)
        self.env.reset()

    def step(self, choose):
        self.env.step(choose(self.env.action_masks()))


class Sb3(Many):
    """The VecEnv."""

    kind = staticmethod(vec_env_class)


PLAYED = [(kind, env_id) for kind in (One, Limited, Many, Sb3) for env_id in RULESETS]


def any_action(masks):
    return np.random.default_rng(0).integers(masks.shape[1], size=len(masks))


def legal_action(masks):
    return masks.argmax(axis=1)


@pytest.mark.parametrize(("kind", "env_id"), PLAYED)
def test_play_without_the_mask_is_told_of_it_once(kind, env_id):
    env = kind(env_id, **LONG)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        for _ in range(200):
            env.step(any_action)
    assert len(told) == 1
    assert re.search(SAID, str(told[0].message))


@pytest.mark.parametrize(("kind", "env_id"), PLAYED)
def test_play_by_the_mask_is_told_nothing(kind, env_id):
    env, chosen = kind(env_id, **LONG), [any_action] + [legal_action] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # plain Python
        for step in range(200):
            env.step(chosen[step % 3])  # one illegal action of three: some exploration


def test_an_episode_of_few_actions_says_nothing(recwarn):
    env = Many("Agemonia-v0", max_decisions=10)
    for _ in range(100):
        env.step(any_action)
    assert not recwarn.list
