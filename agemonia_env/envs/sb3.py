"""Many games in one compiled call, as a Stable-Baselines3 `VecEnv`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agemonia_env.core.env_slots import Autoreset
from agemonia_env.rulesets.action_features import dense
from agemonia_env.rulesets.arguments import (
    MAX_THREADS,
    check_choices,
    check_options,
    check_seed,
    check_words,
    positive,
)
from agemonia_env.rulesets.ruleset import Ruleset

from .batch import CURRENT, PREVIOUS, Batch, Mix, check_actions, mix_entries
from .extras import missing
from .slot_arrays import observation_space

try:
    from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices
except ModuleNotFoundError as error:
    raise missing(error, "train") from None

RENDER_MODES = (None, "rgb_array")


class RulesetVecEnv(VecEnv):
    """Games that reset as soon as they end; a subclass sets the ruleset and its arguments."""

    ruleset: ClassVar[Ruleset]

    def __init__(
        self,
        num_envs: int,
        *what: Any,
        seed: int | None = None,
        threads: int = 1,
        mix: Mix = None,
        render_mode: str | None = None,
        **choices: Any,
    ) -> None:
        """Compile the scenario. Raises ValueError naming the wrong argument.

        what, choices: arguments of the ruleset's `check_arguments`.
        """
        check_words(render_mode=(render_mode, RENDER_MODES))
        check_choices(choices, type(self), self.ruleset.parameters)
        num_envs = positive("num_envs", num_envs)
        threads = positive("threads", threads, MAX_THREADS)
        first = check_seed(seed)
        self.arguments = self.ruleset.check_arguments(*what, **choices)
        self.render_mode = render_mode
        entries = mix_entries(self.ruleset, self.arguments, mix)
        self.batch = Batch(self.ruleset, num_envs, entries, Autoreset.SAME_STEP, threads)
        self.compiled = self.arguments.reference()
        self._returns = np.zeros(num_envs)  # of the episodes going on, as the next line
        self._lengths = np.zeros(num_envs, np.int64)
        self._made = time.time()
        self.fit = self.batch.fit
        observations = observation_space(self.batch.observations.shape[1])
        super().__init__(num_envs, observations, spaces.Discrete(self.ruleset.N_ACTIONS))
        self.metadata["render_fps"] = 4  # VecVideoRecorder would take 30
        self.seed(first)

    # ---- VecEnv -----------------------------------------------------------------------------
    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds of the next `reset`: seed + i for env i; None keeps the generators."""
        first = check_seed(seed)
        self._seeds = [None if first is None else first + i for i in range(self.num_envs)]
        return self._seeds

    def reset(self) -> NDArray[np.float32]:
        """Restart all games -> observations, float32, a row of `observation_space` for each.

        A pending step is dropped. Raises ValueError if options are set: there are none.
        """
        for options in self._options:
            check_options(options)
        self.batch.reset(np.ones(self.num_envs, np.bool_), self._seeds)
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = self._lengths[:] = 0
        self.reset_infos = [self._drawn(i, CURRENT) for i in range(self.num_envs)]
        self._add_features(self.reset_infos)
        return self.batch.observations.copy()

    def _drawn(self, i: int | np.intp, game: int) -> dict[str, Any]:
        """The scenario seed of a game of env i, if its scenario was drawn."""
        scenario_seed = int(self.batch.scenario_seeds[i, game])
        return {"scenario_seed": scenario_seed} if scenario_seed >= 0 else {}

    def step_async(self, actions: NDArray[Any]) -> None:
        """Let the helper threads start a step with (num_envs,) whole numbers in [0, N_ACTIONS).

        Raises ValueError for wrong actions, gymnasium.error.ResetNeeded before `reset`, and
        InUseError if a step is pending or another thread uses the environment.
        """
        self.batch.begin_step(check_actions(actions, self.num_envs, self.ruleset.N_ACTIONS))

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Finish the step -> (observations, rewards, dones, infos); ended games restart.

        Raises gymnasium.error.ResetNeeded without `step_async`.
        """
        batch, slots = self.batch, self.batch.slots
        result = batch.finish_step()
        self._returns += result.rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(result.illegal):
            infos[i]["illegal_action"] = True
            infos[i]["denial"] = self.ruleset.DENIALS[int(slots["denial"][i])]
        for i in np.flatnonzero(slots["began"]):
            infos[i]["terminal_observation"] = batch.finals[slots["final"][i]].copy()
            infos[i]["TimeLimit.truncated"] = bool(result.truncated[i])
            infos[i]["is_success"] = bool(result.success[i])
            infos[i]["episode_statistics"] = batch.statistics(i)
            infos[i]["episode"] = self._end_episode(i)
            infos[i] |= self._drawn(i, PREVIOUS)
            self.reset_infos[i] = self._drawn(i, CURRENT)
        self._add_features(infos)
        rewards = result.rewards.astype(np.float32)
        return batch.observations.copy(), rewards, slots["began"].astype(np.bool_), infos

    def _end_episode(self, i: int | np.intp) -> dict[str, Any]:
        """What SB3's `Monitor` says of an episode of env i that has ended; SB3 logs their means."""
        total, length = float(self._returns[i]), int(self._lengths[i])
        self._returns[i] = self._lengths[i] = 0
        return {"r": round(total, 6), "l": length, "t": round(time.time() - self._made, 6)}

    def _add_features(self, infos: list[dict[str, Any]]) -> None:
        """Add the features of each env's actions, if the argument action_features asks for it."""
        if self.arguments.action_features:
            spread = dense(self.batch.masks, self.batch.action_features())
            for info, features in zip(infos, spread, strict=True):
                info["action_features"] = features

    def close(self) -> None:
        """End the threads; a pending step is dropped."""
        self.batch.close()

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute, which all envs share. Raises AttributeError if there is none."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether `get_attr` would find it."""
        return hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Not supported: all envs share their attributes."""
        raise AttributeError(f"{attr_name} cannot be set: all envs share their attributes")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> Any:
        """Only `action_masks`: of all envs, bool (num_envs, N_ACTIONS), or a list for `indices`."""
        if method_name != "action_masks":
            raise AttributeError(f"no method {method_name!r}; allowed: action_masks")
        masks = self.action_masks(*method_args, **kwargs)
        return masks if indices is None else [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        """Always False: the games are not environment objects."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """A picture of each game, uint8 (height, width, 3), if `render_mode` asks for it."""
        if self.render_mode is None:
            return [None] * self.num_envs
        self.batch.check_settled()
        return [self.batch.draw(i) for i in range(self.num_envs)]

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (num_envs, N_ACTIONS); InUseError if a step is pending."""
        self.batch.check_settled()
        return self.batch.masks.view(np.bool_).copy()

    def action_features(self) -> NDArray[np.float32]:
        """What each legal action is and does, in the order of `action_masks().nonzero()`.

        float32 (m, N_ACTION_FEATURES). Raises InUseError if a step is pending.
        """
        return self.batch.action_features()
