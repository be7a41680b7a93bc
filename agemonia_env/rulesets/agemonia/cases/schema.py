"""The schema of maps, figures, dice and decks of a case; unknown keys are refused.

Maps, sheets, Enemy cards and Trap cards are those of the content packs.
"""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, PlainValidator, model_validator

from agemonia_env.display.messages import shown

from ..content.schema import (
    AttackTypeName,
    ColourName,
    CompanionSheet,
    ConditionName,
    Count,
    EnemyCard,
    HeroSheet,
    Levels,
    MapCard,
    Name,
    SpecialName,
    Strict,
    TrapCard,
)

RESERVED = ("result", "events", "areas", "fate", "initiative", "ended")
"""Keys of an expectation that are not figures; neither figures nor areas bear these names."""


def listed(value: Any) -> list[Any]:
    """One name, several, or none, as a list."""
    return [] if value is None else [value] if isinstance(value, str) else list(value)


class Map(MapCard):
    """The map of a case: every named area exists, every pair of areas has at most one border."""

    @model_validator(mode="after")
    def _known(self) -> Map:
        if not self.areas:
            raise ValueError("a map needs at least one area")
        pairs: set[frozenset[str]] = set()
        for border in self.borders:
            pair = frozenset(border.between)
            if len(pair) < 2 or pair in pairs:
                raise ValueError(f"border {border.between} is given twice or of one area")
            pairs.add(pair)
        lines = [border.between for border in self.borders] + self.ropes + (self.sight or [])
        for name in (name for line in lines for name in line):
            if name not in self.areas:
                raise ValueError(f"area {shown(name)} is not among {', '.join(self.areas)}")
        return self


# ---- figures ------------------------------------------------------------------------------------
class RiposteState(Strict):
    """R11.10; omitted parts do not restrict."""

    amount: Count
    range: Count | None = None
    type: AttackTypeName | None = None
    when: Literal["damaged", "undamaged"] | None = None


class LockState(Strict):
    """Chips lying on a passive action or item (section 14)."""

    chips: Count
    need: Count | None = None
    reactive: Levels = Levels()


class Figure(Strict):
    """State of any figure."""

    area: Name | None = None
    conditions: list[ConditionName] = []
    fly: bool = False
    mirror: bool = False
    revenge: bool = False
    riposte: RiposteState | None = None
    special: SpecialName | list[SpecialName] = []
    acted: bool = False


class Hero(Figure):
    """A Hero: its sheet, and what differs from a fresh one."""

    hero: HeroSheet
    disk: Count | None = None
    spent: Count = 0
    wounds: Count | None = None
    locks: dict[Name, Count | LockState] = {}
    wounded: bool = False
    exhausted: bool = False
    injuries: Count = 0
    inspiration: Count = 0
    achievement: Count = 0
    items: list[Name] = []
    evade: Count = 0
    chosen: Name | None = None
    colour: ColourName = "green"
    focus_rolled: bool = False
    revived: bool = False

    def locked(self) -> int:
        """Chips lying on passive actions and items."""
        return sum(k if isinstance(k, int) else k.chips for k in self.locks.values())

    def chips(self) -> tuple[int, int, int]:
        """Chips on the disk, in the spent pool and in the wound pool, defaults filled in."""
        free = self.hero.blue - self.spent - self.locked()
        if self.disk is None:
            wounds = self.wounds or 0
            return free - wounds, self.spent, wounds
        wounds = free - self.disk if self.wounds is None else self.wounds
        return self.disk, self.spent, wounds

    @model_validator(mode="after")
    def _adds_up(self) -> Hero:
        disk, spent, wounds = self.chips()
        if min(disk, wounds) < 0 or disk + spent + wounds + self.locked() != self.hero.blue:
            parts = f"disk {disk} + spent {spent} + wounds {wounds} + locked {self.locked()}"
            raise ValueError(f"the chips do not add up: {parts} is not blue {self.hero.blue}")
        return self


class Ally(Figure):
    """A Non-Hero Ally."""

    ally: CompanionSheet
    health: Count | None = None
    evade: Count = 0
    exhausted: bool = False


class Enemy(Figure):
    """An Enemy."""

    enemy: EnemyCard
    health: Count | None = None
    number: Annotated[int, Field(ge=1, le=99)] | None = None
    spawned: bool = False


class Token(Figure):
    """A summoned token (R18.7)."""

    token: dict[Name, Name] | None = None
    spawned: bool = False


class Pet(Figure):
    """A pet (R18.8)."""

    pet: dict[Name, Name] | None = None


KINDS: dict[str, type[Figure]] = {
    "hero": Hero,
    "ally": Ally,
    "enemy": Enemy,
    "token": Token,
    "pet": Pet,
}


def of_its_kind(value: Any) -> Figure:
    """A figure, whose kind is one of its keys."""
    kinds = [kind for kind in KINDS if isinstance(value, dict) and kind in value]
    if len(kinds) != 1:
        raise ValueError(f"a figure needs one of {', '.join(KINDS)}")
    return KINDS[kinds[0]].model_validate(value)


Figures = dict[Name, Annotated[Hero | Ally | Enemy | Token | Pet, PlainValidator(of_its_kind)]]


# ---- dice and decks -----------------------------------------------------------------------------
ActionFace: TypeAlias = Literal[0, 1, 2, "X", "S"]
ReactionFace: TypeAlias = Literal[0, 1, 2, "H"]


class Dice(Strict):
    """Scripted faces: one list for all figures, or a list for each figure."""

    action: list[ActionFace] | dict[Name, list[ActionFace]] = []
    reaction: list[ReactionFace] | dict[Name, list[ReactionFace]] = []


class FateDeckState(Strict):
    """Values, first = top; `target` = a timer runs."""

    deck: list[Count] = []
    discard: list[Count] = []
    timer: list[Count] = []
    target: Count | None = None


class InitiativeDeckState(Strict):
    """Names, first = top; a trailing `*` is the Shuffle symbol."""

    deck: list[Name] = []
    discard: list[Name] = []


class Decks(Strict):
    """The decks of a case."""

    trap: list[TrapCard] = []
    fate: FateDeckState = FateDeckState()
    initiative: InitiativeDeckState = InitiativeDeckState()
