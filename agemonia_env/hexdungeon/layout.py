"""Every record of the core: each field once, with its unit and its rule."""

import numpy as np

from .hexset import MOST_HEXES, N_WORDS
from .terms import Terrain

I16, I64, U8 = np.int16, np.int64, np.uint8
MOST_HEIGHT = 62  # a step is one shift of less than a word
MOST_LINES = 256  # wall lines of a board
MOST_CELLS = 12  # red hexes of a template
MOST_ENEMIES = 32  # of one figure
MOST_LAYERS = MOST_HEXES  # each has a hex
MOST_COVERS = 1024  # different sets of enemies that a template can cover
MOST_SETS = 1024  # sets of targets as good as each other
MOST_OUTCOMES = 1024
ALL_TARGETS = MOST_ENEMIES  # "Target all" (G5.11)
MOST_CARDS = 64  # of a modifier deck, blesses and curses included
MOST_EFFECTS = 4  # of a modifier card
HEXES = (np.uint64, (N_WORDS,))  # a set of hexes, see hexset.py
BY_DIRECTION = (np.uint64, (6, N_WORDS))  # a set of hexes for each direction
BY_HEX = (I16, (MOST_HEXES,))

BOARD = np.dtype(
    [  # width, height, terrain and lined are given, the rest follows from them (G3, G4)
        ("width", I16),  # columns
        ("height", I16),  # hexes of a column
        ("stride", I16),  # height + 1, see hexset.py
        ("n_walls", I16),  # wall hexes and closed doors
        ("n_lines", I16),  # wall lines
        ("terrain", np.uint64, (len(Terrain), N_WORDS)),  # hexes of each kind
        ("lined", *BY_DIRECTION),  # hexes with a wall line on that edge, on either side of it
        ("linked", *BY_DIRECTION),  # hexes with a neighbour there and no wall line between
        ("hexes", *HEXES),  # all of the board
        ("floor", *HEXES),  # those that are no wall (G4.2)
        ("column", *BY_HEX),  # q of each hex
        ("x", *BY_HEX),  # centre of each hex (G4.7)
        ("y", *BY_HEX),
        ("wall_x", *BY_HEX),  # centres of the walls, n_walls of them
        ("wall_y", *BY_HEX),
        ("line", I16, (MOST_LINES, 4)),  # ends of the wall lines: x, y, x, y
    ],
    align=True,
)

CARD = np.dtype(
    [  # a modifier card (G1)
        ("number", I16),  # added to the attack value, if its worth is PLUS
        ("worth", U8),  # terms.Worth
        ("rolling", U8),  # G1.13
        ("supplied", U8),  # a bless or curse: it leaves the deck when it is revealed (G1.10)
        ("effect", U8, (MOST_EFFECTS,)),  # terms.Effect, NONE where there are fewer
        ("amount", I16, (MOST_EFFECTS,)),  # of each effect, 0 where it has none
    ],
    align=True,
)

PILE = (I16, (MOST_CARDS,))  # places of cards in a deck
DECK = np.dtype(
    [  # a modifier deck (G1.2)
        ("n_pile", I16),  # cards of the draw pile
        ("n_discards", I16),
        ("n_drawn", I16),  # cards of the last draw
        ("shuffle", U8),  # the discards go back at the end of the round (G1.6)
        ("pile", *PILE),  # the draw pile, its top card last
        ("discards", *PILE),
        ("drawn", *PILE),  # in the order drawn
        ("applied", U8, (MOST_CARDS,)),  # those of them that apply (G2)
        ("card", CARD, (MOST_CARDS,)),
    ],
    align=True,
)

ATTACK = np.dtype(
    [  # an attack ability (G3, G5, G6)
        ("range", I16),  # 0 = melee
        ("targets", I16),  # "Target X", or ALL_TARGETS; without a template
        ("extra_targets", I16),  # "Add Target" on top of a template (G6.5)
        ("grey", U8),  # the template has a grey hex: melee, cells count from the own hex (G5.1)
        ("n_cells", I16),  # red hexes; 0 = no template
        ("cell", I16, (MOST_CELLS, 2)),  # q and r of each
        # follows from the template: every different orientation (G5.3)
        ("n_orientations", I16),
        ("orientation", I16, (12, MOST_CELLS, 2)),
    ],
    align=True,
)

FOE = np.dtype([("at", I16), ("initiative", I16)], align=True)  # its hex

TURN = np.dtype(
    [  # what a monster's turn depends on, beside the board (G13)
        ("actor", I16),  # its hex
        ("move", I16),  # movement points; 0 = none, or immobilized (G13.4)
        ("mode", U8),  # terms.Mode
        ("muddled", U8),  # G13.13
        ("attacks", U8),  # its card has an attack and it is not disarmed (G13.4)
        ("n_enemies", I16),  # those that it can see (G10.8)
        ("attack", ATTACK),
        ("enemy", FOE, (MOST_ENEMIES,)),
        ("allies", *HEXES),  # hexes of its allies
        ("unseen", *HEXES),  # hexes of invisible enemies, obstacles to it (G10.8)
    ],
    align=True,
)

LAYER = np.dtype(
    [  # hexes as good to reach as each other (G13.5)
        ("negative", I16),  # negative hexes entered on the way
        ("cost", I16),  # movement points
        ("hexes", *HEXES),
    ],
    align=True,
)
RANKED = np.dtype(
    [  # an enemy, in the order of G13.9
        ("enemy", I16),  # its place in the turn
        ("at", I16),  # its hex
        ("range", I16),  # from the monster's present hex; -1 = there is no way
        ("initiative", I16),
        ("equals", I64),  # enemies of the same rank, as bits (see rules/ranks.py)
        ("reach", *HEXES),  # hexes within the attack's range of it, seen or not
        ("aim", *HEXES),  # hexes from which a template may cover it; without one as `reach`
        ("bad", *HEXES),  # hexes from which the attack has a disadvantage to be avoided (G13.13)
    ],
    align=True,
)
COVER = np.dtype(
    [  # placements of a template that cover the same enemies
        ("enemies", I64),  # as bits, seen or not
        ("cells", *HEXES),  # all their red hexes: where a ranged one is anchored (G5.4)
    ],
    align=True,
)
TARGETS = np.dtype(
    [  # enemies that may be attacked together
        ("members", I64),  # as bits
        ("hexes", *HEXES),  # where from, the best alone (G13.10)
    ],
    align=True,
)
OUTCOME = np.dtype(
    [  # one way in which a turn may end
        ("attacked", I64),  # bit e = enemy e of the turn
        ("end", I16),  # hex
    ],
    align=True,
)

PLAN = np.dtype(
    [  # a monster's turn worked out: the outcomes, and what leads to them
        ("n_outcomes", I16),
        ("overflow", U8),  # a list was too short; the outcomes are not complete
        ("n_layers", I16),
        ("n_covers", I16),
        ("n_sets", I16),
        # what is least of all hexes from which the focus can be hit (G13.9)
        ("negative", I16),  # negative hexes entered
        ("reachable", U8),  # within this turn's movement
        ("disadvantage", U8),  # on the focus
        # of the sets of targets found so far (G13.9)
        ("best_size", I16),
        ("best_cost", I16),
        ("best_key", I64),
        ("outcome", OUTCOME, (MOST_OUTCOMES,)),
        ("layer", LAYER, (MOST_LAYERS,)),  # ways from the monster's hex, best first
        ("ranked", RANKED, (MOST_ENEMIES + 1,)),  # and a spare one, to sort with
        ("cover", COVER, (MOST_COVERS,)),
        ("set", TARGETS, (MOST_SETS,)),
        ("way", LAYER, (MOST_LAYERS,)),  # ways from a destination
        # for each hex, as bits: enemies whose sight from there is known, and those seen
        ("asked", I64, (MOST_HEXES,)),
        ("seen", I64, (MOST_HEXES,)),
    ],
    align=True,
)
