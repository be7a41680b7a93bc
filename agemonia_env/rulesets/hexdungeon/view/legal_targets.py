"""Legal targets: hexes and figures that the current question offers, and the attack's reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.masks import legal_actions

from ..content.compile import Compiled
from ..core import api
from ..core.actions import STARTS, Block
from ..core.hexset import MAX_HEXES
from ..core.layout import BOARD, N_FIGURES
from ..core.terms import Decision
from .hexes import next_hex, red_hexes

MOVERS = {  # whose hex a direction is counted from
    Decision.STEP: ("move", "by"),
    Decision.FORCE: ("force", "target"),
}
THINGS = {Block.HEX: "hex", Block.FIGURE: "figure", Block.ORIENTATION: "orientation"}
ATTACKS = frozenset({Decision.TARGET, Decision.AIM, Decision.ORIENTATION, Decision.CELL})


@dataclass(frozen=True)
class Offer:
    """The targets that answers may name: hexes by number, figures by slot."""

    actions: tuple[int, ...] = ()
    hexes: frozenset[int] = frozenset()  # to go to, or to place something on
    figures: frozenset[int] = frozenset()
    red: frozenset[int] = frozenset()  # where the template may lie, or whom it covers
    near: frozenset[int] = frozenset()  # within the range of the attack
    orientations: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()


def offer_of(state: np.void, compiled: Compiled) -> Offer:
    """The legal targets in a position; none once the scenario has ended."""
    decision = Decision(int(state["decision"]))
    if state["ending"] or decision == Decision.NONE:
        return Offer()
    actions, named = legal_actions(api, state, compiled.content)
    return Offer(
        actions=actions,
        hexes=frozenset([*named[Block.HEX], *_beside(state, decision, named[Block.DIRECTION])]),
        figures=frozenset(named[Block.FIGURE]),
        red=frozenset(_red(state, compiled, decision, named)),
        near=frozenset(_near(state)) if decision in ATTACKS else frozenset(),
        orientations=named[Block.ORIENTATION],
        cells=named[Block.CELL],
    )


def _beside(state: np.void, decision: Decision, directions: tuple[int, ...]) -> list[int]:
    """The hexes in some directions from the figure that moves, is moved, or summons."""
    record, key = MOVERS.get(decision, ("", "actor"))
    f = int(state[record][key] if record else state[key])
    at = int(state["figure"][f]["at"]) if 0 <= f < N_FIGURES else -1
    there = [next_hex(state["board"], at, direction) for direction in directions if at >= 0]
    return [h for h in there if h >= 0]


def _red(
    state: np.void, compiled: Compiled, decision: Decision, named: dict[Block, tuple[int, ...]]
) -> list[int]:
    """Red hexes of the placements that are left; once it lies, the hexes of those it covers."""
    strike, content = state["strike"], compiled.content[0]
    if decision not in ATTACKS or strike["template"] < 0:
        return []
    if decision == Decision.TARGET and strike["grey"] and strike["orientation"] >= 0:
        return red_hexes(state, content, int(strike["orientation"]), 0)
    if decision == Decision.TARGET:
        covered = int(strike["covered"])
        return [int(state["figure"][f]["at"]) for f in range(N_FIGURES) if covered >> f & 1]
    if decision == Decision.CELL:
        orientation = int(strike["orientation"])
        lying = [red_hexes(state, content, orientation, cell) for cell in named[Block.CELL]]
    elif strike["grey"]:
        number = int(content["template"][int(strike["template"])]["n_orientations"])
        turned = named[Block.ORIENTATION] or tuple(range(number))
        lying = [red_hexes(state, content, orientation, 0) for orientation in turned]
    else:
        lying = []
    return [h for hexes in lying for h in hexes]


def _near(state: np.void) -> list[int]:
    """G3.1, G3.3 - hexes within the range of the attack that goes on."""
    by = int(state["strike"]["by"])
    if by < 0 or state["figure"][by]["at"] < 0 or state["strike"]["grey"]:
        return []
    boards, away = zeros(BOARD), np.zeros(MAX_HEXES, np.int16)
    boards[0] = state["board"]
    api.ranges(boards, 0, int(state["figure"][by]["at"]), away)
    reach = max(1, int(state["strike"]["range"]))
    return np.flatnonzero((away > 0) & (away <= reach)).tolist()


def action_target(state: np.void, compiled: Compiled, action: int) -> str:
    """What an action names on the board, as the picture marks it: "hex:3"; "" = nothing."""
    block = max(b for b in Block if STARTS[b] <= action)
    k = action - STARTS[block]
    if block == Block.DIRECTION:
        beside = _beside(state, Decision(int(state["decision"])), (k,))
        return f"hex:{beside[0]}" if beside else ""
    return f"{THINGS[block]}:{k}" if block in THINGS else ""
