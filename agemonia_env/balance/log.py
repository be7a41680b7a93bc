"""Blocks of pairs on disk: a folder that a run can be taken up from.

plan.json says what is played; blocks.jsonl has a line for each block, written at once and flushed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..envs.ruleset import DEFAULT
from ..simulation.parts import core_of, flush, told, write_whole
from ..simulation.plan import differences
from .experiment import Experiment
from .tally import METRICS, SUMS, Tally

MANIFEST, BLOCKS, JSON, PARQUET = "plan.json", "blocks.jsonl", "report.json", "report.parquet"
ANEW = "choose another folder, or begin anew with --force (force=True)"
Block = tuple[int, int]  # number of the cell, number of the block in it


class Log:
    """The blocks of one experiment, in a folder."""

    def __init__(self, experiment: Experiment, folder: Path) -> None:
        self.experiment, self.folder = experiment, folder
        self._record = {"core": core_of(DEFAULT), **experiment.record()}

    def open(self, *, force: bool) -> dict[Block, Tally]:
        """Begin, or take up what was begun -> blocks played. ValueError if that is another one."""
        manifest = self.folder / MANIFEST
        if self.folder.exists() and not manifest.is_file():
            if not self.folder.is_dir() or any(self.folder.iterdir()):
                raise ValueError(f"{self.folder}: there lies something else; choose another folder")
        elif manifest.is_file() and force:
            for name in (MANIFEST, BLOCKS, JSON, PARQUET):
                (self.folder / name).unlink(missing_ok=True)
        elif manifest.is_file():
            self._check(manifest)
        if not manifest.is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(manifest, json.dumps(self._record, indent=1).encode())
        played = dict(self._sound())
        write_whole(self.folder / BLOCKS, b"".join(map(line, played, played.values())))
        return played

    def _check(self, manifest: Path) -> None:
        """ValueError if the folder is of another experiment."""
        try:
            old = json.loads(manifest.read_bytes())
        except ValueError:
            raise ValueError(f"{manifest}: cannot be read; {ANEW}") from None
        unlike = list(differences(old, self._record))
        if unlike:
            what = told(iter(unlike))
            raise ValueError(f"{self.folder}: there lies another one ({what}); {ANEW}")

    def _sound(self) -> Iterator[tuple[Block, Tally]]:
        """Blocks there are; a line that was cut short is passed over."""
        path = self.folder / BLOCKS
        for text in path.read_bytes().splitlines() if path.exists() else ():
            try:
                cell, block, pairs, *sums = json.loads(text)
                yield (
                    (cell, block),
                    Tally(pairs, np.array(sums, np.int64).reshape(len(METRICS), SUMS)),
                )
            except (ValueError, TypeError):
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
