"""Global sensitivity over ranges of many numbers: Morris screening and Sobol indices, by SALib.

Every sample point is a variant of the pack. All play the same seeds, so that they differ by their
numbers and not by randomness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Group

from agemonia_env.display.reports import text_table
from agemonia_env.packs.folders import ContentError
from agemonia_env.simulation.plan import Plan

from .game_cache import GameCache, n_games
from .one_at_a_time import GAMES, SensitivityConfig
from .page import Page, Section
from .parameters import with_values
from .plots import intervals, scatter
from .study_config import Study, condition, condition_text, plans_of
from .study_result import StudyResult, and_more

LEVELS = 4  # of the Morris grid
HEADS = {
    "morris": ("number", "from", "to", "effect", "mean |effect|", "±", "spread"),
    "sobol": ("number", "from", "to", "alone", "±", "with others", "±"),
}
READING = {
    "morris": "Effect: change of the win rate in points from one end of the range to the other, "
    "averaged over values of the other numbers; mean |effect| ignores its sign; spread, its "
    "standard deviation, shows how much it depends on the other numbers.",
    "sobol": "Shares of the variance of the win rate over all ranges: explained by the number "
    "alone, and together with others. The second includes noise left by the number of games.",
}


@dataclass(frozen=True)
class GlobalStudy(Study):
    """Sample points to play. points: int64 (n, numbers); plans: of each point, per condition."""

    name = "global"

    config: SensitivityConfig
    points: NDArray[np.int64]
    sample: NDArray[np.float64]
    plans: tuple[tuple[Plan, ...], ...]

    def all_plans(self) -> list[Plan]:
        """Every plan."""
        return [plan for plans in self.plans for plan in plans]

    def n_games(self) -> int:
        """The number of games to play."""
        return n_games(self.all_plans())

    def record(self) -> dict[str, Any]:
        """As Study.record, with the points."""
        own = {"study": self.config.method, "points": self.points.tolist()}
        return super().record() | own


def make_global_study(config: SensitivityConfig) -> GlobalStudy:
    """Draw the sample points of a config."""
    base = plans_of(config, config.pack, config.games or GAMES)
    sample = sample_of(config)
    lows, highs = np.array(list(config.ranges.values())).T
    points = np.clip(np.floor(sample + 0.5).astype(np.int64), lows, highs)
    listed = list(map(tuple, points.tolist()))
    plans = {point: _plans_at(config, point, base[0].games) for point in dict.fromkeys(listed)}
    return GlobalStudy(config, tuple(base), points, sample, tuple(plans[point] for point in listed))


def _plans_at(config: SensitivityConfig, point: tuple[int, ...], games: int) -> tuple[Plan, ...]:
    """Plans of the pack at a point. Raises ContentError naming the point."""
    values = dict(zip(config.ranges, point, strict=True))
    try:
        return tuple(plans_of(config, with_values(config.tools, config.pack, values), games))
    except ValueError as error:
        changes = ", ".join(f"{path} = {to}" for path, to in values.items())
        raise ContentError([f"ranges: invalid together: {changes}: {error}"]) from None


def problem(config: SensitivityConfig) -> dict[str, Any]:
    """The ranges as SALib expects them, widened so that all whole numbers are equally likely.

    The Morris grid includes both ends, so its ranges are not widened.
    """
    margin = 0.0 if config.method == "morris" else 0.4999
    bounds = [[low - margin, high + margin] for low, high in config.ranges.values()]
    return {"num_vars": len(bounds), "names": list(config.ranges), "bounds": bounds}


def sample_of(config: SensitivityConfig) -> NDArray[np.float64]:
    """Sample points, float64 (n, numbers), determined by the seed."""
    from SALib.sample import morris, sobol

    if config.method == "morris":
        given = problem(config), config.trajectories
        found = morris.sample(*given, num_levels=LEVELS, seed=config.small_seed)
    else:
        given = problem(config), config.samples
        found = sobol.sample(*given, calc_second_order=False, seed=config.small_seed)
    return np.asarray(found, np.float64)


def play_global_study(study: GlobalStudy, cache: GameCache) -> GlobalSensitivity:
    """Play the study and analyse it."""
    frames = iter(cache.play(study.all_plans()))
    won = np.array([[next(frames)["won"].mean() for _ in study.base] for _ in study.plans])
    return GlobalSensitivity(study, won)


@dataclass(frozen=True, repr=False)
class GlobalSensitivity(StudyResult):
    """The effects over the ranges. won: win rates, float64 (points, conditions)."""

    study: GlobalStudy
    won: NDArray[np.float64]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each number in each condition, most important first; READING explains the columns."""
        return [row for i in range(len(self.study.base)) for row in self._rows(i)]

    @cached_property
    def labels(self) -> dict[str, str]:
        """Every number in words, by path."""
        config = self.study.config
        return config.tools.words(config.pack).of_paths(config.ranges)

    def _rows(self, i: int) -> list[dict[str, Any]]:
        config, here = self.study.config, condition(self.study.base[i])
        found = analysed(config, self.study.sample, self.won[:, i])
        rows = [
            {"path": path, "from": low, "to": high, **here}
            | {name: float(values[k]) for name, values in found.items()}
            for k, (path, (low, high)) in enumerate(config.ranges.items())
        ]
        first = "mean_effect_size" if config.method == "morris" else "total"
        return sorted(rows, key=lambda row: -row[first])

    def record(self) -> dict[str, Any]:
        """The result, JSON-able."""
        return {**self.study.record(), "won": self.won.tolist(), "results": self.rows}

    # ---- for readers -------------------------------------------------------------------------
    def _in(self, i: int) -> list[dict[str, Any]]:
        n = len(self.study.config.ranges)
        return self.rows[i * n : (i + 1) * n]

    def _title(self, i: int) -> str:
        plan, points = self.study.base[i], len(self.study.points)
        return f"{condition_text(plan)}: {points:,} variants, {plan.games:,} games each"

    @property
    def headline(self) -> str:
        """The most and least important number of the first condition."""
        return self._lead()[0] + and_more(len(self.study.base) - 1)

    def _lead(self) -> list[str]:
        """The most and least important number and how sure that is, a sentence per condition."""
        return [
            f"{condition_text(plan)}: {self._order(*self._in(i))}"
            for i, plan in enumerate(self.study.base)
        ]

    def _order(self, first: dict[str, Any], *others: dict[str, Any]) -> str:
        """Which number matters most and least, and whether the first place is sure."""
        morris, second, last = self.study.config.method == "morris", others[0], others[-1]
        key, half = ("mean_effect_size", "mean_effect_half") if morris else ("total", "total_half")
        unit = "points over its range" if morris else "% of the variance, with others"
        one, least = (
            f"{self.labels[row['path']]} ({100 * row[key]:.1f} ± {100 * row[half]:.1f} {unit})"
            for row in (first, last)
        )
        unsure = first[key] - first[half] <= second[key] + second[half]
        note = f" Whether {self.labels[second['path']]} matters less is not sure." if unsure else ""
        return f"{one} matters most, {least} least.{note}"

    def page(self) -> Page:
        """The result for the browser."""
        config = self.study.config
        sections = [self._section(i) for i in range(len(self.study.base))]
        return Page(
            title=f"{config.method.capitalize()}: which of {len(config.ranges)} numbers matter",
            text=config.text,
            lead=self._lead(),
            provenance=self.study.provenance(),
            libraries=("SALib", "scipy"),
            sections=sections,
        )

    def _section(self, i: int) -> Section:
        rows, method = self._in(i), self.study.config.method
        names = [self.labels[row["path"]] for row in rows]
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
        lines = [line(method, row, self.labels) for row in rows]
        return Section(self._title(i), READING[method], shown, HEADS[method], lines)

    def __rich__(self) -> Group:
        """The result for the terminal."""
        method = self.study.config.method
        parts = [
            text_table(
                self._title(i),
                HEADS[method],
                [line(method, row, self.labels) for row in self._in(i)],
            )
            for i in range(len(self.study.base))
        ]
        return Group(*parts, READING[method])


def analysed(
    config: SensitivityConfig, sample: NDArray[np.float64], won: NDArray[np.float64]
) -> dict[str, Sequence[float]]:
    """Columns of the rows by SALib; all zero if the win rate never changes."""
    from SALib.analyze import morris, sobol

    names = (
        ("effect", "mean_effect_size", "mean_effect_half", "spread")
        if config.method == "morris"
        else ("alone", "alone_half", "total", "total_half")
    )
    if np.ptp(won) == 0:
        return {name: [0.0] * len(config.ranges) for name in names}
    if config.method == "morris":
        found = morris.analyze(
            problem(config), sample, won, num_levels=LEVELS, seed=config.small_seed
        )
        keys, unit = ("mu", "mu_star", "mu_star_conf", "sigma"), whole_steps(config)
    else:
        found = sobol.analyze(problem(config), won, calc_second_order=False, seed=config.small_seed)
        keys, unit = ("S1", "S1_conf", "ST", "ST_conf"), np.ones(len(config.ranges))
    columns = [np.asarray(found[key]) * unit for key in keys]
    return {name: column.tolist() for name, column in zip(names, columns, strict=True)}


def whole_steps(config: SensitivityConfig) -> NDArray[np.float64]:
    """Ratio of the Morris step that SALib divides by to the step played, per number.

    A step is two thirds of a range; the nearest whole number is played, such as 1 for [2, 3].
    """
    steps = (
        np.array([high - low for low, high in config.ranges.values()]) * LEVELS / (2 * LEVELS - 2)
    )
    return np.asarray(steps / np.floor(steps + 0.5), np.float64)


def line(method: str, row: dict[str, Any], labels: Mapping[str, str]) -> list[str]:
    """A row of the table as text. labels: of the numbers, by path."""
    ends = [labels[row["path"]], str(row["from"]), str(row["to"])]
    if method == "morris":
        keys = ("effect", "mean_effect_size", "mean_effect_half", "spread")
        signs = ("+.1f", ".1f", ".1f", ".1f")
        return ends + [format(100 * row[key], sign) for key, sign in zip(keys, signs, strict=True)]
    return ends + [f"{row[key]:.2f}" for key in ("alone", "alone_half", "total", "total_half")]
