"""YAML of a case file into plain values that still know their lines.

The format is a subset of YAML: mappings, lists, strings, integers, true, false and null. Words
such as `no` or `on` stay words here, so an area may be called `n`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from agemonia_env.files.documents import DocumentError, Place, parse_yaml, read_text

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | bool | None"

__all__ = ["Document", "FileError", "Place", "Plain", "read"]

MOST_BYTES = 16 * 2**20  # of a file; the cases of a long game are 5 MiB
MOST_VALUES = 1_000_000


@dataclass(eq=False)
class FileError(Exception):
    """What is wrong in a file: file, line (from 1) and reason."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


@dataclass
class Document:
    """The values of one file, and the line on which each of them starts."""

    file: str
    value: Plain = None
    lines: dict[Place, int] = field(default_factory=dict)

    def problem(self, place: Place, reason: str) -> FileError:
        """A problem at `place`, or at the closest place around it that has a line."""
        while place and place not in self.lines:
            place = place[:-1]
        return FileError(self.file, self.lines.get(place, 1), reason)


def read(path: Path) -> Document:
    """Read one file. Raises FileError: not found, not UTF-8, not YAML, outside the subset."""
    try:
        found = parse_yaml(read_text(path, MOST_BYTES), MOST_VALUES, strict=True)
    except DocumentError as error:
        raise FileError(str(path), error.line or 1, error.reason) from None
    return Document(str(path), found.value, found.lines)
