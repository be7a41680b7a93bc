"""What lies on the floor that is left."""

from agemonia_env.core.jit import kernel

from .chance import below
from .rooms import beside, cell_at, is_blocked
from .shapes import Cell, Draws, Knob

N_TERRAIN = Knob.TRAPS - Knob.WALLS + 1  # kinds, by their knobs as by their cells


@kernel
def draw_terrain(work, knobs, most_traps):
    """Walls, obstacles, hazards, difficult terrain and traps; every free hex can be walked to."""
    plan, traps = work.plan, 0
    for column in range(plan.width):
        for row in range(plan.height):
            cell = cell_at(column, row)
            if plan.cell[cell] != Cell.FLOOR:
                continue
            left, kind = below(work, Draws.TERRAIN, 100), 0
            while kind < N_TERRAIN and left >= knobs[Knob.WALLS + kind]:
                left -= knobs[Knob.WALLS + kind]
                kind += 1
            into = Cell.WALL + kind
            if kind == N_TERRAIN or (into == Cell.TRAP and traps == most_traps):
                continue
            if into == Cell.DIFFICULT or not is_beside_door(plan, cell):
                if into > Cell.OBSTACLE or can_block(plan, cell):
                    plan.cell[cell] = into
                    traps += into == Cell.TRAP


@kernel
def is_beside_door(plan, cell):
    """Whether who goes through a door has to step there."""
    for direction in range(6):
        if plan.cell[beside(cell, direction)] == Cell.DOOR:
            return True
    return False


@kernel
def can_block(plan, cell):
    """Whether the neighbours of a cell stay connected without it: they lie side by side."""
    changes = 0
    before = is_blocked(plan, beside(cell, 5))
    for direction in range(6):
        blocked = is_blocked(plan, beside(cell, direction))
        changes += blocked != before
        before = blocked
    return changes <= 2
