"""Everything in a pack and in the rules that should occur in play, by family and name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from agemonia_env.rulesets.coverage import Entry, words

from ..content import schema
from ..content.compile import PRINTED_TEXTS, RANDOM
from ..content.pack import Pack
from ..core import terms
from ..core.actions import Turn

ROPES = ("taken back", "fixed")  # by the amount of Event.ROPE
SIDES = ("Allies", "Enemies")
ATTACK_RIDERS = (
    *("pierce", "conditions", "push", "pull", "double", "drain"),
    *("non_elite", "ignore_aim", "effect_only"),
)
"""Fields of layout.ATTACK that are 0 where an attack has no such thing."""
STRIKE_RIDERS = ("conditions", "push", "pull", "loss", "drain", "or_else")
"""The same of layout.STRIKE."""
OUTCOMES = ("won", "lost")


def all_entries(pack: Pack) -> Iterator[Entry]:
    """Every entry of the report except the rule functions."""
    yield from of_rules()
    for hero in pack.heroes.values():
        yield from of_hero(hero)
    for ally in pack.allies.values():
        for action in ally.actions:
            yield "action performed", f"{ally.name}: {action.name}"
    for enemy in pack.enemies.values():
        yield from of_enemy(enemy)
    for item in pack.items.values():
        yield from of_item(item)
    for injury in pack.injuries.cards:
        yield "injury card", injury.name
    for trap in pack.traps.cards:
        yield "trap card", trap.name
    for key, card in pack.scenarios.items():
        yield "scenario", key
        yield from of_scenario(key, card)
    yield "scenario", RANDOM
    yield "scenario event", f"{RANDOM}: more Enemies"


def of_rules() -> Iterator[Entry]:
    """What the rules name."""
    for op in terms.Op:
        if op != terms.Op.NONE:
            yield "effect", words(op)
    for condition in terms.Condition:
        for side in SIDES:
            yield "condition", f"{words(condition)}, gained by {side}"
    for shape in terms.Shape:
        yield "attack shape", words(shape)
    for rider in ATTACK_RIDERS:
        yield "attack with", rider
    for rider in STRIKE_RIDERS:
        yield "attack of an Enemy with", rider
    for objective in terms.Objective:
        for outcome in OUTCOMES:
            yield "objective", f"{words(objective)}, {outcome}"
    for ending in terms.Ending:
        if ending != terms.Ending.NONE:
            yield "ending", words(ending)
    for decision in terms.Decision:
        if decision != terms.Decision.NONE:
            yield "decision", words(decision)
    for turn in Turn:
        yield "choice in a turn", words(turn)
    for rope in ROPES:
        yield "rope", rope
    for event in terms.Event:
        if event != terms.Event.NONE:
            yield "event of the log", words(event)


def of_hero(hero: schema.Hero) -> Iterator[Entry]:
    """Action tokens and skills of a Hero."""
    for printed in PRINTED_TEXTS:
        yield "action chosen", f"{hero.name}: {printed}"
    actions = [*hero.actions, *hero.growth]
    for kind in hero.classes:
        actions += kind.actions
        for skill in kind.skills:
            yield "skill", f"{hero.name}: {skill.name}"
            if skill.maneuver:
                yield "action performed", f"{hero.name}: {skill.name}"
    for action in actions:
        if not action.maneuver:
            yield "action chosen", f"{hero.name}: {action.name}"
        yield "action performed", f"{hero.name}: {action.name}"


def of_enemy(enemy: schema.Enemy) -> Iterator[Entry]:
    """What an Enemy card can do."""
    card = enemy.card
    for eye in get_args(schema.EyeName):
        action: schema.EnemyAction = getattr(card.actions, eye)
        yield "Enemy", f"{enemy.name}: {eye} eye"
        if action.attack is not None:
            yield "Enemy", f"{enemy.name}: attack of the {eye} eye"
        if action.horns is not None:
            yield "Enemy", f"{enemy.name}: horns of the {eye} eye"
    if card.snake is not None:
        yield "Enemy", f"{enemy.name}: snake"
    if card.defeat is not None:
        yield "Enemy", f"{enemy.name}: defeat box"
    if card.provoke:
        yield "Enemy", f"{enemy.name}: provoke"


def of_item(item: schema.ItemCard) -> Iterator[Entry]:
    """What can be done with an item."""
    yield "item taken along", item.name
    if not item.own:
        for done in ("picked up", "dropped", "given"):
            yield f"item {done}", item.name
    if item.effects or item.opening is not None:
        yield "item used", item.name
    if any(getattr(part, x) for part in (item.boost, item.boost_active) for x in ABILITIES):
        yield "item boosting a check", item.name
    if item.rider is not None:
        yield "item serving an attack", item.name
    if item.wear != "none":
        yield "item put to use", item.name


ABILITIES = get_args(schema.AbilityName)


def of_scenario(key: str, card: schema.Scenario) -> Iterator[Entry]:
    """Events and story sections of a scenario, and what they do."""
    for k, event in enumerate(card.events):
        yield "scenario event", event_name(key, k)
        for row in range(len(event.effects)):
            yield "consequence", consequence_name(event_name(key, k), row)
    for name, section in card.sections.items():
        yield "story section", section_name(key, name)
        for row in range(len(section.effects)):
            yield "consequence", consequence_name(section_name(key, name), row)
        for row in range(len(section.failed)):
            yield "consequence", consequence_name(f"{section_name(key, name)}, failed", row)


def event_name(scenario: str, k: int) -> str:
    """Scenario event k, of those of a file."""
    return f"{scenario}: event {k + 1}"


def section_name(scenario: str, name: str) -> str:
    """A story section of a scenario."""
    return f"{scenario}: {name}"


def consequence_name(cause: str, row: int) -> str:
    """Effect `row` of an event or section."""
    return f"{cause}, effect {row + 1}"
