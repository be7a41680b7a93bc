"""One-at-a-time sensitivity: move each number one step down and up, and rank the effects.

Method `steps`; `morris` and `sobol` are in global_sensitivity.py.
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

from agemonia_env.display.messages import counted
from agemonia_env.display.reports import text_table
from agemonia_env.packs.folders import ContentError, Mistakes, listed
from agemonia_env.simulation.interval import one_look
from agemonia_env.simulation.plan import Plan

from .accumulator import Difference, accumulate, metrics_of
from .game_cache import GameCache, n_games, plan_hash
from .page import Page, Section
from .parameters import numbers, paths_of, with_values, wrong_ranges
from .plots import tornado
from .study_config import (
    FEWEST_GAMES,
    Study,
    StudyConfig,
    condition,
    condition_text,
    plans_of,
)
from .study_result import StudyResult, and_more

GAMES = 1_000  # default, of a variant per condition
MOST_TOLD = 5  # steps in a sentence
SHOWN = 25  # numbers in the picture, rows on the terminal
Range = Annotated[list[int], Field(min_length=2, max_length=2)]


OWN = {  # keys of one method only
    "steps": ("of", "step", "false_discoveries"),
    "morris": ("ranges", "trajectories"),
    "sobol": ("ranges", "samples"),
}


def _power_of_two(number: int) -> int:
    """Refuse sizes for which Sobol's sequence is unbalanced."""
    if number & (number - 1):
        raise ValueError(f"must be a power of two, such as 16, 32 or 64; it is {number}")
    return number


class SensitivityConfig(StudyConfig):
    """A file for `agemonia balance sensitivity`; keys as in balance.sensitivity."""

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
        """Gather mistakes in the method's keys, and keys of other methods."""
        own = OWN[self.method]
        for key in dict.fromkeys(key for keys in OWN.values() for key in keys):
            if key in self.model_fields_set and key not in own:
                wrong.errors.append(
                    f"{key}: not a key of method {self.method}, which has {', '.join(own)}"
                )
        if self.method == "steps":
            with wrong.gathered("of: "):
                numbers(self.tools, self.pack, self.of)
            return
        if len(self.ranges) < 2:
            wrong.errors.append(
                f"ranges: {self.method} needs at least two numbers, as PATH: [from, to]"
            )
        played = partial(plans_of, self, games=FEWEST_GAMES) if base else self.tools.cards
        wrong.errors += wrong_ranges("ranges", self.tools, self.pack, self.ranges, played)


@dataclass(frozen=True)
class Variant:
    """A pack with one number changed."""

    path: str
    old: int
    new: int
    pack: str


@dataclass(frozen=True)
class StepStudy(Study):
    """Variants of a pack to play.

    plans: of each variant, as base. refused: invalid changes, and why. idle: numbers that affect
    none of these games.
    """

    name = "sensitivity"

    config: SensitivityConfig
    variants: tuple[Variant, ...]
    plans: tuple[tuple[Plan, ...], ...]
    refused: dict[str, str]
    idle: tuple[str, ...]

    def all_plans(self) -> list[Plan]:
        """Every plan, those of the unchanged pack first."""
        return [*self.base, *(plan for plans in self.plans for plan in plans)]

    def n_games(self) -> int:
        """The number of games to play."""
        return n_games(self.all_plans())


def make_step_study(config: SensitivityConfig) -> StepStudy:
    """Build the variants of a config. Raises ContentError if there are none."""
    base = plans_of(config, config.pack, config.games or GAMES)
    found = numbers(config.tools, config.pack, config.of or paths_of(config.tools, base))
    variants, plans, idle = [], [], []
    refused: dict[str, str] = {}
    same = [plan_hash(plan) for plan in base]
    for path, old in found.items():
        touched = False
        for new in (old - config.step, old + config.step):
            try:
                pack = with_values(config.tools, config.pack, {path: new})
                own = plans_of(config, pack, base[0].games)
            except ValueError as error:
                refused[f"{path} = {new}"] = str(error).split("\n")[0]
                continue
            if [plan_hash(plan) for plan in own] == same:
                continue
            touched = True
            variants.append(Variant(path, old, new, pack))
            plans.append(tuple(own))
        if not touched and f"{path} = {old + config.step}" not in refused:
            idle.append(path)
    if not variants:
        raise ContentError([f"of: {_nothing(2 * len(found), refused)}"])
    return StepStudy(config, tuple(base), tuple(variants), tuple(plans), refused, tuple(idle))


def _nothing(steps: int, refused: Mapping[str, str]) -> str:
    """Say why none of so many steps can be played."""
    reasons = []
    if len(refused) < steps:
        reasons.append("none of these numbers affects these games")
    if refused:
        why = next(iter(refused.values()))
        reasons.append(f"{len(refused)} of {steps} steps are invalid: {why}")
    return "; ".join(reasons)


def play_step_study(steps: StepStudy, cache: GameCache) -> StepSensitivity:
    """Play the study and rank the steps."""
    frames = cache.play(steps.all_plans())
    n, metrics = len(steps.base), metrics_of(steps.config.env)
    found = []
    for k, plans in enumerate(steps.plans, start=1):
        pairs = zip(frames[:n], frames[n * k : n * (k + 1)], strict=True)
        sums = [accumulate(*pair, metrics) for pair in pairs]
        alike = [plan_hash(a) == plan_hash(b) for a, b in zip(steps.base, plans, strict=True)]
        both = list(zip(sums, alike, strict=True))
        found.append({m: [one.difference(m, alike=same) for one, same in both] for m in metrics})
    return StepSensitivity(steps, tuple(found))


@dataclass(frozen=True, repr=False)
class StepSensitivity(StudyResult):
    """The effect of each step. found: of each variant, by metric, per condition."""

    steps: StepStudy
    found: tuple[dict[str, list[Difference]], ...]

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """Each variant in each condition, the largest changes of the win rate first.

        p: of the test that the win rate does not change. q: the same, adjusted so that calling all
        rows with q <= x sure keeps the share of false discoveries at x (Benjamini and Hochberg,
        1995). sure: q is at most `false_discoveries`.
        """
        rows = [
            self._row(k, i)
            for k in range(len(self.steps.variants))
            for i in range(len(self.steps.base))
        ]
        for row, q in zip(rows, discovery_rates([row["p"] for row in rows]), strict=True):
            row["q"] = q
            row["sure"] = q <= self.steps.config.false_discoveries
        return sorted(rows, key=lambda row: (-abs(row["difference"]), row["path"], row["new"]))

    def _row(self, k: int, i: int) -> dict[str, Any]:
        variant, found = self.steps.variants[k], self.found[k]
        won = found["won"][i]
        half = one_look(won.pairs, won.variance)
        return {
            "path": variant.path,
            "old": variant.old,
            "new": variant.new,
            **condition(self.steps.base[i]),
            "pairs": won.pairs,
            "a": won.a,
            "b": won.b,
            "difference": won.difference,
            "low": won.difference - half,
            "high": won.difference + half,
            "gain": won.gain,
            "p": two_sided(won.difference, won.variance / won.pairs),
            **{f"{name}_change": own[i].difference for name, own in found.items() if name != "won"},
        }

    @cached_property
    def labels(self) -> dict[str, str]:
        """Every number in words, by path."""
        steps = self.steps
        refused = (change.rpartition(" = ")[0] for change in steps.refused)
        paths = dict.fromkeys([*(one.path for one in steps.variants), *steps.idle, *refused])
        return steps.config.tools.words(steps.config.pack).of_paths(paths)

    def _refused(self) -> dict[str, str]:
        """What the pack does not allow in words, and why."""
        parted = ((change.rpartition(" = "), why) for change, why in self.steps.refused.items())
        return {f"{self.labels[path]} = {to}": why for (path, _, to), why in parted}

    def record(self) -> dict[str, Any]:
        """The result, JSON-able."""
        rest = {"refused": self.steps.refused, "idle": list(self.steps.idle)}
        return {**self.steps.record(), **rest, "results": self.rows}

    # ---- for readers -------------------------------------------------------------------------
    def _in(self, i: int) -> list[dict[str, Any]]:
        """The rows of a condition."""
        here = condition(self.steps.base[i])
        return [row for row in self.rows if all(row[key] == here[key] for key in here)]

    def _title(self, i: int) -> str:
        plan = self.steps.base[i]
        return f"{condition_text(plan)}: {plan.games:,} pairs of games for each step"

    @property
    def headline(self) -> str:
        """The largest sure effect in the first condition."""
        return " ".join(self._lead(0)[:2]) + and_more(len(self.steps.base) - 1)

    def page(self) -> Page:
        """The result for the browser."""
        (steps, config), n = (self.steps, self.steps.config), len(self.steps.base)
        sections = [self._section(i) for i in range(n)]
        left = {
            "Not allowed by the pack": self._refused(),
            "No effect on these games": {self.labels[path]: "" for path in steps.idle},
        }
        sections += [
            Section(title, "", "", ("change", "why"), [list(pair) for pair in lines.items()])
            for title, lines in left.items()
            if lines
        ]
        scenarios = dict.fromkeys(plan.kinds[0].scenario for plan in steps.base)
        return Page(
            title=f"What matters: {', '.join(scenarios)}",
            text=config.text,
            lead=[*(line for i in range(n) for line in self._lead(i)), *self._everywhere()],
            provenance=steps.provenance(),
            sections=sections,
        )

    def _lead(self, i: int) -> list[str]:
        """Sentences on the largest sure effects."""
        rows = [row for row in self._in(i) if row["sure"]]
        share = f"{condition_text(self.steps.base[i])}: {len(rows)} of {len(self._in(i))} steps"
        lines = [f"{share} change the win rate; at most {self.steps.config.false_discoveries:.0%} "
                 "of these are chance findings."]  # fmt: skip
        return lines + [
            f"{self._step(row)}: {100 * row['difference']:+.1f} points." for row in rows[:3]
        ]

    def _step(self, row: dict[str, Any]) -> str:
        """A step in words."""
        return f"{self.labels[row['path']]} {row['old']} → {row['new']}"

    def _everywhere(self) -> list[str]:
        """Which steps surely do the same in every condition, and how many numbers do nothing."""
        lines, n = [], len(self.steps.base)
        if n > 1:
            signs = [
                {
                    (row["path"], row["new"], row["difference"] > 0)
                    for row in self._in(i)
                    if row["sure"]
                }
                for i in range(n)
            ]
            alike = set.intersection(*signs)
            told = [
                self._step(row)
                for row in self._in(0)
                if (row["path"], row["new"], row["difference"] > 0) in alike
            ]
            text = "; ".join(told[:MOST_TOLD]) or "none"
            more = len(told) - MOST_TOLD
            text += f"; and {more} more" * (more > 0)
            lines.append(f"Surely in the same direction in all {n} kinds of games: {text}.")
        if self.steps.idle:
            lines.append(f"{counted(len(self.steps.idle), 'number')} cannot matter in these games.")
        return lines

    def _section(self, i: int) -> Section:
        rows = self._in(i)
        by_path: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            by_path.setdefault(row["path"], []).append(row)
        shown = list(by_path.items())[:SHOWN]
        names = [f"{self.labels[path]} ({own[0]['old']})" for path, own in shown]
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
            text=f"The {len(shown)} numbers that matter most, with their values in brackets. Bold "
            "rows are sure, corrected for their number. Paths are in report.json.",
            picture=tornado(names, pairs, label),
            heads=HEADS,
            rows=[line(row, self.labels) for row in rows],
            sure=frozenset(k for k, row in enumerate(rows) if row["sure"]),
        )

    def __rich__(self) -> Group:
        """The result for the terminal."""
        parts: list[Any] = []
        for i in range(len(self.steps.base)):
            rows = self._in(i)
            sure = [k for k, row in enumerate(rows) if row["sure"]]
            table = text_table(
                self._title(i), HEADS, [line(row, self.labels) for row in rows[:SHOWN]], sure
            )
            parts.append(table)
            if len(rows) > SHOWN:
                parts.append(Text(f"and {len(rows) - SHOWN} more with smaller effects\n"))
        steps = self.steps
        parts.append(Text(f"The pack does not allow {len(steps.refused)} changes; "
                          f"{len(steps.idle)} numbers have no effect here."))  # fmt: skip
        return Group(*parts)


HEADS = ("number", "old", "new", "won, %", "change", "95 % interval", "q", "rounds")


def line(row: dict[str, Any], labels: Mapping[str, str]) -> list[str]:
    """A row of the table as text. labels: of the numbers, by path."""
    low, high = 100 * row["low"], 100 * row["high"]
    return [
        labels[row["path"]],
        str(row["old"]),
        str(row["new"]),
        f"{100 * row['b']:.1f}",
        f"{100 * row['difference']:+.2f}",
        f"{low:+.2f} to {high:+.2f}",
        f"{row['q']:.3f}",
        f"{row['rounds_change']:+.2f}",
    ]


def two_sided(difference: float, variance: float) -> float:
    """The two-sided p value of a mean difference with this variance."""
    return erfc(abs(difference) / sqrt(2 * variance)) if variance else float(difference == 0)


def one_sided(difference: float, variance: float) -> float:
    """The p value of a mean difference with this variance, if it is at most 0."""
    return erfc(difference / sqrt(2 * variance)) / 2 if variance else float(difference <= 0)


def discovery_rates(chances: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's adjusted p values."""
    from scipy.stats import false_discovery_control

    return [float(q) for q in false_discovery_control(np.array(chances))]
