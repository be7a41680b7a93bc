"""Blocks of pairs on disk: a folder that a run can be taken up from.

plan.json says what is played; blocks.jsonl has a line for each block, written at once and flushed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..simulation.parts import flush, write_whole
from .experiment import Experiment
from .findings import REPORTS
from .folder import open_folder
from .tally import METRICS, SUMS, Tally

BLOCKS = "blocks.jsonl"
Block = tuple[int, int]  # number of the cell, number of the block in it


class Log:
    """The blocks of one experiment, in a folder."""

    def __init__(self, experiment: Experiment, folder: Path) -> None:
        self.experiment, self.folder = experiment, folder

    def open(self, *, force: bool) -> dict[Block, Tally]:
        """Begin, or take up what was begun -> blocks played. ValueError if that is another one."""
        record, files = self.experiment.record(), (BLOCKS, *REPORTS)
        open_folder(self.folder, record, force=force, files=files)
        played = dict(self._sound())
        write_whole(self.folder / BLOCKS, b"".join(map(line, played, played.values())))
        return played

    def _sound(self) -> Iterator[tuple[Block, Tally]]:
        """Blocks there are; a line that was cut short, or is of no block, is passed over."""
        path = self.folder / BLOCKS
        for text in path.read_bytes().splitlines() if path.exists() else ():
            try:
                cell, block, pairs, *sums = json.loads(text)
                found = Tally(pairs, np.array(sums, np.int64).reshape(len(METRICS), SUMS))
                if pairs == len(self.experiment.cells[cell].plans[0].numbers(block)):
                    yield (cell, block), found
            except (ValueError, TypeError, IndexError):
                continue

    def write(self, block: Block, tally: Tally) -> None:
        """Keep a block; it is on the disk when this returns."""
        path = self.folder / BLOCKS
        with path.open("ab") as file:
            file.write(line(block, tally))
        flush(path)


def line(block: Block, tally: Tally) -> bytes:
    """A block as a line of JSON: cell, block, pairs, sums."""
    numbers: list[Any] = [*block, tally.pairs, *tally.sums.ravel().tolist()]
    return json.dumps(numbers).encode() + b"\n"
