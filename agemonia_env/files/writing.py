"""Atomic file writing, and checks that a path can be written before work begins."""

from __future__ import annotations

import io
import json
import os
import re
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PARTIAL = ".partial"
UNFINISHED = re.compile(r".+\.\d+-[0-9a-f]{12}\.partial")  # names made by partial_of
# Extensions that name a file, never a folder
FILE_SUFFIXES = (
    *(".parquet", ".csv", ".json", ".jsonl", ".html", ".md", ".txt", ".yaml", ".yml"),
    *(".npz", ".npy", ".safetensors", ".zip", ".png", ".gif", ".svg"),
)


# ---- writing ------------------------------------------------------------------------------------
def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file atomically; text is encoded as UTF-8. Raises OSError that names `path`."""
    with replacing(path) as partial:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)


def write_json(path: Path, content: Any, *, indent: int = 2) -> None:
    """Write `content` as JSON, atomically. Raises OSError that names `path`."""
    write_whole(path, json.dumps(content, indent=indent) + "\n")


def write_figure(path: Path, figure: Any, *, dpi: int) -> None:
    """Write a matplotlib figure as PNG, atomically. Raises OSError that names `path`."""
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=dpi)
    write_whole(path, image.getvalue())


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary file name beside `path`; at the end that file replaces `path`.

    Creates missing folders. After an error or Ctrl-C the temporary file is deleted and `path` is
    unchanged. Raises OSError that names `path`, whichever call failed.
    """
    partial = partial_of(path)
    try:
        check_regular(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        flush(partial)
        os.replace(partial, path)
        flush_entries(path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def partial_of(path: Path) -> Path:
    """A unique temporary name for a file that is being written."""
    return path.with_name(f"{path.name}.{os.getpid()}-{uuid.uuid4().hex[:12]}{PARTIAL}")


def delete_unfinished(paths: Iterable[Path]) -> None:
    """Delete half-written files of a killed run; no other run may be writing them."""
    for path in paths:
        if UNFINISHED.fullmatch(path.name):
            path.unlink(missing_ok=True)


def delete_file(path: Path) -> None:
    """Delete a file, link or pipe; ValueError if it is a folder."""
    if path.is_dir() and not path.is_symlink():
        raise ValueError(f"{path}: must be a file, but is a folder; delete it")
    path.unlink()


def flush(path: Path) -> None:
    """Flush a file to the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def flush_entries(folder: Path) -> None:
    """Flush the entries of a folder to the disk, if possible."""
    with suppress(OSError):  # not possible on Windows and some network drives
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# ---- before work begins -------------------------------------------------------------------------
def check_regular(path: Path) -> None:
    """Raise ValueError if the path is a folder, a device or the like."""
    if path.exists() and not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "is not a regular file"
        raise ValueError(f"{path}: {what}")


def check_out_file(path: Path, *suffixes: str, option: str = "--out") -> None:
    """Check that a file can be written, without leaving one.

    suffixes: allowed extensions, with the dot. option: the option that named the file. Raises
    ValueError, or OSError that names the path.
    """
    check_regular(path)
    if path.suffix.lower() not in suffixes:
        allowed = " or ".join(suffixes)
        raise ValueError(f"{option} {path}: the file name must end in {allowed}")
    _check_place(path, option)


def check_out_folder(path: Path, option: str = "--out") -> None:
    """Check that results can be written to a folder, which need not exist."""
    if path.exists() and not path.is_dir():
        raise ValueError(f"{option} {path}: must be a folder, but is a file")
    if path.suffix.lower() in FILE_SUFFIXES and not path.exists():
        raise ValueError(f"{option} {path}: must name a folder, without {path.suffix} at its end")
    _check_place(path / PARTIAL, option)


def _check_place(path: Path, option: str) -> None:
    """Write and delete a file in the deepest existing folder above `path`."""
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not above.is_dir():
        raise ValueError(f"{option} {path}: {above} is a file, not a folder")
    probe = partial_of(above / path.name[:100])
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(above)) from None
