"""Threads that help with one call after another."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Work = Callable[[int], None]


class Crew:
    """Threads 1, 2, ... beside the one that calls, which is thread 0.

    Compiled code holds no lock, so they play at the same time. The executor of
    `concurrent.futures` takes 15 us longer to tell a thread, of the 600 of a step.
    """

    def __init__(self, helpers: int) -> None:
        """Start so many threads, which end when nobody needs them."""
        self._calls: list[SimpleQueue[Work | None]] = [SimpleQueue() for _ in range(helpers)]
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        self._busy = 0
        for number, calls in enumerate(self._calls, 1):
            Thread(target=_help, args=(number, calls, self._done), daemon=True).start()
        self.close = weakref.finalize(self, _dismiss, self._calls)

    def begin(self, call: Work) -> None:
        """Have each thread do `call(its number)`, once the call before is done."""
        self.wait()
        self._busy = len(self._calls)
        for calls in self._calls:
            calls.put(call)

    def wait(self) -> None:
        """Until all threads are done. Raises what one of them has raised."""
        while self._busy:
            failure = self._done.get()  # may be interrupted
            self._busy -= 1
            if failure is not None:
                raise failure


def _help(
    number: int, calls: SimpleQueue[Work | None], done: SimpleQueue[BaseException | None]
) -> None:
    """What a thread does until it is dismissed."""
    for call in iter(calls.get, None):
        try:
            call(number)
            done.put(None)
        except BaseException as failure:
            done.put(failure)
        del call  # it keeps alive whoever waits for it


def _dismiss(helpers: list[SimpleQueue[Work | None]]) -> None:
    for calls in helpers:
        calls.put(None)
