"""Work stealing: every slot is played once, by the first free thread."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED, entry
from agemonia_env.core.work_stealing import (
    BLOCK_MAX,
    BLOCK_MIN,
    DONE,
    SINGLE_SLOT,
    are_all_done,
    blocks_each,
    next_block,
    split_into_blocks,
    wait_for_others,
)


@entry
def play(blocks, thread, most, played):
    """Take at most `most` blocks; played, int64 (n,), records the thread that played each slot."""
    owner, block = next_block(blocks, thread, -1)
    for _ in range(most):
        if block == blocks_each(blocks):
            break
        for i in range(blocks[owner, block], blocks[owner, block + 1]):
            played[i] = 10 * played[i] + thread + 1
        owner, block = next_block(blocks, thread, block)


@entry
def wait(blocks):
    wait_for_others(blocks)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [7, 64, 1000, 1024])
def test_blocks_are_all_slots_in_their_order(n, threads):
    blocks = split_into_blocks(n, threads)[:threads]
    assert blocks[0, 0] == 0
    assert blocks[-1, -1] == n
    assert (blocks[1:, 0] == blocks[:-1, -1]).all()
    sizes = np.diff(blocks)
    assert (sizes >= 0).all()
    assert sizes.max() <= BLOCK_MAX
    assert np.ptp(sizes.sum(1)) <= 1
    if threads > 1:  # the last blocks, which others may have to wait for
        assert all(row[row > 0][-1] <= BLOCK_MIN for row in sizes)


def test_a_thread_alone_plays_all():
    blocks, played = split_into_blocks(300, 1), np.zeros(300, np.int64)
    kept = blocks.copy()
    for _ in range(2):  # there are no counts to reset
        play(blocks, 0, 100, played)
        wait(blocks)
    assert (played == 11).all()
    assert (blocks == kept).all()
    play(SINGLE_SLOT, 0, 100, played)
    assert played[:2].tolist() == [111, 11]


def test_free_threads_play_the_rest_of_others():
    blocks, played = split_into_blocks(300, 3), np.zeros(300, np.int64)
    play(blocks, 1, 1, played)
    play(blocks, 2, 100, played)
    play(blocks, 0, 100, played)  # comes too late
    # thread 1 has taken a second block, and not played it
    assert blocks[-1, DONE] == blocks[:-1, 1:].size - 1
    assert not are_all_done(blocks)
    first, second, third = blocks[1, :3]
    assert (played[first:second] == 2).all()
    assert (played[second:third] == 0).all()
    assert (played[:first] == 3).all()
    assert (played[third:] == 3).all()


def test_threads_at_the_same_time_play_every_slot_once():
    n, rounds = (1 << 21, 20) if COMPILED else (1 << 12, 5)
    blocks, together = split_into_blocks(n, 4), Barrier(4)

    def take_part(thread, played):
        together.wait(10)
        play(blocks, thread, n, played)

    with ThreadPoolExecutor(4) as threads:
        for _ in range(rounds):
            blocks[-1] = 0
            played = np.zeros(n, np.int64)
            begun = [threads.submit(take_part, thread, played) for thread in range(4)]
            for one in begun:
                one.result()
            assert are_all_done(blocks)
            assert ((played >= 1) & (played <= 4)).all()


def test_no_thread_waits_forever():
    blocks = split_into_blocks(100, 2)
    wait(blocks)
    assert not are_all_done(blocks)
