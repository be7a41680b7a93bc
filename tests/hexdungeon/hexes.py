"""Boards and turns for tests, and slow obvious twins of the core's bit sets."""

import heapq

import numpy as np

from agemonia_env.rulesets.hexdungeon.cases.position import boards_of
from agemonia_env.rulesets.hexdungeon.cases.schema import Board
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.hexset import MAX_HEXES

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def board(width=16, height=7, lines=(), **terrain):
    """A board as a case has it; terrain: wall=[(6, 1)], ..."""
    walls = [(tuple(place), direction) for place, direction in lines]
    return Board(id="test", width=width, height=height, terrain=terrain, thin_walls=walls)


class Twin:
    """A board by dictionaries and sets."""

    def __init__(self, case):
        self.hexes = set(case.hexes())
        self.walls = set(case.terrain.get("wall", []))
        self.floor = self.hexes - self.walls
        self.terrain = case.terrain
        self.lines = {self.edge(place, direction) for place, direction in case.thin_walls}

    @staticmethod
    def edge(place, direction):
        """An edge by the two hexes that share it."""
        dq, dr = DIRECTIONS[direction]
        return frozenset((place, (place[0] + dq, place[1] + dr)))

    def neighbours(self, place):
        """Floor one step away, across no wall line."""
        for direction, (dq, dr) in enumerate(DIRECTIONS):
            there = place[0] + dq, place[1] + dr
            if there in self.floor and self.edge(place, direction) not in self.lines:
                yield there

    def ranges(self, start):
        """Range to every hex that can be reached, by breadth."""
        found, border = {start: 0}, [start]
        for here in border:
            for there in self.neighbours(here):
                if there not in found:
                    found[there] = found[here] + 1
                    border.append(there)
        return found


def core_ranges(case, start):
    """The same from the core."""
    out = np.zeros(MAX_HEXES, np.int16)
    api.ranges(boards_of([case]), 0, case.number(start), out)
    found = {place: int(out[case.number(place)]) for place in case.hexes()}
    return {place: n for place, n in found.items() if n >= 0}


def blocked(case):
    """Pairs of floor hexes that do not see each other, from the core."""
    names = {case.number(place): place for place in case.hexes()}
    out = np.zeros((MAX_HEXES * MAX_HEXES // 2, 2), np.int16)
    n, _ = api.write_blocked(boards_of([case]), 0, out)
    return {frozenset((names[a], names[b])) for a, b in out[:n].tolist()}


def ways(case, start):
    """{hex: (negative hexes, points)} where a monster at `start` may end, by Dijkstra (G13.5)."""
    twin, mode = Twin(case), case.action.mode
    kinds = {kind: set(case.terrain.get(kind, [])) for kind in ("obstacle", "difficult")}
    negative = {*case.terrain.get("trap", []), *case.terrain.get("hazard", [])}
    enemies = {enemy.at for enemy in case.enemies}
    barred = (kinds["obstacle"] | enemies) - {case.actor}

    def toll(place):
        return place in negative, 1 + (place in kinds["difficult"])

    best = {start: (0, 0)}
    border = [((0, 0), start)]
    while border:
        (entered, points), here = heapq.heappop(border)
        for there in twin.neighbours(here):
            if mode == "walk" and there in barred:
                continue
            step = toll(there) if mode == "walk" else (0, 1)
            cost = entered + step[0], points + step[1]
            if cost < best.get(there, (99, 0)):
                best[there] = cost
                heapq.heappush(border, (cost, there))
    if mode == "jump":
        for place, (_, points) in best.items():
            if place != start:
                best[place] = int(toll(place)[0]), points - 1 + toll(place)[1]
    taken = enemies | {*case.allies}
    if mode != "fly":
        taken |= kinds["obstacle"] - {start}
    return {place: cost for place, cost in best.items() if place not in taken}
