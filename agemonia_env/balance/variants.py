"""Many variants of a pack to rank: a list of changes, all combinations of values, or both.

The pack as it is takes part. Variants whose games are the same are played once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from agemonia_env.display.messages import shown
from agemonia_env.packs.folders import ContentError, Mistakes, listed
from agemonia_env.packs.patches import is_file, read_patch, split
from agemonia_env.simulation.plan import Plan

from .experiment import Arm, ArmConfig
from .game_cache import plan_hash
from .one_at_a_time import Range
from .parameters import with_values, wrong_ranges
from .racing import FIRST, Goal, Rule
from .study_config import FEWEST_GAMES, Study, StudyConfig, plans_of

GAMES = 10_000  # default, most games of a variant per condition
MOST_VARIANTS = 1_000
SHARPEST = 10  # part of the most games at which a sequence is tightest: most are dropped early
AS_IT_IS = "as it is"


class RankConfig(StudyConfig):
    """A file for `agemonia balance rank`; keys as in balance.rank."""

    variants: Annotated[list[Arm], BeforeValidator(listed)] = Field(default_factory=list)
    values: dict[str, Range] = Field(default_factory=dict)
    goal: Annotated[float, Field(ge=0, le=100)] | Literal["highest", "lowest"] = "highest"
    within: Annotated[float, Field(ge=0, le=100)] = 1.0

    def check_own(self, base: Sequence[Plan], wrong: Mistakes) -> None:
        """Gather mistakes in variants and values."""
        points = prod(high - low + 1 for low, high in self.values.values() if high > low)
        number = len(self.variants) + (points if self.values else 0)
        if not 0 < number <= MOST_VARIANTS:
            wrong.errors.append(
                f"variants, values: {number} variants; they must be 1 to {MOST_VARIANTS}, as a "
                "list of changes, as PATH: [from, to], or both"
            )
        named = {AS_IT_IS: list[str]()}
        for k, arm in enumerate(self.variants):
            with wrong.gathered(f"variants[{k}]: "):
                pack = self.tools.variant(self.pack, *arm.changes)
                if base:
                    plans_of(self, pack, FEWEST_GAMES)
                name = _name(arm)
                if named.setdefault(name, arm.changes) != arm.changes:
                    raise ValueError(f"name {shown(name)}: another variant has this name")
        wrong.errors += wrong_ranges("values", self.tools, self.pack, self.values, self.tools.cards)


@dataclass(frozen=True)
class Variant:
    """A variant and its plans, one per condition. twins: names of others with the same games."""

    name: str
    pack: str
    plans: tuple[Plan, ...]
    twins: tuple[str, ...] = ()


@dataclass(frozen=True)
class RankStudy(Study):
    """A ranking to run. variants: the pack as it is first; refused: what it does not allow."""

    name = "ranking"

    config: RankConfig
    variants: tuple[Variant, ...]
    refused: dict[str, str]

    @property
    def rule(self) -> Rule:
        """Who is surely worse."""
        goal = self.config.goal
        share: Goal = goal if isinstance(goal, str) else goal / 100
        return Rule(share, len(self.variants), max(FIRST, self.games / SHARPEST))

    def n_games(self) -> int:
        """The most games there may be to play."""
        return len(self.variants) * len(self.base) * self.games


def make_rank_study(config: RankConfig) -> RankStudy:
    """Build the variants of a config. ContentError if none differs from the pack as it is."""
    base = plans_of(config, config.pack, config.games or GAMES)
    found: dict[tuple[str, ...], Variant] = {}
    refused: dict[str, str] = {}
    for name, pack in _packs(config, refused):
        try:
            found_plans = plans_of(config, pack, base[0].games)
            # In chunks of which each look takes whole ones
            plans = tuple(replace(plan, chunk=min(plan.chunk, FIRST)) for plan in found_plans)
        except ValueError as error:
            refused[name] = str(error).split("\n")[0]
            continue
        first = found.setdefault(tuple(map(plan_hash, plans)), Variant(name, pack, plans))
        if first.name != name:
            twins = (*first.twins, name)
            found[tuple(map(plan_hash, plans))] = replace(first, twins=twins)
    if len(found) < 2:
        why = next(iter(refused.values()), "none of the changes affects these games")
        raise ContentError([f"variants, values: nothing to rank: {why}"])
    return RankStudy(config, tuple(base), tuple(found.values()), refused)


def _packs(config: RankConfig, refused: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Every variant: its name and pack. Values that the pack does not allow go to `refused`."""
    yield AS_IT_IS, config.pack
    for arm in config.variants:
        pack = config.tools.variant(config.pack, *arm.changes)
        yield _name(arm), pack
    for values in _points(config):
        name = _listed(values)
        try:
            yield name, with_values(config.tools, config.pack, values)
        except ValueError as error:
            refused[name] = str(error).split("\n")[0]


def _points(config: RankConfig) -> Iterator[dict[str, int]]:
    """All combinations of the values."""
    ranges = [range(low, high + 1) for low, high in config.values.values()]
    for point in product(*ranges) if ranges else ():
        yield dict(zip(config.values, point, strict=True))


def _listed(values: Mapping[str, int]) -> str:
    """Values as text."""
    return ", ".join(f"{path} = {to}" for path, to in values.items())


def names_in_words(config: RankConfig) -> dict[str, str]:
    """In words, by name: the variants that have no name but their changes."""
    words = config.tools.words(split(config.pack)[0])  # paths of changes are those of its files
    found = {
        _name(arm): "; ".join(
            _named(one) if is_file(one) else words.changes([one]) for one in arm.changes
        )
        for arm in config.variants
        if arm.name is None and arm.changes
    }
    labels = config.tools.words(config.pack).of_paths(config.values)
    for values in _points(config):
        found[_listed(values)] = _listed({labels[path]: to for path, to in values.items()})
    return found


def _name(arm: ArmConfig) -> str:
    """The name of a variant: its own, or its changes."""
    return arm.name or "; ".join(map(_named, arm.changes)) or AS_IT_IS


def _named(change: str) -> str:
    """A change as it was written, or the name of a file of changes."""
    return (read_patch(Path(change)).name or change) if is_file(change) else change
