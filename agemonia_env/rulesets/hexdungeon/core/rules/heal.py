"""G8.14 to G8.17 - heals."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from ..terms import Effect, Event
from . import condition
from .distance import is_within
from .figures import enemies_of, has, is_present, touch
from .sight import sees


@kernel
def heal(s, to, amount):
    """G8.14 to G8.16 - a figure regains hit points; or only loses poison, and wound with it."""
    if not is_present(s, to):
        return
    poisoned = has(s, to, Effect.POISON)
    condition.lose(s, to, Effect.POISON)
    condition.lose(s, to, Effect.WOUND)
    if poisoned:
        return
    figure = s.figure[to]
    regained = min(amount, figure.max_hp - figure.hp)
    figure.hp += regained
    touch(s, to)
    log(s, Event.HEAL, to, regained, -1)


@kernel
def is_near(s, a, b, reach):
    """G3.5 to G3.8 - whether figure b is within a range of figure a and seen, or itself."""
    if a == b:
        return True
    near = is_within(s.board, s.figure[a].at, s.figure[b].at, reach)
    return near and sees(s.board, s.figure[a].at, s.figure[b].at)


@kernel
def most_hurt(s, f, reach):
    """G8.17 - bits of those whom a monster's heal may go to: most hit points lost, itself too."""
    most, bits = 0, 0
    left = int(s.present) & ~enemies_of(s, f)
    while left != 0:
        other = lowest(left)
        left &= left - 1
        if not is_near(s, f, other, reach):
            continue
        lost = s.figure[other].max_hp - s.figure[other].hp
        if lost > most:
            most, bits = lost, 0
        if lost == most:
            bits |= 1 << other
    return bits
