"""Many numbers moved at once over ranges: Morris screening and Sobol indices, by SALib.

Every point of a sample is a variant of the pack, played with the same seeds, so that what differs
between two of them is the numbers and not the luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Group

from agemonia_env.packs.folders import ContentError
from agemonia_env.simulation import required
from agemonia_env.simulation.plan import Plan

from .one_at_a_time import GAMES, SensitivityCard
from .page import Page, Section
from .parameters import with_values
from .plots import intervals, scatter
from .runs import Runs, n_games
from .study_config import marks_of, plans_of, setting, setting_text, study_record
from .study_result import Findings, and_more, text_table

LEVELS = 4  # of Morris' grid
HEADS = {
    "morris": ("number", "from", "to", "effect", "mean |effect|", "±", "spread"),
    "sobol": ("number", "from", "to", "alone", "±", "with others", "±"),
}
READING = {
    "morris": "Effect: points of the win rate between one end of the range and the other, the mean "
    "over where the other numbers stand; mean |effect| is the same without its sign, and spread, "
    "the standard deviation of the effect, says how much it depends on the other numbers.",
    "sobol": "Shares of the variance of the win rate over all ranges: what the number explains "
    "alone, and what it has a part in together with others. Luck that the games have not averaged "
    "out is a part of the second.",
}


@dataclass(frozen=True)
class Screen:
    """A sample of a card. points: int64 (n, numbers); plans: of each point, in each setting."""

    card: SensitivityCard
    base: tuple[Plan, ...]
    points: NDArray[np.int64]
    sample: NDArray[np.float64]
    plans: tuple[tuple[Plan, ...], ...]

    def all_plans(self) -> list[Plan]:
        """Every plan."""
        return [plan for plans in self.plans for plan in plans]

    def n_games(self) -> int:
        """How many games it takes."""
        return n_games(self.all_plans())

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able, with versions; nothing of the machine."""
        return study_record(self.card.method, self.card, self.base) | {
            "points": self.points.tolist()
        }


def make_screen(card: SensitivityCard) -> Screen:
    """The sample of a card."""
    required("SALib", "balance")
    base = plans_of(card, card.pack, card.games or GAMES)
    sample = sample_of(card)
    lows, highs = np.array(list(card.ranges.values())).T
    points = np.clip(np.floor(sample + 0.5).astype(np.int64), lows, highs)
    listed = list(map(tuple, points.tolist()))
    plans = {point: _plans_at(card, point, base[0].games) for point in dict.fromkeys(listed)}
    return Screen(card, tuple(base), points, sample, tuple(plans[point] for point in listed))


def _plans_at(card: SensitivityCard, point: tuple[int, ...], games: int) -> tuple[Plan, ...]:
    """Plans of the pack with all numbers of a point. Raises ContentError that says which."""
    values = dict(zip(card.ranges, point, strict=True))
    try:
        return tuple(plans_of(card, with_values(card.pack, values), games))
    except ValueError as error:
        told = ", ".join(f"{path} = {to}" for path, to in values.items())
        raise ContentError([f"ranges: all at once, as {told}: {error}"]) from None


def problem(card: SensitivityCard) -> dict[str, Any]:
    """The ranges as SALib takes them; whole numbers lie in the middle of what is rounded to them.

    Morris' grid has both ends among its levels, so its ranges end there.
    """
    margin = 0.0 if card.method == "morris" else 0.4999
    bounds = [[low - margin, high + margin] for low, high in card.ranges.values()]
    return {"num_vars": len(bounds), "names": list(card.ranges), "bounds": bounds}


def sample_of(card: SensitivityCard) -> NDArray[np.float64]:
    """Points of the ranges, float64 (n, numbers), fixed by the card's seed."""
    from SALib.sample import morris, sobol

    if card.method == "morris":
        given = problem(card), card.trajectories
        found = morris.sample(*given, num_levels=LEVELS, seed=card.small_seed)
    else:
        given = problem(card), card.samples
        found = sobol.sample(*given, calc_second_order=False, seed=card.small_seed)
    return np.asarray(found, np.float64)


def play_screen(screen: Screen, runs: Runs) -> Screening:
    """Play everything, and analyse it."""
    frames = iter(runs.play(screen.all_plans()))
    won = np.array([[next(frames)["won"].mean() for _ in screen.base] for _ in screen.plans])
    return Screening(screen, won)


@dataclass(frozen=True, repr=False)
class Screening(Findings):
    """What the numbers do over their ranges. won: shares, float64 (points, settings)."""

    screen: Screen
    won: NDArray[np.float64]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each number in each setting, the most important first; READING explains the columns."""
        return [row for i in range(len(self.screen.base)) for row in self._rows(i)]

    def _rows(self, i: int) -> list[dict[str, Any]]:
        card, here = self.screen.card, setting(self.screen.base[i])
        found = analysed(card, self.screen.sample, self.won[:, i])
        rows = [
            {"path": path, "from": low, "to": high, **here}
            | {name: float(values[k]) for name, values in found.items()}
            for k, (path, (low, high)) in enumerate(card.ranges.items())
        ]
        first = "mean_effect_size" if card.method == "morris" else "total"
        return sorted(rows, key=lambda row: -row[first])

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able."""
        return {**self.screen.record(), "won": self.won.tolist(), "results": self.rows}

    # ---- to be read -------------------------------------------------------------------------
    def _in(self, i: int) -> list[dict[str, Any]]:
        n = len(self.screen.card.ranges)
        return self.rows[i * n : (i + 1) * n]

    def _title(self, i: int) -> str:
        plan, points = self.screen.base[i], len(self.screen.points)
        return f"{setting_text(plan)}: {points:,} variants, {plan.games:,} games each"

    @property
    def headline(self) -> str:
        """What matters most and least in the first setting."""
        return self._lead()[0] + and_more(len(self.screen.base) - 1)

    def _lead(self) -> list[str]:
        """What matters most and least, a sentence for each setting."""
        lead = []
        for i, plan in enumerate(self.screen.base):
            first, *_, last = (row["path"] for row in self._in(i))
            lead.append(f"{setting_text(plan)}: {first} matters most, {last} least.")
        return lead

    def page(self) -> Page:
        """All of it for the browser."""
        card = self.screen.card
        sections = [self._section(i) for i in range(len(self.screen.base))]
        return Page(
            title=f"{card.method.capitalize()}: which of {len(card.ranges)} numbers matter",
            text=card.text,
            lead=self._lead(),
            marks=marks_of(card, self.screen.base),
            libraries=("SALib", "scipy"),
            sections=sections,
        )

    def _section(self, i: int) -> Section:
        rows, method = self._in(i), self.screen.card.method
        names = [row["path"] for row in rows]
        if method == "morris":
            x = [row["mean_effect_size"] * 100 for row in rows]
            y = [row["spread"] * 100 for row in rows]
            shown = scatter(names, x, y, ("mean |effect|, points", "spread of the effect, points"))
        else:
            spans = [
                (row["total"], row["total"] - row["total_half"], row["total"] + row["total_half"])
                for row in rows
            ]
            shown = intervals(names, spans, "share of the variance, with others")
        lines = [line(method, row) for row in rows]
        return Section(self._title(i), READING[method], shown, HEADS[method], lines)

    def __rich__(self) -> Group:
        """All of it for the terminal."""
        method = self.screen.card.method
        parts = [
            text_table(self._title(i), HEADS[method], [line(method, row) for row in self._in(i)])
            for i in range(len(self.screen.base))
        ]
        return Group(*parts, READING[method])


def analysed(
    card: SensitivityCard, sample: NDArray[np.float64], won: NDArray[np.float64]
) -> dict[str, Sequence[float]]:
    """Columns of the rows, from SALib's analysis. All zero where nothing changes the win rate."""
    from SALib.analyze import morris, sobol

    names = (
        ("effect", "mean_effect_size", "mean_effect_half", "spread")
        if card.method == "morris"
        else ("alone", "alone_half", "total", "total_half")
    )
    if np.ptp(won) == 0:
        return {name: [0.0] * len(card.ranges) for name in names}
    if card.method == "morris":
        found = morris.analyze(problem(card), sample, won, num_levels=LEVELS, seed=card.small_seed)
        keys, unit = ("mu", "mu_star", "mu_star_conf", "sigma"), whole_steps(card)
    else:
        found = sobol.analyze(problem(card), won, calc_second_order=False, seed=card.small_seed)
        keys, unit = ("S1", "S1_conf", "ST", "ST_conf"), np.ones(len(card.ranges))
    columns = [np.asarray(found[key]) * unit for key in keys]
    return {name: column.tolist() for name, column in zip(names, columns, strict=True)}


def whole_steps(card: SensitivityCard) -> NDArray[np.float64]:
    """Steps of Morris' grid as SALib divides by them, in shares of those that are played.

    A step is two thirds of a range, and what is played is the nearest whole number: 1 for [2, 3].
    """
    steps = np.array([high - low for low, high in card.ranges.values()]) * LEVELS / (2 * LEVELS - 2)
    return np.asarray(steps / np.floor(steps + 0.5), np.float64)


def line(method: str, row: dict[str, Any]) -> list[str]:
    """A row of the table."""
    ends = [row["path"], str(row["from"]), str(row["to"])]
    if method == "morris":
        keys = ("effect", "mean_effect_size", "mean_effect_half", "spread")
        signs = ("+.1f", ".1f", ".1f", ".1f")
        return ends + [format(100 * row[key], sign) for key, sign in zip(keys, signs, strict=True)]
    return ends + [f"{row[key]:.2f}" for key in ("alone", "alone_half", "total", "total_half")]
