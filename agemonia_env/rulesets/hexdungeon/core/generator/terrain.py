"""Walls, obstacles and other terrain on the hexes that are still free."""

from agemonia_env.core.jit import kernel

from ..layout import N_TRAPS
from .chance import below
from .rooms import beside, cell_at, is_blocked
from .shapes import Cell, Draws, Knob

N_TERRAIN = Knob.TRAPS - Knob.WALLS + 1  # kinds, by their knobs as by their cells


@kernel
def draw_terrain(work, knobs):
    """Draw walls, obstacles, hazards, difficult terrain and traps.

    Every hex that is not blocked can still be walked to.
    """
    plan, traps = work.plan, 0
    for column in range(plan.width):
        for row in range(plan.height):
            cell = cell_at(column, row)
            if plan.cell[cell] == Cell.FLOOR:
                into = draw_kind(work, knobs)
                if fits(plan, cell, into) and not (into == Cell.TRAP and traps == N_TRAPS):
                    plan.cell[cell] = into
                    traps += into == Cell.TRAP


@kernel
def draw_kind(work, knobs):
    """One of the kinds of terrain, or none -> Cell."""
    left = below(work, Draws.TERRAIN, 100)
    for kind in range(N_TERRAIN):
        if left < knobs[Knob.WALLS + kind]:
            return Cell.WALL + kind
        left -= knobs[Knob.WALLS + kind]
    return Cell.FLOOR.value


@kernel
def fits(plan, cell, into):
    """Whether a free cell can have this terrain; next to a door nothing blocks or hurts."""
    if into == Cell.WALL or into == Cell.OBSTACLE:
        return not is_beside_door(plan, cell) and can_block(plan, cell)
    return into == Cell.FLOOR or into == Cell.DIFFICULT or not is_beside_door(plan, cell)


@kernel
def is_beside_door(plan, cell):
    """Whether a cell is next to a door."""
    for direction in range(6):
        if plan.cell[beside(cell, direction)] == Cell.DOOR:
            return True
    return False


@kernel
def can_block(plan, cell):
    """Whether the open neighbours of a cell stay connected without it, because they touch."""
    changes = 0
    before = is_blocked(plan, beside(cell, 5))
    for direction in range(6):
        blocked = is_blocked(plan, beside(cell, direction))
        changes += blocked != before
        before = blocked
    return changes <= 2
