"""G12 - moves on random boards against a slow twin: where they may end, and single paths."""

import heapq
import random

import pytest

from agemonia_env.rulesets.hexdungeon.cases import queries
from agemonia_env.rulesets.hexdungeon.cases.case import QUESTIONS, RuleCase
from agemonia_env.rulesets.hexdungeon.cases.rule_runner import Trial
from agemonia_env.rulesets.hexdungeon.cases.steps import Step
from agemonia_env.rulesets.hexdungeon.cases.world import Table

STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
SHARES = {"wall": 0.1, "obstacle": 0.12, "difficult": 0.15, "hazard": 0.1, "door": 0.06}
SIDES = {"brute": "hero", "mage": "hero", "wolf": "summon", "rat": "monster", "imp": "monster"}


class Twin:
    """A random position, and moves on it worked out hex by hex."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        width, height = self.chance.randint(4, 6), self.chance.randint(4, 5)
        self.hexes = [(q, row - q // 2) for q in range(width) for row in range(height)]
        self.terrain = {kind: set() for kind in SHARES}
        free = []
        for place in self.hexes:
            kind = next((k for k, share in SHARES.items() if self.chance.random() < share), None)
            (free.append if kind is None else self.terrain[kind].add)(place)
        self.lines = [(self.chance.choice(self.hexes), self.chance.randrange(6)) for _ in range(3)]
        self.closed = {frozenset((place, beside(place, d))) for place, d in self.lines}
        self.at = dict(zip(SIDES, self.chance.sample(free, len(SIDES)), strict=True))
        given = {
            "id": "random",
            "board": {
                "width": width,
                "height": height,
                "terrain": {kind: sorted(hexes) for kind, hexes in self.terrain.items()},
                "thin_walls": self.lines,
            },
            "figures": {
                name: {"side": side, "hp": 99, "at": self.at[name]} for name, side in SIDES.items()
            },
        }
        self.case = RuleCase.model_validate(given, strict=False)

    def may_pass(self, name, mode, place):
        """G12.2, G12.6, G12.7, G12.9, G12.10"""
        door = place in self.terrain["door"] and SIDES[name] != "hero"
        if place not in self.hexes or place in self.terrain["wall"] or door:
            return False
        enemies = {
            self.at[k] for k in SIDES if (SIDES[k] == "monster") != (SIDES[name] == "monster")
        }
        return mode != "walk" or not (place in enemies or place in self.terrain["obstacle"])

    def may_end(self, name, mode, place):
        """G12.2, G12.6, G12.7"""
        others = {at for k, at in self.at.items() if k != name}
        return place not in others and (mode == "fly" or place not in self.terrain["obstacle"])

    def cost(self, mode, place):
        """G12.3"""
        return 2 if mode == "walk" and place in self.terrain["difficult"] else 1

    def landing(self, mode, place):
        """G12.6"""
        return 1 if mode == "jump" and place in self.terrain["difficult"] else 0

    def ends(self, name, mode):
        """Fewest points for every hex on which a move may end."""
        start = self.at[name]
        costs, due = {start: 0}, [(0, start)]
        while due:
            points, here = heapq.heappop(due)
            for there in (beside(here, d) for d in range(6)):
                total = points + self.cost(mode, there)
                open_to = frozenset((here, there)) not in self.closed
                if open_to and self.may_pass(name, mode, there) and total < costs.get(there, 999):
                    costs[there] = total
                    heapq.heappush(due, (total, there))
        ends = {
            h: n + self.landing(mode, h) for h, n in costs.items() if self.may_end(name, mode, h)
        }
        return ends | {start: 0}

    def allows(self, name, mode, points, path):
        """Whether a move may go along a path and end there."""
        here = self.at[name]
        for there in path:
            if frozenset((here, there)) in self.closed or not self.may_pass(name, mode, there):
                return False
            points -= self.cost(mode, there)
            here = there
        return points >= self.landing(mode, here) and self.may_end(name, mode, here)

    def path(self, name):
        """A few random steps."""
        path = [self.at[name]]
        for _ in range(self.chance.randint(1, 4)):
            path.append(beside(path[-1], self.chance.randrange(6)))
        return path[1:]


def beside(place, direction):
    return place[0] + STEPS[direction][0], place[1] + STEPS[direction][1]


@pytest.mark.parametrize("seed", range(20))
def test_moves_are_those_of_a_slow_twin(seed):
    twin = Twin(seed)
    for name in SIDES:
        for mode in ("walk", "jump", "fly"):
            points = twin.chance.randint(1, 5)
            asked = QUESTIONS["reachable"](by=name, move=points, mode=mode)
            found = queries.ANSWERS["reachable"](Table(twin.case), asked)
            assert set(found) == {h for h, n in twin.ends(name, mode).items() if n <= points}
            path = twin.path(name)
            step = {"move": {"by": name, "points": points, "mode": mode, "path": path}}
            taken = Trial(twin.case).take(0, Step.model_validate(step), "")
            assert taken == twin.allows(name, mode, points, path), path
