"""Ctrl-C and SIGTERM: a run ends cleanly, says what is saved, and exits with status 130."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

STATUS = 130  # of a stopped command: 128 + SIGINT


class Interrupted(KeyboardInterrupt):
    """A run was stopped; the message says what is saved, and how to continue."""


@contextmanager
def stop_message(text: str) -> Iterator[None]:
    """Within the block Ctrl-C raises Interrupted with this text."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"stopped; {text}") from None


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """Within the block SIGTERM raises KeyboardInterrupt, like Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals belong to the main thread
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM until the block is done, such as one that writes two files."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []

    def note(number: int, frame: Any) -> None:
        caught.append(number)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        for number in before:
            signal.signal(number, note)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        if caught:
            signal.raise_signal(caught[0])
