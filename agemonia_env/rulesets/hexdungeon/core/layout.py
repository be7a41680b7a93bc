"""Every record of the core: each field once, with its unit and its rule."""

import numpy as np

from agemonia_env.core.event_log import N_COLUMNS

from .hexset import MAX_HEXES, N_WORDS
from .terms import N_STREAMS, Effect, Terrain

I8, I16, I32, I64, U8 = np.int8, np.int16, np.int32, np.int64, np.uint8
MAX_HEIGHT = 62  # a step is one shift of less than a word
MAX_LINES = 256  # wall lines of a board
MAX_CELLS = 12  # red hexes of a template
MAX_ENEMIES = 32  # of one figure
MAX_LAYERS = MAX_HEXES  # each has a hex
MAX_COVERS = 1024  # different sets of enemies that a template can cover
MAX_SETS = 1024  # sets of targets as good as each other
MAX_OUTCOMES = 1024
ALL_TARGETS = MAX_ENEMIES  # "Target all" (G5.11)
MAX_CARDS = 64  # of a modifier deck, blesses and curses included
MAX_EFFECTS = 4  # of a modifier card
HEXES = (np.uint64, (N_WORDS,))  # a set of hexes, see hexset.py
BY_DIRECTION = (np.uint64, (6, N_WORDS))  # a set of hexes for each direction
BY_HEX = (I16, (MAX_HEXES,))

BOARD = np.dtype(
    [  # width, height, terrain and lined are given, the rest follows from them (G3, G4)
        ("width", I16),  # columns
        ("height", I16),  # hexes of a column
        ("stride", I16),  # height + 1, see hexset.py
        ("share", I32),  # 2 ** 16 / (2 * height + 1), to divide by what two columns hold
        ("n_walls", I16),  # wall hexes and closed doors
        ("n_lines", I16),  # wall lines
        ("terrain", np.uint64, (len(Terrain), N_WORDS)),  # hexes of each kind
        ("lined", *BY_DIRECTION),  # hexes with a wall line on that edge, on either side of it
        ("linked", *BY_DIRECTION),  # hexes with a neighbour there and no wall line between
        ("hexes", *HEXES),  # all of the board
        ("floor", *HEXES),  # those that are no wall (G4.2)
        ("wall_x", *BY_HEX),  # centres of the walls, n_walls of them
        ("wall_y", *BY_HEX),
        ("line", I16, (MAX_LINES, 4)),  # ends of the wall lines: x, y, x, y
    ],
    align=True,
)

CARD = np.dtype(
    [  # a modifier card (G1)
        ("number", I16),  # added to the attack value, if its worth is PLUS
        ("worth", U8),  # terms.Worth
        ("rolling", U8),  # G1.13
        ("supplied", U8),  # a bless or curse: it leaves the deck when it is revealed (G1.10)
        ("effect", U8, (MAX_EFFECTS,)),  # terms.Effect, NONE where there are fewer
        ("amount", I16, (MAX_EFFECTS,)),  # of each effect, 0 where it has none
    ],
    align=True,
)

PILE = (U8, (MAX_CARDS,))  # places of cards in a deck
DECK = np.dtype(
    [  # a modifier deck (G1.2)
        ("n_pile", I16),  # cards of the draw pile
        ("n_discards", I16),
        ("n_drawn", I16),  # cards of the last draw
        ("n_own", I16),  # cards of the deck as it was made; blesses and curses come behind them
        ("shuffle", U8),  # the discards go back at the end of the round (G1.6)
        ("pile", *PILE),  # the draw pile, its top card last
        ("discards", *PILE),
        ("drawn", *PILE),  # in the order drawn
        ("applied", U8, (MAX_CARDS,)),  # those of them that apply (G2)
        ("card", CARD, (MAX_CARDS,)),
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
        ("cell", I8, (MAX_CELLS, 2)),  # q and r of each
        # follows from the template: every different orientation (G5.3)
        ("n_orientations", I16),
        ("orientation", I8, (12, MAX_CELLS, 2)),
    ],
    align=True,
)

FOE = np.dtype(
    [
        ("figure", I16),  # its slot, in a game
        ("at", I16),  # its hex
        ("initiative", I16),
    ],
    align=True,
)

TURN = np.dtype(
    [  # what a monster's turn depends on, beside the board (G13)
        ("actor", I16),  # its hex
        ("move", I16),  # movement points; 0 = none, or immobilized (G13.4)
        ("mode", U8),  # terms.Mode
        ("muddled", U8),  # G13.13
        ("attacks", U8),  # its card has an attack and it is not disarmed (G13.4)
        ("n_enemies", I16),  # those that it can see (G10.8)
        ("attack", ATTACK),
        ("enemy", FOE, (MAX_ENEMIES,)),
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
        ("equals", I64),  # enemies of the same rank, as bits (see rules/target_order.py)
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
        ("turn", TURN),  # of a figure in play; that of a case is a record of its own
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
        ("outcome", OUTCOME, (MAX_OUTCOMES,)),
        ("layer", LAYER, (MAX_LAYERS,)),  # ways from the monster's hex, best first
        ("ranked", RANKED, (MAX_ENEMIES + 1,)),  # and a spare one, to sort with
        ("cover", COVER, (MAX_COVERS,)),
        ("set", TARGETS, (MAX_SETS,)),
        ("way", LAYER, (MAX_LAYERS,)),  # ways from a destination
        # for each hex, as bits: enemies whose sight from there is known, and those seen; hexes
        # not in `looked` are unknown, and their entries are stale
        ("looked", *HEXES),
        ("asked", I64, (MAX_HEXES,)),
        ("seen", I64, (MAX_HEXES,)),
    ],
    align=True,
)

# ---- the game ------------------------------------------------------------------------------------
N_HEROES = 4
N_SUMMONS = 8
N_MONSTERS = 19
N_FIGURES = N_HEROES + N_SUMMONS + N_MONSTERS  # slots, in this order; a set of them is an int32
FIRST_SUMMON = N_HEROES
FIRST_MONSTER = N_HEROES + N_SUMMONS
# Bits of all slots, and of those of each kind
FIGURES = (1 << N_FIGURES) - 1
HEROES = (1 << FIRST_SUMMON) - 1
SUMMONS = (1 << FIRST_MONSTER) - (1 << FIRST_SUMMON)
MONSTERS = (1 << N_FIGURES) - (1 << FIRST_MONSTER)
N_HAND = 16  # ability cards of a character
N_ACTIVE = 24  # cards in the active areas of all characters
N_DECKS = 1 + N_HEROES  # that of the monsters, and one for each character (G1.2)
N_TYPES = 8  # of monsters in a scenario
N_KINDS = 16  # monster and summon types
N_MONSTER_CARDS = 8  # of an ability deck
MAX_LINE_EFFECTS = 8  # of a line
MAX_LINES_OF_HALF = 6  # of half a card, or a monster's card
N_ROWS = 320  # lines of all cards
N_BONUSES = 48
N_TEMPLATES = 24
N_TRAPS = 24
N_DOORS = 8
N_ROOMS = 9  # the first is open from the beginning
N_SPAWNS = 64
MAX_REACH = 8  # of retaliate
MOST_RETALIATE = 255  # of a round: a uint8, and more than any figure's hit points
N_SPACES = 8  # of a tracked bonus
MAX_TIES = 64  # outcomes of a monster's turn among which the players choose
DEPTH = 48  # of the task stack
N_LOG = 64  # rows of the event log kept between two tasks
N_CONDITIONS = Effect.STRENGTHEN + 1  # by terms.Effect; the first is none
N_ELEMENTS = 6
# Bits of what was written to (STATE.touched): figure f is bit f
ACTIVES = N_FIGURES  # cards in the active areas
TYPES = ACTIVES + 1  # ability decks of monster types
PILES = TYPES + 1  # modifier deck d: this bit + d
GROUND = PILES + N_DECKS  # terrain or loot
HANDS = GROUND + 1  # obs_spec.HAND of character h: this bit + h
SUPPLY = 10  # of blesses, and of curses of either kind (G1.12)

ROW = np.dtype(
    [  # a line of a card: an ability
        ("op", U8),  # terms.Op
        ("mode", U8),  # terms.Mode, of a move
        ("serves", U8),  # terms.Serve
        ("advantages", U8),  # instances on every target
        ("disadvantages", U8),
        ("amount", I8),  # on a monster's card added to the figure's own
        ("range", I8),  # 0 = melee, or self; on a monster's card that of the figure
        ("targets", I8),  # "Target X", or ALL_TARGETS; 0 as 1, on a monster's card the figure's
        ("extra_targets", I8),  # instances of "Add Target"
        ("pierce", I8),
        ("template", I8),  # of the content; -1 = none
        ("bonus", I8),  # of the content; -1 = none
        ("kind", I8),  # of a summon; -1 = none
        ("xp", I8),  # experience, if the line was used
        ("effect", U8, (MAX_LINE_EFFECTS,)),  # terms.Effect in order, NONE where there are fewer
        ("effect_amount", I8, (MAX_LINE_EFFECTS,)),
    ],
    align=True,
)

HALF = np.dtype(
    [
        ("first", I16),  # its first line
        ("n_rows", I16),
        ("loss", U8),  # the loss symbol (G14.3)
        ("xp", I16),
    ],
    align=True,
)

ABILITY_CARD = np.dtype(
    [  # of a character
        ("initiative", I16),
        ("half", HALF, (2,)),  # top, bottom
    ],
    align=True,
)

BONUS = np.dtype(
    [  # an active bonus (G11)
        ("round", U8),  # a round bonus; otherwise persistent (G11.2)
        ("trigger", U8),  # terms.Trigger
        ("only", U8),  # terms.Only
        ("serves", U8),  # terms.Serve: SELF, ALLIES, PARTY
        ("negate", U8),  # the source of damage (G11.8)
        ("spaces", I16),  # 0 = not tracked
        ("attack", I16),  # added to the attack value (G7.2)
        ("advantages", I16),
        ("disadvantages", I16),
        ("pierce", I16),
        ("conditions", I32),  # bits of terms.Effect, on attacks made
        ("shield", I16),
        ("retaliate", I16),
        ("retaliate_range", I16),
        ("xp", I16, (N_SPACES,)),  # when the token leaves each space (G11.6)
    ],
    align=True,
)

MONSTER_CARD = np.dtype(
    [
        ("initiative", I16),
        ("shuffle", U8),  # the deck is shuffled at the end of the round
        ("first", I16),  # its first line
        ("n_rows", I16),
    ],
    align=True,
)

STATS = np.dtype(
    [  # of a monster, normal or elite, or of a summon
        ("hp", I16),
        ("move", I16),
        ("attack", I16),
        ("range", I16),  # 0 = melee
        ("targets", I16),  # of its attacks; 1 = one
        ("pierce", I16),
        ("shield", I16),
        ("retaliate", I16),
        ("retaliate_range", I16),
        ("conditions", I32),  # bits of terms.Effect, on every attack
        ("immune", I32),  # bits of terms.Effect
        ("flying", U8),
        ("advantages", U8),
    ],
    align=True,
)

KIND = np.dtype(
    [  # a type of monsters, or of summons
        ("stats", STATS, (2,)),  # normal, elite
        ("n_cards", I16),
        ("card", MONSTER_CARD, (N_MONSTER_CARDS,)),
    ],
    align=True,
)

HERO_SHEET = np.dtype(
    [
        ("hp", I16),
        ("n_cards", I16),
        ("start", I16),  # hex
        ("hero_class", I16),  # of the pack, for the observation
        ("card", ABILITY_CARD, (N_HAND,)),
        ("initiative", I16, (N_HAND,)),
    ],
    align=True,
)

TRAP = np.dtype(
    [
        ("at", I16),  # hex; -1 = sprung, or none
        ("damage", I16),
        ("conditions", I32),  # bits of terms.Effect
    ],
    align=True,
)

SPAWN = np.dtype(
    [
        ("kind", I16),
        ("elite", U8),
        ("room", I16),
        ("at", I16),  # hex
    ],
    align=True,
)

CONTENT = np.dtype(
    [  # a scenario with its characters and monsters, for a number of characters and a level
        ("level", I16),  # L
        ("goal", U8),  # terms.Goal
        ("goal_amount", I16),
        ("last_round", I16),  # the scenario is lost after it
        ("n_heroes", I16),
        ("n_types", I16),  # of monsters: kinds 0 to n_types - 1
        ("n_rooms", I16),
        ("n_doors", I16),
        ("n_spawns", I16),
        ("n_traps", I16),
        ("basic_attack", I16),  # rows: Attack 2 and Move 2 (G14.2)
        ("basic_move", I16),
        ("door", I16, (N_DOORS,)),  # hexes
        ("door_room", I16, (N_DOORS,)),  # opened by each
        ("exit", *HEXES),
        ("loot", *HEXES),  # hexes with a loot token
        ("deck", CARD, (MAX_CARDS,)),  # the standard modifier cards (G1.1)
        ("n_deck", I16),
        ("trap", TRAP, (N_TRAPS,)),
        ("spawn", SPAWN, (N_SPAWNS,)),
        ("hero", HERO_SHEET, (N_HEROES,)),
        ("kind", KIND, (N_KINDS,)),
        ("bonus", BONUS, (N_BONUSES,)),
        ("row", ROW, (N_ROWS,)),
        ("template", ATTACK, (N_TEMPLATES,)),  # only grey, cells and orientations are read
        ("board", BOARD),  # as the scenario begins, settled
    ],
    align=True,
)

FIGURE = np.dtype(
    [
        ("at", I16),  # hex; -1 = not on the board
        ("hp", I16),
        ("max_hp", I16),
        ("side", U8),  # terms.Side
        ("flying", U8),
        ("elite", U8),
        ("fresh", U8),  # it came in this round (G13.2)
        ("dead", U8),
        ("exhausted", U8),
        ("condition", U8, (N_CONDITIONS,)),  # turn ends left (G10.11); poison, wound: 1 = held
        ("loot", U8),  # tokens taken
        ("immune", I32),  # bits of terms.Effect (G10.14)
        ("kind", I16),  # of the content; -1 = a character
        ("standee", I16),  # number of a monster
        ("owner", I16),  # the summoner's slot; -1
        ("order", I16),  # of summoning
        ("initiative", I16),  # this round; 0 = not known yet
        ("second", I16),  # initiative of a character's second card
        ("shield", I16),  # standing, the sum
        ("round_shield", I16),  # until the end of the round
        ("retaliate", U8, (MAX_REACH + 1,)),  # standing, by range
        ("round_retaliate", U8, (MAX_REACH + 1,)),
        ("xp", I16),
    ],
    align=True,
)

HERO = np.dtype(
    [  # what a character has beside its figure; three words
        ("place", U8, (N_HAND,)),  # terms.Place of each ability card
        ("lead", I16),  # cards chosen for the round; -1 = none
        ("second", I16),
        ("resting", I16),  # a long rest
        ("used", I16),  # bits: 4 * card + terms.Half
    ],
    align=True,
)

ACTIVE = np.dtype(
    [  # a card in an active area (G11.20)
        ("owner", I16),  # slot of the character
        ("card", I16),
        ("bonus", I16),  # of the content; -1 = none, it keeps a summon
        ("token", I16),  # space of the token, from 1 on; 0 = not tracked
        ("loss", U8),  # it counts as lost, otherwise as discarded (G11.12)
        ("served", I32),  # bits of figures
        ("summon", I16),  # the figure it keeps in play; -1 = none
    ],
    align=True,
)

TYPE = np.dtype(
    [  # a monster type in play
        ("n_pile", I16),
        ("n_discards", I16),
        ("card", I16),  # turned this round; -1 = none
        ("shuffle", U8),
        ("pile", U8, (N_MONSTER_CARDS,)),  # its top card last
        ("discards", U8, (N_MONSTER_CARDS,)),
        ("standees", I16),  # numbers given so far
    ],
    align=True,
)

STRIKE = np.dtype(
    [  # the attack ability going on, and its present attack
        ("by", I16),
        ("value", I16),  # printed
        ("range", I16),  # 0 = melee
        ("left", I16),  # targets that may still be chosen
        ("added", I16),  # added targets, likewise (G6.6)
        ("made", I16),  # attacks made
        ("pierce", I16),
        ("advantages", I16),
        ("disadvantages", I16),
        ("template", I16),  # of the content; -1 = none
        ("aimed", I16),  # the enemy that the template is to cover; -1
        ("orientation", I16),  # -1 = not chosen
        ("bonus", I16),  # of this ability, beside cards in the active area
        ("doublings", I16),
        ("all", U8),  # every enemy within range (G5.11)
        ("grey", U8),  # the template has a grey hex
        ("placed", U8),  # the template is
        ("on_added", U8),  # the present target is an added one
        ("monster", U8),  # it is a monster's or a summon's, nothing is asked
        ("dead_card", U8),  # a null applies (G1.5)
        ("effect", U8, (MAX_LINE_EFFECTS,)),
        ("effect_amount", I16, (MAX_LINE_EFFECTS,)),
        ("waiting", I32),  # bits of figures: covered, not attacked yet
        ("covered", I32),  # by the template (G6.5)
        ("done", I32),  # attacked
        ("action_conditions", I32),  # bits of terms.Effect: of active cards on all its attacks
        ("conditions", I32),  # likewise on this attack
        ("target", I16),
        ("mode", I16),  # terms.Draw
        ("drawn_value", I16),  # after the cards, at least 0
        ("damage", I16),  # after Shield
        ("guard", I16),  # Shield of active cards for this attack
        ("riposte", I16, (MAX_REACH + 1,)),  # retaliate of active cards for this attack, by range
        ("negated", U8),  # an active card negates its damage
        ("cursor", I16),  # effects: of the ability, of active cards, of modifier cards
    ],
    align=True,
)

MOVE = np.dtype(
    [
        ("by", I16),
        ("points", I16),  # left
        ("mode", U8),  # terms.Mode
        ("entered", I16),  # hexes
    ],
    align=True,
)

FORCE = np.dtype(
    [  # a push or pull
        ("by", I16),
        ("target", I16),
        ("left", I16),
        ("pull", U8),
        ("begun", U8),
    ],
    align=True,
)

HARM = np.dtype(
    [  # a source of damage
        ("to", I16),
        ("amount", I16),
        ("source", U8),  # terms.Source
        ("stage", U8),
        ("first", I16),  # the first of two discards lost; -1
        ("by", I16),  # the figure that causes it; -1
    ],
    align=True,
)

AID = np.dtype(
    [  # what items do to the attacks of one ability on a figure (G8.5, G2.16)
        ("bonus", I16),
        ("doublings", I16),
        ("pierce", I16),
        ("advantages", I16),
        ("disadvantages", I16),
        ("shield", I16),
    ],
    align=True,
)

TIE = np.dtype(
    [  # an outcome of a monster's turn
        ("attacked", I32),  # bits of figures
        ("focus", I16),  # -1 = none
        ("end", I16),  # hex
    ],
    align=True,
)

STATE = np.dtype(
    [
        # who is asked what
        ("decision", U8),  # terms.Decision
        ("block", U8),  # of the answer, actions.Block
        ("ending", U8),  # terms.Ending
        ("won", U8),
        ("phase", U8),  # terms.Phase
        ("logging", U8),
        ("plain", U8),  # a position built by hand: endings are not checked
        ("asked", I16),  # slot of the character; -1 = the players together
        ("subject", I16),  # figure or card that the question is about; -1
        ("answer", I16),  # -1 = none
        ("depth", I16),
        ("tasks", U8, (DEPTH,)),  # terms.Proc
        # the round
        ("round", I16),
        ("turn", I16),  # slot of the figure whose turn it is; -1
        ("acted", I32),  # bits of the figures that have had their turn
        ("each", I16),  # a loop over characters
        ("half", I16),  # of the turn: 4 * card + terms.Half; -1
        ("line", I16),  # of a half or a monster's card: its place
        ("row", I16),  # of the content: the line going on; -1
        ("card", I16),  # of the actor: what the line is printed on; -1
        ("loss", U8),  # with the loss symbol
        ("actor", I16),  # slot of the figure that performs it
        ("used_line", U8),  # something was done of the half
        ("lost_card", I16),  # of a short rest
        ("focus", I16),  # of the monster that acts; -1 = not chosen
        ("wanted", I32),  # bits of figures: targets of its attack
        ("affected", I32),  # bits of figures that a line is still to reach
        ("sprung", I16),  # the figure that has entered a trap
        ("rooms", I16),  # bits of rooms that are open
        ("left", I16),  # monsters behind doors
        ("n_active", I16),
        ("n_ties", I16),
        ("n_summoned", I16),  # ever
        ("n_loot", I16),  # tokens taken
        ("n_traps", I16),
        ("n_exhausted", I16),
        ("damage_dealt", I16),
        ("damage_taken", I16),
        ("decisions", I32),
        ("bless", I16),  # supplies (G1.12)
        ("curse_monster", I16),
        ("curse_hero", I16),
        ("element", U8, (N_ELEMENTS,)),  # terms.Element, from terms.Effect.FIRE on
        ("chance", np.uint64, (N_STREAMS,)),
        ("move", MOVE),
        ("strike", STRIKE),
        ("force", FORCE),
        ("harm", HARM),
        ("touched", I64),  # since the last observation: bits, see ACTIVES
        # where figures stand, as bits, beside their records (maintained by rules/figures.py)
        ("shared", I16),  # hex on which one passes an ally; -1
        ("present", I32),  # bits of the figures on the board
        ("party", *HEXES),  # hexes of characters and summons
        ("monsters", *HEXES),
        ("loot", *HEXES),
        ("hero", HERO, (N_HEROES,)),  # aligned to words, by which it is compared
        ("figure", FIGURE, (N_FIGURES,)),
        ("active", ACTIVE, (N_ACTIVE,)),
        ("type", TYPE, (N_TYPES,)),
        ("trap", TRAP, (N_TRAPS,)),
        ("tie", TIE, (MAX_TIES,)),
        ("aid", AID, (N_FIGURES,)),
        ("deck", DECK, (N_DECKS,)),
        ("board", BOARD),
        ("n_log", I16),
        ("log", I16, (N_LOG, N_COLUMNS)),  # columns: core.event_log.LogRow
    ],
    align=True,
)
