"""G12 Movement and terrain: where a figure may go, and what it costs."""

from agemonia_env.core.jit import kernel

from .. import hexset
from ..hexset import EMPTY
from ..terms import Mode, Terrain
from .board import neighbours

FAR = 1 << 15  # points that no way costs


@kernel
def negative_hexes(board):
    """Traps and hazardous terrain."""
    return hexset.union(
        hexset.of(board.terrain[Terrain.TRAP]), hexset.of(board.terrain[Terrain.HAZARD])
    )


@kernel
def may_enter(board, mode, enemies):
    """G12.2, G12.6, G12.7 - hexes that may be passed on the way, doors being closed (G12.9)."""
    floor = hexset.of(board.floor)
    if mode != Mode.WALK:
        return floor
    obstacles = hexset.of(board.terrain[Terrain.OBSTACLE])
    return hexset.without(floor, hexset.union(obstacles, enemies))


@kernel
def may_end(board, mode, figures):
    """G12.2, G12.6, G12.7 - hexes on which a move may end; figures: hexes of all others."""
    free = hexset.without(hexset.of(board.floor), figures)
    if mode == Mode.FLY:
        return free
    return hexset.without(free, hexset.of(board.terrain[Terrain.OBSTACLE]))


@kernel
def add_layer(layers, n, negative, cost, hexes):
    """Note hexes, if there are any -> how many layers there are now."""
    if hexset.is_empty(hexes):
        return n
    layers[n].negative = negative
    layers[n].cost = cost
    hexset.keep(layers[n].hexes, hexes)
    return n + 1


@kernel
def write_ways(board, layers, start, enter, negative, difficult, most):
    """G12.1, G12.3, G13.5 - what it takes to come from a hex to every other, best first.

    enter: hexes that may be entered. Layers are in order of negative hexes entered, then of
    points. -> their number. A level is a number of negative hexes: the next one begins where a
    further negative hex is entered from this one. most: with it, or FAR, only layers without a
    negative hex that cost no more.
    """
    seen = EMPTY
    level, first, end = 0, 0, 0
    while level == 0 or (first < end and most == FAR):
        seen, n = write_level(
            board, layers, level, first, end, start, seen, enter, negative, difficult, most
        )
        level, first, end = level + 1, end, n
    return end


@kernel
def write_level(board, layers, level, first, end, start, seen, enter, negative, difficult, most):
    """The layers of one level, after those of the level before, layers[first:end].

    -> (hexes seen, number of layers)
    """
    n, cost, before = end, 0, first
    due = hexset.only(start) if level == 0 else EMPTY
    soon = EMPTY  # due one point later
    late = EMPTY  # two points later
    plain = hexset.without(enter, negative)
    while cost <= most and (before < end or not hexset.is_empty(hexset.union(due, soon))):
        fresh = hexset.without(due, seen)
        seen = hexset.union(seen, fresh)
        n = add_layer(layers, n, level, cost, fresh)
        late = EMPTY
        if not hexset.is_empty(fresh):
            step = hexset.common(neighbours(board, fresh), plain)
            soon = hexset.union(soon, hexset.without(step, difficult))
            late = hexset.common(step, difficult)
        if before < end and layers[before].cost == cost:
            step = neighbours(board, hexset.of(layers[before].hexes))
            step = hexset.common(step, hexset.common(enter, negative))
            soon = hexset.union(soon, hexset.without(step, difficult))
            late = hexset.union(late, hexset.common(step, difficult))
            before += 1
        due, soon = soon, late
        cost += 1
    return seen, n


@kernel
def write_jumps(board, layers, start, negative, difficult, most):
    """G12.6, G13.5 - the same for a jump, in which only the last hex counts as entered."""
    n = add_layer(layers, 0, 0, 0, hexset.only(start))
    for level in range(2 if most == FAR else 1):
        landing = hexset.without(hexset.of(board.floor), negative)
        if level == 1:
            landing = hexset.common(hexset.of(board.floor), negative)
        seen = hexset.only(start)
        fresh, cost = seen, 0
        late = EMPTY  # difficult hexes: a point more
        while cost < most and not hexset.is_empty(hexset.union(fresh, late)):
            cost += 1
            step = hexset.common(neighbours(board, fresh), hexset.of(board.floor))
            fresh = hexset.without(step, seen)
            seen = hexset.union(seen, fresh)
            landed = hexset.union(hexset.without(fresh, difficult), late)
            n = add_layer(layers, n, level, cost, hexset.common(landed, landing))
            late = hexset.common(fresh, difficult)
    return n
