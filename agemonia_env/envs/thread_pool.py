"""Threads that help with one call after another."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread

Work = Callable[[int], None]


class ThreadPool:
    """Threads 1, 2, ... beside the one that calls, which is thread 0.

    Compiled code holds no lock, so they play at the same time. The executor of
    `concurrent.futures` takes 15 us longer to tell a thread, of the 600 of a step.
    """

    def __init__(self, helpers: int) -> None:
        """Start so many threads, which end when nobody needs them."""
        self._calls: list[SimpleQueue[Work | None]] = [SimpleQueue() for _ in range(helpers)]
        self._returned: list[BaseException | None] = []  # what each call has raised
        self._begun = 0
        self._process = os.getpid()
        self._some = Event()  # of them has just returned
        for number, calls in enumerate(self._calls, 1):
            told = number, calls, self._returned, self._some
            Thread(target=_help, args=told, daemon=True).start()
        self.close = weakref.finalize(self, _dismiss, self._calls)

    def __len__(self) -> int:
        return len(self._calls)

    def is_of_another_process(self) -> bool:
        """Whether this is the copy that a fork has made: it has no threads, and waits for ever."""
        return os.getpid() != self._process

    def begin(self, call: Work) -> None:
        """Have each thread do `call(its number)`, after what it is doing."""
        for calls in self._calls:
            self._begun += 1
            calls.put(call)

    def wait(self) -> None:
        """Until all threads are done. Raises what one of them has raised."""
        while len(self._returned) < self._begun:
            self._some.wait()
            self._some.clear()
        failures = [failure for failure in self._returned if failure is not None]
        self._begun = 0
        self._returned.clear()
        if failures:
            raise failures[0]


def _help(
    number: int,
    calls: SimpleQueue[Work | None],
    returned: list[BaseException | None],
    some: Event,
) -> None:
    """What a thread does until it is dismissed."""
    for call in iter(calls.get, None):
        failure = None
        try:
            call(number)
        except BaseException as raised:
            failure = raised
        del call  # it keeps alive whoever waits for it
        returned.append(failure)
        some.set()


def _dismiss(helpers: list[SimpleQueue[Work | None]]) -> None:
    for calls in helpers:
        calls.put(None)
