"""Maps drawn as text: the hexes of each kind, the rooms, and mistakes in a drawing.

docs/hexdungeon-packs.md describes the drawing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agemonia_env.display.messages import shown

from ..core.hexset import MAX_HEXES
from ..core.layout import MAX_HEIGHT, N_DOORS, N_HEROES, N_ROOMS, N_TRAPS
from ..core.rules.board import STEP_Q, STEP_R
from ..core.terms import Terrain
from .schema import Scenario

Place = tuple[int, int]  # column and row
WALL, DOOR, OBSTACLE, HAZARD, DIFFICULT = "#+%~:"
FLOOR, OUTSIDE, TRAP, START, EXIT, LOOT = ". ^@>$"
TERRAIN = {
    WALL: Terrain.WALL,
    DOOR: Terrain.DOOR,
    OBSTACLE: Terrain.OBSTACLE,
    HAZARD: Terrain.HAZARD,
    DIFFICULT: Terrain.DIFFICULT,
}  # traps are listed one by one
SYMBOLS = (*TERRAIN, FLOOR, TRAP, START, EXIT, LOOT)


@dataclass(frozen=True)
class DrawnBoard:
    """A parsed map; places are in the order of the drawing, from the top left."""

    width: int
    height: int
    drawn: dict[Place, str]  # the symbol of every hex of the board
    lines: frozenset[tuple[Place, int]]  # wall lines, on the edge of a hex in a direction
    rooms: tuple[frozenset[Place], ...] = ()  # the first is the one where the characters start
    doors: dict[Place, int] = field(default_factory=dict)  # the room that each opens

    def places(self, symbol: str) -> list[Place]:
        """Hexes with a symbol."""
        return [place for place, drawn in self.drawn.items() if drawn == symbol]

    def number(self, place: Place) -> int:
        """The core's number of a hex, see hexset.py."""
        column, row = place
        return column * (self.height + 1) + row - column // 2

    def neighbours(self, place: Place) -> Iterator[Place]:
        """Neighbouring hexes that are no wall, without crossing a wall line."""
        for direction in range(len(STEP_Q)):
            there = step(place, direction)
            lined = {(place, direction), (there, (direction + 3) % 6)} & self.lines
            if not lined and self.drawn.get(there, WALL) != WALL:
                yield there

    def region(self, start: Place, closed: str = "") -> frozenset[Place]:
        """Hexes that one can walk to; `closed` are symbols that cannot be entered."""
        seen, queue = {start}, deque([start])
        while queue:
            for place in self.neighbours(queue.popleft()):
                if place not in seen and self.drawn[place] not in closed:
                    seen.add(place)
                    queue.append(place)
        return frozenset(seen)


def step(place: Place, direction: int) -> Place:
    """The hex one step on, on the board or not."""
    column, row = place
    q, r = column + STEP_Q[direction], row - column // 2 + STEP_R[direction]
    return q, r + q // 2


def read_map(card: Scenario) -> DrawnBoard:
    """The map of a scenario. Raises ValueError with every mistake, one a line."""
    plan = _drawn(card)
    problems = [*_symbol_problems(plan, card), *_line_problems(plan, card)]
    if problems:
        raise ValueError("\n".join(problems))
    plan = _with_rooms(plan)
    problems = list(_way_problems(plan))
    if problems:
        raise ValueError("\n".join(problems))
    return plan


def _drawn(card: Scenario) -> DrawnBoard:
    """The symbols of all hexes. Raises ValueError where the drawing is no grid of hexes."""
    ruler, *lines = [line.rstrip() for line in card.map.rstrip().split("\n")]
    digits = ruler.replace(" ", "")
    width, height = len(digits), len(lines) // 2
    if not digits or ruler != " ".join(str(q % 10) for q in range(width)):
        raise ValueError(
            f"map: the first line is {shown(ruler)}; it counts the columns, '0 1 2 3 ...', with "
            f"one space between them"
        )
    if len(lines) != 2 * height or not height:
        raise ValueError(
            f"map: {len(lines)} lines below the ruler; each row takes two, odd columns above"
        )
    if width * (height + 1) > MAX_HEXES or height > MAX_HEIGHT:
        raise ValueError(
            f"map: {width} columns and {height} rows are too large; columns * (rows + 1) may be "
            f"{MAX_HEXES}"
        )
    drawn, problems = {}, []
    for n, line in enumerate(lines):
        column_is_odd, row = n % 2 == 0, height - 1 - n // 2
        for x, symbol in enumerate(line):
            if symbol != OUTSIDE and (x % 2 or x // 2 >= width or (x // 2) % 2 != column_is_odd):
                kind = "odd" if column_is_odd else "even"
                problems.append(
                    f"map: line {n + 2}: {shown(symbol)} is not below one of the {kind} columns"
                )
        for q in range(column_is_odd, width, 2):
            symbol = line[2 * q : 2 * q + 1] or OUTSIDE
            drawn[q, row] = WALL if symbol == OUTSIDE else symbol
    if problems:
        raise ValueError("\n".join(problems))
    lines_of = [((line.column, line.row), line.edges) for line in card.wall_lines]
    edges = frozenset((place, edge) for place, edges in lines_of for edge in edges)
    return DrawnBoard(width, height, drawn, edges)


def _symbol_problems(plan: DrawnBoard, card: Scenario) -> Iterator[str]:
    """Symbols without a meaning, letters not drawn, too few or too many of something."""
    used = set(plan.drawn.values())
    known = [*SYMBOLS, *card.legend]
    for symbol in sorted(used - set(known)):
        yield f"map: {shown(symbol)} is not known; allowed: {' '.join(known)}"
    for letter in sorted(set(card.legend) - used):
        yield f"legend.{letter}: is not drawn"
    for letter, meaning in card.legend.items():
        if meaning.monster and len(plan.places(letter)) > 1:
            yield f"map: {letter} is a monster and drawn {len(plan.places(letter))} times"
    if len(plan.places(START)) != N_HEROES:
        yield f"map: {len(plan.places(START))} hexes {START} to start from; there are {N_HEROES}"
    if len(plan.places(DOOR)) > N_DOORS:
        yield f"map: {len(plan.places(DOOR))} doors; at most {N_DOORS}"
    letters = [letter for letter, meaning in card.legend.items() if meaning.trap]
    traps = sum(len(plan.places(symbol)) for symbol in (TRAP, *letters))
    if traps > N_TRAPS:
        yield f"map: {traps} traps; at most {N_TRAPS}"
    exits = len(plan.places(EXIT))
    if exits != 0 and card.goal.kind != "reach":
        yield f"goal: {card.goal.kind} has no use for hexes {EXIT} on the map; reach has"
    if exits < N_HEROES and card.goal.kind == "reach":
        yield f"map: {exits} hexes {EXIT} to reach; {N_HEROES} characters need one each"
    if len(plan.places(LOOT)) < card.goal.number and card.goal.kind == "loot":
        yield f"goal.number: {card.goal.number} tokens; {len(plan.places(LOOT))} {LOOT} on the map"
    if card.goal.kind == "survive" and card.last_round < card.goal.number:
        yield f"goal.number: {card.goal.number} rounds; the last one is {card.last_round}"


def _line_problems(plan: DrawnBoard, card: Scenario) -> Iterator[str]:
    """Wall lines off the board."""
    for n, line in enumerate(card.wall_lines):
        if (line.column, line.row) not in plan.drawn:
            yield (
                f"wall_lines[{n}]: {named((line.column, line.row))} is not on the map; columns 0 "
                f"to {plan.width - 1}, rows 0 to {plan.height - 1}"
            )


def _with_rooms(plan: DrawnBoard) -> DrawnBoard:
    """Rooms in the order in which doors lead to them from the start, and what each door opens."""
    rooms = [plan.region(plan.places(START)[0], closed=DOOR)]
    doors: dict[Place, int] = {}
    waiting = deque([0])
    while waiting:
        room = waiting.popleft()
        for door in plan.places(DOOR):
            if door in doors or not any(n in rooms[room] for n in plan.neighbours(door)):
                continue
            behind = [n for n in plan.neighbours(door) if not any(n in found for found in rooms)]
            if behind:
                rooms.append(plan.region(behind[0], closed=DOOR))
                waiting.append(len(rooms) - 1)
                doors[door] = len(rooms) - 1
            else:
                others = [k for k in range(len(rooms)) if k != room]
                beyond = [k for k in others if any(n in rooms[k] for n in plan.neighbours(door))]
                doors[door] = beyond[0] if beyond else room
    return DrawnBoard(plan.width, plan.height, plan.drawn, plan.lines, tuple(rooms), doors)


def _way_problems(plan: DrawnBoard) -> Iterator[str]:
    """Separated starts, doors that separate nothing, and unreachable hexes."""
    if not set(plan.places(START)) <= plan.rooms[0]:
        yield f"map: the hexes {START} lie in different rooms"
    if len(plan.rooms) > N_ROOMS:
        yield f"map: {len(plan.rooms)} rooms; at most {N_ROOMS}"
    joined: dict[int, set[int]] = {}
    for door, room in plan.doors.items():
        sides = {k for k, r in enumerate(plan.rooms) if any(n in r for n in plan.neighbours(door))}
        if len(sides) != 2:
            yield f"map: the door at {named(door)} joins {len(sides)} rooms; a door joins two"
        elif joined.setdefault(room, sides) != sides:
            yield (
                f"map: the door at {named(door)} opens a room that a door of another room opens, "
                f"too; rooms behind doors branch, but do not meet again"
            )
    reached = plan.region(plan.places(START)[0], closed=OBSTACLE)
    for place, symbol in plan.drawn.items():
        if symbol not in WALL + OBSTACLE and place not in reached:
            yield f"map: nobody can walk from the start to {named(place)}"


def named(place: Place) -> str:
    """A hex in words."""
    return f"column {place[0]}, row {place[1]}"


def fill(words: Any, numbers: Iterable[int]) -> None:
    """Write a set of hexes into a field of a record, see hexset.py."""
    for number in numbers:
        words[number >> 6] |= np.uint64(1 << (number & 63))
