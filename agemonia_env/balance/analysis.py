"""What actions, items, heroes and pairs are worth, and how games end.

The worth of a part is the win rate lost when the same seeds are played without it, not how often it
occurs in won games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Annotated, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field
from rich.console import Group
from rich.text import Text

from agemonia_env.display.reports import text_table
from agemonia_env.packs.folders import Mistakes
from agemonia_env.rulesets.pack_tools import Part, Use, usage_tools_of
from agemonia_env.simulation.interval import Z
from agemonia_env.simulation.plan import RANDOM, Plan, compile_planned

from .accumulator import Difference, accumulate
from .game_cache import GameCache, n_games
from .interval import one_look
from .one_at_a_time import discovery_rates, two_sided
from .page import Page, Section
from .plots import heat_map, intervals, stacked, steps
from .study_config import (
    FEWEST_GAMES,
    StudyConfig,
    condition,
    condition_text,
    game_text,
    plans_of,
    provenance_of,
    study_record,
)
from .study_result import StudyResult, and_more
from .usage import USE, counted, watched_plan

IDLE = 0.01  # uses per game below which a part counts as unused
UNUSED, RARE = "never used", "hardly used"
JUDGED = {  # flags that say what a part is worth, and what they mean
    "dominating": "surely worth more than {dominating:g} points",
    "harmful": "surely better left out",
    "dominated": "surely worth less than {negligible:g} points",
}
GAMES = 2_000  # default, per condition and variant
WON = {"won": pl.col("won")}
FEWEST_HEROES = 3  # to choose pairs from


Weights = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class AnalysisConfig(StudyConfig):
    """A file for `agemonia balance analyse`; keys as in balance.analyse."""

    watched: Annotated[int, Field(ge=FEWEST_GAMES)] = 200
    parts: bool = True
    pairs: bool = True
    false_discoveries: Annotated[float, Field(gt=0, lt=1)] = 0.05
    dominating: Annotated[float, Field(gt=0, le=100)] = 10.0
    negligible: Annotated[float, Field(gt=0, le=100)] = 1.0

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Refuse a ruleset without an analysis."""
        with wrong.gathered():
            usage_tools_of(self.env)


@dataclass(frozen=True)
class ConditionStudy:
    """The plans of one condition: the full party, without each part, and pairs of heroes.

    without: plans without each of `parts`; pairs: keys of two heroes; paired: their plans.
    required: parts that cannot be left out, and why.
    """

    plan: Plan
    parts: tuple[Part, ...]
    without: tuple[Plan, ...]
    required: dict[str, str]
    pairs: tuple[tuple[str, str], ...]
    paired: tuple[Plan, ...]

    def plans(self) -> list[Plan]:
        """All plans: the full party, those without a part, those of pairs."""
        return [self.plan, *self.without, *self.paired]


@dataclass(frozen=True)
class AnalysisStudy:
    """An analysis to run."""

    config: AnalysisConfig
    conditions: tuple[ConditionStudy, ...]

    def n_games(self) -> int:
        """The number of games to play."""
        return n_games([*self.played(), *self.watched()])

    def played(self) -> list[Plan]:
        """The plans to play, condition by condition."""
        return [plan for study in self.conditions for plan in study.plans()]

    def watched(self) -> list[Plan]:
        """The plans in which uses are counted."""
        return [watched_plan(study.plan, self.config.watched) for study in self.conditions]

    def record(self) -> dict[str, Any]:
        """The study, JSON-able, with versions; nothing that depends on the machine."""
        return study_record("analysis", self.config, [study.plan for study in self.conditions])


def make_analysis_study(config: AnalysisConfig) -> AnalysisStudy:
    """Build the analysis of a config."""
    base = plans_of(config, config.pack, config.games or GAMES)
    return AnalysisStudy(config, tuple(_condition_study(config, plan) for plan in base))


def _condition_study(config: AnalysisConfig, plan: Plan) -> ConditionStudy:
    """Build the plans of one condition."""
    (kind,) = plan.kinds
    if kind.scenario == RANDOM:
        return ConditionStudy(plan, (), (), {}, (), ())
    tools, heroes = usage_tools_of(kind.env), kind.arguments().heroes
    size = heroes if isinstance(heroes, int) else len(heroes)
    parts, without, required = [], [], {}
    left_out = tools.parts(kind.pack, kind.scenario, heroes, kind.level) if config.parts else ()
    for part, party in left_out:
        try:
            without.append(_with_party(config, plan, party))
            parts.append(part)
        except ValueError as error:
            required[str(part)] = str(error).split("\n")[0]
    pairs: list[tuple[str, str]] = []
    paired: list[Plan] = []
    recommended = tools.recommended(kind.pack, kind.scenario)
    if config.pairs and size == 2 and len(recommended) >= FEWEST_HEROES:
        pairs = list(combinations(recommended, 2))
        paired = [_with_party(config, plan, list(pair)) for pair in pairs]
    return ConditionStudy(plan, tuple(parts), tuple(without), required, tuple(pairs), tuple(paired))


def _with_party(config: AnalysisConfig, plan: Plan, party: list[Any]) -> Plan:
    """The plan with other heroes."""
    (kind,) = plan.kinds
    own: dict[str, Any] = {"scenario": kind.scenario, "heroes": [party], "policy": [plan.policy]}
    own |= {"level": kind.level, "difficulty": kind.difficulty}
    (found,) = plans_of(config.model_copy(update=own), config.pack, plan.games)
    return found


def play_analysis_study(analysis: AnalysisStudy, cache: GameCache) -> AnalysisResult:
    """Play the analysis and count uses."""
    frames = iter(cache.play(analysis.played()))
    games = [[next(frames) for _ in study.plans()] for study in analysis.conditions]
    used = map(counted, cache.watch(analysis.watched()))
    result = tuple(
        ConditionResult(analysis.config, *one)
        for one in zip(analysis.conditions, games, used, strict=True)
    )
    return AnalysisResult(analysis, result)


# ---- one condition ------------------------------------------------------------------------------
@dataclass(frozen=True)
class ConditionResult:
    """A played condition: the games of each plan, and the uses of parts."""

    config: AnalysisConfig
    study: ConditionStudy
    games: list[pl.DataFrame]
    used: Counter[Use]

    @property
    def base(self) -> pl.DataFrame:
        """The games of the full party."""
        return self.games[0]

    @property
    def won(self) -> float:
        """The win rate of the full party."""
        return float(self.base["won"].mean() or 0)  # type: ignore[arg-type]

    @property
    def watched(self) -> int:
        """The number of games in which uses were counted."""
        return min(self.config.watched, self.study.plan.games)

    @cached_property
    def worth(self) -> list[dict[str, Any]]:
        """Every action and item with its uses per game and worth, best first.

        uses: None for items that work by themselves, such as weapons. worth: win rate with it minus
        win rate without it. flag: see `flag_of`.
        """
        without = self.games[1 : 1 + len(self.study.without)]
        found = [accumulate(self.base, other, WON).difference("won") for other in without]
        if not found:
            return []
        rates = discovery_rates([two_sided(f.difference, f.variance / f.pairs) for f in found])
        rows = [self._row(*one) for one in zip(self.study.parts, found, rates, strict=True)]
        return sorted(rows, key=lambda row: -row["worth"])

    @cached_property
    def usable(self) -> set[str]:
        """Names of items whose use is a decision, and so can be counted."""
        (kind,) = self.study.plan.kinds
        return usage_tools_of(kind.env).usable_items(compile_planned(kind, None))

    def _row(self, part: Part, found: Difference, q: float) -> dict[str, Any]:
        half = one_look(found.pairs, found.variance)
        used = self.used[part.kind, part.hero, part.name]
        counts = part.kind == "action" or part.name in self.usable
        row = {
            **condition(self.study.plan),
            "kind": part.kind,
            "hero": part.hero,
            "name": part.name,
            "uses": used / self.watched if counts else None,
            "worth": 0.0 - found.difference,  # and not -0.0
            "low": -found.difference - half,
            "high": -found.difference + half,
            "q": q,
        }
        return row | {"flag": flag_of(self.config, row, found.a)}

    # ---- pairs ------------------------------------------------------------------------------
    @cached_property
    def heroes(self) -> list[str]:
        """Keys of the heroes in the pairs."""
        return list(dict.fromkeys(key for pair in self.study.pairs for key in pair))

    @cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """Every pair: win rate, and synergy beyond the contributions of its two heroes.

        A contribution is what a hero adds to any partner, by least squares over all pairs.
        """
        return self._contrasts(synergies, self.study.pairs)

    @cached_property
    def contributions(self) -> list[dict[str, Any]]:
        """Every hero: win rate of pairs with it above that of the mean pair."""
        alone = [(key, "") for key in self.heroes]
        return self._contrasts(contributions, alone)

    def _members(self) -> NDArray[np.float64]:
        """Which heroes are in each pair, float64 (pairs, heroes), 0 or 1."""
        return np.array([[key in pair for key in self.heroes] for pair in self.study.pairs], float)

    def _contrasts(
        self, weights: Weights, names: Sequence[tuple[str, str]]
    ) -> list[dict[str, Any]]:
        """Weighted sums of the pairs' win rates, paired by seed."""
        if not names:
            return []
        games = self.games[1 + len(self.study.without) :]
        won = np.array([frame["won"].to_numpy() for frame in games], float)
        parts, n = weights(self._members()), won.shape[1]
        values = parts @ won  # of each seed
        variance = values.var(1) + (parts**2).sum(1) / n  # one extra game: see Difference
        middle, half = values.mean(1), Z * np.sqrt(variance / n)
        here, shares = condition(self.study.plan), won.mean(1)
        return [
            {**here, "kind": "pair" if other else "hero", "hero": hero, "name": other}
            | {"won": float(shares[k]) if other else None, "worth": float(middle[k])}
            | {"low": float(middle[k] - half[k]), "high": float(middle[k] + half[k])}
            for k, (hero, other) in enumerate(names)
        ]

    # ---- how games end ----------------------------------------------------------------------
    @cached_property
    def endings(self) -> dict[str, list[int]]:
        """The number of games per ending and round, from round 1."""
        last = int(self.base["rounds"].max() or 0)  # type: ignore[arg-type]
        counts = self.base.group_by("ending", "rounds").len()
        found: dict[str, list[int]] = {}
        for ending in self.base["ending"].value_counts(sort=True)["ending"]:
            own = counts.filter(pl.col("ending") == ending)
            by_round = dict(zip(own["rounds"], own["len"], strict=True))
            found[str(ending)] = [by_round.get(r, 0) for r in range(1, last + 1)]
        return found

    @cached_property
    def lengths(self) -> dict[str, float]:
        """Rounds per game: mean, standard deviation and quantiles."""
        rounds = self.base["rounds"]
        found = {"mean": rounds.mean(), "deviation": rounds.std()}
        found |= {f"{q:.0%}": rounds.quantile(q) for q in (0.05, 0.25, 0.5, 0.75, 0.95)}
        return {name: float(value) for name, value in found.items()}  # type: ignore[arg-type]


def synergies(members: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the pairs' win rates, (pairs, pairs), that give each pair's synergy."""
    return np.eye(len(members)) - members @ np.linalg.pinv(members)


def contributions(members: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the pairs' win rates, (heroes, pairs), that give each hero's contribution."""
    alone = np.linalg.pinv(members)
    return np.asarray(alone - alone.mean(0), np.float64)


def flag_of(config: AnalysisConfig, row: dict[str, Any], won: float) -> str:
    """Flag what a designer should look at; thresholds are percentage points of games won.

    won: win rate of the full party. UNUSED: in all games that were watched; RARE: used less than
    IDLE times per game. Nothing else is said of these, nor of anything if `has_room` is False.
    dominating: surely worth more than `dominating` points. harmful: surely worth less than nothing.
    dominated: surely worth less than `negligible` points.
    """
    if row["uses"] is not None and row["uses"] < IDLE:
        return RARE if row["uses"] else UNUSED
    if not has_room(config, won):
        return ""
    if row["low"] * 100 > config.dominating:
        return "dominating"
    if row["q"] <= config.false_discoveries and row["worth"] < 0:
        return "harmful"
    return "dominated" if row["high"] * 100 < config.negligible else ""


def has_room(config: AnalysisConfig, won: float) -> bool:
    """Whether worth can be measured: neither nearly all games are won nor nearly all lost."""
    return config.negligible < 100 * won < 100 - config.negligible


# ---- all conditions -----------------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class AnalysisResult(StudyResult):
    """The result of an analysis."""

    analysis: AnalysisStudy
    conditions: tuple[ConditionResult, ...]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Actions, items, heroes and pairs of every condition; columns as in ConditionResult."""
        columns = ("uses", "won", "worth", "low", "high", "q", "flag")
        found = [
            row
            for result in self.conditions
            for row in (*result.worth, *result.contributions, *result.pairs)
        ]
        return [
            {key: value for key, value in row.items() if key not in columns}
            | {key: row.get(key) for key in columns}
            for row in found
        ] or [{**condition(result.study.plan)} for result in self.conditions]

    def record(self) -> dict[str, Any]:
        """The result, JSON-able."""
        conditions = [
            {
                **condition(result.study.plan),
                "won": result.won,
                "rounds": result.lengths,
                "endings": result.endings,
                "uses": {"/".join(use): n for use, n in sorted(result.used.items())},
                "watched": result.watched,
                "required": result.study.required,
            }
            for result in self.conditions
        ]
        return {**self.analysis.record(), "conditions": conditions, "results": self.rows}

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Uses in watched games; endings by round; lengths of games."""
        here = [(condition(result.study.plan), result) for result in self.conditions]
        return {
            "uses": [
                {**own, **dict(zip(USE, use, strict=True)), "uses": n, "watched": result.watched}
                for own, result in here
                for use, n in sorted(result.used.items())
            ],
            "endings": [
                {**own, "ending": ending, "round": k, "games": n}
                for own, result in here
                for ending, by_round in result.endings.items()
                for k, n in enumerate(by_round, start=1)
            ],
            "lengths": [{**own, **result.lengths} for own, result in here],
        }

    # ---- for readers -------------------------------------------------------------------------
    @property
    def headline(self) -> str:
        """The win rate and endings of the first condition."""
        return lead(self.conditions[0])[0] + and_more(len(self.conditions) - 1)

    def page(self) -> Page:
        """The result for the browser."""
        config = self.analysis.config
        scenarios = dict.fromkeys(result.study.plan.kinds[0].scenario for result in self.conditions)
        return Page(
            title=f"What is played: {', '.join(scenarios)}",
            text=config.text,
            lead=[
                *(line for result in self.conditions for line in lead(result)),
                *across_policies(self.conditions),
            ],
            provenance=provenance_of(config, [result.study.plan for result in self.conditions]),
            sections=[part for result in self.conditions for part in sections(result)],
        )

    def __rich__(self) -> Group:
        """The result for the terminal."""
        parts: list[Any] = []
        for result in self.conditions:
            parts += [Text(line) for line in lead(result)]
            parts += [text_table(*table) for table in tables(result)]
            required = result.study.required.items()
            parts += [Text(f"{name}: cannot be left out: {why}") for name, why in required]
        return Group(*parts)


def lead(result: ConditionResult) -> list[str]:
    """The main results of a condition, a sentence each."""
    name, won = condition_text(result.study.plan), 100 * result.won
    lost = {k: sum(v) for k, v in result.endings.items()}
    endings = ", ".join(f"{k} {100 * n / len(result.base):.1f} %" for k, n in lost.items())
    lines = [f"{name}: the heroes win {won:.1f} % of games; endings: {endings}."]
    if result.worth and not has_room(result.config, result.won):
        lines.append(
            f"{name}: nearly every game ends alike, so worth cannot be measured; try another "
            "difficulty, other heroes, or another policy."
        )
    told = {flag: text.format(**result.config.model_dump()) for flag, text in JUDGED.items()}
    told[UNUSED] = f"in {result.watched:,} games that were watched"
    for flag, text in told.items():
        own = named(result, flag)
        if own:
            lines.append(f"{name}: {flag} ({text}): {', '.join(own)}.")
    return lines


def named(result: ConditionResult, flag: str) -> list[str]:
    """The parts with a flag."""
    return [f"{row['hero']}: {row['name']}" for row in result.worth if row["flag"] == flag]


def across_policies(results: Sequence[ConditionResult]) -> list[str]:
    """What has the same flag under every policy; with one policy, that there is only one."""
    policies = dict.fromkeys(result.study.plan.policy for result in results)
    if not all(result.worth for result in results):
        return []
    if not all(has_room(result.config, result.won) for result in results):
        return []  # said by each
    if len(policies) < 2:
        return [f"All of this is {next(iter(policies))} play: another policy may use other things."]
    games = dict.fromkeys(game_text(condition(result.study.plan)) for result in results)
    where = f"Under every policy ({', '.join(policies)}){', in all games' * (len(games) > 1)}"
    shared = {
        flag: set.intersection(*(set(named(result, flag)) for result in results))
        for flag in (*JUDGED, UNUSED)
    }
    lines = [f"{where}: {flag}: {', '.join(sorted(own))}." for flag, own in shared.items() if own]
    return lines or [f"{where}: nothing has the same label."]


WORTH = ("action or item", "uses a game", "worth, points", "95 % interval", "q", "flag")
HEROES = ("hero", "worth, points", "95 % interval")
PAIRS = ("pair", "won, %", "synergy, points", "95 % interval")


def tables(result: ConditionResult) -> Iterator[tuple[str, Sequence[str], list[list[str]]]]:
    """Titles, heads and rows of the tables of a condition."""
    name = condition_text(result.study.plan)
    if result.worth:
        rows = [
            [
                f"{row['hero']}: {row['name']}",
                uses(row),
                *points(row),
                f"{row['q']:.3f}",
                row["flag"],
            ]
            for row in result.worth
        ]
        yield f"{name}: worth of actions and items", WORTH, rows
    if result.study.pairs:
        own = sorted(result.contributions, key=lambda row: -row["worth"])
        yield f"{name}: worth of heroes", HEROES, [[row["hero"], *points(row)] for row in own]
        best = sorted(result.pairs, key=lambda row: -row["won"])
        lines = [
            [f"{row['hero']}, {row['name']}", f"{100 * row['won']:.1f}", *points(row)]
            for row in best
        ]
        yield f"{name}: pairs of heroes", PAIRS, lines


def uses(row: dict[str, Any]) -> str:
    """Uses per game as text."""
    return "by itself" if row["uses"] is None else f"{row['uses']:.2f}"


def points(row: dict[str, Any]) -> list[str]:
    """Worth and its interval in percentage points as text."""
    low, high = 100 * row["low"], 100 * row["high"]
    return [f"{100 * row['worth']:+.1f}", f"{low:+.1f} to {high:+.1f}"]


def sections(result: ConditionResult) -> Iterator[Section]:
    """The sections of a condition."""
    listed = {title.rpartition(": ")[2]: (heads, rows) for title, heads, rows in tables(result)}
    name = condition_text(result.study.plan)
    if result.worth:
        yield _worth_section(result, name, *listed["worth of actions and items"])
    if result.study.pairs:
        yield _heroes_section(result, name, *listed["worth of heroes"])
        yield _pairs_section(result, name, *listed["pairs of heroes"])
    if result.study.required:
        title = f"{name}: what cannot be left out"
        yield Section(
            title, "", "", ("", "why"), [list(one) for one in result.study.required.items()]
        )
    yield _endings_section(result, name)
    yield _survival_section(result, name)


def _spans(rows: Sequence[dict[str, Any]]) -> list[tuple[float, float, float]]:
    return [(100 * row["worth"], 100 * row["low"], 100 * row["high"]) for row in rows]


def _worth_section(
    result: ConditionResult, name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> Section:
    names = [f"{row['hero']}: {row['name']}" for row in result.worth]
    (kind,) = result.study.plan.kinds
    text = (
        "How many more games are won with it than without, on the same seeds. Uses are counted in "
        f"the first {result.watched:,} games. {usage_tools_of(kind.env).note}"
    )
    label = "worth, percentage points of games won, 95 % interval"
    title = f"{name}: worth of actions and items"
    sure = frozenset(k for k, row in enumerate(result.worth) if row["flag"] in JUDGED)
    return Section(title, text, intervals(names, _spans(result.worth), label), heads, rows, sure)


def _heroes_section(
    result: ConditionResult, name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> Section:
    own = sorted(result.contributions, key=lambda row: -row["worth"])
    label = "percentage points of games won above the mean hero"
    text = "What a hero adds to any partner, over all pairs on the same seeds."
    picture = intervals([row["hero"] for row in own], _spans(own), label)
    return Section(f"{name}: worth of heroes", text, picture, heads, rows)


def _pairs_section(
    result: ConditionResult, name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> Section:
    n = len(result.heroes)
    values, texts = np.full((n, n), np.nan), [[""] * n for _ in range(n)]
    for row in result.pairs:
        y, x = sorted((result.heroes.index(row["hero"]), result.heroes.index(row["name"])))
        values[y, x], texts[y][x] = 100 * row["worth"], f"{100 * row['worth']:+.1f}"
        values[x, y], texts[x][y] = values[y, x], f"{100 * row['won']:.0f} %"
    text = (
        "Colour and numbers above the diagonal: synergy, percentage points won beyond what both "
        "heroes add to any partner. Below the diagonal: games won. Pairs that win nearly all "
        "games have no room for synergy."
    )
    picture = heat_map(result.heroes, values, texts, "synergy, points", around_zero=True)
    return Section(f"{name}: pairs of heroes", text, picture, heads, rows)


def _endings_section(result: ConditionResult, name: str) -> Section:
    counts = {
        ending: [100 * n / len(result.base) for n in by_round]
        for ending, by_round in result.endings.items()
    }
    at = list(range(1, 1 + len(next(iter(counts.values())))))
    rows = [[ending, f"{sum(own):.1f}"] for ending, own in counts.items()]
    picture = stacked(at, counts, "round", "games, %")
    return Section(f"{name}: how games end", "", picture, ("ending", "games, %"), rows)


def _survival_section(result: ConditionResult, name: str) -> Section:
    ended = np.sum(list(result.endings.values()), axis=0)
    going = 100 * (1 - np.concatenate([[0], np.cumsum(ended)]) / len(result.base))
    shown = steps({name: (list(range(len(going))), going.tolist())}, "round", "games going on, %")
    lengths = [[key, f"{value:.1f}"] for key, value in result.lengths.items()]
    return Section(f"{name}: how long games last", "", shown, ("rounds", ""), lengths)
