"""Wrappers for those who read the mask elsewhere than in `info`."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

Masked = dict[str, npt.NDArray[Any]]


class MaskInObservation(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """The observation as a dict: the plain one under `obs_key`, the mask under `"action_mask"`.

    PettingZoo and Tianshou read obs_key "observation" and int8, RLlib "observations" and float32,
    Sample Factory "obs" and int8, TorchRL any key and bool.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        obs_key: str = "observation",
        mask_dtype: npt.DTypeLike = np.int8,
    ) -> None:
        """Raises ValueError if the env has no discrete actions or the key is taken by the mask."""
        RecordConstructorArgs.__init__(self, obs_key=obs_key, mask_dtype=np.dtype(mask_dtype).name)
        gymnasium.Wrapper.__init__(self, env)
        if not isinstance(env.action_space, spaces.Discrete):
            raise ValueError(f"a mask needs discrete actions, not {env.action_space}")
        if obs_key == "action_mask":
            raise ValueError("obs_key='action_mask': this key holds the mask")
        self.obs_key = obs_key
        self.mask_dtype = np.dtype(mask_dtype)
        n = int(env.action_space.n)
        low, high = np.zeros(n, self.mask_dtype), np.ones(n, self.mask_dtype)
        mask_space = spaces.Box(low, high, (n,), self.mask_dtype.type)
        self.observation_space = spaces.Dict(
            {obs_key: env.observation_space, "action_mask": mask_space}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Masked, dict[str, Any]]:
        """As the environment's own."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._join(observation, info), info

    def step(self, action: Any) -> tuple[Masked, Any, bool, bool, dict[str, Any]]:
        """As the environment's own."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._join(observation, info), reward, terminated, truncated, info

    def _join(self, observation: npt.NDArray[Any], info: dict[str, Any]) -> Masked:
        mask = info["action_mask"].astype(self.mask_dtype)
        return {self.obs_key: observation, "action_mask": mask}
