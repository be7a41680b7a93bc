"""What a passage brings that no verb of the format has, and when it does.

The sections that are read, the defeat boxes of Enemies, and Trap cards whose effect a check avoids
are no part of the format. A verb is told without them; they are told behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core.actions import Block
from ..core.terms import Decision, Event, Proc
from .position import Table
from .record import Beat
from .trace_writer import rows_of

STORIES = (Proc.STORY_NEXT, Proc.STORY_CHECK)
BOXES = (Proc.DEFEAT_BOX,)
TRAPS = (Proc.TRAP_VICTIM, Proc.TRAP_CHECK, Proc.TRAP_CONDITION)
# what waits for a check that is told by itself
CHECKED = (Proc.STORY_CHECK, Proc.TRAP_CHECK, Proc.TRAP_DISARMED)


def waiting(beat: Beat) -> list[int]:
    """Tasks that are under way or due as a beat begins, the latest last."""
    state = beat.before[0]
    return list(state["tasks"][: int(state["depth"])].tolist())


def is_of_check(beat: Beat) -> bool:
    """Whether a beat belongs to a check that is told by itself."""
    return any(proc in CHECKED for proc in waiting(beat)[:-1])


def are_traps_apart(beats: Sequence[Beat]) -> bool:
    """Whether an item is discarded for disarming, which `disarm` does not know (R3.12)."""
    return any(
        beat.decision == Decision.BOOST
        and beat.block == Block.ITEM
        and Proc.TRAP_DISARMED in waiting(beat)
        for beat in beats
    )


def trap_told(table: Table, beats: Sequence[Beat]) -> int:
    """The Trap card that a case can tell; -1 = none.

    The format's deck has the same card on top for ever, and nobody makes a check against it.
    """
    cards = {row.amount for row in rows_of(beats, Event.TRAP_CARD)}
    if len(cards) != 1 or table.content["trap"][min(cards)]["number"] > 0:
        return -1
    return min(cards)


def interrupts(beat: Beat) -> bool:
    """R6.11, R14.4, R17.5 - whether something else is done between the steps of a movement."""
    return beat.decision == Decision.STEP and beat.block in (Block.TURN, Block.LOCK)


def stretches(beats: Sequence[Beat], asides: Sequence[Beat]) -> Iterator[list[Beat]]:
    """R6.14 - a movement in parts: where something is told behind one or done between two."""
    odd = {id(beat) for beat in asides if beat.rows}
    part: list[Beat] = []
    for beat in beats:
        asked = beat.proc == Proc.MOVE_NEXT
        over = asked and beat.action < 0 and bool(part) and interrupts(part[0])
        steps = asked and beat.action >= 0 and any(id(other) in odd for other in part)
        if part and (over or steps or interrupts(beat)):
            yield part
            part = []
        part.append(beat)
    yield part
