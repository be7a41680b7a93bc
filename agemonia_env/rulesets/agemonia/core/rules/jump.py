"""Section 7.7, and leaps: the jumps and teleports of Allies."""

from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_if

from ..actions import Block
from ..terms import Condition, Decision, Denial, Proc, Way
from . import condition, lock, movement, placing, teleport, wound


@kernel
def reach(s, c, a, n):
    """R7.37, R12.4 [P27] - areas of a jump of n by ally a: Slowed and injuries shorten it."""
    slowed = condition.holds(s.ally[a], Condition.SLOWED)
    return max(0, n - slowed - wound.injury_move(s, c, a))


@kernel
def jump_denial(s, c, a, to, n):
    """R7.30 to R7.37 [Q52] - may ally a jump into area `to` with a jump of n areas?"""
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    if condition.holds(s.ally[a], Condition.HELD):
        return Denial.HELD
    here = s.ally[a].area
    if to >= c.n_areas or not 0 < c.range[here, to] <= reach(s, c, a, n):
        return Denial.OUT_OF_RANGE
    if not placing.sees(c, here, to):
        return Denial.NO_SIGHT
    if c.capacity[to] == 0:
        return Denial.NO_CAPACITY
    if not placing.has_room(s, c, to, c.sheet[a].size):
        return Denial.AREA_FULL
    if c.level[to] > c.level[here] and not lock.flies(s, c, a):
        return Denial.HEIGHT
    return Denial.NONE


@kernel
def leap_denial(s, c, a, to, n, way):
    """R7.30, R7.38 - may ally a jump or teleport to area `to`, up to n areas away?"""
    if way == Way.JUMP:
        return jump_denial(s, c, a, to, n)
    return teleport.ally_teleport_denial(s, c, a, to, n)


@kernel
def is_any(s, c, a, n, way):
    """Whether ally a can jump or teleport anywhere, up to n areas away."""
    for to in range(c.n_areas):
        if leap_denial(s, c, a, to, n, way) == Denial.NONE:
            return True
    return False


@kernel
def offer(s, a, n, way):
    """R7.30, R7.38 - ally a may jump or teleport up to n areas: where to?"""
    s.move.ally = a
    s.move.reach = n
    push(s, Proc.JUMP_TO if way == Way.JUMP else Proc.TELEPORT_TO)


@kernel
def run(s, c, proc):
    """R7.30, R7.38 - the player names the area, or stays."""
    move = s.move
    way = Way.JUMP if proc == Proc.JUMP_TO else Way.TELEPORT
    if answered(s):
        to = take_if(s, Block.AREA)
        if to >= 0:
            begin(s, move.ally, to, way)
    elif is_any(s, c, move.ally, move.reach, way):
        decision = Decision.JUMP if way == Way.JUMP else Decision.TELEPORT
        ask(s, proc, decision, move.ally, -1)


@kernel
def begin(s, a, to, way):
    """R7.33, R7.37, R7.41 [Q53] - the leap: a jump applies Slowed. Needs leap_denial NONE."""
    if way == Way.JUMP:
        condition.discard_ally(s, a, Condition.SLOWED)
    movement.begin_leap(s, a, to, way)
