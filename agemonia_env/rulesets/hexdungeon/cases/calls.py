"""Translate each verb of a rule case into verbs of the core and their arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from agemonia_env.display.messages import shown

from ..core.commands import Use, Verb
from ..core.terms import Draw, Effect, Op, Serve, Source
from . import steps
from .pieces import Retaliate
from .queries import mode_of
from .world import CaseError, RefusalError, Table, bits_of, target_count

Call = tuple[Verb, tuple[int, ...]]
ANYWHERE = NOBODY = NOTHING = -1


def calls(table: Table, verb: str, given: Any) -> Iterator[Call]:
    """The calls of the core for a step, in order. Raises RefusalError, CaseError."""
    match given:
        case steps.Attack():
            yield attack(table, given)
        case steps.Draw():
            for _ in range(given.times):
                yield Verb.DRAW, (table.deck(given.deck), Draw[given.mode.upper()], given.value)
        case steps.Supplied():
            deck = NOTHING if given.deck is None else table.deck(given.deck)
            figure = NOBODY if given.to is None else table.slot(given.to)
            place = ANYWHERE if given.position is None else given.position
            yield Verb.SUPPLY, (deck, figure, Effect[verb.upper()], place)
        case steps.Damage():
            source = Source[given.source.upper()]
            yield Verb.DAMAGE, (table.slot(given.to), given.amount, source, given.pierce)
        case steps.Heal():
            yield Verb.LINE, (table.slot(given.by), heal(table, given), 0, 0)
        case steps.Gain():
            yield Verb.GAIN, (table.slot(given.to), bits_of(given.gain))
        case steps.RoundBonus():
            yield Verb.LINE, (table.slot(given.to), round_bonus(table, given), 0, 0)
        case steps.Move():
            mode = mode_of(table, given.by, given.mode)
            row = table.write_row(op=Op.MOVE, amount=given.points, mode=mode)
            yield Verb.LINE, (table.slot(given.by), row, 0, 0)
        case steps.Force():
            values = (table.slot(given.target), given.amount, int(verb == "pull"))
            yield Verb.FORCE, (table.slot(given.by), *values)
        case steps.LoseFlight():
            yield Verb.LOSE_FLIGHT, (table.slot(given.by),)
        case steps.PlaceObstacle():
            yield Verb.PLACE_OBSTACLE, (table.hex(given.at),)
        case steps.Nothing():
            yield Verb[verb.upper()], ()
        case steps.StartTurn() | steps.EndTurn():
            yield Verb[verb.upper()], (table.slot(given.by),)
        case _:
            yield card_call(table, verb, given)


def card_call(table: Table, verb: str, given: Any) -> Call:
    """Calls about the ability cards of a character."""
    hero = table.hero(given.by)
    match given:
        case steps.Select():
            names = [] if given.cards is None else given.cards
            if given.cards is not None and len(names) != 2:
                raise RefusalError(f"two cards are selected, not {len(names)}")
            cards = [table.card(given.by, name) for name in names] or [NOTHING, NOTHING]
            return Verb.SELECT, (hero, *cards)
        case steps.PlayCard():
            return play(table, hero, given)
        case steps.OfCard():
            named = Verb.REMOVE if verb == "remove_card" else Verb.RECOVER
            return named, (hero, table.card(given.by, given.card))
        case steps.Rest():
            if given.instead is not None and given.kind == "long":
                raise RefusalError("instead: of a short rest only")
            instead = NOTHING
            if given.instead is not None:
                instead = table.card(given.by, given.instead)
            lost = table.card(given.by, given.lose)
            return Verb.REST, (hero, int(given.kind == "long"), lost, instead)
    raise CaseError(f"no call for the verb {shown(verb)}")


def attack(table: Table, given: steps.Attack) -> Call:
    """An attack ability, with what counts for single targets."""
    template = NOTHING if given.area is None else table.write_template(given.area)
    row = table.write_row(
        [printed(entry) for entry in given.effects],
        op=Op.ATTACK,
        amount=given.value,
        range=given.range,
        targets=target_count(given.target_count),
        extra_targets=given.add_target,
        pierce=given.pierce,
        advantages=given.advantage,
        disadvantages=given.disadvantage,
        template=template,
    )
    for name, aid in given.per_target.items():
        record = table.state["aid"][table.slot(name)]
        record["bonus"], record["doublings"], record["pierce"] = aid.bonus, aid.double, aid.pierce
        record["advantages"], record["disadvantages"] = aid.advantage, aid.disadvantage
        record["shield"] = aid.shield
    return Verb.LINE, (table.slot(given.by), row, given.bonus, given.double)


def clear_aids(table: Table) -> None:
    """Undo what counted for one attack ability only."""
    table.states["aid"] = np.zeros((), table.states["aid"].dtype)


def printed(entry: Any) -> tuple[Effect, int]:
    """An effect printed on an ability, and its amount; 0 where it has none."""
    match entry:
        case steps.Push():
            return Effect.PUSH, entry.push
        case steps.Pull():
            return Effect.PULL, entry.pull
    return Effect[entry.upper()], 0


def heal(table: Table, given: steps.Heal) -> int:
    """The line of a heal. Raises RefusalError for an impossible recipient."""
    if given.range == 0 and given.to != given.by:
        raise RefusalError("without a range it heals only who performs it")
    serves = Serve.ALLY if given.range else Serve.SELF
    return table.write_row(op=Op.HEAL, amount=given.amount, range=given.range, serves=serves)


def round_bonus(table: Table, given: steps.RoundBonus) -> int:
    """The line of a Shield or Retaliate."""
    if given.shield is not None:
        return table.write_row(op=Op.SHIELD, amount=given.shield, serves=Serve.SELF)
    gained = given.retaliate
    if not isinstance(gained, Retaliate):
        gained = Retaliate(value=gained or 0)
    return table.write_row(
        op=Op.RETALIATE, amount=gained.value, range=gained.range, serves=Serve.SELF
    )


def play(table: Table, hero: int, given: steps.PlayCard) -> Call:
    """A card of the hand is used; with an active bonus it comes into the active area."""
    use = Use.BASIC if given.basic else Use.UNUSED if given.unused else Use.PRINTED
    bonus, served, summon = NOTHING, 0, NOBODY
    if given.active is not None:
        bonus = table.add_bonus(given.active)
        names = given.active.served
        served = table.bits([given.by] if names is None else names)
        summon = NOBODY if given.active.summon is None else table.slot(given.active.summon)
    card = table.card(given.by, given.card)
    return Verb.PLAY, (hero, card, use, int(given.loss), bonus, served, summon)
