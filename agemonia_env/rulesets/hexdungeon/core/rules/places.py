"""G12.8 - empty hexes."""

from agemonia_env.core.jit import kernel

from .. import hexset
from ..terms import Terrain
from .board import neighbours
from .figures import all_hexes


@kernel
def empty_hexes(s):
    """G12.8 - hexes without a figure and without an overlay: obstacle, trap, hazard, loot ..."""
    hexes = hexset.without(hexset.of(s.board.floor), all_hexes(s))
    for kind in range(Terrain.OBSTACLE, Terrain.DIFFICULT + 1):
        hexes = hexset.without(hexes, hexset.of(s.board.terrain[kind]))
    return hexset.without(hexes, hexset.of(s.loot))


@kernel
def nearest_empty(s, h):
    """G12.8 - the empty hexes nearest to a hex of the floor, itself if it is one; by range."""
    empty, floor = empty_hexes(s), hexset.of(s.board.floor)
    reached = hexset.only(h)
    while True:
        found = hexset.common(reached, empty)
        further = hexset.union(reached, hexset.common(neighbours(s.board, reached), floor))
        if not hexset.is_empty(found) or hexset.is_empty(hexset.without(further, reached)):
            return found
        reached = further
