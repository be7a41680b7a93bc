"""Everything in a pack and in the rules that should occur in play, by family and name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from agemonia_env.rulesets.coverage import Entry, words

from ..content import schema
from ..content.board import read_map
from ..content.load import Pack, monsters_of
from ..content.modifier_cards import STANDARD
from ..content.party import INSTEAD, halves
from ..content.words import line_text
from ..core import terms
from ..core.actions import Block
from ..core.layout import N_CONDITIONS, N_HEROES

SIDES = ("characters", "summons", "monsters")
CONDITIONS = [terms.Effect(k) for k in range(terms.Effect.POISON, N_CONDITIONS)]
ELEMENTS = [terms.Effect(k) for k in range(terms.Effect.FIRE, terms.Effect.DARK + 1)]
OF_ATTACKS = (*get_args(schema.WordName), "push", "pull")  # effects
BASICS = tuple(line_text(line) for line in INSTEAD.values())  # Attack 2, Move 2
SUPPLIED = "bless or curse"
NEGATED = ("an active card", "losing cards")  # by Event.NEGATED's `other`, from 1
RESTS = ("short", "long")
OUTCOMES = ("won", "lost")
ADDED = ("advantage", "pierce", "targets", "all targets", "add target", "jump")
DOES = ("comes", "attacks", "dies")
PLAYED = ("comes into play", "leaves play")
IN_PLAY = ("round", "persistent", "summon")  # verbs whose card lies in the active area


def all_entries(pack: Pack) -> Iterator[Entry]:
    """Every entry of the report except the rule functions."""
    yield from of_rules()
    for card in pack.classes.values():
        yield from of_class(card)
    for name in pack.templates:
        yield "line with", f"template {name}"
    for name in dict.fromkeys(figure for key in pack.scenarios for figure in ranks_in(pack, key)):
        yield from (("monster", f"{name}, {does}") for does in DOES)
    for monster in pack.monsters.values():
        for monster_card in monster.cards:
            yield "monster card", f"{monster.name}: {monster_card.name}"
    for key, scenario in pack.scenarios.items():
        yield "scenario", key
        for k in range(len(read_map(scenario).doors)):
            yield "door", door_name(key, k)


def of_rules() -> Iterator[Entry]:
    """What the rules name."""
    for op in terms.Op:
        if op != terms.Op.NONE:
            yield "line", words(op)
    for added in ADDED:
        yield "line with", added
    for effect in OF_ATTACKS:
        yield "line with", effect
    for serve in terms.Serve:
        yield "line for", words(serve)
    for trigger in terms.Trigger:
        yield "active bonus", f"trigger {words(trigger)}"
    for only in terms.Only:
        yield "active bonus", f"attacks {words(only)}"
    for side in SIDES:
        for condition in CONDITIONS:
            yield "condition", f"{words(condition)}, gained by {side}"
        for source in terms.Source:
            yield "damage", f"{words(source)}, suffered by {side}"
        for draw in terms.Draw:
            yield "draw", f"{words(draw)}, by {side}"
        yield "trap", f"sprung by {side}"
    for deck in ("characters", "monsters"):
        for card in ("bless", "curse"):
            yield "deck gains", f"{card}, {deck}"
    for text in (*dict.fromkeys(STANDARD), SUPPLIED):
        yield "modifier card", text
    for element in ELEMENTS:
        yield "element", words(element)
    yield from (("damage negated", f"by {means}") for means in NEGATED)
    yield from (("rest", kind) for kind in RESTS)
    yield from of_games()


def of_games() -> Iterator[Entry]:
    """How games go and end, and what is asked in them."""
    for goal in terms.Goal:
        yield from (("goal", f"{words(goal)}, {outcome}") for outcome in OUTCOMES)
    for ending in terms.Ending:
        if ending != terms.Ending.NONE:
            yield "ending", words(ending)
    for decision in terms.Decision:
        if decision != terms.Decision.NONE:
            yield "decision", words(decision)
    for block in Block:
        yield "kind of answer", words(block)
    for event in terms.Event:
        if event != terms.Event.NONE:
            yield "event of the log", words(event)


def of_class(card: schema.HeroClass) -> Iterator[Entry]:
    """Cards of a class, half by half, and its summons."""
    for name, k, side in halves(card):
        yield "action", f"{card.name}: {name}"
        half: schema.Half = getattr(card.cards[k], side)
        if any(line.verb in IN_PLAY for line in half.lines):
            key = f"{card.name}: {card.cards[k].name}"
            yield from (("active card", f"{key}, {done}") for done in PLAYED)
    for text in BASICS:
        yield "basic action", f"{card.name}: {text}"
    for ability_card in card.cards:
        yield "card lost", f"{card.name}: {ability_card.name}"
    for summon in card.summons.values():
        yield from (("summon", f"{summon.name}, {does}") for does in DOES)


def ranks_in(pack: Pack, scenario: str) -> Iterator[str]:
    """The kinds of monsters that a scenario can bring: `Kiln Rat, elite`."""
    for n in range(1, N_HEROES + 1):
        for _, monster, rank in monsters_of(pack.scenarios[scenario], n):
            if rank != "none":
                yield rank_name(pack.monsters[monster].name, rank == "elite")


def rank_name(monster: str, elite: Any) -> str:
    """A monster with its rank."""
    return f"{monster}, {'elite' if elite else 'normal'}"


def door_name(scenario: str, k: int) -> str:
    """Door k of a scenario."""
    return f"{scenario}: door {k + 1}"
