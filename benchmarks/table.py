"""Cases and their figures: running in rounds, comparing two runs, printing, files."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.table import Table

from agemonia_env.files.writing import write_json

from .play import Play

Measure = Callable[[float], float]  # seconds to measure for -> a figure


class UnavailableError(Exception):
    """A case cannot be measured here; the message is shown instead of the figure."""


@dataclass(frozen=True)
class Case:
    """One line of the table.

    prepare: sets the case up, once, before its first measurement. n: games side by side. once: too
    slow to repeat. long: takes long, regardless of the seconds to measure for. play: makes what a
    rate is measured on.
    """

    name: str
    unit: str
    prepare: Callable[[], Measure]
    n: int = 1
    threads: int = 1
    once: bool = False
    long: bool = False
    play: Callable[[], Play] | None = None


@dataclass
class Figure:
    """The measurements of a case.

    missing: why there are none. yardsticks: the yardstick's rate around each measurement; empty if
    it was not measured. sizes: of what was measured; only beside other libraries.
    """

    unit: str
    n: int = 1
    threads: int = 1
    values: list[float] = field(default_factory=list)
    missing: str = ""
    yardsticks: list[float] = field(default_factory=list)
    sizes: dict[str, float] = field(default_factory=dict)

    @property
    def median(self) -> float:
        """The median of all repeats."""
        return statistics.median(self.values)

    @property
    def half_spread(self) -> float | None:
        """(max - min) / 2 as a share of the median; None after one measurement."""
        if len(self.values) < 2:
            return None
        return (max(self.values) - min(self.values)) / 2 / self.median

    @property
    def scaled(self) -> Figure:
        """Rates divided by the yardstick's, times multiplied by it; without one unchanged."""
        if not self.yardsticks:
            return self
        pairs = zip(self.values, self.yardsticks, strict=True)
        rate = self.unit.endswith("/s")
        return replace(self, values=[x / y if rate else x * y for x, y in pairs])


Figures = dict[str, Figure]


def is_timed(unit: str) -> bool:
    """Whether a unit is a rate or a time, which depend on the speed of the machine."""
    return unit.endswith("/s") or unit == "s"


def run(
    cases: Sequence[Case],
    repeats: int,
    seconds: float,
    tell: Callable[[str], None],
    yardstick: Callable[[Case], Measure | None] = lambda _: None,
) -> Figures:
    """Measure every case `repeats` times, in rounds, so that a noisy moment affects all alike.

    tell: called with the name of the next case. yardstick: gives the yardstick for a case, measured
    for an eighth of `seconds` before and after each measurement.
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
                beside = yardstick(case)
                before = beside(seconds / 8) if beside else 0.0
                figure.values.append(measures[case.name](seconds))
                if beside:
                    figure.yardsticks.append((before + beside(seconds / 8)) / 2)
            except ModuleNotFoundError as error:
                figure.missing = f"not installed: {error.name}"
            except UnavailableError as reason:
                figure.missing = str(reason)
    return figures


# ---- comparing ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Ratio:
    """One figure over another.

    spread: its uncertainty, from the sum of both half-spreads; None if unknown.
    """

    value: float
    spread: float | None
    more_is_better: bool

    @property
    def verdict(self) -> str:
        """The word better or worse if the difference exceeds the spread, else ""."""
        if self.spread is None or abs(self.value - 1) <= self.spread:
            return ""
        return "better" if (self.value > 1) == self.more_is_better else "worse"

    def is_below(self, floor: float) -> bool:
        """Whether it is worse than `floor` times as good, beyond the spread; floor: above 0."""
        if self.spread is None:
            return False
        if self.more_is_better:
            return self.value + self.spread < floor
        return self.value - self.spread > 1 / floor

    def __str__(self) -> str:
        spread = "?" if self.spread is None else f"{self.spread:.2g}"
        return f"{self.value:.3g} ± {spread}"


def ratio(new: Figure, old: Figure) -> Ratio | None:
    """The ratio new / old; None if either is missing or their units differ."""
    if not new.values or not old.values or new.unit != old.unit:
        return None
    value, spread = new.median / old.median, None
    if new.half_spread is not None and old.half_spread is not None:
        spread = value * (new.half_spread + old.half_spread)
    return Ratio(value, spread, new.unit.endswith("/s"))


def compare(new: Figure, old: Figure, *, scaled: bool) -> Ratio | None:
    """The ratio new / old; scaled: of times and rates as multiples of the yardstick.

    None if a measurement or its yardstick is missing, or the units differ.
    """
    if not scaled or not is_timed(new.unit):
        return ratio(new, old)
    return ratio(new.scaled, old.scaled) if new.yardsticks and old.yardsticks else None


# ---- printing -------------------------------------------------------------------------------
@dataclass(frozen=True)
class Column:
    """A heading, and the cell for a case's name and figure."""

    heading: str
    cell: Callable[[str, Figure], str]


def number(value: float) -> str:
    """Three significant digits, or all digits before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def duration(seconds: float) -> str:
    """Seconds in a suitable unit."""
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
    Column("time each", _each),
)


def compared(old: Figures, *, scaled: bool) -> tuple[Column, ...]:
    """Columns that compare with an earlier run; scaled: as multiples of the yardstick."""

    def against(name: str, figure: Figure) -> Ratio | None:
        return compare(figure, old[name], scaled=scaled) if name in old else None

    heading = "new / old, in yardsticks" if scaled else "new / old"
    return (
        Column("before", lambda name, _: PLAIN[0].cell(name, old[name]) if name in old else ""),
        Column(heading, lambda name, figure: str(against(name, figure) or "")),
        Column("", lambda name, figure: getattr(against(name, figure), "verdict", "")),
    )


def unlike(new: dict[str, Any], old: dict[str, Any]) -> dict[str, str]:
    """Differences to the machine of an earlier run: name -> its value there."""
    before = old["machine"].items()
    return {name: f"was {fact}" for name, fact in before if new["machine"].get(name) != fact}


def lines(figures: Figures, columns: Iterable[Column]) -> Table:
    """The table for the terminal."""
    columns = list(columns)
    if any(figure.missing for figure in figures.values()):
        columns.append(Column("missing because", lambda _, figure: figure.missing))
    table = Table(box=None, pad_edge=False)
    table.add_column("case", no_wrap=True)
    for column in columns:
        table.add_column(column.heading, justify="right", no_wrap=True)
    for name, figure in figures.items():
        table.add_row(name, *(column.cell(name, figure) for column in columns))
    return table


# ---- files ----------------------------------------------------------------------------------
def write(figures: Figures, about: dict[str, Any], path: Path) -> None:
    """Write figures and facts as JSON, atomically; figures have six significant digits."""
    write_json(path, about | {"cases": {name: _row(figures[name]) for name in figures}})


def _row(figure: Figure) -> dict[str, Any]:
    """A figure as it is stored."""
    row = asdict(figure)
    if not figure.sizes:
        del row["sizes"]
    row |= {"values": _rounded(figure.values), "yardsticks": _rounded(figure.yardsticks)}
    if figure.values:
        row |= {"median": figure.median, "half_spread": figure.half_spread}
    return row


def _rounded(values: list[float]) -> list[float]:
    return [float(f"{value:.6g}") for value in values]


def read(path: Path) -> tuple[Figures, dict[str, Any]]:
    """Read a file of `write` -> (figures, about). Raises OSError or ValueError, naming the file."""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # neither UTF-8 nor JSON
        raise ValueError(f"{path}: must be JSON as --json writes it, but {error}") from None
    try:
        if not all(isinstance(about[facts], dict) for facts in ("machine", "run")):
            raise TypeError("facts")
        figures = {name: _figure(**case) for name, case in about.pop("cases").items()}
    except (AttributeError, KeyError, TypeError):
        raise ValueError(
            f"{path}: must be a file that this version of `python -m benchmarks --json` wrote"
        ) from None
    return figures, about


def _figure(median: float = 0.0, half_spread: float | None = None, **given: Any) -> Figure:
    """The figure of a file, without what is derived from its values. Raises TypeError."""
    figure = Figure(**given)
    numbers = [*figure.values, *figure.yardsticks]
    lengths = {len(figure.values), len(figure.yardsticks) or len(figure.values)}
    if len(lengths) > 1 or not all(isinstance(x, int | float) and x > 0 for x in numbers):
        raise TypeError("values")
    return figure
