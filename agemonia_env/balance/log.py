"""Blocks of pairs on disk: a folder that a run can be taken up from.

plan.json says what is played; blocks.jsonl has a line for each block, written at once and flushed.
A line ends in a hash of plan and numbers, so that what is cut short, altered or of another study
is found, and played again; however often a block is there, it counts once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from agemonia_env.files.writing import flush, write_whole
from agemonia_env.simulation.plan import key_of

from .accumulator import METRICS, SUMS, Tally
from .experiment import Experiment
from .study_dir import open_folder
from .study_result import REPORTS

BLOCKS = "blocks.jsonl"
DIGITS = 16  # of the hash of a line
LONGEST = 10_000  # bytes of a line; no block has a tenth of it
Block = tuple[int, int]  # number of the cell, number of the block in it


class Log:
    """The blocks of one experiment, in a folder."""

    def __init__(self, experiment: Experiment, folder: Path) -> None:
        self.experiment, self.folder = experiment, folder
        self._plan = b""

    def open(self, *, force: bool) -> dict[Block, Tally]:
        """Begin, or take up what was begun -> blocks played. ValueError if that is another one."""
        files = (BLOCKS, *REPORTS)
        record = self.experiment.record()
        open_folder(self.folder, record, force=force, files=files)
        self._plan = key_of(record)
        played = dict(self._sound())
        lines = (self._line(block, tally) for block, tally in played.items())
        write_whole(self.folder / BLOCKS, b"".join(lines))
        return played

    def _sound(self) -> Iterator[tuple[Block, Tally]]:
        """Blocks there are; a line that is not sound is passed over."""
        path = self.folder / BLOCKS
        if not path.is_file():
            return
        with path.open("rb") as file:
            for text in iter(lambda: file.readline(LONGEST), b""):
                try:
                    cell, block, pairs, *sums = self._numbers(text)
                    found = Tally(pairs, np.array(sums, np.int64).reshape(len(METRICS), SUMS))
                    if pairs == len(self.experiment.cells[cell].plans[0].numbers(block)):
                        yield (cell, block), found
                except (ValueError, IndexError, OverflowError):
                    continue

    def _numbers(self, text: bytes) -> list[int]:
        """The numbers of a line. ValueError if it is not as `_line` makes it."""
        try:
            *numbers, mark = json.loads(text)
            if mark == self._mark(numbers):
                return list(numbers)
        except (TypeError, RecursionError):
            pass
        raise ValueError("no sound line")

    def write(self, block: Block, tally: Tally) -> None:
        """Keep a block; it is on the disk when this returns. Raises OSError that names the file."""
        path = self.folder / BLOCKS
        try:
            with path.open("ab") as file:
                file.write(self._line(block, tally))
            flush(path)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None

    def _line(self, block: Block, tally: Tally) -> bytes:
        """A block as a line of JSON: cell, block, pairs, sums, hash."""
        numbers: list[Any] = [*block, tally.pairs, *tally.sums.ravel().tolist()]
        return json.dumps([*numbers, self._mark(numbers)]).encode() + b"\n"

    def _mark(self, numbers: list[Any]) -> str:
        return hashlib.sha256(self._plan + json.dumps(numbers).encode()).hexdigest()[:DIGITS]
