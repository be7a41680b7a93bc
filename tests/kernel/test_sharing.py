"""Lanes shared out among threads: every one is played once, whoever is free first."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from agemonia_env.kernel.jit import entry
from agemonia_env.kernel.sharing import (
    ALONE,
    DONE,
    FEWEST,
    NOBODY_ELSE,
    TOGETHER,
    cut,
    next_block,
    wait_for_others,
)


@entry
def play(blocks, taken, thread, most, played):
    """Take at most so many blocks; played, int64 (n,): who has played each lane."""
    whose, block = next_block(taken, thread, blocks, -1)
    for _ in range(most):
        if block == blocks.shape[1] - 1:
            break
        for i in range(blocks[whose, block], blocks[whose, block + 1]):
            played[i] = 10 * played[i] + thread + 1
        whose, block = next_block(taken, thread, blocks, block)


@entry
def wait(taken, blocks):
    wait_for_others(taken, blocks)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [7, 64, 1000, 1024])
def test_blocks_are_all_lanes_in_their_order(n, threads):
    blocks = cut(n, threads)
    assert blocks.shape[0] == threads
    assert blocks[0, 0] == 0
    assert blocks[-1, -1] == n
    assert (blocks[1:, 0] == blocks[:-1, -1]).all()
    sizes = np.diff(blocks)
    assert (sizes >= 0).all()
    assert sizes.max() <= TOGETHER
    assert np.ptp(sizes.sum(1)) <= 1
    if threads > 1:  # what others may have to wait for
        assert all(row[row > 0][-1] <= FEWEST for row in sizes)


def test_a_thread_alone_plays_all():
    played = np.zeros(300, np.int64)
    play(cut(300, 1), NOBODY_ELSE, 0, 100, played)
    assert (played == 1).all()
    play(ALONE, NOBODY_ELSE, 0, 100, played[:1])
    assert played[:2].tolist() == [11, 1]


def test_who_is_free_plays_what_is_left_of_others():
    blocks, taken, played = cut(300, 3), np.zeros(4, np.int64), np.zeros(300, np.int64)
    play(blocks, taken, 1, 1, played)
    play(blocks, taken, 2, 100, played)
    play(blocks, taken, 0, 100, played)  # comes too late
    assert taken[DONE] == blocks[:, 1:].size - 1  # thread 1 has one more in its hands
    assert (played[100 : blocks[1, 1]] == 2).all()
    assert (played[blocks[1, 2] :] == 3).all()
    assert (played[:100] == 3).all()


def test_threads_at_the_same_time_play_every_lane_once():
    blocks, taken = cut(4096, 4), np.zeros(5, np.int64)
    for _ in range(50):
        taken[:] = 0
        played = np.zeros(4096, np.int64)
        with ThreadPoolExecutor(4) as threads:
            for thread in range(4):
                threads.submit(play, blocks, taken, thread, 1000, played)
            wait(taken, blocks)
        assert taken[DONE] == blocks[:, 1:].size
        assert ((played >= 1) & (played <= 4)).all()


def test_nobody_waits_for_ever():
    taken = np.zeros(3, np.int64)
    wait(taken, cut(100, 2))
    assert taken[DONE] == 0
