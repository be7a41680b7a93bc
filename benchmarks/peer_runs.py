"""Measures our environments and other libraries on the same core, in the same rounds."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import Any

from .cases import FITTED, FITTED_INT8, FULL, MADE, STEPS, cases, vector_name
from .peers import PEERS, SIZES
from .starting import ROOT
from .table import Case, Column, Figure, Figures, Measure, UnavailableError, number, ratio

PATIENCE = 300.0  # seconds until a peer that does not answer is killed
# Cases of ours -> the heading of a column that compares with it
OURS = {
    MADE: "our single env / it",
    vector_name(1024): "our vector / it",
    FITTED: None,
    FITTED_INT8: "our fitted int8 / it",
}


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
        return float(self._ask(str(seconds), PATIENCE + seconds))

    def sizes(self) -> dict[str, float]:
        """Its sizes: see `sizes_of`. Raises UnavailableError as `measure` does."""
        found: dict[str, float] = self._ask(SIZES, PATIENCE)
        return found

    def _ask(self, question: str, patience: float) -> Any:
        """The answer to a line, as JSON."""
        questions, answers = self.process.stdin, self.process.stdout
        assert questions is not None
        assert answers is not None
        alarm = threading.Timer(patience, self.process.kill)
        alarm.start()
        try:
            questions.write(f"{question}\n")
            questions.flush()
            return json.loads(answers.readline())
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


class Processes(contextlib.ExitStack):
    """A process for each of our cases to compare with, and for each peer."""

    def __init__(self, python: str, installed: dict[str, str]) -> None:
        """python: has the peers that are installed."""
        super().__init__()
        self.python, self.installed = python, installed
        self.asked: dict[str, Asked] = {}

    def cases(self) -> list[Case]:
        """What can be measured; processes begin with the first measurement."""
        sizes = {case.name: case.n for case in cases(FULL)}
        names = [*OURS, *PEERS]
        return [Case(name, STEPS, partial(self._begin, name), sizes.get(name, 1)) for name in names]

    def _begin(self, name: str) -> Measure:
        if name in PEERS and PEERS[name].package not in self.installed:
            raise UnavailableError(f"not installed: {PEERS[name].pip}")
        python = self.python if name in PEERS else sys.executable
        command = [python, "-m", "benchmarks.peers", name]
        self.asked[name] = self.enter_context(Asked(command))
        return self.asked[name].measure

    def add_sizes(self, figures: Figures) -> None:
        """Ask each process for its sizes, after all speeds: it makes many games for them."""
        for name, process in self.asked.items():
            if not figures[name].missing:
                figures[name].sizes = process.sizes()


def beside(figures: Figures) -> list[Column]:
    """Columns with the sizes, and with our speed divided by the peer's."""

    def size(what: str, heading: str) -> Column:
        def cell(_: str, figure: Figure) -> str:
            return number(figure.sizes[what]) if what in figure.sizes else ""

        return Column(heading, cell)

    def column(ours: str, heading: str) -> Column:
        def cell(name: str, figure: Figure) -> str:
            return "" if name in OURS else str(ratio(figures[ours], figure) or "")

        return Column(heading, cell)

    ratios = [column(ours, heading) for ours, heading in OURS.items() if heading]
    return [size("numbers", "numbers a step"), size("bytes", "bytes a game"), *ratios]
