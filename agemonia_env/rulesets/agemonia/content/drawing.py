"""Maps drawn as text: cells, borders and straight lines of sight, in exact integer arithmetic.

Each character is a square cell; the cells of one letter are an area, `.` is outside the map. Sight
is tried along straight segments between sample points of cells: the centre and four points near
the corners. A segment does not count if it leaves the map, meets a barrier, or passes exactly
through a corner where the areas it crosses are ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, pairwise

import numpy as np
import numpy.typing as npt

from agemonia_env.core.grid_lines import walk_all
from agemonia_env.core.jit import compiling_reported_to
from agemonia_env.display.messages import listing, shown
from agemonia_env.packs.folders import repeated

from .board import Board, Edge, Line, areas_of
from .schema import BorderName, DrawnMap

OUTSIDE = "."
UNIT = 8  # a cell measures UNIT x UNIT
POINTS = ((4, 4), (1, 1), (1, 7), (7, 1), (7, 7))  # of a cell, (x, y); never on a line of the grid
LONGEST = 11  # areas of a line of sight; it is packed into 5 bits an area and must fit 60
Grid = npt.NDArray[np.int64]  # area of each cell, -1 outside, with a frame of outside cells
Cells = tuple[tuple[int, int], ...]  # (x, y) of upper left corners
BLOCK_WIDTH, BLOCK_HEIGHT = 3, 2  # cells of a block of a drawn scenario
MOST_BLOCKS = 30  # whose numbers fit into a packed line


@dataclass(frozen=True)
class Segment:
    """A piece of border between the cells of two areas, in cells; `b` = -1 at the map's edge."""

    x0: int
    y0: int
    x1: int
    y1: int
    a: int
    b: int
    kind: BorderName
    height: bool


@dataclass(frozen=True)
class Drawing:
    """Geometry for pictures; x runs to the right, y downwards, a cell is 1 x 1."""

    width: int
    height: int
    letters: tuple[str, ...]  # of each area
    cells: tuple[Cells, ...]  # of each area
    centres: tuple[tuple[float, float], ...]  # of each area, inside it
    segments: tuple[Segment, ...]


def read_map(card: DrawnMap) -> tuple[Board, Drawing]:
    """Board and drawing of a drawn map. Raises ValueError with every mistake, one a line."""
    rows = [row.rstrip() for row in card.rows if row.strip()]
    letters = tuple(card.areas)
    problems = _map_problems(rows, card)
    if problems:
        raise ValueError("\n".join(problems))
    grid = _grid(rows, letters)
    kinds = {
        _pair(letters, b.between): Edge(b.kind, b.height or b.kind == "double")
        for b in card.borders
    }
    touching = _touching(grid)
    for x, y in sorted(set(kinds) - touching):
        problems.append(f"borders: {letters[x]} and {letters[y]} do not touch")
    ropes = frozenset(_pair(letters, rope) for rope in card.ropes)
    for x, y in sorted(ropes - touching):
        problems.append(f"ropes: {letters[x]} and {letters[y]} do not touch")
    cells = _cells(grid, len(letters))
    for letter, own in zip(letters, cells, strict=True):
        if not _is_connected(set(own)):
            problems.append(f"rows: the cells of {letter} do not hang together")
    if problems:
        raise ValueError("\n".join(problems))
    edges = {pair: kinds.get(pair, Edge()) for pair in sorted(touching)}
    walls = frozenset(pair for pair, edge in edges.items() if edge.kind == "barrier")
    lines = straight_lines(tuple(rows), letters, walls)
    areas = areas_of((area.name, area) for area in card.areas.values())
    board = Board(areas, edges, lines, ropes, exact=False)
    return board, _drawing(grid, letters, cells, board)


def _map_problems(rows: list[str], card: DrawnMap) -> list[str]:
    """Mistakes in letters and names."""
    drawn = {letter for row in rows for letter in row} - {OUTSIDE}
    problems = [
        f"rows: {shown(x)} is no area; areas: {listing(x, [*card.areas])}"
        for x in drawn - set(card.areas)
    ]
    problems += [f"areas: {x} is not drawn" for x in card.areas if x not in drawn]
    names = [area.name for area in card.areas.values()]
    problems += [f"areas: two areas are called {x}" for x in repeated(names)]
    pairs = [("borders", border.between) for border in card.borders]
    for key, pair in pairs + [("ropes", rope) for rope in card.ropes]:
        unknown = [x for x in pair if x not in card.areas]
        problems += [
            f"{key}: no area {shown(x)}; areas: {listing(x, [*card.areas])}" for x in unknown
        ]
        if pair[0] == pair[1]:
            problems.append(f"{key}: {pair[0]} has no border with itself")
    return sorted(problems)


def _pair(letters: tuple[str, ...], names: list[str]) -> tuple[int, int]:
    x, y = sorted(letters.index(name) for name in names)
    return x, y


def _grid(rows: list[str], letters: tuple[str, ...]) -> Grid:
    """Area of each cell, [y, x], with one outside cell around."""
    width, numbers = max(map(len, rows)), {letter: n for n, letter in enumerate(letters)}
    inside = [[numbers.get(letter, -1) for letter in row.ljust(width)] for row in rows]
    framed = [[-1, *row, -1] for row in inside]
    return np.array([[-1] * (width + 2), *framed, [-1] * (width + 2)], np.int64)


def _cells(grid: Grid, n_areas: int) -> tuple[Cells, ...]:
    """The cells of each area, row by row; the frame of `grid` is taken off."""
    cells: list[list[tuple[int, int]]] = [[] for _ in range(n_areas)]
    for y, row in enumerate(grid.tolist(), -1):
        for x, area in enumerate(row, -1):
            if area >= 0:
                cells[area].append((x, y))
    return tuple(map(tuple, cells))


def _touching(grid: Grid) -> set[tuple[int, int]]:
    """Pairs of areas that share a side of a cell, lower index first."""
    rows = grid.tolist()
    pairs = {pair for row in rows for pair in pairwise(row)}
    pairs |= {pair for above, below in pairwise(rows) for pair in zip(above, below, strict=True)}
    return {(min(a, b), max(a, b)) for a, b in pairs if a != b and min(a, b) >= 0}


def _is_connected(cells: set[tuple[int, int]]) -> bool:
    """Whether one can walk from any of these cells to any other without leaving them."""
    left = set(cells)
    queue = [left.pop()]
    while queue:
        x, y = queue.pop()
        beside = left & {(x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)}
        left -= beside
        queue += beside
    return not left


# ---- sight ----------------------------------------------------------------------------------
@lru_cache(maxsize=256)
def straight_lines(
    rows: tuple[str, ...], letters: tuple[str, ...], walls: frozenset[tuple[int, int]]
) -> tuple[Line, ...]:
    """Lists of areas that straight segments between two areas run through, in order.

    Each is given in one direction. `walls` are the pairs of areas with a barrier between them.
    """
    grid = _grid(list(rows), letters)
    blocks = blocks_of(grid)
    if blocks is not None:
        return tuple(sorted(_lines_over(blocks, walls)))
    return tuple(sorted(_walked(grid, len(letters), walls)))


def _walked(grid: Grid, n_areas: int, walls: Iterable[tuple[int, int]] = ()) -> set[Line]:
    """The lines of a map, cell by cell: 1 to 3 ms."""
    blocked = np.zeros((n_areas + 1, n_areas + 1), np.bool_)  # the last row: outside
    blocked[-1] = blocked[:, -1] = True
    for a, b in walls:
        blocked[a, b] = blocked[b, a] = True
    with compiling_reported_to(lambda *_: None):  # under a second: not worth an announcement
        codes = walk_all(grid, blocked, np.array(POINTS, np.int64), UNIT, LONGEST)
    return {_unpack(int(code)) for code in codes}


def blocks_of(grid: Grid) -> Grid | None:
    """The area of each block of a map made of whole blocks; None for other maps."""
    inside = grid[1:-1, 1:-1]
    blocks = inside[::BLOCK_HEIGHT, ::BLOCK_WIDTH]
    if blocks.size > MOST_BLOCKS or not np.array_equal(_in_cells(blocks), inside):
        return None
    return blocks


def _in_cells(blocks: Grid) -> Grid:
    """The area of each cell of a map made of blocks."""
    return blocks.repeat(BLOCK_HEIGHT, axis=0).repeat(BLOCK_WIDTH, axis=1)


@lru_cache
def ways(rows: int, columns: int) -> Grid:
    """Ways of straight segments over a grid of blocks, a row for each, ended by -1.

    A segment exactly through a corner of four blocks adds nothing: where it counts, one beside it
    crosses the same areas (the same lines as `_walked` on 3,000 drawn and 1,500 random maps).
    """
    grid = np.full((rows * BLOCK_HEIGHT + 2, columns * BLOCK_WIDTH + 2), -1)
    for block in range(rows * columns):
        x, y = 1 + block % columns * BLOCK_WIDTH, 1 + block // columns * BLOCK_HEIGHT
        grid[y : y + BLOCK_HEIGHT, x : x + BLOCK_WIDTH] = block
    lines = sorted(_walked(grid, rows * columns))
    ways = np.full((len(lines), max(map(len, lines), default=1)), -1)
    for way, line in zip(ways, lines, strict=True):
        way[: len(line)] = line
    return ways


def _lines_over(blocks: Grid, walls: Iterable[tuple[int, int]]) -> set[Line]:
    """The lines of a map of blocks: 0.3 ms, and 5 to 15 ms for the first map of this size."""
    no_more = -2  # -1 is outside
    areas = np.append(blocks, no_more)[ways(*blocks.shape)]
    here, there = areas[:, :-1], areas[:, 1:]
    fails = (areas == -1).any(axis=1)
    for a, b in walls:
        fails |= (((here == a) & (there == b)) | ((here == b) & (there == a))).any(axis=1)
    enters = np.pad((here != there) & (there != no_more), ((0, 0), (1, 0)), constant_values=True)
    found = set()
    for way, new in zip(areas[~fails].tolist(), enters[~fails].tolist(), strict=True):
        line = tuple(compress(way, new))
        if line[0] != line[-1] and len(line) <= LONGEST:
            found.add(line if line[0] < line[-1] else line[::-1])
    return found


def _unpack(code: int) -> Line:
    """Areas of a packed line: 5 bits each, area + 1, the first area in the highest bits."""
    areas: list[int] = []
    while code:
        areas.append(code % 32 - 1)
        code //= 32
    return tuple(reversed(areas))


# ---- pictures -------------------------------------------------------------------------------
def _drawing(
    grid: Grid, letters: tuple[str, ...], cells: tuple[Cells, ...], board: Board
) -> Drawing:
    """The geometry of a map."""
    height, width = grid.shape[0] - 2, grid.shape[1] - 2
    return Drawing(
        width, height, letters, cells, tuple(map(_centre, cells)), tuple(_segments(grid, board))
    )


def _centre(cells: Cells) -> tuple[float, float]:
    """The mean of the cells' centres, or the cell centre nearest to it if that lies outside."""
    x = sum(cell[0] for cell in cells) / len(cells) + 0.5
    y = sum(cell[1] for cell in cells) / len(cells) + 0.5
    if (int(x), int(y)) in cells:
        return x, y
    near = min(cells, key=lambda c: ((c[0] + 0.5 - x) ** 2 + (c[1] + 0.5 - y) ** 2, c))
    return near[0] + 0.5, near[1] + 0.5


def _segments(grid: Grid, board: Board) -> list[Segment]:
    """Sides of cells between different areas, and the outline of the map."""
    found: list[Segment] = []
    rows = grid.tolist()
    for y, (above, row) in enumerate(pairwise(rows)):
        for x, (left, b) in enumerate(pairwise(row)):
            for a, ends in ((left, (x, y, x, y + 1)), (above[x + 1], (x, y, x + 1, y))):
                if a != b:
                    edge = board.edge(a, b) if min(a, b) >= 0 else Edge("barrier")
                    assert edge is not None
                    low, high = (b, a) if a < 0 else (a, b)
                    found.append(Segment(*ends, low, high, edge.kind, edge.height))
    return found
