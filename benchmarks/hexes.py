"""Measured work of HexDungeon: monster turns and lines of sight, with checked answers.

The positions are those recorded in tests/cases/hexdungeon, whose answers are known; every run
compares its answers with them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agemonia_env.rulesets.hexdungeon.cases.position import Solver, boards_of
from agemonia_env.rulesets.hexdungeon.cases.schema import MonsterTurn, Sight, load
from agemonia_env.rulesets.hexdungeon.core import api

from .play import Play

CASES = Path(__file__).resolve().parents[1] / "tests" / "cases" / "hexdungeon"
PUBLISHED, RANDOM = "monster-turns.json", "monster-turns-random.json.gz"
SIGHTS = "lines-of-sight.json.gz"


def monster_turns(*files: str) -> Play:
    """Every monster turn of the files, each with an outcome that its case allows."""
    loaded = [case for name in files for case in load(CASES / name)[0]]
    cases = [case for case in loaded if isinstance(case, MonsterTurn) and case.expected]
    solver = Solver(cases)
    for i, case in enumerate(cases):
        assert case.expected is not None
        allowed = {option.outcome for option in case.expected.options}
        assert set(solver.outcomes(i)) == allowed, case.id
    ends, attacked = np.zeros(len(cases), np.int16), np.zeros(len(cases), np.int64)
    for i in range(len(cases)):
        api.plan_turn(solver.boards, solver.turns, i, solver.plans)
        picked = solver.plans[0]["outcome"][0]
        ends[i], attacked[i] = picked["end"], picked["attacked"]
    found = np.zeros_like(ends), np.zeros_like(attacked)

    def work(_: None) -> int:
        api.play_turns(solver.boards, solver.turns, solver.plans, *found)
        assert np.array_equal(found[0], ends)
        assert np.array_equal(found[1], attacked)
        return len(cases)

    return Play(work)


def lines_of_sight() -> Play:
    """The line of sight of every pair of hexes of every board."""
    cases = [case for case in load(CASES / SIGHTS)[0] if isinstance(case, Sight)]
    boards = boards_of(cases)
    pairs = np.zeros((max(len(case.blocked) for case in cases), 2), np.int16)

    def work(_: None) -> int:
        n = 0
        for i, case in enumerate(cases):
            n_blocked, n_pairs = api.write_blocked(boards, i, pairs)
            assert (n_blocked, n_pairs) == (len(case.blocked), case.pairs), case.id
            n += n_pairs
        return n

    return Play(work)
