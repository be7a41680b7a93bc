"""What actions, items, heroes and pairs are worth, and how games end: the result of an analysis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from rich.console import Group
from rich.text import Text

from agemonia_env.display.reports import text_table
from agemonia_env.rulesets.pack_tools import usage_tools_of

from .analysis_study import AnalysisStudy
from .game_cache import GameCache
from .page import Page, Section
from .plots import heat_map, intervals, stacked, steps
from .study_config import condition, condition_text, game_text
from .study_result import StudyResult, and_more
from .usage import USE, counted
from .worth import JUDGED, UNUSED, ConditionResult, has_room


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
            provenance=self.analysis.provenance(),
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
