"""Sections 7.8 and 7.9: teleport and teleport tokens."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES
from ..terms import Denial, Event, Way
from . import entry, placing


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
    if not placing.sees(c, here, to):
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
