"""What came out of a comparison: a table, JSON, Parquet, and where the policies disagree."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from ..simulation.parts import flush, partial_of, write_whole
from .experiment import Experiment
from .log import JSON, PARQUET
from .tally import METRICS, Tally

WORDS = {
    "won": "won, %",
    "rounds": "rounds",
    "exhausted": "Heroes exhausted",
    "damage_dealt": "damage dealt",
    "damage_taken": "damage taken",
    "chips_left": "chips left",
}
SETTING = ("scenario", "party", "level", "difficulty")
COLUMNS = ("", "A", "B", "B - A", "95 % interval", "pairing")


@dataclass(frozen=True)
class Report:
    """An experiment that was played; tallies: of its cells."""

    experiment: Experiment
    tallies: tuple[Tally, ...]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each metric of each cell: means of a and b, difference b - a and its 95 % interval.

        `won` is a share, not a percentage. `gain`: how many times fewer games it takes than with
        games that share no seed; None where no pair differed.
        """
        rows = []
        for cell, tally in zip(self.experiment.cells, self.tallies, strict=True):
            for metric in METRICS:
                found = tally.found(metric, alike=cell.alike)
                low, high = self.experiment.interval(found)
                rows.append(
                    {
                        **cell.setting(),
                        "pairs": found.pairs,
                        "metric": metric,
                        "a": found.a,
                        "b": found.b,
                        "difference": found.difference,
                        "low": low,
                        "high": high,
                        "gain": found.gain,
                    }
                )
        return rows

    @cached_property
    def disagreements(self) -> list[dict[str, Any]]:
        """Pairs of policies that a change does different things to.

        Either their intervals lie on different sides of zero, or, for the win rate, they have no
        point in common.
        """
        found = []
        for one, other in combinations(self.rows, 2):
            same = (*SETTING, "metric")
            if one["policy"] == other["policy"] or any(one[k] != other[k] for k in same):
                continue
            lower, upper = sorted((one, other), key=lambda row: (row["low"], row["high"]))
            apart = upper["low"] > lower["high"]
            opposite = lower["high"] < 0 < upper["low"]
            if opposite or (apart and one["metric"] == "won"):
                told = {key: one[key] for key in same}
                policies = {row["policy"]: [row["low"], row["high"]] for row in (one, other)}
                found.append({**told, "opposite": opposite, "policies": policies})
        return found

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able; nothing of the machine or the time."""
        return {
            **self.experiment.record(),
            "interval": "one look" if self.experiment.width is None else "any look",
            "results": self.rows,
            "disagreements": self.disagreements,
        }

    def frame(self) -> pl.DataFrame:
        """The rows as a table."""
        return pl.DataFrame(self.rows, infer_schema_length=None)

    def write(self, folder: Path) -> None:
        """Write report.json and report.parquet."""
        write_whole(folder / JSON, json.dumps(self.record(), indent=1).encode() + b"\n")
        partial = partial_of(folder / PARQUET)
        self.frame().write_parquet(partial)
        flush(partial)
        os.replace(partial, folder / PARQUET)

    def __rich__(self) -> Group:
        """All of it for the terminal."""
        a, b = self.experiment.a, self.experiment.b
        parts: list[Any] = [Text(f"A  {a.fingerprint}  {a.name}\nB  {b.fingerprint}  {b.name}")]
        for i, cell in enumerate(self.experiment.cells):
            own = self.rows[i * len(METRICS) : (i + 1) * len(METRICS)]
            parts.append(_table(f"{cell}: {own[0]['pairs']:,} pairs of games", own))
            if cell.alike:
                parts.append(Text("The numbers of A and B are the same here.\n"))
            width, reached = self.experiment.width, 100 * (own[0]["high"] - own[0]["low"])
            if width is not None and reached > width:
                parts.append(Text(f"No more games: {reached:.2f} points wide, not {width}.\n"))
        parts += [Text(line) for line in self._told()]
        return Group(*parts)

    def _told(self) -> list[str]:
        """Where the policies disagree, a line each."""
        lines = []
        for found in self.disagreements:
            setting = ", ".join(str(found[key]) for key in SETTING)
            scale = 100 if found["metric"] == "won" else 1
            policies = found["policies"].items()
            told = (f"{name} {points(low, high, scale)}" for name, (low, high) in policies)
            how = "in direction" if found["opposite"] else "in size"
            lines.append(
                f"The policies disagree {how}: {setting}: {WORDS[found['metric']]}: "
                + "; ".join(told)
            )
        return lines


def _table(title: str, rows: list[dict[str, Any]]) -> Table:
    """The metrics of a cell; a difference that is sure is bold."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
    for heading in COLUMNS:
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for row in rows:
        scale = 100 if row["metric"] == "won" else 1
        a, b, difference, low, high = (
            scale * row[key] for key in ("a", "b", "difference", "low", "high")
        )
        sure = "bold" if low > 0 or high < 0 else ""
        gain = "-" if row["gain"] is None else f"{row['gain']:.1f} x"
        interval = f"{low:+.2f} to {high:+.2f}"
        shown = (WORDS[row["metric"]], f"{a:.2f}", f"{b:.2f}", f"{difference:+.2f}", interval, gain)
        table.add_row(*shown, style=sure)
    return table


def points(low: float, high: float, scale: float = 100) -> str:
    """An interval by its middle: `-3.10 ± 0.84`."""
    return f"{scale * (low + high) / 2:+.2f} ± {scale * (high - low) / 2:.2f}"
