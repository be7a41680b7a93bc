"""G13 word for word: every hex, every set of targets, the least of all. Slow and obvious."""

import itertools

from tests.hexdungeon.hexes import DIRECTIONS, Twin, blocked, ways

NEVER = 999


class MonsterTwin:
    """A monster turn; `outcomes` is the answer."""

    def __init__(self, case):
        self.case, self.twin = case, Twin(case)
        self.attack = case.action.attack
        self.area = self.attack.area if self.attack else None
        self.unseen = blocked(case)
        self.ranges = {place: self.twin.ranges(place) for place in self.twin.floor}
        self.enemies = [enemy.at for enemy in case.enemies]
        self.ways = ways(case, case.actor)

    # ---- attacks --------------------------------------------------------------------------------
    @property
    def ranged(self):
        melee = self.attack is None or self.attack.range == 0
        return not melee and not (self.area and self.area.origin == "self")

    def sees(self, a, b):
        return frozenset((a, b)) not in self.unseen

    def within(self, h, e):
        """Range and line of sight (G13.6)."""
        reach = self.attack.range if self.ranged else 1
        return self.ranges[h].get(e, NEVER) <= reach and self.sees(h, e)

    def wall_range(self, h, place):
        """G5.5 - range to a hex that may be a wall."""
        if place in self.twin.floor:
            return self.ranges[h].get(place, NEVER)
        if place not in self.twin.walls:
            return NEVER
        beside = [there for there in self.twin.floor if place in self.around(there)]
        return min((self.ranges[h].get(there, NEVER) + 1 for there in beside), default=NEVER)

    def around(self, place):
        """Hexes one step away across no wall line, walls too."""
        for direction, (dq, dr) in enumerate(DIRECTIONS):
            there = place[0] + dq, place[1] + dr
            if there in self.twin.hexes and self.twin.edge(place, direction) not in self.twin.lines:
                yield there

    def placements(self, h):
        """Every placement from hex h, as a set of hexes (G5.1 to G5.5)."""
        for cells in orientations(self.area.hexes):
            if self.area.origin == "self":
                yield {(h[0] + q, h[1] + r) for q, r in cells}
                continue
            shifts = {(e[0] - q, e[1] - r) for e in self.enemies for q, r in cells}
            for dq, dr in shifts:
                placed = {(q + dq, r + dr) for q, r in cells}
                if any(self.wall_range(h, place) <= self.attack.range for place in placed):
                    yield placed

    def covers(self, h):
        """The enemies that each placement from hex h hits, where it hits any (G5.6)."""
        hit = {
            frozenset(e for e in self.enemies if e in placed and self.sees(h, e))
            for placed in self.placements(h)
        }
        return hit - {frozenset()}

    def sets(self, h):
        """All sets of targets that one use of the attack may hit from hex h, as large as may be."""
        near = frozenset(e for e in self.enemies if self.within(h, e))
        if self.area is None:
            n = 1 if self.attack is None else self.attack.targets
            covers, further = {frozenset()}, len(near) if n == "all" else n
        else:
            covers, further = self.covers(h), self.attack.extra_targets
        for covered in covers:
            rest = near - covered
            for added in itertools.combinations(rest, min(further, len(rest))):
                if covered or added:
                    yield covered | frozenset(added)

    # ---- G13.7 ----------------------------------------------------------------------------------
    def rank(self, e):
        near = self.ranges[self.case.actor].get(e, NEVER)
        return near, self.case.enemies[self.enemies.index(e)].initiative

    def focuses(self):
        pairs = {}
        for h, cost in self.ways.items():
            if self.area:
                candidates = {e for covered in self.covers(h) for e in covered}
            else:
                candidates = {e for e in self.enemies if self.within(h, e)}
            for e in candidates:
                pairs[h, e] = (cost, self.rank(e))
        return {e for (_, e), key in pairs.items() if key == min(pairs.values())}

    # ---- G13.9 to G13.12 ------------------------------------------------------------------------
    def worse(self, h, e):
        """G13.13."""
        return self.ranged and not self.case.action.muddled and self.ranges[h].get(e) == 1

    def order(self, members):
        """G13.9 - less = more members of rank 1, then of rank 2, ..."""
        ranks = sorted({self.rank(e) for e in self.enemies})
        return [-sum(self.rank(e) == rank for e in members) for rank in ranks]

    def outcomes(self):
        focuses = self.focuses()
        if not focuses:
            return {(self.case.actor, frozenset())}
        return {outcome for f in focuses for outcome in self.outcomes_with(f)}

    def outcomes_with(self, f):
        found = []
        for h, (negative, cost) in self.ways.items():
            late = cost > self.case.action.move
            for members in self.sets(h):
                if f in members:
                    kind = negative, late, self.worse(h, f)
                    found.append((kind, (-len(members), cost, self.order(members)), h, members))
        best = min(found, key=lambda row: row[:2])
        chosen = {row[3] for row in found if row[:2] == best[:2]}
        found = [row for row in found if row[0] == best[0] and row[3] in chosen]

        def hex_key(row):
            return sum(self.worse(row[2], e) for e in row[3]), self.ways[row[2]][1]

        least = min(map(hex_key, found))
        for (_, late, _), _, h, members in found:
            if hex_key((0, 0, h, members)) != least:
                continue
            if late:
                yield from ((end, frozenset()) for end in self.nearest(h))
            else:
                yield h, members if self.attack else frozenset()

    def nearest(self, destination):
        """G13.12 - hexes to end on for a destination out of reach."""
        keys = {}
        for h, (negative, cost) in self.ways.items():
            if cost <= self.case.action.move:
                entered, left = ways(self.case, h)[destination]
                keys[h] = negative + entered, left, cost
        return {h for h, key in keys.items() if key == min(keys.values())}


def orientations(hexes):
    """All rotations of a template and of its mirror image (G5.3)."""
    for cells in (hexes, [(r, q) for q, r in hexes]):
        for _ in range(6):
            cells = [(-r, q + r) for q, r in cells]
            yield cells
