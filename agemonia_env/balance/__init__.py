"""The balance lab: what does a changed number do to a game, and how certain is that?

    study_config.py        the keys that all studies share: which games are played
    experiment.py          two variants of a pack under the same conditions
    one_at_a_time.py       which numbers matter: each moved one step
    global_sensitivity.py  which numbers matter: all moved over ranges (Morris, Sobol)
    value_search.py        which values meet targets: trials.py plays them, targets.py and
                           measures.py say what is aimed at, pareto.py what can be traded,
                           search_result.py what was found
    variants.py            which of many variants is best: it builds them, racing.py drops what is
                           surely worse, rank_result.py plays them and says who and when
    analysis.py            what actions, items and heroes are worth: analysis_study.py says what is
                           played, worth.py what it is worth, usage.py counts uses
    parameters.py          the numbers of a pack
    game_cache.py          games, each played once; study_dir.py: the folder of a study
    accumulator.py         sums over pairs of games
    pairs.py               a comparison in blocks of pairs, kept on disk, so that it resumes
    run.py                 run a study from configuration to report
    study_result.py        what every study returns; comparison.py: the result of `compare`
    page.py                results as HTML; plots.py: its pictures

Importing this package imports none of these modules; they need the extra `balance`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.simulation import required
from agemonia_env.simulation.choices import GameChoices

if TYPE_CHECKING:
    from agemonia_env.rulesets.policy import Policy

    Policies = str | Policy | Sequence[str | Policy]  # names, or objects of your own

    from .analysis import AnalysisResult
    from .comparison import Comparison
    from .global_sensitivity import GlobalSensitivity
    from .one_at_a_time import StepSensitivity
    from .rank_result import RankResult
    from .search_result import SearchResult

Arm = str | Sequence[str] | Mapping[str, Any]


class StudyChoices(GameChoices, total=False):
    """Optional arguments of every study.

    Inherited ones and those before `text` are as in `agemonia_env.simulate`; level and difficulty:
    one or several. threads: never change a digit. ray: play on the Ray cluster at this address;
    "local" starts one. out: folder for played games, report.json, report.html and tables as
    Parquet; the same call resumes an interrupted study there. force: delete what the folder holds
    and start over. progress: show progress on stderr.
    """

    enemy_will: str | None
    enemy_policy: str | Policy | None
    text: str
    threads: int
    ray: str | None
    out: str | Path | None
    force: bool
    progress: bool


OPTIONS = ("threads", "ray", "out", "force", "progress")  # they change no result


def compare(
    a: Arm = (),
    b: Arm = (),
    scenario: str | Sequence[str] | None = None,
    heroes: Any = None,
    policy: Policies = "greedy",
    games: int | None = None,
    *,
    width: float | None = None,
    seed: int = 0,
    **choices: Unpack[StudyChoices],
) -> Comparison:
    """Play two variants of a pack with the same seeds and report how they differ.

    a, b: the changes of each variant (packs/patches.py): one, several, files of changes, or a
    mapping with `changes` and a `name`; none leaves the pack as it is. Differences are b - a.
    scenario, heroes, policy, level, difficulty: one or several; every combination is a condition.

    games: of each variant per condition, default 2,000. width: play each condition until the 95 %
    interval of the win rate difference is this many percentage points wide, end to end; `games` is
    then the maximum, default a million.

    Raises ValueError listing everything wrong with the arguments before a game is played, and
    MissingExtra (an ImportError) if an optional package is missing. So do all studies.
    """
    found: Comparison = _play("compare", locals())
    return found


def sensitivity(
    of: str | Sequence[str] | None = None,
    scenario: str | Sequence[str] | None = None,
    heroes: Any = None,
    policy: Policies = "greedy",
    games: int | None = None,
    *,
    method: str = "steps",
    step: int | None = None,
    false_discoveries: float | None = None,
    ranges: Mapping[str, Sequence[int]] | None = None,
    trajectories: int | None = None,
    samples: int | None = None,
    seed: int = 0,
    **choices: Unpack[StudyChoices],
) -> StepSensitivity | GlobalSensitivity:
    """Rank the numbers of a pack by their effect on the win rate.

    method "steps": move every whole number under the paths `of` (default: the scenarios, their
    enemies and the heroes) down and up by `step`, default 1, one at a time. `false_discoveries`:
    allowed share of chance findings among the rows called sure, default 0.05. "morris" and "sobol":
    move all numbers of `ranges`, path: (from, to), at once, along `trajectories`, default 10, or at
    samples * (numbers + 2) points; `samples`, default 64, is a power of two. Each method refuses
    the arguments of the others.

    games: of each variant per condition, default 1,000. scenario, heroes, policy, seed, and what is
    raised: as for `compare`.
    """
    found: StepSensitivity | GlobalSensitivity = _play("sensitivity", locals())
    return found


def search(
    values: Mapping[str, Sequence[int]],
    targets: Any = 50,
    scenario: str | Sequence[str] | None = None,
    heroes: Any = None,
    policy: Policies = "greedy",
    games: int = 1_000,
    *,
    trials: int = 60,
    confirm: int = 10_000,
    seed: int = 0,
    **choices: Unpack[StudyChoices],
) -> SearchResult:
    """Find values that meet targets for the win rate, length, spread of parties and more.

    values: path: (from, to), the whole numbers that may change. targets: a percentage of games won
    or (from, to), for all conditions; or mappings, each with one of `won`, `rounds`, `spread`,
    `exhausted` (balance/targets.py), and any of `scenario`, `heroes` (how many, or who),
    `difficulty`, `policy` to restrict the conditions. Among values that do equally well, the
    nearest to the pack's are chosen. Targets of several kinds give a front, see SearchResult.

    games: per trial and condition; confirm: of the unchanged pack and of the values found, on fresh
    seeds. scenario, heroes, policy, seed, and what is raised: as for `compare`.
    """
    found: SearchResult = _play("search", locals())
    return found


def rank(
    variants: Sequence[Arm] | Arm = (),
    goal: float | str = "highest",
    scenario: str | Sequence[str] | None = None,
    heroes: Any = None,
    policy: Policies = "greedy",
    games: int = 10_000,
    *,
    values: Mapping[str, Sequence[int]] | None = None,
    within: float = 1.0,
    seed: int = 0,
    **choices: Unpack[StudyChoices],
) -> RankResult:
    """Rank many variants of a pack by their win rate, and stop playing those surely not the best.

    variants: each a change, a list of changes and files, or a mapping with `changes` and a `name`.
    values: path: (from, to); every combination is a variant, too, and so is the pack as it is.
    goal: "highest", "lowest", or the percentage of games won to be nearest to; of several
    conditions the mean counts. In 95 % of rankings the best variant is never dropped.

    games: at most, of a variant per condition. within: stop once nothing left can be better than
    the leader by more than this many percentage points. scenario, heroes, policy, seed, and what is
    raised: as for `compare`.
    """
    found: RankResult = _play("rank", locals())
    return found


def analyse(
    scenario: str | Sequence[str] | None = None,
    heroes: Any = None,
    policy: Policies = "greedy",
    games: int | None = None,
    *,
    watched: int = 200,
    parts: bool = True,
    pairs: bool = True,
    false_discoveries: float = 0.05,
    dominating: float = 10.0,
    negligible: float = 1.0,
    seed: int = 0,
    **choices: Unpack[StudyChoices],
) -> AnalysisResult:
    """Measure what actions, items, heroes and pairs are worth, and how games end.

    games: per condition, and again without each part, default 2,000. watched: games in which uses
    are counted. parts: whether to play without each action and item. pairs: whether to play all
    pairs of the scenario's heroes. dominating, negligible: percentage points of games won above
    and below which an option is flagged; at most a share `false_discoveries` of those flagged alike
    are by chance. scenario, heroes, policy, seed, and what is raised: as for `compare`.
    """
    found: AnalysisResult = _play("analyse", locals())
    return found


def _play(study: str, arguments: Mapping[str, Any]) -> Any:
    """Play a study; arguments that are None count as left out. Raises MissingExtra."""
    required("balance")
    from .run import STUDIES, RunOptions
    from .study_config import make_config

    given = {**arguments, **arguments["choices"]}
    given = {key: value for key, value in given.items() if key != "choices" and value is not None}
    options = RunOptions(**{key: given.pop(key) for key in OPTIONS if key in given})
    model, play = STUDIES[study]
    return play(make_config(model, given), options)


def variant(pack: str | Path = "core", *changes: str, env: str = DEFAULT) -> str:
    """Return a pack with changes as the text that every `pack` argument accepts.

    changes: texts, or names of files of changes. env: that the pack belongs to. Raises ValueError
    with every mistake.
    """
    from agemonia_env.rulesets.pack_tools import pack_tools_of

    return pack_tools_of(env).variant(str(pack), *changes)
