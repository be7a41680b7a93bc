"""What a party takes from one stage of a gauntlet to the next (R4.7, R19.12, R20).

A traveller is a hero between stages: a mapping with the keys of party.Member except `level`, which
the stages set. `class` and `skills` are preferences: the class counts from level 2 on; skills are
learned in this order, then the remaining ones of the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.terms import Condition
from . import schema
from .names import Names
from .pack import Pack
from .party import (
    ACHIEVEMENT_MAX,
    GEM_LEVEL,
    INSPIRATION_MAX,
    Grown,
    HeroChoice,
    burden,
    choose_party,
    grow,
    in_use,
    read_member,
    red_side,
)

Traveller = dict[str, Any]

HIGHEST = 5


def gather(
    pack: Pack, gauntlet: schema.Gauntlet, heroes: int | Sequence[HeroChoice]
) -> list[Traveller]:
    """The party before the first stage: a number of recommended heroes, or those chosen.

    Raises ValueError for choices that do not fit the level of every stage.
    """
    first = pack.scenarios[gauntlet.stages[0].scenario]
    if isinstance(heroes, int):
        return [{"hero": grown.key} for grown in choose_party(pack, first, heroes, 1)]
    party = [read_member(hero).model_dump(by_alias=True, exclude_unset=True) for hero in heroes]
    for i, traveller in enumerate(party):
        if "level" in traveller:
            raise ValueError(f"heroes[{i}].level: the stages of a gauntlet say it")
    for level in {stage.level for stage in gauntlet.stages} | {HIGHEST}:
        choose_party(pack, first, at_level(pack, party, level), level)
    return party


def at_level(pack: Pack, party: Sequence[Traveller], level: int) -> list[HeroChoice]:
    """R20.3 - the party as a scenario takes it, with class and skills of the level."""
    return [_at_level(pack, traveller, level) for traveller in party]


def _at_level(pack: Pack, traveller: Traveller, level: int) -> Traveller:
    member = {key: value for key, value in traveller.items() if key not in ("class", "skills")}
    if level == 1:
        return member
    card = pack.heroes.get(traveller["hero"])
    kinds = {kind.name: kind for kind in card.classes} if card else {}
    name = traveller.get("class") or next(iter(kinds), None)
    skills = list(traveller.get("skills") or ())
    if name in kinds:
        skills += [skill.name for skill in kinds[name].skills if skill.name not in skills]
    return member | {"class": name, "skills": skills[: level - 1]}


def go_on(
    pack: Pack,
    party: Sequence[Traveller],
    state: Any,
    names: Names,
    before: schema.Stage,
    after: schema.Stage,
) -> list[Traveller]:
    """The party after a stage that ended in `state` (layout.STATE), ready for the next one.

    Injury cards, items and gems stay (R13.14, R19.12); stamina spent or locked is restored.
    """
    goals = [pack.scenarios[stage.scenario].objective for stage in (before, after)]
    wanted = {goal.item for goal in goals}
    moved = []
    for slot, traveller in enumerate(party):  # Heroes have the first slots, in their order
        ally = state["ally"][slot]
        bare = _at_level(pack, traveller, after.level) | {"items": [], "wounds": 0, "spent": 0}
        grown = grow(pack, read_member(bare), after.level)
        moved.append(
            traveller
            | {"spent": 0}
            | _health(pack, grown, ally, after.rest)
            | {"injuries": [card for k, card in enumerate(names.injuries) if ally["injury"][k]]}
            | {"items": _luggage(pack, grown, ally, names, wanted)}
            | _gems(ally, before.level < GEM_LEVEL <= after.level)
        )
    return moved


def _health(pack: Pack, grown: Grown, ally: Any, rest: bool) -> Traveller:
    """Damage and conditions: gone after a rest (R19.12), else as they are.

    A hero starts with at least as many blue chips as the red side of the disk shows; an exhausted
    one with exactly as many, and without conditions (R13.11).
    """
    if rest:
        return {"wounds": 0, "conditions": []}
    most = grown.hero.blue - red_side(pack.heroes[grown.key], grown.level)
    wounds = most if ally["exhausted"] else min(int(ally["wounds"]), most)
    held = int(ally["conditions"]) & ~int(ally["lapsing"])
    conditions = [kind.name.lower() for kind in Condition if held >> kind & 1]
    return {"wounds": wounds, "conditions": conditions}


def _luggage(
    pack: Pack, grown: Grown, ally: Any, names: Names, wanted: set[str | None]
) -> list[str]:
    """R4.6 - keys of the items carried, those in use first, the last ones left if too heavy.

    Items that either stage has to collect stay behind, and so do items without a card, such as
    a token that an Enemy left.
    """
    keys = {card.name: key for key, card in pack.items.items() if key not in wanted}
    places = [k for k in range(len(ally["item"])) if ally["item"][k] >= 0]
    places.sort(key=lambda k: not int(ally["active"]) >> k & 1)
    titles = [names.items[int(ally["item"][k])] for k in places]
    items = [keys[title] for title in titles if title in keys]
    carry = sum(skill.carry for skill in grown.skills)
    while items:
        active = in_use([pack.items[key] for key in items], grown.hero.hands)
        weight, limit = burden(pack, items, active, carry)
        if weight <= limit:
            break
        items.pop()
    return items


def _gems(ally: Any, learned: bool) -> Traveller:
    """R16.1, R16.4 - gems as they are, and the one of level 4 (R20.4); none above the limits."""
    inspiration = int(ally["inspiration"]) + learned
    surplus = max(0, inspiration - INSPIRATION_MAX)
    achievement = min(ACHIEVEMENT_MAX, int(ally["achievement"]) + surplus)
    return {"inspiration": inspiration - surplus, "achievement": achievement}
