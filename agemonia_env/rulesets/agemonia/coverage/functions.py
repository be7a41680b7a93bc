"""Which functions implement which rules, and how often each is called in a sample of games.

Calls in compiled code cannot be counted, so the sample is played as plain Python in separate
processes:

    NUMBA_DISABLE_JIT=1 python -m agemonia_env.rulesets.agemonia.coverage.functions \
        PACK GAMES SEED '[[0, 7, 1]]'

The last argument lists the games: table, seed, policy. One line of JSON per game: how often each
rule function was called.
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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType

CORE = Path(__file__).resolve().parents[1] / "core"
RULE = re.compile(r"\b(?:R\d+\.\d+[a-z]?(?: to R\d+\.\d+[a-z]?)?|Q\d+)\b")


@dataclass(frozen=True)
class Function:
    """A function whose docstring names rules."""

    file: str  # below the core of the ruleset
    name: str
    rules: tuple[str, ...]  # ids and ranges of ids, as the docstring has them

    def __str__(self) -> str:
        return f"{self.file} {self.name} ({', '.join(self.rules)})"


def functions(nodes: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """(name, node) of the functions and methods of a file."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            yield owner + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{node.name}.")


@functools.cache
def rule_functions() -> tuple[Function, ...]:
    """The functions of the core that implement a rule, file by file."""
    found = []
    for path in sorted(CORE.rglob("*.py")):
        file = path.relative_to(CORE).as_posix()
        for name, node in functions(ast.parse(path.read_text(encoding="utf-8")).body):
            rules = dict.fromkeys(RULE.findall(ast.get_docstring(node) or ""))
            if rules:
                found.append(Function(file, name, tuple(rules)))
    return tuple(found)


@dataclass(frozen=True)
class Game:
    """A game of the sample: the place of its table in `draw_tables`, its seed, its policy."""

    table: int
    seed: int
    policy: int


class Sample:
    """Plays games as plain Python in other processes, as many at a time as there are cores."""

    def __init__(self, pack: str, games: int, seed: int, sample: Sequence[Game]) -> None:
        """Start the processes; `games` and `seed` name the tables, `sample` the games."""
        cores = os.cpu_count() or 1
        shares = [sample[k::cores] for k in range(min(cores, len(sample)))]
        self.processes = [self._start(pack, games, seed, share) for share in shares]

    def _start(
        self, pack: str, games: int, seed: int, share: Sequence[Game]
    ) -> subprocess.Popen[str]:
        numbers = json.dumps([(game.table, game.seed, game.policy) for game in share])
        return subprocess.Popen(
            [sys.executable, "-m", __name__, pack, str(games), str(seed), numbers],
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            cwd=CORE.parents[3],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def calls(self, on_game: Callable[[int], None]) -> Counter[str]:
        """How often each function was called; `on_game(1)` is called after each game.

        Raises RuntimeError if a process fails.
        """
        with ThreadPoolExecutor(len(self.processes)) as threads:
            parts = threads.map(lambda process: self._read(process, on_game), self.processes)
            return sum(parts, Counter[str]())

    def _read(self, process: subprocess.Popen[str], on_game: Callable[[int], None]) -> Counter[str]:
        assert process.stdout is not None
        assert process.stderr is not None
        called = Counter[str]()
        for line in process.stdout:
            called.update(json.loads(line))
            on_game(1)
        errors = process.stderr.read()
        if process.wait():
            raise RuntimeError(f"the sample of rule functions ended early:\n{errors}")
        return called

    def stop(self) -> None:
        """Terminate the processes."""
        for process in self.processes:
            process.kill()
            process.wait()


# ---- in the processes --------------------------------------------------------------------------
def play_sample(
    pack_name: str, games: int, seed: int, sample: Sequence[Game]
) -> Iterator[Counter[str]]:
    """Play the games -> calls of each rule function, game by game."""
    from ..content.load import load_pack
    from ..core.policies import Policy
    from .counting import play_games
    from .tables import draw_tables

    pack = load_pack(pack_name)
    known = {(x.file, x.name): str(x) for x in rule_functions()}
    tables = draw_tables(pack, games, seed)
    for game in sample:
        compiled = tables[game.table].compile(pack)
        called: Counter[CodeType] = Counter()
        sys.settrace(functools.partial(_note, called))
        try:
            play_games(compiled, range(game.seed, game.seed + 1), Policy(game.policy))
        finally:
            sys.settrace(None)
        places = ((place_of(code), n) for code, n in called.items())
        yield Counter({known[place]: n for place, n in places if place in known})


def _note(called: Counter[CodeType], frame: FrameType, event: str, _: object) -> None:
    """Count a call; for `sys.settrace`. Returning None stops tracing within the call."""
    if event == "call":
        called[frame.f_code] += 1


def place_of(code: CodeType) -> tuple[str, str]:
    """File below the core and name of a function."""
    path = Path(code.co_filename)
    file = path.relative_to(CORE).as_posix() if path.is_relative_to(CORE) else ""
    return file, code.co_qualname


if __name__ == "__main__":
    pack_, games_, seed_, sample_ = sys.argv[1:]
    chosen = [Game(*numbers) for numbers in json.loads(sample_)]
    for counted in play_sample(pack_, int(games_), int(seed_), chosen):
        print(json.dumps(counted), flush=True)
