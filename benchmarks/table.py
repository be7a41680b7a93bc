"""The table: what a case is, running all of them in rounds, its lines, and comparing two tables."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.table import Table

from agemonia_env.files.writing import write_json

Measure = Callable[[float], float]  # for about so many seconds -> a figure


class UnavailableError(Exception):
    """A case cannot be measured here; the text says why, and stands in place of the figure."""


@dataclass(frozen=True)
class Case:
    """One line of the table.

    prepare: lays out what is measured, once, when the first turn comes. n: games side by side.
    once: too slow to be repeated. long: takes its time, however few seconds are asked for.
    """

    name: str
    unit: str
    prepare: Callable[[], Measure]
    n: int = 1
    threads: int = 1
    once: bool = False
    long: bool = False


@dataclass
class Figure:
    """What was measured of one case; `missing` says why there is nothing."""

    unit: str
    n: int = 1
    threads: int = 1
    values: list[float] = field(default_factory=list)
    missing: str = ""

    @property
    def median(self) -> float:
        """Of all repeats."""
        return statistics.median(self.values)

    @property
    def half_spread(self) -> float | None:
        """(max - min) / 2 as a share of the median; unknown after one measurement."""
        if len(self.values) < 2:
            return None
        return (max(self.values) - min(self.values)) / 2 / self.median


Figures = dict[str, Figure]


def run(
    cases: Sequence[Case], repeats: int, seconds: float, tell: Callable[[str], None]
) -> Figures:
    """Measure every case `repeats` times, in rounds over all: a noisy moment then hits all alike.

    tell: called with the name of the case whose turn it is.
    """
    figures = {case.name: Figure(case.unit, case.n, case.threads) for case in cases}
    measures: dict[str, Measure] = {}
    for turn in range(repeats):
        for case in cases:
            figure = figures[case.name]
            tell(case.name)
            if figure.missing or (case.once and turn > 0):
                continue
            try:
                if case.name not in measures:
                    measures[case.name] = case.prepare()
                figure.values.append(measures[case.name](seconds))
            except ModuleNotFoundError as error:
                figure.missing = f"not installed: {error.name}"
            except UnavailableError as reason:
                figure.missing = str(reason)
    return figures


# ---- comparing ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Ratio:
    """One figure over another.

    spread: how far off it may be, by the half-spreads of both added up; None if unknown.
    """

    value: float
    spread: float | None
    more_is_better: bool

    @property
    def verdict(self) -> str:
        """The word better or worse if the difference is larger than the spread, else nothing."""
        if self.spread is None or abs(self.value - 1) <= self.spread:
            return ""
        return "better" if (self.value > 1) == self.more_is_better else "worse"

    def __str__(self) -> str:
        spread = "?" if self.spread is None else f"{self.spread:.2g}"
        return f"{self.value:.3g} ± {spread}"


def ratio(new: Figure, old: Figure) -> Ratio | None:
    """The ratio new / old; None if either is missing or they are of different kinds."""
    if not new.values or not old.values or new.unit != old.unit:
        return None
    value, spread = new.median / old.median, None
    if new.half_spread is not None and old.half_spread is not None:
        spread = value * (new.half_spread + old.half_spread)
    return Ratio(value, spread, new.unit.endswith("/s"))


# ---- lines ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Column:
    """A heading and what stands under it, by the name of the case and its figure."""

    heading: str
    cell: Callable[[str, Figure], str]


def number(value: float) -> str:
    """Three digits, or all of those before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _spread(_: str, figure: Figure) -> str:
    return "" if figure.half_spread is None else f"± {100 * figure.half_spread:.1f} %"


def _each(_: str, figure: Figure) -> str:
    rate = figure.values and figure.unit.endswith("/s")
    return duration(1 / figure.median) if rate else ""


PLAIN = (
    Column("median", lambda _, figure: number(figure.median) if figure.values else ""),
    Column("half-spread", _spread),
    Column("unit", lambda _, figure: figure.unit),
    Column("one takes", _each),
)


def compared(old: Figures) -> tuple[Column, ...]:
    """Columns that compare with an older table."""

    def against(name: str, figure: Figure) -> Ratio | None:
        return ratio(figure, old[name]) if name in old else None

    return (
        Column("before", lambda name, _: PLAIN[0].cell(name, old[name]) if name in old else ""),
        Column("new / old", lambda name, figure: str(against(name, figure) or "")),
        Column("", lambda name, figure: getattr(against(name, figure), "verdict", "")),
    )


def unlike(new: dict[str, Any], old: dict[str, Any]) -> dict[str, str]:
    """What is not the same on the machine of an older table -> what it was there."""
    there = old["machine"].items()
    return {name: f"was {fact}" for name, fact in there if new["machine"].get(name) != fact}


def lines(figures: Figures, columns: Iterable[Column]) -> Table:
    """The table for the terminal."""
    columns = list(columns)
    if any(figure.missing for figure in figures.values()):
        columns.append(Column("why not", lambda _, figure: figure.missing))
    table = Table(box=None, pad_edge=False)
    table.add_column("case", no_wrap=True)
    for column in columns:
        table.add_column(column.heading, justify="right", no_wrap=True)
    for name, figure in figures.items():
        table.add_row(name, *(column.cell(name, figure) for column in columns))
    return table


# ---- files ----------------------------------------------------------------------------------
def write(figures: Figures, about: dict[str, Any], path: Path) -> None:
    """Write everything as JSON, at once."""
    cases = {
        name: asdict(figure)
        | ({"median": figure.median, "half_spread": figure.half_spread} if figure.values else {})
        for name, figure in figures.items()
    }
    write_json(path, about | {"cases": cases})


def read(path: Path) -> tuple[Figures, dict[str, Any]]:
    """What `write` has written -> (figures, about)."""
    about = json.loads(path.read_text(encoding="utf-8"))
    derived = {"median", "half_spread"}
    figures = {
        name: Figure(**{key: value for key, value in case.items() if key not in derived})
        for name, case in about.pop("cases").items()
    }
    return figures, about
