"""The party: heroes by name, or with level, class, skills, items and other choices (R4, R20)."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, ValidationError

from agemonia_env.display.messages import unknown
from agemonia_env.packs.folders import describe

from ..core import layout
from . import schema
from .builder import ENCUMBRANCE
from .pack import Pack

HeroChoice = str | Mapping[str, Any]  # a Hero by name, or a mapping with the keys of Member
SLOT_LEVELS, OPEN_SLOT_LEVELS = (2, 4), (3, 5)  # R4.5
GEM_LEVEL = 4  # R20.4
INSPIRATION_MAX, ACHIEVEMENT_MAX = 5, 15  # R16.1, R16.4
CONDITIONS = 2  # R12.0


class Member(schema.Strict):
    """A hero of the party; missing keys have the hero's defaults at its level."""

    hero: schema.Name
    level: Annotated[int, Field(ge=1, le=5)] | None = None  # none: that of the scenario
    class_: Annotated[schema.Name | None, Field(alias="class")] = None  # none: the first
    skills: list[schema.Name] | None = None  # none: the first of the class
    items: list[schema.Name] | None = None  # none: those of the Hero's card
    without: list[schema.Name] = []  # actions to remove, to measure their value
    wounds: schema.Count = 0  # R4.7
    spent: schema.Count = 0  # R4.7: stamina lost; 2 if only this hero had a bad rest (R4.11)
    injuries: list[schema.Name] = []  # R4.7, names of Injury cards
    conditions: schema.Conditions = []  # R4.7
    inspiration: Annotated[int, Field(ge=0, le=INSPIRATION_MAX)] | None = None
    achievement: Annotated[int, Field(ge=0, le=ACHIEVEMENT_MAX)] = 0


@dataclass(frozen=True)
class Grown:
    """A Hero as it starts a scenario. Items are keys of the pack, injuries indices of its cards."""

    key: str
    hero: schema.Hero  # chips and disk are those of its level
    level: int
    kind: schema.HeroClass | None
    skills: tuple[schema.Skill, ...]
    actions: tuple[schema.ActionCard, ...]
    slots: int
    open_slots: int
    items: tuple[str, ...]
    active: int  # bits of the items in use
    wounds: int
    spent: int
    injuries: tuple[int, ...]
    conditions: tuple[str, ...]
    inspiration: int
    achievement: int


def read_member(choice: HeroChoice) -> Member:
    """A choice of a Hero, its keys checked. Raises ValueError with every mistake, one a line."""
    try:
        return Member.model_validate({"hero": choice} if isinstance(choice, str) else dict(choice))
    except ValidationError as error:
        raise ValueError("\n".join(describe(Member, error))) from None


def choose_party(
    pack: Pack, card: schema.Scenario, heroes: int | Sequence[HeroChoice], level: int
) -> list[Grown]:
    """The heroes that play: a number of the recommended ones, or those chosen."""
    if isinstance(heroes, int):
        most = min(layout.N_HEROES_MAX, len(card.heroes))
        if not 1 <= heroes <= most:
            raise ValueError(f"heroes: {heroes} of them; allowed: 1 to {most}")
        heroes = card.heroes[:heroes]
    members = []
    for i, choice in enumerate(heroes):
        members.append(_keyed(f"heroes[{i}]", read_member, choice))
    names = [member.hero for member in members]
    if not 1 <= len(names) <= layout.N_HEROES_MAX or len(set(names)) < len(names):
        raise ValueError(f"heroes: {names}; allowed: 1 to 4 different names")
    for name in names:
        if name not in pack.heroes:
            raise ValueError(f"heroes: {unknown('Hero', name, pack.heroes)}")
    return [_keyed(f"heroes[{i}]", grow, pack, m, level) for i, m in enumerate(members)]


def _keyed(key: str, function: Any, *arguments: Any) -> Any:
    """The function's result; the lines of a ValueError are prefixed with the key."""
    try:
        return function(*arguments)
    except ValueError as error:
        raise ValueError("\n".join(f"{key}.{line}" for line in str(error).split("\n"))) from None


def grow(pack: Pack, member: Member, level: int) -> Grown:
    """R20 - a Hero at its level. Raises ValueError that begins with the key that is wrong."""
    card = pack.heroes[member.hero]
    level = member.level or level
    kind = _class(card, member, level)
    skills = _skills(kind, member, level)
    items = _items(pack, card, member)
    blue = card.blue + level - 1
    carry = sum(skill.carry for skill in skills)
    actions = _actions(card, kind, member, level)
    active = in_use([pack.items[key] for key in items], card.hands)
    _check_weight(pack, items, active, carry)
    if member.wounds > blue:
        raise ValueError(f"wounds: {member.wounds}; allowed: 0 to {blue}")
    if member.spent > blue - member.wounds:
        raise ValueError(f"spent: {member.spent}; allowed: 0 to {blue - member.wounds}")
    if len(set(member.conditions)) < len(member.conditions) or len(member.conditions) > CONDITIONS:
        text = f"at most {CONDITIONS} different ones (R12.0)"
        raise ValueError(f"conditions: {member.conditions}; allowed: {text}")
    gem = int(level >= GEM_LEVEL)
    return Grown(
        key=member.hero,
        hero=card.model_copy(update={"blue": blue, "red": red_side(card, level)}),
        level=level,
        kind=kind,
        skills=skills,
        actions=actions,
        slots=min(len(card.actions) + sum(level >= step for step in SLOT_LEVELS), len(actions)),
        open_slots=sum(level >= step for step in OPEN_SLOT_LEVELS),
        items=items,
        active=active,
        wounds=member.wounds,
        spent=member.spent,
        injuries=_injuries(pack, member),
        conditions=tuple(member.conditions),
        inspiration=gem if member.inspiration is None else member.inspiration,
        achievement=member.achievement,
    )


def red_side(card: schema.Hero, level: int) -> int:
    """R13.5, R20.2 - the red side of the disk; a single number grows like the default of Q3."""
    if isinstance(card.red, list):
        return card.red[level - 1]
    halves = [(blue + 1) // 2 for blue in (card.blue, card.blue + level - 1)]
    return halves[1] if card.red is None else card.red + halves[1] - halves[0]


def _class(card: schema.Hero, member: Member, level: int) -> schema.HeroClass | None:
    """R20.3 - the class from level 2 on."""
    names = [kind.name for kind in card.classes]
    if member.class_ is not None and member.class_ not in names:
        raise ValueError(f"class: {unknown('class', member.class_, names)}")
    if level == 1:
        if member.class_ is not None:
            raise ValueError("class: a Hero of level 1 has none (R20.3)")
        return None
    return card.classes[0 if member.class_ is None else names.index(member.class_)]


def _skills(kind: schema.HeroClass | None, member: Member, level: int) -> tuple[schema.Skill, ...]:
    """R20.3 - one skill of the class for each level from 2 on."""
    known = {skill.name: skill for skill in kind.skills} if kind else {}
    names = list(known)[: level - 1] if member.skills is None else member.skills
    for name in names:
        if name not in known:
            raise ValueError(f"skills: {unknown('skill', name, known)}")
    if len(names) != level - 1 or len(set(names)) < len(names):
        raise ValueError(
            f"skills: {len(names)} of them; at level {level} a Hero has {level - 1} different ones"
        )
    return tuple(known[name] for name in names)


def _actions(
    card: schema.Hero, kind: schema.HeroClass | None, member: Member, level: int
) -> tuple[schema.ActionCard, ...]:
    """R20.3 - the actions of level 1, and for each further level a common one and the class's.

    Without those that the member lacks.
    """
    actions = list(card.actions)
    for k in range(level - 1):
        actions.append(card.growth[k])
        if kind is not None:
            actions.append(kind.actions[k])
    names = [action.name for action in actions]
    for name in member.without:
        if name not in names:
            raise ValueError(f"without: {unknown('action', name, names)}")
    kept = tuple(action for action in actions if action.name not in member.without)
    if not kept:
        raise ValueError("without: at least one action must be left")
    return kept


def _items(pack: Pack, card: schema.Hero, member: Member) -> tuple[str, ...]:
    """R4.6 - keys of the items taken along."""
    keys = card.items if member.items is None else member.items
    for key in keys:
        if key not in pack.items:
            raise ValueError(f"items: {unknown('item', key, pack.items)}")
    if len(keys) > layout.N_CARRIED:
        raise ValueError(f"items: {len(keys)} of them; at most {layout.N_CARRIED}")
    return tuple(keys)


def in_use(items: Sequence[schema.ItemCard], hands: int) -> int:
    """R17.1, R17.4 - bits of the items in use at set-up: in their order, each that still fits."""
    bits, worn = 0, set()
    for i, item in enumerate(items):
        if item.wear == "none" or item.wear in worn or item.hands > hands:
            continue
        bits |= 1 << i
        hands -= item.hands
        if item.wear != "hand":
            worn.add(item.wear)
    return bits


def _check_weight(pack: Pack, keys: Sequence[str], active: int, carry: int) -> None:
    """R17.3, R4.6 - what is not in use must not weigh too much."""
    weight, limit = burden(pack, keys, active, carry)
    if weight > limit:
        raise ValueError(f"items: those not in use weigh {weight}; at most {limit} (R17.3)")


def burden(pack: Pack, keys: Sequence[str], active: int, carry: int) -> tuple[int, int]:
    """R17.3 - what items weigh besides those in use, and what they may weigh."""
    cards = [pack.items[key] for key in keys]
    weight = sum(card.weight for i, card in enumerate(cards) if not active >> i & 1)
    limit = ENCUMBRANCE + carry
    limit += sum(card.carry for i, card in enumerate(cards) if active >> i & 1)
    return weight, limit


def _injuries(pack: Pack, member: Member) -> tuple[int, ...]:
    """R4.7 - indices of the Injury cards held."""
    names = [card.name for card in pack.injuries.cards]
    for name in member.injuries:
        if name not in names:
            raise ValueError(f"injuries: {unknown('card', name, names)}")
    if len(set(member.injuries)) < len(member.injuries):
        raise ValueError(f"injuries: {member.injuries}; each card at most once")
    return tuple(names.index(name) for name in member.injuries)
