"""G4 Line of sight in integers (G4.7), computed for each pair of hexes on demand.

Two convex shapes are apart exactly if they are apart along the normal of one of their edges. A
hexagon has three such normals, a line has one, and in the coordinates of G4.7 all are small whole
numbers: eight comparisons tell whether a line of sight touches a wall hex.
"""

from agemonia_env.core import bitset
from agemonia_env.core.jit import kernel

from .. import hexset
from ..hexset import EMPTY, N_WORDS, ONE
from .board import CORNER_X, CORNER_Y, centre_of

LEFT, RIGHT = 1, 2
TWICE = 4  # from the middle to a corner of a hexagon of twice the size


@kernel
def touches_hex(ax, ay, bx, by, x, y, times):
    """G4.3 - whether the line from a to b touches the hexagon around (x, y), `times` as large."""
    ax, ay, bx, by = ax - x, ay - y, bx - x, by - y
    if min(ay, by) > times or max(ay, by) < -times:
        return False
    if min(ax + ay, bx + by) > 2 * times or max(ax + ay, bx + by) < -2 * times:
        return False
    if min(ax - ay, bx - by) > 2 * times or max(ax - ay, bx - by) < -2 * times:
        return False
    dx, dy = abs(bx - ax), abs(by - ay)
    return abs(ax * by - ay * bx) <= times * max(2 * dy, dx + dy)


@kernel
def touches_line(ax, ay, bx, by, line):
    """G4.3 - whether the line from a to b touches a wall line."""
    px, py, qx, qy = line[0] - ax, line[1] - ay, line[2] - ax, line[3] - ay
    bx, by = bx - ax, by - ay
    if min(px, qx) > max(0, bx) or max(px, qx) < min(0, bx):
        return False
    if min(py, qy) > max(0, by) or max(py, qy) < min(0, by):
        return False
    p, q = bx * py - by * px, bx * qy - by * qx  # on which side of the line of sight
    if min(p, q) > 0 or max(p, q) < 0:
        return False
    a = px * qy - py * qx  # and on which side of the wall line
    b = a + bx * (py - qy) - by * (px - qx)
    return min(a, b) <= 0 and max(a, b) >= 0


@kernel
def leftmost(dx, dy):
    """The corner of a hexagon that lies farthest to the left of a direction."""
    best, farthest = 0, 2 * -dy
    for i in range(1, 6):
        left = dx * CORNER_Y[i] - dy * CORNER_X[i]
        if left > farthest:
            best, farthest = i, left
    return best


@kernel
def is_clear(board, ax, ay, bx, by, walls, lines):
    """G4.1, G4.3 - whether the line from corner a to corner b touches none of walls and lines."""
    for word in range(N_WORDS):
        left = walls[word]
        while left != 0:
            k = 64 * word + bitset.lowest(left)
            if touches_hex(ax, ay, bx, by, board.wall_x[k], board.wall_y[k], 1):
                return False
            left &= left - ONE
    for word in range(N_WORDS):
        left = lines[word]
        while left != 0:
            k = 64 * word + bitset.lowest(left)
            if touches_line(ax, ay, bx, by, board.line[k]):
                return False
            left &= left - ONE
    return True


@kernel
def sees(board, a, b):
    """G4.1, G4.5, G4.6 - line of sight between hexes a and b, neither a wall.

    What the corners of two hexes enclose has two outer sides, left and right, each a line from
    corner to corner. A wall counts only if it touches what is enclosed, which is so exactly if a
    hexagon of twice the size around it touches the line from middle to middle. A wall on both
    sides parts the two hexes, since it is convex. A side without walls is a line of sight. Only
    where neither settles it the other corners are gone through.
    """
    ax, ay = centre_of(board, a)
    bx, by = centre_of(board, b)
    left = leftmost(bx - ax, by - ay)
    x, y = CORNER_X[left], CORNER_Y[left]
    walls, lines, touched = EMPTY, EMPTY, 0
    west, east = min(ax, bx) - TWICE, max(ax, bx) + TWICE
    for k in range(board.n_walls):
        wx, wy = board.wall_x[k], board.wall_y[k]
        if wx > east:  # they are listed from west to east
            break
        if wx >= west and touches_hex(ax, ay, bx, by, wx, wy, 2):
            sides = LEFT * touches_hex(ax + x, ay + y, bx + x, by + y, wx, wy, 1)
            sides |= RIGHT * touches_hex(ax - x, ay - y, bx - x, by - y, wx, wy, 1)
            if sides == LEFT | RIGHT:
                return False
            touched |= sides
            walls = hexset.union(walls, hexset.only(k))
    for k in range(board.n_lines):
        line = board.line[k]
        if touches_hex(ax, ay, bx, by, line[0], line[1], 2):  # it lies in the hexagon around an end
            sides = LEFT * touches_line(ax + x, ay + y, bx + x, by + y, line)
            sides |= RIGHT * touches_line(ax - x, ay - y, bx - x, by - y, line)
            if sides == LEFT | RIGHT:
                return False
            touched |= sides
            lines = hexset.union(lines, hexset.only(k))
    return touched != LEFT | RIGHT or any_clear(board, ax, ay, bx, by, walls, lines)


@kernel
def any_clear(board, ax, ay, bx, by, walls, lines):
    """G4.1 - whether any line from corner to corner is clear of these walls and wall lines."""
    for turn in range(6):
        for i in range(6):
            j = (i + turn) % 6
            x, y = ax + CORNER_X[i], ay + CORNER_Y[i]
            if is_clear(board, x, y, bx + CORNER_X[j], by + CORNER_Y[j], walls, lines):
                return True
    return False
