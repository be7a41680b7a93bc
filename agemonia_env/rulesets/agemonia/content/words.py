"""Translate words of content files into the numbers of terms.py and layout.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core import layout, terms
from . import schema

DEFAULT_BANDS = {"melee": (-1, -1), "ranged": (1, 3), "magic": (0, 3)}
SIZES = {"normal": 1, "large": 2, "huge": 3}
FACES = {0: 0, 1: 1, 2: 2, "X": layout.FACE_EXTRA, "S": layout.FACE_SYMBOL, "H": layout.FACE_SYMBOL}


def ability(name: str) -> int:
    """terms.Ability of a name."""
    return terms.Ability[name.upper()].value


def ability_bits(names: Sequence[str]) -> int:
    """Bits 1 << terms.Ability of the abilities offered (R3.10)."""
    return sum(1 << ability(name) for name in set(names))


def colour(name: str) -> int:
    """terms.Colour of a name."""
    return terms.Colour[name.upper()].value


def condition(name: str) -> int:
    """terms.Condition of a name."""
    return terms.Condition[name.upper()].value


def condition_bits(names: Iterable[str]) -> int:
    """Bits `1 << Condition` of names."""
    return sum(1 << condition(name) for name in set(names))


def special_bits(names: Iterable[str]) -> int:
    """terms.Special bits of names."""
    return sum(terms.Special[name.upper()].value for name in set(names))


def attack_type(name: str) -> int:
    """terms.AttackType of a name."""
    return terms.AttackType[name.upper()].value


def attack_type_bits(names: Iterable[str]) -> int:
    """Bits `1 << AttackType` of names."""
    return sum(1 << attack_type(name) for name in set(names))


def rider_bits(names: Iterable[str]) -> int:
    """Bits `1 << Rider` of names (R17.6)."""
    return sum(1 << terms.Rider[name.upper()].value for name in set(names))


def trait_bits(traits: Iterable[terms.Trait]) -> int:
    """Traits of an item in the first place, as rules.gear.traits returns them."""
    return sum(1 << trait * layout.N_CARRIED for trait in set(traits))


def or_none(value: int | None) -> int:
    """The value, or -1 for None."""
    return -1 if value is None else value


def levels(card: schema.Levels | schema.Abilities) -> list[int]:
    """Numbers by terms.Ability."""
    return [card.might, card.agility, card.will]


def type_levels(card: schema.TypeLevels) -> list[int]:
    """Numbers by terms.AttackType."""
    return [card.melee, card.ranged, card.magic]
