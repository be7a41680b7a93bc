"""Hexes of a board for people: where they lie, what they are called, where a template falls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.hexset import N_WORDS
from ..core.layout import N_FIGURES
from ..core.rules.board import STEP_Q, STEP_R
from ..core.terms import Side

Place = tuple[int, int]  # column and row, as the maps of packs count them
Record = Any  # a numpy record, or a field of one

DIRECTIONS = ("upper right", "up", "upper left", "lower left", "down", "lower right")


def members(words: Record) -> list[int]:
    """The hexes of a set, uint64 (4,), by number."""
    bits = sum(int(words[k]) << 64 * k for k in range(N_WORDS))
    return [h for h in range(64 * N_WORDS) if bits >> h & 1]


def place_of(board: Record, h: int) -> Place:
    """Column and row of a hex."""
    two, rest = divmod(h, 2 * int(board["height"]) + 1)  # what two columns hold
    second, row = divmod(rest, int(board["stride"]))
    return 2 * two + second, row


def centre_of(board: Record, h: int) -> tuple[float, float]:
    """The middle of a hex, as the lines of sight of G4.7 count."""
    q, row = place_of(board, h)
    return 2.0 + 3 * q, 1.0 + 2 * row + q % 2


def hex_of(board: Record, place: Place) -> int:
    """The hex at a column and row; -1 = not on the board."""
    q, row = place
    if 0 <= q < board["width"] and 0 <= row < board["height"]:
        return q * int(board["stride"]) + row - q // 2
    return -1


def hex_name(board: Record, h: int) -> str:
    """Column and row, such as "4,3"; "nowhere" for -1."""
    if h < 0 or h >= 64 * N_WORDS:
        return "nowhere"
    return "{},{}".format(*place_of(board, h))


def shifted(board: Record, h: int, q: int, r: int) -> int:
    """The hex so many axial steps on; -1 = not on the board."""
    column, row = place_of(board, h)
    return hex_of(board, (column + q, row - column // 2 + r + (column + q) // 2))


def next_hex(board: Record, h: int, direction: int) -> int:
    """The hex beside a hex; -1 = not on the board."""
    return shifted(board, h, STEP_Q[direction], STEP_R[direction])


def figures_on(state: np.void, hexes: list[int]) -> Iterator[int]:
    """Slots of the figures that stand on some hexes."""
    for f in range(N_FIGURES):
        if state["figure"][f]["side"] != Side.NONE and int(state["figure"][f]["at"]) in hexes:
            yield f


def red_hexes(state: np.void, content: np.void, orientation: int, cell: int) -> list[int]:
    """G5 - where the template of the attack lies if red hex `cell` is on the enemy aimed at.

    A template with a grey hex lies around the attacker, whatever the cell.
    """
    strike, board = state["strike"], state["board"]
    template = content["template"][int(strike["template"])]
    cells = template["orientation"][orientation][: int(template["n_cells"])].tolist()
    at = int(state["figure"][int(strike["by"])]["at"])
    q, r = 0, 0
    if not template["grey"]:
        at = int(state["figure"][int(strike["aimed"])]["at"])
        q, r = cells[cell]
    lying = [shifted(board, at, dq - q, dr - r) for dq, dr in cells]
    return [h for h in lying if h >= 0]
