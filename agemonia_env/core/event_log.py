"""The event log: rows that kernels write as things happen, and their buffer read in Python.

State fields used: logging, n_log and log; log_choice also reads decision and asked. A buffer is
int16 (n, N_COLUMNS); buffer[0] is its head: rows used, itself included, and rows lost for lack of
room. A buffer without rows keeps no log.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import kernel

Rows = NDArray[np.int16]
MAX_ROWS = 1024  # enough for what follows one decision


class LogRow(NamedTuple):
    """A row of the event log; -1 where an event has no such value."""

    event: int  # terms.Event, which says what the others are
    figure: int  # who
    amount: int
    place: int  # where
    other: int  # a further value, such as another figure or the face of a die
    choice: int  # the action that answered a question


N_COLUMNS = len(LogRow._fields)


# ---- writing ------------------------------------------------------------------------------------
@kernel
def log(s, event, figure, amount, place, other=-1):
    """Record that `event` happened, if a log is kept; -1 where it has no such value."""
    if s.logging:
        write_row(s, event, figure, amount, place, other, -1)


@kernel
def log_choice(s, event, action):
    """Record the answer to the question now asked, as `event`, if a log is kept."""
    if s.logging:
        write_row(s, event, s.asked, s.decision, -1, -1, action)


@kernel
def write_row(s, event, figure, amount, place, other, choice):
    """Append a row to those waiting for `flush`; without room it is counted as lost."""
    if s.n_log < len(s.log):
        row = event, figure, amount, place, other, choice
        for column in range(N_COLUMNS):
            s.log[s.n_log, column] = row[column]
    s.n_log += 1


@kernel
def flush(s, rows):
    """Move the waiting rows into a buffer; no trace of them stays in the state."""
    for k in range(s.n_log):
        if k < len(s.log) and rows[0, 0] < len(rows):
            for column in range(N_COLUMNS):
                rows[rows[0, 0], column] = s.log[k, column]
            rows[0, 0] += 1
        else:
            rows[0, 1] += 1
    s.log[:] = 0
    s.n_log = 0


# ---- the buffer, in Python ----------------------------------------------------------------------
def empty_rows(n: int = MAX_ROWS) -> Rows:
    """A buffer for an event log, int16 (n, N_COLUMNS), its head included."""
    rows = np.zeros((n, N_COLUMNS), np.int16)
    clear_rows(rows)
    return rows


def clear_rows(rows: Rows) -> None:
    """Empty a buffer: only its head is used."""
    rows[:1, :2] = 1, 0


def read_rows(rows: Rows) -> list[LogRow]:
    """The rows in a buffer, in order."""
    return [LogRow(*row) for row in rows[1 : int(rows[0, 0])].tolist()] if len(rows) else []


def sentences(rows: Rows, texts: Callable[[list[LogRow]], Iterable[str]]) -> list[str]:
    """Describe the events in a buffer, one sentence each; the last one counts rows that were lost.

    texts: turns rows into texts; empty ones are skipped.
    """
    described = [*texts(read_rows(rows))]
    if len(rows) and rows[0, 1]:
        described.append(f"and {int(rows[0, 1])} more events")
    return [text[0].upper() + text[1:] for text in described if text]
