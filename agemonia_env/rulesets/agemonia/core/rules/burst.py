"""R2.13, R10.40: damage that names no attack, to one Ally after another (`s.burst`).

Each is hit in a task of its own: a hit may ask which locked chips flip (R14.7).
"""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import push

from ..layout import N_ALLIES
from ..terms import Proc
from . import condition, placing, stamina


@kernel
def reached(s, c, area, reach):
    """Bits of the standing Allies within range of an area."""
    bits = 0
    for a in range(N_ALLIES):
        if placing.ally_stands(s, a) and 0 <= c.range[area, s.ally[a].area] <= reach:
            bits |= 1 << a
    return bits


@kernel
def begin(s, k, allies):
    """R2.13 - the Allies, as bits, suffer the amount of effect row k, then gain its condition."""
    s.burst = allies
    s.burst_row = k
    if allies != 0:
        push(s, Proc.BURST)


@kernel
def run_hit(s, c):
    """R2.13 - damage as printed, no reactive check."""
    push(s, Proc.BURST_CONDITION)
    stamina.damage(s, c, lowest(int(s.burst)), c.effect[s.burst_row].amount)


@kernel
def run_condition(s, c):
    """The condition for the Ally just hit, if it still stands; then the next one."""
    a = lowest(int(s.burst))
    gained = c.effect[s.burst_row].a
    if gained >= 0:
        condition.gain_ally(s, c, a, gained)
    s.burst &= ~(1 << a)
    if s.burst != 0:
        push(s, Proc.BURST)
