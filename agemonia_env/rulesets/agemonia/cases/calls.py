"""Translate each verb of the format into a verb of the core and its arguments."""

from __future__ import annotations

from typing import Any

from agemonia_env.display.messages import shown

from ..content.words import ability, colour, condition
from ..core import layout
from ..core.commands import Verb
from ..core.terms import Eye, Special, Stream
from . import parameters as p
from .case import Step
from .schema import listed
from .world import HOOK_AND_ROPE, CaseError, RefusalError, World, listed_specials

Call = tuple[Verb, tuple[int, ...]]

NO_PASSIVE = layout.N_PASSIVES  # a row without effect


def call(world: World, index: int, step: Step) -> Call:
    """The core's verb and arguments for a step. Raises CaseError for what the core lacks."""
    for part in (_bookkeeping, _rolls, _attacks, _movement, _items, _rounds):
        made = part(world, index, step.given, step.verb)
        if made is not None:
            return made
    raise CaseError(f"no call for the verb {shown(step.verb)}")


def _bookkeeping(world: World, index: int, given: Any, verb: str) -> Call | None:
    """Chips, conditions, locks and gems (R2, R12, R13, R14, R16.1)."""
    match given:
        case p.Spend():
            return Verb.SPEND, (world.ally(given.who), given.amount)
        case p.Mixed():
            amounts = (given.amount, given.restore, given.heal)
            return Verb.MIXED, (world.figure(given.to), *amounts)
        case p.Amount():
            return Verb[verb.upper()], (world.figure(given.to), given.amount)
        case p.Recover():
            return Verb.RECOVER, (world.ally(given.who), int(given.choice == "damage"))
        case p.LockOn():
            row = world.passives[given.who, given.name]
            world.contents["passive"]["need"][0, row] = given.amount
            if "reactive" in given.model_fields_set:
                levels = given.reactive
                reactive = (levels.might, levels.agility, levels.will)
                world.contents["passive"]["reactive"][0, row] = reactive
            return Verb.LOCK, (world.ally(given.who), row)
        case p.Unlock():
            row = world.passives.get((given.who, given.name), NO_PASSIVE)
            return Verb.UNLOCK, (world.ally(given.who), row)
        case p.Gain():
            return Verb.GAIN, (world.figure(given.to), condition(given.condition))
        case p.Discard():
            number = 0 if given.condition == "all" else condition(given.condition)
            return Verb.DISCARD, (world.figure(given.to), number)
        case p.SpendManeuver():
            return Verb.SPEND_MANEUVER, (world.ally(given.who), condition(given.discard))
        case p.GainGem():
            return Verb.GAIN_GEM, (world.ally(given.to), int(given.kind == "achievement"))
        case p.To():
            return Verb[verb.upper()], (world.ally(given.to),)
    return None


def _rolls(world: World, index: int, given: Any, verb: str) -> Call | None:
    """Checks and rolls (R3)."""
    match given:
        case p.ActiveCheck():
            values = (given.number, given.modifier, given.dice, int(given.outside))
            return Verb.ACTIVE_CHECK, (world.ally(given.who), ability(given.ability), *values)
        case p.ReactiveCheck():
            values = (given.value, given.bonus, given.dice, given.h)
            return Verb.REACTIVE_CHECK, (world.ally(given.who), ability(given.ability), *values)
        case p.RollDice():
            use = {None: 0, "heal": 1, "restore": 2}[given.use]
            to = given.who if given.to is None else given.to
            return Verb.ROLL, (world.ally(given.who), given.dice, use, world.ally(to))
    return None


def _attacks(world: World, index: int, given: Any, verb: str) -> Call | None:
    """Attacks of both sides, defeat and spawning (R9, R10)."""
    match given:
        case p.AllyAttack():
            slot = world.ally(given.who)
            return Verb.ATTACK, (slot, world.rows[index], int(given.continues))
        case p.Drain():
            return Verb.DRAIN, (world.ally(given.who), world.enemy(given.target), given.amount)
        case p.DefeatNow():
            return Verb.DEFEAT, (world.enemy(given.target),)
        case p.EnemyAttackNow():
            names = [given.to] if isinstance(given.to, str) else given.to
            slots = [world.ally(name) for name in names]
            row = world.rows[index]
            return Verb.ENEMY_ATTACK, (world.enemy(given.who), row, len(slots), *slots)
        case p.EnemyTurn():
            world.states["turn"]["destination"] = -1
            eye = Eye[given.eye.upper()].value
            signs = (int(given.horns), int(given.snake))
            return Verb.ENEMY_TURN, (world.enemy(given.who), eye, *signs)
        case p.Spawn():
            kind_row = world.rows[index]
            world.contents["type"]["supply"][0, kind_row] = given.supply
            return Verb.SPAWN, (kind_row, world.area(given.area))
    return None


def _movement(world: World, index: int, given: Any, verb: str) -> Call | None:
    """Moves (R6, R7)."""
    match given:
        case p.Move():
            return Verb.MOVE, (world.ally(given.who), int(given.version == "paid"))
        case p.Walk():
            if given.who in world.enemies:
                raise RefusalError(f"{given.who} is an Enemy: it walks in its own turn only")
            if given.who in world.figures:
                return Verb.WALK_TOKEN, (world.figures[given.who], given.points)
            return Verb.WALK, (world.ally(given.who), given.points)
        case p.Jump():
            return Verb.JUMP, (world.ally(given.who), world.area(given.to), given.range)
        case p.Teleport():
            reach = -1 if given.range is None else given.range
            return Verb.TELEPORT, (world.figure(given.who), world.area(given.to), reach)
        case p.PushPull():
            return _push(world, given, verb == "pull")
        case p.Summon():
            return Verb.SUMMON, (world.figures[given.name], world.area(given.area))
        case p.Rethink():
            return Verb.RETHINK, (world.ally(given.who), int(given.restore))
        case p.FixRope():
            return Verb.FIX_ROPE, (world.ally(given.who), world.area(given.to), _rope(world))
        case p.TakeRope():
            return Verb.TAKE_ROPE, (world.ally(given.who), world.area(given.to), _rope(world))
    return None


def _push(world: World, given: p.PushPull, pulls: bool) -> Call:
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


def _items(world: World, index: int, given: Any, verb: str) -> Call | None:
    """Picking up, dropping and giving (R17.5)."""
    match given:
        case p.Take():
            return Verb[verb.upper()], (world.ally(given.who), _item(world, given.item))
        case p.Give():
            who, to = world.ally(given.who), world.ally(given.to)
            return Verb.GIVE, (who, to, _item(world, given.item))
    return None


def _item(world: World, name: str) -> int:
    """Index of an item; -1 if nobody ever has it."""
    return world.names.items.index(name) if name in world.names.items else -1


def _rope(world: World) -> int:
    """Index of the Hook & Rope; every case with a rope knows it."""
    return _item(world, HOOK_AND_ROPE)


def _rounds(world: World, index: int, given: Any, verb: str) -> Call | None:
    """Rounds, turns and decks (R5, R6, R19)."""
    match given:
        case p.Choose():
            return _choose(world, given)
        case p.StartTurn():
            return Verb.START_TURN, (world.ally(given.who), int(given.bonus), given.jewels)
        case p.EndTurn():
            return Verb.END_TURN, (world.ally(given.who),)
        case p.NextRound():
            return Verb.NEXT_ROUND, ()
        case p.Reveal():
            world.load(Stream.INITIATIVE, [_card(world, name) for name in given.shuffled])
            return Verb.REVEAL, ()
        case p.Fate():
            world.load(Stream.FATE, given.shuffled)
            return Verb.FATE, ()
        case p.Timer():
            if given.start is not None:
                return Verb.TIMER, (0, given.start)
            return Verb.TIMER, (1 if given.reset else 2, 0)
    return None


def _choose(world: World, given: p.Choose) -> Call:
    """The colour and special initiative of the action are those that the verb names (R5.2, R15)."""
    slot = world.ally(given.who)
    token = world.tokens[slot][given.action]
    row = int(world.contents[0]["sheet"]["token"][slot, token])
    entry = world.contents["token"]
    if given.colour is not None:
        entry["colour"][0, row] = colour(given.colour)
    entry["special"][0, row] = sum(
        Special[name.upper()].value for name in listed_specials(given.special)
    )
    return Verb.CHOOSE, (slot, token)


def _card(world: World, name: str) -> int:
    """Index of an Initiative card of the case's deck."""
    cards = world.case.decks.initiative.deck + world.case.decks.initiative.discard
    if name not in cards:
        raise CaseError(f"no Initiative card {shown(name)}; there are {', '.join(cards)}")
    return cards.index(name)


def set_for_verb(world: World, given: p.Common) -> None:
    """Set what counts for one verb only: additions to reactive checks, the weapon in hand."""
    for name, reaction in given.reaction.items():
        ally = world.states["ally"][0, world.ally(name)]
        ally["reactive_bonus"] = reaction.bonus
        ally["reactive_dice"] = reaction.dice
        ally["reactive_h"] = reaction.h
    if isinstance(given, p.AllyAttack) and not given.weapon:
        world.states["ally"]["armed"][0, world.ally(given.who)] = 0


def clear_after_verb(world: World) -> None:
    """Undo what counted for one verb only."""
    for field in ("reactive_bonus", "reactive_dice", "reactive_h"):
        world.states["ally"][field][0] = 0
    world.states["ally"]["armed"][0] = world.contents["sheet"]["armed"][0]
    world.states["entry"]["keyword"] = 0
    world.unload(Stream.INITIATIVE, Stream.FATE)  # an order for a shuffle that did not happen
