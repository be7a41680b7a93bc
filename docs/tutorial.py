"""Run the tutorials as a reader would, and write what the commands print into the pages.

    python docs/tutorial.py

A `yaml` block that begins with a comment naming a file is written there. A `diff` block changes
lines of such a file. The commands of an `sh` block are run, and the `text` block after it shows
their output; a line `...` stands for any omitted lines.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from typer.testing import CliRunner  # noqa: E402

from agemonia_env.cli import main  # noqa: E402

PAGES = (ROOT / "docs" / "tutorial-pack.md", ROOT / "docs" / "tutorial-hexdungeon.md")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LEFT_OUT = "..."


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str
    start: int  # of its text in the page


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [Block(found[1], found[2], found.start(2)) for found in BLOCK.finditer(page)]


def outputs(page: str) -> Iterator[tuple[Block, str]]:
    """Follow a page in the current folder; yield each output block and the actual output."""
    printed = ""
    for block in blocks(page):
        match block.language:
            case "yaml":
                write_file(block.text)
            case "diff":
                change_file(block.text)
            case "sh":
                printed = "".join(map(run, block.text.splitlines()))
            case "text":
                yield block, printed


def run(line: str) -> str:
    """Run a command line -> its output; stderr only if it fails."""
    words = shlex.split(line, comments=True)
    if words[:1] != ["agemonia"]:
        raise ValueError(f"not a command of agemonia: {line}")
    result = CliRunner().invoke(main.app, words[1:])
    if result.exit_code not in (0, 2):
        raise RuntimeError(f"{line}: status {result.exit_code}\n{result.output}") from (
            result.exception
        )
    text = result.stdout if result.exit_code == 0 else result.output
    return "\n".join(row.rstrip() for row in text.splitlines()).strip("\n") + "\n"


def named_file(text: str) -> Path | None:
    """The file named by the comment on the first line."""
    found = re.match(r"# (\S+\.yaml)$", text.split("\n")[0])
    return Path(found[1]) if found else None


def write_file(text: str) -> None:
    """Write a block to the file it names, if any."""
    path = named_file(text)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def change_file(text: str) -> None:
    """Replace lines of a file. Raises ValueError unless they occur exactly once."""
    path = named_file(text)
    assert path is not None, text
    lines = text.splitlines()[1:]
    old, new = ("".join(f"{x[1:]}\n" for x in lines if x[0] == sign) for sign in "-+")
    before = path.read_text(encoding="utf-8")
    if before.count(old) != 1:
        raise ValueError(f"{path}: these lines occur {before.count(old)} times:\n{old}")
    path.write_text(before.replace(old, new), encoding="utf-8")


def agrees(shown: str, printed: str) -> bool:
    """Whether a page shows this output, apart from omitted lines."""
    parts = re.split(rf"^{re.escape(LEFT_OUT)}\n", shown, flags=re.MULTILINE)
    pattern = "(?s:.*)".join(map(re.escape, parts))
    return re.fullmatch(pattern, printed) is not None


def updated(page: str) -> str:
    """The page with current output; blocks with omitted lines stay if they agree."""
    for block, printed in list(outputs(page))[::-1]:
        if not agrees(block.text, printed):
            end = block.start + len(block.text)
            page = page[: block.start] + printed + page[end:]
    return page


@contextlib.contextmanager
def empty_folder() -> Iterator[None]:
    """Work in a new temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


if __name__ == "__main__":
    for path in PAGES:
        with empty_folder():
            new = updated(path.read_text(encoding="utf-8"))
        path.write_text(new, encoding="utf-8")
