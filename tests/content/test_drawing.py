"""Maps drawn as text: cells, borders, and straight lines against exact fractions."""

import random
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.content import drawing
from agemonia_env.rulesets.agemonia.content.board import Edge
from agemonia_env.rulesets.agemonia.content.drawing import POINTS, UNIT, read_map, straight_lines
from agemonia_env.rulesets.agemonia.content.schema import DrawnMap


def drawn(rows, borders=(), **levels):
    letters = sorted(set("".join(rows)) - {"."})
    areas = {x: {"name": f"area {x}", "level": levels.get(x, 0)} for x in letters}
    return read_map(
        DrawnMap.model_validate({"rows": rows, "areas": areas, "borders": list(borders)})
    )


def slow_line(rows, walls, start, end):
    """Areas along one segment by cutting it at every grid line; None if it does not count."""
    (x0, y0), (x1, y1) = start, end
    cuts = {Fraction(0), Fraction(1)}
    corners = set()
    for a, b, n in ((x0, x1, len(rows[0])), (y0, y1, len(rows))):
        for line in range(0, (n + 1) * UNIT, UNIT):
            if a != b and 0 < Fraction(line - a, b - a) < 1:
                t = Fraction(line - a, b - a)
                if t in cuts:
                    corners.add(t)
                cuts.add(t)

    def cell(t):
        return rows[int((y0 + t * (y1 - y0)) // UNIT)][int((x0 + t * (x1 - x0)) // UNIT)]

    times = sorted(cuts)
    visited = [cell((s + t) / 2) for s, t in pairwise(times)]
    line = [visited[0]]
    for t, here, there in zip(times[1:], visited, visited[1:], strict=False):
        if there == "." or {here, there} in walls:
            return None
        if t in corners:
            cx, cy = int(x0 + t * (x1 - x0)) // UNIT, int(y0 + t * (y1 - y0)) // UNIT
            around = {rows[y][x] for x, y in product((cx - 1, cx), (cy - 1, cy))}
            if not around <= {here, there}:
                return None
        if there != here:
            line.append(there)
    return tuple(line)


@pytest.mark.parametrize("seed", range(12))
def test_straight_lines_against_exact_fractions(seed):
    chance = random.Random(seed)
    width, height = chance.randint(2, 4), chance.randint(2, 4)
    rows = ["".join(chance.choice("abcd.") for _ in range(width)) for _ in range(height)]
    letters = tuple(sorted(set("".join(rows)) - {"."}))
    walls = [{"a", "b"}] if chance.random() < 0.5 and {"a", "b"} <= set(letters) else []
    pairs = frozenset((letters.index("a"), letters.index("b")) for _ in walls)
    points = [
        (x * UNIT + dx, y * UNIT + dy, rows[y][x])
        for (dx, dy), y, x in product(POINTS, range(height), range(width))
        if rows[y][x] != "."
    ]
    expected = set()
    for (x0, y0, a), (x1, y1, b) in product(points, points):
        if a < b:
            line = slow_line(rows, walls, (x0, y0), (x1, y1))
            expected |= {tuple(letters.index(x) for x in line)} if line else set()
    assert set(straight_lines(tuple(rows), letters, pairs)) == expected


def test_neighbouring_cells_make_borders_and_corners_do_not():
    board, _ = drawn(["ab", "cd"])
    assert set(board.edges) == {(0, 1), (0, 2), (1, 3), (2, 3)}
    assert board.edge(0, 3) is None


def test_q41_borders_default_to_single_and_double_carries_height():
    board, _ = drawn(["abc"], [["a", "b", "double"]], a=1)
    assert board.edge(0, 1) == Edge("double", True)
    assert board.edge(2, 1) == Edge("single", False)


def test_a_hole_blocks_sight_and_a_barrier_too():
    board, _ = drawn(["a.b", "c.d", "efg"])
    assert not any({line[0], line[-1]} == {0, 1} for line in board.lines)
    board, _ = drawn(["ab"], [["a", "b", "barrier"]])
    assert board.lines == ()


def test_the_higher_side_in_between_blocks_r7_24():
    from agemonia_env.rulesets.agemonia.content.board import clear_lines

    flat, _ = drawn(["aabbcc"])
    hill, _ = drawn(["aabbcc"], [["a", "b", "single", "height"]], b=1)
    assert (0, 1, 2) in clear_lines(flat)
    assert (0, 1, 2) not in clear_lines(hill)
    assert (0, 1) in clear_lines(hill)


def test_geometry_for_pictures():
    _, picture = drawn(["aab", "a.b"])
    assert (picture.width, picture.height) == (3, 2)
    assert picture.cells == (((0, 0), (1, 0), (0, 1)), ((2, 0), (2, 1)))
    for (x, y), cells in zip(picture.centres, picture.cells, strict=True):
        assert (int(x), int(y)) in cells
    inner = [s for s in picture.segments if s.b >= 0]
    assert [(s.x0, s.y0, s.x1, s.y1) for s in inner] == [(2, 0, 2, 1)]
    outline = [s for s in picture.segments if s.b < 0]
    assert len(outline) == 12


def test_every_mistake_of_a_drawing_at_once():
    card = DrawnMap.model_validate(
        {
            "rows": "aab\nzzb",
            "areas": {"a": {"name": "A"}, "b": {"name": "A"}, "c": {"name": "C"}},
            "borders": [["a", "q"]],
        }
    )
    with pytest.raises(ValueError, match="is no area") as caught:
        read_map(card)
    text = str(caught.value)
    for part in ("'z' is no area", "c is not drawn", "called A", "no area 'q'"):
        assert part in text


def test_areas_hang_together_and_overridden_borders_exist():
    with pytest.raises(ValueError, match="cells of a do not hang together"):
        drawn(["aba"])
    with pytest.raises(ValueError, match="a and c do not touch"):
        drawn(["abc"], [["a", "c", "barrier"]])


def test_ropes_join_areas_that_touch():
    card = {"rows": "abc", "areas": {x: {"name": x} for x in "abc"}, "ropes": [["a", "c"]]}
    with pytest.raises(ValueError, match="ropes: a and c do not touch"):
        read_map(DrawnMap.model_validate(card))


def test_lines_are_found_once_per_map():
    drawing.straight_lines.cache_clear()
    drawn(["ab", "cd"])
    drawn(["ab", "cd"])
    assert drawing.straight_lines.cache_info().hits == 1


@pytest.mark.parametrize("seed", range(100))
def test_lines_over_blocks_are_those_found_cell_by_cell(seed):
    chance = np.random.default_rng(seed)
    drawn = chance.integers(-1, chance.integers(1, 8), chance.integers(1, (5, 7)))
    areas = np.unique(drawn[drawn >= 0])
    blocks = np.where(drawn < 0, -1, np.searchsorted(areas, drawn))
    walls = {(0, 1)} if seed % 2 and len(areas) > 1 else set()
    grid = np.pad(drawing._in_cells(blocks), 1, constant_values=-1)
    assert drawing._lines_over(blocks, walls) == drawing._walked(grid, len(areas), walls)
