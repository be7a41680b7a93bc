"""G9 Push and pull."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from .. import hexset
from ..actions import Block
from ..hexset import EMPTY
from ..terms import Decision, Denial, Event, Mode, Proc, Side
from . import terrain
from .board import STEP_Q, STEP_R, beside, column_of, is_linked, neighbours
from .distance import is_nearer, open_range, range_between
from .figures import asked_for, hexes_of_enemies, hexes_of_others, is_present, put_on
from .movement import may_enter


@kernel
def begin(s, by, target, amount, pull, optional):
    """G9.1, G9.7 - a figure, whatever ails it, is to be moved `amount` hexes from or to `by`."""
    forced = s.force
    forced.by = by
    forced.target = target
    forced.left = amount
    forced.pull = pull
    forced.begun = not optional
    push(s, Proc.FORCE_STEP)


@kernel
def leads_on(s, here, there):
    """G9.1 - whether a range is one that the forced move may come to next."""
    if s.force.pull:
        return 0 <= there < here
    return there > here >= 0


@kernel
def enterable(s):
    """G9.4, G9.6 - hexes through which the target may be moved."""
    target = int(s.force.target)
    mode = Mode.FLY if s.figure[target].flying else Mode.WALK
    return may_enter(s.board, mode, hexes_of_enemies(s, target))


@kernel
def can_finish(s, h, left):
    """G9.4 - whether a figure moved on from hex h can come to a free one with `left` more hexes."""
    forced = s.force
    own = s.figure[forced.by].at
    among = enterable(s)
    taken = hexes_of_others(s, forced.target)
    reached = hexset.only(h)
    for _ in range(left):
        step = hexset.common(neighbours(s.board, reached), among)
        nearer = EMPTY
        while not hexset.is_empty(step):
            there = hexset.lowest(step)
            step = hexset.without(step, hexset.only(there))
            if leads_on(s, range_between(s.board, own, h), range_between(s.board, own, there)):
                nearer = hexset.union(nearer, hexset.only(there))
        if hexset.is_empty(nearer):
            return False
        if not hexset.is_empty(hexset.without(nearer, taken)):
            return True
        reached = nearer
        h = hexset.lowest(nearer)
    return False


@kernel
def is_open(s, direction):
    """G9.1, G9.4, G9.6 - whether the target may really be moved a hex in a direction."""
    forced = s.force
    h = int(s.figure[forced.target].at)
    if not is_linked(s.board, h, direction):
        return False
    there = beside(s.board, h, direction)
    if not hexset.has(enterable(s), there):
        return False
    own = s.figure[forced.by].at
    near, far = (there, h) if forced.pull else (h, there)
    if not is_nearer(s.board, own, near, far):
        return False
    if not hexset.has(hexes_of_others(s, forced.target), there):
        return True
    return can_finish(s, there, forced.left - 1)


@kernel
def is_any_open(s):
    """G9.2 - whether there is a legal next hex."""
    for direction in range(6):
        if is_open(s, direction):
            return True
    return False


@kernel
def is_any_blocked(s):
    """G9.3 - whether there is a blocked direction that may be chosen."""
    for direction in range(6):
        if step_denial(s, direction) == Denial.NONE:
            return True
    return False


@kernel
def step_denial(s, direction):
    """G9.1 to G9.3 - why a push or pull cannot take a direction, blocked or not -> Denial."""
    forced = s.force
    if is_open(s, direction):
        return Denial.NONE
    h, own = int(s.figure[forced.target].at), int(s.figure[forced.by].at)
    if hexset.has(hexes_of_others(s, forced.target), h):
        return Denial.OCCUPIED  # it cannot stop here
    refused = Denial.NOT_NEARER if forced.pull else Denial.NOT_FARTHER
    there = beside(s.board, h, direction) if is_linked(s.board, h, direction) else -1
    if there >= 0 and hexset.has(hexset.of(s.board.floor), there):
        here, ahead = range_between(s.board, own, h), range_between(s.board, own, there)
    else:  # a wall or the rim: as on an open board
        q = column_of(s.board, h)
        r = int(h - q * s.board.stride)
        here = open_range(s.board, own, q, r)
        ahead = open_range(s.board, own, q + STEP_Q[direction], r + STEP_R[direction])
    return Denial.NONE if leads_on(s, here, ahead) else refused


@kernel
def no_denial(s):
    """G9.3 - why a push or pull cannot be declined: it has begun and leads on -> Denial."""
    return Denial.NOT_OPTIONAL if s.force.begun and is_any_open(s) else Denial.NONE


@kernel
def run_step(s, c):
    """G9.2, G9.3, G9.5, G9.9 - the next hex of a push or pull, as the attacker's player has it."""
    forced = s.force
    target = int(forced.target)
    if answered(s):
        direction = take_answer(s)
        if s.block == Block.NO:
            return
        forced.begun = 1
        if not is_open(s, direction):  # a blocked direction ends it
            return
        forced.left -= 1
        push(s, Proc.FORCE_STEP)
        enter(s, c, target, beside(s.board, int(s.figure[target].at), direction))
        return
    if forced.left <= 0 or not is_present(s, target) or not is_present(s, forced.by):
        return
    # a position built by hand may name a blocked direction where no other is left
    if is_any_open(s) or (s.plain and is_any_blocked(s)):
        ask(s, Proc.FORCE_STEP, Decision.FORCE, player_of(s), target)


@kernel
def player_of(s):
    """G9.9 - who chooses: the player of the figure that pushes, or of one pushed by a monster."""
    by = int(s.force.by)
    return asked_for(s, s.force.target if s.figure[by].side == Side.MONSTER else by)


@kernel
def enter(s, c, f, h):
    """G9.5, G9.6 - a figure is moved to a hex; what lies there takes effect if it does not fly."""
    put_on(s, f, h)
    log(s, Event.FORCED, f, -1, h)
    if not s.figure[f].flying:
        terrain.spring(s, c, f)
