"""G13.1, G13.2 - the order of turns."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import kernel

from ..layout import FIRST_MONSTER, MONSTERS, SUMMONS
from ..terms import Denial, Side

REST = 99  # initiative of a long rest
# What a place in the order is made of, the first counting most: initiative, players before
# monsters, second card or monster type, whose turn it comes with, and the order within that
WITHIN = 1 << 10
SLOTS = 1 << 5
SECONDS = 1 << 7
BEHIND_ALL = 1 << 62


@kernel
def initiative_of(s, f):
    """G13.2 - the initiative at which a figure acts; a summon has that of its owner."""
    figure = s.figure[f]
    if figure.side == Side.SUMMON and figure.owner >= 0:
        return int(s.figure[figure.owner].initiative)
    return int(figure.initiative)


@kernel
def place_of(s, f):
    """G13.1, G13.2, H10 - a number for the place of a figure in the order of turns; lowest first.

    Players with both cards alike act in the order of their characters, and of monster types
    with the same initiative the first is taken here; `is_open` tells.
    """
    figure = s.figure[f]
    monster = figure.side == Side.MONSTER
    if monster:
        second, slot = int(figure.kind) + 1, 0
        within = figure.standee + (0 if figure.elite else WITHIN // 2)
    else:
        slot = int(figure.owner) if figure.side == Side.SUMMON and figure.owner >= 0 else f
        second = int(s.figure[slot].second)
        within = figure.order if figure.side == Side.SUMMON else WITHIN - 1
    place = (initiative_of(s, f) * 2 + monster) * SECONDS + second
    return (place * SLOTS + slot) * WITHIN + within


@kernel
def waiting(s):
    """G13.2 - bits of the figures that still have their turn in this round.

    A summon that has just come has none.
    """
    figures = int(s.present) & ~int(s.acted)
    left = figures & SUMMONS
    while left != 0:
        f = lowest(left)
        left &= left - 1
        if s.figure[f].fresh:
            figures ^= 1 << f
    return figures


@kernel
def first_among(s, figures):
    """G13.1 - the figure of a set that acts first; -1 = there is none."""
    best, least = -1, BEHIND_ALL
    while figures != 0:
        f = lowest(figures)
        figures &= figures - 1
        place = place_of(s, f)
        if place < least:
            best, least = f, place
    return best


@kernel
def next_figure(s):
    """G13.1 - the figure that acts next; -1 = all have acted.

    Of monster types with the same initiative the one that has begun goes on.
    """
    best = first_among(s, waiting(s))
    if best >= FIRST_MONSTER and s.turn >= FIRST_MONSTER:
        f = first_of(s, s.figure[s.turn].kind)
        if f >= 0 and s.figure[f].initiative == s.figure[best].initiative:
            return f
    return best


@kernel
def first_of(s, kind):
    """G13.1 - the monster of a type that acts first; -1 = all have acted."""
    figures = waiting(s) & MONSTERS
    left = figures
    while left != 0:
        f = lowest(left)
        left &= left - 1
        if s.figure[f].kind != kind:
            figures ^= 1 << f
    return first_among(s, figures)


@kernel
def is_open(s, first):
    """G13.1 - whether players choose among monster types, `first` being of one that may act."""
    if first < FIRST_MONSTER:
        return False
    if s.turn >= FIRST_MONSTER and s.figure[s.turn].kind == s.figure[first].kind:
        return False
    left = waiting(s) & MONSTERS & ~(1 << int(first))
    while left != 0:
        f = lowest(left)
        left &= left - 1
        if may_be_next(s, f, first):
            return True
    return False


@kernel
def may_be_next(s, f, first):
    """Whether a monster is the first of its type, with the same initiative as the next figure."""
    alike = s.figure[f].initiative == s.figure[first].initiative
    return alike and first_of(s, s.figure[f].kind) == f


@kernel
def next_type_denial(s, f):
    """G13.1 - why monster f does not act next, its type being chosen -> Denial."""
    first = next_figure(s)
    if f < FIRST_MONSTER or first < FIRST_MONSTER or not may_be_next(s, f, first):
        return Denial.NOT_AMONG_THEM
    return Denial.NONE
