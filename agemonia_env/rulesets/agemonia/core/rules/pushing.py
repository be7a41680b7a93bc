"""Section 7.10: pull and push, figure by figure, area by area (`s.push`).

A figure is its ally slot, or N_ALLIES + its enemy slot.
"""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, push, take_answer

from ..layout import N_ALLIES, N_ENEMIES
from ..terms import Border, Decision, Denial, Event, Proc, Way
from . import enemy_pool, entry, lock, movement, placing


@kernel
def begin(s, source, asked, distance, pulls, rides):
    """R7.49, R7.51 [Q62] - a push or pull from an area; figures are named next, then it starts.

    `asked`: whose player chooses among areas, -1 = the players; `rides`: it is part of an attack.
    """
    going = s.push
    going.source = source
    going.asked = asked
    going.distance = distance
    going.pulls = pulls
    going.rides = rides
    going.figure = -1
    going.n = 0
    going.done = 0
    for figure in range(N_ALLIES + N_ENEMIES):
        going.moved[figure] = 0
    push(s, Proc.PUSH_NEXT)


@kernel
def name(s, figure):
    """One more figure to be moved."""
    s.push.named[s.push.n] = figure
    s.push.n += 1


@kernel
def area_of(s, figure):
    """Where a figure stands; -1 = off the map or out of action."""
    if figure < N_ALLIES:
        return int(s.ally[figure].area) if placing.ally_stands(s, figure) else -1
    return int(s.enemy[figure - N_ALLIES].area)


@kernel
def size_of(s, c, figure):
    """Capacity that a figure on the map uses (R7.3)."""
    if figure < N_ALLIES:
        return int(c.sheet[figure].size)
    return int(c.type[s.enemy[figure - N_ALLIES].type].size)


@kernel
def reach_denial(s, c, source, figure, n):
    """R7.50 - is the figure within n areas of the source? Whoever is off the map is spared."""
    here = area_of(s, figure)
    if here < 0 or n < 0 or 0 <= c.range[source, here] <= n:
        return Denial.NONE
    return Denial.OUT_OF_RANGE


@kernel
def run_next(s, c):
    """R7.57, R7.55 - the furthest figure first in a push, the closest in a pull; the order of
    naming among equals. Large and huge figures stand fast.
    """
    going = s.push
    best, distance = -1, 0
    for k in range(going.n):
        figure = int(going.named[k])
        here = area_of(s, figure)
        if (going.done >> figure) & 1 or here < 0 or size_of(s, c, figure) > 1:
            continue
        n = c.range[here, going.source]
        if best < 0 or (n < distance if going.pulls else n > distance):
            best, distance = figure, n
    going.figure = best
    if best >= 0:
        going.done |= 1 << best
        going.left = going.distance
        areas = -going.distance if going.pulls else going.distance
        log(s, Event.PUSH, best, areas, going.source)
        push(s, Proc.PUSH_NEXT)
        push(s, Proc.PUSH_END)
        push(s, Proc.PUSH_STEP)


@kernel
def steps_from(s, c, x):
    """R7.49, R7.51, R7.52, R7.54, R7.60 - bits of where one area of the push or pull going on
    leads from x.
    """
    here = c.range[x, s.push.source]
    bits = 0
    areas = movement.ways(c, x, False) if here >= 0 else 0
    while areas != 0:
        y = lowest(areas)
        areas &= areas - 1
        there = c.range[y, s.push.source]
        if placing.has_room(s, c, y, 1) and (there < here if s.push.pulls else there > here):
            bits |= 1 << y
    return bits


@kernel
def step_options(s, c, here, left):
    """R7.54, R7.56 [Q61, P20] - bits of the areas that the figure may be moved into next.

    If it can go the whole distance, only those from which it still can. A pull that ends at its
    source falls short of it [P50].
    """
    goes_on = (1 << int(c.n_areas)) - 1  # areas from which so many more steps are possible
    for _ in range(left - 1):
        further = 0
        for x in range(c.n_areas):
            if steps_from(s, c, x) & goes_on != 0:
                further |= 1 << x
        goes_on = further
    options = steps_from(s, c, here)
    return options & goes_on if options & goes_on != 0 else options


@kernel
def run_step(s, c):
    """R7.54, R7.56 - one area further; the player chooses among several."""
    going = s.push
    here = area_of(s, going.figure)
    if here < 0 or going.left <= 0:
        return
    if answered(s):
        to = take_answer(s)
    else:
        options = step_options(s, c, here, int(going.left))
        to = enemy_pool.pick(
            s, Proc.PUSH_STEP, Decision.PUSH_TO, going.asked, going.figure, options
        )
        if to < 0:
            return
    going.left -= 1
    going.moved[going.figure] += 1
    push(s, Proc.PUSH_STEP)
    if going.figure < N_ALLIES:
        place_ally(s, c, int(going.figure), here, to)
    else:
        place_enemy(s, c, int(going.figure) - N_ALLIES, here, to)


@kernel
def place_ally(s, c, a, here, to):
    """R7.52, R7.53, R7.58 [Q54] - no Provoke: place, fall, story point, trap."""
    log(s, Event.STEP, a, Way.PULLED if s.push.pulls else Way.PUSHED, to)
    placing.lift_ally(s, c, a)
    placing.put_ally(s, c, a, to)
    entry.begin_ally(s, c, a)
    if c.border[here, to] == Border.DOUBLE_DOWN and not lock.flies(s, c, a):
        movement.begin_fall(s, c, a)


@kernel
def place_enemy(s, c, e, here, to):
    """R7.52, R7.53 [Q54] - place, fall, story point, trap."""
    log(s, Event.STEP, N_ALLIES + e, Way.PULLED if s.push.pulls else Way.PUSHED, to)
    placing.lift_enemy(s, c, e)
    placing.put_enemy(s, c, e, to)
    entry.begin_enemy(s, e)
    if c.border[here, to] == Border.DOUBLE_DOWN:
        movement.fall_enemy(s, c, e)


@kernel
def run_end(s, c):
    """R10.40 [Q47] - who fell to its end is defeated; in an attack its end sees to that."""
    going = s.push
    figure = int(going.figure)
    going.figure = -1
    if not going.rides and figure >= N_ALLIES:
        enemy_pool.resolve_defeat(s, c, figure - N_ALLIES)
