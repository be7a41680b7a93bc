"""Items, tokens and pets."""

from __future__ import annotations

from typing import Literal

from .basics import (
    AttackTypeName,
    Band,
    Count,
    EnemyConditions,
    Levels,
    Name,
    RiderBits,
    RiderName,
    Signed,
    SpecialName,
    Strict,
    Text,
    WearName,
)
from .effects import Effect, Passive


class FigureCard(Strict):
    """A file of figures/: a summoned token (R18.7) or a pet (R18.8)."""

    name: Name
    """What people read; no two figures of a pack have the same name."""
    text: Text
    """What the card says."""
    pet: bool = False
    """Whether it is a pet, which an item brings; otherwise an effect summons it (R18.8)."""
    fly: bool = False
    """Whether it flies (R7.18)."""
    move: Count = 0
    """Areas that a pet moves in each turn of its owner (R18.8)."""
    harm: Count = 0
    """Damage to an Enemy in its area, when it is commanded."""
    harm_leaving: Count = 0
    """Damage to each Enemy that walks out of its area (R18.8)."""


class ItemWeapon(Strict):
    """What an item is as a weapon (R17.7)."""

    type: AttackTypeName
    """Which attacks it serves."""
    bonus: Signed = 0
    """Added to the damage (R17.7)."""
    range: Band | None = None
    """Nearest and farthest distance; not given: the own area and full ones beside it in melee,
    `[1, 3]` ranged, `[0, 3]` magic (R9.13, R17.7)."""
    takes: RiderBits = []
    """Which riders can be used with it (R17.6)."""


class ItemRider(Strict):
    """What serves one attack: poison, an arrow or a rune, named before the roll (R17.6)."""

    kind: RiderName
    """Which weapons take it (R17.6)."""
    dice: Count = 0
    """Action dice added."""
    bonus: Count = 0
    """Damage added."""
    pierce: Count = 0
    """Shield points ignored (R9.30)."""
    condition: EnemyConditions = []
    """What Enemies gain that the attack damages (R9.10)."""


class Opening(Strict):
    """A special initiative, taken as turns begin (R15.9)."""

    special: SpecialName = "first"
    """Which one (R15.1)."""
    cost: Count = 0
    """Stamina that it costs."""


class ItemCard(Strict):
    """An item (section 17). `effects` work when it is used; it is then discarded unless `kept`."""

    name: Name
    """What people read; no two items of a pack have the same name."""
    text: Text
    """What the card says; keep it true to the keys below, from which it is not derived."""
    wear: WearName = "none"
    """How it is put to use; `none`: it works from the bag (R17.1, R17.4)."""
    hands: Literal[0, 1, 2] = 0
    """Hands that hold it; more than 0 exactly where `wear` is `hand` (R17.1)."""
    weight: Count = 1
    """What it weighs while not in use; a Hero carries 5 (R17.3)."""
    carry: Count = 0
    """Weight that its wearer can carry more; only of a backpack (R17.3)."""
    weapon: ItemWeapon | None = None
    """What it is as a weapon; needs `wear: hand` (R17.7)."""
    rider: ItemRider | None = None
    """What it adds to one attack (R17.6)."""
    passive: Passive | None = None
    """What works while it is in use, with `need` while stamina is locked on it; needs `wear`
    (R14.10, R17.8)."""
    boost: Levels = Levels()
    """Successes that discarding it adds to a reactive check of each ability (R3.12, R17.8)."""
    boost_active: Levels = Levels()
    """Successes that discarding it adds to an active check of each ability (R3.12)."""
    opening: Opening | None = None
    """A special initiative that it gives (R15.9)."""
    effects: list[Effect] = []
    """What using it does, in order (R6.11)."""
    maneuver: bool = False
    """Whether using it costs a maneuver (R6.4)."""
    kept: bool = False
    """Whether it stays when it has been used, and works once in a scenario."""
    own: bool = False
    """Whether it always stays with its Hero (R17.5)."""
    rope: bool = False
    """Whether it is a Hook & Rope (R7.17)."""
    armour_rune: bool = False
    """Whether it works only with armour that has a slot for it (R17.6)."""
    rune_slot: bool = False
    """Whether it is armour with such a slot (R17.6)."""
    pet: Name | None = None
    """A pet of `figures/` that it brings; needs `wear: pet` (R18.8)."""


class ItemCards(Strict):
    """A file of items/: any number of items, each by the key under which other files know it."""

    items: dict[Name, ItemCard]
    """Each key and its item; no key stands in two files."""
