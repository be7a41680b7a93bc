"""The line protocol: an entry is a command that reads and writes JSON, a message a line."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal, NoReturn

from agemonia_env import __version__
from agemonia_env.display.messages import shown

from .decision import USUAL, check_name, check_wants

PROTOCOL = 1
START_S = 120  # seconds that an entry may take until it is ready, or reads that a game begins
END_S = 5  # ... to end after "quit"
MOST_BYTES = 2**16  # of a line from an entry

Kind = Literal["crash", "time", "illegal"]  # how a game is lost without being over
CRASH: Kind = "crash"
TIME: Kind = "time"
ILLEGAL: Kind = "illegal"


class Forfeit(Exception):  # noqa: N818 - not an error of ours: a game is lost
    """An entry loses its game."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.kind = kind


class EntryError(ValueError):
    """An entry cannot play at all; the message says why."""


class Command:
    """A process that plays. Only `kill` may be called from another thread."""

    def __init__(self, line: str) -> None:
        """Start the command of a line, without a shell. Raises EntryError."""
        self.line, self.late = line, False
        try:
            self.process = subprocess.Popen(
                split(line),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C ends the challenge, which then ends the entry
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise EntryError(f"--command {shown(line)}: cannot be started: {reason}") from None

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that needs no answer.

        Raises Forfeit if the process has ended, or does not read it for START_S seconds.
        """
        with self._killed_after(START_S):
            sent = self._send(message)
        if not sent:
            raise self._lost()

    def ask(self, message: dict[str, Any], seconds: float) -> Any:
        """Send a message and return the answer: a JSON value, or bytes that are none.

        Raises Forfeit if the process ends, writes a line of more than MOST_BYTES, or takes longer
        than so many seconds; it is killed then.
        """
        assert self.process.stdout is not None
        with self._killed_after(seconds):
            self._send(message)  # it may have answered all the same
            line = self.process.stdout.readline(MOST_BYTES)
        if self.late or not line.endswith(b"\n"):
            self.kill()
            raise self._lost()
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            return line.rstrip()

    def _send(self, message: dict[str, Any]) -> bool:
        """Write a message; False if nobody can read it any more."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    @contextmanager
    def _killed_after(self, seconds: float) -> Iterator[None]:
        """Kill the process if the block takes longer; the block then finds its pipes closed."""
        timer = threading.Timer(seconds, self._stop_late)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # it must not kill the process after this answer was taken

    def _stop_late(self) -> None:
        self.late = True
        self.kill()

    def _lost(self) -> Forfeit:
        """How the game is lost, of a process that has ended."""
        return Forfeit(TIME if self.late else CRASH)

    def greet(self) -> tuple[str, tuple[str, ...]]:
        """Ask the entry for its name and what it wants to see. Raises EntryError."""
        wanted = f'the first line must be {{"type": "ready", "protocol": {PROTOCOL}}}'
        try:
            hello = {"type": "hello", "protocol": PROTOCOL, "agemonia_env": __version__}
            ready = self.ask(hello, START_S)
        except Forfeit as lost:
            took = f"it took more than {START_S} s"
            self._refuse(f"{wanted}, but {took if lost.kind == TIME else 'it ended'}")
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
        with self._killed_after(END_S):
            self._send({"type": "quit"})
        with suppress(OSError):
            self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(END_S)
        self._end_group()

    def kill(self) -> None:
        """End the process, and those that it started where the system can tell."""
        if self.process.returncode is None:  # a process seen to end may have lost its number
            self._end_group()

    def _end_group(self) -> None:
        """End the process and its group, whose number is taken as long as one of them runs."""
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
