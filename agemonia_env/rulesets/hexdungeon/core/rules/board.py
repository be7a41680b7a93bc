"""The board as numbers: hexes, directions, and what follows from walls (coordinates, G4.7)."""

import numpy as np

from agemonia_env.core.jit import kernel

from .. import hexset
from ..hexset import EMPTY, MAX_HEXES
from ..layout import MAX_LINES
from ..terms import Terrain

# The six directions as steps of q and r, and the corners of a hex, counted anticlockwise; the edge
# in direction d lies between the corners d and d + 1
STEP_Q = (1, 0, -1, -1, 0, 1)
STEP_R = (0, 1, 1, 0, -1, -1)
STEPS = np.array([STEP_Q, STEP_R], np.int64)  # indexing a tuple is a jump
UPWARD = (0, 1, 5)  # directions that lead to a higher number
CORNER_X = (2, 1, -1, -2, -1, 1)
CORNER_Y = (0, 1, 1, 0, -1, -1)


@kernel
def hex_at(board, q, r):
    """The number of the hex at axial (q, r); -1 = not on the board."""
    row = r + (q >> 1)
    if 0 <= q < board.width and 0 <= row < board.height:
        return q * board.stride + r
    return -1


@kernel
def column_of(board, h):
    """The column q of a hex; two columns hold 2 * height + 1 numbers."""
    two = (int(h) * int(board.share)) >> 16
    rest = h - two * (2 * board.stride - 1)
    return 2 * two + int(rest >= board.stride)


@kernel
def remainder(board, h):
    """H % stride without a division: r, and a few strides where that is below 0."""
    left = h - column_of(board, h) * board.stride
    while left < 0:
        left += board.stride
    return left


@kernel
def centre_of(board, h):
    """G4.7 - the centre of a hex -> (x, y)."""
    q = column_of(board, h)
    return 2 + 3 * q, 2 * (h - q * board.stride) + q + 1


@kernel
def neighbour(board, h, direction):
    """The hex next to h in a direction; -1 = not on the board."""
    q = column_of(board, h)
    r = h - q * board.stride
    return hex_at(board, q + STEP_Q[direction], r + STEP_R[direction])


@kernel
def beside(board, h, direction):
    """The hex next to h in a direction in which it is linked to one (BOARD.linked)."""
    return h + STEPS[0, direction] * board.stride + STEPS[1, direction]


@kernel
def is_linked(board, h, direction):
    """G3.1, G12.10 - whether a hex has a neighbour in a direction, and no wall line between."""
    return hexset.has(hexset.of(board.linked[direction]), h)


@kernel
def stepped(board, a, direction):
    """Every hex of a set moved one step; the caller keeps them on the board."""
    stride = board.stride
    if direction == 0:
        return hexset.raised(a, stride)
    if direction == 1:
        return hexset.raised(a, 1)
    if direction == 2:
        return hexset.lowered(a, stride - 1)
    if direction == 3:
        return hexset.lowered(a, stride)
    if direction == 4:
        return hexset.lowered(a, 1)
    return hexset.raised(a, stride - 1)


@kernel
def neighbours(board, a):
    """G3.1, G12.10 - hexes one step from a set, walls included, across no wall line."""
    linked = board.linked
    if board.hexes[2] | board.hexes[3] == 0:
        return neighbours_of_few(board, a)
    reached = EMPTY
    for direction in range(6):
        there = hexset.common(a, hexset.of(linked[direction]))
        reached = hexset.union(reached, stepped(board, there, direction))
    return reached


@kernel
def neighbours_of_few(board, a):
    """The same on a board whose hexes are in the first two words of a set: half the work."""
    linked = board.linked
    low, high = np.uint64(0), np.uint64(0)
    for direction in range(6):
        first, second = a[0] & linked[direction, 0], a[1] & linked[direction, 1]
        k = beside(board, 0, direction)
        if direction in UPWARD:
            up, over = np.uint64(k), np.uint64(64 - k)
            low |= first << up
            high |= (second << up) | (first >> over)
        else:
            down, over = np.uint64(-k), np.uint64(64 + k)
            low |= (first >> down) | (second << over)
            high |= second >> down
    return (low, high, np.uint64(0), np.uint64(0))


@kernel
def settle(board):
    """Derive all tables from size, terrain and wall lines; call it when one of them changes."""
    board.stride = board.height + 1
    board.share = (1 << 16) // (2 * int(board.height) + 1) + 1
    place_hexes(board)
    link_hexes(board)
    list_walls(board)
    list_lines(board)


@kernel
def place_hexes(board):
    """The numbers of all hexes of the board."""
    hexes = EMPTY
    for q in range(board.width):
        for row in range(board.height):
            hexes = hexset.union(hexes, hexset.only(hex_at(board, q, row - (q >> 1))))
    hexset.keep(board.hexes, hexes)


@kernel
def link_hexes(board):
    """G3.1, G3.2 - who has a neighbour; a wall line is given from either side of its edge."""
    hexes = hexset.of(board.hexes)
    for direction in range(6):
        lined = hexset.EMPTY
        linked = hexset.EMPTY
        for h in range(MAX_HEXES):
            if not hexset.has(hexes, h):
                continue
            there = neighbour(board, h, direction)
            if hexset.has(hexset.of(board.lined[direction]), h) or (
                there >= 0 and hexset.has(hexset.of(board.lined[(direction + 3) % 6]), there)
            ):
                lined = hexset.union(lined, hexset.only(h))
            elif there >= 0:
                linked = hexset.union(linked, hexset.only(h))
        hexset.keep(board.lined[direction], lined)
        hexset.keep(board.linked[direction], linked)


@kernel
def list_walls(board):
    """G4.2, G12.9 - wall hexes and closed doors, column by column."""
    walls = hexset.union(
        hexset.of(board.terrain[Terrain.WALL]), hexset.of(board.terrain[Terrain.DOOR])
    )
    hexset.keep(board.floor, hexset.without(hexset.of(board.hexes), walls))
    n = 0
    while not hexset.is_empty(walls):
        h = hexset.lowest(walls)
        walls = hexset.without(walls, hexset.only(h))
        board.wall_x[n], board.wall_y[n] = centre_of(board, h)
        n += 1
    board.n_walls = n


@kernel
def list_lines(board):
    """G4.2, H6 - the ends of every wall line, each line once."""
    n = 0
    for direction in range(6):
        lined = hexset.of(board.lined[direction])
        while not hexset.is_empty(lined):
            h = hexset.lowest(lined)
            lined = hexset.without(lined, hexset.only(h))
            shared = neighbour(board, h, direction) >= 0
            if (direction >= 3 and shared) or n == MAX_LINES:
                continue  # the neighbour has it; nobody is let give more lines than there may be
            after = (direction + 1) % 6
            x, y = centre_of(board, h)
            board.line[n, 0] = x + CORNER_X[direction]
            board.line[n, 1] = y + CORNER_Y[direction]
            board.line[n, 2] = x + CORNER_X[after]
            board.line[n, 3] = y + CORNER_Y[after]
            n += 1
    board.n_lines = n
