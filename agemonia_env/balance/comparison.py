"""The result of a comparison, and where policies disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import sqrt
from typing import Any

from rich.console import Group
from rich.text import Text

from agemonia_env.display.messages import counted
from agemonia_env.display.reports import text_table
from agemonia_env.packs.patches import SEPARATOR
from agemonia_env.rulesets.pack_tools import pack_tools_of

from .accumulator import Accumulator, Odds
from .experiment import Experiment, Variant
from .page import Page, Section
from .plots import intervals
from .study_config import game_text, pack_name
from .study_result import StudyResult, and_more

LABELS = {
    "won": "won, %",
    "rounds": "rounds",
    "exhausted": "heroes exhausted",
    "damage_dealt": "damage dealt",
    "damage_taken": "damage taken",
}
ROOM = 0.02  # from nothing or everything won, within which little can show
MOST_LISTED = 4  # conditions of which each has a sentence of its own
CONDITION = ("scenario", "party", "level", "difficulty")
COLUMNS = ("", "A", "B", "B - A", "95 % interval", "pairing")
PAIRING = "Pairing: how many times more games it would take without common seeds."


@dataclass(frozen=True, repr=False)
class Comparison(StudyResult):
    """A played experiment; sums: of each condition."""

    experiment: Experiment
    sums: tuple[Accumulator, ...]

    @cached_property
    def labels(self) -> dict[str, str]:
        """Labels of the metrics by name."""
        own = pack_tools_of(self.experiment.env).metrics
        return LABELS | {name: label for name, (_, label) in own.items()}

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each metric per condition: means of a and b, difference b - a and its 95 % interval.

        won: a share, not a percentage. gain: how many times more games it would take without common
        seeds; None where no pair differed.
        """
        rows = []
        for condition, sums in zip(self.experiment.conditions, self.sums, strict=True):
            for metric in self.labels:
                found = sums.difference(metric, alike=condition.alike)
                low, high = self.experiment.interval(found)
                rows.append(
                    {
                        **condition.condition(),
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
        """Pairs of policies that a change affects differently.

        Their intervals are on different sides of zero or, for the win rate, apart: see `_apart`.
        """
        found = []
        same = (*CONDITION, "metric")
        for (i, one), (k, other) in combinations(enumerate(self.rows), 2):
            if one["policy"] == other["policy"] or any(one[key] != other[key] for key in same):
                continue
            lower, upper = sorted((one, other), key=lambda row: (row["low"], row["high"]))
            opposite = lower["high"] < 0 < upper["low"]
            if opposite or (one["metric"] == "won" and self._apart(i, k)):
                text = {key: one[key] for key in same}
                policies = {row["policy"]: [row["low"], row["high"]] for row in (one, other)}
                found.append({**text, "opposite": opposite, "policies": policies})
        return found

    def _apart(self, i: int, k: int) -> bool:
        """Whether two rows of win rates differ by more than their floors and ceilings explain.

        A policy that wins almost nothing or almost everything cannot show what another one shows.
        So the intervals must not overlap, neither in points nor as log-odds; and the larger change
        of the log-odds must be one that would show at the other policy's win rate.
        """
        one, other = self.rows[i], self.rows[k]
        if one["low"] <= other["high"] and other["low"] <= one["high"]:
            return False
        (first, half), (second, other_half) = self._odds(i), self._odds(k)
        if abs(first.change - second.change) <= half + other_half:
            return False
        smaller, larger, row = (
            (first, second, one)
            if abs(first.change) < abs(second.change)
            else (second, first, other)
        )
        return abs(larger.carried_to(smaller.a)) > float(row["high"] - row["low"]) / 2

    def _odds(self, i: int) -> tuple[Odds, float]:
        """The change of the log-odds in a row of win rates, and half the width of its interval."""
        k, row = i // len(self.labels), self.rows[i]
        won = self.sums[k].difference("won", alike=self.experiment.conditions[k].alike)
        odds = self.sums[k].log_odds()
        widened = sqrt(odds.variance / won.variance) if won.variance else 0.0
        return odds, (row["high"] - row["low"]) / 2 * widened

    def record(self) -> dict[str, Any]:
        """The result, JSON-able, independent of machine and time."""
        return {
            **self.experiment.record(),
            "interval": "one look" if self.experiment.width is None else "any look",
            "results": self.rows,
            "disagreements": self.disagreements,
        }

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """The disagreements, a row per policy."""
        rows = [
            {key: value for key, value in found.items() if key != "policies"}
            | {"policy": policy, "low": low, "high": high}
            for found in self.disagreements
            for policy, (low, high) in found["policies"].items()
        ]
        return {"disagreements": rows}

    @property
    def headline(self) -> str:
        """The change of the win rate in the first condition."""
        first = _in_words(str(self.experiment.conditions[0]), self._won[0])
        text = f"{self.experiment.b.label} against {self.experiment.a.label}: {first}"
        return text + and_more(len(self.experiment.conditions) - 1)

    @property
    def _won(self) -> list[dict[str, Any]]:
        """The win rate in each condition."""
        return [row for row in self.rows if row["metric"] == "won"]

    def _lead(self) -> list[str]:
        """Whether it changes anything, how much, how sure that is, and for which policies."""
        named = list(zip(map(str, self.experiment.conditions), self._won, strict=True))
        if len(named) <= MOST_LISTED:
            lines = [_in_words(*one) for one in named]
        else:
            lines = [summary(self._won)]
            sure = [one for one in named if _is_sure(one[1])]
            if sure:
                most = max(sure, key=lambda one: abs(one[1]["difference"]))
                lines.append(f"The largest sure change: {_in_words(*most)}")
        lines += for_policies(self._won)
        changed = [row for row in self._won if row["low"] != row["high"]]
        if changed and not any(map(_is_sure, self._won)):
            lines.append("No change is sure. Any within the interval is possible; half as wide "
                         "intervals take about four times the games.")  # fmt: skip
        return lines

    def page(self) -> Page:
        """The result for the browser."""
        a, b = self.experiment.a, self.experiment.b
        won = [row for row in self.rows if row["metric"] == "won"]
        names = [str(condition) for condition in self.experiment.conditions]
        spans = [tuple(100 * row[key] for key in ("difference", "low", "high")) for row in won]
        label = "B - A, percentage points of games won, 95 % interval"
        first = Section(
            "The effect on the win rate",
            "Orange: the heroes win less often in B. Blue: more often. Grey: not significant.",
            intervals(names, spans, label),
        )
        return Page(
            title=f"{b.label} against {a.label}",
            text=self.experiment.text,
            lead=[*self._lead(), *self._first_disagreements()],
            provenance={
                "pack": pack_name(a.env, a.pack).partition(SEPARATOR)[0],
                **_marks("A", a),
                **_marks("B", b),
                **{f"model {name}": mark for name, mark in self.experiment.models.items()},
                "seed": str(self.experiment.conditions[0].plans[0].seed),
            },
            sections=[first, *(self._section(i) for i in range(len(self.experiment.conditions)))],
        )

    def _own(self, i: int) -> list[dict[str, Any]]:
        """The rows of a condition."""
        return self.rows[i * len(self.labels) : (i + 1) * len(self.labels)]

    def _section(self, i: int) -> Section:
        """The section of a condition."""
        rows, condition = self._own(i), self.experiment.conditions[i]
        text = no_difference(rows, alike=condition.alike)
        return Section(
            title=f"{condition}: {rows[0]['pairs']:,} pairs of games",
            text=f"{text} {PAIRING}".strip(),
            heads=COLUMNS,
            rows=[self._line(row) for row in rows],
            sure=frozenset(k for k, row in enumerate(rows) if _is_sure(row)),
        )

    def __rich__(self) -> Group:
        """The result for the terminal."""
        a, b = self.experiment.a, self.experiment.b
        parts: list[Any] = [Text("\n".join([*_lines("A", a), *_lines("B", b)]))]
        for i, condition in enumerate(self.experiment.conditions):
            own = self._own(i)
            title = f"{condition}: {own[0]['pairs']:,} pairs of games"
            sure = [k for k, row in enumerate(own) if _is_sure(row)]
            parts.append(text_table(title, COLUMNS, [self._line(row) for row in own], sure))
            text = no_difference(own, alike=condition.alike)
            if text:
                parts.append(Text(f"{text}\n"))
            width, reached = self.experiment.width, 100 * (own[0]["high"] - own[0]["low"])
            if width is not None and reached > width:
                parts.append(
                    Text(f"Out of games: the interval is {reached:.2f} points wide, not {width}.\n")
                )
        parts += [Text(line) for line in self._disagreements()]
        return Group(*parts)

    def _disagreements(self) -> list[str]:
        """The disagreements, a line each."""
        lines = []
        for found in self.disagreements:
            scale = 100 if found["metric"] == "won" else 1
            policies = found["policies"].items()
            text = (f"{name} {points(low, high, scale)}" for name, (low, high) in policies)
            how = "in direction" if found["opposite"] else "in size"
            lines.append(
                f"The policies disagree {how}: {game_text(found)}: {self.labels[found['metric']]}: "
                + "; ".join(text)
            )
        return lines

    def _first_disagreements(self) -> list[str]:
        """A few disagreements, and how many there are."""
        lines = self._disagreements()
        more = len(lines) - MOST_LISTED
        note = f"{counted(more, 'more disagreement')} of policies are in report.json."
        return [*lines[:MOST_LISTED], *([note] if more > 0 else [])]

    def _line(self, row: dict[str, Any]) -> tuple[str, ...]:
        """A row of the table as text."""
        scale = 100 if row["metric"] == "won" else 1
        a, b, difference, low, high = (
            scale * row[key] for key in ("a", "b", "difference", "low", "high")
        )
        gain = "-" if row["gain"] is None else f"{row['gain']:.1f} x"
        interval = f"{low:+.2f} to {high:+.2f}"
        return (
            self.labels[row["metric"]],
            f"{a:.2f}",
            f"{b:.2f}",
            f"{difference:+.2f}",
            interval,
            gain,
        )


def no_difference(rows: Sequence[dict[str, Any]], *, alike: bool) -> str:
    """Why the rows of a condition show no difference at all; "" if they show any."""
    if alike:
        return "A and B have the same numbers here."
    if all(row["difference"] == 0 and row["gain"] is None for row in rows):  # in every pair
        return "Every pair of games ended alike: no game reached what was changed."
    return ""


def _marks(key: str, variant: Variant) -> dict[str, str]:
    """The provenance of a variant."""
    return {
        key: variant.label,
        f"{key} changes": variant.changes,
        f"{key}, fingerprints": f"{variant.fingerprint}, of its numbers {variant.numbers}",
    }


def _lines(key: str, variant: Variant) -> list[str]:
    """A variant for the terminal, with its changes as they can be read again."""
    first = f"{key}  {variant.fingerprint}  {variant.label}"
    return [first] if variant.changes == "nothing" else [first, f"   changes  {variant.changes}"]


def _is_sure(row: dict[str, Any]) -> bool:
    """Whether the interval excludes zero."""
    return bool(row["low"] > 0 or row["high"] < 0)


def summary(won: Sequence[dict[str, Any]]) -> str:
    """What many conditions show of the win rate, in a sentence."""
    fewer = [row for row in won if row["high"] < 0]
    more = [row for row in won if row["low"] > 0]
    rest = len(won) - len(fewer) - len(more)
    parts = [
        f"{how} in {len(rows)}, by {_from_to(rows)} points"
        for how, rows in (("surely less often", fewer), ("surely more often", more))
        if rows
    ]
    parts += [f"no significant difference in {rest}"] if rest else []
    return f"In {len(won)} kinds of games, with B instead of A the heroes win: {'; '.join(parts)}."


def _from_to(rows: Sequence[dict[str, Any]]) -> str:
    """The smallest and largest difference of win rates, without their signs."""
    sizes = sorted(100 * abs(row["difference"]) for row in rows)
    low, high = f"{sizes[0]:.1f}", f"{sizes[-1]:.1f}"
    return low if low == high else f"{low} to {high}"


def for_policies(won: Sequence[dict[str, Any]]) -> list[str]:
    """Whether the answer is the same for every policy, if there are several."""
    policies = list(dict.fromkeys(row["policy"] for row in won))
    if len(policies) < 2:
        return []
    signs = [(row["low"] > 0) - (row["high"] < 0) for row in won]
    for sign, how in ((1, "more"), (-1, "less")):
        if all(one == sign for one in signs):
            return [f"Every policy that was tried ({', '.join(policies)}) surely wins {how} often."]
    shown = {row["policy"] for row, sign in zip(won, signs, strict=True) if sign}
    unshown = [policy for policy in policies if policy not in shown]
    if not shown or not unshown:
        return []
    told = [f"It is shown for {', '.join(p for p in policies if p in shown)}, and not for "
            f"{', '.join(unshown)}: no difference is significant there."]  # fmt: skip
    stuck = [policy for policy in unshown if not any(
        has_room(row) for row in won if row["policy"] == policy)]  # fmt: skip
    if stuck:
        told.append(f"With {', '.join(stuck)} nearly every game ends alike, so little could show.")
    return told


def has_room(row: dict[str, Any]) -> bool:
    """Whether a win rate can move: neither nearly all games are won nor nearly all lost."""
    return any(ROOM < row[key] < 1 - ROOM for key in "ab")


def _in_words(condition: str, row: dict[str, Any]) -> str:
    """The change of the win rate as a sentence."""
    a, b = 100 * row["a"], 100 * row["b"]
    text = f"{condition}: the heroes win {b:.1f} % of games instead of {a:.1f} %, "
    if row["low"] == row["high"] == 0:
        return f"{text}as A and B have the same numbers here."
    sure = "" if _is_sure(row) else "; not significant"
    return text + f"{points(row['low'], row['high'])} points{sure}."


def points(low: float, high: float, scale: float = 100) -> str:
    """An interval as text: `-3.10 ± 0.84`."""
    return f"{scale * (low + high) / 2:+.2f} ± {scale * (high - low) / 2:.2f}"
