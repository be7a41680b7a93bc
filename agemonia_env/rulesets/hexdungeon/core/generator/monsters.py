"""Which monsters a scenario has, and where they wait."""

import numpy as np

from agemonia_env.core.jit import kernel

from ..layout import N_HEROES, N_KINDS, N_MONSTERS, N_ROWS, N_TEMPLATES
from .chance import below, between
from .goal import free_cell
from .rooms import farthest
from .shapes import Cell, Draws, Knob, Rank

MOST_MISSES = 8
STRENGTH = np.array(
    [  # of all monsters together, by terms.Goal and number of characters; greedy play wins 60 %
        [81, 170, 262, 352],
        [131, 268, 480, 900],
        [87, 192, 304, 405],
        [86, 181, 274, 350],
    ],
    np.int64,
)


@kernel
def draw_monsters(work, library, knobs):
    """Draw and place monsters of a few kinds -> whether the pack has any that fit.

    Every number of characters has a strength of its own to spend on the same list of monsters.
    """
    plan = work.plan
    n = draw_kinds(work, library, knobs)
    if n == 0:
        return False
    for k in range(N_HEROES):
        work.left[k] = STRENGTH[plan.goal, k] * knobs[Knob.STRENGTH] // 100
    plan.n_monsters, misses = 0, 0
    while plan.n_monsters < N_MONSTERS and misses < MOST_MISSES:
        monster = work.choice[below(work, Draws.MONSTERS, n)]
        is_elite = below(work, Draws.MONSTERS, 100) < knobs[Knob.ELITES]
        cell = free_cell(work, Draws.MONSTERS)
        if plan.n_monsters == 0:  # there has to be one
            cell = farthest(work)
        if cell < 0 or not choose_ranks(work, library.monster[monster], is_elite):
            misses += 1
            continue
        plan.cell[cell] = Cell.MONSTER
        plan.monster[plan.n_monsters], plan.at[plan.n_monsters] = monster, cell
        plan.n_monsters += 1
    if knobs[Knob.ELITES] > 0:
        promote(work, library)
    return True


@kernel
def draw_kinds(work, library, knobs):
    """Write different monsters into work.choice, as many as fit beside the party -> how many."""
    order = work.queue
    for k in range(library.n_monsters):
        order[k] = k
    wanted = min(between(work, Draws.MONSTERS, knobs, Knob.KINDS), int(library.n_monsters))
    rows, templates = int(library.n_rows), int(library.n_templates)
    for k in range(wanted):
        at = k + below(work, Draws.MONSTERS, library.n_monsters - k)
        order[k], order[at] = order[at], order[k]
        part = library.monster[order[k]]
        rows += part.n_rows
        templates += part.n_templates
        kinds = k + 1 + library.n_summons
        if rows > N_ROWS or templates > N_TEMPLATES or kinds > N_KINDS:
            return k
        work.choice[k] = order[k]
    return wanted


@kernel
def choose_ranks(work, part, is_elite):
    """Choose the rank of the next monster by number of characters -> whether it comes for any.

    It does not come where too little strength is left; the first one always comes.
    """
    plan, comes = work.plan, False
    k = int(plan.n_monsters)
    for n in range(N_HEROES):
        rank = Rank.ELITE.value if is_elite else Rank.NORMAL.value
        if part.cost[rank - 1] > work.left[n]:
            rank = Rank.NORMAL.value
        if part.cost[rank - 1] > work.left[n] and k > 0:
            rank = Rank.NONE.value
        plan.rank[k, n] = rank
        if rank > 0:
            work.left[n] -= part.cost[rank - 1]
            comes = True
    return comes


@kernel
def promote(work, library):
    """Make monsters elite while strength is left, where there was no space for more of them."""
    plan = work.plan
    for k in range(plan.n_monsters):
        cost = library.monster[plan.monster[k]].cost
        more = cost[1] - cost[0]
        for n in range(N_HEROES):
            if plan.rank[k, n] == Rank.NORMAL and more <= work.left[n]:
                plan.rank[k, n] = Rank.ELITE
                work.left[n] -= more
