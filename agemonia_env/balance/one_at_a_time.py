"""Which numbers matter? Each of them is put one step up and down, and all are ranked.

`steps` is this module; `morris` and `sobol` (screening.py) move many numbers at once over ranges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import erfc, sqrt
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field
from rich.console import Group
from rich.text import Text

from agemonia_env.packs.folders import ContentError, Mistakes, listed
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.simulation import required
from agemonia_env.simulation.plan import Plan

from .accumulator import METRICS, Difference, tally
from .interval import one_look
from .page import Page, Section
from .parameters import numbers, parts_of, with_values, wrong_ranges
from .plots import tornado
from .runs import Runs, mark_of, n_games
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

GAMES = 1_000  # of a variant in a setting, if nothing is said
SHOWN = 25  # numbers in the picture and on the terminal
Range = Annotated[list[int], Field(min_length=2, max_length=2)]


OWN = {  # keys that belong to one method
    "steps": ("of", "step", "false_discoveries"),
    "morris": ("ranges", "trajectories"),
    "sobol": ("ranges", "samples"),
}


def _power_of_two(number: int) -> int:
    """The number itself; ValueError if Sobol's sequence is not even after so many points."""
    if number & (number - 1):
        raise ValueError(f"must be a power of two, such as 16, 32 or 64; it is {number}")
    return number


class SensitivityCard(SettingCard):
    """A file for `agemonia balance sensitivity`; what balance.sensitivity takes by these names."""

    method: Literal["steps", "morris", "sobol"] = "steps"
    of: Annotated[list[str], BeforeValidator(listed), Field(min_length=1)] = Field(
        default_factory=list
    )
    step: Annotated[int, Field(ge=1)] = 1
    false_discoveries: Annotated[float, Field(gt=0, lt=1)] = 0.05
    ranges: dict[str, Range] = Field(default_factory=dict)
    trajectories: Annotated[int, Field(ge=2)] = 10
    samples: Annotated[int, Field(ge=4), AfterValidator(_power_of_two)] = 64

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Gather what is wrong with the method's keys, and which of them are another one's."""
        own = OWN[self.method]
        for key in dict.fromkeys(key for keys in OWN.values() for key in keys):
            if key in self.model_fields_set and key not in own:
                told = f"{key}: method {self.method} has no such key, but {', '.join(own)}"
                wrong.errors.append(told)
        if self.method == "steps":
            with wrong.gathered("of: "):
                numbers(self.pack, self.of)
            return
        if len(self.ranges) < 2:
            told = f"ranges: {self.method} needs two numbers at least, as PATH: [from, to]"
            wrong.errors.append(told)
        played = partial(plans_of, self, games=FEWEST_GAMES) if base else load_pack
        wrong.errors += wrong_ranges("ranges", self.pack, self.ranges, played)


@dataclass(frozen=True)
class Variant:
    """One number put to another value."""

    path: str
    old: int
    new: int
    pack: str


@dataclass(frozen=True)
class Steps:
    """Variants of a pack in settings. plans: of the pack as it is, and of each variant.

    refused: changes that the pack does not allow, and why. idle: numbers that nothing here meets.
    """

    card: SensitivityCard
    base: tuple[Plan, ...]
    variants: tuple[Variant, ...]
    plans: tuple[tuple[Plan, ...], ...]
    refused: dict[str, str]
    idle: tuple[str, ...]

    def all_plans(self) -> list[Plan]:
        """Every plan, those of the pack as it is before the others."""
        return [*self.base, *(plan for plans in self.plans for plan in plans)]

    def n_games(self) -> int:
        """How many games it takes."""
        return n_games(self.all_plans())

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able, with versions; nothing of the machine."""
        return study_record("sensitivity", self.card, self.base)


def make_steps(card: SensitivityCard) -> Steps:
    """The variants of a card. Raises ContentError if there is none."""
    base = plans_of(card, card.pack, card.games or GAMES)
    found = numbers(card.pack, card.of or parts_of(base))
    variants, plans, idle = [], [], []
    refused: dict[str, str] = {}
    same = [mark_of(plan) for plan in base]
    for path, old in found.items():
        touched = False
        for new in (old - card.step, old + card.step):
            try:
                pack = with_values(card.pack, {path: new})
                own = plans_of(card, pack, base[0].games)
            except ValueError as error:
                refused[f"{path} = {new}"] = str(error).split("\n")[0]
                continue
            if [mark_of(plan) for plan in own] == same:
                continue
            touched = True
            variants.append(Variant(path, old, new, pack))
            plans.append(tuple(own))
        if not touched and f"{path} = {old + card.step}" not in refused:
            idle.append(path)
    if not variants:
        raise ContentError([f"of: {_nothing(2 * len(found), refused)}"])
    return Steps(card, tuple(base), tuple(variants), tuple(plans), refused, tuple(idle))


def _nothing(steps: int, refused: Mapping[str, str]) -> str:
    """Why there is nothing to play among so many steps."""
    told = []
    if len(refused) < steps:
        told.append("none of these numbers is met in these games")
    if refused:
        why = next(iter(refused.values()))
        told.append(f"the pack refuses {len(refused)} of {steps} steps: {why}")
    return "; ".join(told)


def play_steps(steps: Steps, runs: Runs) -> Sensitivity:
    """Play everything, and rank it."""
    frames = runs.play(steps.all_plans())
    n = len(steps.base)
    found = []
    for k, plans in enumerate(steps.plans, start=1):
        tallies = [tally(*two) for two in zip(frames[:n], frames[n * k : n * (k + 1)], strict=True)]
        alike = [mark_of(a) == mark_of(b) for a, b in zip(steps.base, plans, strict=True)]
        both = list(zip(tallies, alike, strict=True))
        found.append({m: [one.found(m, alike=same) for one, same in both] for m in METRICS})
    return Sensitivity(steps, tuple(found))


@dataclass(frozen=True, repr=False)
class Sensitivity(Findings):
    """What each step does. found: of each variant, by metric, in each setting."""

    steps: Steps
    found: tuple[dict[str, list[Difference]], ...]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each variant in each setting, those that change the win rate most first.

        p: of the test that the win rate does not change. q: the largest share of false discoveries
        among all rows with a q as small as this (Benjamini and Hochberg, 1995). `sure`: that is at
        most `false_discoveries`.
        """
        rows = [
            self._row(k, i)
            for k in range(len(self.steps.variants))
            for i in range(len(self.steps.base))
        ]
        for row, q in zip(rows, discovery_rates([row["p"] for row in rows]), strict=True):
            row["q"] = q
            row["sure"] = q <= self.steps.card.false_discoveries
        return sorted(rows, key=lambda row: (-abs(row["difference"]), row["path"], row["new"]))

    def _row(self, k: int, i: int) -> dict[str, Any]:
        variant, found = self.steps.variants[k], self.found[k]
        won = found["won"][i]
        half = one_look(won.pairs, won.variance)
        return {
            "path": variant.path,
            "old": variant.old,
            "new": variant.new,
            **setting(self.steps.base[i]),
            "pairs": won.pairs,
            "a": won.a,
            "b": won.b,
            "difference": won.difference,
            "low": won.difference - half,
            "high": won.difference + half,
            "gain": won.gain,
            "p": two_sided(won.difference, won.variance / won.pairs),
            **{f"{name}_change": found[name][i].difference for name in METRICS if name != "won"},
        }

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able."""
        told = {"refused": self.steps.refused, "idle": list(self.steps.idle)}
        return {**self.steps.record(), **told, "results": self.rows}

    # ---- to be read -------------------------------------------------------------------------
    def _in(self, i: int) -> list[dict[str, Any]]:
        """The rows of a setting."""
        here = setting(self.steps.base[i])
        return [row for row in self.rows if all(row[key] == here[key] for key in here)]

    def _title(self, i: int) -> str:
        plan = self.steps.base[i]
        return f"{setting_text(plan)}: {plan.games:,} pairs of games for each step"

    @property
    def headline(self) -> str:
        """What is sure and largest in the first setting."""
        return " ".join(self._lead(0)[:2]) + and_more(len(self.steps.base) - 1)

    def page(self) -> Page:
        """All of it for the browser."""
        (steps, card), n = (self.steps, self.steps.card), len(self.steps.base)
        sections = [self._section(i) for i in range(n)]
        left = {
            "Not allowed by the pack": steps.refused,
            "Met by nothing in these games": dict.fromkeys(steps.idle, ""),
        }
        sections += [
            Section(title, "", "", ("change", "why"), [list(pair) for pair in told.items()])
            for title, told in left.items()
            if told
        ]
        scenarios = dict.fromkeys(plan.kinds[0].scenario for plan in steps.base)
        return Page(
            title=f"What matters: {', '.join(scenarios)}",
            text=card.text,
            lead=[line for i in range(n) for line in self._lead(i)],
            marks=marks_of(card, steps.base),
            sections=sections,
        )

    def _lead(self, i: int) -> list[str]:
        """What is sure and large, a sentence each."""
        rows = [row for row in self._in(i) if row["sure"]]
        told = f"{setting_text(self.steps.base[i])}: {len(rows)} of {len(self._in(i))} steps change"
        lines = [f"{told} the win rate, at most {self.steps.card.false_discoveries:.0%} of these "
                 "found by mere chance."]  # fmt: skip
        return lines + [
            f"{row['path']} {row['old']} → {row['new']}: {100 * row['difference']:+.1f} points."
            for row in rows[:3]
        ]

    def _section(self, i: int) -> Section:
        rows = self._in(i)
        by_path: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            by_path.setdefault(row["path"], []).append(row)
        shown = list(by_path.items())[:SHOWN]
        names = [f"{path}  ({own[0]['old']})" for path, own in shown]
        pairs = [
            tuple(
                tuple(100 * row[key] for key in ("difference", "low", "high"))
                for row in sorted(own, key=lambda row: row["new"])
            )
            for _, own in shown
        ]
        label = "percentage points of games won, one step down (upper bar) and up (lower bar)"
        return Section(
            title=self._title(i),
            text=f"The {len(shown)} numbers that matter most, their values in brackets. Bold rows "
            "are sure, all of them taken together.",
            picture=tornado(names, pairs, label),
            heads=HEADS,
            rows=[line(row) for row in rows],
            sure=frozenset(k for k, row in enumerate(rows) if row["sure"]),
        )

    def __rich__(self) -> Group:
        """All of it for the terminal."""
        parts: list[Any] = []
        for i in range(len(self.steps.base)):
            rows = self._in(i)
            sure = [k for k, row in enumerate(rows) if row["sure"]]
            table = text_table(self._title(i), HEADS, [line(row) for row in rows[:SHOWN]], sure)
            parts.append(table)
            if len(rows) > SHOWN:
                parts.append(Text(f"and {len(rows) - SHOWN} more, which change less\n"))
        steps = self.steps
        parts.append(Text(f"{len(steps.refused)} changes are not allowed by the pack, "
                          f"{len(steps.idle)} numbers are met by nothing here."))  # fmt: skip
        return Group(*parts)


HEADS = ("number", "old", "new", "won, %", "change", "95 % interval", "q", "rounds")


def line(row: dict[str, Any]) -> list[str]:
    """A row of the table."""
    low, high = 100 * row["low"], 100 * row["high"]
    return [
        row["path"],
        str(row["old"]),
        str(row["new"]),
        f"{100 * row['b']:.1f}",
        f"{100 * row['difference']:+.2f}",
        f"{low:+.2f} to {high:+.2f}",
        f"{row['q']:.3f}",
        f"{row['rounds_change']:+.2f}",
    ]


def two_sided(difference: float, variance: float) -> float:
    """The chance of a difference as large as this one, or larger, where there is none."""
    return erfc(abs(difference) / sqrt(2 * variance)) if variance else float(difference == 0)


def discovery_rates(chances: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p values."""
    required("scipy", "balance")
    from scipy.stats import false_discovery_control

    return [float(q) for q in false_discovery_control(np.array(chances))]
