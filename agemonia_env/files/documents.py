"""Reads untrusted YAML and JSON files, within limits and with clear errors.

The YAML dialect is YAML 1.2 without its surprises: `yes`, `on` and `1:30` stay text, a number with
a leading zero is refused, and tags and merge keys are not allowed. Every file that a user names
goes through `read_text` or `read_json`.
"""

from __future__ import annotations

import gc
import gzip
import io
import json
import re
import stat
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from agemonia_env.display.messages import cut, in_line, shown

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | float | bool | None"
Place: TypeAlias = "tuple[int | str, ...]"  # keys and positions, from the top of a document

NO_FILE = "No such file or directory"
MOST_BYTES = 2**20  # of a file
MOST_VALUES = 100_000  # of a document; each use of an alias counts
MOST_JSON_VALUES = 1_000_000  # of JSON, which holds whole games: up to 200 MB in memory
MOST_DEPTH = 50  # of nested mappings and lists
MOST_DIGITS = 18  # of an integer: fits 64 bits
TOO_DEEP = f"is nested more than {MOST_DEPTH} deep"

# libyaml, where available, is ten times faster
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
WORDS: dict[str, bool | None] = {
    word: value
    for name, value in (("true", True), ("false", False), ("null", None))
    for word in (name, name.capitalize(), name.upper())
} | {"~": None, "": None}
CLEARER = {  # error messages of YAML libraries, replaced
    "another document": "has a second document; remove the line ---",
    "maximum nesting depth": TOO_DEEP,
}
INTEGER = re.compile(r"[-+]?[0-9]+(_[0-9]+)*\Z")
DECIMAL = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?\Z")


@dataclass(eq=False)
class DocumentError(ValueError):
    """A problem with a document, and its line (from 1; None = no particular line)."""

    line: int | None
    reason: str

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"


# ---- files ----------------------------------------------------------------------------------
def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Read a text file of at most `most` bytes. Raises DocumentError, without the file's name."""
    return decoded(read_bytes(path, most))


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Read the bytes of a regular file. Raises DocumentError, without the file's name."""
    try:
        status = path.stat()
    except FileNotFoundError:
        what = "it is a broken link" if path.is_symlink() else NO_FILE
        raise _unreadable(what) from None
    except ValueError:  # a NUL character in its name
        raise _unreadable(NO_FILE) from None
    except OSError as error:
        raise _unreadable(error.strerror) from None
    if stat.S_ISDIR(status.st_mode):
        raise _unreadable("it is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise _unreadable("it is a pipe or a device, not a file")
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)  # files in /proc report size 0
    except OSError as error:
        raise _unreadable(error.strerror) from None
    if len(data) > most:
        raise DocumentError(None, f"is larger than {in_bytes(most)}")
    return data


def _unreadable(reason: str | None) -> DocumentError:
    return DocumentError(None, f"cannot be read: {reason or 'unknown reason'}")


def in_bytes(size: int) -> str:
    """Format a size: `1 MiB`."""
    return f"{size >> 20} MiB" if size >= 2**20 else f"{size:,} bytes"


def decoded(data: bytes) -> str:
    """Decode UTF-8 text, with or without a byte order mark. Raises DocumentError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        hint = "; it looks like UTF-16: save it as UTF-8" if utf16 else ""
        raise DocumentError(line, f"is not UTF-8 text{hint}") from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise DocumentError(line, "contains a NUL character")
    return text


# ---- YAML -----------------------------------------------------------------------------------
@dataclass
class Document:
    """The values of a document, and the line on which each starts."""

    value: Any = None
    lines: dict[Place, int] = field(default_factory=dict)


class _Composer(_Base):  # type: ignore[misc]
    """Composes nodes within limits; a node has a tag only if the document gives one."""

    most_values = MOST_VALUES
    depth = count = 0

    def descend_resolver(self, current_node: yaml.Node | None, current_index: Any) -> None:
        """Called before each node."""
        self.depth += 1
        self.count += 1
        mark = None if current_node is None else current_node.start_mark
        if self.depth > MOST_DEPTH:
            raise _refused(TOO_DEEP, mark)
        if self.count > self.most_values:
            raise _refused(f"has more than {self.most_values:,} values", mark)

    def ascend_resolver(self) -> None:
        """Called after each node."""
        self.depth -= 1

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> None:
        """Return no implicit tag."""


class _Limit(yaml.MarkedYAMLError):
    """A limit of this reader that YAML does not have."""


def _refused(problem: str, mark: Any) -> _Limit:
    return _Limit(problem=problem, problem_mark=mark)


def parse_yaml(text: str, most_values: int = MOST_VALUES, *, strict: bool = False) -> Document:
    """Parse YAML text. Raises DocumentError.

    strict: refuse aliases and fractions, as case files do.
    """
    with _yaml_errors(text), _no_garbage_collection():
        composer = _Composer(text)
        composer.most_values = most_values
        try:
            node = composer.get_single_node()
        finally:
            composer.dispose()
        document = Document()
        if node is not None:
            document.value = _Converter(document, most_values, strict).value(node, ())
    return document


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Pause the collector: half a million live nodes are then read in a third of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def _yaml_errors(text: str) -> Iterator[None]:
    """Turn errors of PyYAML and libyaml into DocumentError."""
    try:
        yield
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        problem = in_line(error.problem or error.context or "is not YAML")
        if isinstance(error, _Limit):
            raise DocumentError(line, problem) from None
        for part, reason in CLEARER.items():
            if part in problem:
                raise DocumentError(line, reason) from None
        if line is not None and _is_indented_by_tab(text, line):
            reason = "is indented by a tab; use spaces"
            raise DocumentError(line, reason) from None
        raise DocumentError(line, f"is not YAML: {problem}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise DocumentError(line, f"is not YAML: {in_line(error.reason)}") from None
    except yaml.YAMLError as error:
        raise DocumentError(None, f"is not YAML: {in_line(' '.join(str(error).split()))}") from None
    except UnicodeEncodeError:  # a lone surrogate, from a command line
        raise DocumentError(None, "is not UTF-8 text") from None


def _is_indented_by_tab(text: str, line: int) -> bool:
    found = text.splitlines()[line - 1 : line]
    return bool(found) and "\t" in found[0][: len(found[0]) - len(found[0].lstrip())]


@dataclass
class _Converter:
    """Converts nodes to plain values, and records the line of each in the document."""

    document: Document
    most_values: int
    strict: bool
    count: int = 0
    around: set[int] = field(default_factory=set)  # ancestors of the current node
    seen: set[int] = field(default_factory=set)

    def value(self, node: yaml.Node, place: Place) -> Plain:
        """The value of a node."""
        line = self.document.lines[place] = node.start_mark.line + 1
        self.count += 1
        if self.count > self.most_values:
            raise DocumentError(
                line, f"has more than {self.most_values:,} values (each use of an alias counts)"
            )
        if node.tag is not None:
            raise DocumentError(line, f"tags ({in_line(_short(node.tag))}) are not allowed")
        if isinstance(node, yaml.ScalarNode):
            return str(node.value) if node.style else self.scalar(str(node.value), line)
        if id(node) in self.around:
            raise DocumentError(line, "a value contains itself")
        if self.strict and id(node) in self.seen:
            raise DocumentError(line, "anchors and aliases are not allowed")
        self.seen.add(id(node))
        self.around.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            value: Plain = [self.value(part, (*place, i)) for i, part in enumerate(node.value)]
        else:
            value = self.mapping(node, place)
        self.around.discard(id(node))
        return value

    def mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, Plain]:
        """The value of a mapping; its keys are distinct text."""
        values: dict[str, Plain] = {}
        for key, part in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise DocumentError(line, "a key must be text")
            if key.tag is not None:
                raise DocumentError(line, f"tags ({in_line(_short(key.tag))}) are not allowed")
            name = str(key.value)
            if name in values:
                raise DocumentError(line, f"key {shown(name)} is given twice")
            if name == "<<" and not key.style:
                raise DocumentError(line, "merge keys (<<) are not allowed; write the keys out")
            values[name] = self.value(part, (*place, name))
            self.document.lines[*place, name] = line
        return values

    def scalar(self, text: str, line: int) -> Plain:
        """The value of an unquoted scalar: a number, true, false, null, or text."""
        if text in WORDS:
            return WORDS[text]
        if INTEGER.match(text):
            digits = text.lstrip("+-").replace("_", "")
            if len(digits) > MOST_DIGITS:
                raise DocumentError(
                    line, f"{cut(text)} has {len(digits):,} digits; at most {MOST_DIGITS}"
                )
            if digits[0] == "0" and len(digits) > 1:
                plain = digits.lstrip("0") or "0"
                raise DocumentError(
                    line, f"{text} is ambiguous; write {plain}, or '{text}' for text"
                )
            return int(text)
        if not DECIMAL.match(text):
            return text
        if self.strict:
            raise DocumentError(line, f"{cut(text)} is not an integer; fractions are not allowed")
        number = float(text)
        if abs(number) == float("inf"):
            raise DocumentError(line, f"{cut(text)} is too large")
        return number


def _short(tag: str) -> str:
    """A tag as written in a document: `!!int`."""
    standard = "tag:yaml.org,2002:"
    return f"!!{tag.removeprefix(standard)}" if tag.startswith(standard) else tag


# ---- JSON -----------------------------------------------------------------------------------
def read_json(path: Path, most: int = MOST_BYTES) -> Plain:
    """Read a JSON file, unpacked if its name ends in .gz. Raises DocumentError.

    most: bytes of the unpacked text.
    """
    data = read_bytes(path, most)
    if path.suffix == ".gz":
        try:
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(most + 1)
        except (OSError, EOFError, zlib.error):
            raise DocumentError(None, "is damaged, or not a gzip file") from None
        if len(data) > most:
            raise DocumentError(None, f"is larger than {in_bytes(most)} when unpacked")
    return parse_json(decoded(data))


def parse_json(text: str) -> Plain:
    """Parse JSON text of at most MOST_JSON_VALUES values. Raises DocumentError."""
    if sum(map(text.count, ",[{")) > MOST_JSON_VALUES:  # before any of them takes memory
        raise DocumentError(None, f"has more than {MOST_JSON_VALUES:,} values")
    hooks: dict[str, Any] = {"object_pairs_hook": _json_mapping, "parse_int": _json_int}
    try:
        with _no_garbage_collection():
            value: Plain = json.loads(text, parse_constant=_no_constant, **hooks)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise DocumentError(error.lineno, f"is not JSON: {error.msg}") from None
    except RecursionError:
        raise DocumentError(None, TOO_DEEP) from None
    except UnicodeEncodeError:
        raise DocumentError(None, "contains a lone surrogate (\\ud800 to \\udfff)") from None
    return value


def _json_mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise DocumentError(None, f"key {shown(twice)} is given twice")
    return values


def _json_int(text: str) -> int:
    digits = len(text.lstrip("-"))
    if digits > MOST_DIGITS:
        raise DocumentError(None, f"{cut(text)} has {digits:,} digits; at most {MOST_DIGITS}")
    return int(text)


def _no_constant(word: str) -> float:
    raise DocumentError(None, f"{word} is not a number")
