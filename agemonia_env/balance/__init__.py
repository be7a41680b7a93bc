"""The balance laboratory: what does a changed number do, and how sure is that?

    study_config.py        in which games: the keys that all files share
    experiment.py          two variants of a pack, compared
    one_at_a_time.py       which numbers matter: one step each
    global_sensitivity.py  which numbers matter: many at once over ranges (Morris, Sobol)
    value_search.py        which values bring the win rate to a target
    analysis.py            what is played, and what it is worth; usage.py counts it
    parameters.py          the numbers of a pack
    runs.py                games, each played once; study_dir.py: where they are kept
    accumulator.py         sums over pairs of games; interval.py: how sure their mean is
    log.py                 blocks of pairs on disk, so that a comparison resumes
    run.py                 a study from its configuration to its report
    study_result.py        what every study returns; report.py: that of a comparison
    page.py                the same as HTML; plots.py: its pictures

Importing this package loads none of it; it needs the extra `balance`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from agemonia_env.simulation import required

if TYPE_CHECKING:
    from .analysis import Played
    from .global_sensitivity import Screening
    from .one_at_a_time import Sensitivity
    from .report import Report
    from .run import How
    from .value_search import Found

Arm = str | Sequence[str] | Mapping[str, Any]


class Choices(TypedDict, total=False):
    """Arguments of every study that hardly need to be said.

    The first ones as `agemonia_env.simulate` has them; level and difficulty: one or several.
    threads: do not change a single digit. ray: play on the cluster at this address instead, "local"
    for one that is started here. out: a folder that holds what has been played, to be taken up
    again by the same call, and report.json, report.html and tables as Parquet in the end. force:
    begin anew all the same. progress: tell on stderr how far it is.
    """

    pack: str | Path
    level: int | Sequence[int | None] | None
    difficulty: str | Sequence[str] | None
    scenario_seed: int | str | Sequence[int] | None
    enemy_will: str | None
    enemy_policy: str | None
    ties: str
    max_decisions: int
    text: str
    threads: int
    ray: str | None
    out: str | Path | None
    force: bool
    progress: bool


HOW = ("threads", "ray", "out", "force", "progress")  # those that are no part of what is studied


def compare(
    a: Arm = (),
    b: Arm = (),
    scenario: str | Sequence[str] = "ford",
    heroes: Any = 2,
    policy: str | Sequence[str] = "greedy",
    games: int | None = None,
    *,
    width: float | None = None,
    seed: int = 0,
    **choices: Unpack[Choices],
) -> Report:
    """Play two variants of a pack with the same seeds, and say how they differ.

    a, b: the changes of each variant (patching.py): one, several, files of them, or a mapping with
    `changes` and a `name`; none is the pack as it is. What is told is always b - a. scenario,
    heroes, policy, level, difficulty: one or several; every combination is a setting of its own.

    games: of each variant in each setting, 2,000 if nothing is said. width: instead, play on until
    the 95 % interval of the win rate's difference is so many percentage points wide, from end to
    end, in each setting by itself; `games` is then the most, a million if nothing is said.

    Raises ValueError with everything that is wrong with the arguments before a game is played,
    and MissingExtra, an ImportError, where an optional package is missing. So do all studies.
    """
    given, how = _parted(locals())
    from .experiment import ExperimentCard
    from .run import compare_of
    from .study_config import make_card

    return compare_of(make_card(ExperimentCard, given), how)


def sensitivity(
    of: str | Sequence[str] | None = None,
    scenario: str | Sequence[str] = "ford",
    heroes: Any = 2,
    policy: str | Sequence[str] = "greedy",
    games: int | None = None,
    *,
    method: str = "steps",
    step: int | None = None,
    false_discoveries: float | None = None,
    ranges: Mapping[str, Sequence[int]] | None = None,
    trajectories: int | None = None,
    samples: int | None = None,
    seed: int = 0,
    **choices: Unpack[Choices],
) -> Sensitivity | Screening:
    """Say which numbers of a pack matter.

    method "steps": every whole number under the paths `of` (those of the scenarios, their Enemies
    and the Heroes if none are said) is put `step`, 1, down and up by itself, and what that does to
    the win rate is ranked; `false_discoveries`: the share of chance finds, 0.05, that is allowed
    among those called sure. "morris" and "sobol": the numbers of `ranges`, path: (from, to), are
    moved all at once, along so many `trajectories`, 10, or at samples * (numbers + 2) points;
    `samples`, 64, is a power of two. Each method takes its own arguments alone.

    games: of each variant in each setting, 1,000 if nothing is said. scenario, heroes, policy,
    seed, and what is raised: as for `compare`.
    """
    given, how = _parted(locals())
    from .one_at_a_time import SensitivityCard
    from .run import sensitivity_of
    from .study_config import make_card

    return sensitivity_of(make_card(SensitivityCard, given), how)


def search(
    values: Mapping[str, Sequence[int]],
    targets: Any = 50,
    scenario: str | Sequence[str] = "ford",
    heroes: Any = 2,
    policy: str | Sequence[str] = "greedy",
    games: int = 1_000,
    *,
    trials: int = 60,
    confirm: int = 10_000,
    seed: int = 0,
    **choices: Unpack[Choices],
) -> Found:
    """Find values that bring the win rate to a target.

    values: path: (from, to), the whole numbers that may be changed. targets: percentages of games
    won: one number for all settings, or mappings with `won`, a number or (from, to), and any of
    `scenario`, `heroes` (how many), `difficulty`, `policy` that say for which games. Of values that
    do equally well those nearest to the pack's are taken.

    games: of a trial in each setting; confirm: of the pack as it is and of what was found, on fresh
    seeds. scenario, heroes, policy, seed, and what is raised: as for `compare`.
    """
    given, how = _parted(locals())
    from .run import search_of
    from .study_config import make_card
    from .value_search import SearchCard

    return search_of(make_card(SearchCard, given), how)


def analyse(
    scenario: str | Sequence[str] = "ford",
    heroes: Any = 2,
    policy: str | Sequence[str] = "greedy",
    games: int | None = None,
    *,
    watched: int = 200,
    pairs: bool = True,
    false_discoveries: float = 0.05,
    dominating: float = 10.0,
    negligible: float = 1.0,
    seed: int = 0,
    **choices: Unpack[Choices],
) -> Played:
    """Say what is played and what it is worth: actions, items, Heroes and pairs; how games end.

    games: of a setting and with each thing taken away, 2,000 if nothing is said. watched: games in
    which uses are counted. pairs: whether all pairs of the scenario's Heroes play. dominating,
    negligible: percentage points of games won beyond and below which an option is flagged.
    scenario, heroes, policy, seed, and what is raised: as for `compare`.
    """
    given, how = _parted(locals())
    from .analysis import AnalysisCard
    from .run import analysis_of
    from .study_config import make_card

    return analysis_of(make_card(AnalysisCard, given), how)


def _parted(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], How]:
    """Arguments of a study that are not None: what is studied, and how. Raises MissingExtra."""
    required("polars", "balance")
    from .run import How

    whole = {**arguments, **arguments["choices"]}
    whole = {key: value for key, value in whole.items() if key != "choices" and value is not None}
    how = {key: whole.pop(key) for key in HOW if key in whole}
    return whole, How(**how)


def variant(pack: str | Path = "core", *changes: str) -> str:
    """A pack with changes, as a text that everything takes as `pack`, is JSON-able and pickles.

    changes: or names of files of them. Raises ValueError with everything that is wrong with them.
    """
    from agemonia_env.rulesets.agemonia.content.load import variant as variant_of

    return variant_of(pack, *changes)
