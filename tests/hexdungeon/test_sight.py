"""G4 Line of sight."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from agemonia_env.rulesets.hexdungeon.cases.position import boards_of
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.terms import Terrain
from tests.hexdungeon.boards import boards
from tests.hexdungeon.hexes import DIRECTIONS, Twin, blocked, board

CORNERS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))


# ---- a slow obvious twin: every pair of corners against every edge, in fractions ----------------
def corners(place):
    q, r = place
    return [(2 + 3 * q + x, 2 * r + q + 1 + y) for x, y in CORNERS]


def edges(twin):
    """All walls as lines: six for each wall hex, one for each wall line."""
    for place in twin.walls:
        around = corners(place)
        yield from zip(around, around[1:] + around[:1], strict=True)
    for place in twin.hexes:
        around = corners(place)
        for direction in range(6):
            if twin.edge(place, direction) in twin.lines:
                yield around[direction], around[(direction + 1) % 6]


def clipped(start, end, least, most):
    """The part [from, to] of a line in which least <= coordinate <= most; None = nowhere."""
    if start == end:
        return (0, 1) if least <= start <= most else None
    one, two = Fraction(least - start, end - start), Fraction(most - start, end - start)
    return max(0, min(one, two)), min(1, max(one, two))


def touches(a, b, p, q):
    """Whether two closed lines have a point in common: the one clipped to where the other is."""
    across = [(p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]) for o in (a, b)]
    parts = [clipped(*across, 0, 0)]
    for axis in (0, 1):
        least, most = sorted((p[axis], q[axis]))
        parts.append(clipped(a[axis], b[axis], least, most))
    if None in parts:
        return False
    return max(part[0] for part in parts) <= min(part[1] for part in parts)


def twin_blocked(case):
    twin = Twin(case)
    walls = list(edges(twin))
    floor = sorted(twin.floor)
    return {
        frozenset((a, b))
        for a in floor
        for b in floor
        if a < b
        and all(any(touches(x, y, *w) for w in walls) for x in corners(a) for y in corners(b))
    }


@settings(deadline=None, max_examples=40)
@given(boards(kinds=["wall"], most=3, sizes=((1, 5), (1, 4))))
def test_g4_7_sight_is_the_twins(case):
    assert blocked(case) == twin_blocked(case)


# ---- the examples of the rulebook ---------------------------------------------------------------
@pytest.mark.parametrize(
    ("pair", "seen", "walls"),
    [
        (((6, 0), (6, 2)), False, [(6, 1)]),  # a
        (((6, 0), (6, 2)), True, [(7, 0)]),  # b
        (((6, 0), (6, 2)), True, [(7, 0), (5, 1)]),  # c
        (((6, 0), (6, 2)), False, [(7, 0), (5, 1), (6, 1)]),  # d
        (((6, 0), (7, 1)), True, [(7, 0)]),  # e
        (((6, 0), (7, 1)), False, [(7, 0), (6, 1)]),
    ],
)
def test_g4_8_wall_hexes(pair, seen, walls):
    assert (frozenset(pair) not in blocked(board(wall=walls))) == seen


def test_g4_8_wall_lines():
    pair = frozenset(((6, 0), (6, 1)))
    assert pair not in blocked(board(lines=[((6, 0), 1)]))  # f
    assert pair in blocked(board(lines=[((6, 0), d) for d in (0, 1, 2)]))  # g


def test_g4_9_a_door_in_a_wall():
    def at(column, row):
        return column, row - column // 2

    case = board(wall=[at(column, 4) for column in range(2, 11) if column != 6])
    unseen = blocked(case)
    for row in (5, 6):
        seen = [c for c in range(2, 11) if frozenset((at(6, 2), at(c, row))) not in unseen]
        assert seen == [5, 6, 7]


def test_g4_2_sight_runs_along_the_rim():
    assert not blocked(board(width=1, height=9))


def test_g4_3_a_wall_line_on_the_rim_takes_its_corners():
    case = board(width=1, height=2, lines=[((0, 0), d) for d in (0, 3, 4)])
    assert not blocked(case)
    shut = board(width=1, height=2, lines=[((0, 0), d) for d in (0, 2, 4)])
    assert blocked(shut) == {frozenset(((0, 0), (0, 1)))}


def test_g4_6_a_hex_with_all_corners_on_walls_is_never_seen():
    case = board(lines=[((6, 0), d) for d in (0, 2, 4)])
    others = set(case.hexes()) - {(6, 0)}
    assert {frozenset(((6, 0), other)) for other in others} <= blocked(case)


def test_g4_4_nothing_else_blocks():
    ring = [(6 + dq, dr) for dq, dr in DIRECTIONS]
    assert not blocked(board(obstacle=ring, trap=ring, hazard=ring, difficult=ring))


def test_g4_2_g12_9_a_closed_door_is_a_wall():
    walled = boards_of([board(wall=[(6, 1), (3, 3)])])
    doored = boards_of([board(wall=[(3, 3)])])
    doored["terrain"][0, Terrain.DOOR] = walled["terrain"][0, Terrain.WALL]
    doored["terrain"][0, Terrain.DOOR] ^= doored["terrain"][0, Terrain.WALL]
    api.settle(doored)
    for name in ("floor", "n_walls", "wall_x", "wall_y"):
        assert (walled[name] == doored[name]).all()
