"""Games side by side in one compiled call: what the vector env and the VecEnv stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from agemonia_env.core.env_slots import (
    RESULT,
    SLOT,
    Autoreset,
    Command,
    collect_results,
)
from agemonia_env.core.jit import zeros
from agemonia_env.core.work_stealing import are_all_done, split_into_blocks
from agemonia_env.display.messages import shown
from agemonia_env.display.suggestions import did_you_mean
from agemonia_env.rulesets.arguments import CORE_SEEDS, Arguments, Compiled
from agemonia_env.rulesets.ruleset import Ruleset

from .guard import NotBegunError, OneThread
from .memory import check_memory
from .opponent import answer, check_answers, opponent_of
from .scenario_cache import ScenarioCache
from .slot_arrays import FLOAT, new_arrays, new_episode
from .thread_pool import ThreadPool

MOST = 2**15 - 1  # rows of contents, by number in an int16
AHEAD = 16  # seeds that are drawn at a time for each slot: a call of NumPy for 16 games
OBJECTS = 1500  # bytes of a game's random generator and of what is listed for it
PLAYING, NEXT, PLAYED = 0, 1, 2  # games of a slot

Key = tuple[int, int | None]  # place in the mix, scenario seed


Mix = Sequence[Mapping[str, Any]] | None
MIXED = ("scenario", "heroes", "pack", "level", "difficulty", "scenario_seed")
WEIGHT = "weight"


@dataclass(frozen=True)
class Share:
    """One of the kinds of games that a batch plays, and how often compared with the others."""

    arguments: Arguments
    weight: float = 1.0


def shares(ruleset: Ruleset, arguments: Arguments, mix: Mix) -> list[Share]:
    """What a batch plays: the one scenario of the arguments, or a mix drawn from at each reset.

    mix: mappings with any of `MIXED` that the ruleset has, which go before the arguments, and
    `weight` (1.0). Raises ValueError naming what is wrong.
    """
    if mix is None:
        return [Share(arguments)]
    listed = isinstance(mix, Sequence) and not isinstance(mix, str)
    if not listed or not mix or not all(isinstance(entry, Mapping) for entry in mix):
        example = "a list of mappings such as {'scenario': 'ford'}"
        raise ValueError(f"mix={shown(mix)}: must be {example}")
    return [_share_of(ruleset, arguments, entry) for entry in mix]


def _share_of(ruleset: Ruleset, arguments: Arguments, entry: Mapping[str, Any]) -> Share:
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
    chosen = {name: value for name, value in entry.items() if name != WEIGHT}
    return Share(ruleset.check_arguments(**(base | chosen)), float(weight))


def check_actions(actions: Any, n: int, n_actions: int) -> NDArray[np.int64]:
    """Actions of n games as int64 (n,); ValueError outside the action space."""
    try:
        taken = np.asarray(actions)
    except ValueError:  # lists of different lengths
        taken = np.empty(0)
    if taken.shape != (n,) or taken.dtype.kind not in "iu":
        raise ValueError(f"actions: must be {n} whole numbers, not {shown(actions)}")
    taken = np.ascontiguousarray(taken, np.int64)
    whole = taken.view(np.uint64)  # as which negative ones are large
    if whole[whole.argmax()] >= n_actions:  # half the time of `max`
        raise ValueError(f"actions: must be from 0 to {n_actions - 1}")
    return taken


class Contents:
    """The compiled scenarios of a batch, each in one row as long as a slot needs it."""

    def __init__(self, ruleset: Ruleset, caches: Sequence[ScenarioCache]) -> None:
        """A row for each shelf, in their order; what is drawn later gets rows when it is taken.

        Raises ValueError for what cannot be compiled.
        """
        self.ruleset, self.caches = ruleset, caches
        self.rows = zeros(ruleset.CONTENT, len(caches))
        self.compiled: list[Compiled | None] = [None] * len(caches)
        # Otherwise shelf k has row k for ever, and nobody counts
        self.drawn = any(shelf.seeds is not None for shelf in caches)
        self._row_of: dict[Key, int] = {}
        self._slots = [0] * len(caches)  # that need the row
        for k, shelf in enumerate(caches):
            row = self.take((k, shelf.first()))
            if shelf.varies:
                self.give_back(row)

    def take(self, key: Key) -> int:
        """The row of a scenario, for one slot more. Raises ValueError if there are too many."""
        row = self._row_of.get(key)
        if row is None:
            row = self._fill(key)
        self._slots[row] += 1
        return row

    def give_back(self, row: int | np.intp) -> None:
        """A slot needs the row no longer; -1 is none."""
        if row >= 0:
            self._slots[row] -= 1

    def _fill(self, key: Key) -> int:
        """Compile a scenario into a row that nobody needs."""
        row = next((row for row, slots in enumerate(self._slots) if not slots), len(self._slots))
        if row == len(self._slots):
            self._grow()
        self._row_of = {k: r for k, r in self._row_of.items() if r != row}
        compiled = self.caches[key[0]].take(key[1])
        self.rows[row : row + 1].view(np.uint8)[:] = compiled.content.view(np.uint8)
        self.compiled[row] = compiled
        self._row_of[key] = row
        return row

    def _grow(self) -> None:
        """Twice as many rows."""
        more = min(2 * len(self.rows), MOST)
        if more == len(self.rows):
            raise ValueError(f"a batch has room for {MOST} different scenarios at a time")
        rows = zeros(self.ruleset.CONTENT, more)
        rows[: len(self.rows)].view(np.uint8)[:] = self.rows.view(np.uint8)
        self.compiled += [None] * (more - len(self.rows))
        self._slots += [0] * (more - len(self.rows))
        self.rows = rows


def bytes_each(ruleset: Ruleset, dtype: np.dtype[Any], *, finals: bool) -> int:
    """What a game takes, with what it hands out at a step."""
    seen = ruleset.N_OBS_INT8 + (4 * ruleset.N_OBSERVATION if dtype == FLOAT else 0)
    kept = ruleset.STATE.itemsize + SLOT.itemsize + 8 * ruleset.N_WORDS + 2 * ruleset.N_CACHED
    masks = 2 * ruleset.N_ACTIONS
    return kept + masks + seen * (2 + finals) + 10 * AHEAD + OBJECTS


class Step(NamedTuple):
    """What a step has brought, in arrays of its own."""

    rewards: NDArray[np.float64]  # (n,)
    terminated: NDArray[np.bool_]  # (n,), as the next four
    truncated: NDArray[np.bool_]
    success: NDArray[np.bool_]
    illegal: NDArray[np.bool_]
    ended: NDArray[np.bool_]  # an episode has
    results: NDArray[Any]  # RESULT (n,), zero where no episode has ended
    which_ended: NDArray[np.int64]  # slots of which one has
    n_illegal: int  # actions that were refused


class Batch:
    """n games, each in a slot of its own.

    Slot i begins its games with the seeds of a single environment reset with `seed + i`. What the
    last step brought is in `slots` (SLOT), `masks` (uint8 (n, N_ACTIONS)) and `observations`
    (float32 or int8 (n, N_OBSERVATION)), which the next one overwrites: int8 / Ruleset.SCALES.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        n: int,
        mix: Sequence[Share],
        autoreset: Autoreset,
        threads: int = 1,
        dtype: np.dtype[Any] = FLOAT,
    ) -> None:
        """Compile the scenarios and lay out the arrays; nothing is played before `reset`.

        Raises ValueError if the games do not fit into memory.
        """
        finals = n if autoreset == Autoreset.SAME_STEP else 0
        check_memory(n, bytes_each(ruleset, dtype, finals=finals > 0))
        self._one_thread = OneThread()
        self.ruleset, self.n, self.mix, self.autoreset = ruleset, n, mix, autoreset
        self.contents = Contents(ruleset, [ScenarioCache(share.arguments) for share in mix])
        weights = np.array([share.weight for share in mix])
        self._bounds = np.cumsum(weights / weights.sum())
        first = mix[0].arguments
        self._raises = first.illegal == "raise"
        self._opponent = opponent_of(ruleset, first)
        episode = new_episode(first, autoreset, opposed=self._opponent is not None)
        given = self.contents.rows, episode, ruleset.api.NO_ROWS
        self.arrays = arrays = new_arrays(ruleset, n, *given, dtype=dtype, finals=finals)
        self.states, self.slots, self.masks = arrays.states, arrays.slots, arrays.masks
        rows: NDArray[Any] = arrays.observations
        if dtype != FLOAT:
            rows = arrays.obs_int8[:, : ruleset.N_OBSERVATION]
        self.observations, self.finals = rows[:n], rows[n:]
        self._begun = np.zeros(n, np.bool_)
        self._which = np.zeros((2, n), np.int64)  # slots in which something began, or ended
        self._all_begun = False
        self._randoms: list[np.random.Generator | None] = [None] * n
        self._seeds = np.zeros((n, AHEAD), np.uint64)
        self._shares = np.zeros((n, AHEAD), np.int16)  # of the mix, that these seeds fall to
        self._used = [AHEAD] * n  # of each row of seeds
        self._rows = np.full((n, 2), -1)  # of the contents: PLAYING, NEXT
        self.scenario_seeds = np.full((n, 3), -1)  # PLAYING, NEXT, PLAYED; -1 = not drawn from one
        threads = min(threads, n)
        self._blocks = split_into_blocks(n, threads)
        self._threads = ThreadPool(threads - 1) if threads > 1 else None

    # ---- games ------------------------------------------------------------------------------
    def reset(self, select: NDArray[np.bool_], seeds: Sequence[int | None] | None = None) -> None:
        """Begin a game in every selected slot.

        seeds: of the chance of each slot, from this game on; None goes on with the present one.
        """
        with self._one_thread:
            which = np.flatnonzero(select).tolist()
            self._seed(which, [None] * self.n if seeds is None else seeds)
            self.arrays.commands[:] = np.where(select, Command.BEGIN, Command.LOOK)
            self._play_all()
            self._begun |= select
            self._all_begun = bool(self._begun.all())
            self._let_opponent_answer()
            self._conclude()

    def _seed(self, which: list[int], seeds: Sequence[int | None]) -> None:
        fresh = []
        for i in which:
            seed = seeds[i]
            if seed is not None or self._randoms[i] is None:
                self._randoms[i] = seeding.np_random(seed)[0]
                self._used[i] = AHEAD
                fresh.append(i)
        self._prepare(fresh)

    def step(self, actions: NDArray[np.int64]) -> Step:
        """One step in every slot.

        Raises ValueError for an illegal action with `illegal="raise"`; NotBegunError, which is one
        and gymnasium.error.ResetNeeded, too, if a game is over and was not begun anew, or was never
        begun; InUseError while another thread uses the batch.
        """
        with self._one_thread:
            self._check_begun()
            self.arrays.commands[:] = Command.PLAY
            self.arrays.actions[:] = actions
            self._play_all()
            self._let_opponent_answer()
            brought = self._conclude()
            if self._raises and brought.n_illegal:
                self._refuse(actions)
            return brought

    def _check_begun(self) -> None:
        if not self._all_begun:
            i = int(np.flatnonzero(~self._begun)[0])
            raise NotBegunError(f"env {i}: no game was begun; begin one with reset()")
        if self.autoreset == Autoreset.DISABLED and self.slots["over"].any():
            i = int(np.flatnonzero(self.slots["over"])[0])
            raise NotBegunError(f"env {i}: the game is over; begin the next one with reset()")

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy would have arrays that no longer look at each other."""
        raise TypeError("games side by side cannot be copied or pickled; make them again")

    def _let_opponent_answer(self) -> None:
        """Have an opponent outside the core answer until no slot waits for it."""
        if self._opponent is None:
            return
        while answer(self.ruleset, self._opponent, self.arrays):
            self._play_all()
            check_answers(self.ruleset, self._opponent, self.arrays)

    def _play_all(self) -> None:
        """One call of the core for all slots, shared out among the threads."""
        self.arrays = self.arrays._replace(contents=self.contents.rows, blocks=self._blocks)
        if self._threads is None:
            self._play()
            return
        if self._threads.is_of_another_process():  # a fork leaves the threads behind
            self._threads = ThreadPool(len(self._threads))
        self._threads.wait()  # for who came too late to the last step, or was left behind in it
        self._blocks[-1] = 0
        self._threads.begin(self._play)
        self._play(0)
        if not are_all_done(self._blocks):
            self._threads.wait()

    def _play(self, thread: int = 0) -> None:
        """What a thread does in a step: see core/work_stealing.py."""
        arrays = self.arrays if thread == 0 else self.arrays._replace(thread=thread)
        self.ruleset.play_slots(*arrays)

    def _conclude(self) -> Step:
        """Gather what the slots have brought."""
        rewards, flags = np.empty(self.n), np.empty((5, self.n), np.bool_)
        results = np.zeros(self.n, RESULT)
        n_began, n_ended, n_illegal = collect_results(
            self.slots, rewards, flags, results, *self._which
        )
        self._go_on(self._which[0, :n_began].tolist())
        return Step._make((rewards, *flags, results, self._which[1, :n_ended].copy(), n_illegal))

    def _go_on(self, began: list[int]) -> None:
        """Draw the games after those that have just begun."""
        if self.contents.drawn:
            for i in began:
                self.contents.give_back(self._rows[i, PLAYING])
                self._rows[i] = self._rows[i, NEXT], -1
                playing, following, _ = self.scenario_seeds[i]
                self.scenario_seeds[i] = following, -1, playing
        self._prepare(began)

    def _prepare(self, which: list[int]) -> None:
        """The seeds and scenarios of the next games of these slots.

        One after the other: of 1,024 games six begin in a step, and arrays of six cost more.
        """
        next_seed, next_which = self.slots["next_seed"], self.slots["next_which"]
        for i in which:
            if self._used[i] == AHEAD:
                self._draw_seeds(i)
            k = self._used[i]
            self._used[i] = k + 1
            next_seed[i] = seed = self._seeds[i, k]
            share = self._shares[i, k]
            if self.contents.drawn:
                share = self._draw_scenario(i, int(share), int(seed))
            next_which[i] = share

    def _draw_seeds(self, i: int) -> None:
        """What fixes the next games of slot i, and the shares of the mix that they fall to."""
        random = self._randoms[i]
        assert random is not None
        self._seeds[i] = seeds = random.integers(CORE_SEEDS, size=AHEAD)
        shares = np.searchsorted(self._bounds, seeds / CORE_SEEDS, "right")
        self._shares[i] = np.minimum(shares, len(self.mix) - 1)
        self._used[i] = 0

    def _draw_scenario(self, i: int, share: int, seed: int) -> int:
        """The row of the next scenario of slot i."""
        scenario_seed = self.contents.caches[share].draw(seed)
        self.contents.give_back(self._rows[i, NEXT])
        self._rows[i, NEXT] = row = self.contents.take((share, scenario_seed))
        self.scenario_seeds[i, NEXT] = -1 if scenario_seed is None else scenario_seed
        return row

    # ---- in words ---------------------------------------------------------------------------
    def compiled(self, i: int) -> Compiled:
        """The scenario that slot i plays."""
        compiled = self.contents.compiled[int(self.slots["which"][i])]
        assert compiled is not None
        return compiled

    def _refuse(self, actions: NDArray[np.int64]) -> None:
        i = int(np.flatnonzero(self.slots["denial"])[0])
        action, denial = int(actions[i]), int(self.slots["denial"][i])
        text = self.ruleset.action_text(self.states[i], self.compiled(i), action)
        reason = self.ruleset.DENIAL_TEXTS[denial]
        raise ValueError(f"env {i}: action {action} ({text}) is illegal: {reason}")

    def draw(self, i: int) -> NDArray[np.uint8]:
        """A picture of the game in slot i, uint8 (height, width, 3)."""
        return self.ruleset.draw_board(self.states[i], self.compiled(i))

    def statistics(self, i: int | np.intp) -> dict[str, Any]:
        """What the last game of slot i that has ended amounted to (as `episode_statistics`)."""
        last = self.slots[i]["last"]
        told = dict(zip(RESULT.names or (), last.item(), strict=True))
        return told | {"ending": self.ruleset.ENDINGS[told["ending"]]}

    def close(self) -> None:
        """End the threads; whoever steps on does so on one."""
        if self._threads is not None:
            pool, self._threads, self._blocks = self._threads, None, split_into_blocks(self.n, 1)
            pool.close()
            pool.wait()
