"""A log of played blocks of pairs on disk, from which a comparison resumes.

plan.json describes the experiment; blocks.jsonl has a line per block, flushed as it is written. A
line ends in a hash of plan and numbers: a truncated, altered or foreign line is ignored and its
block played again. Repeated lines count once.
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

from .accumulator import SUMS, Accumulator
from .experiment import Experiment
from .study_dir import open_folder
from .study_result import REPORTS

BLOCKS = "blocks.jsonl"
DIGITS = 16  # of the hash of a line
LONGEST = 10_000  # bytes of a line, more than ten times what a block needs
Block = tuple[int, int]  # condition, block in it


class BlockLog:
    """The blocks of one experiment, in a folder."""

    def __init__(self, experiment: Experiment, folder: Path) -> None:
        self.experiment, self.folder = experiment, folder
        self._plan = b""

    def open(self, *, force: bool) -> dict[Block, Accumulator]:
        """Start or resume; return the blocks played. ValueError for another study's folder."""
        record = self.experiment.record()
        open_folder(self.folder, record, force=force, files=(BLOCKS, *REPORTS))
        self._plan = key_of(record)
        played = dict(self._intact())
        lines = (self._line(block, sums) for block, sums in played.items())
        write_whole(self.folder / BLOCKS, b"".join(lines))
        return played

    def _intact(self) -> Iterator[tuple[Block, Accumulator]]:
        """Blocks of the intact lines."""
        path = self.folder / BLOCKS
        if not path.is_file():
            return
        with path.open("rb") as file:
            for text in iter(lambda: file.readline(LONGEST), b""):
                try:
                    condition, block, pairs, *sums = self._numbers(text)
                    table = np.array(sums, np.int64).reshape(-1, SUMS)
                    by_metric = dict(zip(self.experiment.metrics, table, strict=True))
                    if pairs == len(self.experiment.conditions[condition].plans[0].numbers(block)):
                        yield (condition, block), Accumulator(pairs, by_metric)
                except (ValueError, IndexError, OverflowError):
                    continue

    def _numbers(self, text: bytes) -> list[int]:
        """The numbers of a line. ValueError if `_line` did not write it."""
        try:
            *numbers, digest = json.loads(text)
            if digest == self._digest(numbers):
                return list(numbers)
        except (TypeError, RecursionError):
            pass
        raise ValueError("damaged line")

    def write(self, block: Block, sums: Accumulator) -> None:
        """Append a block; it is on disk when this returns. Raises OSError naming the file."""
        path = self.folder / BLOCKS
        try:
            with path.open("ab") as file:
                file.write(self._line(block, sums))
            flush(path)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None

    def _line(self, block: Block, sums: Accumulator) -> bytes:
        """A block as a JSON line: condition, block, pairs, sums, hash."""
        numbers: list[Any] = [*block, sums.pairs, *np.concatenate([*sums.sums.values()]).tolist()]
        return json.dumps([*numbers, self._digest(numbers)]).encode() + b"\n"

    def _digest(self, numbers: list[Any]) -> str:
        return hashlib.sha256(self._plan + json.dumps(numbers).encode()).hexdigest()[:DIGITS]
