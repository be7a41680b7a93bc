"""n games in one compiled call, as Gymnasium's vector environment."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import logger, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from agemonia_env.core.env_slots import RESULT, Autoreset
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.arguments import (
    MOST_THREADS,
    OBSERVATION_BOUND,
    RESET_MASK,
    check_choices,
    check_flags,
    check_options,
    check_seed,
    check_words,
    positive,
)
from agemonia_env.rulesets.ruleset import Ruleset

from .batch import PLAYED, PLAYING, Batch, Mix, Step, check_actions, shares
from .slot_arrays import FLOAT, WHOLE

AUTORESET = {
    AutoresetMode.DISABLED: Autoreset.DISABLED,
    AutoresetMode.NEXT_STEP: Autoreset.NEXT_STEP,
    AutoresetMode.SAME_STEP: Autoreset.SAME_STEP,
}
RENDER_MODES = (None, "rgb_array")
# Beside each statistic Gymnasium wants to be told of which environments it is
FLAGGED = tuple(f"_{name}" for name in RESULT.names or ())


class RulesetVectorEnv(VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """Many games side by side; a subclass says of which ruleset, and what it takes."""

    ruleset: ClassVar[Ruleset]

    def __init__(
        self,
        num_envs: int = 1,
        *what: Any,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        mix: Mix = None,
        dtype: str = "float32",
        copy: bool = True,
        render_mode: str | None = None,
        **choices: Any,
    ) -> None:
        """Compile the scenarios. Raises ValueError naming the wrong argument.

        what, choices: arguments of the ruleset's `check_arguments`.
        """
        check_words(render_mode=(render_mode, RENDER_MODES))
        check_flags(copy=copy)
        check_choices(choices, type(self), self.ruleset.parameters)
        mode = _autoreset_mode(autoreset_mode)
        self.num_envs = positive("num_envs", num_envs)
        self.arguments = self.ruleset.check_arguments(*what, **choices)
        self.render_mode = render_mode
        self.copy = bool(copy)
        played = shares(self.ruleset, self.arguments, mix)
        kind = _observation_dtype(dtype)
        number = positive("threads", threads, MOST_THREADS)
        self.batch = Batch(self.ruleset, self.num_envs, played, AUTORESET[mode], number, kind)
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 4, "autoreset_mode": mode}
        self.single_action_space = spaces.Discrete(self.ruleset.N_ACTIONS)
        low, high = (-128, 127) if kind == WHOLE else (-OBSERVATION_BOUND, OBSERVATION_BOUND)
        shape = (self.ruleset.N_OBSERVATION,)
        self.single_observation_space = spaces.Box(low, high, shape, kind.type)
        self._endings = np.array(self.ruleset.ENDINGS, object)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = _batched(self.single_observation_space, self.num_envs)

    # ---- Gymnasium --------------------------------------------------------------------------
    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin the games -> (observations, infos).

        Raises ValueError for a wrong seed, option or mask, InUseError while another thread uses the
        environment.
        """
        select = self._select(options)
        seeds = self._seeds(seed)
        self.batch.reset(select, seeds)
        refused = np.zeros(self.num_envs, np.bool_)
        return self._handed(self.batch.observations), self._inform(refused)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """The seed of each env: seed + i, or one by one."""
        if seed is None:
            return [None] * self.num_envs
        one = isinstance(seed, str | bytes) or (isinstance(seed, np.ndarray) and seed.ndim == 0)
        if isinstance(seed, Sequence | np.ndarray) and not one:
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: must be one or {self.num_envs} seeds, not {len(seed)}")
            return [check_seed(one) for one in seed]
        first = check_seed(seed)
        assert first is not None
        return [first + i for i in range(self.num_envs)]

    def _select(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        """Which games begin."""
        told = check_options(options, RESET_MASK).get(RESET_MASK)
        if told is None:
            return np.ones(self.num_envs, np.bool_)
        try:
            mask = np.asarray(told)
        except ValueError:  # lists of different lengths
            mask = np.empty(0)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(f"reset_mask: must be {self.num_envs} flags, at least one of them set")
        return mask

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[
        NDArray[Any],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Answer what is asked in every game -> observations, rewards, ends, infos.

        Raises ValueError if an action is outside the action space, or illegal with
        `illegal="raise"`, gymnasium.error.ResetNeeded before `reset`, and InUseError while another
        thread uses the environment.
        """
        brought = self.batch.step(check_actions(actions, self.num_envs, self.ruleset.N_ACTIONS))
        infos = self._inform(brought.illegal)
        if len(brought.which_ended):
            infos |= self._conclude(brought)
        return (
            self._handed(self.batch.observations),
            brought.rewards,
            brought.terminated,
            brought.truncated,
            infos,
        )

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of each game, uint8 (height, width, 3), if `render_mode` asks for it."""
        if self.render_mode is None:
            logger.warn("render() without a render_mode shows nothing; there is 'rgb_array'")
            return None
        return tuple(self.batch.draw(i) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.batch.close()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (num_envs, N_ACTIONS)."""
        return self._handed(self.batch.masks.view(np.bool_))

    # ---- inside -----------------------------------------------------------------------------
    def _handed(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _inform(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        infos = {
            "action_mask": self._handed(self.batch.masks.view(np.int8)),
            "illegal_action": illegal,
        }
        if self.batch.contents.drawn and (self.batch.scenario_seeds[:, PLAYING] >= 0).any():
            infos["scenario_seed"] = self.batch.scenario_seeds[:, PLAYING].copy()
        return infos

    def _conclude(self, brought: Step) -> dict[str, Any]:
        """What the infos tell beside that of episodes that have ended."""
        batch, results, which = self.batch, brought.results, brought.which_ended
        ended = brought.ended
        statistics: dict[str, Any] = {name: results[name] for name in RESULT.names or ()}
        statistics["ending"] = np.empty(self.num_envs, object)  # of None
        statistics["ending"][which] = self._endings.take(results["ending"].take(which))
        statistics |= dict.fromkeys(FLAGGED, ended)
        told: dict[str, Any] = {
            "is_success": brought.success,
            "_is_success": ended,
            "episode_statistics": statistics,
            "_episode_statistics": ended,
        }
        if batch.autoreset != Autoreset.SAME_STEP:
            return told
        final = np.empty(self.num_envs, object)
        for i in which:
            final[i] = batch.finals[batch.slots["final"][i]].copy()
        if (batch.scenario_seeds[ended, PLAYED] >= 0).any():
            told["scenario_seed"] = batch.scenario_seeds[:, PLAYED].copy()
            told["_scenario_seed"] = ended
        return {"final_obs": final, "_final_obs": ended, "final_info": told, "_final_info": ended}


def _batched(space: spaces.Box, n: int) -> spaces.Box:
    """N times the space, as `batch_space` has it, but for the bounds: one row stands for all.

    Those of 8,192 games take 27 KB each otherwise, the game itself 3.
    """
    batched = copy.copy(space)
    batched._shape = (n, *space.shape)
    batched._np_random = copy.deepcopy(space.np_random)
    for bounds in ("low", "high", "bounded_below", "bounded_above"):
        setattr(batched, bounds, np.broadcast_to(getattr(space, bounds), batched.shape))
    return batched


def _observation_dtype(name: str) -> np.dtype[Any]:
    """The dtype of the observations, by its name."""
    check_words(dtype=(name, (FLOAT.name, WHOLE.name)))
    return np.dtype(name)


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """The mode, also by its name."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(repr(one.value) for one in AutoresetMode)
        raise ValueError(f"autoreset_mode={shown(mode)}: must be one of {allowed}") from None
