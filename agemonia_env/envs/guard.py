"""Guards against misuse: a second thread, a pending step, and games that have not begun."""

from __future__ import annotations

from threading import Lock
from typing import Any

from gymnasium.error import ResetNeeded


class NotBegunError(ResetNeeded, ValueError):
    """The game has not begun, or is over."""


class InUseError(RuntimeError):
    """An environment was used while it was in use."""

    def __init__(self) -> None:
        super().__init__("another thread is using this environment; give each thread its own")


class PendingStepError(InUseError):
    """A step begun by `step_async` has not been collected by `step_wait`."""

    def __init__(self) -> None:
        RuntimeError.__init__(self, "a step is pending; call step_wait() first")


class OneThread:
    """Lets one thread in at a time: `with guard():`.

    The lock's own methods enter and leave, as they are written in C: Ctrl-C can come between the
    lines of a method in Python, or before its first, and would leave the lock taken.
    """

    def __init__(self) -> None:
        self.lock = Lock()

    def __call__(self) -> Lock:
        """The lock, to be entered at once. Raises InUseError if a thread is inside, even this one.

        Of two threads that come at the same moment, one waits.
        """
        if self.lock.locked():
            raise InUseError
        return self.lock

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is unlocked, even if this one is in use."""
        return OneThread, ()
