"""What came out of a comparison, and where the policies disagree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from rich.console import Group
from rich.text import Text

from agemonia_env.packs.patches import SEPARATOR
from agemonia_env.rulesets.agemonia.content.load import load_pack

from .accumulator import METRICS, Tally
from .experiment import Experiment, Variant
from .page import Page, Section
from .plots import intervals
from .study_config import game_text
from .study_result import Findings, and_more, text_table

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


@dataclass(frozen=True, repr=False)
class Report(Findings):
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

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Where the policies disagree, a row for each policy."""
        rows = [
            {key: value for key, value in found.items() if key != "policies"}
            | {"policy": policy, "low": low, "high": high}
            for found in self.disagreements
            for policy, (low, high) in found["policies"].items()
        ]
        return {"disagreements": rows}

    @property
    def headline(self) -> str:
        """What becomes of the win rate in the first cell."""
        told = f"{self.experiment.b.name} against {self.experiment.a.name}: {self._lead()[0]}"
        return told + and_more(len(self.experiment.cells) - 1)

    def _lead(self) -> list[str]:
        """What becomes of the win rate in each cell, a sentence each."""
        won = [row for row in self.rows if row["metric"] == "won"]
        return list(map(_in_words, map(str, self.experiment.cells), won))

    def page(self) -> Page:
        """All of it for the browser."""
        a, b = self.experiment.a, self.experiment.b
        won = [row for row in self.rows if row["metric"] == "won"]
        names = [str(cell) for cell in self.experiment.cells]
        spans = [tuple(100 * row[key] for key in ("difference", "low", "high")) for row in won]
        label = "B - A, percentage points of games won, 95 % interval"
        first = Section(
            "What it does to the win rate",
            "Orange: the Heroes win less often in B. Blue: more often. Grey: it may be nothing.",
            intervals(names, spans, label),
        )
        return Page(
            title=f"{b.name} against {a.name}",
            text=self.experiment.text,
            lead=[*self._lead(), *self._told()],
            marks={
                "pack": load_pack(a.pack).name.partition(SEPARATOR)[0],
                **_marks("A", a),
                **_marks("B", b),
                **{f"model {name}": mark for name, mark in self.experiment.models.items()},
                "seed": str(self.experiment.cells[0].plans[0].seed),
            },
            sections=[first, *(self._section(i) for i in range(len(self.experiment.cells)))],
        )

    def _own(self, i: int) -> list[dict[str, Any]]:
        """The rows of a cell."""
        return self.rows[i * len(METRICS) : (i + 1) * len(METRICS)]

    def _section(self, i: int) -> Section:
        """A cell of the page."""
        rows, cell = self._own(i), self.experiment.cells[i]
        text = "The numbers of A and B are the same here. " if cell.alike else ""
        return Section(
            title=f"{cell}: {rows[0]['pairs']:,} pairs of games",
            text=text + "Pairing: how many times more games it would take without common seeds.",
            heads=COLUMNS,
            rows=[_line(row) for row in rows],
            sure=frozenset(k for k, row in enumerate(rows) if _is_sure(row)),
        )

    def __rich__(self) -> Group:
        """All of it for the terminal."""
        a, b = self.experiment.a, self.experiment.b
        parts: list[Any] = [Text("\n".join([*_lines("A", a), *_lines("B", b)]))]
        for i, cell in enumerate(self.experiment.cells):
            own = self._own(i)
            title = f"{cell}: {own[0]['pairs']:,} pairs of games"
            sure = [k for k, row in enumerate(own) if _is_sure(row)]
            parts.append(text_table(title, COLUMNS, [_line(row) for row in own], sure))
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
            scale = 100 if found["metric"] == "won" else 1
            policies = found["policies"].items()
            told = (f"{name} {points(low, high, scale)}" for name, (low, high) in policies)
            how = "in direction" if found["opposite"] else "in size"
            lines.append(
                f"The policies disagree {how}: {game_text(found)}: {WORDS[found['metric']]}: "
                + "; ".join(told)
            )
        return lines


def _marks(key: str, variant: Variant) -> dict[str, str]:
    """A variant for the page."""
    return {
        key: variant.name,
        f"{key} changes": variant.changes,
        f"{key}, fingerprints": f"{variant.fingerprint}, of its numbers {variant.numbers}",
    }


def _lines(key: str, variant: Variant) -> list[str]:
    """A variant for the terminal; what it changes, if its name does not say that."""
    first = f"{key}  {variant.fingerprint}  {variant.name}"
    says = variant.name == variant.changes or variant.changes == "nothing"
    return [first] if says else [first, f"   changes  {variant.changes}"]


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    """A row of the table."""
    scale = 100 if row["metric"] == "won" else 1
    a, b, difference, low, high = (
        scale * row[key] for key in ("a", "b", "difference", "low", "high")
    )
    gain = "-" if row["gain"] is None else f"{row['gain']:.1f} x"
    interval = f"{low:+.2f} to {high:+.2f}"
    return (WORDS[row["metric"]], f"{a:.2f}", f"{b:.2f}", f"{difference:+.2f}", interval, gain)


def _is_sure(row: dict[str, Any]) -> bool:
    """Whether zero lies outside of the interval."""
    return bool(row["low"] > 0 or row["high"] < 0)


def _in_words(cell: str, row: dict[str, Any]) -> str:
    """What becomes of the win rate, as a sentence."""
    a, b = 100 * row["a"], 100 * row["b"]
    told = f"{cell}: the Heroes win {b:.1f} % of games instead of {a:.1f} %, "
    if row["low"] == row["high"] == 0:
        return f"{told}as the numbers of A and B are the same here."
    sure = "" if _is_sure(row) else "; it may be nothing"
    return told + f"{points(row['low'], row['high'])} points{sure}."


def points(low: float, high: float, scale: float = 100) -> str:
    """An interval by its middle: `-3.10 ± 0.84`."""
    return f"{scale * (low + high) / 2:+.2f} ± {scale * (high - low) / 2:.2f}"
