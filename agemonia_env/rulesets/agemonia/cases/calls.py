"""Translate each verb of the format into a verb of the core and its arguments.

Most verbs are verbs of the core with the same arguments; CALLS has the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agemonia_env.display.messages import shown
from agemonia_env.rulesets.case_runner import CaseError, RefusalError
from agemonia_env.rulesets.case_schema import arguments_of

from ..content.words import colour
from ..core import layout
from ..core.commands import Verb
from ..core.terms import Special, Stream
from .schema import listed
from .world import HOOK_AND_ROPE, World

Call = tuple[Verb, tuple[int, ...]]

NO_PASSIVE = layout.N_PASSIVES  # a row without effect
USES = (None, "heal", "restore")  # of the successes of a roll


def call(world: World, index: int, verb: str, given: Any) -> Call:
    """The core's verb and arguments for a step. Raises CaseError for what the core lacks."""
    if verb in CALLS:
        return CALLS[verb](world, index, given)
    return Verb[verb.upper()], arguments_of(world, given)


def _lock(world: World, index: int, given: Any) -> Call:
    row = world.passives[given.who, given.name]
    world.contents["passive"]["need"][0, row] = given.amount
    if "reactive" in given.model_fields_set:
        levels = given.reactive
        reactive = (levels.might, levels.agility, levels.will)
        world.contents["passive"]["reactive"][0, row] = reactive
    return Verb.LOCK, (world.ally(given.who), row)


def _roll(world: World, index: int, given: Any) -> Call:
    to = given.who if given.to is None else given.to
    return Verb.ROLL, (world.ally(given.who), given.dice, USES.index(given.use), world.ally(to))


def _attack(world: World, index: int, given: Any) -> Call:
    slot = world.ally(given.who)
    return Verb.ATTACK, (slot, world.rows[index], int(given.continues))


def _enemy_attack(world: World, index: int, given: Any) -> Call:
    slots = [world.ally(name) for name in listed(given.to)]
    return Verb.ENEMY_ATTACK, (world.enemy(given.who), world.rows[index], len(slots), *slots)


def _enemy_turn(world: World, index: int, given: Any) -> Call:
    world.states["turn"]["destination"] = -1
    return Verb.ENEMY_TURN, arguments_of(world, given)


def _spawn(world: World, index: int, given: Any) -> Call:
    kind_row = world.rows[index]
    world.contents["type"]["supply"][0, kind_row] = given.supply
    return Verb.SPAWN, (kind_row, world.area(given.area))


def _walk(world: World, index: int, given: Any) -> Call:
    if given.who in world.enemies:
        raise RefusalError(f"{given.who} is an Enemy: it walks in its own turn only")
    if given.who in world.figures:
        return Verb.WALK_TOKEN, (world.figures[given.who], given.points)
    return Verb.WALK, (world.ally(given.who), given.points)


def _push(world: World, given: Any, pulls: bool) -> Call:
    """R7.50: a pull without a range has its distance as range; a push reaches everywhere.

    Tokens and pets are immune (R18.7, R18.8): they are not moved.
    """
    reach = given.range
    if reach is None:
        reach = given.distance if pulls else -1
    codes = [world.figure(name) for name in listed(given.targets)]
    figures = [code for code in codes if code < layout.N_ALLIES + layout.N_ENEMIES]
    return Verb.PUSH, (
        world.place_of(given.source),
        given.distance,
        reach,
        int(pulls),
        len(figures),
        *figures,
    )


def _choose(world: World, index: int, given: Any) -> Call:
    """The colour and special initiative of the action are those that the verb names (R5.2, R15)."""
    slot = world.ally(given.who)
    token = world.tokens[slot][given.action]
    row = int(world.contents[0]["sheet"]["token"][slot, token])
    entry = world.contents["token"]
    if given.colour is not None:
        entry["colour"][0, row] = colour(given.colour)
    entry["special"][0, row] = sum(Special[name.upper()].value for name in listed(given.special))
    return Verb.CHOOSE, (slot, token)


def _reveal(world: World, index: int, given: Any) -> Call:
    cards = world.initiative_cards()
    for name in given.shuffled:
        if name not in cards:
            raise CaseError(f"no Initiative card {shown(name)}; there are {', '.join(cards)}")
        world.load(Stream.INITIATIVE, [cards.index(name)])
    return Verb.REVEAL, ()


def _fate(world: World, index: int, given: Any) -> Call:
    world.load(Stream.FATE, given.shuffled)
    return Verb.FATE, ()


def _timer(world: World, index: int, given: Any) -> Call:
    if given.start is not None:
        return Verb.TIMER, (0, given.start)
    return Verb.TIMER, (1 if given.reset else 2, 0)


def _rope(verb: Verb) -> Callable[[World, int, Any], Call]:
    """A verb about the Hook & Rope, which every case with a rope knows."""
    return lambda world, _, given: (
        verb,
        (*arguments_of(world, given), world.item(HOOK_AND_ROPE)),
    )


CALLS: dict[str, Callable[[World, int, Any], Call]] = {
    "lock": _lock,
    "unlock": lambda world, _, given: (
        Verb.UNLOCK,
        (world.ally(given.who), world.passives.get((given.who, given.name), NO_PASSIVE)),
    ),
    "roll": _roll,
    "attack": _attack,
    "enemy_attack": _enemy_attack,
    "enemy_turn": _enemy_turn,
    "spawn": _spawn,
    "walk": _walk,
    "push": lambda world, _, given: _push(world, given, pulls=False),
    "pull": lambda world, _, given: _push(world, given, pulls=True),
    "choose": _choose,
    "reveal": _reveal,
    "fate": _fate,
    "timer": _timer,
    "fix_rope": _rope(Verb.FIX_ROPE),
    "take_rope": _rope(Verb.TAKE_ROPE),
}


def set_for_verb(world: World, verb: str, given: Any) -> None:
    """Set what counts for one verb only: additions to reactive checks, the weapon in hand."""
    for name, reaction in given.reaction.items():
        ally = world.states["ally"][0, world.ally(name)]
        ally["reactive_bonus"] = reaction.bonus
        ally["reactive_dice"] = reaction.dice
        ally["reactive_h"] = reaction.h
    if verb == "attack" and not given.weapon:
        world.states["ally"]["armed"][0, world.ally(given.who)] = 0


def clear_after_verb(world: World) -> None:
    """Undo what counted for one verb only."""
    for field in ("reactive_bonus", "reactive_dice", "reactive_h"):
        world.states["ally"][field][0] = 0
    world.states["ally"]["armed"][0] = world.contents["sheet"]["armed"][0]
    world.states["entry"]["keyword"] = 0
    world.unload(Stream.INITIATIVE, Stream.FATE)  # an order for a shuffle that did not happen
