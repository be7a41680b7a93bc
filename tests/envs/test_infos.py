"""Infos as Gymnasium's users expect them: each entry has one shape and type at every step."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList

from agemonia_env.envs import vector_env_class
from agemonia_env.envs.wrappers import MaskInObservation
from agemonia_env.rulesets.doors import RULESETS

ENVS = [*RULESETS, "AgemoniaGauntlet-v0"]
BOTH = pytest.mark.parametrize("env_id", RULESETS)
N = 3


def make(env_id, **arguments):
    return gymnasium.make(f"agemonia_env:{env_id}", **arguments)


def some_action(info, random, illegal=0.0):
    """A random action, legal unless chance has it otherwise."""
    wanted = int(random.random() >= illegal)
    return int(random.choice(np.flatnonzero(info["action_mask"] == wanted)))


def kind(value):
    """What must not change in an entry: its keys, its shape and dtype, or its type."""
    if isinstance(value, dict):
        return {name: kind(part) for name, part in value.items()}
    return (value.shape, value.dtype) if isinstance(value, np.ndarray) else type(value)


@pytest.mark.parametrize("env_id", ENVS)
@pytest.mark.parametrize(
    "arguments", [{}, {"log": True, "action_features": True}, {"illegal": "terminate"}]
)
def test_infos_have_one_shape_after_every_reset_and_step(env_id, arguments):
    env = make(env_id, max_decisions=150, **arguments)
    random, kinds, ends = np.random.default_rng(0), [], 0
    _, info = env.reset(seed=1)
    for _ in range(500):
        kinds.append(kind(info))
        *_, terminated, truncated, info = env.step(some_action(info, random, illegal=0.1))
        if terminated or truncated:
            kinds.append(kind(info))
            ends += 1
            _, info = env.reset()
    assert ends > 2
    assert all(one == kinds[0] for one in kinds)
    assert not [name for name, one in kinds[0].items() if one in (list, tuple)]


@pytest.mark.parametrize("env_id", ENVS)
def test_the_time_limit_of_gymnasium_ends_an_episode_with_its_statistics(env_id):
    env = make(env_id, max_episode_steps=6)
    _, info = env.reset(seed=1)
    truncated, random = False, np.random.default_rng(0)
    while not truncated:
        *_, truncated, info = env.step(some_action(info, random))
    assert info["is_success"] is False
    assert info["episode_statistics"]["decisions"] >= 6
    assert info["episode_statistics"]["ending"] == "none"


# ---- Gymnasium's own vector envs ----------------------------------------------------------------
@BOTH
@pytest.mark.parametrize("wrap", [lambda env: env, MaskInObservation])
def test_gymnasium_stacks_the_infos_of_single_envs(env_id, wrap):
    arguments = {"action_features": True, "max_decisions": 40}
    envs = SyncVectorEnv([lambda: wrap(make(env_id, **arguments))] * N)
    _, infos = envs.reset(seed=1)
    random = np.random.default_rng(0)
    for _ in range(100):
        masks, rows = infos["action_mask"], infos["action_features"]
        assert rows.shape[:2] == masks.shape
        assert not rows[masks == 0].any()
        *_, infos = envs.step([random.choice(np.flatnonzero(mask)) for mask in masks])


# ---- ours ---------------------------------------------------------------------------------------
def check_presence(infos, n):
    """Every entry has a value for each env, and a mask that says which count."""
    for name, value in infos.items():
        if name.startswith("_"):
            assert value.shape == (n,)
            assert value.dtype == np.bool_
        else:
            assert f"_{name}" in infos, name
            assert isinstance(value, dict) or len(value) == n
        if isinstance(value, dict):
            check_presence(value, n)


@BOTH
@pytest.mark.parametrize("mode", AutoresetMode)
def test_infos_of_the_vector_env_can_be_told_apart(env_id, mode):
    arguments = {"scenario": "random"} if env_id == "Agemonia-v0" else {}
    envs = vector_env_class(env_id)(
        N, autoreset_mode=mode, max_decisions=5, action_features=True, **arguments
    )
    listed = DictInfoToList(envs)
    _, infos = listed.reset(seed=1)
    seen = set()
    for _ in range(5):
        check_presence(envs._infos(np.zeros(N, np.bool_)), N)
        masks = envs.action_masks()
        assert np.array_equal([info["action_mask"] for info in infos], masks)
        for info, mask in zip(infos, masks, strict=True):
            assert len(info["action_features"]) == len(mask)
            seen |= set(info)
        *_, infos = listed.step(masks.argmax(axis=1))
    assert all(set(info) > {"action_mask", "illegal_action"} for info in infos)
    ended = [info.get("final_info", info) for info in infos]
    assert all(info["episode_statistics"]["ending"] for info in ended)
    assert "is_success" not in seen


@BOTH
def test_the_infos_of_an_end_have_presence_masks(env_id):
    for mode in AutoresetMode:
        envs = vector_env_class(env_id)(N, autoreset_mode=mode, max_decisions=2)
        envs.reset(seed=1)
        for _ in range(2):
            *_, infos = envs.step(envs.action_masks().argmax(axis=1))
            check_presence({k: v for k, v in infos.items() if k != "final_obs"}, N)
        assert infos.get("final_info", infos)["_is_success"].all()


@BOTH
def test_a_vector_env_has_the_attributes_of_gymnasiums(env_id):
    envs = vector_env_class(env_id)(N, autoreset_mode="Disabled")
    assert envs.autoreset_mode is envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    for seed in (5, np.int64(6)):
        envs.reset(seed=seed)
        assert envs.np_random_seed == seed
    envs.reset()
    assert envs.np_random_seed == 6
    envs.reset(seed=[3, None, 4])
    assert envs.np_random_seed == -1  # Gymnasium: unknown
