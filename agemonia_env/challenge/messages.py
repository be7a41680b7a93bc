"""The line protocol: an entry is a command that reads and writes JSON, a message a line."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import threading
from contextlib import suppress
from typing import Any, Literal

from agemonia_env import __version__
from agemonia_env.display.messages import shown

from .decision import USUAL, WANTS

PROTOCOL = 1
START_S = 120  # seconds that an entry may take until it is ready
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
        """Send a message. Raises Forfeit if the process has ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Forfeit(TIME if self.late else CRASH) from None

    def ask(self, message: dict[str, Any], seconds: float) -> Any:
        """Send a message and return the answer: a JSON value, or bytes that are none.

        Raises Forfeit if the process ends, writes a line of more than MOST_BYTES, or takes longer
        than so many seconds; it is killed then.
        """
        assert self.process.stdout is not None
        timer = threading.Timer(seconds, self._stop_late)
        timer.start()
        try:
            with suppress(Forfeit):  # it may have answered all the same
                self.tell(message)
            line = self.process.stdout.readline(MOST_BYTES)
        finally:
            timer.cancel()
        if self.late or not line.endswith(b"\n"):
            self.kill()
            raise Forfeit(TIME if self.late else CRASH)
        try:
            return json.loads(line)
        except ValueError:
            return line.rstrip()

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
        return str(ready.get("name") or ""), self._wanted(ready.get("wants", list(USUAL)))

    def _wanted(self, wants: Any) -> tuple[str, ...]:
        if not isinstance(wants, list) or not all(word in WANTS for word in wants):
            self._refuse(f"wants={shown(wants)}: must be a list of {', '.join(WANTS)}")
        return tuple(wants)

    def _refuse(self, reason: str) -> Any:
        self.kill()
        raise EntryError(f"--command {shown(self.line)}: {reason}")

    def close(self) -> None:
        """Let the process end by itself, or kill it."""
        assert self.process.stdin is not None
        with suppress(Forfeit, OSError):
            self.tell({"type": "quit"})
            self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(END_S)
        self.kill()

    def kill(self) -> None:
        """End the process if it runs, and those that it started where the system can tell."""
        if self.process.poll() is not None:
            return  # another process may have its number by now
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()

    def _stop_late(self) -> None:
        self.late = True
        self.kill()


def split(line: str) -> list[str]:
    """The words of a command line. Raises ValueError if there is none."""
    words = shlex.split(line, posix=os.name != "nt")
    if not words:
        raise ValueError("there is no command")
    return words
