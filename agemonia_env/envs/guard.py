"""Guards against misuse: a second thread, a pending step, and games that have not begun."""

from __future__ import annotations

from threading import Lock
from typing import Any

from gymnasium.error import ResetNeeded


class NotBegunError(ResetNeeded, ValueError):
    """The game has not begun, or is over."""


class InUseError(RuntimeError):
    """A second thread used an environment that was in use."""

    def __init__(self) -> None:
        super().__init__("another thread is using this environment; give each thread its own")


class PendingStepError(InUseError):
    """A step begun by `step_async` has not been collected by `step_wait`."""

    def __init__(self) -> None:
        RuntimeError.__init__(self, "a step is pending; call step_wait() first")


class OneThread:
    """A context manager that raises InUseError if another thread is inside its block."""

    def __init__(self) -> None:
        self.lock = Lock()

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            raise InUseError

    def __exit__(self, *raised: object) -> None:
        self.lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is unlocked, even if this one is in use."""
        return OneThread, ()
