"""The mask in the observation."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from agemonia_env.envs.single import AgemoniaEnv
from agemonia_env.envs.wrappers import MaskInObservation


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


@pytest.mark.usefixtures("strict")
def test_the_wrapped_env_passes_the_checker():
    env = MaskInObservation(gymnasium.make("Agemonia-v0").unwrapped)
    warnings.filterwarnings("ignore", ".*is different from the unwrapped version")  # it is
    check_env(env, skip_render_check=True)


def test_what_cannot_be_masked_is_refused():
    with pytest.raises(ValueError, match="discrete"):
        MaskInObservation(gymnasium.make("Pendulum-v1"))
    with pytest.raises(ValueError, match="action_mask"):
        MaskInObservation(AgemoniaEnv(), obs_key="action_mask")
