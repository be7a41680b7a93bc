"""Where the characters start, and what wins."""

from agemonia_env.core.jit import kernel

from ..layout import N_HEROES
from ..terms import Goal
from .chance import below, between
from .rooms import cell_at, draw_cell, farthest, spread, walk
from .shapes import N_GOALS, Cell, Draws, Knob

EXITS = 5  # one more than characters, so that a monster in the way does not lose the game
SURVIVED = 6, 9  # rounds, at least and at most
LEAST_TOKENS = 3  # to win by loot
HEXES_PER_TOKEN = 8  # at least, so that there is space for monsters
ASIDE = 2  # steps that everything keeps from the start
MOST_TRIES = 4  # to find a free cell in a room


@kernel
def draw_goal(work, knobs):
    """Start, goal, and what of it lies on the map."""
    plan = work.plan
    left, goal = below(work, Draws.GOAL, knobs[Knob.GOALS : Knob.GOALS + N_GOALS].sum()), 0
    while left >= knobs[Knob.GOALS + goal]:
        left -= knobs[Knob.GOALS + goal]
        goal += 1
    plan.goal, plan.goal_amount = goal, 0
    if goal == Goal.SURVIVE:
        open_doors(plan)
        plan.goal_amount = SURVIVED[0] + below(work, Draws.GOAL, SURVIVED[1] - SURVIVED[0] + 1)
    room, corner = plan.room[0], below(work, Draws.GOAL, 4)
    column = int(room.column) + (int(room.width) - 1) * (corner & 1)
    row = int(room.row) + (int(room.height) - 1) * (corner >> 1)
    spread(work, cell_at(column, row), N_HEROES, Cell.START.value)
    walk(work)
    if goal == Goal.REACH:
        spread(work, farthest(work), EXITS, Cell.EXIT.value)
    tokens = min(between(work, Draws.GOAL, knobs, Knob.LOOT), space(plan) // HEXES_PER_TOKEN)
    if goal == Goal.LOOT:
        laid = lay_tokens(work, max(LEAST_TOKENS, tokens))
        plan.goal_amount = (3 * laid + 3) // 4
    else:
        lay_tokens(work, tokens)


@kernel
def open_doors(plan):
    """Leave passages where doors were, so that nobody is safe behind a closed one."""
    for k in range(plan.n_doors):
        plan.cell[plan.door[k]] = Cell.FLOOR
    plan.n_doors = 0


@kernel
def space(plan):
    """Hexes of all rooms."""
    hexes = 0
    for k in range(plan.n_rooms):
        hexes += plan.room[k].width * plan.room[k].height
    return hexes


@kernel
def lay_tokens(work, tokens):
    """Lay loot, the first token far away -> how many there is space for."""
    laid = 0
    for k in range(tokens):
        cell = farthest(work) if k == 0 else free_cell(work, Draws.GOAL)
        if cell >= 0:
            work.plan.cell[cell] = Cell.LOOT
            laid += 1
    return laid


@kernel
def free_cell(work, stream):
    """A free cell of any room, not beside the start; -1 = none was found."""
    plan = work.plan
    room = plan.room[below(work, stream, plan.n_rooms)]
    for _ in range(MOST_TRIES):
        cell = draw_cell(work, stream, room)
        if plan.cell[cell] == Cell.FLOOR and work.away[cell] >= ASIDE:
            return cell
    return -1
