"""Straight segments across a drawn map, cell by cell, in exact integer arithmetic.

Compiled, because a map of a hundred cells has some 100,000 of them: this takes 9 ms. NumPy took
100 ms, nine tenths of compiling a procedural scenario.
"""

from __future__ import annotations

import numpy as np

from .jit import kernel, typed

FRESH = 1 << 12  # places for distinct lines to begin with; a power of two


@typed((np.int64, 2), (np.bool_, 2), (np.int64, 2), int, int)
def walk_all(grid, blocked, points, unit, longest):  # type: ignore[no-untyped-def]
    """The distinct valid packed lines between points of different areas, int64 (n,), unsorted.

    grid: area of each cell, int64 [y, x], -1 outside, framed by outside cells. blocked: bool
    [area, area], the last of each the outside. points: int64 (n, 2) as x, y, `unit` to a cell, none
    of them on a line of the grid. A line runs from the lower area to the higher one, packed into 5
    bits for each area + 1; lines of more than `longest` areas do not count.
    """
    table, found = np.zeros(FRESH, np.int64), 0
    for i in range(len(points)):
        area = grid[points[i, 1] // unit, points[i, 0] // unit]
        for j in range(len(points)):
            if area >= grid[points[j, 1] // unit, points[j, 0] // unit]:
                continue
            line = walk(grid, blocked, points[i], points[j], unit, longest)
            if line == 0 or not add(table, line):
                continue
            found += 1
            if 2 * found > len(table):
                old, table = table, np.zeros(2 * len(table), np.int64)
                for k in range(len(old)):
                    if old[k]:
                        add(table, old[k])
    lines, n = np.zeros(found, np.int64), 0
    for k in range(len(table)):
        if table[k]:
            lines[n] = table[k]
            n += 1
    return lines


@kernel
def add(table, line):  # type: ignore[no-untyped-def]
    """Add a line to a hash table of 2**n places, 0 = free -> whether it is new."""
    last = len(table) - 1
    place = (line ^ (line >> 17)) * 0x9E3779B1 & last
    while table[place] != 0:
        if table[place] == line:
            return False
        place = (place + 1) & last
    table[place] = line
    return True


@kernel
def walk(grid, blocked, start, end, unit, longest):  # type: ignore[no-untyped-def]
    """The packed line of the segment start -> end; 0 if it does not count.

    The next upright and the next level line of the grid are compared by cross-multiplication, so
    nothing is ever rounded.
    """
    sign_x, sign_y = np.sign(end[0] - start[0]), np.sign(end[1] - start[1])
    size_x, size_y = abs(end[0] - start[0]), abs(end[1] - start[1])
    x, y = start[0] // unit, start[1] // unit
    last_x, last_y = end[0] // unit, end[1] // unit
    # distances to the next lines of the grid
    ahead_x = unit - (start[0] - x * unit) if sign_x > 0 else start[0] - x * unit
    ahead_y = unit - (start[1] - y * unit) if sign_y > 0 else start[1] - y * unit
    here = grid[y, x]
    packed, areas = here + 1, 1
    while x != last_x or y != last_y:
        upright, level = ahead_x * size_y, ahead_y * size_x
        step_x = sign_x != 0 and (upright <= level or sign_y == 0)
        step_y = sign_y != 0 and (level <= upright or sign_x == 0)
        beside, below = grid[y, x + sign_x], grid[y + sign_y, x]
        if step_x:
            x, ahead_x = x + sign_x, ahead_x + unit
        if step_y:
            y, ahead_y = y + sign_y, ahead_y + unit
        there = grid[y, x]
        if there < 0 or (there != here and blocked[here, there]):
            return 0
        unclear = (beside != here and beside != there) or (below != here and below != there)
        if step_x and step_y and unclear:  # at a corner each way round must give the same areas
            return 0
        if there != here:
            packed, areas, here = packed * 32 + there + 1, areas + 1, there
            if areas > longest:
                return 0
    return packed
