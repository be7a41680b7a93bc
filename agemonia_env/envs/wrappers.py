"""Wrappers for those who read the mask in the observation, or the observation as named arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from agemonia_env.display.messages import shown
from agemonia_env.rulesets.arguments import OBSERVATION_BOUND
from agemonia_env.rulesets.obs_arrays import Structure

if TYPE_CHECKING:
    AnyVectorWrapper = VectorWrapper[Any, Any, Any, Any, Any]
else:
    AnyVectorWrapper = VectorWrapper  # no generic class in Gymnasium 1.2

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
        """Raises ValueError if the env has no discrete actions, or for a wrong key or dtype."""
        if not isinstance(obs_key, str) or not obs_key:
            raise ValueError(f"obs_key={shown(obs_key)}: must be a name")
        try:
            whole = np.dtype(mask_dtype).kind in "biuf"
        except TypeError:
            whole = False
        if not whole:
            raise ValueError(f"mask_dtype={shown(mask_dtype)}: must be a dtype of numbers or flags")
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


# ---- named arrays -------------------------------------------------------------------------------
Arrays = dict[str, npt.NDArray[Any]]


class StructuredObservation(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """The observation as a dict of named arrays, with what lies open of the scenario.

    A row for each figure, each area, each Enemy card, each pair of areas: docs/layout.md has them
    all. The arrays are views of the flat observation (`structure.Structure`).
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        """Raises ValueError if the env is of no ruleset of this package."""
        RecordConstructorArgs.__init__(self)
        gymnasium.Wrapper.__init__(self, env)
        self.structure = _structure_of(env)
        self.observation_space = structured_space(self.structure)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """As the environment's own."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._arrays(observation), info

    def step(self, action: Any) -> tuple[Arrays, Any, bool, bool, dict[str, Any]]:
        """As the environment's own."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._arrays(observation), reward, terminated, truncated, info

    def _arrays(self, observation: npt.NDArray[Any]) -> Arrays:
        scenario = self.structure.scenario_rows(self._content())
        arrays = self.structure(observation[None], scenario)
        return {name: array[0] for name, array in arrays.items()}

    def _content(self) -> npt.NDArray[Any]:
        content: npt.NDArray[Any] = self.env.unwrapped.compiled.content  # type: ignore[attr-defined]
        return content


class StructuredVectorObservation(AnyVectorWrapper):
    """`StructuredObservation` of a vector environment of this package: arrays (num_envs, ...)."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """Raises ValueError for other vector environments, and for observations as int8."""
        super().__init__(env)
        self.structure = _structure_of(env)
        if env.single_observation_space.dtype != np.float32:
            raise ValueError("named arrays are views of float32 observations: dtype='float32'")
        self.single_observation_space = structured_space(self.structure)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._scenarios = ScenarioRows(env)

    def reset(self, **told: Any) -> tuple[Arrays, dict[str, Any]]:
        """As the environment's own."""
        observations, infos = self.env.reset(**told)
        return self.structure(observations, self._scenarios.now()), infos

    def step(self, actions: Any) -> tuple[Arrays, Any, Any, Any, dict[str, Any]]:
        """As the environment's own; so are the last observations of games that have ended."""
        before = self._scenarios.rows
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        arrays = self.structure(observations, self._scenarios.now())
        if "final_obs" in infos:
            for i in np.flatnonzero(infos["_final_obs"]):
                last = self.structure(infos["final_obs"][i][None], before[i : i + 1])
                infos["final_obs"][i] = {name: array[0] for name, array in last.items()}
        return arrays, rewards, terminated, truncated, infos


class ScenarioInObservation(AnyVectorWrapper):
    """Flat observations (num_envs, width) with the numbers of the scenario behind them.

    They are of the dtype of the environment's own, float32 or int8, and `Structure` makes named
    arrays of a batch of them whenever they are wanted.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """Raises ValueError for other vector environments than those of this package."""
        super().__init__(env)
        self.structure = _structure_of(env)
        space = env.single_observation_space
        assert isinstance(space, spaces.Box)
        bounds = float(space.low[0]), float(space.high[0])
        self.single_observation_space = spaces.Box(
            *bounds, (self.structure.width,), space.dtype.type
        )
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._scenarios = ScenarioRows(env)

    def reset(self, **told: Any) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """As the environment's own."""
        observations, infos = self.env.reset(**told)
        return np.concatenate([observations, self._scenarios.now()], axis=1), infos

    def step(self, actions: Any) -> tuple[npt.NDArray[Any], Any, Any, Any, dict[str, Any]]:
        """As the environment's own; so are the last observations of games that have ended."""
        before = self._scenarios.rows
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        wide = np.concatenate([observations, self._scenarios.now()], axis=1)
        if "final_obs" in infos:
            for i in np.flatnonzero(infos["_final_obs"]):
                infos["final_obs"][i] = np.concatenate([infos["final_obs"][i], before[i]])
        return wide, rewards, terminated, truncated, infos


class ScenarioRows:
    """What the scenarios of a vector environment of this package add to its observations."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        """Raises ValueError for other vector environments."""
        structure = _structure_of(env)
        self._batch = env.unwrapped.batch  # type: ignore[attr-defined]
        whole = env.single_observation_space.dtype == np.int8
        self._write = structure.scenario_int8 if whole else structure.scenario_rows
        dtype = env.single_observation_space.dtype
        self.rows = np.zeros((env.num_envs, structure.n_scenario), dtype)

    def now(self) -> npt.NDArray[Any]:
        """The rows of the games that go on now, float32 or int8 (num_envs, n_scenario).

        To be called after every reset and step. An array handed out is never written again.
        """
        slots = self._batch.slots
        began = np.flatnonzero(slots["began"])
        if len(began):
            contents = self._batch.contents.rows[slots["which"][began]]
            self.rows = self.rows.copy()
            self.rows[began] = self._write(contents)
        return self.rows


def structured_space(structure: Structure) -> spaces.Dict:
    """The space of the named arrays of one game."""
    found: dict[str, spaces.Space[Any]] = {}
    for block in structure.block.values():
        bound = OBSERVATION_BOUND
        found[block.name] = spaces.Box(-bound, bound, block.shape, np.float32)
        if block.present is not None:
            found[block.mask] = spaces.Box(0, 1, block.shape[:1], np.bool_)
    return spaces.Dict(found)


def _structure_of(env: Any) -> Structure:
    """How the observations of an environment are to be seen."""
    ruleset = getattr(env.unwrapped, "ruleset", None)
    if ruleset is None:
        raise ValueError(f"named arrays are those of this package's environments, not of {env}")
    structure: Structure = ruleset.structure
    return structure
