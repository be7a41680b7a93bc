"""Solve monster turns: `python -m agemonia_env.rulesets.hexdungeon.tools.solve FILE ...`

Each FILE holds positions in the case format (docs/hexdungeon-cases.md, kind A; `expected` may be
absent). All allowed outcomes of every position are printed as JSON, or written with --out; the
first outcome of a position is the one that the core picks. Status 2 if a position is malformed;
the others are still solved. If no position can be solved, no file is written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agemonia_env.files.writing import check_out_file, write_whole

from ..cases.position import Solver
from ..cases.schema import MonsterTurn, load

AT_ONCE = 1000  # positions laid out side by side, 6 KB each


def solve(paths: Sequence[Path]) -> tuple[list[dict[str, Any]], list[str]]:
    """Answers to all valid positions of the files, and the mistakes in the others."""
    positions: list[MonsterTurn] = []
    problems: list[str] = []
    for path in paths:
        cases, wrong = load(path)
        problems += wrong
        turns = [case for case in cases if isinstance(case, MonsterTurn)]
        if len(turns) < len(cases):
            problems.append(f"{path}: holds no monster turns")
        positions += turns
    answers: list[dict[str, Any]] = []
    for start in range(0, len(positions), AT_ONCE):
        solver = Solver(positions[start : start + AT_ONCE])
        for i, position in enumerate(solver.cases):
            try:
                found = solver.outcomes(i)
            except ValueError as error:
                problems.append(f"{position.id}: {error}")
                continue
            options = [{"end": end, "attacks": sorted(attacks)} for end, attacks in found]
            answers.append({"id": position.id, "options": options})
    return answers, problems


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool (see the module docstring) -> exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m agemonia_env.rulesets.hexdungeon.tools.solve",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help="JSON, or JSON in .gz")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write here instead of printing")
    options = parser.parse_args(arguments)
    try:
        return run(options.files, options.out)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2


def run(paths: Sequence[Path], out: Path | None) -> int:
    """Print the answers, or write them to the file `out` -> exit status."""
    if out is not None:
        check_out_file(out, ".json")
    answers, problems = solve(paths)
    lines = ",\n".join(json.dumps(answer) for answer in answers)
    text = f'{{"format": "hex-monster-turns/1", "answers": [\n{lines}\n]}}\n'
    if out is None:
        sys.stdout.write(text)
    elif answers or not problems:
        write_whole(out, text)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 2 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
