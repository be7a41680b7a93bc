"""The rules of the skirmish.

S1 - Fighters stand on the cells of a grid, one on each, and never on a wall. Heroes have the first
     N_HEROES slots, foes the others.
S2 - In a round every fighter has a turn, in the order of slots. In it, it takes up to `speed` steps
     to cells beside its own, and may strike or guard once, in any order.
S3 - A strike at a fighter of the other side within `range` cells (rows and columns added up) rolls
     `dice` dice of six. Each that shows at least the target's armour takes a hit point.
S4 - Guarding adds GUARD to the armour until the fighter's next turn.
S5 - A side without fighters has lost. After `last_round` the heroes have lost.
"""

from enum import IntEnum

import numpy as np

from agemonia_env.core.defaults import Stream
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.obs_encoding import scaled
from agemonia_env.core.rng import draw_below

N_HEROES, N_FIGHTERS = 4, 10
SIDE = 8  # most columns, and rows
N_CELLS = SIDE * SIDE
NOWHERE, NOBODY = -1, -1
DIE, GUARD = 6, 1
F32, I16 = np.float32, np.int16


class Block(IntEnum):
    """What an action names."""

    END = 0  # the turn
    GUARD = 1
    WALK = 2  # a Direction
    STRIKE = 3  # a fighter


class Direction(IntEnum):
    """Where a fighter walks."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


SIZES = (1, 1, len(Direction), N_FIGHTERS)
CHOICES = {Block.WALK: Direction}
COLUMNS, ROWS = np.array([0, 1, 0, -1]), np.array([-1, 0, 1, 0])  # by Direction


class Decision(IntEnum):
    """Questions."""

    NONE = 0
    ACT = 1  # what a fighter does next in its turn


class Denial(IntEnum):
    """Why an action is refused."""

    NONE = 0
    SCENARIO_ENDED = 1
    NOT_ASKED = 2
    TIRED = 3  # no step is left
    WALL = 4  # or the edge
    TAKEN = 5  # another fighter stands there
    DONE = 6  # it has struck or guarded in this turn
    FALLEN = 7  # no such fighter, or it has fallen
    FRIEND = 8
    TOO_FAR = 9


class Ending(IntEnum):
    """How a scenario ends."""

    NONE = 0
    FOES_FELL = 1
    HEROES_FELL = 2
    TIME = 3


class Event(IntEnum):
    """Rows of the event log: figure, amount, place, other."""

    CHOICE = 0
    WALK = 1  # figure comes to place
    STRIKE = 2  # figure strikes other for amount
    GUARD = 3
    FALL = 4


FIGHTER = np.dtype(
    [(name, I16) for name in ("health", "armour", "dice", "range", "speed", "cell")], align=True
)
CONTENT = np.dtype(
    [
        *((name, I16) for name in ("columns", "rows", "last_round", "n_heroes")),
        ("wall", np.uint8, (N_CELLS,)),
        ("fighter", FIGHTER, (N_FIGHTERS,)),  # health 0 = none
    ],
    align=True,
)
OWN_STATE = [
    ("turn", I16),  # slot of the fighter whose turn it is
    ("steps", I16),  # left in it
    ("done", I16),  # it has struck or guarded
    ("cell", I16, (N_FIGHTERS,)),  # NOWHERE = fallen
    ("health", I16, (N_FIGHTERS,)),
    ("guard", I16, (N_FIGHTERS,)),  # S4
]
SEEN = np.dtype(
    [  # a fighter; all 0 = none, or fallen
        ("here", F32),
        ("foe", F32),
        ("acts", F32),
        ("column", scaled(SIDE)),
        ("row", scaled(SIDE)),
        ("health", scaled(10)),
        ("armour", scaled(DIE)),
        ("dice", scaled(DIE)),
        ("range", scaled(SIDE)),
        ("speed", scaled(SIDE)),
        ("reached", F32),  # by a strike of the fighter that acts
    ]
)
OBS = np.dtype(
    [
        ("steps", scaled(SIDE)),
        ("done", F32),
        ("rounds_left", scaled(20)),
        ("blocked", F32, (len(Direction),)),  # the steps of the fighter that acts
        ("wall", F32, (N_CELLS,)),
        ("fighter", SEEN, (N_FIGHTERS,)),
    ]
)


# ---- the board ----------------------------------------------------------------------------------
@kernel
def is_foe(f):
    """S1."""
    return f >= N_HEROES


@kernel
def beside(c, cell, direction):
    """The cell in a direction; NOWHERE beyond the edge."""
    column = cell % SIDE + int(COLUMNS[direction])
    row = cell // SIDE + int(ROWS[direction])
    if 0 <= column < c.columns and 0 <= row < c.rows:
        return row * SIDE + column
    return NOWHERE


@kernel
def distance(a, b):
    """S3 - rows and columns between two cells."""
    return abs(a % SIDE - b % SIDE) + abs(a // SIDE - b // SIDE)


@kernel
def standing_at(s, cell):
    """Who stands on a cell; NOBODY."""
    for f in range(N_FIGHTERS):
        if s.cell[f] == cell:
            return f
    return NOBODY


# ---- legality -----------------------------------------------------------------------------------
@kernel
def refusal(s, c, block, k):
    """S2 - why an action is refused."""
    match block:
        case Block.GUARD:
            return Denial.DONE if s.done else Denial.NONE
        case Block.WALK:
            return walk_denial(s, c, s.turn, k)
        case Block.STRIKE:
            return strike_denial(s, c, s.turn, k)
        case _:
            return Denial.NONE  # the turn may end at any time


@kernel
def walk_denial(s, c, f, direction):
    """S1, S2 - why a fighter cannot walk there."""
    cell = beside(c, s.cell[f], direction)
    if s.steps <= 0:
        return Denial.TIRED
    if cell == NOWHERE or c.wall[cell]:
        return Denial.WALL
    return Denial.TAKEN if standing_at(s, cell) != NOBODY else Denial.NONE


@kernel
def strike_denial(s, c, f, target):
    """S3 - why a fighter cannot strike another."""
    if s.done:
        return Denial.DONE
    if s.cell[target] == NOWHERE:
        return Denial.FALLEN
    if is_foe(f) == is_foe(target):
        return Denial.FRIEND
    away = distance(s.cell[f], s.cell[target])
    return Denial.TOO_FAR if away > c.fighter[f].range else Denial.NONE


# ---- play ---------------------------------------------------------------------------------------
@kernel
def set_up(s, c):
    """S1, S2 - the first turn of the first round."""
    s.round = 1
    for f in range(N_FIGHTERS):
        s.health[f] = c.fighter[f].health
        s.cell[f] = c.fighter[f].cell if s.health[f] > 0 else NOWHERE
    s.turn = NOBODY
    begin_turn(s, c, 0)


@kernel
def begin_turn(s, c, f):
    """S2 - the turn of the first fighter from slot f on that stands, perhaps in a new round."""
    while s.ending == Ending.NONE:
        while f < N_FIGHTERS and s.cell[f] == NOWHERE:
            f += 1
        if f < N_FIGHTERS:
            s.turn, s.done, s.guard[f] = f, 0, 0
            s.steps = c.fighter[f].speed
            return
        f = 0
        s.round += 1
        if s.round > c.last_round:
            end(s, Ending.TIME)


@kernel
def end(s, ending):
    """S5 - the scenario ends."""
    s.ending = ending
    s.won = ending == Ending.FOES_FELL


@kernel
def answer(s, c):
    """S2 - carry an action out."""
    f, k = int(s.turn), int(s.answer)
    match s.block:
        case Block.WALK:
            s.cell[f] = beside(c, s.cell[f], k)
            s.steps -= 1
            log(s, Event.WALK, f, -1, s.cell[f])
        case Block.STRIKE:
            s.done = 1
            strike(s, c, f, k)
        case Block.GUARD:
            s.done = 1
            s.guard[f] = GUARD
            log(s, Event.GUARD, f, -1, -1)
        case _:
            begin_turn(s, c, f + 1)


@kernel
def strike(s, c, f, target):
    """S3 - roll the dice."""
    hits = 0
    for _ in range(c.fighter[f].dice):
        rolled = 1 + draw_below(s.chance, Stream.DICE, DIE)
        hits += rolled >= c.fighter[target].armour + s.guard[target]
    hits = min(hits, int(s.health[target]))
    log(s, Event.STRIKE, f, hits, -1, target)
    s.health[target] -= hits
    if is_foe(target):
        s.damage_dealt += hits
    else:
        s.damage_taken += hits
    if s.health[target] == 0:
        log(s, Event.FALL, target, -1, -1)
        s.cell[target] = NOWHERE
        s.n_exhausted += not is_foe(target)
        if nearest(s, f, 0) > 2 * SIDE:
            end(s, Ending.FOES_FELL if is_foe(target) else Ending.HEROES_FELL)


@kernel
def go_on(s, c):
    """S2 - ask the fighter whose turn it is; one with nothing left has had it."""
    while s.ending == Ending.NONE and s.done and s.steps == 0:
        begin_turn(s, c, s.turn + 1)
    if s.ending == Ending.NONE:
        s.decision, s.asked = Decision.ACT, s.turn


@kernel
def side_of(s):
    """Who is asked."""
    return 1 if is_foe(s.asked) else 0


# ---- what it is worth ---------------------------------------------------------------------------
@kernel
def nearest(s, f, cell):
    """How far the nearest fighter of the other side is from a cell; more than all if none is."""
    least = 2 * SIDE + 1
    for other in range(N_FIGHTERS):
        if s.cell[other] != NOWHERE and is_foe(other) != is_foe(f):
            least = min(least, distance(cell, s.cell[other]))
    return least


@kernel
def score(s, c, block, k):
    """Greedy play: strike the weakest in reach, come nearer, then guard."""
    f = int(s.turn)
    match block:
        case Block.STRIKE:
            return 100.0 - s.health[k]
        case Block.WALK:
            here, there = nearest(s, f, s.cell[f]), nearest(s, f, beside(c, s.cell[f], k))
            return 50.0 if there < here and here > c.fighter[f].range else -1.0
        case Block.GUARD:
            return 1.0
        case _:
            return 0.0


@kernel
def potential(s, c):
    """Health of the heroes less that of the foes."""
    worth = 0.0
    for f in range(N_FIGHTERS):
        worth += -s.health[f] if is_foe(f) else s.health[f]
    return worth / 100.0


# ---- what is seen -------------------------------------------------------------------------------
@kernel
def write_observation(s, c, o):
    """Everything on the table."""
    o.steps, o.done = s.steps, s.done
    o.rounds_left = min(127, c.last_round - s.round)
    for f in range(N_FIGHTERS):
        if s.cell[f] != NOWHERE:
            write_fighter(s, c, f, o.fighter[f])
    for direction in range(4):
        o.blocked[direction] = walk_denial(s, c, s.turn, direction) != Denial.NONE
    for cell in range(N_CELLS):
        o.wall[cell] = c.wall[cell]


@kernel
def write_fighter(s, c, f, o):
    """A fighter."""
    card = c.fighter[f]
    o.here, o.foe, o.acts = 1, is_foe(f), f == s.turn
    o.column, o.row = s.cell[f] % SIDE, s.cell[f] // SIDE
    o.health, o.armour = s.health[f], card.armour + s.guard[f]
    o.dice, o.range, o.speed = card.dice, card.range, card.speed
    o.reached = strike_denial(s, c, s.turn, f) == Denial.NONE
