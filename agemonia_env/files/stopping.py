"""Ctrl-C and SIGTERM: a run ends cleanly, says what is saved, and exits with status 130."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

STATUS = 130  # of a stopped command: 128 + SIGINT
PATIENCE = 1.5  # seconds that compiled code has to let a signal through


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
    """Within the block SIGTERM raises KeyboardInterrupt, like Ctrl-C.

    Python hears of neither while compiled code runs. If that takes longer than PATIENCE, the
    process ends at once, with status 130.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals belong to the main thread
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    fd = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_end_if_stuck, args=(ours,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(fd)
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)
        theirs.close()  # ends the thread


@contextmanager
def as_command() -> Iterator[None]:
    """What every command does: SIGTERM stops it, and matrices are multiplied on one thread.

    On two busy cores a network played 75 games/s with BLAS on all cores, and 423 with one thread.
    """
    from threadpoolctl import threadpool_limits

    with stopped_by_sigterm(), threadpool_limits(1, user_api="blas"):
        yield


def _end_if_stuck(signals: socket.socket) -> None:
    """For each signal that arrives: end the process unless the main thread moves on."""
    main = threading.main_thread().ident
    assert main is not None
    with signals:
        while numbers := signals.recv(1):
            if numbers[0] not in (signal.SIGINT, signal.SIGTERM):
                continue
            at = _place(main)
            time.sleep(PATIENCE)
            if _place(main) == at:
                print("agemonia: stopped while compiled code was running", file=sys.stderr)
                os._exit(STATUS)


def _place(thread: int) -> tuple[int, int] | None:
    """Where a thread is: its innermost frame, and the instruction there."""
    frame = sys._current_frames().get(thread)
    return (id(frame), frame.f_lasti) if frame else None


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
