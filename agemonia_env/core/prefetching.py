"""Ask for the memory of the next game while this one is played.

More games than fit into the cache would each wait for theirs: 8,192 games without this run at
half the speed of 1,024.
"""

from .intrinsics import prefetch_line
from .jit import COMPILED, kernel

LINE = 64  # bytes of a cache line
MOST = 4096  # bytes of a row: more displace each other in the nearest cache


@kernel
def prefetch_row(rows, i, most=MOST):
    """Ask for row i of an array of rows or records, if there is one; its first `most` bytes."""
    if COMPILED and i < len(rows):
        for offset in range(0, min(rows.strides[0], most), LINE):
            prefetch_line(rows, i, offset)
