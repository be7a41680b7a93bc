"""A folder of simulations, each in a file whose name changes with everything it depends on.

Only missing simulations are played. New rules, models, seeds or numbers of games give a new name,
and the file it replaces is deleted.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from rich.console import Console

from .checkpoints import CheckpointStore
from .plan import Plan, key_of
from .run import rows_of

DIGITS = 12  # of the hash in a file's name


@dataclass(frozen=True)
class CachedSimulation:
    """A simulation in a folder. name: independent of rules and models."""

    plan: Plan
    folder: Path
    name: str

    @property
    def path(self) -> Path:
        """Its file: the name in portable characters, and a hash."""
        mark = hashlib.sha256(key_of(self.plan.record())).hexdigest()[:DIGITS]
        return self.folder / f"{self._stem()}.{mark}.parquet"

    def _stem(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    def is_played(self) -> bool:
        """Whether all its games have been played."""
        return CheckpointStore(self.plan, self.path).is_finished()

    def rows(self) -> pl.DataFrame | None:
        """A row per game; None if some have not been played."""
        return pl.read_parquet(self.path) if self.is_played() else None

    def play(self, threads: int, console: Console | None) -> None:
        """Play missing games; delete results of other rules under this name."""
        if self.is_played():
            return
        for other in self.folder.glob(f"{self._stem()}.*"):
            if not other.name.startswith(self.path.name):
                shutil.rmtree(other) if other.is_dir() else other.unlink()
        if self.path.is_file():
            self.path.unlink()  # damaged or foreign
        rows_of(self.plan, threads, self.path, None, False, console)
