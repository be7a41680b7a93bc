"""G12.9 - doors."""

from ...kernel.jit import kernel
from .. import hexset
from ..terms import Terrain
from .board import list_walls


@kernel
def open_door(s, c, h):
    """G12.9 - a closed door becomes a plain hex."""
    words = s.board.terrain[Terrain.DOOR]
    hexset.keep(words, hexset.without(hexset.of(words), hexset.only(h)))
    list_walls(s.board)
