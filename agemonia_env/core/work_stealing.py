"""Work stealing: threads play blocks of slots, first their own, then those of other threads.

With a fixed share each, all would wait for the slowest thread, and threads do not start together.

blocks: int64 (threads + 1, m). The row of each thread holds the bounds of its blocks. The last row
holds counts, 0 before each step: the blocks taken of each thread and, in the last place, the blocks
done in all. A single row belongs to a thread that plays alone.
"""

from threading import Lock
from time import sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import intrinsics
from .jit import COMPILED, kernel

DONE = -1  # in the counts
# Slots of a block are all played first, then their outputs are written: the code of each phase is
# fetched once, which makes a step 5 to 9 % shorter (docs/performance-log.md)
BLOCK_MAX = 128
BLOCK_MIN = 16  # slots in the last blocks, which other threads may have to wait for
# Polls until a waiting thread sleeps instead: a millisecond. As plain Python, polling would take
# time from the threads it waits for.
SPINS = 200_000 if COMPILED else 0
POLLS = 100  # before a waiting thread offers its core to others at each further one
SINGLE_SLOT = np.array([[0, 1]], np.int64)  # the blocks of a single slot

if COMPILED:
    add, yield_core = intrinsics.add_atomically, intrinsics.yield_core
else:
    LOCK = Lock()

    def yield_core() -> None:
        """Like intrinsics.yield_core."""
        sleep(0)

    def add(numbers: Any, k: int, amount: int) -> int:
        """Like intrinsics.add_atomically."""
        with LOCK:
            before = int(numbers[k])
            numbers[k] = before + amount
            return before


def split_into_blocks(n: int, threads: int) -> NDArray[np.int64]:
    """Split n slots into the blocks of each thread.

    With several threads each block is half of the thread's remaining slots, but at least
    BLOCK_MIN; empty blocks fill up the end.
    """
    runs = []
    for thread in range(threads):
        bounds, last = [thread * n // threads], (thread + 1) * n // threads
        while bounds[-1] < last:
            left = last - bounds[-1]
            most = left if threads == 1 else max(BLOCK_MIN, left // 2)
            bounds.append(bounds[-1] + min(left, most, BLOCK_MAX))
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
    """The block that a thread plays next: (owner, number); `before` is -1 at the start.

    Its own blocks come first, as their games may still be in its cache, then those of others. The
    number is `blocks_each` when none is left.
    """
    threads = len(blocks) - 1
    if threads == 0:
        return 0, before + 1
    counts = blocks[threads]
    if before >= 0:
        add(counts, len(counts) + DONE, 1)
    for k in range(threads):
        owner = (thread + k) % threads
        block = add(counts, owner, 1)
        if block < blocks_each(blocks):
            return owner, block
    return 0, blocks_each(blocks)


@kernel
def wait_for_count(counts, k, least):
    """Poll until counts[k] is at least `least`.

    Where threads share a core, the one that is waited for gets it: without that two threads on one
    core search 20 times slower.
    """
    polls = 0
    while add(counts, k, 0) < least:
        polls += 1
        if polls > POLLS:
            yield_core()


@kernel
def wait_for_others(blocks):
    """Poll for a while until all blocks are done.

    A thread that sleeps until another has finished its last block wakes up 30 us late.
    """
    threads = len(blocks) - 1
    counts = blocks[threads]
    for _ in range(SPINS if threads > 0 else 0):
        if add(counts, len(counts) + DONE, 0) >= threads * blocks_each(blocks):
            break


def are_all_done(blocks: NDArray[np.int64]) -> bool:
    """Whether all blocks are done."""
    return bool(blocks[-1, DONE] >= blocks[:-1, 1:].size)
