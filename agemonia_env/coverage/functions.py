"""Which functions play which rules, and how often each is called in a sample of games.

Compiled code calls nothing that could be counted, so the sample is played as plain Python in a
process of its own:

    NUMBA_DISABLE_JIT=1 python -m agemonia_env.coverage.functions PACK GAMES SEED SAMPLE

One line of JSON per game: how often each function was called, by its number in `rule_functions`.
"""

from __future__ import annotations

import ast
import functools
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType

PACKAGE = Path(__file__).resolve().parents[1]
CORE = PACKAGE / "agemonia"
RULE = re.compile(r"\b(?:R\d+\.\d+[a-z]?(?: to R\d+\.\d+[a-z]?)?|Q\d+)\b")


@dataclass(frozen=True)
class Function:
    """A function whose docstring names rules."""

    file: str  # below the package's folder
    name: str
    rules: tuple[str, ...]  # ids and ranges of ids, as the docstring has them

    def __str__(self) -> str:
        file = self.file.removeprefix("agemonia/")
        return f"{file} {self.name} ({', '.join(self.rules)})"


def functions(nodes: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """(name, node) of the functions and methods of a file."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            yield owner + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{node.name}.")


@functools.cache
def rule_functions() -> tuple[Function, ...]:
    """The functions of the core that play a rule, file by file."""
    found = []
    for path in sorted(CORE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        for name, node in functions(ast.parse(path.read_text(encoding="utf-8")).body):
            rules = dict.fromkeys(RULE.findall(ast.get_docstring(node) or ""))
            if rules:
                found.append(Function(file, name, tuple(rules)))
    return tuple(found)


class Sample:
    """Games played as plain Python by another process, one after another."""

    def __init__(self, pack: str, games: int, seed: int, sample: int) -> None:
        """Start the process; it plays `sample` of `games` games."""
        self.command = [sys.executable, "-m", __name__]
        self.process = subprocess.Popen(
            [*self.command, pack, str(games), str(seed), str(sample)],
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            cwd=PACKAGE.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def calls(self) -> Iterator[Counter[str]]:
        """How often each function was called, game by game. RuntimeError if the process fails."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        known = rule_functions()
        for line in self.process.stdout:
            yield Counter({str(known[int(k)]): n for k, n in json.loads(line).items()})
        errors = self.process.stderr.read()
        if self.process.wait():
            raise RuntimeError(f"the sample of rule functions ended early:\n{errors}")

    def stop(self) -> None:
        """End the process, finished or not."""
        self.process.kill()
        self.process.wait()


# ---- in that process ----------------------------------------------------------------------------
def play_sample(pack_name: str, games: int, seed: int, sample: int) -> Iterator[Counter[int]]:
    """Play every so many-th table's first game -> calls of each rule function, by its number."""
    from ..agemonia.policies import Policy
    from ..content.load import load_pack
    from .counting import play_games
    from .tables import draw_tables

    pack = load_pack(pack_name)
    number = {(x.file, x.name): k for k, x in enumerate(rule_functions())}
    tables = draw_tables(pack, games, seed)
    for k in range(sample):
        table = tables[k * len(tables) // sample]
        compiled, first = table.compile(pack), table.seeds.start + k
        called: Counter[CodeType] = Counter()

        sys.setprofile(functools.partial(_note, called))
        try:
            play_games(compiled, range(first, first + 1), Policy(k % 2))
        finally:
            sys.setprofile(None)
        places = ((place_of(code), n) for code, n in called.items())
        yield Counter({number[place]: n for place, n in places if place in number})


def _note(called: Counter[CodeType], frame: FrameType, event: str, _: object) -> None:
    """Count a call; what `sys.setprofile` wants."""
    if event == "call":
        called[frame.f_code] += 1


def place_of(code: CodeType) -> tuple[str, str]:
    """File below the package and name of a function."""
    path = Path(code.co_filename)
    file = path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else ""
    return file, code.co_qualname


if __name__ == "__main__":
    pack_, *numbers = sys.argv[1:]
    for counted in play_sample(pack_, *map(int, numbers)):
        print(json.dumps(counted), flush=True)
