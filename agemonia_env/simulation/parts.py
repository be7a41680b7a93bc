"""Chunks on disk, and the one file that they become.

Beside `games.parquet` lies a folder `games.parquet.parts` while it is made: a manifest that says
what is played, and a file for each chunk. The name of such a file ends in a hash of manifest,
number and content, so that what is cut short, altered or foreign is found, and played again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from ..envs.ruleset import ruleset_of
from ..kernel.jit import cache_folder
from .plan import Plan, differences

ROWS = 100_000  # of a row group of the file
ANEW = "choose another name, or begin anew with --force (force=True)"
SHOWN = 4  # differences named in a message
MARK = "agemonia_env"  # metadata of the file: the plan, as JSON
MANIFEST = "plan.json"
NAME = re.compile(r"(\d{8,})-[0-9a-f]{32}\.parquet")
PARTIAL = ".partial"


def core_of(env: str) -> str:
    """A hash of the sources of rules and policies, and of their compiler."""
    return cache_folder(ruleset_of(env).api.__name__).name


class Parts:
    """The chunks of one simulation, in a folder beside the file `out`."""

    def __init__(self, plan: Plan, out: Path) -> None:
        self.plan, self.out = plan, out
        self.folder = out.with_name(out.name + ".parts")
        self._manifest = json.dumps({"core": core_of(plan.env), **plan.record()}, indent=1).encode()
        self._paths: dict[int, Path] = {}

    def open(self) -> None:
        """Begin, or take up what was begun. ValueError if that was something else."""
        self._check_out()
        manifest = self.folder / MANIFEST
        if manifest.is_file():
            self._check_manifest(manifest)
        else:
            self._check_folder()
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(manifest, self._manifest)
        self._paths = dict(self._sound())

    def _check_out(self) -> None:
        """ValueError if writing `out` would destroy something."""
        if self.out.is_dir():
            raise ValueError(f"{self.out}: is a folder; --out names a file")
        if self.out.exists():
            old = self.finished()
            what = "no simulation" if old is None else told(differences(old, self.plan.record()))
            raise ValueError(f"{self.out}: there lies something else ({what}); {ANEW}")

    def _check_folder(self) -> None:
        """ValueError if somebody else's files lie in the folder."""
        if (self.folder / MANIFEST).is_file() or not self.folder.exists():
            return
        if any(path.suffix != PARTIAL for path in self.folder.iterdir()):
            raise ValueError(f"{self.folder}: no folder of a simulation; choose another name")

    def _check_manifest(self, path: Path) -> None:
        """ValueError if the folder is of another simulation."""
        try:
            old = json.loads(path.read_bytes())
        except ValueError:
            raise ValueError(f"{path}: cannot be read; {ANEW}") from None
        unlike = list(differences(old, json.loads(self._manifest)))
        if unlike:
            what = told(iter(unlike))
            raise ValueError(f"{self.folder}: there lies an unfinished one ({what}); {ANEW}")

    def _sound(self) -> Iterator[tuple[int, Path]]:
        """Chunks there are; what is no sound chunk is deleted."""
        for path in sorted(self.folder.glob("*.parquet")):
            match = NAME.fullmatch(path.name)
            if match and self._name(int(match[1]), path.read_bytes()) == path.name:
                yield int(match[1]), path
            else:
                path.unlink()

    def _name(self, chunk: int, content: bytes) -> str:
        """The name of a sound chunk with this content."""
        digest = hashlib.sha256(self._manifest + b"%d\n" % chunk + content)
        return f"{chunk:08}-{digest.hexdigest()[:32]}.parquet"

    def finished(self) -> Any:
        """What `out` says it holds; None if it is not there or does not say."""
        try:
            return json.loads(pl.read_parquet_metadata(self.out)[MARK])
        except (OSError, KeyError, ValueError, pl.exceptions.PolarsError):
            return None

    def is_finished(self) -> bool:
        """Whether `out` holds this very simulation; what is left of making it is deleted."""
        if self.finished() != self.plan.record():
            return False
        shutil.rmtree(self.folder, ignore_errors=True)
        return True

    def discard(self) -> None:
        """Delete file and folder. ValueError if the folder is not one of a simulation."""
        self._check_folder()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.out.unlink(missing_ok=True)

    def missing(self) -> list[int]:
        """Chunks still to be played."""
        return [chunk for chunk in range(self.plan.n_chunks()) if chunk not in self._paths]

    def games(self) -> int:
        """How many games the chunks there are hold."""
        return sum(len(self.plan.numbers(chunk)) for chunk in self._paths)

    def wins(self) -> int:
        """How many of these games were won."""
        if not self._paths:
            return 0
        return int(self._scan().select(pl.col("won").sum()).collect().item())

    def write(self, chunk: int, frame: pl.DataFrame) -> None:
        """Keep a chunk; it is on the disk when this returns."""
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        content = buffer.getvalue()
        path = self.folder / self._name(chunk, content)
        write_whole(path, content)
        self._paths[chunk] = path

    def _scan(self) -> pl.LazyFrame:
        """The rows of the chunks there are, in order."""
        paths = [self._paths[chunk] for chunk in sorted(self._paths)]
        return pl.scan_parquet(paths, glob=False, hive_partitioning=False)

    def join(self) -> None:
        """All chunks as one file, a few at a time in memory; the folder is deleted."""
        partial = partial_of(self.folder / self.out.name)
        mark = {MARK: json.dumps(self.plan.record())}
        self._scan().sink_parquet(partial, row_group_size=ROWS, metadata=mark)
        flush(partial)
        os.replace(partial, self.out)
        flush(self.out.parent)
        shutil.rmtree(self.folder)


def told(lines: Iterator[str]) -> str:
    """The first few of these lines as one."""
    first = list(islice(lines, SHOWN + 1))
    return "; ".join(first[:SHOWN]) + ("; and more" if len(first) > SHOWN else "")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole, on the disk, or not at all."""
    partial = partial_of(path)
    partial.write_bytes(content)
    flush(partial)
    os.replace(partial, path)
    flush(path.parent)


def partial_of(path: Path) -> Path:
    """The name of a file while it is written; no two processes write to the same one."""
    return path.with_name(f"{path.name}.{os.getpid()}{PARTIAL}")


def flush(path: Path) -> None:
    """Have the system write a file, or the entries of a folder, to the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows opens no folders
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
