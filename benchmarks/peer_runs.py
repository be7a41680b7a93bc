"""Measures our environments and other libraries on the same core, in the same rounds."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from types import TracebackType

from .cases import FULL, MADE, STEPS, cases, vector_name
from .peers import PEERS
from .starting import ROOT
from .table import Case, Column, Figure, Figures, Measure, UnavailableError, ratio

PATIENCE = 300.0  # seconds until a peer that does not answer is killed
OURS = {MADE: "our single env / it", vector_name(1024): "our vector / it"}


class Asked:
    """A process that measures on request: see `benchmarks.peers`."""

    def __init__(self, command: Sequence[str]) -> None:
        self.errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 - until __exit__
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=self.errors, text=True, cwd=ROOT
        )

    def __enter__(self) -> Asked:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kill it; it has no state to save."""
        self.process.kill()
        with contextlib.suppress(BrokenPipeError):
            self.process.communicate()
        self.errors.close()

    def measure(self, seconds: float) -> float:
        """Its steps per second. Raises UnavailableError with the error output if it failed."""
        questions, answers = self.process.stdin, self.process.stdout
        assert questions is not None
        assert answers is not None
        alarm = threading.Timer(PATIENCE + seconds, self.process.kill)
        alarm.start()
        try:
            questions.write(f"{seconds}\n")
            questions.flush()
            return float(answers.readline())
        except (OSError, ValueError):
            raise UnavailableError(f"failed: {self._last_line()}") from None
        finally:
            alarm.cancel()

    def _last_line(self) -> str:
        """The last line of its error output, or its exit status."""
        status = self.process.wait()
        self.errors.seek(0)
        lines = [line.strip() for line in self.errors if line.strip()]
        return lines[-1] if lines else f"it ended with status {status}"


def versions(python: str) -> dict[str, str]:
    """Versions of the libraries installed in this Python."""
    command = [python, "-m", "benchmarks.peers"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def peer_cases(python: str, installed: dict[str, str], running: contextlib.ExitStack) -> list[Case]:
    """Our cases to compare with, and every peer; processes end with `running`."""

    def prepare(name: str) -> Callable[[], Measure]:
        def begin() -> Measure:
            if PEERS[name].package not in installed:
                raise UnavailableError(f"not installed: {PEERS[name].pip}")
            return running.enter_context(Asked([python, "-m", "benchmarks.peers", name])).measure

        return begin

    ours = [case for case in cases(FULL) if case.name in OURS]
    return ours + [Case(name, STEPS, prepare(name)) for name in PEERS]


def beside(figures: Figures) -> list[Column]:
    """Columns with our speed divided by the peer's."""

    def column(ours: str, heading: str) -> Column:
        def cell(name: str, figure: Figure) -> str:
            return "" if name in OURS else str(ratio(figures[ours], figure) or "")

        return Column(heading, cell)

    return [column(ours, heading) for ours, heading in OURS.items()]
