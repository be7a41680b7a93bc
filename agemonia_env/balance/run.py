"""Run a study from its configuration to its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from agemonia_env.files.locking import resumable
from agemonia_env.simulation.progress import Progress, share
from agemonia_env.simulation.workers import Workers

from .analysis import play_analysis_study
from .analysis_study import AnalysisConfig, make_analysis_study
from .comparison import Comparison
from .experiment import CompareConfig, experiment_of
from .game_cache import PLAYERS, GameCache
from .global_sensitivity import GlobalSensitivity, make_global_study, play_global_study
from .one_at_a_time import SensitivityConfig, StepSensitivity, make_step_study, play_step_study
from .pairs import Pairs
from .rank_result import play_rank_study
from .study_config import Study, StudyConfig
from .study_dir import open_folder
from .study_result import REPORTS, StudyResult
from .trials import SearchConfig
from .value_search import make_search_study, play_search_study
from .variants import RankConfig, make_rank_study

ResultT = TypeVar("ResultT", bound=StudyResult)
StudyT = TypeVar("StudyT", bound=Study)


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


def play_compare(config: CompareConfig, options: RunOptions) -> Comparison:
    """Play an experiment, or what its folder lacks, and report on it.

    Raises ValueError if the folder holds something else, and Interrupted on Ctrl-C.
    """
    with resumable(options.folder):
        experiment = experiment_of(config)
        pairs = Pairs(experiment, options.folder, force=options.force)
        report = Comparison(experiment, pairs.play(options.workers(), options.console()))
        if options.folder is not None:
            report.write(options.folder, options.command)
    return report


def play_study(
    make: Callable[[Any], StudyT],
    play: Callable[[StudyT, GameCache], ResultT],
    config: StudyConfig,
    options: RunOptions,
) -> ResultT:
    """Play a study, or what its folder lacks, and report on it; raises what play_compare does.

    make: check and build the study; play: request its games and return the result.
    """
    folder, console = options.folder, options.console()
    with resumable(options.folder):
        if console is not None:
            console.print("Checking every variant ...")
        study = make(config)
        if folder is not None:
            open_folder(folder, study.record(), force=options.force, files=(*REPORTS, *PLAYERS))
        with VariantProgress(study.n_games(), console) as progress:
            add, finish = progress.add, progress.finish_variant
            result = play(study, GameCache(options.workers(), add, folder, finish))
        if folder is not None:
            result.write(folder, options.command)
    return result


def play_sensitivity(
    config: SensitivityConfig, options: RunOptions
) -> StepSensitivity | GlobalSensitivity:
    """Rank numbers of a pack; raises what play_compare does."""
    if config.method == "steps":
        return play_study(make_step_study, play_step_study, config, options)
    return play_study(make_global_study, play_global_study, config, options)


class VariantProgress(Progress):
    """Shows games played, and the win rate of the last variant."""

    _last = ""

    def finish_variant(self, games: int, wins: int) -> None:
        """Note the win rate of a variant whose games have all been played."""
        self._last = f", the last variant won {share(wins, games)}"

    def rates(self) -> str:
        """Games per second and the win rate with its interval."""
        return f"{self.speed()}{self._last}"


Play = Callable[[Any, RunOptions], StudyResult]
# By name: what is read, and what plays it
STUDIES: dict[str, tuple[type[StudyConfig], Play]] = {
    "compare": (CompareConfig, play_compare),
    "sensitivity": (SensitivityConfig, play_sensitivity),
    "search": (SearchConfig, partial(play_study, make_search_study, play_search_study)),
    "rank": (RankConfig, partial(play_study, make_rank_study, play_rank_study)),
    "analyse": (AnalysisConfig, partial(play_study, make_analysis_study, play_analysis_study)),
}
