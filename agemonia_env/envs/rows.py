"""The event log of one decision: a buffer that the core writes, and sentences made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int16]
Row = tuple[int, ...]  # event, figure, amount, ...: see LOG of the ruleset's layout

MOST_ROWS = 1024  # of what one decision brings


def empty_rows(n_columns: int) -> Rows:
    """A buffer for the event log of one decision, int16 (MOST_ROWS, n_columns)."""
    rows = np.zeros((MOST_ROWS, n_columns), np.int16)
    clear(rows)
    return rows


def clear(rows: Rows) -> None:
    """Nothing has happened: only the head is used."""
    if len(rows):
        rows[0, :2] = 1, 0


def tell(rows: Rows, texts: Callable[[list[Row]], Iterable[str]]) -> list[str]:
    """What happened, in order, a sentence for each text; the last one says if some had no room.

    texts: from rows to texts; empty ones go without saying.
    """
    written = rows[1 : int(rows[0, 0])].tolist() if len(rows) else []
    told = [*texts([tuple(row) for row in written])]
    if len(rows) and rows[0, 1]:
        told.append(f"and {int(rows[0, 1])} things more")
    return [text[0].upper() + text[1:] for text in told if text]
