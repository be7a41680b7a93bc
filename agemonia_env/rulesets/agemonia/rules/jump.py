"""Sections 7.7 to 7.9: jump, teleport and teleport tokens."""

from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, log, push, take_if

from ..actions import Block
from ..layout import N_ALLIES
from ..terms import Condition, Decision, Denial, Event, Proc, Way
from . import condition, entry, lock, movement, placing, wound


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
    if not c.sees[here, to]:
        return Denial.NO_SIGHT
    if c.capacity[to] == 0:
        return Denial.NO_CAPACITY
    if not placing.has_room(s, c, to, c.sheet[a].size):
        return Denial.AREA_FULL
    if c.level[to] > c.level[here] and not lock.flies(s, c, a):
        return Denial.HEIGHT
    return Denial.NONE


@kernel
def teleport_denial(c, here, to, size, n):
    """R7.38 to R7.44 [Q52] - may a figure of `size` teleport from `here` to `to`, n areas away?

    n = -1: any range. A full area is no obstacle (R7.42); height, Held and Slowed do not matter.
    """
    if to == here:
        return Denial.SAME_AREA
    distance = c.range[here, to]
    if distance < 0 or (n >= 0 and distance > n):
        return Denial.OUT_OF_RANGE
    if not c.sees[here, to]:
        return Denial.NO_SIGHT
    return fits_denial(c, to, size)


@kernel
def fits_denial(c, to, size):
    """Q52 - may a figure of `size` teleport into the area at all?"""
    if c.capacity[to] == 0:
        return Denial.NO_CAPACITY
    return Denial.NONE if c.capacity[to] >= size else Denial.TOO_LARGE


@kernel
def teleport_enemy(s, c, e, to):
    """R7.38 [Q53] - enemy e teleports; its arrival is an entry. Needs teleport_denial NONE."""
    log(s, Event.STEP, N_ALLIES + e, Way.TELEPORT, to)
    placing.lift_enemy(s, c, e)
    placing.put_enemy(s, c, e, to)
    entry.begin_enemy(s, e)


@kernel
def ally_teleport_denial(s, c, a, to, n):
    """R7.38 - may ally a teleport to area `to`, n areas away?"""
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    if to >= c.n_areas:
        return Denial.OUT_OF_RANGE
    return teleport_denial(c, s.ally[a].area, to, c.sheet[a].size, n)


@kernel
def leap_denial(s, c, a, to, n, way):
    """R7.30, R7.38 - may ally a jump or teleport to area `to`, up to n areas away?"""
    if way == Way.JUMP:
        return jump_denial(s, c, a, to, n)
    return ally_teleport_denial(s, c, a, to, n)


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


@kernel
def leads_to(s, c, here, to):
    """R7.46, R7.47 [Q64, P21] - does the teleport token at `here` lead to the one at `to`?

    The token used must show its active side; its range counts, sight does not.
    """
    colour = s.token_colour[here]
    if to == here or colour < 0 or not s.token_active[here] or s.token_colour[to] != colour:
        return False
    n = s.token_range[here]
    return n < 0 or 0 <= c.range[here, to] <= n


@kernel
def led_to(s, c, here):
    """R7.46, R7.47 - bits of the areas to which a teleport token at `here` leads."""
    bits = 0
    if s.token_colour[here] >= 0:
        for to in range(c.n_areas):
            if leads_to(s, c, here, to):
                bits |= 1 << to
    return bits


@kernel
def token_denial(s, c, to):
    """R7.46 to R7.48 [Q46] - may the moving Ally go by teleport token to area `to` for 1 point?"""
    move = s.move
    a = move.ally
    if move.points <= 0:
        return Denial.NO_POINTS
    if to >= c.n_areas or not leads_to(s, c, s.ally[a].area, to):
        return Denial.NO_TELEPORT_TOKEN
    size = int(c.sheet[a].size)
    denial = fits_denial(c, to, size)
    if denial != Denial.NONE or placing.has_room(s, c, to, size):
        return denial
    if movement.can_leave(s, c, a, to, move.points - 1, lock.flies(s, c, a)):
        return Denial.NONE
    return Denial.NONE if movement.may_move_again(s, a) else Denial.MUST_LEAVE
