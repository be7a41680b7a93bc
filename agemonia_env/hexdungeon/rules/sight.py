"""G4 Line of sight in whole numbers (G4.7), computed anew for each pair of hexes.

Two convex shapes are apart exactly if they are apart along the normal of one of their edges. A
hexagon has three such normals, a line has one, and in the coordinates of G4.7 all are small whole
numbers: eight comparisons tell whether a line of sight touches a wall hex.
"""

from ...kernel import bits
from ...kernel.jit import kernel
from .. import hexset
from ..hexset import EMPTY, N_WORDS, ONE
from .board import CORNER_X, CORNER_Y


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
def walls_near(board, ax, ay, bx, by):
    """Wall hexes that a line between corners of the hexes around a and b can touch.

    The corners of two hexes lie within what a hexagon covers as it goes from one middle to the
    other. It touches a wall hex exactly if the line between the middles touches one of twice
    the size.
    """
    near = EMPTY
    for k in range(board.n_walls):
        if touches_hex(ax, ay, bx, by, board.wall_x[k], board.wall_y[k], 2):
            near = hexset.union(near, hexset.only(k))
    return near


@kernel
def lines_near(board, ax, ay, bx, by):
    """Wall lines likewise; each lies in the hexagon around its first end."""
    near = EMPTY
    for k in range(board.n_lines):
        if touches_hex(ax, ay, bx, by, board.line[k, 0], board.line[k, 1], 2):
            near = hexset.union(near, hexset.only(k))
    return near


@kernel
def is_clear(board, ax, ay, bx, by, walls, lines):
    """G4.1, G4.3 - whether the line from corner a to corner b touches none of walls and lines."""
    for word in range(N_WORDS):
        left = walls[word]
        while left != 0:
            k = 64 * word + bits.lowest(left)
            if touches_hex(ax, ay, bx, by, board.wall_x[k], board.wall_y[k], 1):
                return False
            left &= left - ONE
    for word in range(N_WORDS):
        left = lines[word]
        while left != 0:
            k = 64 * word + bits.lowest(left)
            if touches_line(ax, ay, bx, by, board.line[k]):
                return False
            left &= left - ONE
    return True


@kernel
def sees(board, a, b):
    """G4.1, G4.5, G4.6 - line of sight between hexes a and b, neither a wall."""
    ax, ay, bx, by = board.x[a], board.y[a], board.x[b], board.y[b]
    walls = walls_near(board, ax, ay, bx, by)
    lines = lines_near(board, ax, ay, bx, by)
    if hexset.is_empty(walls) and hexset.is_empty(lines):
        return True
    for turn in range(6):
        for i in range(6):
            j = (i + turn) % 6
            x, y = ax + CORNER_X[i], ay + CORNER_Y[i]
            if is_clear(board, x, y, bx + CORNER_X[j], by + CORNER_Y[j], walls, lines):
                return True
    return False
