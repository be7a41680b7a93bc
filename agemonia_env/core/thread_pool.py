"""A pool of threads that join calls: the helpers of the thread that steps an environment."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread, get_ident
from typing import TypeVar

Work = Callable[[int], object]
Result = TypeVar("Result")


class Job:
    """A call that every helper thread makes once, with its number, unless it starts too late.

    Locks and queues written in C: an Event whose `set` was interrupted by Ctrl-C stays locked.
    """

    def __init__(self, call: Work) -> None:
        self._call: Work | None = call  # None: closed
        self._lock = Lock()
        self._inside = 0  # threads that are making the call
        self._left: SimpleQueue[None] = SimpleQueue()  # an item for each that has made it
        self._failures: list[BaseException] = []

    def run(self, number: int) -> None:
        """Make the call as helper thread `number`, unless the job is closed."""
        with self._lock:
            call = self._call
            if call is None:
                return
            self._inside += 1
        try:
            call(number)
        except BaseException as raised:
            self._failures.append(raised)
        del call  # it holds a reference to the caller's environment
        with self._lock:
            self._inside -= 1
        self._left.put(None)

    def close(self) -> None:
        """Let no further thread start the call."""
        with self._lock:
            self._call = None

    def wait(self) -> None:
        """Close, and wait for the threads inside; reraise the first exception of any of them."""
        self.close()
        while self._inside:
            self._left.get()
        if self._failures:
            raise self._failures.pop()


class ThreadPool:
    """Threads 1, 2, ... besides the calling one, which is thread 0.

    Compiled code releases the GIL, so they run in parallel. The executor of `concurrent.futures`
    takes 15 us longer to dispatch; a step takes 600.
    """

    def __init__(self, helpers: int) -> None:
        """Start the threads; they end when the pool is collected."""
        self._jobs: list[SimpleQueue[Job | None]] = [SimpleQueue() for _ in range(helpers)]
        self._process = os.getpid()
        for number, jobs in enumerate(self._jobs, 1):
            Thread(target=_work, args=(number, jobs), daemon=True).start()
        weakref.finalize(self, _dismiss, self._jobs)

    def __len__(self) -> int:
        return len(self._jobs)

    def is_of_another_process(self) -> bool:
        """Whether this pool was copied by a fork: it has no threads, and would wait forever."""
        return os.getpid() != self._process

    def begin(self, call: Work) -> Job:
        """Queue `call(thread number)` on every thread."""
        job = Job(call)
        self.queue(job)
        return job

    def run(self, call: Callable[[int], Result]) -> Result:
        """Make the call on every thread and on this one, as thread 0 -> what that one returns."""
        job = self.begin(call)
        try:
            return call(0)
        finally:
            job.wait()

    def queue(self, job: Job) -> None:
        """Queue the job on every thread."""
        for jobs in self._jobs:
            jobs.put(job)


_POOLS: weakref.WeakValueDictionary[tuple[int, int], ThreadPool] = weakref.WeakValueDictionary()


def shared_pool(helpers: int) -> ThreadPool:
    """The pool with so many helpers of the calling thread; it ends with its last user.

    Environments stepped in turn keep as many cores busy as one of them has threads. With helpers
    of their own, two half batches would compete for the cores.
    """
    key = helpers, get_ident()
    pool = _POOLS.get(key)
    if pool is None or pool.is_of_another_process():
        _POOLS[key] = pool = ThreadPool(helpers)
    return pool


def _work(number: int, jobs: SimpleQueue[Job | None]) -> None:
    """Run queued jobs until the pool ends."""
    for job in iter(jobs.get, None):
        job.run(number)
        del job


def _dismiss(helpers: list[SimpleQueue[Job | None]]) -> None:
    for jobs in helpers:
        jobs.put(None)
