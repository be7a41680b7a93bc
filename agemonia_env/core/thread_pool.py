"""A pool of threads that run the same call side by side."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread

Work = Callable[[int], None]


class ThreadPool:
    """Threads 1, 2, ... besides the calling one, which is thread 0.

    Compiled code releases the GIL, so they run in parallel. The executor of `concurrent.futures`
    takes 15 us longer to dispatch; a step takes 600.
    """

    def __init__(self, helpers: int) -> None:
        """Start the threads; they end when the pool is closed or collected."""
        self._calls: list[SimpleQueue[Work | None]] = [SimpleQueue() for _ in range(helpers)]
        self._returned: list[BaseException | None] = []  # one per finished call: what it raised
        self._begun = 0
        self._process = os.getpid()
        self._call_returned = Event()
        for number, calls in enumerate(self._calls, 1):
            args = number, calls, self._returned, self._call_returned
            Thread(target=_work, args=args, daemon=True).start()
        self.close = weakref.finalize(self, _dismiss, self._calls)

    def __len__(self) -> int:
        return len(self._calls)

    def is_of_another_process(self) -> bool:
        """Whether this pool was copied by a fork: it has no threads, and would wait forever."""
        return os.getpid() != self._process

    def begin(self, call: Work) -> None:
        """Queue `call(thread number)` on every thread."""
        for calls in self._calls:
            self._begun += 1
            calls.put(call)

    def wait(self) -> None:
        """Wait until all threads are done; reraise the first exception of any of them."""
        while len(self._returned) < self._begun:
            self._call_returned.wait()
            self._call_returned.clear()
        failures = [failure for failure in self._returned if failure is not None]
        self._begun = 0
        self._returned.clear()
        if failures:
            raise failures[0]


def _work(
    number: int,
    calls: SimpleQueue[Work | None],
    returned: list[BaseException | None],
    call_returned: Event,
) -> None:
    """Run queued calls until the pool closes."""
    for call in iter(calls.get, None):
        failure = None
        try:
            call(number)
        except BaseException as raised:
            failure = raised
        del call  # it holds a reference to the pool's owner
        returned.append(failure)
        call_returned.set()


def _dismiss(helpers: list[SimpleQueue[Work | None]]) -> None:
    for calls in helpers:
        calls.put(None)
