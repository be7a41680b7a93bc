"""Heroes and Non-Hero Allies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .basics import (
    Abilities,
    AbilityBits,
    AttackTypeBits,
    AttackTypeName,
    Band,
    ColourName,
    Count,
    Levels,
    Name,
    Positive,
    Signed,
    SizeName,
    Strict,
    Text,
)
from .effects import ActionCard, Effect, Passive


class Move(Strict):
    """The two printed versions of a move maneuver (R6.5)."""

    free: Count = 2
    """Movement points without a cost."""
    paid: Count = 3
    """Movement points of the other version."""
    cost: Count = 1
    """Stamina that the other version costs."""


class Recover(Strict):
    """The recover maneuver: one or the other (R6.7)."""

    stamina: Count = 3
    """Stamina restored (R2.6)."""
    damage: Count = 2
    """Damage healed (R2.7)."""


class Weapon(Strict):
    """A weapon that is part of the Hero, always at hand (R17.7)."""

    name: Name = "weapon"
    """What people read."""
    type: AttackTypeName = "melee"
    """Which attacks it serves; a Hero has one natural weapon of a type at most (R9.2)."""
    bonus: Signed = 0
    """Added to the damage (R17.7)."""
    range: Band | None = None
    """Nearest and farthest distance; not given: the own area and full ones beside it in melee,
    `[1, 3]` ranged, `[0, 3]` magic (R9.13, R17.7)."""


class HeroSheet(Abilities):
    """A Hero board for its level."""

    blue: Positive = 8
    """Stamina chips at level 1; one more at each further level (R1.3, R20.2)."""
    red: Positive | None = None
    """Most chips on the disk while wounded; not given: half of `blue`, rounded up (R13.5, Q3)."""
    taunt: Count = 1
    """Enemies with a choice attack the highest Taunt; no two Heroes have the same (R10.13, Q3)."""
    move: Move = Move()
    """The move maneuver (R6.5)."""
    recover: Recover = Recover()
    """The recover maneuver (R6.7)."""
    evade: Count = 0
    """Evade points in every turn (R8.9)."""
    fly: bool = False
    """Whether it flies (R7.18)."""
    weapons: list[Weapon] | None = None
    """None: a plain weapon of each type."""


class CompanionSheet(Abilities):
    """The card of a Non-Hero Ally (R18.1)."""

    health: Positive = 6
    """Starting health (R1.5)."""
    taunt: Count = 1
    """Enemies with a choice attack the highest Taunt (R10.13)."""
    move: Count = 2
    """Movement points of its move maneuver (R18.1)."""
    recover: Count = 2
    """Damage that its recover maneuver heals (R18.2)."""
    colour: ColourName = "green"
    """Its initiative colour (R18.1)."""
    size: SizeName = "normal"
    """Room that it takes: 1, 2 or 3 (R7.3)."""
    evade: Count = 0
    """Evade points in every turn (R8.9)."""
    fly: bool = False
    """Whether it flies (R7.18)."""
    h_worth: Levels = Levels()
    """Successes that an H face counts in reactive checks of each ability (R18.5)."""
    reroll_h: AbilityBits = []
    """Abilities whose reactive checks roll H faces again (R18.5)."""
    never_hindered: bool = False
    """Whether Enemies in its area do not hinder it (R18.5)."""
    undying: bool = False
    """Whether damage leaves it 1 health (R18.5)."""
    fury: Count = 0
    """Damage added to its attacks at half health or less (R18.5)."""
    h_riposte: Count = 0
    """Damage that each H face of its checks deals to an attacker within range 1 (R18.5)."""


class MoreRecover(Strict):
    """Added to the recover maneuver (R6.7)."""

    stamina: Count = 0
    """Stamina restored."""
    damage: Count = 0
    """Damage healed."""


class Skill(Strict):
    """A class skill: what always works, and what a maneuver buys (R20.3)."""

    name: Name
    """What people read; no two skills of a class have the same name."""
    text: Text
    """What the card says."""
    passive: Passive | None = None
    """What always works; its `need` is 0 (section 14)."""
    rerolls: Count = 0
    """Rolls made again as a whole, in a scenario (R3.8)."""
    ignore_aim: AttackTypeBits = []
    """Types of attacks for which obstructed aim does not matter (R9.22)."""
    two_weapons: bool = False
    """Whether the bonuses of two weapons count in one attack (R17.9)."""
    tactics: bool = False
    """Whether it may take another Ally's initiative colour for 1 stamina (R5.6)."""
    disarm: bool = False
    """Whether it has 2 more on checks to disarm traps (R19.7)."""
    carry: Count = 0
    """Weight that it can carry more (R17.3)."""
    recover: MoreRecover = MoreRecover()
    """Added to the recover maneuver (R6.7)."""
    maneuver: list[Effect] = []
    """What spending a maneuver does (R6.4)."""
    once: bool = False
    """Whether that can be done once in a scenario."""


class HeroClass(Strict):
    """One of the two classes between which a Hero chooses at level 2 (R20.3)."""

    name: Name
    """What people read, and what `class` of a party names."""
    text: Text
    """What people read about it."""
    actions: Annotated[list[ActionCard], Field(min_length=4, max_length=4)]
    """For levels 2 to 5; that of level 3 has a `lock`, that of level 4 costs a `gem` (R20.4)."""
    skills: Annotated[list[Skill], Field(min_length=5, max_length=5)]
    """One of them is chosen at each level from 2 on (R20.3)."""


class Hero(HeroSheet):
    """A file of heroes/: the board at level 1, and what grows (R20)."""

    name: Name
    """What people read; no two Heroes of a pack have the same name."""
    title: Name
    """What people read below the name."""
    flavour: Text
    """What people read about it."""
    red: Positive | Annotated[list[Positive], Field(min_length=5, max_length=5)] | None = None  # type: ignore[assignment]
    """Most chips on the disk while wounded: a number for level 1, or one for each level; not
    given: half of `blue`, rounded up (R13.5, Q3)."""
    hands: Literal[2, 4] = 2
    """How many hands hold items (R17.1)."""
    weapons: list[Weapon] = []
    """Natural weapons, one of each type at most; other weapons are items (R17.7)."""
    items: list[Name] = []
    """Items taken along where a party says nothing else; keys of `items/` (R4.6)."""
    actions: Annotated[list[ActionCard], Field(min_length=1, max_length=6)]
    """Actions of level 1 (R5.2)."""
    growth: Annotated[list[ActionCard], Field(min_length=4, max_length=4)]
    """Actions of levels 2 to 5 that both classes have; that of level 3 has a `lock`, that of level
    4 costs a `gem` (R20.3, R20.4)."""
    classes: Annotated[list[HeroClass], Field(min_length=2, max_length=2)]
    """The two classes (R20.3)."""


class AllyCard(CompanionSheet):
    """A file of allies/: a Non-Hero Ally, of a scenario or summoned (R18.1)."""

    name: Name
    """What people read; no two Allies of a pack have the same name."""
    flavour: Text
    """What people read about it."""
    actions: Annotated[list[ActionCard], Field(min_length=1, max_length=6)]
    """Its actions; those with `maneuver: true` stand on the right of its card (R18.1)."""
