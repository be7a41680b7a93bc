"""Which functions implement which rules, and how often each is called in a sample of games.

Calls in compiled code cannot be counted, so the sample is played as plain Python in separate
processes:

    NUMBA_DISABLE_JIT=1 python -m agemonia_env.coverage.functions \
        Agemonia-v0 PACK GAMES SEED '[[0, 7, "greedy"]]'

The last argument lists the games: setup, seed, policy. One line of JSON per game: how often each
rule function was called.
"""

from __future__ import annotations

import ast
import functools
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from pathlib import Path
from types import CodeType, FrameType

from agemonia_env.rulesets.coverage import coverage_tools_of
from agemonia_env.rulesets.doors import doors_of
from agemonia_env.rulesets.ruleset import ruleset_of

from .games import Game

ROOT = Path(__file__).resolve().parents[2]  # of the checkout, or where packages are installed


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


def core_of(env: str) -> Path:
    """The folder with the rules of a ruleset."""
    return doors_of(env).packs.parents[1] / "core"


@functools.cache
def rule_functions(env: str) -> tuple[Function, ...]:
    """The functions of the core that implement a rule, file by file."""
    core, rule = core_of(env), coverage_tools_of(env).rule
    found = []
    for path in sorted(core.rglob("*.py")):
        file = path.relative_to(core).as_posix()
        for name, node in functions(ast.parse(path.read_text(encoding="utf-8")).body):
            rules = dict.fromkeys(rule.findall(ast.get_docstring(node) or ""))
            if rules:
                found.append(Function(file, name, tuple(rules)))
    return tuple(found)


class Sample:
    """Plays games as plain Python in other processes, as many at a time as there are cores."""

    def __init__(self, env: str, pack: str, games: int, seed: int, sample: Sequence[Game]) -> None:
        """Start the processes; `games` and `seed` name the setups, `sample` the games."""
        cores = os.cpu_count() or 1
        shares = [sample[k::cores] for k in range(min(cores, len(sample)))]
        given = env, pack, str(games), str(seed)
        self.processes = [self._start(*given, json.dumps([*map(astuple, s)])) for s in shares]

    def _start(self, *arguments: str) -> subprocess.Popen[str]:
        paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        return subprocess.Popen(
            [sys.executable, "-m", __name__, *arguments],
            env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths},
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
    env: str, pack_name: str, games: int, seed: int, sample: Sequence[Game]
) -> Iterator[Counter[str]]:
    """Play the games -> calls of each rule function, game by game."""
    tools, pack, core = coverage_tools_of(env), ruleset_of(env).load_pack(pack_name), core_of(env)
    known = {(x.file, x.name): str(x) for x in rule_functions(env)}
    setups = tools.setups(pack, games, seed)
    for game in sample:
        setup = setups[game.setup]
        compiled = setup.compile(pack)
        called: Counter[CodeType] = Counter()
        sys.settrace(functools.partial(_note, called))
        try:
            tools.count(setup, compiled, range(game.seed, game.seed + 1), game.policy)
        finally:
            sys.settrace(None)
        places = ((place_of(code, core), n) for code, n in called.items())
        yield Counter({known[place]: n for place, n in places if place in known})


def _note(called: Counter[CodeType], frame: FrameType, event: str, _: object) -> None:
    """Count a call; for `sys.settrace`. Returning None stops tracing within the call."""
    if event == "call":
        called[frame.f_code] += 1


def place_of(code: CodeType, core: Path) -> tuple[str, str]:
    """File below the core and name of a function."""
    path = Path(code.co_filename)
    file = path.relative_to(core).as_posix() if path.is_relative_to(core) else ""
    return file, code.co_qualname


if __name__ == "__main__":
    env_, pack_, games_, seed_, sample_ = sys.argv[1:]
    chosen = [Game(*game) for game in json.loads(sample_)]
    for counted in play_sample(env_, pack_, int(games_), int(seed_), chosen):
        print(json.dumps(counted), flush=True)
