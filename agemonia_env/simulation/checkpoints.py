"""Checkpoints of a simulation: chunks on disk, joined into one file at the end.

While `games.parquet` is incomplete, the folder `games.parquet.parts` holds a manifest and a file
per chunk. The name of a chunk's file ends in a hash of manifest, number and content, so truncated,
altered or foreign chunks are detected, deleted and played again. Files with other names are never
touched.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl

from agemonia_env.files.sealing import seal
from agemonia_env.files.writing import (
    PARTIAL,
    UNFINISHED,
    check_regular,
    replacing,
    write_json,
    write_whole,
)
from agemonia_env.rulesets.identity import differences, key_of

from .plan import Plan
from .result_file import DAMAGE, has_form, one_line, scanned

ROWS = 100_000  # of a row group of the file
START_OVER = "use another --out, or --force (force=True) to overwrite"
SHOWN, WIDEST = 4, 200  # differences in a message, characters of each
MOST_BYTES = 100_000_000  # of a manifest
MARK = "agemonia_env"  # metadata of the file: the plan, as JSON
MANIFEST = "plan.json"
PARTS = ".parts"  # ends the name of the folder of chunks
NAME = re.compile(r"(\d{8,})-[0-9a-f]{32}\.parquet")


class CheckpointStore:
    """The chunks of one simulation, in a folder beside the file `out`."""

    def __init__(self, plan: Plan, out: Path) -> None:
        self.plan, self.out = plan, out
        self.folder = parts_of(out)
        self._record = plan.record()
        self._key = key_of(self._record)
        self._paths: dict[int, Path] = {}

    def open(self) -> None:
        """Start or resume. ValueError if file or folder hold something else."""
        self._check_out()
        manifest = self.folder / MANIFEST
        if manifest.is_file():
            check_plan(manifest, self._record, "a different unfinished simulation")
        else:
            self._check_folder()
            self.folder.mkdir(parents=True, exist_ok=True)
            write_json(manifest, self._record, indent=1)
        self._paths = dict(self._intact())

    def _check_out(self) -> None:
        """ValueError if `out` holds something else."""
        check_regular(self.out)
        if self.out.exists():
            old = self.finished()
            what = "no simulation, or a damaged one"
            if old is not None:
                what = first_few(differences(old, self._record))
            raise ValueError(f"{self.out}: holds something else ({what}); {START_OVER}")

    def _check_folder(self) -> None:
        """ValueError if the folder holds files of something else."""
        if (self.folder / MANIFEST).is_file() or not self.folder.exists():
            return
        if any(path.suffix != PARTIAL for path in self.folder.iterdir()):
            raise ValueError(f"{self.folder}: not a folder of a simulation; use another --out")

    def _intact(self) -> Iterator[tuple[int, Path]]:
        """Intact chunks; damaged and foreign ones are deleted."""
        for path in sorted(self.folder.glob("*.parquet")):
            match = NAME.fullmatch(path.name)
            if match and path.is_file():
                with path.open("rb") as file:
                    is_intact = self._name(int(match[1]), file) == path.name
                games = len(self.plan.numbers(int(match[1])))
                if is_intact and has_form(path, self.plan.env, games):
                    yield int(match[1]), path
                else:
                    path.unlink()

    def _name(self, chunk: int, content: BinaryIO) -> str:
        """The file name of a chunk with this content."""
        return f"{chunk:08}-{seal(self._key + b'%d' % chunk, content)}.parquet"

    def finished(self) -> Any:
        """The plan stored in `out`; None if the file is missing, damaged, or has none."""
        if not self.out.is_file():
            return None
        try:
            plan = json.loads(pl.read_parquet_metadata(self.out)[MARK])
            whole = has_form(self.out, self.plan.env, plan["games"])
        except (OSError, KeyError, TypeError, ValueError, RecursionError, *DAMAGE):
            return None
        return plan if whole else None

    def is_finished(self) -> bool:
        """Whether `out` holds this simulation; if so, delete leftovers of its chunks."""
        old = self.finished()
        if not isinstance(old, dict) or any(differences(old, self._record)):
            return False
        delete_chunks(self.folder)
        return True

    def discard(self) -> None:
        """Delete file and folder. ValueError if the folder is not of a simulation."""
        self._check_folder()
        delete_chunks(self.folder)
        self.out.unlink(missing_ok=True)

    def missing(self) -> list[int]:
        """Chunks to play."""
        return [chunk for chunk in range(self.plan.n_chunks()) if chunk not in self._paths]

    def games(self) -> int:
        """The number of games in the chunks on disk."""
        return sum(len(self.plan.numbers(chunk)) for chunk in self._paths)

    def wins(self) -> int:
        """The number of games won in the chunks on disk."""
        if not self._paths:
            return 0
        with one_line(self.folder):
            return int(self._scan().select(pl.col("won").sum()).collect().item())

    def write(self, chunk: int, frame: pl.DataFrame) -> None:
        """Store a chunk; it is on disk when this returns."""
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        content = buffer.getvalue()
        path = self.folder / self._name(chunk, io.BytesIO(content))
        write_whole(path, content)
        self._paths[chunk] = path

    def _scan(self) -> pl.LazyFrame:
        """The rows of the chunks on disk, in order."""
        return scanned([self._paths[chunk] for chunk in sorted(self._paths)])

    def join(self) -> None:
        """Join all chunks into `out`, a few in memory at a time, and delete the folder."""
        mark = {MARK: json.dumps(self._record)}
        with replacing(self.out) as partial, one_line(self.folder):
            try:
                self._scan().sink_parquet(partial, row_group_size=ROWS, metadata=mark)
            except pl.exceptions.PolarsError as error:
                raise _as_os_error(error) from None
        delete_chunks(self.folder)


def parts_of(out: Path) -> Path:
    """The folder of the chunks of the file `out`."""
    return out.with_name(out.name + PARTS)


def delete_chunks(folder: Path) -> None:
    """Delete the files of a checkpoint store, and the folder unless it holds other files.

    The manifest goes last: it shows after a kill that the folder is one of ours.
    """
    own = [path for path in folder.glob("*") if NAME.fullmatch(path.name)]
    own += [path for path in folder.glob("*") if UNFINISHED.fullmatch(path.name)]
    for path in (*own, folder / MANIFEST):
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):
        folder.rmdir()


def _as_os_error(error: pl.exceptions.PolarsError) -> Exception:
    """The system error that polars reports, such as a full disk; else the error itself."""
    found = re.search(r"\(os error (\d+)\)", str(error))
    return OSError(int(found[1]), os.strerror(int(found[1]))) if found else error


def check_plan(path: Path, record: Mapping[str, Any], what: str) -> None:
    """ValueError if a plan.json cannot be read or is not of this record but of `what`."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        old = json.loads(content) if len(content) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        old = None
    if old is None:
        raise ValueError(f"{path}: cannot be read as a plan; {START_OVER}")
    unlike = first_few(differences(old, json.loads(json.dumps(record))))
    if unlike:
        raise ValueError(f"{path.parent}: holds {what} ({unlike}); {START_OVER}")


def first_few(lines: Iterator[str]) -> str:
    """Join the first few of these lines, shortened."""
    short = (line if len(line) <= WIDEST else f"{line[:WIDEST]}..." for line in lines)
    first = list(islice(short, SHOWN + 1))
    return "; ".join(first[:SHOWN]) + ("; and more" if len(first) > SHOWN else "")
