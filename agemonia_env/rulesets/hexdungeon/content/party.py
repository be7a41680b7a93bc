"""The party: classes by name, or with halves of cards left out."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from agemonia_env.display.messages import unknown
from agemonia_env.packs.folders import describe

from ..core.layout import N_HEROES
from . import schema
from .load import Pack

HeroChoice = str | Mapping[str, Any]  # a class by name, or a mapping with the keys of Member
BASIC = 2  # G14.2: Attack 2, Move 2
INSTEAD = {  # G14.2: what any half may be used as, by side
    "top": schema.HeroLine(attack=BASIC),
    "bottom": schema.HeroLine(move=BASIC),
}


class Member(schema.Strict):
    """A character of the party."""

    hero: schema.Name  # its class
    without: list[schema.Name] = []  # halves of cards left out: see half_name


@dataclass(frozen=True)
class Character:
    """A character as it starts a scenario. key: the file of its class."""

    key: str
    hero_class: schema.HeroClass  # without what is left out


def read_member(choice: HeroChoice) -> Member:
    """A choice of a character, its keys checked. Raises ValueError with every mistake, one a line.

    Which cards the class has is not checked.
    """
    try:
        return Member.model_validate({"hero": choice} if isinstance(choice, str) else dict(choice))
    except ValidationError as error:
        raise ValueError("\n".join(describe(Member, error))) from None


def choose_party(pack: Pack, heroes: int | Sequence[HeroChoice]) -> list[Character]:
    """The characters that play: a number of the pack's party, or those chosen. ValueError."""
    most = min(N_HEROES, len(pack.card.party))
    if isinstance(heroes, int):
        if not 1 <= heroes <= most:
            raise ValueError(f"heroes: {heroes}; allowed: 1 to {most}, or names of classes")
        heroes = pack.card.party[:heroes]
    members = [read_member(choice) for choice in ([heroes] if isinstance(heroes, str) else heroes)]
    names = [member.hero for member in members]
    for name in names:
        if name not in pack.classes:
            raise ValueError(f"heroes: {unknown('class', name, pack.card.party)}")
    if not 1 <= len(names) <= N_HEROES or len(set(names)) < len(names):
        raise ValueError(f"heroes: {', '.join(names)}; allowed: 1 to {N_HEROES} different classes")
    return [Character(one.hero, without(pack.classes[one.hero], one.without)) for one in members]


# ---- halves of cards ----------------------------------------------------------------------------
def half_name(card: str, side: str) -> str:
    """The name of half a card, `Rip (top)`; side: `top` or `bottom`."""
    return f"{card} ({side})"


def halves(hero_class: schema.HeroClass) -> Iterator[tuple[str, int, str]]:
    """The halves of a hand: name, place of the card, side."""
    for k, card in enumerate(hero_class.cards):
        yield from ((half_name(card.name, side), k, side) for side in INSTEAD)


def without(hero_class: schema.HeroClass, names: Sequence[str]) -> schema.HeroClass:
    """G14.2 - the class whose halves of these names are Attack 2, or Move 2.

    A card left out would make the hand, and so the game, shorter. Raises ValueError.
    """
    there = {name: (k, side) for name, k, side in halves(hero_class)}
    cards = list(hero_class.cards)
    for name in names:
        if name not in there:
            raise ValueError(f"heroes: without: {unknown('half', name, there)}")
        k, side = there[name]
        cards[k] = cards[k].model_copy(update={side: schema.Half(lines=[INSTEAD[side]])})
    return hero_class.model_copy(update={"cards": cards})
