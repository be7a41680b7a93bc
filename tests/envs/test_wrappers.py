"""The mask in the observation."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from agemonia_env.envs.wrappers import MaskInObservation
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv


@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.bool_])
@pytest.mark.parametrize("key", ["observation", "observations", "obs"])
def test_the_mask_stands_beside_the_observation(dtype, key):
    env = MaskInObservation(AgemoniaEnv(), obs_key=key, mask_dtype=dtype)
    plain = AgemoniaEnv()
    observation, info = env.reset(seed=4)
    assert np.array_equal(observation[key], plain.reset(seed=4)[0])
    for _ in range(20):
        assert env.observation_space.contains(observation)
        assert observation["action_mask"].dtype == dtype
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        action = int(np.flatnonzero(info["action_mask"])[0])
        observation, *_, info = env.step(action)


READERS = {
    "PettingZoo, Tianshou": ("observation", np.int8),
    "RLlib": ("observations", np.float32),
    "Sample Factory": ("obs", np.int8),
    "TorchRL": ("observation", np.bool_),
}


@pytest.mark.parametrize("env_id", ["Agemonia-v0", "HexDungeon-v0"])
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_finds_its_keys_to_the_end_of_a_game(reader, env_id):
    key, dtype = READERS[reader]
    env = MaskInObservation(gymnasium.make(env_id), key, dtype)
    assert set(env.observation_space.spaces) == {key, "action_mask"}
    observation, info = env.reset(seed=2)
    over = False
    while not over:
        assert env.observation_space.contains(observation)
        action = env.action_space.sample(mask=observation["action_mask"].astype(np.int8))
        assert info["action_mask"][action]
        observation, _, over, truncated, info = env.step(action)
        over |= truncated
    assert observation["action_mask"].dtype == dtype
    assert observation["action_mask"].all()


def test_the_keys_are_those_of_the_pettingzoo_environment():
    reason = "PettingZoo envs need the extra marl, which make test installs"
    pytest.importorskip("pettingzoo", reason=reason)
    from agemonia_env.rulesets.agemonia import AgemoniaAECEnv

    ours = MaskInObservation(AgemoniaEnv()).observation_space
    theirs = AgemoniaAECEnv().observation_space("hero_0")
    assert list(ours.spaces) == list(theirs.spaces)
    assert ours["action_mask"].dtype == theirs["action_mask"].dtype


@pytest.mark.usefixtures("strict")
def test_the_wrapped_env_passes_the_checker():
    env = MaskInObservation(gymnasium.make("Agemonia-v0").unwrapped)
    warnings.filterwarnings("ignore", ".*is different from the unwrapped version")  # it is
    check_env(env, skip_render_check=True)


def test_envs_that_cannot_be_masked_are_refused():
    with pytest.raises(ValueError, match="discrete"):
        MaskInObservation(gymnasium.make("Pendulum-v1"))
    with pytest.raises(ValueError, match="action_mask"):
        MaskInObservation(AgemoniaEnv(), obs_key="action_mask")
