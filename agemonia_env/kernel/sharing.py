"""Lanes shared out among threads: in blocks, each played by whoever is free first.

Runs of lanes dealt out once and for all wait for the slowest, and the second thread begins some
30 us after the first.

blocks: see `cut`; taken: int64 (threads + 1,), how many of each thread's blocks are taken and how
many of all are played, 0 before each step; of length 0 where one thread plays them all.
"""

from threading import Lock
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from .jit import COMPILED, kernel

DONE = -1  # in `taken`
# So many lanes are played, then shown: code that runs for one lane after another is fetched once,
# which makes a step 5 to 9 % shorter (docs/why.md)
TOGETHER = 128
FEWEST = 16  # in a block at the end, which a thread may have to wait for
PATIENCE = 200_000  # looks at what others play until a thread sleeps instead, a millisecond
NOBODY_ELSE = np.zeros(0, np.int64)  # `taken` of a thread that plays all blocks
ALONE = np.array([[0, 1]], np.int64)  # blocks of a single lane

if COMPILED:

    @intrinsic
    def add(typing: Any, numbers: Any, k: Any, amount: Any) -> Any:
        """Add to numbers[k], int64, at once for all threads -> what was there before."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = cgutils.get_item_pointer(
                context, builder, signature.args[0], array, [arguments[1]]
            )
            return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

        return types.int64(numbers, types.int64, types.int64), generate

else:
    LOCK = Lock()

    def add(numbers: Any, k: int, amount: int) -> int:
        """Add to numbers[k], int64, at once for all threads -> what was there before."""
        with LOCK:
            before = int(numbers[k])
            numbers[k] = before + amount
            return before


def cut(n: int, threads: int) -> NDArray[np.int64]:
    """Where the blocks of each thread begin and end in n lanes, int64 (threads, blocks + 1).

    With several threads they become smaller, down to FEWEST; empty ones are at the end.
    """
    runs = []
    for thread in range(threads):
        bounds, last = [thread * n // threads], (thread + 1) * n // threads
        while bounds[-1] < last:
            left = last - bounds[-1]
            most = left if threads == 1 else max(FEWEST, left // 2)
            bounds.append(bounds[-1] + min(left, most, TOGETHER))
        runs.append(bounds)
    longest = max(map(len, runs))
    return np.array([[*run, *run[-1:] * (longest - len(run))] for run in runs], np.int64)


@kernel
def next_block(taken, thread, blocks, before):
    """The block that a thread plays next, (whose, its number); `before` is -1 at the beginning.

    Its own blocks first, as their games may still be in its cache, then those of others. None is
    left if the number is that of all blocks of a thread.
    """
    n = blocks.shape[1] - 1
    if len(taken) == 0:
        return 0, before + 1
    if before >= 0:
        add(taken, len(taken) + DONE, 1)
    for k in range(len(blocks)):
        whose = (thread + k) % len(blocks)
        block = add(taken, whose, 1)
        if block < n:
            return whose, block
    return 0, n


@kernel
def wait_for_others(taken, blocks):
    """Look for a while whether all blocks are played.

    A thread that sleeps until another has finished its last block wakes up 30 us late.
    """
    n = blocks.shape[0] * (blocks.shape[1] - 1)
    for _ in range(PATIENCE):
        if add(taken, len(taken) + DONE, 0) >= n:
            break
