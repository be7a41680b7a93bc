"""Every field of state and content, declared once.

int16 wherever arithmetic touches, uint8 for flags, uint64 for random streams, no floats.
Absent is 0 in a count and -1 in an index. `area`, `ally`, `enemy`, `type` are indices.
"""

import numpy as np

from agemonia_env.core.event_log import N_COLUMNS

from .terms import N_STREAMS

# ---- sizes ------------------------------------------------------------------------------------
N_ALLIES = 6  # ally slots: up to 4 Heroes and Non-Hero Allies (R1.1)
N_HEROES_MAX = 4
N_ENEMIES = 16  # enemy slots on the map at one time, all types together
N_TYPES = 8  # Enemy cards of one scenario
N_SIDES = N_ALLIES + N_TYPES  # ally slots, then Enemy cards
N_AREAS = 24  # areas of one map; areas are also bits of an int32
N_SIZES = 4  # sizes of figures, 0 to 3 (R7.3)
N_TOKENS = 16  # action tokens of a Hero, Focus and Extra Maneuver included
N_LOCKS = 8  # running passive actions, locked items and gear in use of one figure
N_PASSIVES = 48
N_ATTACKS = 96
N_STRIKES = 48
N_EFFECTS = 320
N_EVENTS = 16
N_CARDS = 20  # initiative cards
N_FATE = 20
N_INJURIES = 12  # injury cards
N_TRAPS = 12  # trap cards
N_SETUP = 32  # figures placed at set-up
N_PAIRS = N_AREAS * (N_AREAS + 1) // 2  # of areas, each with itself, too (boards.pair)
N_CROSSINGS = 512  # different sets of areas that sight lines cross, of all pairs together
N_LINES = 896  # lines of sight listed area by area, for line attacks
LINE_MAX = 5  # areas of a listed line after the first
LINE_BITS = 5  # of each of them
N_FACES = 6
N_TASKS = 48
N_LOADED = 48
N_LOG = 40  # rows of the event log kept between two tasks
N_CARRIED = 12  # items that one Ally carries, active ones included; bits of each Trait
N_GROUND = 8  # items lying in one area
N_ITEM_KINDS = 40  # items of one scenario
N_FIGURES = 6  # summoned tokens and pets on stands
N_STORIES = 12  # story sections of one scenario
AMOUNT_MAX = 15  # largest number that one decision can name

FOCUS, EXTRA_MANEUVER = 0, 1  # the tokens printed on every Hero board (R5.2)

I8, I16, U8, I32, I64 = np.int8, np.int16, np.uint8, np.int32, np.int64

# ---- content: compiled from files, never written in play ----------------------------------------
SHEET = np.dtype(
    [  # the board of one ally slot: a Hero for its level, or a Non-Hero Ally's card
        ("kind", I16),  # terms.Kind
        ("blue", I16),  # stamina chips = blue side of the disk (R1.3)
        ("red", I16),  # red side of the disk (R13.5)
        ("health", I16),  # of a Non-Hero Ally (R1.5)
        ("ability", I16, (3,)),  # levels of Might, Agility, Will
        ("taunt", I16),  # R10.24: whom Enemies prefer
        ("size", I16),  # capacity it uses: 1, of Non-Hero Allies 1, 2, 3 (R7.3)
        ("move_free", I16),  # movement points (R6.5)
        ("move_paid", I16),  # points of the longer version
        ("move_cost", I16),  # stamina for the longer version
        ("recover_stamina", I16),  # R6.7
        ("recover_damage", I16),  # R6.7
        ("evade", I16),  # points each turn (R8.9)
        ("colour", I16),  # of a Non-Hero Ally
        ("fly", U8),  # R7.18
        ("armed", U8, (3,)),  # per attack type: an active weapon at set-up (R9.13)
        ("weapon_bonus", I16, (3,)),  # its modifier (R17.7)
        ("weapon_min", I16, (3,)),  # its range band; minimum -1 = no band: melee reach of R9.13
        ("weapon_max", I16, (3,)),  # largest range of the band
        ("n_tokens", I16),  # action tokens, the two printed ones included
        ("token", I8, (N_TOKENS,)),  # action rows; [0] Focus, [1] Extra Maneuver, -1 none
        ("slot", I32),  # bits of tokens in ordinary slots at set-up (R4.3)
        ("by_turn", I32),  # bits of tokens performed without being chosen before (R6.4, R18.1)
        ("slots", I16),  # ordinary slots (R4.5)
        ("open_slots", I16),  # slots that are empty at the start (R4.4)
        ("reactive", I16, (3,)),  # successes that skills add to reactive checks, per ability
        ("h_worth", I16, (3,)),  # successes of an H face on reactive checks, per ability (R3.6)
        ("reroll_h", I16),  # ability bits: H faces of reactive checks are rolled again (R3.8)
        ("rerolls", I16),  # rolls made again as a whole, per scenario (R3.8)
        ("ignore_aim", I16),  # bits 1 << AttackType without the penalty of R9.20 (R9.22)
        ("skills", I16),  # passive row of the skills that always work; -1 = none (R20.3)
        ("two_weapons", U8),  # both weapons' modifiers count (R17.9)
        ("tactics", U8),  # takes another Ally's colour for 1 stamina (R5.6)
        ("disarm", U8),  # disarm keyword (R19.7)
        ("never_hindered", U8),  # R18.5
        ("undying", U8),  # R18.5: damage leaves it 1 health
        ("fury", I16),  # R18.5: damage added to its attacks at half health or less
        ("h_riposte", I16),  # R18.5: damage of each H face to an attacker within range 1
        ("hands", I16),  # R17.1: 2; the four-armed Hero 4
        ("carry", I16),  # weight of what is carried but not active (R17.3)
        ("inspiration", I16),  # gems at set-up (R16.1)
        ("achievement", I16),  # gems at set-up (R16.4)
        ("wounds", I16),  # damage carried in (R4.7)
        ("spent", I16),  # stamina lost before the scenario (R4.7)
        ("injury", I16),  # bits of Injury cards carried in (R4.7)
        ("conditions", I16),  # bits 1 << Condition carried in (R4.7)
        ("item", I8, (N_CARRIED,)),  # items taken along (R4.6); -1 = none
        ("active", I16),  # bits of those in use at set-up (R17.1)
        ("waiting", U8),  # not on the map before it is summoned or joins (R18.6)
    ],
    align=True,
)

TOKEN = np.dtype(
    [  # an action of a Hero or Non-Hero Ally
        ("colour", I8),  # terms.Colour: initiative of the round (R5.2)
        ("cost", I8),  # stamina (R9.6)
        ("gem", I8),  # Inspiration gems (R16.2)
        ("special", I8),  # terms.Special bits
        ("first", I16),  # effect rows [first, first + n)
        ("n", I8),  # number of effect rows
        ("maneuver", U8),  # it is done as a maneuver, beside the action (R6.4, R18.5)
        ("once", U8),  # once in a scenario
    ],
    align=True,
)

ATTACK = np.dtype(
    [  # an attack of an Ally (section 9)
        ("types", I8),  # bits 1 << AttackType among which the player chooses (R9.1)
        ("dice", I8),  # Action dice (R9.3)
        ("bonus", I16),  # added to the damage (R9.4)
        ("value", I16),  # fixed damage of a Non-Hero Ally (R9.9)
        ("range_min", I8),  # -1 = the weapon's band
        ("range_max", I8),  # -1 = the weapon's band
        ("shape", I8),  # terms.Shape
        ("targets", I8),  # at most so many (R9.25)
        ("radius", I8),  # R9.26
        ("has_centre", U8),  # an area attack with a range: its centre is chosen
        ("length", I8),  # R9.27
        ("pierce", I8),  # shield points that do not count (R9.5)
        ("conditions", I16),  # bits
        ("push", I8),  # areas (R7.51); 0 = none
        ("pull", I8),  # areas (R7.49); 0 = none
        ("double", U8),  # R9.38
        ("drain", U8),  # heals the attacker (Q11)
        ("non_elite", U8),  # R9.37: riders do not touch Elite Enemies
        ("ignore_aim", U8),  # R9.22
        ("effect_only", U8),  # R9.8
    ],
    align=True,
)

STRIKE = np.dtype(
    [  # an attack of an Enemy (section 10)
        ("type", I8),  # terms.AttackType
        ("value", I16),  # -1 = none: the attack causes no damage (R10.33)
        ("ability", I8),  # terms.Ability of the reactive check (R3.15)
        ("range", I8),  # -1 = none
        ("area", I8),  # -1 = no area attack (R10.28)
        ("targets", I8),  # R10.27
        ("conditions", I16),  # bits 1 << Condition for those damaged (R10.32)
        ("push", I8),  # areas (R7.51); 0 = none
        ("pull", I8),  # areas (R7.49); 0 = none
        ("loss", U8),  # R10.31
        ("drain", U8),  # heals the Enemy (Q11)
        ("or_else", U8),  # R10.34: the next fields count
        ("or_else_abilities", I8),  # bits 1 << Ability among which the player picks (R3.10)
        ("or_else_number", I8),  # its number
        ("or_else_conditions", I16),  # bits, on a failure
        ("or_else_damage", I16),  # on a failure
    ],
    align=True,
)

EFFECT = np.dtype(
    [  # one row of what an action, ability or event does
        ("op", I8),  # terms.Op
        ("amount", I8),  # how much, as the op says
        ("range", I8),  # 0 = own area
        ("a", I8),  # row or number that the op names; -1 = none
        ("b", I8),  # second row or area that the op names; -1 = none
    ],
    align=True,
)

PASSIVE = np.dtype(
    [  # a passive action or item that works while stamina is locked on it (section 14)
        ("need", I8),  # chips (R14.1)
        ("reactive", I16, (3,)),  # successes on reactive checks, per ability
        ("h_worth", I16, (3,)),  # successes per H face, per ability
        ("evade", I16),  # Evade points each turn (R8.9)
        ("mirror", U8),  # R11.1
        ("revenge", U8),  # R11.5
        ("fly", U8),  # R7.18
        ("ends", U8),  # it ends once its Mirror, Revenge or Riposte has worked (R14.12)
        ("reroll_h", U8),  # ability bits: H faces of reactive checks are rolled again (R3.8)
        ("move", I16),  # movement points added to move maneuvers
        ("dice", I16, (3,)),  # Action dice added to attacks, per AttackType
        ("riposte", I16),  # damage of the Riposte (R11.10); 0 = none
        ("riposte_range", I8),  # -1 = any
        ("riposte_type", I8),  # -1 = any
        ("riposte_when", I8),  # terms.RiposteWhen (R11.12)
    ],
    align=True,
)

ITEM = np.dtype(
    [  # an item (section 17)
        ("wear", I8),  # terms.Wear
        ("hands", I8),  # 1 or 2 for Wear.HAND (R17.1)
        ("weight", I8),  # towards the encumbrance while it is not in use (R17.3)
        ("carry", I8),  # weight that a backpack in use adds (R17.3)
        ("weapon", I8),  # terms.AttackType; -1 = no weapon
        ("bonus", I8),  # the weapon's modifier (R17.7)
        ("range_min", I8),  # its band; -1 = melee reach of R9.13
        ("range_max", I8),  # -1 = none
        ("takes", I8),  # bits 1 << terms.Rider that the weapon allows (R17.6)
        ("rider", I8),  # terms.Rider: it serves attacks itself
        ("rider_dice", I8),  # Action dice added
        ("rider_bonus", I8),  # damage added
        ("rider_pierce", I8),  # Pierce added
        ("rider_conditions", I16),  # bits 1 << Condition for those damaged
        ("passive", I8),  # passive row while in use; need > 0: while stamina is locked (R14.10)
        ("boost", I8, (3,)),  # successes on a reactive check for discarding it, per ability
        ("boost_active", I8, (3,)),  # the same on active checks (R3.12)
        ("special", I8),  # terms.Special bits given at the start of phase 3 (R15.9)
        ("special_cost", I8),  # stamina for it
        ("first", I16),  # effect rows when it is used (R6.11)
        ("n", I8),  # number of effect rows; 0 = nothing to use
        ("maneuver", U8),  # using it costs a maneuver (R6.4)
        ("kept", U8),  # it is not discarded when used, but works once a scenario
        ("own", U8),  # Hero-specific: never dropped or given (R17.5)
        ("rope", U8),  # Hook & Rope (R7.17)
        ("armour_rune", U8),  # it works only with armour that has a slot for it (R17.6)
        ("rune_slot", U8),  # armour with such a slot
        ("pet", I8),  # figure row of the pet; -1 = none (R18.8)
    ],
    align=True,
)

FIGURE = np.dtype(
    [  # a summoned token or a pet (R18.7, R18.8)
        ("pet", U8),  # R18.8: it may be taken back, and moves in every own turn
        ("fly", U8),  # R7.18
        ("move", I16),  # areas in one move
        ("harm", I16),  # damage to an Enemy beside it when commanded
        ("harm_leaving", I16),  # damage to Enemies that leave its area
    ],
    align=True,
)

STORY = np.dtype(
    [  # a story section (R19.11)
        ("area", I8),  # its story point
        ("trigger", I8),  # terms.Trigger
        ("range", I8),  # of SIGHT and CHOICE; -1 = infinite
        ("repeats", U8),  # may be read more than once
        ("maneuver", U8),  # using it costs a maneuver (R6.4)
        ("number", I8),  # active check before it works; 0 = none
        ("abilities", I8),  # bits 1 << Ability of that check
        ("first", I16),  # effect rows
        ("n", I8),  # number of effect rows
        ("fail_first", I16),  # effect rows after a failed check
        ("fail_n", I8),  # number of effect rows
    ],
    align=True,
)

TYPE = np.dtype(
    [  # an Enemy card (R1.7)
        ("colour", I8),  # terms.Colour
        ("base", I16),  # starting health = base + per_hero * Heroes (R10.1)
        ("per_hero", I16),  # R10.1
        ("shield", I8),  # R10.35
        ("provoke", I8),  # value (R8.1); 0 = none
        ("provoke_range", I8),  # R8.2
        ("provoke_loss", U8),  # R8.4
        ("elite", U8),  # R9.37
        ("fly", U8),  # R7.18
        ("mirror", U8),  # R11.1
        ("revenge", U8),  # R11.5
        ("size", I8),  # capacity it uses: 1, 2, 3 (R7.3)
        ("move", I8, (3,)),  # per Eye
        ("strike", I8, (3,)),  # strike row per Eye; -1 = no attack
        ("horns_first", I16, (3,)),  # effect rows per Eye
        ("horns_n", I8, (3,)),  # number of effect rows per Eye
        ("snake_first", I16),  # first effect row of the snake ability (R10.6)
        ("snake_n", I8),  # number of its effect rows
        ("leave", I8),  # item left when defeated; -1 = nothing (R10.41)
        ("defeat_first", I16),  # first effect row of its defeat box (R10.40)
        ("defeat_n", I8),  # number of its effect rows
        ("supply", I8),  # printed figures (ruling Q18)
        ("figures", I8),  # type with whose figures it shares numbers; its own index as a rule
    ],
    align=True,
)

CARD = np.dtype(
    [  # an Initiative card: six bars top to bottom (R5.8)
        ("shuffle", U8),  # R5.7: both piles are shuffled next round
        ("enemy", U8, (6,)),  # the bar is an Enemy bar
        ("colour", I8, (6,)),  # terms.Colour of each bar
        ("bonus", U8, (6,)),  # bonus maneuver (R5.10)
        ("eye", I8, (6,)),  # terms.Eye of each Enemy bar (R5.9)
        ("horns", U8, (6,)),  # the Enemy bar shows horns
        ("snake", U8, (6,)),  # the Enemy bar shows a snake
        ("face", np.uint64),  # a hash of all that, and of the number of the copy
    ],
    align=True,
)

INJURY = np.dtype(
    [  # an Injury card (R13.14, ruling Q24)
        ("dice", I16, (3,)),  # dice fewer on checks, per ability
        ("move", I16),  # movement points fewer
        ("recover", I16),  # recovered fewer
    ],
    align=True,
)

TRAP = np.dtype(
    [  # a Trap card (R19.8, rulings Q24 and Q45)
        ("damage", I16),  # to everybody hit
        ("conditions", I16),  # bits 1 << Condition
        ("number", I16),  # 0 = no check; else an Ally's success avoids the effect
        ("abilities", I16),  # bits 1 << Ability among which the player picks (R3.10)
    ],
    align=True,
)

EVENT = np.dtype(
    [  # a scenario event
        ("when", I8),  # terms.When
        ("number", I8),  # round, or figures defeated
        ("subject", I8),  # Enemy type, or story section; -1 = none
        ("first", I16),  # first effect row
        ("n", I8),  # number of effect rows
    ],
    align=True,
)

CONTENT = np.dtype(
    [  # what nearly every step reads comes first: prefetching asks for the first 4 KB
        ("n_areas", I16),  # areas of the map
        ("capacity", I8, (N_AREAS,)),  # white dots (R7.2); 0 = none (Q52)
        ("level", I8, (N_AREAS,)),  # height (R7.11)
        ("single", I32, (N_AREAS,)),  # bits of the areas beyond a single line
        ("down", I32, (N_AREAS,)),  # beyond a double line, on its low side
        ("up", I32, (N_AREAS,)),  # on its high side
        ("fits", I32, (N_SIZES,)),  # bits of the areas with dots for a figure of this size (R7.5)
        ("seen", I32, (N_AREAS,)),  # bits of the areas that it sees (R7.24)
        ("not_above", I32, (N_AREAS,)),  # of those that are no higher
        ("n_allies", I16),  # ally slots in use
        ("n_heroes", I16),  # in the party at set-up (R10.2)
        ("sheet", SHEET, (N_ALLIES,)),  # boards of the ally slots
        ("token", TOKEN, (N_ALLIES * N_TOKENS,)),  # actions of all Allies
        ("n_items", I16),  # items of the scenario
        ("n_figures", I16),  # summoned tokens and pets that may appear
        ("n_stories", I16),  # story sections with effects
        ("by_choice", I16),  # bits of those that are used in a turn (R19.11)
        ("n_types", I16),  # Enemy cards in use
        ("type", TYPE, (N_TYPES,)),  # Enemy cards
        ("types_by_colour", I16, (3,)),  # bits of those of each terms.Colour
        ("action_die", I8, (N_FACES,)),  # faces: 0 1 2, FACE_EXTRA, FACE_SYMBOL (Q2)
        ("reaction_die", I8, (N_FACES,)),  # faces: 0 1 2, FACE_SYMBOL
        ("objective", I16),  # terms.Objective
        ("objective_subject", I16),  # Enemy type, item or ally slot; -1 = none
        ("objective_number", I16),  # figures, items, traps, steps, or a round
        ("goal", I32),  # area bits
        ("last_round", I16),  # failure at its end; 0 = none
        ("timer_round", I16),  # the timer starts with this round's Fate card; 0 = no timer
        ("timer_target", I16),  # sum at which the event happens (R19.2)
        ("timer_repeats", U8),  # after the event: reset (R19.3) or stop (R19.4)
        ("disarm_number", I16),  # R19.7: 6
        ("climb_number", I16),  # R7.17: 4
        ("rope_number", I16),  # R7.17: 5, fixing from below
        ("fall_value", I16),  # R7.15: 4
        ("fall_damage_enemy", I16),  # R7.15: 2
        ("fall_ability", I16),  # Q5: Agility
        ("fall_condition", I16),  # Q5: Slowed
        ("dominated_damage", I16),  # R12.10: 2
        ("dominated_range", I16),  # R12.10: 2
        ("bad_rest", I16),  # R4.11: stamina lost at set-up
        ("enemy_will", I16),  # terms.Will
        ("border", I8, (N_AREAS, N_AREAS)),  # terms.Border from row to column
        ("range", I8, (N_AREAS, N_AREAS)),  # R7.22; -1 = no path
        ("melee", I8, (N_AREAS, N_AREAS)),  # steps over single lines at one height (Q42); -1 none
        ("within", I32, (N_AREAS + 1, N_AREAS)),  # [n, x]: of those less than n areas from x
        ("melee_within", I32, (N_AREAS + 1, N_AREAS)),  # less than n such steps from x
        ("crossing_first", I16, (N_PAIRS + 1,)),  # of pair p: [crossing_first[p], [p + 1])
        ("crossing", I32, (N_CROSSINGS,)),  # area bits of a clear line between a pair (R7.29)
        ("line_first", I16, (N_AREAS + 1,)),  # lines from area a: [line_first[a], line_first[a+1])
        ("line", I32, (N_LINES,)),  # areas after the own one + 1, LINE_BITS each, the first lowest
        ("item_at", I8, (N_AREAS, N_GROUND)),  # items lying there at set-up; -1 = none
        ("attack", ATTACK, (N_ATTACKS,)),  # rows that effects name
        ("strike", STRIKE, (N_STRIKES,)),  # rows that Enemy cards name
        ("effect", EFFECT, (N_EFFECTS,)),  # rows of actions, abilities and events
        ("passive", PASSIVE, (N_PASSIVES,)),  # rows that locks name
        ("item", ITEM, (N_ITEM_KINDS,)),  # their texts
        ("figure", FIGURE, (N_FIGURES,)),  # their cards
        ("section", STORY, (N_STORIES,)),  # their triggers and effects
        ("n_setup", I16),  # figures placed at set-up
        ("setup_type", I8, (N_SETUP,)),  # Enemies placed at set-up
        ("setup_area", I8, (N_SETUP,)),  # where each of them is placed
        ("n_cards", I16),  # Initiative cards
        ("card", CARD, (N_CARDS,)),  # their faces
        ("n_fate", I16),  # Fate cards
        ("fate", I8, (N_FATE,)),  # values of the Fate cards (Q28)
        ("n_injuries", I16),  # Injury cards
        ("injury", INJURY, (N_INJURIES,)),  # their effects
        ("n_traps", I16),  # Trap cards
        ("trap", TRAP, (N_TRAPS,)),  # their effects
        ("n_events", I16),  # scenario events
        ("event", EVENT, (N_EVENTS,)),  # what sets them off and what they do
        # rulings, each one number in the file of the ruleset
        ("attack_value", I16, (N_TYPES, 4)),  # of the attack of each under each Eye; last: highest
        ("attack_reach", I16, (N_TYPES, 4)),  # movement and range together; -1 = no attack; last:
        # the farthest, 0 without any
        ("start", I8, (N_ALLIES,)),  # start area of each ally slot (R4.2)
        ("trap_at", U8, (N_AREAS,)),  # trap tokens at set-up
        ("token_colour", I8, (N_AREAS,)),  # teleport tokens at set-up (R7.45); -1 = none
        ("token_active", U8, (N_AREAS,)),  # with their active side up
        ("token_range", I8, (N_AREAS,)),  # areas from the token used; -1 = infinite (R7.47)
        ("story", I8, (N_AREAS,)),  # section triggered on entry; -1 = none
        ("story_by_any", U8, (N_AREAS,)),  # also by Enemies (Q56)
        ("rope", I32, (N_AREAS,)),  # bits of the areas a rope fixed by the map leads to (R7.17)
        ("traits", I64, (N_ITEM_KINDS + 1,)),  # terms.Trait of no item, then of each (rules.gear)
    ],
    align=True,
)

# Of CONTENT, what other fields of it say already: sets that the rules look up
DERIVED = (
    *("traits", "by_choice", "types_by_colour", "attack_value", "attack_reach"),
    *("not_above", "within", "melee_within"),
)

FACE_EXTRA, FACE_SYMBOL = 8, 9  # die faces beside the numbers 0, 1, 2

# ---- state: what a save of the table would hold -------------------------------------------------
ALLY = np.dtype(
    [
        ("kind", I8),  # terms.Kind
        ("area", I8),  # -1 = off the map
        ("retreat", I8),  # last area it was in that was not above its maximum (R7.8)
        ("order", I8),  # place among all figures, where several are dealt with in turn
        ("disk", I16),  # chips available (R1.4); 0 to the disk's side
        ("spent", I16),  # chips, blue side up (R2.1)
        ("wounds", I16),  # chips, red side up (R2.4)
        ("health", I16),  # of a Non-Hero Ally
        ("conditions", I16),  # bits 1 << Condition
        ("lapsing", I16),  # condition bits that go at the end of the turn (Q57)
        ("provoked", I32),  # bits of Enemies that have provoked it this turn (R8.3)
        ("slot", I32),  # bits of the action tokens in slots (R4.3)
        ("once", I32),  # bits of once-a-scenario tokens performed
        ("active", I16),  # bits of the items in use (R17.1)
        ("handled", I16),  # bits of the items given, dropped or taken this turn
        ("worn_out", I16),  # bits of the items used up for this scenario
        ("lock_passive", I8, (N_LOCKS,)),  # passive row; -1 = slot empty
        ("lock_chips", I8, (N_LOCKS,)),  # chips on it (R14.1)
        ("item", I8, (N_CARRIED,)),  # items carried; -1 = empty
        ("injury", U8, (N_INJURIES,)),  # how many of each Injury card
        ("ability", I8, (3,)),  # levels added until the end of the round
        ("attack_dice", I8, (3,)),  # Action dice added to attacks this turn, per AttackType
        ("token", I8),  # chosen action token; -1 = none
        ("colour", I8),  # terms.Colour of the round (R5.2)
        ("special", I8),  # terms.Special bits that it has
        ("uses", I8),  # the one it uses this round (R15.7); 0 = none
        ("open_slots", I8),  # slots still empty (R4.4)
        ("missed", I8),  # bit 1 = an action, 2 = a maneuver missed while holding Stunned (Q57)
        ("inspiration", I8),  # gems, 0 to 5 (R16.1)
        ("achievement", I8),  # gems, 0 to 15 (R16.4)
        ("rerolls", I8),  # rolls that it may still make again (R3.8)
        ("evade", I8),  # Evade points left this turn
        ("evaded", I8),  # Evade points used this turn
        ("riposte", I8),  # amount; 0 = none
        ("riposte_range", I8),  # -1 = any
        ("riposte_type", I8),  # terms.AttackType; -1 = any
        ("riposte_when", I8),  # terms.RiposteWhen
        ("reactive_bonus", I8),  # temporary: successes added to reactive checks
        ("reactive_dice", I8),  # temporary: dice added
        ("reactive_h", I8),  # temporary: successes of an H face
        ("wounded", U8),  # R13.4
        ("exhausted", U8),  # R13.8
        ("revived", U8),  # this round (R13.9)
        ("acted", U8),  # its turn of this round is over
        ("flipped", U8),  # Rethink was taken (R6.8)
        ("focus_rolled", U8),  # R3.22
        ("waits", U8),  # it lets the bar of its colour pass for After-an-Ally (R15.4)
        ("changed", U8),  # the free change of active items of this turn is used (R17.2)
        ("fly", U8),  # R7.18
        ("mirror", U8),  # R11.1
        ("revenge", U8),  # R11.5
        ("armed", U8, (3,)),  # per attack type: active weapons
    ],
    align=True,
)

ENEMY = np.dtype(
    [
        ("health", I16),  # 0 = defeated (R2.12)
        ("full", I16),  # starting health
        ("conditions", I16),  # bits 1 << Condition (R12.0a)
        ("type", I8),  # -1 = empty slot
        ("number", I8),  # figure number of its type, from 1
        ("order", I8),  # place among all figures, where several are dealt with in turn
        ("area", I8),  # -1 = off the map
        ("retreat", I8),  # R7.8
        ("acted", U8),  # its turn of this round is over (R1.6)
        ("spawned", U8),  # this round
        ("last", U8),  # it acts after the bars this round (R15.10)
        ("fly", U8),  # R7.18
        ("mirror", U8),  # R11.1
        ("revenge", U8),  # R11.5
        ("fallen", U8),  # defeated, its box still to be resolved (Q47): 1 = first of all; 0 = not
    ],
    align=True,
)

STANDING = np.dtype(
    [  # a summoned token or pet on its stand (R18.7, R18.8)
        ("owner", I8),  # ally slot; -1 = not on the map
        ("area", I8),  # -1 = off the map
        ("spawned", U8),  # this round: it neither moves nor attacks (R18.7)
        ("acted", U8),  # 1 = it has moved this turn, 2 = and was placed again (R18.8)
    ],
    align=True,
)

ROLL = np.dtype(
    [  # the roll being made (section 3)
        ("ally", I16),  # who rolls
        ("die", I16),  # terms.Die
        ("use", I16),  # terms.Roll
        ("dice", I16),  # still to be rolled
        ("successes", I16),  # so far
        ("symbols", I16),  # S or H faces rolled
        ("spoiled", I16),  # symbols of dice rolled again: they serve nothing more (R3.7)
        ("asked", I16),  # S faces already decided upon
        ("outside", U8),  # R3.4
    ],
    align=True,
)

CHECK = np.dtype(
    [  # the ability check being made
        ("ally", I16),  # who makes it
        ("ability", I16),  # terms.Ability
        ("offered", I16),  # bits 1 << Ability among which the player picks (R3.10)
        ("number", I16),  # difficulty, or value of a reactive check
        ("modifier", I16),  # successes added (R3.11, R3.17)
        ("dice", I16),  # added dice
        ("h_worth", I16),  # successes per H face that its cause adds
        ("boosted", I16),  # bits of places whose kind of item has added to it (R3.12)
        ("total", I16),  # successes and modifiers
        ("remaining", I16),  # of a reactive check's value (R3.16)
        ("success", U8),  # of an active check (R3.11)
    ],
    align=True,
)

MOVE = np.dtype(
    [  # the movement being made by an Ally
        ("ally", I16),  # who moves
        ("kind", I16),  # terms.Movement
        ("points", I16),  # left
        ("to", I16),  # area of the step being made
        ("provoker", I16),  # next Enemy that may provoke
        ("item", I16),  # Hook & Rope being fixed (R7.17)
        ("way", I16),  # terms.Way of the step being made
        ("reach", I16),  # areas of a jump or teleport
        ("going_on", U8),  # it has begun and not ended
        ("gem_used", U8),  # R3.24: one Achievement gem per maneuver
        ("stopped", U8),  # the rest of the move is lost
        ("fall", U8),  # the step is a fall (R7.13)
    ],
    align=True,
)

ACT = np.dtype(
    [  # the action being performed
        ("ally", I16),  # who performs it
        ("token", I16),  # action row
        ("row", I16),  # next effect row
        ("opening", I16),  # the row after the first one
        ("recipient", I16),  # Ally that an effect helps
        ("amount", I16),  # of an effect, rolled or printed
        ("item", I16),  # item being used; -1 = an action
        ("cursed", U8),  # stamina spent turns red (R12.7)
        ("was_cursed", U8),  # and does so in further attacks of the action
    ],
    align=True,
)

ATTACKING = np.dtype(
    [  # the attack being made by an Ally
        ("ally", I16),  # who attacks; -1 = nobody
        ("row", I16),  # attack row
        ("type", I16),  # terms.AttackType chosen; -1
        ("centre", I16),  # area of an area attack; -1
        ("n_targets", I16),  # Enemies named
        ("target", I8, (N_ENEMIES,)),  # Enemies in the order named
        ("next", I16),  # target being dealt with
        ("line", I8, (LINE_MAX,)),  # areas chosen for a line attack
        ("n_line", I16),  # areas chosen
        ("total", I16),  # damage before aim
        ("left", I16),  # of a Cleave, still to be shared
        ("share", I8, (N_ENEMIES,)),  # of a Cleave, per Enemy slot
        ("damage", I8, (N_ENEMIES,)),  # before shield
        ("dealt", I8, (N_ENEMIES,)),  # after shield, not capped by health
        ("before", I8, (N_ENEMIES,)),  # health before
        ("weapon", I16),  # carried place of the weapon used; -1 = none that is an item (R9.2)
        ("dice", I16),  # added by riders
        ("bonus", I16),  # damage added by riders
        ("pierce", I16),  # Pierce added by riders
        ("conditions", I16),  # bits added by riders
        ("ridden", I16),  # bits of terms.Rider used (R17.6)
        ("overkill", I16),  # damage beyond the health, added up (R9.34)
        ("healed", I16),  # by Drain
    ],
    align=True,
)

STRIKING = np.dtype(
    [  # the attack being made by an Enemy
        ("enemy", I16),  # who attacks; -1 = nobody
        ("row", I16),  # strike row
        ("type", I16),  # terms.AttackType
        ("value", I16),  # after modifiers
        ("range", I16),  # areas
        ("area", I16),  # radius of an area attack; -1 = none
        ("limit", I16),  # targets at most
        ("conditions", I16),  # bits 1 << Condition for those damaged
        ("push", I16),  # areas
        ("pull", I16),  # areas
        ("loss", U8),  # stamina loss instead of damage (R10.31)
        ("drain", U8),  # heals the Enemy
        ("given", U8),  # targets were given: no choice
        ("n_targets", I16),  # Allies named
        ("target", I8, (N_ALLIES,)),  # Allies in the order named
        ("next", I16),  # target named next
        ("ally", I16),  # being dealt with
        ("done", I32),  # ally bits already dealt with
        ("hit_value", I8, (N_ALLIES,)),  # value that reached each Ally; -1 = none
        ("remaining", I8, (N_ALLIES,)),  # after its check; -1 = none
        ("caused", I16),  # to this Ally, for Drain
        ("taken", I16),  # what this Ally really took (Q44)
        ("symbols", I16),  # H faces of this Ally's check that did not shield (R18.5)
        ("distance", I16),  # to this Ally as the attack was made (Q48)
        ("passive", I8, (N_LOCKS,)),  # passives that it had as the attack was made; -1 = none
        ("centre", I16),  # area of an area attack (Q36)
        ("shoved", I16),  # 0 = its push is due, 1 = its pull, 2 = done
    ],
    align=True,
)

ENEMY_TURN = np.dtype(
    [
        ("enemy", I16),  # whose turn; -1 = nobody's
        ("eye", I16),  # terms.Eye of its bar
        ("destination", I16),  # area it heads for; -1 = none
        ("points", I16),  # movement points left
        ("n_path", I16),  # areas of the path
        ("path", I8, (N_AREAS,)),  # areas to enter, in order
        ("next", I16),  # step being made; effect row being done
        ("n_walked", I16),  # areas entered this turn
        ("horns", U8),  # its bar shows horns
        ("snake", U8),  # its bar shows a snake, or its horns bring it
        ("acted", U8),  # its attack is made or missed
        ("moved", U8),  # it has left an area (R12.3)
        ("fly", U8),  # for this turn
    ],
    align=True,
)

ENTRY = np.dtype(
    [  # entering an area, and the trap there
        ("area", I16),  # that is entered
        ("ally", I16),  # who enters; -1 = an Enemy
        ("enemy", I16),  # -1 = an Ally
        ("card", I16),  # drawn Trap card
        ("victim", I16),  # figure the trap deals with: ally slot, or N_ALLIES + enemy slot
        ("keyword", U8),  # disarm keyword: +2 (R19.7)
        ("hovering", U8),  # a flyer that may leave the trap alone (R7.20)
        ("setter", I16),  # Ally that sets a trap; -1 = an Enemy
        ("places", I32),  # bits of the areas in which it may be set
        ("victims", I32),  # bits of the figures that a trap has still to deal with
    ],
    align=True,
)

PUSHING = np.dtype(
    [  # a push or pull of one figure after another (R7.49 to R7.60)
        ("source", I8),  # area that it goes towards or away from
        ("asked", I8),  # whose player chooses among areas; -1 = the players
        ("distance", I8),  # areas for each figure
        ("left", I8),  # areas for the figure being moved
        ("figure", I8),  # ally slot, or N_ALLIES + enemy slot; -1 = none
        ("pulls", U8),  # 1 = pull, 0 = push
        ("rides", U8),  # part of an attack: defeat boxes wait for its end (Q47)
        ("n", I8),  # figures named
        ("named", I8, (N_ENEMIES,)),  # figures in the order named
        ("done", I32),  # bits of the figures dealt with
        ("moved", I8, (N_ALLIES + N_ENEMIES,)),  # areas that each figure was moved
    ],
    align=True,
)

READING = np.dtype(
    [  # a story section being read (R19.11)
        ("section", I8),  # -1 = none
        ("ally", I8),  # who set it off
        ("row", I16),  # next effect row
        ("end", I16),  # the row after the last one
    ],
    align=True,
)

SPAWNING = np.dtype(
    [
        ("type", I16),  # of the figures
        ("area", I16),  # where they are to appear
        ("left", I16),  # figures still to appear
        ("slot", I16),  # of the last spawned figure; -1 = none
    ],
    align=True,
)

LOADED = np.dtype(
    [  # a scripted face or card, used before chance (Stream, owner or -1, value)
        ("stream", I8),  # terms.Stream
        ("owner", I8),  # ally slot; -1 = any
        ("value", I8),  # face, card or place in the deck
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("chance", np.uint64, (N_STREAMS,)),  # core/rng.py alone advances it
        # what is asked
        ("decision", I16),  # terms.Decision
        ("asked", I16),  # the ally whose player decides; -1 = the players together
        ("subject", I16),  # what it is about: area, enemy or ally index; -1
        ("limit", I16),  # largest amount
        ("options", I32),  # bits of the legal indices, where the decision lists them
        ("answer", I16),  # -1 = none
        ("block", I16),  # block of the answer
        # where the game is
        ("ending", I16),  # terms.Ending
        ("won", U8),  # only with an ending
        ("round", I16),  # from 1
        ("phase", I16),  # terms.Phase
        ("bar", I16),  # 0 = First, 1..6 = bars, 7 = Last
        ("card", I16),  # this round's Initiative card; -1
        ("active_ally", I16),  # whose turn it is; -1
        ("active_enemy", I16),  # whose turn it is; -1
        ("last_ally", I16),  # whose turn just ended (R15.4)
        ("chosen_type", I16),  # Enemy type that goes on (R5.15)
        ("actions", I16),  # left in the own turn
        ("maneuvers", I16),  # left in the own turn
        ("recovering", I16),  # 0 stamina, 1 damage
        ("recover_ally", I16),  # who recovers
        ("rethinking", U8),  # the movement going on is a Rethink
        ("result", I16),  # amount restored or healed last
        ("progress", I16),  # steps towards the objective
        ("story_tokens", I16),  # on the Story card, put there by Enemies (R10.37)
        # pending tasks
        ("depth", I16),  # tasks on the stack
        ("tasks", I8, (N_TASKS,)),  # terms.Proc, the next one at depth - 1
        # figures and areas: whole words up to `used_now`, for the observation
        ("ally", ALLY, (N_ALLIES,)),  # ally slots
        ("enemy", ENEMY, (N_ENEMIES,)),  # enemy slots
        ("figure", STANDING, (N_FIGURES,)),  # summoned tokens and pets, by figure row
        ("used", I8, (N_AREAS,)),  # capacity used, cached (R7.3)
        ("allies_in", I8, (N_AREAS,)),  # standing Allies, cached
        ("enemies_in", I8, (N_AREAS,)),  # standing Enemies, cached
        ("trap", U8, (N_AREAS,)),  # a trap token lies there
        ("rope", I32, (N_AREAS,)),  # bits of the areas a fixed rope leads to, both ways
        ("token_colour", I8, (N_AREAS,)),  # teleport token there; -1 = none (R7.45)
        ("token_active", U8, (N_AREAS,)),  # its active side is up
        ("token_range", I8, (N_AREAS,)),  # areas from it; -1 = infinite
        ("item", I8, (N_AREAS, N_GROUND)),  # lying there; -1 = empty
        ("read", I32),  # bits of story sections read
        ("used_now", I32),  # bits of story sections used in the turn going on
        ("disarmed", I16),  # traps disarmed by Heroes
        ("defeated", I16, (N_TYPES,)),  # figures defeated so far
        # decks: [0, n) with the top first
        ("n_initiative", I16),  # cards in the deck
        ("initiative", I8, (N_CARDS,)),  # Initiative cards, face down
        ("n_initiative_discard", I16),  # cards in the discard
        ("initiative_discard", I8, (N_CARDS,)),  # Initiative cards, face up
        ("n_fate", I16),  # cards in the deck
        ("fate", I8, (N_FATE,)),  # values
        ("n_fate_discard", I16),  # cards in the discard
        ("fate_discard", I8, (N_FATE,)),  # values
        ("n_timer", I16),  # cards in the Timer pile
        ("timer", I8, (N_FATE,)),  # values (R19.1)
        ("timer_target", I16),  # 0 = no timer runs
        ("each", I16),  # ally slot from which on Heroes are still to be asked one after another
        ("fate_card", I16),  # value drawn last; -1 = there was none to draw
        ("reshuffled", U8),  # the last Fate card was drawn from a fresh deck (R5.19)
        ("event_due", I32),  # bits of scenario events still to be played out
        ("event", I16),  # the one being played out; -1 = none
        ("event_row", I16),  # next effect row of the event being played out
        ("box_due", I32),  # bits of Enemy slots whose defeat box is still to be played out
        ("box_row", I16),  # next effect row of the box being played out
        ("burst", I16),  # bits of Allies that a burst has still to hit
        ("burst_row", I16),  # effect row that says with how much
        # what is going on
        ("roll", ROLL),  # the roll going on
        ("check", CHECK),  # the check going on
        ("move", MOVE),  # the Ally's movement going on
        ("act", ACT),  # the action going on
        ("attack", ATTACKING),  # the Ally's attack going on
        ("strike", STRIKING),  # the Enemy's attack going on
        ("turn", ENEMY_TURN),  # the Enemy's turn going on
        ("entry", ENTRY),  # the area being entered
        ("push", PUSHING),  # the push or pull going on
        ("reading", READING),  # the story section being read
        ("spawn", SPAWNING),  # the spawn going on
        ("walker", I16),  # figure row of the token or pet that moves (R18.7, R18.8)
        ("walk_points", I16),  # areas that it may still move
        ("flip_ally", I16),  # whose locked chips are being flipped (R14.7)
        ("flip_chips", I16),  # locked chips still to flip
        ("flip_excess", I16),  # damage left after the last chip
        # tests and planners
        ("n_loaded", I16),  # entries of `loaded`
        ("loaded", LOADED, (N_LOADED,)),  # scripted faces and cards, used in order
        # the event log
        ("n_log", I16),  # rows of the event log kept here
        ("logging", U8),  # there is a buffer for them
        (
            "log",
            I16,
            (N_LOG, N_COLUMNS),
        ),  # rows not yet written to it, columns: event_log.LogRow
        # statistics of the episode
        ("decisions", I32),  # answers given, forced ones included
        ("damage_dealt", I16),  # to Enemies
        ("damage_taken", I16),  # by Heroes, stamina lost included
        ("dealt", I16, (N_SIDES,)),  # damage to the other side, by ally slot, then by Enemy type
        ("taken", I16, (N_SIDES,)),  # damage suffered, lost stamina included, the same
        ("n_exhausted", I16),  # Heroes exhausted so far
    ],
    align=True,
)
