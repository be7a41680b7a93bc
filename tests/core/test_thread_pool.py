"""The thread pool: every thread runs its calls, and none is left running."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

from agemonia_env.core.thread_pool import ThreadPool, shared_pool
from agemonia_env.envs import batch as batches
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


def made_by_all(pool, call):
    """Let all threads make the call, and wait until they have."""
    together = threading.Barrier(len(pool) + 1)

    def meet(number):
        together.wait(SOON)
        call(number)

    job = pool.begin(meet)
    together.wait(SOON)
    job.wait()


def test_every_thread_makes_each_call_with_its_own_number():
    pool, threads = begun(lambda: ThreadPool(3))
    assert len(threads) == 3
    for call in range(20):
        done = []
        made_by_all(pool, done.append)
        assert sorted(done) == [1, 2, 3], call
    del pool
    assert ended(threads)


def test_an_exception_in_a_thread_is_raised_by_wait():
    pool, done = ThreadPool(1), []

    def fail(number):
        raise IndexError(f"thread {number}")

    with pytest.raises(IndexError, match="thread 1"):
        made_by_all(pool, fail)
    made_by_all(pool, done.append)
    assert done == [1]


def test_wait_waits_for_threads_inside():
    pool, inside, done = ThreadPool(1), threading.Event(), []

    def dawdle(number):
        inside.set()
        time.sleep(0.05)
        done.append(number)

    job = pool.begin(dawdle)
    assert inside.wait(SOON)
    job.wait()
    assert done == [1]
    job.wait()


def test_a_closed_job_is_not_started_by_a_busy_thread():
    pool, leave, done = ThreadPool(1), threading.Event(), []
    busy = pool.begin(lambda number: leave.wait(SOON))
    late = pool.begin(done.append)
    late.wait()
    leave.set()
    busy.wait()
    made_by_all(pool, lambda number: None)
    assert done == []


def test_envs_with_as_many_threads_share_them_within_a_thread():
    pools, other = [shared_pool(6), shared_pool(6), shared_pool(7)], []
    assert pools[0] is pools[1]
    assert pools[0] is not pools[2]
    thread = threading.Thread(target=lambda: other.append(shared_pool(6)))
    thread.start()
    thread.join()
    assert other[0] is not pools[0]


def test_threads_end_with_their_owner(monkeypatch):
    monkeypatch.setattr(batches, "available_cores", lambda: 8)

    def make():
        env = AgemoniaVectorEnv(8, threads=5)
        env.reset(seed=1)
        env.step(env.action_masks().argmax(1))
        return env

    env, threads = begun(make)
    assert len(threads) == 4
    batch = weakref.ref(env.batch)
    del env
    until = time.monotonic() + SOON
    while batch() is not None and time.monotonic() < until:  # a thread may still be running
        gc.collect()
    assert batch() is None
    assert ended(threads)


def test_a_closed_batch_is_stepped_by_one_thread(monkeypatch):
    monkeypatch.setattr(batches, "available_cores", lambda: 8)

    envs, threads = begun(lambda: [AgemoniaVectorEnv(40, threads=n) for n in (1, 4)])
    for env in envs:
        env.reset(seed=1)
        env.step(env.action_masks().argmax(1))
    envs[1].close()
    assert len(threads) == 3
    assert ended(threads)
    for _ in range(5):
        one, two = (env.step(env.action_masks().argmax(1)) for env in envs)
        np.testing.assert_array_equal(one[0], two[0])
