"""Checksums of result files, which detect truncated, altered, renamed or foreign files.

A chunk has its hash in its name. A finished file, which the user names, has it in its footer:
Parquet stores text there verbatim, so space for the hash is reserved when the file is written.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import BinaryIO

DIGITS = 32
BLOCK = 2**20  # bytes read at a time
LARGEST_FOOTER = 2**26  # bytes
KEY = "agemonia_env.seal"  # metadata key of a finished file
OPEN = f"seal:{'0' * 64}"  # its value until the file is sealed
SEALED = re.compile(rb"seal:[0-9a-f]{64}")


def seal(metadata: bytes, content: BinaryIO) -> str:
    """DIGITS hex digits that change with a content and its metadata."""
    digest = hashlib.sha256(metadata + b"\n")
    while part := content.read(BLOCK):
        digest.update(part)
    return digest.hexdigest()[:DIGITS]


def seal_file(path: Path) -> None:
    """Write the hash of a Parquet file over OPEN in its footer."""
    with path.open("r+b") as file:
        start = _place(file)
        if start is None:
            raise ValueError(f"{path}: has no space for its hash")
        digest = _digest(file, start)
        file.seek(start)
        file.write(digest)


def is_sealed(path: Path) -> bool:
    """Whether `seal_file` sealed this file, and it is unchanged since."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = _place(file)
        if start is None:
            return False
        file.seek(start)
        return file.read(len(OPEN)) == _digest(file, start)


def _place(file: BinaryIO) -> int | None:
    """The offset of the hash, or the space for it, in a Parquet footer; None if missing."""
    size = file.seek(0, 2)
    if size < 12:
        return None
    file.seek(size - 8)
    footer = int.from_bytes(file.read(4), "little")
    if file.read(4) != b"PAR1" or footer > min(size - 8, LARGEST_FOOTER):
        return None
    file.seek(size - 8 - footer)
    found = list(SEALED.finditer(file.read(footer)))
    return size - 8 - footer + found[-1].start() if found else None


def _digest(file: BinaryIO, start: int) -> bytes:
    """The value of KEY for a file, ignoring what is at `start` now."""
    digest, end, position = hashlib.sha256(), start + len(OPEN), 0
    file.seek(0)
    while part := file.read(BLOCK):
        first, last = max(start - position, 0), max(min(end - position, len(part)), 0)
        if first < last:
            part = part[:first] + bytes(last - first) + part[last:]
        digest.update(part)
        position += len(part)
    return b"seal:" + digest.hexdigest().encode()
