"""G12 - what happens to a figure on the hex that it enters, by its own move or a forced one."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import push

from .. import hexset
from ..layout import GROUND
from ..terms import Denial, Event, Proc, Side, Source, Terrain
from . import condition, harm, rooms
from .board import neighbours
from .figures import is_present, put_on, touch
from .places import empty_hexes, nearest_empty


@kernel
def is_terrain(s, kind, h):
    """Whether a hex is of a kind of terrain now."""
    return hexset.has(hexset.of(s.board.terrain[kind]), h)


@kernel
def set_terrain(s, kind, h, there):
    """A hex becomes of a kind of terrain that is no wall, or ceases to be."""
    touch(s, GROUND)
    words = s.board.terrain[kind]
    if there:
        hexset.keep(words, hexset.union(hexset.of(words), hexset.only(h)))
    else:
        hexset.keep(words, hexset.without(hexset.of(words), hexset.only(h)))


@kernel
def trap_damage(c):
    """G12.4 - "damage" of a trap."""
    return 2 + c.level


@kernel
def hazard_damage(c):
    """G12.5 - of each hazardous hex entered."""
    return (2 + c.level) // 2


@kernel
def arrive(s, c, f, h):
    """G12.9 - a figure comes to a hex; a character opens the closed door there."""
    put_on(s, f, h)
    if s.figure[f].side == Side.HERO and is_terrain(s, Terrain.DOOR, h):
        log(s, Event.DOOR, f, -1, h)
        rooms.open_door(s, c, h)


@kernel
def spring(s, c, f):
    """G9.5, G12.4, G12.5 - a figure that does not fly has entered its hex: trap, then hazard.

    Each is a source of damage of its own, settled before the figure moves on.
    """
    h = int(s.figure[f].at)
    hazard = is_terrain(s, Terrain.HAZARD, h)
    if not is_terrain(s, Terrain.TRAP, h):
        if hazard:
            harm.begin(s, f, hazard_damage(c), Source.HAZARD, -1)
        return
    if hazard:
        s.sprung = f
        push(s, Proc.HAZARD)
    set_terrain(s, Terrain.TRAP, h, False)
    log(s, Event.TRAP, f, -1, h)
    for k in range(len(s.trap)):
        trap = s.trap[k]
        if trap.at == h:
            trap.at = -1
            condition.gain_all(s, f, trap.conditions)
            harm.begin(s, f, int(trap.damage), Source.TRAP, -1)
            return


@kernel
def run_hazard(s, c):
    """G12.5 - hazardous terrain under a trap."""
    if is_present(s, s.sprung):
        harm.begin(s, s.sprung, hazard_damage(c), Source.HAZARD, -1)


# ---- obstacles -----------------------------------------------------------------------------------
@kernel
def obstacle_denial(s, h):
    """G12.11 - why an obstacle cannot be placed on a hex -> Denial."""
    if not hexset.has(empty_hexes(s), h):
        return Denial.OCCUPIED
    doors = hexset.of(s.board.terrain[Terrain.DOOR])
    walkable = hexset.union(hexset.of(s.board.floor), doors)
    walkable = hexset.without(walkable, hexset.of(s.board.terrain[Terrain.OBSTACLE]))
    before = connected(s, hexset.only(h), walkable)
    after = hexset.without(before, hexset.only(h))
    if hexset.is_empty(after):
        return Denial.NONE
    reached = connected(s, hexset.only(hexset.lowest(after)), after)
    cut_off = not hexset.is_empty(hexset.without(after, reached))
    return Denial.CUTS_OFF if cut_off else Denial.NONE


@kernel
def connected(s, start, among):
    """Hexes that can be walked to from some, all among a set."""
    reached = start
    while True:
        step = hexset.common(neighbours(s.board, reached), among)
        further = hexset.without(step, reached)
        if hexset.is_empty(further):
            return reached
        reached = hexset.union(reached, further)


# ---- flight lost ---------------------------------------------------------------------------------
@kernel
def lose_flight(s, c, f):
    """G12.8 - a figure flies no more; on an obstacle it is hurt and goes to an empty hex."""
    s.figure[f].flying = 0
    touch(s, f)
    if is_terrain(s, Terrain.OBSTACLE, int(s.figure[f].at)):
        s.actor = f
        push(s, Proc.LANDING)
        harm.begin(s, f, trap_damage(c), Source.TRAP, -1)


@kernel
def landing_hexes(s, f):
    """G12.8 - the empty hexes nearest to a figure, by range."""
    return nearest_empty(s, int(s.figure[f].at))


@kernel
def landing_denial(s, h):
    """G12.8 - why a figure that has lost flight cannot go to a hex -> Denial."""
    there = hexset.has(landing_hexes(s, s.actor), h)
    return Denial.NONE if there else Denial.NOT_NEAREST
