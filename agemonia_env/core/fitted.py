"""Fitted observations: only the columns that can differ between the positions of some scenarios.

A ruleset writes an observation into a scratch row, of which the columns of the changed blocks are
taken. columns: uint16 (k,), ascending; none = the whole observation. ranges: int16 (n * PARTS, 2):
where in `columns` those of block b begin and end, in up to PARTS runs. The blocks are the bits of
the ruleset's `changed_blocks`, and one more, written at every step.
"""

import numpy as np

from .bitset import lowest
from .jit import kernel

PARTS = 3
WHOLE = np.zeros(0, np.uint16), np.zeros((0, 2), np.int16)


@kernel
def take_columns(row, changed, i, factors, obs_int8, observations, columns, ranges):
    """Take the columns of the changed blocks of a row, int8 (N_OBS_INT8,), as observation i.

    Writes obs_int8, (n, k), or if that has no rows observations, float32 (n, k).
    """
    changed |= 1 << (len(ranges) // PARTS - 1)
    while changed != 0:
        first = PARTS * lowest(changed)
        changed &= changed - 1
        for part in range(first, first + PARTS):
            begin, end = int(ranges[part, 0]), int(ranges[part, 1])
            if len(observations) == 0:
                take_int8(row, columns[begin:end], obs_int8[i, begin:end])
            else:
                take_float32(row, columns[begin:end], factors, observations[i, begin:end])


@kernel
def take_int8(row, columns, taken):
    """Take some columns of a row."""
    for k in range(len(taken)):
        taken[k] = row[columns[k]]


@kernel
def take_float32(row, columns, factors, taken):
    """Take some columns of a row, times their factors."""
    for k in range(len(taken)):
        taken[k] = row[columns[k]] * factors[columns[k]]
