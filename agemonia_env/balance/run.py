"""A comparison from its experiment to its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

from rich.console import Console

from ..simulation.plan import number
from ..simulation.play import Tell, on_threads, play_chunk
from ..simulation.progress import Progress
from ..simulation.run import Interrupted
from .experiment import Experiment
from .log import Block, Log
from .report import Report, points
from .tally import EMPTY, Tally, tally


def compare_to(
    experiment: Experiment,
    threads: int,
    out: str | Path | None,
    *,
    force: bool = False,
    progress: bool = False,
) -> Report:
    """Play an experiment, or what is missing of it in the folder `out`, and report on it.

    Raises ValueError if something else lies there, and Interrupted for a Ctrl-C.
    """
    threads = number("threads", threads, 1)
    log = None if out is None else Log(experiment, Path(out))
    race = Race(experiment, {} if log is None else log.open(force=force))
    console = Console(stderr=True) if progress else None
    try:
        with Pairs(race, console) as told:
            race.run(threads, log, told)
    except KeyboardInterrupt:
        kept = "nothing is kept; with a folder (--out) it would be"
        if log is not None:
            kept = (
                f"what was played is kept in {log.folder}; the same command goes on with the rest"
            )
        raise Interrupted(kept) from None
    report = Report(experiment, tuple(race.tallies))
    if log is not None:
        report.write(log.folder)
    return report


def play_block(experiment: Experiment, block: Block, tell: Tell) -> Tally:
    """Some pairs of games of a cell: the same seeds in both variants."""
    cell, chunk = block
    a, b = (play_chunk(plan, chunk, tell) for plan in experiment.cells[cell].plans)
    return tally(a, b)


class Race:
    """Cells on their way: each is over after its last block, or once its interval is narrow.

    A cell takes its blocks in their order, whenever they arrive, so that where it stops, and all
    that is said of it, does not depend on who plays what at which time.
    """

    def __init__(self, experiment: Experiment, played: Mapping[Block, Tally]) -> None:
        self.experiment = experiment
        n = len(experiment.cells)
        self.tallies = [EMPTY] * n
        self.over = [False] * n
        self._next = [0] * n
        self._waiting: dict[Block, Tally] = {}
        self._played = played
        for block, found in played.items():
            self.add(block, found)

    def run(self, threads: int, log: Log | None, told: Pairs) -> None:
        """Play what is missing."""
        play = partial(play_block, self.experiment)
        with closing(on_threads(play, self._wanted(), threads, told.tell)) as blocks:
            for block, found in blocks:
                if log is not None:
                    log.write(block, found)
                self.add(block, found)
                if all(self.over):
                    break

    def _wanted(self) -> Iterator[Block]:
        """Blocks to be played, as far as can be known when they are asked for."""
        for block in range(self.experiment.cells[0].plans[0].n_chunks()):
            for cell, over in enumerate(self.over):
                if not over and (cell, block) not in self._played:
                    yield cell, block

    def add(self, block: Block, found: Tally) -> None:
        """Take a block; it waits for those before it."""
        cell, _ = block
        self._waiting[block] = found
        while not self.over[cell] and (cell, self._next[cell]) in self._waiting:
            self.tallies[cell] += self._waiting.pop((cell, self._next[cell]))
            self._next[cell] += 1
            self.over[cell] = self._is_over(cell)

    def _is_over(self, cell: int) -> bool:
        """Whether a cell has had all its blocks, or as many as it takes."""
        if self._next[cell] == self.experiment.cells[cell].plans[0].n_chunks():
            return True
        width = self.experiment.width
        if width is None:
            return False
        low, high = self.interval(cell)
        return 100 * (high - low) <= width

    def interval(self, cell: int) -> tuple[float, float]:
        """The interval of the win rate's difference, for who looks at any time."""
        found = self.tallies[cell].found("won", alike=self.experiment.cells[cell].alike)
        return self.experiment.interval(found, any_time=True)


class Pairs(Progress):
    """Tells of pairs of games, and how sure a difference is by now."""

    def __init__(self, race: Race, console: Console | None) -> None:
        super().__init__(2 * race.experiment.games * len(race.experiment.cells), console)
        self._race = race
        self.resume(2 * sum(found.pairs for found in race.tallies), 0)

    def rates(self) -> str:
        """Games a second, and the cell that is known worst."""
        race = self._race
        begun = [cell for cell, found in enumerate(race.tallies) if found.pairs]
        if not begun:
            return self.speed()
        intervals = {cell: race.interval(cell) for cell in begun}
        cell = max(begun, key=lambda one: intervals[one][1] - intervals[one][0])
        done = f"{sum(race.over)} of {len(race.over)} settled"
        return f"{self.speed()}, {done}; {race.experiment.cells[cell]}: {points(*intervals[cell])}"
