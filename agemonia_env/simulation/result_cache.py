"""A folder of simulations, each in a file whose name changes with everything it depends on.

Only missing simulations are played. New rules, models, seeds or numbers of games give a new name,
and the file it replaces is deleted. Files with other names are never touched.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from rich.console import Console

from agemonia_env.rulesets.identity import key_of

from .checkpoints import PARTS, CheckpointStore, delete_chunks, parts_of
from .plan import Plan
from .result_file import one_line, scanned
from .run import rows_of
from .workers import Workers

DIGITS = 12  # of a hash in a file's name
SUFFIX = ".parquet"
LONGEST = 100  # characters of a name that a file's name shows; the hash covers all of it


@dataclass(frozen=True)
class CachedSimulation:
    """A simulation in a folder. name: independent of rules and models."""

    plan: Plan
    folder: Path
    name: str

    @property
    def path(self) -> Path:
        """Its file: the name in portable characters, its hash, and that of everything else."""
        return self.folder / f"{self._stem()}.{short_hash(key_of(self.plan.record()))}{SUFFIX}"

    def _stem(self) -> str:
        """Distinct for every name, on file systems that ignore case, too."""
        readable = re.sub(r"[^a-z0-9]+", "-", self.name.lower()[:LONGEST]).strip("-")
        return f"{readable}-{short_hash(self.name.encode())}"

    def _others(self) -> Iterator[Path]:
        """The files of other rules or models under this name, and those of their chunks."""
        ending = rf"\.[0-9a-f]{{{DIGITS}}}{re.escape(SUFFIX)}"
        own = re.compile(f"({re.escape(self._stem())}{ending})({re.escape(PARTS)})?")
        names = {match[1] for path in self.folder.glob("*") if (match := own.fullmatch(path.name))}
        return (self.folder / name for name in sorted(names - {self.path.name}))

    def is_played(self) -> bool:
        """Whether all its games have been played."""
        return CheckpointStore(self.plan, self.path).is_finished()

    def rows(self) -> pl.DataFrame | None:
        """A row per game; None if some have not been played."""
        return self.play(1, None) if self.is_played() else None

    def play(self, threads: int, console: Console | None) -> pl.DataFrame:
        """Play missing games -> all rows; delete results of other rules under this name."""
        if not self.is_played():
            for other in self._others():
                delete_chunks(parts_of(other))
                other.unlink(missing_ok=True)
            if self.path.is_file():
                self.path.unlink()  # damaged or foreign
            rows_of(self.plan, Workers(threads), self.path, False, console)
        with one_line(self.path):
            return scanned(self.path).collect()


def short_hash(content: bytes) -> str:
    """DIGITS hex digits that change with the content."""
    return hashlib.sha256(content).hexdigest()[:DIGITS]
