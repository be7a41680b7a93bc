"""The line protocol: an entry is a command that reads and writes JSON, a message a line."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Literal, NoReturn, TypeVar

from agemonia_env import __version__
from agemonia_env.display.messages import in_line, shown

from .decision import USUAL, check_name, check_wants

PROTOCOL = 1
START_S = 120  # seconds that an entry may take until it is ready, or reads that a game begins
END_S = 5  # ... to end after "quit"
GLANCE_S = 0.2  # between two looks at whether a process was killed
MOST_BYTES = 2**16  # of a line from an entry

Kind = Literal["crash", "time", "illegal"]  # how a game is lost without being over
Result = TypeVar("Result")
CRASH: Kind = "crash"
TIME: Kind = "time"
ILLEGAL: Kind = "illegal"


class Forfeit(Exception):  # noqa: N818 - not an error of ours: a game is lost
    """An entry loses its game. why: in words, on one line."""

    def __init__(self, kind: Kind, why: str = "") -> None:
        super().__init__(kind)
        self.kind, self.why = kind, in_line(why)


class EntryError(ValueError):
    """An entry cannot play at all; the message says why."""


class Command:
    """A process that plays. Only `kill` may be called from another thread.

    Its pipes are read and written in daemon threads that nobody waits for: a process that it has
    started may hold them open for ever, out of reach in a session of its own.
    """

    def __init__(self, line: str) -> None:
        """Start the command of a line, without a shell. Raises EntryError."""
        self.line, self.late, self.lost_by = line, False, ""
        self._unread, self._over = b"", False
        try:
            self.process = subprocess.Popen(
                split(line),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C ends the challenge, which then ends the entry
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise EntryError(f"--command {shown(line)}: cannot be started: {reason}") from None

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that needs no answer.

        Raises Forfeit if the process has ended, or does not read it for START_S seconds.
        """
        if not self._within(START_S, lambda: self._send(message)):
            raise self._lost()

    def ask(self, message: dict[str, Any], seconds: float) -> Any:
        """Send a message and return the answer: a JSON value, or bytes that are none.

        Raises Forfeit if the process ends, writes a line of more than MOST_BYTES, or takes longer
        than so many seconds; it is killed then.
        """

        def answer() -> bytes:
            self._send(message)  # it may have answered all the same
            return self._read_line()

        line = self._within(seconds, answer) or b""
        if not line.endswith(b"\n"):
            if len(line) >= MOST_BYTES:
                self.lost_by = f"it is longer than {MOST_BYTES:,} bytes"
            self.kill()
            raise self._lost()
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            return line.rstrip().decode(errors="replace")

    def _within(self, seconds: float, work: Callable[[], Result]) -> Result | None:
        """What `work` returns; None if the process is killed, as it is after so many seconds."""
        done: SimpleQueue[Result] = SimpleQueue()
        threading.Thread(target=lambda: done.put(work()), daemon=True).start()
        until = time.monotonic() + seconds
        while not self._over:
            try:
                return done.get(timeout=max(0.0, min(GLANCE_S, until - time.monotonic())))
            except Empty:
                if time.monotonic() >= until:
                    self.late, self.lost_by = True, f"it took more than {seconds:g} s"
                    break
        self.kill()
        return None

    def _send(self, message: dict[str, Any]) -> bool:
        """Write a message; False if nobody can read it any more."""
        assert self.process.stdin is not None
        data = memoryview(json.dumps(message).encode() + b"\n")
        try:
            while data:
                data = data[self.process.stdin.write(data) :]
        except (OSError, ValueError):
            return False
        return True

    def _read_line(self) -> bytes:
        """The next line, cut off after MOST_BYTES; without its end if there is no more."""
        assert self.process.stdout is not None
        while b"\n" not in self._unread and len(self._unread) < MOST_BYTES:
            more = self.process.stdout.read(MOST_BYTES)
            if not more:
                break
            self._unread += more
        size = min(self._unread.find(b"\n") + 1 or len(self._unread), MOST_BYTES)
        line, self._unread = self._unread[:size], self._unread[size:]
        return line

    def _lost(self) -> Forfeit:
        """How the game is lost, of a process that has ended."""
        return Forfeit(TIME if self.late else CRASH, self.lost_by or "it ended")

    def greet(self) -> tuple[str, tuple[str, ...]]:
        """Ask the entry for its name and what it wants to see. Raises EntryError."""
        wanted = f'the first line must be {{"type": "ready", "protocol": {PROTOCOL}}}'
        try:
            hello = {"type": "hello", "protocol": PROTOCOL, "agemonia_env": __version__}
            ready = self.ask(hello, START_S)
        except Forfeit:
            self._refuse(f"{wanted}, but {self.lost_by or 'it ended'}")
        if not isinstance(ready, dict) or ready.get("type") != "ready":
            self._refuse(f"{wanted}, not {shown(ready)}")
        if ready.get("protocol") != PROTOCOL:
            self._refuse(f"it speaks protocol {shown(ready.get('protocol'))}, not {PROTOCOL}")
        try:
            return check_name(ready.get("name") or ""), check_wants(ready.get("wants", USUAL))
        except ValueError as error:
            self._refuse(str(error))

    def _refuse(self, reason: str) -> NoReturn:
        self.kill()
        raise EntryError(f"--command {shown(self.line)}: {reason}")

    def close(self) -> None:
        """Let the process end by itself, or kill it."""
        assert self.process.stdin is not None
        if self._within(END_S, lambda: self._send({"type": "quit"})) is not None:
            # Else a thread may be writing, to whatever has the number of a closed pipe next
            with suppress(OSError):
                self.process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(END_S)
        self.kill()

    def kill(self) -> None:
        """End the process, and those that it started where the system can tell; only once.

        Later the number of its group may be that of another one.
        """
        if self._over:
            return
        self._over = True
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()


def split(line: str) -> list[str]:
    """The words of a command line. Raises ValueError if there is none."""
    words = shlex.split(line, posix=os.name != "nt")
    if not words:
        raise ValueError("there is no command")
    return words
