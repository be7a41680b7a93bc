"""The stack of pending work, questions to players, and the log of what happens.

A rule that needs an answer puts itself back on the agenda and asks; `flow` stops, and calls it
again once `answer` is set. A rule that causes something which may ask in turn puts its own
continuation on the agenda first and the cause above it: what is on top happens next.

Of a state this needs agenda and depth; decision, asked, subject, answer and block; logging, n_log
and log. What the numbers in them stand for is said by the terms of the ruleset.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import kernel


class Row(NamedTuple):
    """A row of the event log; what an event does not have is -1."""

    event: int  # terms.Event, which says what the others are
    figure: int  # who
    amount: int
    place: int  # where
    other: int  # one thing more, such as another figure or the face of a die
    choice: int  # the action, of a question that was answered


N_COLUMNS = len(Row._fields)


# ---- pending work -------------------------------------------------------------------------------
@kernel
def push(s, proc):
    """Do `proc` next."""
    s.agenda[s.depth] = proc
    s.depth += 1


@kernel
def under_way(s):
    """Bits of terms.Proc: all that is on the agenda, where there are at most 63 kinds of work."""
    bits = 0
    for k in range(s.depth):
        bits |= 1 << int(s.agenda[k])
    return bits


# ---- questions ----------------------------------------------------------------------------------
@kernel
def ask(s, proc, decision, asked, subject):
    """Ask `decision` of a figure's player (-1 = of all players) about `subject`.

    `proc` receives the answer.
    """
    push(s, proc)
    s.decision = decision
    s.asked = asked
    s.subject = subject
    s.answer = -1


@kernel
def answered(s):
    """Whether the procedure now running was called to receive an answer."""
    return s.answer >= 0


@kernel
def take_answer(s):
    """The index named by the answer; the question is settled."""
    answer = int(s.answer)
    s.answer = -1
    return answer


@kernel
def take_if(s, block):
    """The index named by the answer if it is of this block; -1 = the offer is declined."""
    answer = take_answer(s)
    return answer if s.block == block else -1


# ---- the event log ------------------------------------------------------------------------------
@kernel
def log(s, event, figure, amount, place, other=-1):
    """Note that `event` happened, if a log is kept; what it does not have is -1."""
    if s.logging:
        write_row(s, event, figure, amount, place, other, -1)


@kernel
def log_choice(s, event, action):
    """Note the answer to the question now asked, as `event`, if a log is kept."""
    if s.logging:
        write_row(s, event, s.asked, s.decision, -1, -1, action)


@kernel
def write_row(s, event, figure, amount, place, other, choice):
    """Append a row to those that wait for `flush`; one that has no place is counted as lost."""
    if s.n_log < len(s.log):
        row = event, figure, amount, place, other, choice
        for column in range(N_COLUMNS):
            s.log[s.n_log, column] = row[column]
    s.n_log += 1


@kernel
def flush(s, rows):
    """Move what waits into the buffer, int16 (n, N_COLUMNS); the state keeps nothing of it.

    rows[0] is its head: rows used, this one included, and rows lost for want of room.
    """
    for k in range(s.n_log):
        if k < len(s.log) and rows[0, 0] < len(rows):
            for column in range(N_COLUMNS):
                rows[rows[0, 0], column] = s.log[k, column]
            rows[0, 0] += 1
        else:
            rows[0, 1] += 1
    s.log[:] = 0
    s.n_log = 0


# ---- the buffer, for whoever reads it in Python -------------------------------------------------
def empty_rows(n: int) -> NDArray[np.int16]:
    """A buffer for an event log, int16 (n, N_COLUMNS), its head included; n = 0 keeps none."""
    rows = np.zeros((n, N_COLUMNS), np.int16)
    clear_rows(rows)
    return rows


def clear_rows(rows: NDArray[np.int16]) -> None:
    """Nothing has happened: only the head is used."""
    rows[:1, :2] = 1, 0


def written(rows: NDArray[np.int16]) -> list[Row]:
    """The rows in a buffer, in order."""
    return [Row(*row) for row in rows[1 : int(rows[0, 0])].tolist()] if len(rows) else []
