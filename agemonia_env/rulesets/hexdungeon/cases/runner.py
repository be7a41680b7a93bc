"""Runs the cases of a file and reports where the core differs from them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from agemonia_env.rulesets.case_files import JSON, Document, FileError, Results
from agemonia_env.rulesets.case_runner import run_all

from ..core import api
from ..core.terms import Draw
from ..tools import odds
from .case import RuleCase, is_rule_cases
from .position import Outcome, Solver, boards_of
from .rule_runner import Trial
from .schema import Hex, Modifiers, MonsterTurn, Sight, load


def reads_cases(document: Document) -> bool:
    """Whether a file has cases of this ruleset: JSON, or YAML with its keys."""
    return document.file.endswith(JSON) or is_rule_cases(document.value)


def run_cases(document: Document, problems: list[FileError | str]) -> Results:
    """Run the cases of a file -> the title of each, and where the core differs from it.

    Mistakes in the file are appended to `problems`.
    """
    if document.file.endswith(JSON):
        done, unreadable = run_file(Path(document.file))
        problems += unreadable
        yield from ((f"{name} {document.file}", differences) for name, differences in done)
        return
    yield from run_all(document, problems, RuleCase, Trial)


def run_file(path: Path) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """(id, differences; none = passed) of every case, and the mistakes in the file."""
    cases, problems = load(path)
    done = [
        *turns([case for case in cases if isinstance(case, MonsterTurn)]),
        *sights([case for case in cases if isinstance(case, Sight)]),
        *((case.id, list(modifiers(case))) for case in cases if isinstance(case, Modifiers)),
    ]
    return done, problems


# ---- A: monster turns ---------------------------------------------------------------------------
def turns(cases: list[MonsterTurn]) -> Iterator[tuple[str, list[str]]]:
    """Run monster turns."""
    solver = Solver(cases)
    for i, case in enumerate(cases):
        try:
            yield case.id, list(turn(case, solver.outcomes(i)))
        except ValueError as error:
            yield case.id, [str(error)]


def turn(case: MonsterTurn, found: list[Outcome]) -> Iterator[str]:
    """Differences in the outcomes."""
    if case.expected is None:
        yield "nothing is expected"
        return
    expected = {option.outcome for option in case.expected.options}
    for outcome in sorted(expected - {*found}, key=written):
        yield f"expected, not found: {written(outcome)}"
    for outcome in sorted({*found} - expected, key=written):
        yield f"found, not expected: {written(outcome)}"


def written(outcome: Outcome) -> str:
    """An outcome as a case file writes it."""
    end, attacks = outcome
    return f"end {list(end)}, attacks {[list(place) for place in sorted(attacks)]}"


# ---- B: lines of sight --------------------------------------------------------------------------
def sights(cases: list[Sight]) -> Iterator[tuple[str, list[str]]]:
    """Run lines of sight."""
    boards = boards_of(cases)
    for i, case in enumerate(cases):
        hexes = {case.number(place): place for place in case.hexes()}
        pairs = np.zeros((len(hexes) * len(hexes) // 2, 2), np.int16)
        n_blocked, n_pairs = api.write_blocked(boards, i, pairs)
        found = {frozenset((hexes[a], hexes[b])) for a, b in pairs[:n_blocked].tolist()}
        yield case.id, list(sight(case, found, n_pairs))


def sight(case: Sight, found: set[frozenset[Hex]], n_pairs: int) -> Iterator[str]:
    """Differences in the pairs that do not see each other."""
    if n_pairs != case.pairs:
        yield f"pairs: expected {case.pairs}, found {n_pairs}"
    expected = {frozenset(pair) for pair in case.blocked}
    for name, pairs in (("see", expected - found), ("do not see", found - expected)):
        for a, b in sorted(map(sorted, pairs)):
            yield f"{list(a)} and {list(b)} {name} each other"


# ---- D: modifier distributions ------------------------------------------------------------------
def modifiers(case: Modifiers) -> Iterator[str]:
    """Differences in the distribution, compared exactly."""
    try:
        mode = Draw[case.mode.upper()]
        found = odds.damage_of(odds.Attack(case.value), case.deck, mode)
        expected = {int(value): Fraction(share) for value, share in case.distribution.items()}
        mean = Fraction(case.mean)
    except ValueError as error:
        yield str(error)
        return
    for value in sorted(found.keys() | expected.keys()):
        if found.get(value, 0) != expected.get(value, 0):
            yield f"{value}: expected {expected.get(value, 0)}, found {found.get(value, 0)}"
    if odds.mean(found) != mean:
        yield f"mean: expected {mean}, found {odds.mean(found)}"
