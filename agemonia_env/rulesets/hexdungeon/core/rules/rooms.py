"""G12.9 - doors, and the monsters behind them."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from .. import hexset
from ..layout import FIRST_MONSTER, GROUND, N_FIGURES
from ..terms import Event, Phase, Side, Terrain
from . import monster_cards
from .board import list_walls
from .figures import figure_at, give_stats, put_on, touch
from .places import nearest_empty


@kernel
def open_door(s, c, h):
    """G12.9 - a closed door becomes a plain hex; the room behind it is revealed."""
    touch(s, GROUND)
    words = s.board.terrain[Terrain.DOOR]
    hexset.keep(words, hexset.without(hexset.of(words), hexset.only(h)))
    list_walls(s.board)
    for k in range(c.n_doors):
        if c.door[k] == h:
            reveal(s, c, int(c.door_room[k]))


@kernel
def reveal(s, c, room):
    """G12.9, H11 - the monsters of a room come on the board, once.

    In a round under way a type without a card turns one, and the monsters act in this round:
    in order of initiative, those whose initiative is past next.
    """
    bit = 1 << room
    if s.rooms & bit:
        return
    s.rooms |= bit
    for k in range(c.n_spawns):
        spawn = c.spawn[k]
        if spawn.room == room:
            s.left -= room > 0
            place_monster(s, c, int(spawn.kind), int(spawn.elite), int(spawn.at))
            if s.phase == Phase.TURNS:
                monster_cards.turn_card(s, c, int(spawn.kind))


@kernel
def free_slot(s):
    """A slot for a monster; -1 = the board holds no more."""
    for f in range(FIRST_MONSTER, N_FIGURES):
        if s.figure[f].at < 0:
            return f
    return -1


@kernel
def place_monster(s, c, kind, elite, h):
    """A monster comes on a hex, or the nearest empty one, with the next number of its type.

    -> its slot; -1 = there is no room for it, and it does not come.
    """
    if figure_at(s, h) >= 0:
        h = hexset.lowest(nearest_empty(s, h))
    f = free_slot(s)
    if f < 0 or h < 0:
        return -1
    figure = s.figure[f]
    give_stats(figure, c.kind[kind].stats[elite])
    figure.side = Side.MONSTER
    put_on(s, f, h)
    figure.kind = kind
    figure.elite = elite
    figure.owner = -1
    figure.fresh = 0
    s.acted &= ~(1 << int(f))
    figure.initiative = 0
    s.type[kind].standees += 1
    figure.standee = s.type[kind].standees
    log(s, Event.SPAWN, f, kind, h)
    return f
