"""Translate words of content files into the numbers of terms.py and layout.py."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import partial

from ..core import layout, terms
from . import schema

DEFAULT_BANDS = {"melee": (-1, -1), "ranged": (1, 3), "magic": (0, 3)}
SIZES = {"normal": 1, "large": 2, "huge": 3}
FACES = {0: 0, 1: 1, 2: 2, "X": layout.FACE_EXTRA, "S": layout.FACE_SYMBOL, "H": layout.FACE_SYMBOL}


def number(words: type[IntEnum], name: str) -> int:
    """The member of an enum of terms.py with a name in lower case."""
    return words[name.upper()].value


def bits(words: type[IntEnum], names: Iterable[str]) -> int:
    """Bits `1 << member` of names."""
    return sum(1 << number(words, name) for name in set(names))


ability, ability_bits = partial(number, terms.Ability), partial(bits, terms.Ability)
attack_type, attack_type_bits = partial(number, terms.AttackType), partial(bits, terms.AttackType)
condition, condition_bits = partial(number, terms.Condition), partial(bits, terms.Condition)
colour, rider_bits = partial(number, terms.Colour), partial(bits, terms.Rider)


def special_bits(names: Iterable[str]) -> int:
    """terms.Special bits of names."""
    return sum(number(terms.Special, name) for name in set(names))


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
