"""G3 Range and adjacency."""

from agemonia_env.core.jit import kernel

from .. import hexset
from .board import column_of, neighbours


@kernel
def within(board, a, n):
    """G3.1 - floor at range n or less from a set of floor, around walls and wall lines."""
    floor = hexset.of(board.floor)
    reached = a
    for _ in range(n):
        reached = hexset.union(reached, hexset.common(neighbours(board, reached), floor))
    return reached


@kernel
def range_between(board, a, b):
    """G3.1, G3.8 - fewest steps from hex a to hex b, both floor; -1 = there is no way."""
    floor = hexset.of(board.floor)
    reached = hexset.only(a)
    n = 0
    while not hexset.has(reached, b):
        further = hexset.union(reached, hexset.common(neighbours(board, reached), floor))
        if hexset.is_empty(hexset.without(further, reached)):
            return -1
        reached = further
        n += 1
    return n


@kernel
def is_nearer(board, to, a, b):
    """G3.1 - whether hex a is at a smaller range from hex `to` than hex b, all of them floor."""
    floor = hexset.of(board.floor)
    reached = hexset.only(to)
    while not (hexset.has(reached, a) or hexset.has(reached, b)):
        further = hexset.union(reached, hexset.common(neighbours(board, reached), floor))
        if hexset.is_empty(hexset.without(further, reached)):
            return False
        reached = further
    return not hexset.has(reached, b)


@kernel
def open_range(board, a, q, r):
    """Range from hex a to a place in axial coordinates as if the board were open."""
    column = column_of(board, a)
    dq = q - column
    dr = r - (a - column * board.stride)
    return max(abs(dq), abs(dr), abs(dq + dr))


@kernel
def is_within(board, a, b, n):
    """G3.1, G3.8 - whether hex b is at range n or less from hex a, both floor."""
    q = column_of(board, b)
    if open_range(board, a, q, b - q * board.stride) > n:  # walls make no way shorter
        return False
    return hexset.has(within(board, hexset.only(a), n), b)


@kernel
def anchored(board, a, n):
    """G5.5 - floor from which some hex of a set, walls included, is at range n or less; n > 0."""
    floor = hexset.of(board.floor)
    beside = hexset.common(neighbours(board, a), floor)  # range 1, of walls too
    return within(board, hexset.union(hexset.common(a, floor), beside), n - 1)


@kernel
def anchors(board, h, n):
    """G5.4, G5.5 - hexes, walls too, at range n or less from h: they may anchor a template."""
    near = within(board, hexset.only(h), n - 1)
    return hexset.union(near, neighbours(board, near))
