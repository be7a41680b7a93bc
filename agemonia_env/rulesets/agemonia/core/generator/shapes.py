"""What the generator reads, writes and works in."""

from enum import IntEnum

import numpy as np

from agemonia_env.core.mersenne import TWISTER

from ..layout import (
    CONTENT,
    FIGURE,
    N_ALLIES,
    N_AREAS,
    N_FIGURES,
    N_ITEM_KINDS,
    N_PAIRS,
    N_SETUP,
    N_TYPES,
)

F64, I8, I16, I32, I64, U8 = np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8

COLUMNS, ROWS = (3, 4, 5, 6), (2, 3, 4)  # blocks of a drawn map
N_BLOCKS = COLUMNS[-1] * ROWS[-1]
WAY_MAX = 11  # blocks of a way, and areas of a line: 5 bits each fit an int64
N_OF_PACK = 128  # cards of one kind in a pack
N_PARTS = 4 * N_OF_PACK
N_WAYS = 1411  # ways over the largest grid of blocks, and an end
N_LEADING = 32  # sets of areas that the lines of one pair cross, while they are collected
N_FROM = 96  # listed lines that begin in one area
N_FOUND = 4096  # places for the distinct lines of a map; a power of two
N_EVENTS = 6  # rounds in which something happens
N_NAMES = 900  # names of areas that there are


class Knob(IntEnum):
    """Columns of the knobs of a slot; content/knobs.py says what they mean."""

    COLUMNS = 0  # at least, and at most in the next one
    ROWS = 2
    TYPES = 4
    STRENGTH = 6
    ENEMIES = 7
    HILL = 8
    RIDGE = 9
    WALLS = 10
    NARROW = 11
    TRAPS = 12
    PORTALS = 13
    FINDS = 14
    ANY_HEROES = 15
    OBJECTIVES = 16  # a weight of each, by terms.Objective


PART = np.dtype(
    [  # one card of the pack compiled alone, as a row of contents; its effects begin at row 1
        ("n_tokens", I16),
        ("n_attacks", I16),
        ("n_strikes", I16),
        ("n_effects", I16),  # the one left out counts
        ("n_passives", I16),
        ("n_items", I16),  # named by it, with their numbers in the pack, as the next ones
        ("item", I16, (N_ITEM_KINDS,)),
        ("n_figures", I16),
        ("figure", I16, (N_FIGURES,)),
        ("n_types", I16),
        ("type", I16, (N_TYPES,)),
        ("n_allies", I16),
        ("ally", I16, (N_ALLIES,)),  # -1 = a Hero
    ],
    align=True,
)

LIBRARY = np.dtype(
    [  # what scenarios are drawn from, for one size of party, level and difficulty
        ("content", CONTENT),  # decks and rulings; everything else absent
        ("part", PART, (N_PARTS,)),  # Heroes, Enemies, items, Allies
        ("first_row", I64),  # of contents, that of part 0
        ("level", I16),
        ("n_party", I16),  # Heroes that play
        ("fixed", U8),  # they are given: the first parts
        ("n_heroes", I16),  # of the pack
        ("agility", I16, (N_OF_PACK,)),  # of each, in the order in which they are recommended
        ("n_enemies", I16),
        ("first_enemy", I16),  # part of Enemy 0
        ("cost", F64, (N_OF_PACK,)),  # strength of a figure
        ("is_boss", U8, (N_OF_PACK,)),
        ("is_elite", U8, (N_OF_PACK,)),
        ("moves", U8, (N_OF_PACK,)),
        ("size", I8, (N_OF_PACK,)),
        ("tough_base", I16, (N_OF_PACK,)),  # health of those placed at set-up
        ("tough_per_hero", I16, (N_OF_PACK,)),
        ("n_items", I16),
        ("first_item", I16),
        ("is_light", U8, (N_OF_PACK,)),  # an item that can be collected
        ("is_useful", U8, (N_OF_PACK,)),  # that lies on maps
        ("figure", FIGURE, (N_OF_PACK,)),  # tokens and pets
        ("n_allies", I16),
        ("first_ally", I16),
        ("summons", I16, (N_PARTS,)),  # by part: the Ally that its effects bring; -1 = none
        ("rounds", I16),  # added to the last round
    ],
    align=True,
)

LINKING = np.dtype(
    [  # rows in use, and the numbers that cards of the pack have in the scenario
        ("failed", U8),  # something does not fit: see compile.py for the reason
        ("token", I16),
        ("attack", I16),
        ("strike", I16),
        ("effect", I16),
        ("passive", I16),
        ("type_of", I16, (N_OF_PACK,)),
        ("item_of", I16, (N_OF_PACK,)),
        ("figure_of", I16, (N_OF_PACK,)),
        ("ally_of", I16, (N_OF_PACK,)),
        ("type", I16, (N_TYPES,)),
        ("item", I16, (N_ITEM_KINDS,)),
        ("figure", I16, (N_FIGURES,)),
        ("used", I8, (N_AREAS,)),  # capacity, at set-up
    ],
    align=True,
)

PLAN = np.dtype(
    [  # a drawn scenario. Enemies, items and Allies: their numbers in the pack
        ("columns", I8),
        ("rows", I8),
        ("cell", I8, (N_BLOCKS,)),  # area of each block; -1 = outside
        ("n_areas", I8),
        ("start", I8),
        ("goal", I8),  # the area farthest away
        ("level", I8, (N_AREAS,)),
        ("border", I8, (N_AREAS, N_AREAS)),  # Line, from the lower area to the higher
        ("distance", I8, (N_AREAS,)),  # steps on foot from the start
        ("capacity", I8, (N_AREAS,)),
        ("trap", U8, (N_AREAS,)),
        ("portal", U8, (N_AREAS,)),
        ("filled", I8, (N_AREAS,)),  # capacity used by Enemies
        ("n_at", I8, (N_AREAS,)),  # items lying there
        ("item_at", I16, (N_AREAS, 4)),
        ("hero", I16, (N_OF_PACK,)),  # parts, in the order in which they are recommended
        ("n_setup", I8),
        ("setup_type", I16, (N_SETUP,)),
        ("setup_area", I8, (N_SETUP,)),
        ("objective", I8),  # terms.Objective
        ("subject", I16),  # Enemy, item or Ally; -1 = none
        ("number", I8),
        ("goes_to", U8),  # the goal area counts
        ("last_round", I16),
        ("n_events", I8),
        ("round", I8, (N_EVENTS,)),
        ("reinforces", I16, (N_EVENTS,)),  # Enemy that comes to the goal; -1 = traps are set
        ("per_hero", U8),
        ("n_places", I8, (N_EVENTS,)),
        ("place", I8, (N_EVENTS, 3)),
        ("n_gates", I8),  # sections that are steps of the objective
        ("gate", I8, (3,)),
        ("gate_abilities", I8, (3,)),
        ("gate_number", I8, (3,)),
        ("linking", LINKING),
    ],
    align=True,
)

WORK = np.dtype(
    [
        ("twister", TWISTER),
        ("plan", PLAN),
        ("order", I64, (N_OF_PACK,)),  # things in a random order
        ("type", I64, (N_OF_PACK,)),  # Enemies that the scenario has
        ("queue", I64, (N_BLOCKS,)),
        ("seen", I8, (N_BLOCKS,)),
        ("pair", I8, (2 * N_BLOCKS, 2)),  # borders: pairs of areas that touch, in order
        ("found", I64, (N_FOUND,)),
        ("line", I64, (N_FOUND // 2,)),
        ("n_sets", I8, (N_PAIRS,)),
        ("set", I32, (N_PAIRS, N_LEADING)),
        ("n_from", I16, (N_AREAS,)),
        ("from_line", I32, (N_AREAS, N_FROM)),
    ],
    align=True,
)

DRAWING = np.dtype(
    [  # of a library and a thread
        ("library", LIBRARY),
        ("ways", I8, (len(COLUMNS) * len(ROWS), N_WAYS, WAY_MAX + 1)),  # of each grid; -1 at ends
        ("work", WORK),
    ],
    align=True,
)
