"""What a hex means to a figure: steps to the objective, its nearest enemy, who may attack it there.

Found once for the hexes that the answers to one question lead to.
"""

import numpy as np

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import COMPILED, kernel, with_fields

from .. import hexset
from ..layout import FIRST_MONSTER, HEXES, MAX_HEXES, N_FIGURES
from ..rules.board import neighbours
from ..rules.distance import within
from ..rules.figures import enemies_of, has, hexes_of_enemies, hexes_of_others
from ..terms import Effect, Goal, Terrain

BASIC = 2  # points of the basic attack and the basic move, which a character always has

RECORD = np.dtype(
    [  # of one figure
        ("objective", np.int64, (MAX_HEXES,)),  # steps from a hex to the objective, + 1; 0 = no way
        ("enemy", np.int64, (MAX_HEXES,)),  # range to the nearest enemy, + 1; 0 = none
        ("n", np.int64),  # enemies that can attack
        ("reach", np.uint64, (N_FIGURES, hexset.N_WORDS)),  # hexes in move and range of each
        ("attack", np.int64, (N_FIGURES,)),  # its attack value
        ("enemies", *HEXES),
        ("allies", *HEXES),
    ],
    align=True,
)
EXPOSURE = RECORD if COMPILED else with_fields(RECORD)


@kernel
def prepare(s, c, f, hexes, exposure):
    """Find what some hexes mean to figure f."""
    enemies = hexes_of_enemies(s, f)
    hexset.keep(exposure.enemies, enemies)
    hexset.keep(exposure.allies, hexset.without(hexes_of_others(s, f), enemies))
    floor, doors = hexset.of(s.board.floor), hexset.of(s.board.terrain[Terrain.DOOR])
    enter = hexset.union(floor, doors)
    write_steps(s.board, enemies, enter, hexes, exposure.enemy)
    goals = hexset.EMPTY
    if f < FIRST_MONSTER:
        goals = objective_hexes(s, c)
        if not s.figure[f].flying:
            obstacles = hexset.of(s.board.terrain[Terrain.OBSTACLE])
            enter = hexset.without(enter, hexset.without(obstacles, hexes))
    write_steps(s.board, goals, enter, hexes, exposure.objective)
    find_threats(s, c, f, exposure)


@kernel
def objective_hexes(s, c):
    """Hexes to which the scenario sends the characters: exit, loot, or closed doors."""
    if c.goal == Goal.REACH:
        return hexset.of(c.exit)
    if c.goal == Goal.LOOT:
        return hexset.of(s.loot)
    return hexset.of(s.board.terrain[Terrain.DOOR])


@kernel
def write_steps(board, goals, enter, hexes, steps):
    """Steps from some hexes to the nearest goal, + 1, into steps[h]; 0 = there is no way."""
    rest = hexes
    while not hexset.is_empty(rest):
        h = hexset.lowest(rest)
        rest = hexset.without(rest, hexset.only(h))
        steps[h] = 0
    hexes = hexset.common(hexes, enter)
    reached, new, n = goals, goals, 0
    while not hexset.is_empty(new) and not hexset.is_empty(hexes):
        n += 1
        found = hexset.common(new, hexes)
        hexes = hexset.without(hexes, found)
        while not hexset.is_empty(found):
            h = hexset.lowest(found)
            found = hexset.without(found, hexset.only(h))
            steps[h] = n
        new = hexset.without(hexset.common(neighbours(board, new), enter), reached)
        reached = hexset.union(reached, new)


@kernel
def attack_of(s, c, f):
    """The attack value of a figure's stat card; a character's basic attack."""
    kind = s.figure[f].kind
    return int(c.kind[kind].stats[s.figure[f].elite].attack) if kind >= 0 else BASIC


@kernel
def reach_of(s, c, f):
    """How far away a figure attacks, by move and range of its stat card; a character's basic ones.

    0 = it cannot attack.
    """
    if has(s, f, Effect.DISARM) or has(s, f, Effect.STUN):
        return 0
    move, reach = BASIC, 1
    kind = s.figure[f].kind
    if kind >= 0:
        stats = c.kind[kind].stats[s.figure[f].elite]
        move, reach = int(stats.move), max(1, int(stats.range))
    return reach if has(s, f, Effect.IMMOBILIZE) else move + reach


@kernel
def find_threats(s, c, f, exposure):
    """Find the enemies of figure f, and the hexes that each may attack."""
    exposure.n = 0
    left = enemies_of(s, f)
    while left != 0:
        e = lowest(left)
        left &= left - 1
        reach = reach_of(s, c, e)
        if reach > 0:
            hexes = within(s.board, hexset.only(int(s.figure[e].at)), reach)
            hexset.keep(exposure.reach[exposure.n], hexes)
            exposure.attack[exposure.n] = attack_of(s, c, e)
            exposure.n += 1


@kernel
def threats_at(h, exposure):
    """Enemies that may attack a figure on hex h, and the sum of their values -> (n, damage)."""
    n = total = 0
    for k in range(exposure.n):
        if hexset.has(hexset.of(exposure.reach[k]), h):
            n += 1
            total += exposure.attack[k]
    return n, total
