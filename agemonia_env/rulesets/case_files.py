"""Rule case files of any ruleset: read them with line numbers, run them, print what fails.

The format is a subset of YAML: mappings, lists, strings, integers, true, false and null. Words such
as `no` or `on` stay strings, so an area may be called `n`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from agemonia_env.display.messages import cut
from agemonia_env.files.documents import DocumentError, Place, parse_yaml, read_text

from .doors import DEFAULT, RULESETS

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | bool | None"

__all__ = ["Document", "FileError", "Place", "Plain", "read", "run_files"]

PASSED, FAILED, UNREADABLE = 0, 1, 2
JSON = (".json", ".json.gz")  # read by their rulesets
MAX_PROBLEMS = 100  # mistakes in files that are printed
MAX_LINE = 1500  # characters of a printed line; longer ones lose their middle
MAX_BYTES = 16 * 2**20  # of a file; the cases of a long game are 2 to 5 MiB
MAX_VALUES = 500_000  # up to 260 MB in memory; a long game has 300,000


@dataclass(eq=False)
class FileError(Exception):
    """A mistake in a file: file, line (from 1) and reason."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


@dataclass
class Document:
    """The values of one file, and the line where each of them starts."""

    file: str
    value: Plain = None
    lines: dict[Place, int] = field(default_factory=dict)

    def problem(self, place: Place, reason: str) -> FileError:
        """A mistake at `place`, or at the closest enclosing place that has a line."""
        while place and place not in self.lines:
            place = place[:-1]
        return FileError(self.file, self.lines.get(place, 1), reason)


def read(path: Path) -> Document:
    """Read one file. Raises FileError: not found, not UTF-8, not YAML, outside the subset."""
    try:
        found = parse_yaml(read_text(path, MAX_BYTES), MAX_VALUES, strict=True)
    except DocumentError as error:
        raise FileError(str(path), error.line or 1, error.reason) from None
    return Document(str(path), found.value, found.lines)


def written(value: object) -> str:
    """A value as a case file writes it."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {written(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    return str(value)


# ---- running ------------------------------------------------------------------------------------
Results: TypeAlias = Iterator[tuple[str, Sequence[object]]]  # title and differences of each case


def run_file(path: Path, problems: list[FileError | str]) -> Results:
    """Run the cases of a file -> the title of each, and where the core differs from it.

    Mistakes in the file are appended to `problems`.
    """
    document = Document(str(path))
    if not path.name.endswith(JSON):
        try:
            document = read(path)
        except FileError as error:
            problems.append(error)
            return
    others = [doors for doors in RULESETS.values() if doors.reads_cases]
    own = (doors for doors in others if doors.open("reads_cases")(document))
    yield from next(own, RULESETS[DEFAULT]).open("run_cases")(document, problems)


def run_files(paths: Iterable[str | Path]) -> int:
    """Run all cases of files and print differences; the last line is `N passed, N failed`.

    -> exit status: 0 = all passed, 1 = a case failed, 2 = a file has mistakes. Mistakes are printed
    with file and line; all other cases are still run.
    """
    passed = failed = 0
    problems: list[FileError | str] = []
    for path in paths:
        for name, differences in run_file(Path(path), problems):
            passed += not differences
            failed += bool(differences)
            if differences:
                print(f"FAILED {cut(name, MAX_LINE)}")
                for difference in differences:
                    print(f"  {cut(str(difference), MAX_LINE)}")
    sys.stdout.flush()
    for problem in problems[:MAX_PROBLEMS]:
        print(cut(str(problem), MAX_LINE), file=sys.stderr)
    if len(problems) > MAX_PROBLEMS:
        print(f"and {len(problems) - MAX_PROBLEMS:,} more mistakes", file=sys.stderr)
    sys.stderr.flush()
    print(f"{passed} passed, {failed} failed")
    if problems:
        return UNREADABLE
    return FAILED if failed else PASSED
