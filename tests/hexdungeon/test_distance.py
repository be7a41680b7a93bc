"""G3 Range and adjacency, G12.10."""

import pytest
from hypothesis import given, settings

from agemonia_env.rulesets.hexdungeon.cases.schema import Board
from tests.hexdungeon.boards import boards
from tests.hexdungeon.hexes import Twin, board, core_ranges


@settings(deadline=None, max_examples=60)
@given(boards())
def test_g3_1_ranges_are_the_twins(case):
    twin = Twin(case)
    for start in sorted(twin.floor)[:3]:
        assert core_ranges(case, start) == twin.ranges(start)


@pytest.mark.parametrize("size", [(17, 14), (1, 62), (30, 8), (10, 25), (170, 1)])
def test_boards_of_every_shape_up_to_the_limit(size):
    case = board(*size)
    start = case.hexes()[len(case.hexes()) // 2]
    assert core_ranges(case, start) == Twin(case).ranges(start)


@pytest.mark.parametrize("size", [(17, 15), (5, 63), (172, 1), (0, 3)])
def test_larger_boards_are_refused(size):
    with pytest.raises(ValueError, match=r"too large|less than or equal|greater than or equal"):
        board(*size)


def test_g3_2_g4_8_a_wall_line_parts_neighbours():
    one = board(lines=[((6, 0), 1)])
    assert core_ranges(one, (6, 0))[6, 1] == core_ranges(one, (6, 1))[6, 0] == 2
    three = board(lines=[((6, 0), d) for d in (0, 1, 2)])
    assert core_ranges(three, (6, 0))[6, 1] == 3


def test_a_wall_line_may_be_given_from_either_side():
    from_below, from_above = board(lines=[((6, 0), 1)]), board(lines=[((6, 1), 4)])
    for start in ((6, 0), (6, 1), (5, 1)):
        assert core_ranges(from_below, start) == core_ranges(from_above, start)


def test_g3_1_figures_and_terrain_are_counted_through():
    ring = [(7, 0), (6, 1), (5, 1), (5, 0), (6, -1), (7, -1)]
    assert core_ranges(board(obstacle=ring, trap=ring), (6, 0)) == core_ranges(board(), (6, 0))


def test_g3_8_walled_off_there_is_no_range():
    case = board(width=3, height=3, wall=[(1, 0), (1, 1), (1, 2)])
    assert set(core_ranges(case, (0, 0))) == {(0, 0), (0, 1), (0, 2)}


def test_a_board_of_one_hex():
    assert core_ranges(Board(id="dot", width=1, height=1), (0, 0)) == {(0, 0): 0}
