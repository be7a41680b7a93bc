"""Side effects: what happens in a segment beyond its verb.

Story sections, defeat boxes of Enemies, and Trap cards with a check are not part of the format. A
verb is written without them; they follow as verbs of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core.actions import Block
from ..core.terms import Decision, Event, Proc
from .position import GameTable
from .record import EventStep
from .trace_writer import rows_of

STORIES = (Proc.STORY_NEXT, Proc.STORY_CHECK)
BOXES = (Proc.DEFEAT_BOX,)
TRAPS = (Proc.TRAP_VICTIM, Proc.TRAP_CHECK, Proc.TRAP_CONDITION)
# tasks waiting for a check that is written as a verb of its own
CHECKED = (Proc.STORY_CHECK, Proc.TRAP_CHECK, Proc.TRAP_DISARMED)


def waiting(step: EventStep) -> list[int]:
    """The task stack at the beginning of a step, its top last."""
    state = step.before[0]
    return list(state["tasks"][: int(state["depth"])].tolist())


def is_of_check(step: EventStep) -> bool:
    """Whether a step belongs to a check that is written as a verb of its own."""
    return any(proc in CHECKED for proc in waiting(step)[:-1])


def are_traps_apart(steps: Sequence[EventStep]) -> bool:
    """Whether an item is discarded for disarming, which `disarm` cannot express (R3.12)."""
    return any(
        step.decision == Decision.BOOST
        and step.block == Block.ITEM
        and Proc.TRAP_DISARMED in waiting(step)
        for step in steps
    )


def expressible_trap(table: GameTable, steps: Sequence[EventStep]) -> int:
    """The Trap card that a case can express; -1 = none.

    The format's deck always has the same card on top, and nobody makes a check against it.
    """
    cards = {row.amount for row in rows_of(steps, Event.TRAP_CARD)}
    if len(cards) != 1 or table.content["trap"][min(cards)]["number"] > 0:
        return -1
    return min(cards)


def interrupts(step: EventStep) -> bool:
    """R6.11, R14.4, R17.5 - whether something else is done between the steps of a movement."""
    return step.decision == Decision.STEP and step.block in (Block.TURN, Block.LOCK)


def stretches(
    steps: Sequence[EventStep], side_effects: Sequence[EventStep]
) -> Iterator[list[EventStep]]:
    """R6.14 - a movement split at side effects and at choices between its steps."""
    odd = {id(step) for step in side_effects if step.rows}
    part: list[EventStep] = []
    for step in steps:
        asked = step.proc == Proc.MOVE_NEXT
        over = asked and step.action < 0 and bool(part) and interrupts(part[0])
        moves_on = asked and step.action >= 0 and any(id(other) in odd for other in part)
        if part and (over or moves_on or interrupts(step)):
            yield part
            part = []
        part.append(step)
    yield part
