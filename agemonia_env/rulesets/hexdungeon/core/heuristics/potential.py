"""How well the characters stand, for shaped rewards (core/shaping.py)."""

from agemonia_env.core import shaping
from agemonia_env.core.bitset import size
from agemonia_env.core.jit import kernel

from .. import hexset
from ..layout import FIRST_MONSTER, N_FIGURES, N_HEROES
from ..rules.board import neighbours
from ..rules.figures import is_present, monsters
from ..terms import Ending, Goal, Terrain

FAR = 16  # steps from which the way to the goal counts nothing
FOUGHT = 0.8  # share of Goal.DEFEAT for beating monsters, beside opening their rooms


@kernel
def potential(s, c):
    """How well the characters stand, in [-1, 1], 0 at a finished state."""
    if s.ending != Ending.NONE:
        return 0.0
    hp, full = 0, 0
    for h in range(N_HEROES):
        hp += s.figure[h].hp if is_present(s, h) else 0
        full += s.figure[h].max_hp
    beaten = health_beaten(s, c)
    return shaping.weighted(hp / max(1, full), goal_progress(s, c, beaten), beaten)


@kernel
def health_beaten(s, c):
    """Share of the hit points of all monsters that is beaten; those behind doors are not."""
    left, full = 0, 0
    for k in range(c.n_spawns):
        spawn = c.spawn[k]
        hp = c.kind[spawn.kind].stats[spawn.elite].hp
        full += hp
        if not (int(s.rooms) >> int(spawn.room)) & 1:
            left += hp
    for f in range(FIRST_MONSTER, N_FIGURES):
        if is_present(s, f):
            left += s.figure[f].hp
    return 1.0 - min(1.0, left / max(1, full))


@kernel
def goal_progress(s, c, beaten):
    """Share of the goal achieved; the way to its next part counts a little."""
    match c.goal:
        case Goal.SURVIVE:
            return shaping.rounds_held(s, c.goal_amount)
        case Goal.LOOT:
            loot = hexset.of(s.loot)
            near = near_door(s) if hexset.is_empty(loot) else nearness(s, loot, 1)
            return shaping.share(s.n_loot, near, c.goal_amount)
        case Goal.REACH:
            left = n_heroes(s)
            return nearness(s, hexset.of(c.exit), left) / max(1, left)
        case _:
            closed = c.n_rooms - 1  # as the scenario begins
            if closed <= 0:
                return beaten
            opened = shaping.share(size(int(s.rooms)) - 1, near_door(s), closed)
            return FOUGHT * beaten + (1.0 - FOUGHT) * opened


@kernel
def n_heroes(s):
    """How many characters are on the board."""
    n = 0
    for h in range(N_HEROES):
        n += is_present(s, h)
    return n


@kernel
def near_door(s):
    """How near the nearest character is to a closed door, once no monster is on the board."""
    doors = hexset.of(s.board.terrain[Terrain.DOOR])
    if monsters(s) != 0 or hexset.is_empty(doors):
        return 0.0
    return nearness(s, doors, 1)


@kernel
def nearness(s, goals, n):
    """How near the n characters nearest to some hexes are to them, added up.

    Around walls and obstacles and through closed doors; figures do not block.
    """
    standing = hexset.EMPTY
    for h in range(N_HEROES):
        if is_present(s, h):
            standing = hexset.union(standing, hexset.only(int(s.figure[h].at)))
    way = hexset.union(hexset.of(s.board.floor), hexset.of(s.board.terrain[Terrain.DOOR]))
    way = hexset.without(way, hexset.of(s.board.terrain[Terrain.OBSTACLE]))
    now, found, total = goals, 0, 0.0
    for steps in range(FAR):
        here = hexset.common(now, standing)
        if not hexset.is_empty(here):
            there = min(n - found, hexset.size(here))
            found += there
            total += there * shaping.nearness(steps, FAR)
        way = hexset.without(way, now)
        now = hexset.common(neighbours(s.board, now), way)
        if found >= n or hexset.is_empty(now):
            break
    return total
