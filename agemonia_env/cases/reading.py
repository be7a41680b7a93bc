"""YAML of a case file into plain values that still know their lines.

The format is a subset of YAML: mappings, lists, strings, integers, true, false and null. Words
such as `no` or `on` stay words here, so an area may be called `n`.
"""

from __future__ import annotations

import gc
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeAlias

import yaml

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | bool | None"
Place: TypeAlias = tuple[str | int, ...]

# libyaml where PyYAML comes with it: the 119 cases of a long game in 2.5 s instead of 7.9 s
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Words(LOADER):  # type: ignore[misc, valid-type]
    """Leaves every scalar the text that it is; nobody asks what YAML takes it for."""

    yaml_implicit_resolvers: ClassVar[dict[str, list[object]]] = {}


INTEGER = re.compile(r"[-+]?[0-9]+\Z")
DECIMAL = re.compile(r"[-+]?[0-9]*\.[0-9]+\Z")
WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}


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
    document = Document(str(path))
    try:
        text = path.read_bytes().decode()
    except OSError as error:
        raise FileError(document.file, 1, f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FileError(document.file, line, "is not UTF-8 text") from None
    collects = gc.isenabled()
    gc.disable()  # a long game is half a million nodes, none of them garbage: three times as fast
    try:
        node = _compose(text)
        if node is not None:
            document.value = _plain(document, node, (), set())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise FileError(document.file, line, f"is not YAML: {error.problem}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise FileError(document.file, line, f"is not YAML: {error.reason}") from None
    except RecursionError:
        raise FileError(document.file, 1, "is nested too deeply") from None
    finally:
        if collects:
            gc.enable()
    return document


def _compose(text: str) -> yaml.Node | None:
    """The nodes of a text; errors are those of PyYAML, which says more than libyaml."""
    try:
        return yaml.compose(text, Loader=Words)
    except (yaml.YAMLError, UnicodeEncodeError, RecursionError):
        return yaml.compose(text, Loader=yaml.SafeLoader)


def _plain(document: Document, node: yaml.Node, place: Place, seen: set[int]) -> Plain:
    """The value of `node`; its line and those of its parts are noted in `document`."""
    line = node.start_mark.line + 1
    document.lines[place] = line
    if id(node) in seen:
        raise FileError(document.file, line, "anchors and aliases are not part of the format")
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return [_plain(document, part, (*place, i), seen) for i, part in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _mapping(document, node, place, seen)
    text = str(node.value)
    if isinstance(node, yaml.ScalarNode) and node.style:  # quoted
        return text
    return _scalar(document, line, text)


def _mapping(
    document: Document, node: yaml.MappingNode, place: Place, seen: set[int]
) -> dict[str, Plain]:
    """A mapping whose keys are words, each once."""
    values: dict[str, Plain] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise FileError(document.file, line, "a key must be a word")
        name = str(key.value)
        if name in values:
            raise FileError(document.file, line, f"key {name!r} is given twice")
        values[name] = _plain(document, value, (*place, name), seen)
        document.lines[*place, name] = line
    return values


def _scalar(document: Document, line: int, text: str) -> Plain:
    """A plain scalar: an integer, true, false, null, or else a string."""
    if text in WORDS:
        return WORDS[text]
    if INTEGER.match(text):
        return int(text)
    if DECIMAL.match(text):
        raise FileError(document.file, line, f"{text} is no integer; the format has no fractions")
    return text
