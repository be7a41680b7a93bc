"""Chunks on disk, and the one file that they become.

Beside `games.parquet` lies a folder `games.parquet.parts` while it is made: a manifest that says
what is played, and a file for each chunk. The name of such a file ends in a hash of manifest,
number and content, so that what is cut short, altered or foreign is found, and played again.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from agemonia_env.core.jit import cache_folder
from agemonia_env.files.sealing import KEY, OPEN, is_sealed, seal, seal_file
from agemonia_env.files.writing import (
    PARTIAL,
    check_regular,
    delete_file,
    replacing,
    write_json,
    write_whole,
)
from agemonia_env.rulesets.ruleset import ruleset_of

from .plan import Plan, differences, key_of

ROWS = 100_000  # of a row group of the file
ANEW = "choose another name, or begin anew with --force (force=True)"
SHOWN, WIDEST = 4, 200  # differences named in a message, and characters of each
MOST_BYTES = 100_000_000  # of a plan
MARK = "agemonia_env"  # metadata of the file: the plan, as JSON
MANIFEST = "plan.json"
NAME = re.compile(r"(\d{8,})-[0-9a-f]{32}\.parquet")


def core_of(env: str) -> str:
    """A hash of the sources of rules and policies, and of their compiler."""
    return cache_folder(ruleset_of(env).api.__name__).name


class Parts:
    """The chunks of one simulation, in a folder beside the file `out`."""

    def __init__(self, plan: Plan, out: Path) -> None:
        self.plan, self.out = plan, out
        self.folder = out.with_name(out.name + ".parts")
        self._record = plan.record()
        self._key = key_of(self._record)
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
            write_json(manifest, self._record, indent=1)
        self._paths = dict(self._sound())

    def _check_out(self) -> None:
        """ValueError if writing `out` would destroy something."""
        check_regular(self.out)
        if self.out.exists():
            old = self.finished()
            what = "no simulation, or a damaged one"
            if old is not None:
                what = told(differences(old, self._record))
            raise ValueError(f"{self.out}: there lies something else ({what}); {ANEW}")

    def _check_folder(self) -> None:
        """ValueError if somebody else's files lie in the folder."""
        if (self.folder / MANIFEST).is_file() or not self.folder.exists():
            return
        if any(path.suffix != PARTIAL for path in self.folder.iterdir()):
            raise ValueError(f"{self.folder}: no folder of a simulation; choose another name")

    def _check_manifest(self, path: Path) -> None:
        """ValueError if the folder is of another simulation."""
        old = read_plan(path)
        unlike = list(differences(old, self._record))
        if unlike:
            what = told(iter(unlike))
            raise ValueError(f"{self.folder}: there lies an unfinished one ({what}); {ANEW}")

    def _sound(self) -> Iterator[tuple[int, Path]]:
        """Chunks there are; what is no sound chunk is deleted."""
        for path in sorted(self.folder.glob("*.parquet")):
            match = NAME.fullmatch(path.name)
            if match and path.is_file():
                with path.open("rb") as file:
                    if self._name(int(match[1]), file) == path.name:
                        yield int(match[1]), path
                        continue
            delete_file(path)

    def _name(self, chunk: int, content: BinaryIO) -> str:
        """The name of a sound chunk with this content."""
        return f"{chunk:08}-{seal(self._key + b'%d' % chunk, content)}.parquet"

    def finished(self) -> Any:
        """What `out` says it holds; None if it is not there, is damaged, or does not say."""
        if not is_sealed(self.out):
            return None
        try:
            return json.loads(pl.read_parquet_metadata(self.out)[MARK])
        except (OSError, KeyError, ValueError, RecursionError, pl.exceptions.PolarsError):
            return None

    def is_finished(self) -> bool:
        """Whether `out` holds this very simulation; what is left of making it is deleted."""
        old = self.finished()
        if not isinstance(old, dict) or any(differences(old, self._record)):
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
        path = self.folder / self._name(chunk, io.BytesIO(content))
        write_whole(path, content)
        self._paths[chunk] = path

    def _scan(self) -> pl.LazyFrame:
        """The rows of the chunks there are, in order."""
        paths = [self._paths[chunk] for chunk in sorted(self._paths)]
        return pl.scan_parquet(paths, glob=False, hive_partitioning=False)

    def join(self) -> None:
        """All chunks as one file, a few at a time in memory; the folder is deleted."""
        mark = {MARK: json.dumps(self._record), KEY: OPEN}
        with replacing(self.out) as partial:
            try:
                self._scan().sink_parquet(partial, row_group_size=ROWS, metadata=mark)
            except pl.exceptions.PolarsError as error:
                raise _as_os_error(error) from None
            seal_file(partial)
        shutil.rmtree(self.folder, ignore_errors=True)


def _as_os_error(error: pl.exceptions.PolarsError) -> Exception:
    """The error of the system that polars reports, such as a full disk; else the error itself."""
    found = re.search(r"\(os error (\d+)\)", str(error))
    return OSError(int(found[1]), os.strerror(int(found[1]))) if found else error


def read_plan(path: Path) -> Any:
    """What a plan.json says. ValueError if it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) <= MOST_BYTES:
            return json.loads(content)
    except (ValueError, RecursionError):
        pass
    raise ValueError(f"{path}: cannot be read as a plan; {ANEW}")


def told(lines: Iterator[str]) -> str:
    """The first few of these lines as one, none of them long."""
    short = (line if len(line) <= WIDEST else f"{line[:WIDEST]}..." for line in lines)
    first = list(islice(short, SHOWN + 1))
    return "; ".join(first[:SHOWN]) + ("; and more" if len(first) > SHOWN else "")
