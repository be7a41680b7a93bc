"""Run a study from its configuration to its report."""

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
from agemonia_env.simulation.jobs import OnPlayed
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.progress import Progress, share
from agemonia_env.simulation.workers import Workers

from .accumulator import Accumulator, accumulate, empty
from .analysis import AnalysisResult, play_analysis_study
from .analysis_study import AnalysisConfig, make_analysis_study
from .block_log import Block, BlockLog
from .comparison import Comparison, points
from .experiment import CompareConfig, Experiment, experiment_of
from .game_cache import PLAYERS, GameCache
from .global_sensitivity import GlobalSensitivity, make_global_study, play_global_study
from .one_at_a_time import SensitivityConfig, StepSensitivity, make_step_study, play_step_study
from .rank_result import RankResult
from .ranking import play_rank_study
from .search_result import SearchResult
from .study_dir import open_folder
from .study_result import REPORTS, StudyResult
from .trials import SearchConfig
from .value_search import make_search_study, play_search_study
from .variants import RankConfig, make_rank_study

ResultT = TypeVar("ResultT", bound=StudyResult)
StudyT = TypeVar("StudyT", bound="Study")


@dataclass(frozen=True)
class RunOptions:
    """How to run a study; no result depends on it. `Choices` of this package explains the fields.

    command: the command line that the report quotes.
    """

    threads: int = 1
    ray: str | None = None
    out: str | Path | None = None
    force: bool = False
    progress: bool = False
    command: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError, MissingExtra for what cannot run, before anything compiles."""
        self.workers()

    @property
    def folder(self) -> Path | None:
        """The folder of the study, if it has one."""
        return None if self.out is None else Path(self.out)

    def workers(self) -> Workers:
        """The threads or cluster that play."""
        return Workers(self.threads, self.ray)

    def console(self) -> Console | None:
        """Where progress is shown, if it is."""
        return Console(stderr=True) if self.progress else None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder, if there is one; on Ctrl-C say what has been saved.

        Raises ValueError if the folder cannot be created, Busy if another run writes to it.
        """
        if self.folder is not None:
            check_out_folder(self.folder)
        try:
            with nullcontext() if self.folder is None else locked_folder(self.folder):
                yield
        except KeyboardInterrupt:
            saved = "no game has been played yet"
            if self.folder is None:
                saved = "nothing is saved without a folder (--out)"
            elif self.folder.exists():
                saved = f"played games are saved in {self.folder}; the same command resumes"
            raise Interrupted(saved) from None


def play_compare(config: CompareConfig, options: RunOptions) -> Comparison:
    """Play an experiment, or what its folder lacks, and report on it.

    Raises ValueError if the folder holds something else, and Interrupted on Ctrl-C.
    """
    with options.locked():
        experiment, workers = experiment_of(config), options.workers()
        log = None if options.folder is None else BlockLog(experiment, options.folder)
        run = ComparisonRun(experiment, {} if log is None else log.open(force=options.force))
        with PairProgress(run, options.console()) as progress:
            run.play(workers, log, progress)
        report = Comparison(experiment, tuple(run.sums))
        if log is not None:
            report.write(log.folder, options.command)
    return report


def play_sensitivity(
    config: SensitivityConfig, options: RunOptions
) -> StepSensitivity | GlobalSensitivity:
    """Rank numbers of a pack; raises what play_compare does."""
    if config.method == "steps":
        return play_study(lambda: make_step_study(config), play_step_study, options)
    return play_study(lambda: make_global_study(config), play_global_study, options)


def play_search(config: SearchConfig, options: RunOptions) -> SearchResult:
    """Find values for a target; raises what play_compare does."""
    return play_study(lambda: make_search_study(config), play_search_study, options)


def play_ranking(config: RankConfig, options: RunOptions) -> RankResult:
    """Rank variants; raises what play_compare does."""
    return play_study(lambda: make_rank_study(config), play_rank_study, options)


def play_analysis(config: AnalysisConfig, options: RunOptions) -> AnalysisResult:
    """Measure what parts are worth; raises what play_compare does."""
    return play_study(lambda: make_analysis_study(config), play_analysis_study, options)


class Study(Protocol):
    """A checked study, ready to play."""

    def record(self) -> dict[str, Any]:
        """What is studied, JSON-able."""

    def n_games(self) -> int:
        """The approximate number of games to play."""


def play_study(
    make: Callable[[], StudyT], play: Callable[[StudyT, GameCache], ResultT], options: RunOptions
) -> ResultT:
    """Play a study, or what its folder lacks, and report on it.

    make: check and build the study; play: request its games and return the result.
    """
    workers, folder, console = options.workers(), options.folder, options.console()
    with options.locked():
        if console is not None:
            console.print("Checking every variant ...")
        study = make()
        if folder is not None:
            open_folder(folder, study.record(), force=options.force, files=(*REPORTS, *PLAYERS))
        with VariantProgress(study.n_games(), console) as progress:
            result = play(study, GameCache(workers, progress.add, folder, progress.finish_variant))
        if folder is not None:
            result.write(folder, options.command)
    return result


class VariantProgress(Progress):
    """Shows games played, and the win rate of the last variant."""

    _last = ""

    def finish_variant(self, games: int, wins: int) -> None:
        """Note the win rate of a variant whose games have all been played."""
        self._last = f", the last variant won {share(wins, games)}"

    def rates(self) -> str:
        """Games per second and the win rate with its interval."""
        return f"{self.speed()}{self._last}"


def play_block(experiment: Experiment, block: Block, on_played: OnPlayed) -> Accumulator:
    """Play a block of pairs: the same seeds in both variants."""
    condition, chunk = block
    a, b = (play_chunk(plan, chunk, on_played) for plan in experiment.conditions[condition].plans)
    return accumulate(a, b, experiment.metrics)


class ComparisonRun:
    """A comparison in progress: each condition ends after its last block or at a narrow interval.

    A condition adds its blocks in order, whenever they arrive, so that results and stopping points
    do not depend on threads or timing.
    """

    def __init__(self, experiment: Experiment, played: Mapping[Block, Accumulator]) -> None:
        self.experiment = experiment
        n = len(experiment.conditions)
        self.sums = [empty(experiment.metrics)] * n
        self.over = [False] * n
        self._next = [0] * n
        self._waiting: dict[Block, Accumulator] = {}
        self._played = played
        for block, sums in played.items():
            self.add(block, sums)

    def play(self, workers: Workers, log: BlockLog | None, progress: PairProgress) -> None:
        """Play the blocks that are missing."""
        play = partial(play_block, self.experiment)
        with closing(
            workers.run(play, self._wanted(), progress.add, self.experiment.env)
        ) as blocks:
            for block, sums in blocks:
                if log is not None:
                    log.write(block, sums)
                self.add(block, sums)
                if all(self.over):
                    break

    def _wanted(self) -> Iterator[Block]:
        """Missing blocks of conditions that have not ended yet."""
        blocks = [condition.plans[0].n_chunks() for condition in self.experiment.conditions]
        for block in range(max(blocks)):
            for condition, over in enumerate(self.over):
                key = condition, block
                if not over and block < blocks[condition] and key not in self._played:
                    yield key

    def add(self, block: Block, sums: Accumulator) -> None:
        """Add a block after those before it have been added."""
        condition, _ = block
        self._waiting[block] = sums
        while not self.over[condition] and (condition, self._next[condition]) in self._waiting:
            self.sums[condition] += self._waiting.pop((condition, self._next[condition]))
            self._next[condition] += 1
            self.over[condition] = self._is_over(condition)

    def _is_over(self, condition: int) -> bool:
        """Whether a condition has all its blocks or a narrow interval."""
        if self._next[condition] == self.experiment.conditions[condition].plans[0].n_chunks():
            return True
        width = self.experiment.width
        if width is None:
            return False
        low, high = self.interval(condition)
        return 100 * (high - low) <= width

    def interval(self, condition: int) -> tuple[float, float]:
        """The anytime-valid interval of the win rate difference."""
        alike = self.experiment.conditions[condition].alike
        difference = self.sums[condition].difference("won", alike=alike)
        return self.experiment.interval(difference, any_time=True)


class PairProgress(Progress):
    """Shows pairs of games played, and the interval of the least certain condition."""

    def __init__(self, comparison: ComparisonRun, console: Console | None) -> None:
        experiment = comparison.experiment
        super().__init__(2 * experiment.games * len(experiment.conditions), console)
        self._comparison = comparison
        self.resume(2 * sum(sums.pairs for sums in comparison.sums), 0)

    def rates(self) -> str:
        """Games per second, conditions done, and the widest interval of a win rate's change."""
        run = self._comparison
        intervals = {k: run.interval(k) for k, sums in enumerate(run.sums) if sums.pairs}
        if not intervals:
            return self.speed()
        widest = max(intervals, key=lambda k: intervals[k][1] - intervals[k][0])
        done = f"{sum(run.over)} of {len(run.over)} conditions done"
        condition = run.experiment.conditions[widest]
        kind = "valid at any time" + "; the final one is narrower" * (run.experiment.width is None)
        interval = f"B - A {points(*intervals[widest])} points (95 %, {kind})"
        return f"{self.speed()}, {done}; {condition}: {interval}"
