"""Draw the plan of a scenario from a seed."""

from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import seed_streams

from ..layout import N_HEROES, N_ROOMS
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
    clear(work.plan)
    draw_rooms(work, knobs)
    draw_goal(work, knobs)
    far = int(work.away[farthest(work)])
    if not draw_monsters(work, library, knobs):
        return False
    draw_terrain(work, knobs)
    set_last_round(work.plan, far)
    return True


@kernel
def clear(plan):
    """Forget the last plan, so that equal seeds have equal bytes."""
    plan.door[:] = 0
    plan.monster[:] = 0
    plan.at[:] = 0
    plan.rank[:] = 0
    plan.kind[:] = 0
    for k in range(N_ROOMS):
        room = plan.room[k]
        room.column, room.row, room.width, room.height = 0, 0, 0, 0
        room.parent, room.door_column, room.door_row = 0, 0, 0


@kernel
def set_last_round(plan, far):
    """Set the last round; far: steps to the farthest free hex.

    Greedy play reaches it in one to three games of a hundred: it ends games that stand still.
    """
    coming = 0
    for k in range(plan.n_monsters):
        coming += plan.rank[k, N_HEROES - 1] != Rank.NONE
    if plan.goal == Goal.SURVIVE:
        plan.last_round = plan.goal_amount
    elif plan.goal == Goal.DEFEAT:
        plan.last_round = 10 + far // 2 + coming // 2
    else:
        plan.last_round = 8 + far // 2 + coming // 3
