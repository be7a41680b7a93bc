"""A map as borders and straight lines, and the tables that rules read from it (R7.22, R7.24, Q42).

A board has the borders of areas and the straight lines along which they may see each other, from a
list or from a drawing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from agemonia_env.display.messages import listing, shown

from ..core.layout import LINE_BITS, LINE_MAX, N_AREAS, N_CROSSINGS, N_LINES, N_PAIRS
from ..core.terms import Border
from .schema import AreaSheet, BorderName, MapCard, Story, TeleportToken

Line = tuple[int, ...]  # areas a straight segment runs through, ends included
Table = npt.NDArray[np.int16]

DRAWN_CROSSINGS = 6  # kept of the many lines that a drawing yields


@dataclass(frozen=True)
class Edge:
    """What lies between two areas; `height` = it carries a height symbol (ruling Q41)."""

    kind: BorderName = "single"
    height: bool = False


@dataclass(frozen=True)
class Area:
    """An area: white dots (R7.2), level, and what lies in it."""

    name: str
    capacity: int = 9
    level: int = 0
    trap: bool = False
    story: Story | None = None
    teleport: TeleportToken | None = None
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Board:
    """Areas by index, edges by (lower, higher) index, ropes likewise, and straight lines.

    `exact`: the lines were listed, so none may be dropped for lack of room.
    """

    areas: tuple[Area, ...]
    edges: dict[tuple[int, int], Edge]
    lines: tuple[Line, ...]
    ropes: frozenset[tuple[int, int]] = frozenset()
    exact: bool = True

    def __post_init__(self) -> None:
        if not 1 <= len(self.areas) <= N_AREAS:
            raise ValueError(f"a map has 1 to {N_AREAS} areas, not {len(self.areas)}")
        for (x, y), edge in self.edges.items():
            if edge.height and self.areas[x].level == self.areas[y].level:
                raise ValueError(
                    f"border {self.areas[x].name}-{self.areas[y].name} carries a height symbol, "
                    "but both areas have the same level"
                )
        for line in self.lines if self.exact else ():  # walked lines run over borders only
            if not all(y in self._touching[x] for x, y in pairwise(line)):
                names = ", ".join(self.areas[i].name for i in line)
                raise ValueError(f"sight [{names}]: consecutive areas must share a border")

    @cached_property
    def _touching(self) -> list[list[int]]:
        """Of each area those that share a border with it, in order."""
        found: list[list[int]] = [[] for _ in self.areas]
        for x, y in self.edges:
            found[x].append(y)
            found[y].append(x)
        return [sorted(one) for one in found]

    def edge(self, x: int, y: int) -> Edge | None:
        """The edge between two areas; None if they do not touch."""
        return self.edges.get((min(x, y), max(x, y)))

    def neighbours(self, x: int) -> list[int]:
        """Areas that share a border with x, in order, barriers included."""
        return self._touching[x]

    def open_neighbours(self, x: int) -> list[int]:
        """Areas that share a border other than a barrier with x, in order."""
        return [y for y in self.neighbours(x) if self.edges[min(x, y), max(x, y)].kind != "barrier"]


def areas_of(cards: Iterable[tuple[str, AreaSheet]]) -> tuple[Area, ...]:
    """Areas by index from their cards by name."""
    return tuple(
        Area(n, c.capacity, c.level, c.trap, c.story, c.teleport, tuple(c.items)) for n, c in cards
    )


def board_of(card: MapCard) -> Board:
    """The board of a rule case's map. ValueError for unknown names and impossible borders."""
    ids = {name: i for i, name in enumerate(card.areas)}

    def index(name: str) -> int:
        if name not in ids:
            raise ValueError(f"no area {shown(name)}; areas: {listing(name, [*ids])}")
        return ids[name]

    def pair(names: list[str]) -> tuple[int, int]:
        x, y = sorted(index(name) for name in names)
        if x == y:
            raise ValueError(f"an area has no border with itself: {names}")
        return x, y

    edges = {pair(b.between): Edge(b.kind, b.height or b.kind == "double") for b in card.borders}
    areas = areas_of(card.areas.items())
    ropes = frozenset(pair(rope) for rope in card.ropes)
    board = Board(areas, edges, (), ropes)
    if card.sight is None:
        lines = shortest_paths(board)
    else:
        listed = tuple(tuple(index(name) for name in line) for line in card.sight)
        lines = listed + tuple(p for p, edge in edges.items() if edge.kind != "barrier")
    return Board(areas, edges, lines, ropes)


def shortest_paths(board: Board) -> tuple[Line, ...]:
    """Every path of fewest crossings without barrier between two areas, from the lower index."""
    table = range_table(board)
    found: list[Line] = []
    for start in range(len(board.areas)):
        paths: list[Line] = [(start,)]
        while paths:
            longer = [
                (*path, y)
                for path in paths
                for y in board.open_neighbours(path[-1])
                if table[start, y] == len(path)
            ]
            found += [path for path in longer if path[-1] > start]
            paths = longer
    return tuple(found)


# ---- tables ---------------------------------------------------------------------------------
def border_table(board: Board) -> Table:
    """terms.Border from row to column, (N_AREAS, N_AREAS)."""
    table = [[0] * N_AREAS for _ in range(N_AREAS)]
    kinds = {"single": Border.SINGLE.value, "barrier": Border.BARRIER.value}
    for (x, y), edge in board.edges.items():
        for a, b in ((x, y), (y, x)):
            down = board.areas[a].level > board.areas[b].level
            double = Border.DOUBLE_DOWN if down else Border.DOUBLE_UP
            table[a][b] = kinds.get(edge.kind, double.value)
    return np.array(table, np.int16)


def bits_of(table: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """Rows of flags, (n, N_AREAS), as bits of integers, (n,)."""
    bits: npt.NDArray[np.int32] = table @ (np.int32(1) << np.arange(N_AREAS, dtype=np.int32))
    return bits


def within_table(steps: Table) -> npt.NDArray[np.int32]:
    """[n, x]: bits of the areas less than n steps from area x, (N_AREAS + 1, N_AREAS).

    steps: between two areas, either way; -1 = no way.
    """
    rows = [bits_of((steps >= 0) & (steps < n)) for n in range(int(steps.max()) + 2)]
    return np.array(rows + rows[-1:] * (N_AREAS + 1 - len(rows)))


def _spread(board: Board, links: list[list[int]]) -> Table:
    """Fewest steps from row to column over `links`; -1 = none, also for areas that do not exist."""
    table = [[-1] * N_AREAS for _ in range(N_AREAS)]
    for start, steps in enumerate(table[: len(board.areas)]):
        steps[start] = 0
        queue = deque([start])
        while queue:
            x = queue.popleft()
            for y in links[x]:
                if steps[y] < 0:
                    steps[y] = steps[x] + 1
                    queue.append(y)
    return np.array(table, np.int16)


def range_table(board: Board) -> Table:
    """R7.22 - fewest line crossings without barrier, (N_AREAS, N_AREAS); -1 = no path."""
    return _spread(board, [board.open_neighbours(x) for x in range(len(board.areas))])


def melee_table(board: Board) -> Table:
    """Q42 - fewest steps over single lines with every area at one level; -1 = no such path."""
    links = [
        [
            y
            for y in board.open_neighbours(x)
            if board.edge(x, y) == Edge("single", board.edges[min(x, y), max(x, y)].height)
            and board.areas[x].level == board.areas[y].level
        ]
        for x in range(len(board.areas))
    ]
    return _spread(board, links)


def clear_lines(board: Board) -> list[Line]:
    """R7.24 - clear lines in both directions, in any order; the own area alone left out.

    They cross no barrier, and each height border has its higher side in an end of the line.
    """
    neither, needed = -1, dict[tuple[int, int], int]()  # ends of lines over borders, either way
    for (x, y), edge in board.edges.items():
        if edge.kind == "barrier" or edge.height:
            higher = x if board.areas[x].level > board.areas[y].level else y
            needed[x, y] = needed[y, x] = neither if edge.kind == "barrier" else higher
    clear = {
        line
        for line in board.lines
        if len(line) > 1
        and all(needed[pair] in (line[0], line[-1]) for pair in needed.keys() & pairwise(line))
    }
    return [*(clear | {line[::-1] for line in clear})]


def seen_areas(lines: list[Line], n_areas: int) -> npt.NDArray[np.int32]:
    """R7.24 - bits of the areas that each area sees, from clear lines; it sees itself (R7.26)."""
    seen = [1 << area if area < n_areas else 0 for area in range(N_AREAS)]
    for first, last in {(line[0], line[-1]) for line in lines}:
        seen[first] |= 1 << last
    return np.array(seen, np.int32)


def crossing_tables(board: Board, lines: list[Line]) -> tuple[Table, npt.NDArray[np.int32]]:
    """Q9 - the sets of areas that the clear lines of each pair cross, as area bits.

    -> where those of each pair begin, (N_PAIRS + 1,), and all of them, (N_CROSSINGS,).

    Ends are no part of a set; a set that holds another one is left out, since the attacker picks
    the line that avoids figures. Raises ValueError beyond N_CROSSINGS sets; of a drawing the
    DRAWN_CROSSINGS smallest sets of each pair are kept.
    """
    sets = {pair_of(a, a): {0} for a in range(len(board.areas))}
    for line in lines:
        if line[0] < line[-1]:
            bits = 0
            for area in line:
                bits |= 1 << area
            bits ^= 1 << line[0] | 1 << line[-1]
            sets.setdefault(pair_of(line[0], line[-1]), set()).add(bits)
    first, kept = [0], [0] * 0
    for pair in range(N_PAIRS):
        least = least_sets(sets.get(pair, ()))
        kept += least if board.exact else least[:DRAWN_CROSSINGS]
        first.append(len(kept))
    if len(kept) > N_CROSSINGS:
        raise ValueError(
            f"{len(kept)} different sight lines; at most {N_CROSSINGS}: simplify the map"
        )
    padded = kept + [0] * (N_CROSSINGS - len(kept))
    return np.array(first, np.int16), np.array(padded, np.int32)


def least_sets(sets: Collection[int]) -> list[int]:
    """The sets, as bits, that hold no other one: the smallest first, then the lowest number."""
    least: list[int] = []
    for bits in sorted(sets, key=lambda bits: (bits.bit_count(), bits)) if sets else ():
        if not any(part & bits == part for part in least):
            least.append(bits)
    return least


def pair_of(x: int, y: int) -> int:
    """The number of a pair of areas, in any order."""
    low, high = (x, y) if x < y else (y, x)
    return high * (high + 1) // 2 + low


def maximal_lines(lines: list[Line], longest: int = LINE_MAX) -> list[Line]:
    """R9.27 - clear lines cut to `longest` areas after the first, without prefixes of others.

    An area that a line crosses twice counts at the first crossing.
    """
    cut = sorted({tuple(dict.fromkeys(line))[: longest + 1] for line in lines})
    # where a line is a prefix, it is one of the next line
    return [line for line, after in pairwise([*cut, ()]) if after[: len(line)] != line]


def line_tables(lines: list[Line], n_areas: int) -> tuple[Table, npt.NDArray[np.int32]]:
    """First row per area (N_AREAS + 1,), and the areas of each line of `maximal_lines`, packed.

    Raises ValueError beyond N_LINES lines.
    """
    listed = maximal_lines(lines)
    if len(listed) > N_LINES:
        raise ValueError(f"{len(listed)} lines of sight; at most {N_LINES}: simplify the map")
    first = np.full(N_AREAS + 1, len(listed), np.int16)
    first[:n_areas] = [bisect_left(listed, (area,)) for area in range(n_areas)]
    table = [0] * N_LINES
    for row, line in enumerate(listed):
        packed = 0
        for area in line[:0:-1]:
            packed = packed << LINE_BITS | area + 1
        table[row] = packed
    return first, np.array(table, np.int32)
