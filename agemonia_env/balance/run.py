"""A study from what is asked to its report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from rich.console import Console

from agemonia_env.files.locking import locked_folder
from agemonia_env.files.stopping import Interrupted
from agemonia_env.files.writing import check_out_folder
from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.simulation.jobs import Tell
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.progress import Progress, share
from agemonia_env.simulation.workers import Workers

from .accumulator import EMPTY, Tally, tally
from .analysis import AnalysisCard, Played, make_analysis, play_analysis
from .experiment import Experiment, ExperimentCard, experiment_of
from .global_sensitivity import Screening, make_screen, play_screen
from .log import Block, Log
from .one_at_a_time import Sensitivity, SensitivityCard, make_steps, play_steps
from .report import Report, points
from .runs import PLAYED, WATCHED, Runs
from .study_dir import open_folder
from .study_result import REPORTS, Findings
from .value_search import Found, SearchCard, look, make_search

Told = TypeVar("Told", bound=Findings)
Asked = TypeVar("Asked", bound="Study")


@dataclass(frozen=True)
class How:
    """How a study is run: no number depends on it; `Choices` of this package explains the rest.

    command: that the report says it was made by.
    """

    threads: int = 1
    ray: str | None = None
    out: str | Path | None = None
    force: bool = False
    progress: bool = False
    command: str = ""

    @property
    def folder(self) -> Path | None:
        """Where everything is kept, if anywhere."""
        return None if self.out is None else Path(self.out)

    def workers(self) -> Workers:
        """Who plays. Raises ValueError, MissingExtra."""
        return Workers(self.threads, self.ray)

    def console(self) -> Console | None:
        """Where progress is told, if it is."""
        return Console(stderr=True) if self.progress else None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Hold the folder, if there is one; after a Ctrl-C say what is kept.

        Raises ValueError if no folder can be there, or another run writes to it (Busy).
        """
        if self.folder is not None:
            check_out_folder(self.folder)
        try:
            with nullcontext() if self.folder is None else locked_folder(self.folder):
                yield
        except KeyboardInterrupt:
            told = "nothing was played yet"
            if self.folder is None:
                told = "nothing is kept; with a folder (--out) it would be"
            elif self.folder.exists():
                told = f"what was played is kept in {self.folder}; "
                told += "the same command goes on with the rest"
            raise Interrupted(told) from None


def compare_of(card: ExperimentCard, how: How) -> Report:
    """Play the experiment of a card, or what is missing of it in its folder, and report on it.

    Raises ValueError if something else lies there, and Interrupted for a Ctrl-C.
    """
    with how.kept():
        experiment, workers = experiment_of(card), how.workers()
        log = None if how.folder is None else Log(experiment, how.folder)
        race = Race(experiment, {} if log is None else log.open(force=how.force))
        with Pairs(race, how.console()) as told:
            race.run(workers, log, told)
        report = Report(experiment, tuple(race.tallies))
        if log is not None:
            report.write(log.folder, how.command)
    return report


def sensitivity_of(card: SensitivityCard, how: How) -> Sensitivity | Screening:
    """Rank the numbers of a card; raises what compare_of does."""
    if card.method == "steps":
        return study(lambda: make_steps(card), play_steps, how)
    return study(lambda: make_screen(card), play_screen, how)


def search_of(card: SearchCard, how: How) -> Found:
    """Find the values that a card asks for; raises what compare_of does."""
    return study(lambda: make_search(card), look, how)


def analysis_of(card: AnalysisCard, how: How) -> Played:
    """Say what is played, and what it is worth; raises what compare_of does."""
    return study(lambda: make_analysis(card), play_analysis, how)


class Study(Protocol):
    """What is studied, checked as a whole."""

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able."""

    def n_games(self) -> int:
        """About how many games it takes."""


def study(make: Callable[[], Asked], play: Callable[[Asked, Runs], Told], how: How) -> Told:
    """Play a study, or what is missing of it in its folder, and report on it.

    make: what is studied; play: asks for games, and says what came out.
    """
    workers, folder, console = how.workers(), how.folder, how.console()
    with how.kept():
        if console is not None:
            console.print("Checking every variant that is to be played ...")
        asked = make()
        if folder is not None:
            open_folder(folder, asked.record(), force=how.force, files=(*REPORTS, PLAYED, WATCHED))
        with Variants(asked.n_games(), console) as told:
            findings = play(asked, Runs(workers, told.tell, folder, told.finished))
        if folder is not None:
            findings.write(folder, how.command)
    return findings


class Variants(Progress):
    """Tells of games, and how often the variant that was played last is won."""

    _last = ""

    def finished(self, games: int, wins: int) -> None:
        """All games of a variant have been played."""
        self._last = f", the last variant won {share(wins, games)}"

    def rates(self) -> str:
        """Games a second, and the share of games won with its interval."""
        return f"{self.speed()}{self._last}"


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

    def run(self, workers: Workers, log: Log | None, told: Pairs) -> None:
        """Play what is missing."""
        play = partial(play_block, self.experiment)
        with closing(workers.run(play, self._wanted(), told.tell, DEFAULT)) as blocks:
            for block, found in blocks:
                if log is not None:
                    log.write(block, found)
                self.add(block, found)
                if all(self.over):
                    break

    def _wanted(self) -> Iterator[Block]:
        """Blocks to be played, as far as can be known when they are asked for."""
        blocks = [cell.plans[0].n_chunks() for cell in self.experiment.cells]
        for block in range(max(blocks)):
            for cell, over in enumerate(self.over):
                if not over and block < blocks[cell] and (cell, block) not in self._played:
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
