"""Which functions implement which rules, and how often each is called in a game.

Calls in compiled code cannot be counted, so a game is played as plain Python in another process:

    NUMBA_DISABLE_JIT=1 python -m agemonia_env.coverage.functions \
        Agemonia-v0 '{"scenario": "ford"}' 7 greedy

It prints one line of JSON: how often each rule function was called.
"""

from __future__ import annotations

import ast
import cProfile
import functools
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

from agemonia_env.rulesets.coverage import coverage_tools_of
from agemonia_env.rulesets.doors import doors_of

from .games import Arguments, SetupGame, Table

ROOT = Path(__file__).resolve().parents[2]  # of the checkout, or where packages are installed


def functions(nodes: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """(name, node) of the functions and methods of a file."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            yield owner + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{node.name}.")


@functools.cache
def rule_functions(env: str) -> dict[tuple[str, str], str]:
    """The functions of the core whose docstrings name rules: their texts, by file and name."""
    core, rule = doors_of(env).packs.parents[1] / "core", coverage_tools_of(env).rule
    found = {}
    for path in sorted(core.rglob("*.py")):
        for name, node in functions(ast.parse(path.read_text(encoding="utf-8")).body):
            if rules := dict.fromkeys(rule.findall(ast.get_docstring(node) or "")):
                file = path.relative_to(core).as_posix()
                found[str(path), name] = f"{file} {name} ({', '.join(rules)})"
    return found


def count_calls(env: str, arguments: Arguments, game: SetupGame) -> Counter[str]:
    """How often each rule function is called in a game, played as plain Python elsewhere.

    Raises RuntimeError if the process fails.
    """
    given = env, json.dumps(arguments), str(game.seed), game.policy
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    variables = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    command = [sys.executable, "-m", __name__, *given]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the sample of rule functions ended early:\n{done.stderr}")
    return Counter(json.loads(done.stdout))


def play_profiled(env: str, arguments: Arguments, game: SetupGame) -> Counter[str]:
    """Play a game in this process -> calls of each rule function."""
    profile, known = cProfile.Profile(builtins=False), rule_functions(env)
    profile.runcall(Table(env, arguments).play, game)
    called = Counter[str]()
    for row in profile.getstats():
        if isinstance(row.code, CodeType):
            place = row.code.co_filename, row.code.co_qualname
            called.update({known[place]: row.callcount} if place in known else {})
    return called


if __name__ == "__main__":
    env_, arguments_, seed_, policy_ = sys.argv[1:]
    game_ = SetupGame(0, int(seed_), policy_)
    print(json.dumps(play_profiled(env_, json.loads(arguments_), game_)))
