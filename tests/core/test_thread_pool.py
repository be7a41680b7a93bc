"""The thread pool: every thread runs its calls, and none is left running."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

from agemonia_env.core.thread_pool import ThreadPool
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv

SOON = 10.0  # seconds


def ended(threads):
    """Whether the threads end within a few seconds."""
    for thread in threads:
        thread.join(SOON)
    return not any(thread.is_alive() for thread in threads)


def begun(make):
    """The result of `make`, and the threads it has started."""
    before = set(threading.enumerate())
    made = make()
    return made, set(threading.enumerate()) - before


def test_every_thread_runs_each_call_with_its_own_number():
    pool, threads = begun(lambda: ThreadPool(3))
    assert len(threads) == 3
    for call in range(20):
        done = []
        pool.begin(done.append)
        pool.wait()
        assert sorted(done) == [1, 2, 3], call
    pool.close()
    assert ended(threads)


def test_an_exception_in_a_thread_is_raised_by_wait():
    pool = ThreadPool(1)

    def fail(number):
        raise IndexError(f"thread {number}")

    pool.begin(fail)
    with pytest.raises(IndexError, match="thread 1"):
        pool.wait()
    done = []
    pool.begin(done.append)
    pool.wait()
    assert done == [1]


def test_queued_calls_all_run():
    pool, done = ThreadPool(2), []
    pool.begin(done.append)
    pool.begin(done.append)
    pool.wait()
    assert sorted(done) == [1, 1, 2, 2]


def test_threads_end_with_their_owner():
    def make():
        env = AgemoniaVectorEnv(4, threads=3)
        env.reset(seed=1)
        env.step(env.action_masks().argmax(1))
        return env

    env, threads = begun(make)
    assert len(threads) == 2
    batch = weakref.ref(env.batch)
    del env
    until = time.monotonic() + SOON
    while batch() is not None and time.monotonic() < until:  # a thread may still be running
        gc.collect()
    assert batch() is None
    assert ended(threads)


def test_a_closed_batch_is_stepped_by_one_thread():
    envs, threads = begun(lambda: [AgemoniaVectorEnv(40, threads=n) for n in (1, 2)])
    for env in envs:
        env.reset(seed=1)
        env.step(env.action_masks().argmax(1))
    envs[1].close()
    assert len(threads) == 1
    assert ended(threads)
    for _ in range(5):
        one, two = (env.step(env.action_masks().argmax(1)) for env in envs)
        np.testing.assert_array_equal(one[0], two[0])
