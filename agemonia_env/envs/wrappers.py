"""Wrappers that add the mask to the observation, or split it into named arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from agemonia_env.core.obs_encoding import INT8_MAX
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.arguments import OBSERVATION_BOUND
from agemonia_env.rulesets.obs_arrays import Structure

if TYPE_CHECKING:
    AnyVectorWrapper = VectorWrapper[Any, Any, Any, Any, Any]
else:
    AnyVectorWrapper = VectorWrapper  # no generic class in Gymnasium 1.2

Masked = dict[str, npt.NDArray[Any]]


class _Turned(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs, ABC):
    """An env with other observations: `_turned` of a subclass makes them."""

    @abstractmethod
    def _turned(self, observation: npt.NDArray[Any], info: dict[str, Any]) -> Masked:
        """The observation as it is handed out."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Masked, dict[str, Any]]:
        """Like the env's own."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._turned(observation, info), info

    def step(self, action: Any) -> tuple[Masked, Any, bool, bool, dict[str, Any]]:
        """Like the env's own."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._turned(observation, info), reward, terminated, truncated, info


class MaskInObservation(_Turned):
    """The observation as a dict: the plain one under `obs_key`, the mask under `"action_mask"`.

    With `action_features=True` in the env, also `"action_features"`, float32 (N_ACTIONS,
    N_ACTION_FEATURES), with zeros for illegal actions.

    PettingZoo and Tianshou read obs_key "observation" and int8, RLlib "observations" and float32,
    Sample Factory "obs" and int8, TorchRL any key and bool.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        obs_key: str = "observation",
        mask_dtype: npt.DTypeLike = np.int8,
    ) -> None:
        """Raises ValueError for a wrong key or dtype, or if actions are not discrete."""
        if not isinstance(obs_key, str) or not obs_key:
            raise ValueError(f"obs_key={shown(obs_key)}: must be a non-empty string")
        try:
            numeric = np.dtype(mask_dtype).kind in "biuf"
        except TypeError:
            numeric = False
        if not numeric:
            raise ValueError(f"mask_dtype={shown(mask_dtype)}: must be a bool or number dtype")
        RecordConstructorArgs.__init__(self, obs_key=obs_key, mask_dtype=np.dtype(mask_dtype).name)
        gymnasium.Wrapper.__init__(self, env)
        if not isinstance(env.action_space, spaces.Discrete):
            raise ValueError(f"a mask needs discrete actions, not {env.action_space}")
        if obs_key in ("action_mask", "action_features"):
            raise ValueError(f"obs_key={obs_key!r}: this key is taken")
        self.obs_key = obs_key
        self.mask_dtype = np.dtype(mask_dtype)
        n = int(env.action_space.n)
        low, high = np.zeros(n, self.mask_dtype), np.ones(n, self.mask_dtype)
        mask_space = spaces.Box(low, high, (n,), self.mask_dtype.type)
        parts = {obs_key: env.observation_space, "action_mask": mask_space}
        arguments = getattr(env.unwrapped, "arguments", None)
        self._featured = arguments is not None and arguments.action_features
        if self._featured:
            shape = n, env.unwrapped.ruleset.N_ACTION_FEATURES  # type: ignore[attr-defined]
            parts["action_features"] = spaces.Box(-INT8_MAX, INT8_MAX, shape, np.float32)
        self.observation_space = spaces.Dict(parts)

    def _turned(self, observation: npt.NDArray[Any], info: dict[str, Any]) -> Masked:
        mask = info["action_mask"].astype(self.mask_dtype)
        joined = {self.obs_key: observation, "action_mask": mask}
        if self._featured:
            joined["action_features"] = info["action_features"]
        return joined


# ---- named arrays -------------------------------------------------------------------------------


class StructuredObservation(_Turned):
    """The observation as a dict of named arrays, with the visible parts of the scenario.

    One row per figure, area, enemy card and pair of areas; docs/layout.md lists them all. The
    arrays are views of the flat observation (`obs_arrays.Structure`).
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        """Raises ValueError if the env is not one of this package."""
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        self.structure = _structure_of(env)
        self.observation_space = structured_space(self.structure)

    def _turned(self, observation: npt.NDArray[Any], info: dict[str, Any]) -> Masked:
        content = self.env.unwrapped.compiled.content  # type: ignore[attr-defined]
        rows = self.structure.scenario_rows(content)
        arrays = self.structure(full(self.env, observation[None]), rows)
        return {name: array[0] for name, array in arrays.items()}


class _WithScenario(AnyVectorWrapper, ABC):
    """A vector env whose observations `_turned` of a subclass joins with the scenario arrays."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """Raises ValueError if the env is not one of this package."""
        super().__init__(env)
        self.structure = structure = _structure_of(env)
        self._batch = env.unwrapped.batch  # type: ignore[attr-defined]
        dtype = env.single_observation_space.dtype
        self._write = structure.scenario_int8 if dtype == np.int8 else structure.scenario_rows
        self._rows = np.zeros((env.num_envs, structure.n_scenario), dtype)

    def _now(self) -> npt.NDArray[Any]:
        """The scenario arrays of the current games, float32 or int8 (num_envs, n_scenario).

        Must be called after every reset and step. Returned arrays are never modified.
        """
        slots = self._batch.slots
        began = np.flatnonzero(slots["began"])
        if len(began):
            contents = self._batch.contents.rows[slots["which"][began]]
            self._rows = self._rows.copy()
            self._rows[began] = self._write(contents)
        return self._rows

    @abstractmethod
    def _turned(self, observations: npt.NDArray[Any], rows: npt.NDArray[Any]) -> Any:
        """The observations as they are handed out; rows: of the scenario arrays."""

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """Like the env's own."""
        observations, infos = self.env.reset(**kwargs)
        return self._turned(observations, self._now()), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Like the env's own; `final_obs` is converted, too."""
        before = self._rows
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        turned = self._turned(observations, self._now())
        for i in np.flatnonzero(infos["_final_obs"]) if "final_obs" in infos else ():
            last = self._turned(infos["final_obs"][i][None], before[i : i + 1])
            named = isinstance(last, dict)
            infos["final_obs"][i] = {key: last[key][0] for key in last} if named else last[0]
        return turned, rewards, terminated, truncated, infos


class StructuredVectorObservation(_WithScenario):
    """`StructuredObservation` for vector environments: arrays (num_envs, ...)."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """Raises ValueError for int8 observations, or an env that is not one of this package."""
        super().__init__(env)
        if env.single_observation_space.dtype != np.float32:
            raise ValueError(
                "named arrays need float32 observations: make the env with dtype='float32'"
            )
        self.single_observation_space = structured_space(self.structure)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def _turned(self, observations: npt.NDArray[Any], rows: npt.NDArray[Any]) -> Masked:
        return self.structure(full(self.env, observations), rows)


class ScenarioInObservation(_WithScenario):
    """Flat observations followed by the scenario arrays: (num_envs, width).

    They keep the dtype of the env's observations, float32 or int8; `Structure` turns a batch of
    them into named arrays if they are full.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """Raises ValueError if the env is not one of this package."""
        super().__init__(env)
        space = env.single_observation_space
        assert isinstance(space, spaces.Box)
        bounds = float(space.low[0]), float(space.high[0])
        self.single_observation_space = spaces.Box(
            *bounds, (space.shape[0] + self.structure.n_scenario,), space.dtype.type
        )
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def _turned(self, observations: npt.NDArray[Any], rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.concatenate([observations, rows], axis=1)


def full(env: Any, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The full observations of an env's observations (n, any number)."""
    fit = env.unwrapped.fit
    return rows if fit is None else fit.full(rows)


def structured_space(structure: Structure) -> spaces.Dict:
    """The space of the named arrays of one game."""
    arrays: dict[str, spaces.Space[Any]] = {}
    for block in structure.block.values():
        bound = OBSERVATION_BOUND
        arrays[block.name] = spaces.Box(-bound, bound, block.shape, np.float32)
        if block.present is not None:
            arrays[block.mask] = spaces.Box(0, 1, block.shape[:1], np.bool_)
    return spaces.Dict(arrays)


def _structure_of(env: Any) -> Structure:
    """The observation structure of an environment of this package."""
    ruleset = getattr(env.unwrapped, "ruleset", None)
    if ruleset is None:
        raise ValueError(f"must be an environment of this package, not {env}")
    structure: Structure = ruleset.structure
    return structure
