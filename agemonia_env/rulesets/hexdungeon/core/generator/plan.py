"""Draw the plan of a scenario from a seed."""

from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import seed_streams

from ..layout import N_HEROES, N_TRAPS
from ..terms import Goal
from .goal import draw_goal
from .monsters import draw_monsters
from .rooms import draw_rooms, farthest
from .shapes import Rank
from .terrain import draw_terrain


@kernel
def draw_plan(work, library, seed, knobs):
    """Draw the plan of a seed into work.plan -> whether the pack has monsters that fit.

    It depends on the pack, not on the party and the level, unless the party leaves little room.
    """
    seed_streams(work.counters, seed)
    draw_rooms(work, knobs)
    draw_goal(work, knobs)
    far = int(work.away[farthest(work)])
    if not draw_monsters(work, library, knobs):
        return False
    draw_terrain(work, knobs, N_TRAPS)
    set_last_round(work.plan, far)
    return True


@kernel
def set_last_round(plan, far):
    """How long the game may take; far: steps to the end of the map."""
    coming = 0
    for k in range(plan.n_monsters):
        coming += plan.rank[k, N_HEROES - 1] != Rank.NONE
    if plan.goal == Goal.SURVIVE:
        plan.last_round = plan.goal_amount
    elif plan.goal == Goal.DEFEAT:
        plan.last_round = 10 + far // 2 + coming // 2
    else:
        plan.last_round = 8 + far // 2 + coming // 3
