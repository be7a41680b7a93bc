"""Many games in one compiled call, as a Gymnasium vector environment."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeGuard

import numpy as np
from gymnasium import logger, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from agemonia_env.core.env_slots import RESULT, Autoreset
from agemonia_env.display.messages import shown
from agemonia_env.rulesets.action_features import dense
from agemonia_env.rulesets.arguments import (
    MAX_THREADS,
    RESET_MASK,
    check_choices,
    check_flags,
    check_options,
    check_seed,
    check_words,
    positive,
)
from agemonia_env.rulesets.ruleset import Ruleset

from .batch import CURRENT, PREVIOUS, Batch, Mix, StepResult, check_actions, mix_entries
from .scenario_cache import CHOSEN, Choice, check_choice
from .slot_arrays import FLOAT32, INT8, observation_space
from .sub_envs import ask

AUTORESET = {
    AutoresetMode.DISABLED: Autoreset.DISABLED,
    AutoresetMode.NEXT_STEP: Autoreset.NEXT_STEP,
    AutoresetMode.SAME_STEP: Autoreset.SAME_STEP,
}
RENDER_MODES = (None, "rgb_array")
# Observations, rewards, terminated, truncated, infos
StepReturn = tuple[
    NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]
# Gymnasium's keys for which environments have a statistic
PRESENCE_KEYS = tuple(f"_{name}" for name in RESULT.names or ())


class RulesetVectorEnv(VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """Many games side by side; a subclass sets the ruleset and its arguments."""

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
        out: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        **choices: Any,
    ) -> None:
        """Compile the scenarios. Raises ValueError naming the wrong argument.

        what, choices: arguments of the ruleset's `check_arguments`. dtype: float32 or int8. out:
        memory of your own, {"observations": array, "action_mask": array} or one of them, with a
        row for each env; with SAME_STEP as many more for final observations. What `reset` and
        `step` return are then views of it, as with `copy=False`.
        """
        check_words(render_mode=(render_mode, RENDER_MODES))
        check_flags(copy=copy)
        check_choices(choices, type(self), self.ruleset.parameters)
        mode = _autoreset_mode(autoreset_mode)
        self.num_envs = positive("num_envs", num_envs)
        self.arguments = self.ruleset.check_arguments(*what, **choices)
        self.render_mode = render_mode
        self.copy = bool(copy) and out is None
        entries = mix_entries(self.ruleset, self.arguments, mix)
        check_words(dtype=(dtype, (FLOAT32.name, INT8.name)))
        obs_dtype = np.dtype(dtype)
        threads = positive("threads", threads, MAX_THREADS)
        self.batch = Batch(
            self.ruleset, self.num_envs, entries, AUTORESET[mode], threads, obs_dtype, out
        )
        self.fit = self.batch.fit
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 4, "autoreset_mode": mode}
        self.autoreset_mode = mode  # as Gymnasium's own vector envs have it
        self.single_action_space = spaces.Discrete(self.ruleset.N_ACTIONS)
        width = self.batch.observations.shape[1]
        self.single_observation_space = observation_space(width, obs_dtype)
        self._endings = np.array(self.ruleset.ENDINGS, object)
        self._all = np.ones(self.num_envs, np.bool_)
        self._all.flags.writeable = False  # every step returns it
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = _batched(self.single_observation_space, self.num_envs)

    # ---- Gymnasium --------------------------------------------------------------------------
    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start the games -> (observations, infos).

        options: {"reset_mask": bool (num_envs,)} starts some of the games; with drawn scenarios
        "scenario_seed" and "generator", one value or one for each game begun, choose theirs. A
        pending step is dropped. Raises ValueError for a wrong seed or option, InUseError while
        another thread uses the environment, or a step is pending and a mask is given.
        """
        given = check_options(options, RESET_MASK, *CHOSEN)
        select, seeds = self._select(given.get(RESET_MASK)), self._seeds(seed)
        chosen = {name: given[name] for name in CHOSEN if name in given}
        self.batch.reset(select, seeds, self._choices(np.flatnonzero(select), **chosen))
        self._note_seed(seed, seeds)
        illegal = np.zeros(self.num_envs, np.bool_)
        return self._copied(self.batch.observations), self._infos(illegal)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """One seed per env: seed + i, or those listed."""
        if seed is None:
            return [None] * self.num_envs
        if _are_several(seed):
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: must be one seed or {self.num_envs}, not {len(seed)}")
            return [check_seed(one) for one in seed]
        first = check_seed(seed)
        assert first is not None
        return [first + i for i in range(self.num_envs)]

    def _note_seed(self, seed: Any, seeds: list[int | None]) -> None:
        """Seed `np_random`, from which no game draws, with what `reset` was given.

        `np_random_seed` is then this seed, as in Gymnasium's vector envs, or -1 if it was a list.
        """
        if _are_several(seed):
            self.np_random = np.random.default_rng([one for one in seeds if one is not None])
        else:
            super().reset(seed=check_seed(seed))

    def choose_scenarios(
        self, which: Sequence[int] | NDArray[np.integer[Any]], **chosen: Any
    ) -> None:
        """Choose the scenario of the next game of these envs; later ones are drawn again.

        chosen: `scenario_seed` and `generator`, as the option of `reset`: one value, or one for
        each of `which`. Call it before a game ends, or in NEXT_STEP mode after its last step.
        Raises ValueError for a wrong value, or if the env plays one scenario, InUseError if a step
        is pending.
        """
        check_options(chosen, *CHOSEN, warns=False)
        self.batch.choose(self._choices(np.asarray(which), **chosen))

    def _choices(
        self, which: NDArray[Any], scenario_seed: Any = None, generator: Any = None
    ) -> dict[int, Choice]:
        """The scenarios chosen for envs, each given once or for each of them."""
        if scenario_seed is None and generator is None:
            return {}
        if which.ndim != 1 or not np.isin(which, np.arange(self.num_envs)).all():
            raise ValueError(
                f"which={shown(which)}: must be numbers of envs, below {self.num_envs}"
            )
        columns = [
            _for_each(name, value, len(which))
            for name, value in zip(CHOSEN, (scenario_seed, generator), strict=True)
        ]
        caches = self.batch.contents.caches
        drawn = next((cache for cache in caches if cache.seeds is not None), caches[0])
        return {
            i: check_choice(drawn, dict(zip(CHOSEN, own, strict=True)))
            for i, *own in zip(which.tolist(), *columns, strict=True)
        }

    def _select(self, given: Any) -> NDArray[np.bool_]:
        """Which games to start."""
        if given is None:
            return np.ones(self.num_envs, np.bool_)
        try:
            mask = np.asarray(given)
        except ValueError:  # lists of different lengths
            mask = np.empty(0)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(
                f"reset_mask: must be {self.num_envs} booleans, at least one of them True"
            )
        return mask

    def step(self, actions: NDArray[Any]) -> StepReturn:
        """Take an action in every game -> observations, rewards, terminated, truncated, infos.

        Raises ValueError if an action is outside the action space, or illegal with
        `illegal="raise"`, gymnasium.error.ResetNeeded before `reset`, and InUseError while another
        thread uses the environment, or a step is pending.
        """
        return self._returned(self.batch.step(self._checked(actions)))

    def step_async(self, actions: NDArray[Any]) -> None:
        """Let the helper threads start a step; `step_wait` returns what `step` would have.

        Of `threads` threads one is the caller, which joins in `step_wait`. Until then `step`,
        `step_async`, `action_masks` and `render` raise InUseError; `reset` of all games and `close`
        drop the step. With `copy=False` the arrays of the last step are overwritten from now on.
        Raises errors as `step` does, except for illegal actions.
        """
        self.batch.begin_step(self._checked(actions))

    def step_wait(self) -> StepReturn:
        """The result of the pending step, as from `step`.

        Raises ValueError for an illegal action with `illegal="raise"`, gymnasium.error.ResetNeeded
        without `step_async`, and InUseError while another thread uses the environment.
        """
        return self._returned(self.batch.finish_step())

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of each game, uint8 (height, width, 3), if `render_mode` asks for it."""
        if self.render_mode is None:
            logger.warn("render() needs render_mode='rgb_array'")
            return None
        self.batch.check_settled()
        return tuple(self.batch.draw(i) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads; a pending step is dropped."""
        self.batch.close()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool (num_envs, N_ACTIONS); InUseError if a step is pending."""
        self.batch.check_settled()
        return self._copied(self.batch.masks.view(np.bool_))

    def action_features(self) -> NDArray[Any]:
        """What each legal action is and does, in the order of `action_masks().nonzero()`.

        float32 or int8 (m, N_ACTION_FEATURES); divided by Ruleset.ACTION_SCALES, int8 are the
        float32 ones. Raises InUseError if a step is pending.
        """
        return self.batch.action_features()

    # ---- single games -----------------------------------------------------------------------
    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of each game's single environment, such as `legal_actions`: its results.

        Of an attribute its values. Copies of the games answer, each made anew. Raises
        AttributeError if there is none, ValueError if it changes the game, InUseError if a step is
        pending.
        """
        return tuple(ask(self.batch, name, *args, render_mode=self.render_mode, **kwargs))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """The same as `call(name)`."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Raise AttributeError: games have the arguments that the vector env was made with."""
        raise AttributeError(f"{name} cannot be set: make another vector env with other arguments")

    # ---- inside -----------------------------------------------------------------------------
    def _checked(self, actions: NDArray[Any]) -> NDArray[np.int64]:
        return check_actions(actions, self.num_envs, self.ruleset.N_ACTIONS)

    def _returned(self, result: StepResult) -> StepReturn:
        """What `step` returns."""
        infos = self._infos(result.illegal)
        if len(result.which_ended):
            infos |= self._end_infos(result)
        return (
            self._copied(self.batch.observations),
            result.rewards,
            result.terminated,
            result.truncated,
            infos,
        )

    def _copied(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _infos(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        """The entries that all games have."""
        infos = {
            "action_mask": self._copied(self.batch.masks.view(np.int8)),
            "illegal_action": illegal,
        }
        if self.arguments.action_features:
            infos["action_features"] = dense(self.batch.masks, self.batch.action_features())
        if self.batch.contents.drawn and (self.batch.scenario_seeds[:, CURRENT] >= 0).any():
            infos["scenario_seed"] = self.batch.scenario_seeds[:, CURRENT].copy()
        for name in (*infos,):
            infos[f"_{name}"] = self._all
        return infos

    def _end_infos(self, result: StepResult) -> dict[str, Any]:
        """The further entries of `infos` for episodes that have ended."""
        batch, results, which = self.batch, result.results, result.which_ended
        ended = result.ended
        statistics: dict[str, Any] = {name: results[name] for name in RESULT.names or ()}
        statistics["ending"] = np.empty(self.num_envs, object)  # all None
        statistics["ending"][which] = self._endings.take(results["ending"].take(which))
        statistics |= dict.fromkeys(PRESENCE_KEYS, ended)
        ends: dict[str, Any] = {
            "is_success": result.success,
            "_is_success": ended,
            "episode_statistics": statistics,
            "_episode_statistics": ended,
        }
        if batch.autoreset != Autoreset.SAME_STEP:
            return ends
        final = np.empty(self.num_envs, object)
        for i in which:
            final[i] = batch.finals[batch.slots["final"][i]].copy()
        if (batch.scenario_seeds[ended, PREVIOUS] >= 0).any():
            ends["scenario_seed"] = batch.scenario_seeds[:, PREVIOUS].copy()
            ends["_scenario_seed"] = ended
        return {"final_obs": final, "_final_obs": ended, "final_info": ends, "_final_info": ended}


def _are_several(seed: Any) -> TypeGuard[Sequence[int | None]]:
    """Whether it lists a seed for each env."""
    is_scalar = isinstance(seed, str | bytes) or (isinstance(seed, np.ndarray) and seed.ndim == 0)
    return isinstance(seed, Sequence | np.ndarray) and not is_scalar


def _batched(space: spaces.Box, n: int) -> spaces.Box:
    """The space of n observations, like `batch_space`, with bounds that share one row.

    Otherwise bounds take 27 KB per game at 8,192 games, against 3 KB for the game itself.
    """
    batched = copy.copy(space)
    batched._shape = (n, *space.shape)
    batched._np_random = copy.deepcopy(space.np_random)
    for bounds in ("low", "high", "bounded_below", "bounded_above"):
        setattr(batched, bounds, np.broadcast_to(getattr(space, bounds), batched.shape))
    return batched


def _for_each(name: str, value: Any, n: int) -> list[Any]:
    """N values: those given, or the same n times."""
    if not isinstance(value, list | tuple | np.ndarray):
        return [value] * n
    if len(value) != n:
        raise ValueError(f"{name}: must be one, or {n} of them, not {len(value)}")
    return list(value)


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """The mode, given as such or by its name."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(repr(one.value) for one in AutoresetMode)
        raise ValueError(f"autoreset_mode={shown(mode)}: must be one of {allowed}") from None
