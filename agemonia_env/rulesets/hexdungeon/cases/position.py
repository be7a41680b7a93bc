"""Cases as records of the core, and outcomes of the core as hexes of the case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agemonia_env.core.jit import zeros

from ..content.board import fill
from ..core import api
from ..core.layout import ALL_TARGETS, BOARD, PLAN, TURN
from ..core.terms import Mode, Terrain
from .schema import Area, Attack, Board, Grid, Hex, MonsterTurn

Records = np.ndarray[Any, np.dtype[Any]]
Outcome = tuple[Hex, frozenset[Hex]]


def boards_of(cases: Sequence[Board]) -> Records:
    """A board for every case, dtype layout.BOARD."""
    boards = zeros(BOARD, len(cases))
    for board, case in zip(boards, cases, strict=True):
        fill_board(board, case, case.terrain)
    api.settle(boards)
    return boards


def fill_board(board: Any, grid: Grid, terrain: Mapping[Any, Iterable[Hex]]) -> None:
    """Write what is given of a board into a record, dtype layout.BOARD."""
    board["width"], board["height"] = grid.width, grid.height
    for kind, hexes in terrain.items():
        fill(board["terrain"][Terrain[kind.upper()]], map(grid.number, hexes))
    for place, direction in grid.thin_walls:
        fill(board["lined"][direction], [grid.number(place)])


def turns_of(cases: Sequence[MonsterTurn]) -> Records:
    """A monster turn for every case, dtype layout.TURN."""
    turns = zeros(TURN, len(cases))
    for turn, case in zip(turns, cases, strict=True):
        turn["actor"] = case.number(case.actor)
        turn["move"] = case.action.move
        turn["mode"] = Mode[case.action.mode.upper()]
        turn["muddled"] = case.action.muddled
        turn["n_enemies"] = len(case.enemies)
        for foe, enemy in zip(turn["enemy"], case.enemies, strict=False):
            foe["at"], foe["initiative"] = case.number(enemy.at), enemy.initiative
        fill(turn["allies"], map(case.number, case.allies))
        if case.action.attack is not None:
            turn["attacks"] = True
            fill_attack(turn["attack"], case.action.attack)
    api.settle_templates(turns)
    return turns


def fill_attack(record: Any, attack: Attack) -> None:
    """Write an attack into a record, dtype layout.ATTACK."""
    record["range"] = attack.range
    record["targets"] = ALL_TARGETS if attack.targets == "all" else attack.targets or 0
    record["extra_targets"] = attack.extra_targets or 0
    if attack.area is not None:
        fill_template(record, attack.area)


def fill_template(record: Any, area: Area) -> None:
    """Write a template into a record, dtype layout.ATTACK."""
    record["grey"] = area.origin == "self"
    record["n_cells"] = len(area.hexes)
    record["cell"][: len(area.hexes)] = area.hexes


class Solver:
    """Monster turns worked out by the core."""

    def __init__(self, cases: Sequence[MonsterTurn]) -> None:
        self.cases = cases
        self.boards, self.turns = boards_of(cases), turns_of(cases)
        self.plans = zeros(PLAN)

    def outcomes(self, i: int) -> list[Outcome]:
        """All allowed outcomes of case i; the first is the one that the core picks.

        Raises ValueError if there are more than the core can list.
        """
        case, plan = self.cases[i], self.plans[0]
        api.plan_turn(self.boards, self.turns, i, self.plans)
        if plan["overflow"]:
            raise ValueError("more ties, or placements of the template, than the core can list")
        hexes = {case.number(place): place for place in case.hexes()}
        found = plan["outcome"][: int(plan["n_outcomes"])]
        return [
            (
                hexes[int(outcome["end"])],
                frozenset(
                    enemy.at
                    for e, enemy in enumerate(case.enemies)
                    if int(outcome["attacked"]) >> e & 1
                ),
            )
            for outcome in found
        ]
