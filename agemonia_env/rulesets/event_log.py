"""The event log of one decision: a buffer that the core writes, and sentences made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.task_stack import Row, empty_rows, written

Rows = NDArray[np.int16]
MOST_ROWS = 1024  # of what one decision brings


def fresh_rows() -> Rows:
    """A buffer for the event log of one decision, int16 (MOST_ROWS, N_COLUMNS)."""
    return empty_rows(MOST_ROWS)


def tell(rows: Rows, texts: Callable[[list[Row]], Iterable[str]]) -> list[str]:
    """What happened, in order, a sentence for each text; the last one says if some had no room.

    texts: from rows to texts; empty ones go without saying.
    """
    told = [*texts(written(rows))]
    if len(rows) and rows[0, 1]:
        told.append(f"and {int(rows[0, 1])} things more")
    return [text[0].upper() + text[1:] for text in told if text]
