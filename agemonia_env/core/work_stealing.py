"""Slots shared out among threads: in blocks, each played by whoever is free first.

Runs of slots dealt out once and for all wait for the slowest, and threads do not begin at once.

blocks: int64 (threads + 1, m), in the row of each thread the slots where its blocks begin and end,
in the last row the counts, 0 before each step: how many blocks of each thread are taken and, in
the last place, how many of all are done. A single row is that of a thread that plays alone.
"""

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import compiling
from .jit import COMPILED, kernel

DONE = -1  # in the counts
# So many slots are played, then shown: code that runs for one slot after another is fetched once,
# which makes a step 5 to 9 % shorter (docs/performance-log.md)
TOGETHER = 128
SMALL = 16  # slots in one of the last blocks, for which a thread may have to wait
# Looks at what others play until a thread sleeps instead: a millisecond. As plain Python it would
# take time from those it waits for.
PATIENCE = 200_000 if COMPILED else 0
ALONE = np.array([[0, 1]], np.int64)  # blocks of a single slot

if COMPILED:
    add = compiling.add_atomically
else:
    LOCK = Lock()

    def add(numbers: Any, k: int, amount: int) -> int:
        """What compiling.add_atomically does."""
        with LOCK:
            before = int(numbers[k])
            numbers[k] = before + amount
            return before


def cut(n: int, threads: int) -> NDArray[np.int64]:
    """The blocks of threads in n slots.

    With several threads each is half of what is left, but not below SMALL; empty ones are at the
    end.
    """
    runs = []
    for thread in range(threads):
        bounds, last = [thread * n // threads], (thread + 1) * n // threads
        while bounds[-1] < last:
            left = last - bounds[-1]
            most = left if threads == 1 else max(SMALL, left // 2)
            bounds.append(bounds[-1] + min(left, most, TOGETHER))
        runs.append(bounds)
    if threads == 1:
        return np.array(runs, np.int64)
    longest = max(threads + 1, *map(len, runs))
    rows = [run + run[-1:] * (longest - len(run)) for run in runs]
    return np.array([*rows, [0] * longest], np.int64)


@kernel
def blocks_each(blocks):
    """How many blocks each thread has."""
    return blocks.shape[1] - 1


@kernel
def next_block(blocks, thread, before):
    """The block that a thread plays next: (whose, its number); `before` is -1 at the beginning.

    Its own blocks first, as their games may still be in its cache, then those of others. None is
    left if the number is `blocks_each`.
    """
    threads = len(blocks) - 1
    if threads == 0:
        return 0, before + 1
    counts = blocks[threads]
    if before >= 0:
        add(counts, len(counts) + DONE, 1)
    for k in range(threads):
        whose = (thread + k) % threads
        block = add(counts, whose, 1)
        if block < blocks_each(blocks):
            return whose, block
    return 0, blocks_each(blocks)


@kernel
def wait_for_others(blocks):
    """Look for a while whether all blocks are done.

    A thread that sleeps until another has finished its last block wakes up 30 us late.
    """
    threads = len(blocks) - 1
    counts = blocks[threads]
    for _ in range(PATIENCE if threads > 0 else 0):
        if add(counts, len(counts) + DONE, 0) >= threads * blocks_each(blocks):
            break


def are_all_done(blocks: NDArray[np.int64]) -> bool:
    """Whether all blocks are."""
    return bool(blocks[-1, DONE] >= blocks[:-1, 1:].size)
