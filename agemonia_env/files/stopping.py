"""Ctrl-C and SIGTERM: a run ends in order, says what is kept, and its status is 130."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

STATUS = 130  # of a command that was stopped: 128 and the number of SIGINT


class Interrupted(KeyboardInterrupt):
    """A run was stopped; the message says what is kept, and how to go on."""


@contextmanager
def saying(told: str) -> Iterator[None]:
    """Within the block Ctrl-C raises Interrupted, which says `told`."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"stopped; {told}") from None


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """Within the block SIGTERM raises KeyboardInterrupt, as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals belong to the main thread
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


@contextmanager
def unbroken() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the block is done, such as one that writes two files."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []

    def note(number: int, frame: Any) -> None:
        caught.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        if caught:
            signal.raise_signal(caught[0])
