"""What keeps an environment whole: one thread at a time, and no game before it has begun."""

from __future__ import annotations

from threading import Lock
from typing import Any

from gymnasium.error import ResetNeeded


class NotBegunError(ResetNeeded, ValueError):
    """Something was asked of a game that has not begun, or is over."""


class InUseError(RuntimeError):
    """A second thread came to an environment that another one was using."""

    def __init__(self) -> None:
        super().__init__(
            "another thread is using this environment; give each thread an environment of its own"
        )


class OneThread:
    """`with` it, a block is entered by one thread at a time; a second one gets an error at once."""

    def __init__(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise InUseError

    def __exit__(self, *raised: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is free, whoever uses this one."""
        return OneThread, ()
