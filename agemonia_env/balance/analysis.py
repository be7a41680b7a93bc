"""What is played, and what it is worth: actions, items, Heroes and pairs, and how games end.

Worth is measured by taking the thing away and playing the same seeds again, not by how often it is
seen in games that were won.
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

from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.content.pack import Pack
from agemonia_env.rulesets.agemonia.content.party import Grown, choose_party
from agemonia_env.simulation.interval import Z
from agemonia_env.simulation.plan import RANDOM, Plan, scene

from .accumulator import Difference, tally
from .interval import one_look
from .one_at_a_time import discovery_rates, two_sided
from .page import Page, Section
from .plots import heat_map, intervals, stacked, steps
from .runs import Runs, n_games
from .study_config import (
    FEWEST_GAMES,
    SettingCard,
    marks_of,
    plans_of,
    setting,
    setting_text,
    study_record,
)
from .study_result import Findings, and_more, text_table
from .usage import USE, Use, counted, usable_items, watched_plan

IDLE = 0.01  # uses a game: less is no use
GAMES = 2_000  # of a setting and of each variant, if nothing is said
SMALLEST_PARTIES = 3  # Heroes to choose pairs from


Weights = Callable[[NDArray[np.float64]], NDArray[np.float64]]


class AnalysisCard(SettingCard):
    """A file for `agemonia balance analyse`; what balance.analyse takes by the same names."""

    watched: Annotated[int, Field(ge=FEWEST_GAMES)] = 200
    pairs: bool = True
    false_discoveries: Annotated[float, Field(gt=0, lt=1)] = 0.05
    dominating: Annotated[float, Field(gt=0, le=100)] = 10.0
    negligible: Annotated[float, Field(gt=0, le=100)] = 1.0


@dataclass(frozen=True)
class Part:
    """Something that a Hero has: an `action` or `item`."""

    kind: str
    hero: str
    name: str

    def __str__(self) -> str:
        """As pictures call it."""
        return f"{self.hero}: {self.name}"


@dataclass(frozen=True)
class Scene:
    """One setting: its plan, what can be taken away from it, and the pairs of Heroes.

    without: plans without each part; pairs: keys of two Heroes; paired: their plans. kept: what no
    Hero can do without, and why.
    """

    plan: Plan
    parts: tuple[Part, ...]
    without: tuple[Plan, ...]
    kept: dict[str, str]
    pairs: tuple[tuple[str, str], ...]
    paired: tuple[Plan, ...]

    def plans(self) -> list[Plan]:
        """All of them: the plan itself, those without a part, those of pairs."""
        return [self.plan, *self.without, *self.paired]


@dataclass(frozen=True)
class Analysis:
    """What is looked at, in every setting."""

    card: AnalysisCard
    scenes: tuple[Scene, ...]

    def n_games(self) -> int:
        """How many games it takes."""
        return n_games([*self.played(), *self.watched()])

    def played(self) -> list[Plan]:
        """Every plan of which the end of the games counts, setting after setting."""
        return [plan for scene in self.scenes for plan in scene.plans()]

    def watched(self) -> list[Plan]:
        """The games of each setting that are watched."""
        return [watched_plan(scene.plan, self.card.watched) for scene in self.scenes]

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able, with versions; nothing of the machine."""
        return study_record("analysis", self.card, [scene.plan for scene in self.scenes])


def make_analysis(card: AnalysisCard) -> Analysis:
    """The scenes of a card."""
    base = plans_of(card, card.pack, card.games or GAMES)
    return Analysis(card, tuple(_scene(card, plan) for plan in base))


def _scene(card: AnalysisCard, plan: Plan) -> Scene:
    """What is looked at in one setting."""
    (kind,) = plan.kinds
    if kind.scenario == RANDOM:
        return Scene(plan, (), (), {}, (), ())
    pack = load_pack(kind.pack)
    chosen, sheet = kind.arguments().heroes, pack.scenarios[kind.scenario]
    heroes = choose_party(pack, sheet, chosen, kind.level or sheet.level)
    parts, without, kept = [], [], {}
    for part, party in _parts(pack, heroes, _members(heroes, chosen)):
        try:
            without.append(_with_party(card, plan, party))
            parts.append(part)
        except ValueError as error:
            kept[str(part)] = str(error).split("\n")[0]
    pairs: list[tuple[str, str]] = []
    paired: list[Plan] = []
    if card.pairs and len(heroes) == 2 and len(sheet.heroes) >= SMALLEST_PARTIES:
        pairs = list(combinations(sheet.heroes, 2))
        paired = [_with_party(card, plan, list(pair)) for pair in pairs]
    return Scene(plan, tuple(parts), tuple(without), kept, tuple(pairs), tuple(paired))


def _members(heroes: Sequence[Grown], chosen: Any) -> list[dict[str, Any]]:
    """The Heroes of a party as mappings, whatever they were chosen by."""
    if isinstance(chosen, int):
        return [{"hero": hero.key} for hero in heroes]
    return [{"hero": one} if isinstance(one, str) else dict(one) for one in chosen]


def _parts(
    pack: Pack, heroes: Sequence[Grown], members: Sequence[dict[str, Any]]
) -> Iterator[tuple[Part, list[Any]]]:
    """Actions and items of Heroes, each with the party that goes without it."""
    for k, hero in enumerate(heroes):
        for action in hero.actions:
            lacked = [*members[k].get("without", ()), action.name]
            party = _changed(members, k, without=lacked)
            yield Part("action", hero.hero.name, action.name), party
        for j, key in enumerate(hero.items):
            left = [*hero.items[:j], *hero.items[j + 1 :]]
            party = _changed(members, k, items=left)
            yield Part("item", hero.hero.name, pack.items[key].name), party


def _changed(members: Sequence[dict[str, Any]], k: int, **own: Any) -> list[Any]:
    """A party in which one member has something of its own."""
    return [*members[:k], members[k] | own, *members[k + 1 :]]


def _with_party(card: AnalysisCard, plan: Plan, party: list[Any]) -> Plan:
    """The plan with other Heroes."""
    (kind,) = plan.kinds
    own: dict[str, Any] = {"scenario": kind.scenario, "heroes": [party], "policy": [plan.policy]}
    own |= {"level": kind.level, "difficulty": kind.difficulty}
    (found,) = plans_of(card.model_copy(update=own), card.pack, plan.games)
    return found


def play_analysis(analysis: Analysis, runs: Runs) -> Played:
    """Play everything, and count what is used."""
    frames = iter(runs.play(analysis.played()))
    games = [[next(frames) for _ in scene.plans()] for scene in analysis.scenes]
    used = map(counted, runs.watch(analysis.watched()))
    seen = tuple(
        Seen(analysis.card, *one) for one in zip(analysis.scenes, games, used, strict=True)
    )
    return Played(analysis, seen)


# ---- one setting ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Seen:
    """A setting that was played: the games of each of its plans, and what was used."""

    card: AnalysisCard
    scene: Scene
    games: list[pl.DataFrame]
    used: Counter[Use]

    @property
    def base(self) -> pl.DataFrame:
        """The games as they are."""
        return self.games[0]

    @property
    def watched(self) -> int:
        """Games in which uses were counted."""
        return min(self.card.watched, self.scene.plan.games)

    @cached_property
    def worth(self) -> list[dict[str, Any]]:
        """Every action and item: uses a game, and games won by having it, the worthiest first.

        uses: None of an item that works by itself, such as a weapon. worth: share of games won with
        it and not without. flag: see `flag_of`.
        """
        found = [tally(self.base, other).found("won") for other in self._without()]
        if not found:
            return []
        rates = discovery_rates([two_sided(f.difference, f.variance / f.pairs) for f in found])
        rows = [self._row(*one) for one in zip(self.scene.parts, found, rates, strict=True)]
        return sorted(rows, key=lambda row: -row["worth"])

    @cached_property
    def usable(self) -> set[str]:
        """Names of items that are used by a choice, and so can be counted."""
        (kind,) = self.scene.plan.kinds
        return usable_items(scene(kind, None))

    def _without(self) -> list[pl.DataFrame]:
        return self.games[1 : 1 + len(self.scene.without)]

    def _row(self, part: Part, found: Difference, q: float) -> dict[str, Any]:
        half = one_look(found.pairs, found.variance)
        used = self.used[part.kind, part.hero, part.name]
        counts = part.kind == "action" or part.name in self.usable
        row = {
            **setting(self.scene.plan),
            "kind": part.kind,
            "hero": part.hero,
            "name": part.name,
            "uses": used / self.watched if counts else None,
            "worth": 0.0 - found.difference,  # and not -0.0
            "low": -found.difference - half,
            "high": -found.difference + half,
            "q": q,
        }
        return row | {"flag": flag_of(self.card, row, found.a)}

    # ---- pairs ------------------------------------------------------------------------------
    @cached_property
    def heroes(self) -> list[str]:
        """Keys of the Heroes that pairs are made of."""
        return list(dict.fromkeys(key for pair in self.scene.pairs for key in pair))

    @cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """Every pair: games won, and its synergy, share of games more than the two are worth alone.

        Alone a Hero is worth what it adds to any partner, by least squares over all pairs.
        """
        return self._contrasts(synergies, self.scene.pairs)

    @cached_property
    def contributions(self) -> list[dict[str, Any]]:
        """Every Hero: share of games more that pairs win with it than the mean pair."""
        alone = [(key, "") for key in self.heroes]
        return self._contrasts(contributions, alone)

    def _members(self) -> NDArray[np.float64]:
        """Who is in which pair, float64 (pairs, Heroes), 0 or 1."""
        return np.array([[key in pair for key in self.heroes] for pair in self.scene.pairs], float)

    def _contrasts(
        self, weights: Weights, names: Sequence[tuple[str, str]]
    ) -> list[dict[str, Any]]:
        """Weighted sums of the pairs' win rates; the games of a seed belong together."""
        if not names:
            return []
        games = self.games[1 + len(self.scene.without) :]
        won = np.array([frame["won"].to_numpy() for frame in games], float)
        parts, n = weights(self._members()), won.shape[1]
        values = parts @ won  # of each seed
        variance = values.var(1) + (parts**2).sum(1) / n  # one game more: see tally.Difference
        middle, half = values.mean(1), Z * np.sqrt(variance / n)
        here, shares = setting(self.scene.plan), won.mean(1)
        return [
            {**here, "kind": "pair" if other else "hero", "hero": hero, "name": other}
            | {"won": float(shares[k]) if other else None, "worth": float(middle[k])}
            | {"low": float(middle[k] - half[k]), "high": float(middle[k] + half[k])}
            for k, (hero, other) in enumerate(names)
        ]

    # ---- how games end ----------------------------------------------------------------------
    @cached_property
    def endings(self) -> dict[str, list[int]]:
        """How many games ended in which way in each round, the first round first."""
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
        """Rounds of a game: mean, deviation and quantiles."""
        rounds = self.base["rounds"]
        found = {"mean": rounds.mean(), "deviation": rounds.std()}
        found |= {f"{q:.0%}": rounds.quantile(q) for q in (0.05, 0.25, 0.5, 0.75, 0.95)}
        return {name: float(value) for name, value in found.items()}  # type: ignore[arg-type]


def synergies(members: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the pairs' win rates, (pairs, pairs): what the two Heroes do not explain alone."""
    return np.eye(len(members)) - members @ np.linalg.pinv(members)


def contributions(members: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the pairs' win rates, (Heroes, pairs): what a Hero adds beyond the mean one."""
    alone = np.linalg.pinv(members)
    return np.asarray(alone - alone.mean(0), np.float64)


def flag_of(card: AnalysisCard, row: dict[str, Any], won: float) -> str:
    """What a designer should look at: thresholds are percentage points of games won.

    won: share of games won with everything. dominating: more than `dominating` points are lost
    without it, surely. harmful: more games are won without it, surely. Neither is said of what is
    used in less than one game of a hundred. dominated: it is surely worth less than `negligible`
    points, or an action that is hardly used and not surely worth anything. That is not said where
    `has_room` is False.
    """
    sure = row["q"] <= card.false_discoveries
    idle = row["uses"] is not None and row["uses"] < IDLE
    if row["low"] * 100 > card.dominating and not idle:
        return "dominating"
    if sure and row["worth"] < 0 and not idle:
        return "harmful"
    poor = row["high"] * 100 < card.negligible
    spare = row["kind"] == "action" and idle and not sure
    return "dominated" if has_room(card, won) and (poor or spare) else ""


def has_room(card: AnalysisCard, won: float) -> bool:
    """Whether worth can show: games are neither nearly all won nor nearly all lost."""
    return card.negligible < 100 * won < 100 - card.negligible


# ---- all settings -----------------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class Played(Findings):
    """What came out of an analysis."""

    analysis: Analysis
    seen: tuple[Seen, ...]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Actions and items, Heroes, and pairs of every setting; columns as Seen has them."""
        columns = ("uses", "won", "worth", "low", "high", "q", "flag")
        found = [
            row for seen in self.seen for row in (*seen.worth, *seen.contributions, *seen.pairs)
        ]
        return [
            {key: value for key, value in row.items() if key not in columns}
            | {key: row.get(key) for key in columns}
            for row in found
        ] or [{**setting(seen.scene.plan)} for seen in self.seen]

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able."""
        told = [
            {
                **setting(seen.scene.plan),
                "won": float(seen.base["won"].mean() or 0),  # type: ignore[arg-type]
                "rounds": seen.lengths,
                "endings": seen.endings,
                "uses": {"/".join(use): n for use, n in sorted(seen.used.items())},
                "watched": seen.watched,
                "not_taken_away": seen.scene.kept,
            }
            for seen in self.seen
        ]
        return {**self.analysis.record(), "settings": told, "results": self.rows}

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """What is used in the games watched; how games end in which round; how long they are."""
        here = [(setting(seen.scene.plan), seen) for seen in self.seen]
        return {
            "uses": [
                {**own, **dict(zip(USE, use, strict=True)), "uses": n, "watched": seen.watched}
                for own, seen in here
                for use, n in sorted(seen.used.items())
            ],
            "endings": [
                {**own, "ending": ending, "round": k, "games": n}
                for own, seen in here
                for ending, by_round in seen.endings.items()
                for k, n in enumerate(by_round, start=1)
            ],
            "lengths": [{**own, **seen.lengths} for own, seen in here],
        }

    # ---- to be read -------------------------------------------------------------------------
    @property
    def headline(self) -> str:
        """How often the first setting is won, and how its games end."""
        return lead(self.seen[0])[0] + and_more(len(self.seen) - 1)

    def page(self) -> Page:
        """All of it for the browser."""
        card = self.analysis.card
        scenarios = dict.fromkeys(seen.scene.plan.kinds[0].scenario for seen in self.seen)
        return Page(
            title=f"What is played: {', '.join(scenarios)}",
            text=card.text,
            lead=[told for seen in self.seen for told in lead(seen)],
            marks=marks_of(card, [seen.scene.plan for seen in self.seen]),
            sections=[part for seen in self.seen for part in sections(seen)],
        )

    def __rich__(self) -> Group:
        """All of it for the terminal."""
        parts: list[Any] = []
        for seen in self.seen:
            parts += [Text(told) for told in lead(seen)]
            parts += [text_table(*table) for table in tables(seen)]
            kept = seen.scene.kept.items()
            parts += [Text(f"{name}: could not be taken away: {why}") for name, why in kept]
        return Group(*parts)


def lead(seen: Seen) -> list[str]:
    """What matters most in a setting, a sentence each."""
    name, won = setting_text(seen.scene.plan), 100 * float(seen.base["won"].mean() or 0)  # type: ignore[arg-type]
    lost = {k: sum(v) for k, v in seen.endings.items()}
    told = ", ".join(f"{k} {100 * n / len(seen.base):.1f} %" for k, n in lost.items())
    lines = [f"{name}: the Heroes win {won:.1f} % of games; games end by {told}."]
    if seen.worth and not has_room(seen.card, won / 100):
        lines.append(
            f"{name}: nearly every game ends alike, so what is worth nothing cannot be told from "
            "what is; another difficulty, or other Heroes, would show it."
        )
    for flag in ("dominating", "dominated", "harmful"):
        own = [f"{row['hero']}: {row['name']}" for row in seen.worth if row["flag"] == flag]
        if own:
            lines.append(f"{name}: {flag}: {', '.join(own)}.")
    return lines


WORTH = ("action or item", "uses a game", "worth, points", "95 % interval", "q", "flag")
HEROES = ("Hero", "worth, points", "95 % interval")
PAIRS = ("pair", "won, %", "synergy, points", "95 % interval")


def tables(seen: Seen) -> Iterator[tuple[str, Sequence[str], list[list[str]]]]:
    """Titles, heads and rows of the tables of a setting."""
    name = setting_text(seen.scene.plan)
    if seen.worth:
        rows = [
            [f"{row['hero']}: {row['name']}", uses(row), *points(row), *doubt(row)]
            for row in seen.worth
        ]
        yield f"{name}: worth of actions and items", WORTH, rows
    if seen.scene.pairs:
        own = sorted(seen.contributions, key=lambda row: -row["worth"])
        yield f"{name}: worth of Heroes", HEROES, [[row["hero"], *points(row)] for row in own]
        best = sorted(seen.pairs, key=lambda row: -row["won"])
        lines = [
            [f"{row['hero']}, {row['name']}", f"{100 * row['won']:.1f}", *points(row)]
            for row in best
        ]
        yield f"{name}: pairs of Heroes", PAIRS, lines


def uses(row: dict[str, Any]) -> str:
    """How often it is used in a game."""
    return "by itself" if row["uses"] is None else f"{row['uses']:.2f}"


def doubt(row: dict[str, Any]) -> list[str]:
    """How sure it is, and what a designer should look at."""
    return [f"{row['q']:.3f}", row["flag"]]


def points(row: dict[str, Any]) -> list[str]:
    """Worth and its interval in percentage points."""
    low, high = 100 * row["low"], 100 * row["high"]
    return [f"{100 * row['worth']:+.1f}", f"{low:+.1f} to {high:+.1f}"]


def sections(seen: Seen) -> Iterator[Section]:
    """A setting for the browser."""
    listed = {title.rpartition(": ")[2]: (heads, rows) for title, heads, rows in tables(seen)}
    name = setting_text(seen.scene.plan)
    if seen.worth:
        yield _worth_section(seen, name, *listed["worth of actions and items"])
    if seen.scene.pairs:
        yield _heroes_section(seen, name, *listed["worth of Heroes"])
        yield _pairs_section(seen, name, *listed["pairs of Heroes"])
    if seen.scene.kept:
        title = f"{name}: what could not be taken away"
        yield Section(title, "", "", ("", "why"), [list(one) for one in seen.scene.kept.items()])
    yield _endings_section(seen, name)
    yield _survival_section(seen, name)


def _spans(rows: Sequence[dict[str, Any]]) -> list[tuple[float, float, float]]:
    return [(100 * row["worth"], 100 * row["low"], 100 * row["high"]) for row in rows]


def _worth_section(
    seen: Seen, name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> Section:
    names = [f"{row['hero']}: {row['name']}" for row in seen.worth]
    text = (
        "How many more games are won with it than without, on the same seeds. Uses are those of "
        f"the first {seen.watched:,} games; weapons and armour work by themselves."
    )
    label = "worth, percentage points of games won, 95 % interval"
    title = f"{name}: worth of actions and items"
    sure = frozenset(k for k, row in enumerate(seen.worth) if row["flag"])
    return Section(title, text, intervals(names, _spans(seen.worth), label), heads, rows, sure)


def _heroes_section(
    seen: Seen, name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> Section:
    own = sorted(seen.contributions, key=lambda row: -row["worth"])
    label = "percentage points of games won more than with the mean Hero"
    text = "What a Hero adds to any partner, over all pairs that play the same seeds."
    picture = intervals([row["hero"] for row in own], _spans(own), label)
    return Section(f"{name}: worth of Heroes", text, picture, heads, rows)


def _pairs_section(
    seen: Seen, name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> Section:
    n = len(seen.heroes)
    values, texts = np.full((n, n), np.nan), [[""] * n for _ in range(n)]
    for row in seen.pairs:
        y, x = sorted((seen.heroes.index(row["hero"]), seen.heroes.index(row["name"])))
        values[y, x], texts[y][x] = 100 * row["worth"], f"{100 * row['worth']:+.1f}"
        values[x, y], texts[x][y] = values[y, x], f"{100 * row['won']:.0f} %"
    text = (
        "Colours: synergy, percentage points of games that the two win more than each of them is "
        "worth to any partner; written above the diagonal. Below it: games won. Two who win "
        "nearly all have no room for what they would be worth together."
    )
    picture = heat_map(seen.heroes, values, texts, "synergy, points", around_zero=True)
    return Section(f"{name}: pairs of Heroes", text, picture, heads, rows)


def _endings_section(seen: Seen, name: str) -> Section:
    counts = {
        ending: [100 * n / len(seen.base) for n in by_round]
        for ending, by_round in seen.endings.items()
    }
    at = list(range(1, 1 + len(next(iter(counts.values())))))
    rows = [[ending, f"{sum(own):.1f}"] for ending, own in counts.items()]
    picture = stacked(at, counts, "round", "games, %")
    return Section(f"{name}: how games end", "", picture, ("ending", "games, %"), rows)


def _survival_section(seen: Seen, name: str) -> Section:
    ended = np.sum(list(seen.endings.values()), axis=0)
    going = 100 * (1 - np.concatenate([[0], np.cumsum(ended)]) / len(seen.base))
    shown = steps({name: (list(range(len(going))), going.tolist())}, "round", "games going on, %")
    lengths = [[key, f"{value:.1f}"] for key, value in seen.lengths.items()]
    return Section(f"{name}: how long games last", "", shown, ("rounds", ""), lengths)
