"""What a passage brings that no verb of the format has, and when it does.

The sections that are read, the defeat boxes of Enemies, and Trap cards whose effect a check avoids
are no part of the format. A verb is told without them; they are told behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..agemonia.terms import Event, Proc
from .position import Table
from .record import Beat
from .telling import rows_of

STORIES = (Proc.STORY_NEXT, Proc.STORY_CHECK)
BOXES = (Proc.DEFEAT_BOX,)
TRAPS = (Proc.TRAP_VICTIM, Proc.TRAP_CHECK, Proc.TRAP_CONDITION)
CHECKED = (Proc.STORY_CHECK, Proc.TRAP_CHECK)  # what waits for a check that is told by itself


def waiting(beat: Beat) -> list[int]:
    """Pieces of work that are under way or due as a beat begins, the latest last."""
    state = beat.before[0]
    return list(state["agenda"][: int(state["depth"])].tolist())


def is_of_check(beat: Beat) -> bool:
    """Whether a beat belongs to a check that is told by itself."""
    return any(proc in CHECKED for proc in waiting(beat)[:-1])


def trap_told(table: Table, beats: Sequence[Beat]) -> int:
    """The Trap card that a case can tell; -1 = none.

    The format's deck has the same card on top for ever, and nobody makes a check against it.
    """
    cards = {row[2] for row in rows_of(beats, Event.TRAP_CARD)}
    if len(cards) != 1 or table.content["trap"][min(cards)]["number"] > 0:
        return -1
    return min(cards)


def stretches(beats: Sequence[Beat], asides: Sequence[Beat]) -> Iterator[list[Beat]]:
    """R6.14 - the parts of a movement; each but the last ends with something told behind it."""
    odd = {id(beat) for beat in asides if beat.rows}
    part: list[Beat] = []
    for beat in beats:
        steps = beat.proc == Proc.MOVE_NEXT and beat.action >= 0
        if steps and any(id(other) in odd for other in part):
            yield part
            part = []
        part.append(beat)
    yield part
