"""What the generator reads, writes and works in."""

from enum import IntEnum

import numpy as np

from ..layout import (
    ATTACK,
    KIND,
    MAX_LINES_OF_HALF,
    N_DOORS,
    N_HEROES,
    N_MONSTER_CARDS,
    N_MONSTERS,
    N_ROOMS,
    N_TYPES,
    ROW,
)
from ..terms import Goal

I8, I16, I32, U64 = np.int8, np.int16, np.int32, np.uint64

N_OF_PACK = 64  # monsters of a pack, and templates that its cards use
MAX_COLUMNS, MAX_ROWS = 20, 16  # of a drawn map
PADDED = MAX_ROWS + 2  # cells of a column with one beyond either end
N_CELLS = (MAX_COLUMNS + 2) * PADDED
N_GOALS = len(Goal)


class Knob(IntEnum):
    """Columns of the knobs of a slot; content/knobs.py says what they mean."""

    ROOMS = 0  # at least, and at most in the next one
    SIDES = 2
    KINDS = 4
    LOOT = 6
    STRENGTH = 8
    ELITES = 9
    WALLS = 10
    OBSTACLES = 11
    HAZARDS = 12
    DIFFICULT = 13
    TRAPS = 14
    GOALS = 15  # a weight for each of terms.Goal


class Cell(IntEnum):
    """What a cell of a plan has; one thing each, as in a map drawn as text."""

    OUTSIDE = 0  # a wall
    FLOOR = 1
    DOOR = 2
    WALL = 3  # inside a room
    OBSTACLE = 4
    HAZARD = 5
    DIFFICULT = 6
    TRAP = 7
    START = 8
    EXIT = 9
    LOOT = 10
    MONSTER = 11


class Rank(IntEnum):
    """Which figure comes, as content/schema.py names them."""

    NONE = 0
    NORMAL = 1
    ELITE = 2


class Draws(IntEnum):
    """Random streams: one changed knob leaves what the others draw as it was."""

    NONE = 0  # see core/rng.py
    MAP = 1
    GOAL = 2
    MONSTERS = 3
    TERRAIN = 4


PART = np.dtype(
    [  # a monster of the pack at a level, its rows counted from 0
        ("cost", I16, (2,)),  # strength of a normal and of an elite figure
        ("kind", KIND),
        ("n_rows", I8),
        ("row", ROW, (N_MONSTER_CARDS * MAX_LINES_OF_HALF,)),
        ("n_templates", I8),
        ("template", I8, (N_MONSTER_CARDS * MAX_LINES_OF_HALF,)),  # of the library, as first used
    ],
    align=True,
)

LIBRARY = np.dtype(
    [  # a pack, for a party and a level
        ("first_row", I32),  # row of the contents that has the party, as if it met no monsters
        ("level", I16),
        ("n_summons", I16),  # kinds of the party
        ("n_rows", I16),  # of the party's cards
        ("n_templates", I16),  # of the party
        ("number", I8, (N_OF_PACK,)),  # by template: its number in the party's content; -1 = none
        ("template", ATTACK, (N_OF_PACK,)),
        ("n_monsters", I16),
        ("monster", PART, (N_OF_PACK,)),
    ],
    align=True,
)

ROOM = np.dtype(
    [  # a rectangle of cells
        ("column", I16),  # of its left end; before the map is cut out, it may be below 0
        ("row", I16),  # of its lower end
        ("width", I16),
        ("height", I16),
        ("parent", I16),  # the room on the other side of its door; room 0 has none
        ("door_column", I16),
        ("door_row", I16),
    ],
    align=True,
)

PLAN = np.dtype(
    [  # a drawn scenario. Places are cells, see rooms.py
        ("width", I8),
        ("height", I8),
        ("n_rooms", I8),  # rectangles
        ("room", ROOM, (N_ROOMS,)),
        ("cell", I8, (N_CELLS,)),  # Cell
        ("n_doors", I8),
        ("door", I16, (N_DOORS,)),  # door k leads to room k + 1
        ("n_monsters", I8),
        ("monster", I16, (N_MONSTERS,)),  # of the pack
        ("at", I16, (N_MONSTERS,)),
        ("rank", I8, (N_MONSTERS, N_HEROES)),  # Rank, by number of characters
        ("n_kinds", I8),  # different ones of these monsters
        ("kind", I16, (N_TYPES,)),  # in the order in which they are listed
        ("goal", I8),  # terms.Goal
        ("goal_amount", I16),
        ("last_round", I16),
    ],
    align=True,
)

WORK = np.dtype(
    [
        ("counters", U64, (len(Draws),)),
        ("plan", PLAN),
        ("away", I16, (N_CELLS,)),  # steps from the start; -1 = no way
        ("queue", I16, (N_CELLS,)),
        ("choice", I16, (N_TYPES,)),  # monsters to choose from
        ("kind_of", I8, (N_OF_PACK,)),  # by monster: its kind in the scenario; -1 = none yet
        ("number", I8, (N_OF_PACK,)),  # by template: its number in the scenario; -1 = none yet
        ("room_number", I8, (N_ROOMS,)),  # of CONTENT, by room of the plan
        ("left", I32, (N_HEROES,)),  # strength still to place, by number of characters
    ],
    align=True,
)

DRAWING = np.dtype([("library", LIBRARY), ("work", WORK)], align=True)  # of a thread
