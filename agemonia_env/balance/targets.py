"""Targets of a search: what they say in a file, and which games each is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from agemonia_env.packs.folders import STRICT, Mistakes
from agemonia_env.simulation.plan import Plan

from .measures import EXHAUSTED, MEAN_ROUNDS, SPREAD, WON, Measure, Span, rounds_quantile
from .study_config import condition

# Keys of a target, one of each, and what they are about unless they say more
KINDS = {"won": WON, "rounds": MEAN_ROUNDS, "spread": SPREAD, "exhausted": EXHAUSTED}
YES, UNSURE, NO = "yes", "not sure", "no"


def _as_bounds(value: Any) -> Any:
    """A number is both ends, a list of two is one each."""
    ends = [value, value] if isinstance(value, int | float) else value
    if not isinstance(ends, list):
        return ends
    if len(ends) != 2:
        raise ValueError("must be a number, [from, to], or at_least and at_most")
    return {"at_least": ends[0], "at_most": ends[1]}


class Bounds(BaseModel):
    """Where a statistic should be; one end may be open."""

    model_config = STRICT

    at_least: Annotated[float, Field(allow_inf_nan=False)] | None = None
    at_most: Annotated[float, Field(allow_inf_nan=False)] | None = None

    def wrong(self, most: float, unit: str) -> str:
        """What is wrong with the ends; empty if nothing is."""
        ends = [end for end in (self.at_least, self.at_most) if end is not None]
        if not ends:
            return "needs at_least, at_most or both"
        if ends != sorted(ends) or not 0 <= ends[0] <= ends[-1] <= most:
            return f"{ends}: must be {unit}, the smaller first"
        return ""

    def span(self, scale: float = 1.0) -> Span:
        """Both ends, divided by `scale`, infinite where open."""
        low = -inf if self.at_least is None else self.at_least / scale
        return low, inf if self.at_most is None else self.at_most / scale


class LengthBounds(Bounds):
    """Where the mean length of games should be, or a quantile in percent."""

    quantile: Annotated[float, Field(ge=5, le=95)] | None = None


class TargetConfig(BaseModel):
    """One target, for the conditions it names. Shares are in percent."""

    model_config = STRICT

    won: Annotated[Bounds, BeforeValidator(_as_bounds)] | None = None
    rounds: Annotated[LengthBounds, BeforeValidator(_as_bounds)] | None = None
    spread: Annotated[Bounds, BeforeValidator(_as_bounds)] | None = None
    exhausted: Annotated[Bounds, BeforeValidator(_as_bounds)] | None = None
    scenario: str | None = None
    heroes: int | list[Any] | None = None
    difficulty: str | None = None
    policy: str | None = None

    @property
    def kind(self) -> str:
        """The only one of KINDS that is given. Raises ValueError if it is not one."""
        given = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"needs one of {', '.join(KINDS)}; it has {len(given)} of them")
        return given[0]

    def measured(self) -> tuple[Measure, Span]:
        """What is measured, and where it should be. Raises ValueError for a wrong target."""
        kind = self.kind
        bounds: Bounds = getattr(self, kind)
        measure = KINDS[kind]
        if isinstance(bounds, LengthBounds) and bounds.quantile is not None:
            measure = rounds_quantile(bounds.quantile / 100)
        wrong = bounds.wrong(*((100.0, "percentages") if measure.percent else (inf, "0 or more")))
        if wrong:
            raise ValueError(f"{kind}: {wrong}")
        return measure, bounds.span(100.0 if measure.percent else 1.0)

    def named(self) -> dict[str, Any]:
        """The conditions that it names."""
        return self.model_dump(exclude_none=True, exclude=set(KINDS))

    def is_for(self, plan: Plan) -> bool:
        """Whether it applies to these games."""
        (kind,) = plan.kinds
        return (
            self.scenario in (None, kind.scenario)
            and self.heroes in (None, *heroes_of(plan))
            and self.difficulty in (None, kind.difficulty)
            and self.policy in (None, plan.policy)
        )


def heroes_of(plan: Plan) -> tuple[int | list[str], ...]:
    """The ways a target may name the heroes: their number, or who they are."""
    heroes = plan.kinds[0].arguments().heroes
    return (heroes,) if isinstance(heroes, int) else (len(heroes), list(heroes))


# ---- what they are about ----------------------------------------------------------------------
@dataclass(frozen=True)
class Aim:
    """A target resolved: where a measure should be, in the conditions of these numbers."""

    measure: Measure
    target: Span
    conditions: tuple[int, ...]

    def met(self, low: float, high: float) -> str:
        """Whether it is met: the interval overlaps the target and is narrow enough."""
        if low > self.target[1] or high < self.target[0]:
            return NO
        return YES if high - low <= self.measure.widest + 1e-9 else UNSURE

    def shown(self, value: float) -> str:
        """A value of the measure as text."""
        if self.measure.percent:
            return f"{100 * value:.1f}"
        return f"{value:g}" if self.measure.quantile else f"{value:.2f}"

    @property
    def unit(self) -> str:
        """What its values are counted in."""
        return "%" if self.measure.percent else "rounds"

    @property
    def text(self) -> str:
        """The target as text."""
        scale = 100 if self.measure.percent else 1
        low, high = (scale * end for end in self.target)
        if low == high:
            return f"{low:g}"
        if high == inf:
            return f"at least {low:g}"
        return f"at most {high:g}" if low == -inf else f"{low:g} to {high:g}"


def aims_of(targets: Sequence[TargetConfig], base: Sequence[Plan]) -> tuple[Aim, ...]:
    """The targets of every condition in order; of several alike the last that fits counts."""
    found: dict[tuple[Measure, tuple[int, ...]], Aim] = {}
    for target in targets:
        measure, span = target.measured()
        for group in _groups(measure, target, base):
            found[measure, group] = Aim(measure, span, group)
    return tuple(sorted(found.values(), key=lambda aim: aim.conditions))


def _groups(
    measure: Measure, target: TargetConfig, base: Sequence[Plan]
) -> Iterator[tuple[int, ...]]:
    """Conditions measured together: each by itself, or for a spread those that differ in party."""
    own = [i for i, plan in enumerate(base) if target.is_for(plan)]
    if measure != SPREAD:
        yield from ((i,) for i in own)
        return
    alike: dict[tuple[Any, ...], list[int]] = {}
    for i in own:
        rest = condition(base[i])
        del rest["party"]
        alike.setdefault(tuple(rest.values()), []).append(i)
    yield from (tuple(group) for group in alike.values() if len(group) > 1)


def check_targets(targets: Sequence[TargetConfig], base: Sequence[Plan], wrong: Mistakes) -> None:
    """Gather mistakes in targets; base: plans of the study, empty if another key is wrong."""
    for target in targets:
        with wrong.gathered("targets: "):
            measure, _ = target.measured()
            if base and not any(map(target.is_for, base)):
                raise ValueError(f"{target.named()}: no game of this study matches")
            if base and not list(_groups(measure, target, base)):
                raise ValueError("spread: needs two parties that play the same; see `heroes`")
