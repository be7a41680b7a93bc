"""Translate each verb of a rule case into verbs of the core and their arguments.

Many verbs are verbs of the core with the same arguments; CALLS has the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from agemonia_env.rulesets.case_runner import RefusalError
from agemonia_env.rulesets.case_schema import arguments_of

from ..core.commands import Use, Verb
from ..core.terms import Effect, Op, Serve
from . import steps
from .pieces import Retaliate
from .queries import mode_of
from .world import Table, bits_of, target_count

Call = tuple[Verb, tuple[int, ...]]
ANYWHERE = NOBODY = NOTHING = -1


def calls(table: Table, verb: str, given: Any) -> Iterator[Call]:
    """The calls of the core for a step, in order. Raises RefusalError, CaseError."""
    for _ in range(given.times if verb == "draw" else 1):
        if verb in CALLS:
            yield CALLS[verb](table, given)
        else:
            yield Verb[verb.upper()], arguments_of(table, given)


def supplied(table: Table, given: Any, effect: Effect) -> Call:
    """A bless or curse for a deck."""
    deck = NOTHING if given.deck is None else table.deck(given.deck)
    figure = NOBODY if given.to is None else table.slot(given.to)
    place = ANYWHERE if given.position is None else given.position
    return Verb.SUPPLY, (deck, figure, effect, place)


def move(table: Table, given: Any) -> Call:
    """A move ability."""
    mode = mode_of(table, given.by, given.mode)
    row = table.write_row(op=Op.MOVE, amount=given.points, mode=mode)
    return Verb.LINE, (table.slot(given.by), row, 0, 0)


def force(table: Table, given: Any, pulls: bool) -> Call:
    """A push or pull without an attack."""
    values = (table.slot(given.target), given.amount, int(pulls))
    return Verb.FORCE, (table.slot(given.by), *values)


def select(table: Table, given: Any) -> Call:
    """Cards chosen for a round, or a long rest."""
    hero = table.hero(given.by)
    if given.cards is None:
        return Verb.SELECT, (hero, NOTHING, NOTHING)
    if len(given.cards) != 2:
        raise RefusalError(f"two cards are selected, not {len(given.cards)}")
    return Verb.SELECT, (hero, *(table.card(given.by, name) for name in given.cards))


def of_card(table: Table, given: Any, verb: Verb) -> Call:
    """A card that moves to another place."""
    return verb, (table.hero(given.by), table.card(given.by, given.card))


def rest(table: Table, given: Any) -> Call:
    """A long or short rest."""
    hero, long = table.hero(given.by), given.kind == "long"
    if given.instead is not None and long:
        raise RefusalError("instead: of a short rest only")
    instead = NOTHING if given.instead is None else table.card(given.by, given.instead)
    return Verb.REST, (hero, int(long), table.card(given.by, given.lose), instead)


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


def heal(table: Table, given: Any) -> Call:
    """A heal. Raises RefusalError for an impossible recipient."""
    if given.range == 0 and given.to != given.by:
        raise RefusalError("without a range it heals only who performs it")
    serves = Serve.ALLY if given.range else Serve.SELF
    row = table.write_row(op=Op.HEAL, amount=given.amount, range=given.range, serves=serves)
    return Verb.LINE, (table.slot(given.by), row, 0, 0)


def round_bonus(table: Table, given: Any) -> Call:
    """A Shield or Retaliate."""
    if given.shield is not None:
        row = table.write_row(op=Op.SHIELD, amount=given.shield, serves=Serve.SELF)
    else:
        gained = given.retaliate
        if not isinstance(gained, Retaliate):
            gained = Retaliate(value=gained)
        amount, reach = gained.value, gained.range
        row = table.write_row(op=Op.RETALIATE, amount=amount, range=reach, serves=Serve.SELF)
    return Verb.LINE, (table.slot(given.to), row, 0, 0)


def play(table: Table, given: Any) -> Call:
    """A card of the hand is used; with an active bonus it comes into the active area."""
    hero = table.hero(given.by)
    use = Use.BASIC if given.basic else Use.UNUSED if given.unused else Use.PRINTED
    bonus, served, summon = NOTHING, 0, NOBODY
    if given.active is not None:
        bonus = table.add_bonus(given.active)
        names = given.active.served
        served = table.bits([given.by] if names is None else names)
        summon = NOBODY if given.active.summon is None else table.slot(given.active.summon)
    card = table.card(given.by, given.card)
    return Verb.PLAY, (hero, card, use, int(given.loss), bonus, served, summon)


CALLS: dict[str, Callable[[Table, Any], Call]] = {
    "attack": attack,
    "bless": lambda table, given: supplied(table, given, Effect.BLESS),
    "curse": lambda table, given: supplied(table, given, Effect.CURSE),
    "heal": heal,
    "condition": lambda table, given: (Verb.GAIN, (table.slot(given.to), bits_of(given.gain))),
    "bonus": round_bonus,
    "select": select,
    "play_card": play,
    "remove_card": lambda table, given: of_card(table, given, Verb.REMOVE),
    "recover": lambda table, given: of_card(table, given, Verb.RECOVER),
    "rest": rest,
    "move": move,
    "push": lambda table, given: force(table, given, pulls=False),
    "pull": lambda table, given: force(table, given, pulls=True),
}
