"""Many games stepped in one compiled call: the base of the vector env and the VecEnv."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from agemonia_env.core.env_slots import (
    DRAWN,
    IN_ROW,
    N_KNOBS,
    RESULT,
    SLOT,
    UNDRAWABLE,
    Autoreset,
    Command,
    collect_results,
)
from agemonia_env.core.jit import zeros
from agemonia_env.core.records import joined
from agemonia_env.core.thread_pool import Job, shared_pool
from agemonia_env.core.work_stealing import are_all_done, split_into_blocks
from agemonia_env.display.messages import shown
from agemonia_env.display.pixels import pixels_of
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.rulesets.action_features import features_of
from agemonia_env.rulesets.arguments import CORE_SEEDS, RANDOM, Arguments, Compiled
from agemonia_env.rulesets.fits import Fit, fit_of
from agemonia_env.rulesets.generators import undrawable
from agemonia_env.rulesets.ruleset import Ruleset

from .buffers import own_buffers
from .cores import available_cores
from .guard import NotBegunError, OneThread, PendingStepError
from .mask_advice import IllegalActions
from .memory import check_memory
from .opponent import external_opponent, play_opponent
from .scenario_cache import Choice, ScenarioCache
from .slot_arrays import FLOAT32, SlotArrays, new_arrays, new_episode, width_of

MAX_ROWS = 2**15 - 1  # content rows: their index is an int16
SEEDS_AHEAD = 16  # game seeds drawn per slot at a time, to save calls of NumPy
OBJECT_BYTES = 1500  # of Python objects per game, such as its random generator
CURRENT, NEXT, PREVIOUS = 0, 1, 2  # the games of a slot

Mix = Sequence[Mapping[str, Any]] | None
MIXED = ("scenario", "heroes", "pack", "level", "difficulty", "scenario_seed", "generator")
WEIGHT = "weight"


@dataclass(frozen=True)
class MixEntry:
    """One kind of game that a batch plays, with its relative frequency."""

    arguments: Arguments
    weight: float = 1.0


def mix_entries(ruleset: Ruleset, arguments: Arguments, mix: Mix) -> list[MixEntry]:
    """What a batch plays: the scenario of the arguments, or a mix drawn from at each reset.

    mix: mappings with any keys of `MIXED` that the ruleset has, which override the arguments, and
    `weight` (default 1.0). Raises ValueError naming what is wrong.
    """
    if mix is None:
        return [MixEntry(arguments)]
    listed = isinstance(mix, Sequence) and not isinstance(mix, str)
    if not listed or not mix or not all(isinstance(entry, Mapping) for entry in mix):
        example = "a list of mappings such as {'scenario': 'ford'}"
        raise ValueError(f"mix={shown(mix)}: must be {example}")
    return [_mix_entry(ruleset, arguments, entry) for entry in mix]


def _mix_entry(ruleset: Ruleset, arguments: Arguments, entry: Mapping[str, Any]) -> MixEntry:
    base = {name: getattr(arguments, name) for name in ruleset.parameters}
    allowed = [*(name for name in MIXED if name in base), WEIGHT]
    for name in entry:
        if name not in allowed:
            meant = did_you_mean(str(name), allowed)
            raise ValueError(f"mix: {shown(name)}: must be one of {', '.join(allowed)}{meant}")
    weight = entry.get(WEIGHT, 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < np.inf:
        raise ValueError(f"mix: weight={shown(weight)}: must be a number above 0")
    if entry.get("scenario", base["scenario"]) != base["scenario"]:
        base.pop("scenario_seed", None)
        base.pop("generator", None)
    chosen = {name: value for name, value in entry.items() if name != WEIGHT}
    return MixEntry(ruleset.check_arguments(**(base | chosen)), float(weight))


def check_actions(actions: Any, n: int, n_actions: int) -> NDArray[np.int64]:
    """The actions of n games as int64 (n,). Raises ValueError outside the action space."""
    try:
        checked = np.asarray(actions)
    except ValueError:  # lists of different lengths
        checked = np.empty(0)
    if checked.shape != (n,) or checked.dtype.kind not in "iu":
        raise ValueError(f"actions: must be {n} whole numbers, not {shown(actions)}")
    checked = np.ascontiguousarray(checked, np.int64)
    unsigned = checked.view(np.uint64)  # negative actions become large
    if unsigned[unsigned.argmax()] >= n_actions:  # twice as fast as `max`
        raise ValueError(f"actions: must be from 0 to {n_actions - 1}")
    return checked


class ContentRows:
    """The scenarios of a batch: a row for each entry of the mix, and one for each game that draws.

    Game i keeps its drawn scenario in row `len(caches) + i`; parts of such scenarios follow.
    """

    def __init__(
        self, ruleset: Ruleset, caches: Sequence[ScenarioCache], n: int, threads: int
    ) -> None:
        """Compile a scenario of each entry. Raises ValueError for what cannot be compiled."""
        self.caches = caches
        drawn = [k for k, cache in enumerate(caches) if cache.varies]
        first = len(caches) + n * bool(drawn)
        if first > MAX_ROWS:
            raise ValueError(f"mix: a batch holds at most {MAX_ROWS} different scenarios at a time")
        self.drawn = any(cache.seeds is not None for cache in caches)
        self.drawing = ruleset.api.CORE.generator.NO_DRAWING
        self.drawing_of = {k: threads * i for i, k in enumerate(drawn)}  # thread 0's, by entry
        parts, drawings, n_rows = [], [], first
        for k in drawn:
            generator = caches[k].generator
            drawings.append(generator.for_core(threads, n_rows))
            parts.append(generator.parts)
            n_rows += len(generator.parts)
        self.rows = zeros(ruleset.CONTENT, n_rows)
        if drawn:
            self.drawing = joined(drawings)
            self.rows[first:] = joined(parts)
        for k, cache in enumerate(caches):
            content = cache.acquire(cache.first()).content
            self.rows[k : k + 1].view(np.uint8)[:] = content.view(np.uint8)


def bytes_per_game(
    ruleset: Ruleset,
    dtype: np.dtype[Any],
    *,
    finals: bool,
    featured: bool = False,
    drawn: bool = False,
    fit: Fit | None = None,
) -> int:
    """Memory per game, including the arrays returned by a step.

    featured: action features, too; drawn: each game has a scenario of its own.
    """
    observation = dtype.itemsize * width_of(ruleset, fit)
    if (fit is None or fit.is_full) and dtype == FLOAT32:
        observation += ruleset.N_OBS_INT8  # by which changes are found
    state = ruleset.STATE.itemsize + SLOT.itemsize + 8 * ruleset.N_WORDS + 2 * ruleset.N_CACHED
    masks = 2 * ruleset.N_ACTIONS
    features = featured * ruleset.N_ACTIONS * ruleset.N_ACTION_FEATURES * dtype.itemsize
    returned = masks + features + observation * (2 + finals)
    content = drawn * ruleset.CONTENT.itemsize
    return state + content + returned + 10 * SEEDS_AHEAD + OBJECT_BYTES


class StepResult(NamedTuple):
    """The result of one step, in arrays of its own."""

    rewards: NDArray[np.float64]  # (n,)
    terminated: NDArray[np.bool_]  # (n,), as the next four
    truncated: NDArray[np.bool_]
    success: NDArray[np.bool_]
    illegal: NDArray[np.bool_]
    ended: NDArray[np.bool_]  # an episode has ended
    results: NDArray[Any]  # RESULT (n,), zero where no episode has ended
    which_ended: NDArray[np.int64]  # indices of the slots whose episode has ended
    n_illegal: int  # number of illegal actions


class Batch:
    """n games, each in a slot of its own.

    Slot i draws the same game seeds as a single environment reset with `seed + i`. `slots` (SLOT),
    `masks` (uint8 (n, N_ACTIONS)) and `observations` (n, N_OBSERVATION), float32 or int8 to be
    divided by Ruleset.SCALES, hold the last step; the next step overwrites them. fit: the columns
    of the observations, None = all.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        n: int,
        mix: Sequence[MixEntry],
        autoreset: Autoreset,
        threads: int = 1,
        dtype: np.dtype[Any] = FLOAT32,
        out: Mapping[str, Any] | None = None,
    ) -> None:
        """Compile the scenarios and allocate the arrays; no game starts before `reset`.

        out: memory for masks and observations, see buffers.py. threads: of these no more are used
        than there are cores or games. Raises ValueError if the games do not fit into memory.
        """
        finals = n if autoreset == Autoreset.SAME_STEP else 0
        featured = mix[0].arguments.action_features
        caches = [ScenarioCache(entry.arguments) for entry in mix]
        drawn = any(cache.varies for cache in caches)
        self.fit = fit = fit_of(ruleset, [entry.arguments for entry in mix])
        kept = {"finals": finals > 0, "featured": featured, "drawn": drawn}
        check_memory(n, bytes_per_game(ruleset, dtype, **kept, fit=fit))
        width = width_of(ruleset, fit)
        buffers = own_buffers(out, (n + finals, width), dtype, (n, ruleset.N_ACTIONS))
        self._one_thread = OneThread()
        self.ruleset, self.n, self.mix, self.autoreset = ruleset, n, mix, autoreset
        threads = min(threads, n, available_cores())
        self.contents = ContentRows(ruleset, caches, n, threads)
        weights = np.array([entry.weight for entry in mix])
        self._bounds = np.cumsum(weights / weights.sum())
        first = mix[0].arguments
        self._raises = first.illegal == "raise"
        self._opponent = external_opponent(ruleset, first)
        episode = new_episode(first, autoreset, opposed=self._opponent is not None)
        self.arrays = arrays = new_arrays(
            *(ruleset, n, self.contents.rows, episode, ruleset.api.NO_ROWS),
            dtype=dtype,
            finals=finals,
            fit=fit,
            out=buffers,
        )
        self.arrays = arrays = arrays._replace(drawing=self.contents.drawing)
        self.states, self.slots, self.masks = arrays.states, arrays.slots, arrays.masks
        rows: NDArray[Any] = arrays.observations
        if dtype != FLOAT32:
            rows = arrays.obs_int8[:, :width]
        self.observations, self.finals = rows[:n], rows[n:]
        self._begun = np.zeros(n, np.bool_)
        self._which = np.zeros((2, n), np.int64)  # slots in which a game began, or an episode ended
        self._illegal_actions = IllegalActions(n)
        self._all_begun = False
        self._randoms: list[np.random.Generator | None] = [None] * n
        self._seeds = np.zeros((n, SEEDS_AHEAD), np.uint64)
        self._entries = np.zeros((n, SEEDS_AHEAD), np.int16)  # mix entries, by seed
        self._used = [SEEDS_AHEAD] * n  # seeds used in each row
        self._entry = np.zeros((n, 2), np.int64)  # of the mix: CURRENT, NEXT
        self.core_seeds = np.zeros(n, np.uint64)  # of the games going on
        self.scenario_seeds = np.full((n, 3), -1)  # CURRENT, NEXT, PREVIOUS; -1 = not drawn
        self.knobs = np.zeros((n, 2, N_KNOBS), np.int16)  # CURRENT, NEXT
        self._blocks = split_into_blocks(n, threads)
        self._threads = shared_pool(threads - 1) if threads > 1 else None
        self._arrays_of: list[SlotArrays] = []  # of each thread
        self._job: Job | None = None  # of the last call of the core; threads may still be inside
        self._pending = False  # a step has begun and is not finished

    # ---- games ------------------------------------------------------------------------------
    def reset(
        self,
        select: NDArray[np.bool_],
        seeds: Sequence[int | None] | None = None,
        chosen: Mapping[int, Choice] | None = None,
    ) -> None:
        """Start a game in every selected slot.

        seeds: reseed each slot's generator; None keeps the current one. chosen: scenarios of these
        games. A pending step is finished and its results are dropped. Raises PendingStepError if
        one is pending and not all slots are selected.
        """
        with self._one_thread():
            if self._pending:
                if not select.all():
                    raise PendingStepError
                self._drop()
            self._settle()
            which = np.flatnonzero(select).tolist()
            self._seed(which, [None] * self.n if seeds is None else seeds)
            for i, choice in (chosen or {}).items():
                self._choose(i, choice)
            self.arrays.commands[:] = np.where(select, Command.BEGIN, Command.LOOK)
            self._play_all()
            self._begun |= select
            self._all_begun = bool(self._begun.all())
            self._play_opponent()
            self._gather()

    def _seed(self, which: list[int], seeds: Sequence[int | None]) -> None:
        fresh = []
        for i in which:
            seed = seeds[i]
            if seed is not None or self._randoms[i] is None:
                self._randoms[i] = seeding.np_random(seed)[0]
                self._used[i] = SEEDS_AHEAD
                fresh.append(i)
        self._prepare(fresh)

    def step(self, actions: NDArray[np.int64]) -> StepResult:
        """One step in every slot.

        Raises ValueError for an illegal action with `illegal="raise"`; NotBegunError (a ValueError
        and a gymnasium.error.ResetNeeded) for a game that is over or has not begun; InUseError
        while another thread uses the batch, or a step is pending.
        """
        with self._one_thread():
            self._begin_step(actions)
            return self._finish_step()

    def begin_step(self, actions: NDArray[np.int64]) -> None:
        """Start a step on the helper threads; finish_step returns its result.

        Raises errors as `step` does, except for illegal actions.
        """
        with self._one_thread():
            self._begin_step(actions)
            self._pending = True

    def finish_step(self) -> StepResult:
        """Play what the helper threads have left of the pending step -> its result.

        Raises ValueError for an illegal action with `illegal="raise"`; NotBegunError if no step is
        pending; InUseError while another thread uses the batch.
        """
        with self._one_thread():
            if not self._pending:
                raise NotBegunError("step_wait: no actions; call step_async() first")
            if self._is_forked():
                self._pending = False
                raise NotBegunError("step_wait: forked while a step was pending; call reset()")
            return self._finish_step()

    def check_settled(self) -> None:
        """Raise PendingStepError while a step is pending."""
        if self._pending:
            raise PendingStepError

    def _begin_step(self, actions: NDArray[np.int64]) -> None:
        self.check_settled()
        self._check_begun()
        self._settle()
        self.arrays.commands.fill(Command.PLAY)
        self.arrays.actions[:] = actions
        self._begin_call()

    def _finish_step(self) -> StepResult:
        self._pending = False
        # An external opponent overwrites the actions
        actions = self.arrays.actions.copy() if self._raises else None
        self._finish_call()
        self._play_opponent()
        result = self._gather()
        if actions is not None and result.n_illegal:
            self._raise_illegal(actions)
        return result

    def _drop(self) -> None:
        """Finish the pending step for nobody, so that the next games do not depend on threads."""
        self._pending = False
        if not self._is_forked():
            self._finish_call()
            self._gather()

    def _check_begun(self) -> None:
        if not self._all_begun:
            i = int(np.flatnonzero(~self._begun)[0])
            raise NotBegunError(f"env {i}: no game has begun; call reset() first")
        if self.autoreset == Autoreset.DISABLED and self.slots["over"].any():
            i = int(np.flatnonzero(self.slots["over"])[0])
            raise NotBegunError(f"env {i}: the game is over; call reset() to start the next one")

    def __reduce__(self) -> tuple[Any, ...]:
        """Refuse: the arrays of a copy would no longer share memory."""
        raise TypeError("a batch of games cannot be copied or pickled; make a new one")

    def _play_opponent(self) -> None:
        """Let an external opponent act until no slot waits for it."""
        if self._opponent is not None:
            play_opponent(self.ruleset, self._opponent, self.arrays, self._play_all)

    def _play_all(self) -> None:
        """One call of the core for all slots, split among the threads."""
        self._begin_call()
        self._finish_call()

    def _is_forked(self) -> bool:
        """Whether this process is a fork, which has none of the threads."""
        return self._threads is not None and self._threads.is_of_another_process()

    def _settle(self) -> None:
        """Wait for threads still inside the last call of the core: it may have been interrupted."""
        if self._job is not None and not self._is_forked():
            self._job.wait()
        self._job = None

    def _begin_call(self) -> None:
        """Let the helper threads start a call of the core for all slots."""
        self._settle()
        arrays = self.arrays
        if arrays.contents is not self.contents.rows or arrays.blocks is not self._blocks:
            self.arrays = arrays._replace(contents=self.contents.rows, blocks=self._blocks)
            self._arrays_of = [self.arrays._replace(thread=k) for k in range(len(self._blocks))]
        if self._threads is None:
            return
        if self._is_forked():
            self._threads = shared_pool(len(self._threads))
        self._blocks[-1] = 0
        self._job = Job(self._play)  # kept first: an interrupted call is waited for
        self._threads.queue(self._job)

    def _finish_call(self) -> None:
        """Play what is left as thread 0, and wait until all slots are played."""
        try:
            self._play(0)
        finally:
            if self._job is not None:
                self._job.close()
        if self._job is not None and not are_all_done(self._blocks):
            self._settle()

    def _play(self, thread: int = 0) -> None:
        """The work of one thread in a step: see core/work_stealing.py."""
        self.ruleset.play_slots(*self._arrays_of[thread])

    def _gather(self) -> StepResult:
        """Collect the results of all slots."""
        self._check_drawn()
        rewards, flags = np.empty(self.n), np.empty((5, self.n), np.bool_)
        results = np.zeros(self.n, RESULT)
        n_began, n_ended, n_illegal = collect_results(
            self.slots, rewards, flags, results, *self._which
        )
        began, ended = self._which[0, :n_began].tolist(), self._which[1, :n_ended].copy()
        self._queue_next(began)
        result = StepResult._make((rewards, *flags, results, ended, n_illegal))
        self._illegal_actions.count(n_illegal, result.illegal, ended.tolist(), began)
        return result

    def _queue_next(self, began: list[int]) -> None:
        """Draw the games that follow those that have just begun."""
        if self.contents.drawn:
            for i in began:
                self._entry[i, CURRENT] = self._entry[i, NEXT]
                playing, following, _ = self.scenario_seeds[i]
                self.scenario_seeds[i] = following, -1, playing
                self.knobs[i, CURRENT] = self.knobs[i, NEXT]
        self._prepare(began)

    def _prepare(self, which: list[int]) -> None:
        """Draw seeds and scenarios of the next games of these slots.

        A loop is faster than arrays: of 1,024 games about six begin in a step.
        """
        next_seed, next_which = self.slots["next_seed"], self.slots["next_which"]
        for i in which:
            if self._used[i] == SEEDS_AHEAD:
                self._draw_seeds(i)
            k = self._used[i]
            self._used[i] = k + 1
            self.core_seeds[i] = next_seed[i]
            next_seed[i] = seed = self._seeds[i, k]
            row = self._entries[i, k]
            if self.contents.drawn:
                row = self._draw_scenario(i, int(row), int(seed))
            next_which[i] = row

    def _draw_seeds(self, i: int) -> None:
        """Draw seeds of the next games of slot i, and the mix entry that each one selects."""
        random = self._randoms[i]
        assert random is not None
        self._seeds[i] = seeds = random.integers(CORE_SEEDS, size=SEEDS_AHEAD)
        self._used[i] = 0
        if len(self.mix) > 1:
            entries = np.searchsorted(self._bounds, seeds / CORE_SEEDS, "right")
            self._entries[i] = np.minimum(entries, len(self.mix) - 1)

    def _draw_scenario(self, i: int, entry: int, seed: int) -> int:
        """Draw the next scenario of slot i -> its content row, into which the core writes it."""
        cache, slots = self.contents.caches[entry], self.slots
        scenario_seed = cache.draw(seed)
        self._entry[i, NEXT] = entry
        self.scenario_seeds[i, NEXT] = -1 if scenario_seed is None else scenario_seed
        slots["next_is"][i] = DRAWN if cache.varies else IN_ROW
        if not cache.varies:
            return entry
        slots["next_scenario"][i] = scenario_seed
        slots["next_drawing"][i] = self.contents.drawing_of[entry]
        slots["next_knobs"][i] = self.knobs[i, NEXT] = cache.generator.knobs
        return len(self.contents.caches) + i

    def choose(self, chosen: Mapping[int, Choice]) -> None:
        """Let the next games of these slots have scenarios of one's choice, then drawn ones again.

        Raises PendingStepError while a step is pending, ValueError where none is drawn.
        """
        self.check_settled()
        for i, choice in chosen.items():
            self._choose(i, choice)

    def _choose(self, i: int, choice: Choice) -> None:
        if self.slots["next_is"][i] != DRAWN:
            raise ValueError(
                f"env {i}: plays one scenario, so none can be chosen; make the env with "
                f"scenario={RANDOM!r} and a range of seeds, such as scenario_seed='train'"
            )
        if choice.seed is not None:
            self.slots["next_scenario"][i] = self.scenario_seeds[i, NEXT] = choice.seed
        if choice.knobs is not None:
            self.slots["next_knobs"][i] = self.knobs[i, NEXT] = choice.knobs

    def _check_drawn(self) -> None:
        """Raises ValueError for a scenario that could not be drawn."""
        if not len(self.contents.drawing):
            return
        for i in np.flatnonzero(self.slots["next_is"] == UNDRAWABLE).tolist():
            raise ValueError(undrawable(int(self.scenario_seeds[i, NEXT])))

    def action_features(self) -> NDArray[Any]:
        """Rows for all legal actions of all games: see features_of.

        Raises PendingStepError while a step is pending.
        """
        self.check_settled()
        which = np.ascontiguousarray(self.slots["which"])
        games = self.states, self.contents.rows, which, self.masks
        pool = None if self._is_forked() else self._threads
        return features_of(self.ruleset, *games, self.observations.dtype, pool)

    # ---- lookups ---------------------------------------------------------------------------
    def has_begun(self, i: int) -> bool:
        """Whether slot i has a game."""
        return bool(self._begun[i])

    def compiled(self, i: int) -> Compiled:
        """The scenario that slot i plays."""
        seed, cache = int(self.scenario_seeds[i, CURRENT]), self.contents.caches[self.entry(i)]
        return cache.acquire(None if seed < 0 else seed, self.knobs[i, CURRENT])

    def entry(self, i: int) -> int:
        """Index in the mix of the game in slot i."""
        return int(self._entry[i, CURRENT] if self.contents.drawn else self.slots["which"][i])

    def _raise_illegal(self, actions: NDArray[np.int64]) -> None:
        i = int(np.flatnonzero(self.slots["denial"])[0])
        action, denial = int(actions[i]), int(self.slots["denial"][i])
        text = self.ruleset.action_text(self.states[i], self.compiled(i), action)
        reason = self.ruleset.DENIAL_TEXTS[denial]
        raise ValueError(f"env {i}: action {action} ({text}) is illegal: {reason}")

    def draw(self, i: int) -> NDArray[np.uint8]:
        """A picture of the game in slot i, uint8 (height, width, 3)."""
        return pixels_of(self.ruleset.draw_board(self.states[i], self.compiled(i)))

    def statistics(self, i: int | np.intp) -> dict[str, Any]:
        """The `episode_statistics` of the last game that ended in slot i."""
        last = self.slots[i]["last"]
        statistics = dict(zip(RESULT.names or (), last.item(), strict=True))
        return statistics | {"ending": self.ruleset.ENDINGS[statistics["ending"]]}

    def close(self) -> None:
        """End the threads; later steps run on the calling thread. A pending step is dropped."""
        with self._one_thread():
            if self._pending:
                self._drop()
            self._settle()
            self._threads, self._blocks = None, split_into_blocks(self.n, 1)
