"""G12 - a figure's own move, hex by hex as its player has it."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from .. import hexset
from ..actions import Block
from ..hexset import EMPTY
from ..terms import Decision, Denial, Effect, Event, Mode, Proc, Side, Terrain
from . import terrain
from .board import beside, is_linked, neighbours
from .figures import asked_for, has, hexes_of_enemies, hexes_of_others, is_present
from .movement import may_end, may_enter


@kernel
def begin_denial(s, f):
    """G10.4, G10.6 - why a figure makes no move ability -> Denial."""
    if has(s, f, Effect.STUN):
        return Denial.STUNNED
    return Denial.IMMOBILIZED if has(s, f, Effect.IMMOBILIZE) else Denial.NONE


@kernel
def begin(s, f, points, mode):
    """G12.1 - a move with so many points, terms.Mode; a flying figure always flies (H20)."""
    move = s.move
    move.by = f
    move.points = points
    move.mode = Mode.FLY if s.figure[f].flying else mode
    move.entered = 0
    push(s, Proc.MOVE_STEP)


@kernel
def cost_of(s, mode, h):
    """G12.3, G12.6, G12.7 - points to enter a hex; for a jump without the one for its last hex."""
    return 2 if mode == Mode.WALK and terrain.is_terrain(s, Terrain.DIFFICULT, h) else 1


@kernel
def landing_cost(s, mode, h):
    """G12.6 - a point more if a jump ends on difficult terrain."""
    return 1 if mode == Mode.JUMP and terrain.is_terrain(s, Terrain.DIFFICULT, h) else 0


@kernel
def passable(s, f, mode):
    """G12.2, G12.6, G12.7, G12.9 - hexes that a figure may enter; doors are open to characters."""
    hexes = may_enter(s.board, mode, hexes_of_enemies(s, f))
    if s.figure[f].side == Side.HERO:
        hexes = hexset.union(hexes, hexset.of(s.board.terrain[Terrain.DOOR]))
    return hexes


@kernel
def places_to_end(s, f, mode):
    """G12.2 - hexes on which its move may end."""
    hexes = may_end(s.board, mode, hexes_of_others(s, f))
    if s.figure[f].side == Side.HERO:
        hexes = hexset.union(hexes, hexset.of(s.board.terrain[Terrain.DOOR]))
    return hexes


@kernel
def can_end(s, mode, h, points, enter, ends):
    """Whether a move that has come to hex h can end there, or on another hex with these points."""
    difficult = hexset.of(s.board.terrain[Terrain.DIFFICULT])
    due, soon, late = hexset.only(h), EMPTY, EMPTY
    for left in range(points, -1, -1):
        there = hexset.common(due, ends)
        if mode == Mode.JUMP and left == 0:
            there = hexset.without(there, difficult)
        if not hexset.is_empty(there):
            return True
        step = hexset.common(neighbours(s.board, due), enter)
        late = EMPTY
        if mode == Mode.WALK:
            late = hexset.common(step, difficult)
            step = hexset.without(step, difficult)
        due = hexset.union(soon, step)
        soon = late
    return False


@kernel
def step_denial(s, direction):
    """G12.1 to G12.10 - why a move cannot take a direction -> Denial."""
    f, mode = int(s.move.by), int(s.move.mode)
    return way_denial(s, direction, passable(s, f, mode), places_to_end(s, f, mode))


@kernel
def open_ways(s):
    """Bits of the directions that a move can take."""
    f, mode = int(s.move.by), int(s.move.mode)
    enter, ends = passable(s, f, mode), places_to_end(s, f, mode)
    bits = 0
    for direction in range(6):
        if way_denial(s, direction, enter, ends) == Denial.NONE:
            bits |= 1 << direction
    return bits


@kernel
def any_way(s):
    """Whether a move can take any direction."""
    f, mode = int(s.move.by), int(s.move.mode)
    enter, ends = passable(s, f, mode), places_to_end(s, f, mode)
    for direction in range(6):
        if way_denial(s, direction, enter, ends) == Denial.NONE:
            return True
    return False


@kernel
def way_denial(s, direction, enter, ends):
    """The same as step_denial, given the hexes that may be entered and those to end on."""
    move = s.move
    mode = int(move.mode)
    h = int(s.figure[move.by].at)
    if not is_linked(s.board, h, direction):
        return Denial.WALL
    there = beside(s.board, h, direction)
    if terrain.is_terrain(s, Terrain.WALL, there):
        return Denial.WALL
    if not hexset.has(enter, there):
        return Denial.BLOCKED
    left = move.points - cost_of(s, mode, there)
    if left < 0:
        return Denial.NO_POINTS
    if mode != Mode.JUMP and hexset.has(ends, there):  # no search, in seven of ten cases
        return Denial.NONE
    return Denial.NONE if can_end(s, mode, there, left, enter, ends) else Denial.NO_WAY_ON


@kernel
def end_denial(s):
    """G12.2, G12.6 - why a move cannot end where the figure is -> Denial."""
    move = s.move
    f, mode = int(move.by), int(move.mode)
    h = int(s.figure[f].at)
    if move.entered == 0:
        return Denial.NONE
    if not hexset.has(places_to_end(s, f, mode), h):
        return Denial.OCCUPIED
    return Denial.NO_POINTS if landing_cost(s, mode, h) > move.points else Denial.NONE


@kernel
def run_step(s, c):
    """G12.1, G12.4 - the next hex of a move; a trap may end it where it is."""
    move = s.move
    f = int(move.by)
    if answered(s):
        direction = take_answer(s)
        if s.block == Block.DONE:
            land(s, c, f)
            return
        there = beside(s.board, int(s.figure[f].at), direction)
        move.points -= cost_of(s, move.mode, there)
        push(s, Proc.MOVE_STEP)
        enter(s, c, f, there)
        return
    if not is_present(s, f) or (move.entered and begin_denial(s, f) != Denial.NONE):
        return  # dead, or stopped by a trap
    if move.points > 0 and any_way(s):
        ask(s, Proc.MOVE_STEP, Decision.STEP, asked_for(s, f), f)
        return
    land(s, c, f)


@kernel
def enter(s, c, f, h):
    """G12.4 to G12.7, G12.9 - a figure comes to the next hex of its own move (s.move)."""
    move = s.move
    move.entered += 1
    s.used_line = 1
    log(s, Event.MOVE, f, -1, h)
    terrain.arrive(s, c, f, h)
    if move.mode == Mode.WALK:
        terrain.spring(s, c, f)


@kernel
def land(s, c, f):
    """G12.6 - the last hex of a jump is entered as in normal movement."""
    if s.move.mode == Mode.JUMP and s.move.entered:
        terrain.spring(s, c, f)
