"""Every field of state, content and observation, declared once.

int16 wherever arithmetic touches, uint8 for flags, uint64 for random streams, no floats but in the
observation. Absent is 0 in a count and -1 in an index. `area`, `ally`, `enemy`, `type` are indices.
"""

import numpy as np

from .terms import N_DECISIONS, N_STREAMS

# ---- sizes ------------------------------------------------------------------------------------
N_ALLIES = 6  # ally slots: up to 4 Heroes and Non-Hero Allies (R1.1)
N_HEROES_MAX = 4
N_ENEMIES = 16  # enemy slots on the map at one time, all types together
N_TYPES = 8  # Enemy cards of one scenario
N_AREAS = 24  # areas of one map; areas are also bits of an int32
N_TOKENS = 16  # action tokens of a Hero, Focus and Extra Maneuver included
N_LOCKS = 6  # running passive actions and locked items of one figure
N_PASSIVES = 24
N_ATTACKS = 64
N_STRIKES = 48
N_EFFECTS = 192
N_EVENTS = 16
N_CARDS = 20  # initiative cards
N_FATE = 20
N_INJURIES = 12  # injury cards
N_TRAPS = 12  # trap cards
N_SETUP = 32  # figures placed at set-up
N_CROSSINGS = 6  # different sets of areas that the sight lines of one pair cross
N_LINES = 1024  # lines of sight listed area by area, for line attacks
LINE_MAX = 5  # areas of a listed line after the first
N_FACES = 6
N_AGENDA = 48
N_LOADED = 48
N_LOG = 64
N_ITEMS = 8
AMOUNT_MAX = 15  # largest number that one decision can name

FOCUS, EXTRA_MANEUVER = 0, 1  # the tokens printed on every Hero board (R5.2)

I16, U8, I32 = np.int16, np.uint8, np.int32

# ---- content: compiled from files, never written in play ----------------------------------------
SHEET = np.dtype(
    [  # the board of one ally slot: a Hero for its level, or a Non-Hero Ally's card
        ("kind", I16),  # terms.Kind
        ("blue", I16),  # stamina chips = blue side of the disk (R1.3)
        ("red", I16),  # red side of the disk (R13.5)
        ("health", I16),  # of a Non-Hero Ally (R1.5)
        ("ability", I16, (3,)),  # levels of Might, Agility, Will
        ("taunt", I16),
        ("move_free", I16),  # movement points (R6.5)
        ("move_paid", I16),
        ("move_cost", I16),  # stamina for the longer version
        ("recover_stamina", I16),  # R6.7
        ("recover_damage", I16),
        ("evade", I16),  # points each turn (R8.9)
        ("colour", I16),  # of a Non-Hero Ally
        ("fly", U8),
        ("armed", U8, (3,)),  # per attack type: an active weapon at set-up (R9.13)
        ("weapon_bonus", I16, (3,)),  # its modifier (R17.7)
        ("weapon_min", I16, (3,)),  # its range band; minimum -1 = no band: melee reach of R9.13
        ("weapon_max", I16, (3,)),
        ("n_tokens", I16),
        ("token", I16, (N_TOKENS,)),  # action rows; [0] Focus, [1] Extra Maneuver, -1 none
        ("h_worth", I16),  # successes of an H face on reactive checks (R3.6)
    ],
    align=True,
)

TOKEN = np.dtype(
    [  # an action of a Hero or Non-Hero Ally
        ("colour", I16),
        ("cost", I16),  # stamina (R9.6)
        ("gem", I16),  # Inspiration gems (R16.2)
        ("special", I16),  # terms.Special bits
        ("first", I16),  # effect rows [first, first + n)
        ("n", I16),
    ],
    align=True,
)

ATTACK = np.dtype(
    [  # an attack of an Ally (section 9)
        ("types", I16),  # bits 1 << AttackType among which the player chooses (R9.1)
        ("dice", I16),
        ("bonus", I16),
        ("value", I16),  # fixed damage of a Non-Hero Ally (R9.9)
        ("range_min", I16),  # -1 = the weapon's band
        ("range_max", I16),  # -1 = the weapon's band
        ("shape", I16),
        ("targets", I16),  # at most so many (R9.25)
        ("radius", I16),  # R9.26
        ("has_centre", U8),  # an area attack with a range: its centre is chosen
        ("length", I16),  # R9.27
        ("pierce", I16),
        ("conditions", I16),  # bits
        ("push", I16),
        ("pull", I16),
        ("double", U8),  # R9.38
        ("drain", U8),
        ("non_elite", U8),  # R9.37: riders do not touch Elite Enemies
        ("ignore_aim", U8),  # R9.22
        ("effect_only", U8),  # R9.8
    ],
    align=True,
)

STRIKE = np.dtype(
    [  # an attack of an Enemy (section 10)
        ("type", I16),
        ("value", I16),  # -1 = none: the attack causes no damage (R10.33)
        ("ability", I16),
        ("range", I16),  # -1 = none
        ("area", I16),  # -1 = no area attack (R10.28)
        ("targets", I16),  # R10.27
        ("conditions", I16),
        ("push", I16),
        ("pull", I16),
        ("loss", U8),  # R10.31
        ("drain", U8),
        ("or_else", U8),  # R10.34: the next fields count
        ("or_else_ability", I16),
        ("or_else_number", I16),
        ("or_else_conditions", I16),
        ("or_else_damage", I16),
    ],
    align=True,
)

EFFECT = np.dtype(
    [  # one row of what an action, ability or event does
        ("op", I16),
        ("amount", I16),
        ("range", I16),  # 0 = own area
        ("a", I16),
        ("b", I16),
    ],
    align=True,
)

PASSIVE = np.dtype(
    [  # a passive action or item that works while stamina is locked on it (section 14)
        ("need", I16),  # chips (R14.1)
        ("reactive", I16, (3,)),  # successes on reactive checks, per ability
        ("h_worth", I16, (3,)),  # successes per H face, per ability
        ("evade", I16),
        ("mirror", U8),
        ("revenge", U8),
        ("fly", U8),
        ("riposte", I16),
        ("riposte_range", I16),  # -1 = any
        ("riposte_type", I16),  # -1 = any
        ("riposte_when", I16),
    ],
    align=True,
)

TYPE = np.dtype(
    [  # an Enemy card (R1.7)
        ("colour", I16),
        ("base", I16),  # starting health = base + per_hero * Heroes (R10.1)
        ("per_hero", I16),
        ("shield", I16),
        ("provoke", I16),
        ("provoke_range", I16),
        ("provoke_loss", U8),  # R8.4
        ("elite", U8),
        ("fly", U8),
        ("mirror", U8),
        ("revenge", U8),
        ("size", I16),  # capacity it uses: 1, 2, 3 (R7.3)
        ("move", I16, (3,)),  # per Eye
        ("strike", I16, (3,)),  # strike row per Eye; -1 = no attack
        ("horns_first", I16, (3,)),  # effect rows per Eye
        ("horns_n", I16, (3,)),
        ("snake_first", I16),
        ("snake_n", I16),
        ("leave", I16),  # item left when defeated; -1 = nothing (R10.41)
        ("supply", I16),  # printed figures (ruling Q18)
    ],
    align=True,
)

CARD = np.dtype(
    [  # an Initiative card: six bars top to bottom (R5.8)
        ("shuffle", U8),
        ("enemy", U8, (6,)),  # the bar is an Enemy bar
        ("colour", I16, (6,)),
        ("bonus", U8, (6,)),  # bonus maneuver (R5.10)
        ("eye", I16, (6,)),
        ("horns", U8, (6,)),
        ("snake", U8, (6,)),
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
        ("damage", I16),
        ("conditions", I16),
        ("number", I16),  # 0 = no check; else an Ally's success avoids the effect
        ("ability", I16),
    ],
    align=True,
)

EVENT = np.dtype(
    [  # a scenario event
        ("when", I16),
        ("number", I16),
        ("subject", I16),
        ("first", I16),
        ("n", I16),
    ],
    align=True,
)

CONTENT = np.dtype(
    [
        ("n_areas", I16),
        ("capacity", I16, (N_AREAS,)),  # white dots (R7.2); 0 = none (Q52)
        ("level", I16, (N_AREAS,)),
        ("border", I16, (N_AREAS, N_AREAS)),  # terms.Border from row to column
        ("range", I16, (N_AREAS, N_AREAS)),  # R7.22; -1 = no path
        ("sees", U8, (N_AREAS, N_AREAS)),  # R7.24
        ("melee", I16, (N_AREAS, N_AREAS)),  # steps over single lines at one height (Q42); -1 none
        ("n_crossings", I16, (N_AREAS, N_AREAS)),
        ("crossing", I32, (N_AREAS, N_AREAS, N_CROSSINGS)),  # area bits of a clear line (R7.29)
        ("line_first", I16, (N_AREAS + 1,)),  # lines from area a: [line_first[a], line_first[a+1])
        ("line_length", I16, (N_LINES,)),
        ("line", I16, (N_LINES, LINE_MAX)),  # areas after the own one; -1 past the end
        ("rope", I32, (N_AREAS,)),  # bits of the areas a rope fixed by the map leads to (R7.17)
        ("story", I16, (N_AREAS,)),  # section triggered on entry; -1 = none
        ("story_by_any", U8, (N_AREAS,)),  # also by Enemies (Q56)
        ("trap_at", U8, (N_AREAS,)),  # trap tokens at set-up
        ("n_allies", I16),
        ("n_heroes", I16),  # in the party at set-up (R10.2)
        ("start", I16, (N_ALLIES,)),  # start area of each ally slot (R4.2)
        ("sheet", SHEET, (N_ALLIES,)),
        ("token", TOKEN, (N_ALLIES * N_TOKENS,)),
        ("attack", ATTACK, (N_ATTACKS,)),
        ("strike", STRIKE, (N_STRIKES,)),
        ("effect", EFFECT, (N_EFFECTS,)),
        ("passive", PASSIVE, (N_PASSIVES,)),
        ("n_types", I16),
        ("type", TYPE, (N_TYPES,)),
        ("n_setup", I16),
        ("setup_type", I16, (N_SETUP,)),  # Enemies placed at set-up
        ("setup_area", I16, (N_SETUP,)),
        ("n_cards", I16),
        ("card", CARD, (N_CARDS,)),
        ("n_fate", I16),
        ("fate", I16, (N_FATE,)),  # values of the Fate cards (Q28)
        ("n_injuries", I16),
        ("injury", INJURY, (N_INJURIES,)),
        ("n_traps", I16),
        ("trap", TRAP, (N_TRAPS,)),
        ("action_die", I16, (N_FACES,)),  # faces: 0 1 2, FACE_EXTRA, FACE_SYMBOL (Q2)
        ("reaction_die", I16, (N_FACES,)),  # faces: 0 1 2, FACE_SYMBOL
        ("objective", I16),
        ("objective_subject", I16),
        ("objective_number", I16),
        ("goal", I32),  # area bits
        ("last_round", I16),  # failure at its end; 0 = none
        ("timer_round", I16),  # the timer starts with this round's Fate card; 0 = no timer
        ("timer_target", I16),
        ("timer_repeats", U8),  # after the event: reset (R19.3) or stop (R19.4)
        ("n_events", I16),
        ("event", EVENT, (N_EVENTS,)),
        # rulings, each one number in the file of the ruleset
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
    ],
    align=True,
)

FACE_EXTRA, FACE_SYMBOL = 8, 9  # die faces beside the numbers 0, 1, 2

# ---- state: what a save of the table would hold -------------------------------------------------
ALLY = np.dtype(
    [
        ("kind", I16),
        ("area", I16),  # -1 = off the map
        ("retreat", I16),  # last area it was in that was not above its maximum (R7.8)
        ("disk", I16),
        ("spent", I16),
        ("wounds", I16),
        ("lock_passive", I16, (N_LOCKS,)),  # passive row; -1 = slot empty
        ("lock_chips", I16, (N_LOCKS,)),
        ("health", I16),  # of a Non-Hero Ally
        ("conditions", I16),  # bits 1 << Condition
        ("missed", I16),  # bit 1 = an action, 2 = a maneuver missed while holding Stunned (Q57)
        ("lapsing", I16),  # condition bits that go at the end of the turn (Q57)
        ("injury", I16, (N_INJURIES,)),  # how many of each Injury card
        ("inspiration", I16),
        ("achievement", I16),
        ("token", I16),  # chosen action token; -1 = none
        ("colour", I16),
        ("special", I16),  # terms.Special bits
        ("evade", I16),  # Evade points left this turn
        ("provoked", I32),  # bits of Enemies that have provoked it this turn (R8.3)
        ("riposte", I16),  # amount; 0 = none
        ("riposte_range", I16),
        ("riposte_type", I16),
        ("riposte_when", I16),
        ("reactive_bonus", I16),  # temporary: successes added to reactive checks
        ("reactive_dice", I16),  # temporary: dice added
        ("reactive_h", I16),  # temporary: worth of an H face
        ("item", I16, (N_ITEMS,)),  # -1 = empty
        ("wounded", U8),
        ("exhausted", U8),
        ("revived", U8),  # this round (R13.9)
        ("acted", U8),  # its turn of this round is over
        ("flipped", U8),  # Rethink was taken (R6.8)
        ("focus_rolled", U8),  # R3.22
        ("fly", U8),
        ("mirror", U8),
        ("revenge", U8),
        ("armed", U8, (3,)),  # per attack type: an active weapon
    ],
    align=True,
)

ENEMY = np.dtype(
    [
        ("type", I16),  # -1 = empty slot
        ("number", I16),  # figure number of its type, from 1
        ("area", I16),  # -1 = off the map
        ("retreat", I16),  # R7.8
        ("health", I16),
        ("full", I16),  # starting health
        ("conditions", I16),
        ("acted", U8),
        ("spawned", U8),  # this round
        ("fly", U8),
        ("mirror", U8),
        ("revenge", U8),
        ("fallen", U8),  # defeated, its defeat box still to be resolved (Q47)
    ],
    align=True,
)

ROLL = np.dtype(
    [  # the roll being made (section 3)
        ("ally", I16),
        ("die", I16),
        ("use", I16),
        ("dice", I16),
        ("successes", I16),
        ("symbols", I16),  # S or H faces rolled
        ("asked", I16),  # S faces already decided upon
        ("outside", U8),  # R3.4
    ],
    align=True,
)

CHECK = np.dtype(
    [  # the ability check being made
        ("ally", I16),
        ("ability", I16),
        ("number", I16),  # difficulty, or value of a reactive check
        ("modifier", I16),
        ("dice", I16),  # added dice
        ("h_worth", I16),
        ("total", I16),
        ("remaining", I16),
        ("success", U8),
    ],
    align=True,
)

MOVE = np.dtype(
    [  # the movement being made by an Ally
        ("ally", I16),
        ("kind", I16),  # terms.Movement
        ("points", I16),
        ("to", I16),
        ("provoker", I16),
        ("climb", U8),
        ("gem_used", U8),
        ("stopped", U8),
        ("fall", U8),
    ],
    align=True,
)

ACT = np.dtype(
    [  # the action being performed
        ("ally", I16),
        ("token", I16),  # action row
        ("row", I16),  # next effect row
        ("opening", I16),  # the row after the first one
        ("recipient", I16),
        ("amount", I16),
        ("cursed", U8),  # stamina spent turns red (R12.7)
        ("was_cursed", U8),  # and does so in further attacks of the action
    ],
    align=True,
)

ATTACKING = np.dtype(
    [  # the attack being made by an Ally
        ("ally", I16),
        ("row", I16),
        ("type", I16),
        ("centre", I16),
        ("n_targets", I16),
        ("target", I16, (N_ENEMIES,)),
        ("next", I16),  # target being dealt with
        ("line", I16, (LINE_MAX,)),  # areas chosen for a line attack
        ("n_line", I16),
        ("total", I16),  # damage before aim
        ("left", I16),  # of a Cleave, still to be shared
        ("share", I16, (N_ENEMIES,)),
        ("damage", I16, (N_ENEMIES,)),  # before shield
        ("dealt", I16, (N_ENEMIES,)),  # after shield, not capped by health
        ("before", I16, (N_ENEMIES,)),  # health before
        ("overkill", I16),
        ("healed", I16),
    ],
    align=True,
)

STRIKING = np.dtype(
    [  # the attack being made by an Enemy
        ("enemy", I16),
        ("row", I16),
        ("type", I16),
        ("value", I16),
        ("range", I16),
        ("area", I16),
        ("limit", I16),  # targets at most
        ("conditions", I16),
        ("push", I16),
        ("pull", I16),
        ("loss", U8),
        ("drain", U8),
        ("given", U8),  # targets were given: no choice
        ("n_targets", I16),
        ("target", I16, (N_ALLIES,)),
        ("next", I16),
        ("ally", I16),  # being dealt with
        ("done", I32),  # ally bits already dealt with
        ("hit_value", I16, (N_ALLIES,)),  # value that reached each Ally; -1 = none
        ("remaining", I16, (N_ALLIES,)),  # after its check; -1 = none
        ("caused", I16),  # to this Ally, for Drain
        ("taken", I16),  # what this Ally really took (Q44)
        ("distance", I16),  # to this Ally as the attack was made (Q48)
        ("centre", I16),
    ],
    align=True,
)

ENEMY_TURN = np.dtype(
    [
        ("enemy", I16),
        ("eye", I16),
        ("destination", I16),
        ("points", I16),
        ("n_path", I16),
        ("path", I16, (N_AREAS,)),
        ("next", I16),  # step being made; effect row being done
        ("n_walked", I16),
        ("horns", U8),
        ("snake", U8),
        ("acted", U8),
        ("moved", U8),
        ("fly", U8),
    ],
    align=True,
)

ENTRY = np.dtype(
    [  # entering an area, and the trap there
        ("area", I16),
        ("ally", I16),  # who enters; -1 = an Enemy
        ("enemy", I16),  # -1 = an Ally
        ("card", I16),  # drawn Trap card
        ("next", I16),  # figure the trap deals with next
        ("keyword", U8),  # disarm keyword: +2 (R19.7)
    ],
    align=True,
)

SPAWNING = np.dtype(
    [
        ("type", I16),
        ("area", I16),
        ("left", I16),
        ("slot", I16),  # of the last spawned figure; -1 = none
    ],
    align=True,
)

LOADED = np.dtype(
    [  # a scripted face or card, used before chance (Stream, owner or -1, value)
        ("stream", I16),
        ("owner", I16),
        ("value", I16),
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("chance", np.uint64, (N_STREAMS,)),  # kernel/chance.py alone advances it
        # what is asked
        ("decision", I16),
        ("asked", I16),  # the ally whose player decides; -1 = the players together
        ("subject", I16),  # what it is about: area, enemy or ally index; -1
        ("limit", I16),  # largest amount
        ("options", I32),  # bits of the legal indices, where the decision lists them
        ("answer", I16),  # -1 = none
        ("block", I16),  # block of the answer
        # where the game is
        ("ending", I16),
        ("won", U8),
        ("round", I16),
        ("phase", I16),
        ("bar", I16),  # 0 = First, 1..6 = bars, 7 = Last
        ("card", I16),  # this round's Initiative card; -1
        ("active_ally", I16),
        ("active_enemy", I16),
        ("last_ally", I16),  # whose turn just ended (R15.4)
        ("chosen_type", I16),  # Enemy type that goes on (R5.15)
        ("actions", I16),  # left in the own turn
        ("maneuvers", I16),
        ("recovering", I16),  # 0 stamina, 1 damage
        ("recover_ally", I16),
        ("rethinking", U8),
        ("result", I16),  # amount restored or healed last
        # pieces of work still to do
        ("depth", I16),
        ("agenda", I16, (N_AGENDA,)),
        # figures and areas
        ("ally", ALLY, (N_ALLIES,)),
        ("enemy", ENEMY, (N_ENEMIES,)),
        ("used", I16, (N_AREAS,)),  # capacity used, cached (R7.3)
        ("allies_in", I16, (N_AREAS,)),  # standing Allies, cached
        ("enemies_in", I16, (N_AREAS,)),
        ("trap", U8, (N_AREAS,)),
        ("rope", I32, (N_AREAS,)),  # bits of the areas a fixed rope leads to, both ways
        ("item", I16, (N_AREAS, N_ITEMS)),  # lying there; -1 = empty
        ("defeated", I16, (N_TYPES,)),  # figures defeated so far
        # decks: [0, n) with the top first
        ("n_initiative", I16),
        ("initiative", I16, (N_CARDS,)),
        ("n_initiative_discard", I16),
        ("initiative_discard", I16, (N_CARDS,)),
        ("n_fate", I16),
        ("fate", I16, (N_FATE,)),  # values
        ("n_fate_discard", I16),
        ("fate_discard", I16, (N_FATE,)),
        ("n_timer", I16),
        ("timer", I16, (N_FATE,)),
        ("timer_target", I16),  # 0 = no timer runs
        ("fate_card", I16),  # value drawn last
        ("reshuffled", U8),
        ("event_due", I32),  # bits of scenario events still to be played out
        ("event_row", I16),
        # what is going on
        ("roll", ROLL),
        ("check", CHECK),
        ("move", MOVE),
        ("act", ACT),
        ("attack", ATTACKING),
        ("strike", STRIKING),
        ("turn", ENEMY_TURN),
        ("entry", ENTRY),
        ("spawn", SPAWNING),
        ("flip_ally", I16),
        ("flip_chips", I16),
        ("flip_excess", I16),
        # tests and planners
        ("n_loaded", I16),
        ("loaded", LOADED, (N_LOADED,)),
        # what happened, for people
        ("n_log", I16),
        ("log_event", I16, (N_LOG,)),
        ("log_subject", I16, (N_LOG,)),
        # statistics of the episode
        ("decisions", I32),
        ("damage_dealt", I16),  # to Enemies
        ("damage_taken", I16),  # by Heroes, stamina lost included
        ("n_exhausted", I16),  # Heroes exhausted so far
    ],
    align=True,
)

# ---- observation: what the acting side sees, scaled to about [-1, 1] ---------------------------
F32 = np.float32
CHIPS, HEALTH, SMALL = 12.0, 20.0, 4.0  # scales of chips, health points, small numbers

OBS_ALLY = np.dtype(
    [
        ("present", F32),
        ("hero", F32),
        ("active", F32),  # in its own turn
        ("asked", F32),  # its player decides
        ("subject", F32),  # it is what the question is about
        ("acted", F32),
        ("exhausted", F32),
        ("wounded", F32),
        ("revived", F32),
        ("flipped", F32),
        ("focus_rolled", F32),
        ("fly", F32),
        ("mirror", F32),
        ("revenge", F32),
        ("riposte", F32),
        ("disk", F32),  # / CHIPS
        ("spent", F32),
        ("wounds", F32),
        ("lock", F32, (N_LOCKS,)),  # chips / SMALL
        ("health", F32),  # / HEALTH
        ("inspiration", F32),
        ("achievement", F32),
        ("evade", F32),
        ("hindered", F32),
        ("missed", F32, (2,)),
        ("lapsing", F32),
        ("reactive", F32, (3,)),  # temporary bonus, dice, worth of H, / SMALL
        ("injury", F32, (3,)),  # dice fewer per ability, / SMALL
        ("injury_move", F32),
        ("injury_recover", F32),
        ("targeted", F32),  # named as target of the Enemy's attack going on
        ("hit_value", F32),
        ("struck", F32),  # dealt with in that attack
        ("ability", F32, (3,)),  # / SMALL
        ("taunt", F32),
        ("armed", F32, (3,)),
        ("item", F32),  # items carried / N_ITEMS
        ("special", F32, (3,)),
        ("conditions", F32, (10,)),  # by number
        ("token", F32, (N_TOKENS,)),  # chosen action, one-hot
        ("colour", F32, (3,)),
        ("provoked", F32, (N_ENEMIES,)),
        ("area", F32, (N_AREAS,)),  # one-hot
    ]
)

OBS_ENEMY = np.dtype(
    [
        ("present", F32),
        ("active", F32),
        ("subject", F32),
        ("acted", F32),
        ("spawned", F32),
        ("health", F32),  # / HEALTH
        ("missing", F32),  # damage taken / HEALTH
        ("number", F32),
        ("fly", F32),
        ("mirror", F32),
        ("revenge", F32),
        ("elite", F32),
        ("shield", F32),  # / SMALL
        ("provoke", F32),
        ("size", F32),
        ("option", F32),  # among the options of a tie
        ("target", F32),  # named in the attack going on
        ("share", F32),
        ("damage", F32),
        ("conditions", F32, (10,)),
        ("colour", F32, (3,)),
        ("type", F32, (N_TYPES,)),
        ("area", F32, (N_AREAS,)),
    ]
)

OBS_BAR = np.dtype(
    [
        ("enemy", F32),
        ("bonus", F32),
        ("current", F32),
        ("passed", F32),
        ("horns", F32),
        ("snake", F32),
        ("colour", F32, (3,)),
        ("eye", F32, (3,)),
    ]
)

OBS_AREA = np.dtype(
    [
        ("exists", F32),
        ("room", F32),  # capacity left / SMALL, negative above maximum
        ("capacity", F32),
        ("level", F32),
        ("allies", F32),
        ("enemies", F32),
        ("trap", F32),
        ("items", F32),
        ("story", F32),
        ("goal", F32),
        ("option", F32),  # among the options of a tie
        ("line", F32),  # on the line chosen
        ("rope", F32),
        ("subject", F32),  # what the question is about
    ]
)

OBS = np.dtype(
    [
        ("decision", F32, (N_DECISIONS,)),  # what is asked, one-hot
        ("phase", F32, (4,)),
        ("round", F32),
        ("rounds_left", F32),  # until the last round; 0 = no such limit
        ("limit", F32),  # largest amount
        ("actions", F32),
        ("maneuvers", F32),
        ("together", F32),  # the players decide together
        ("first_bar", F32),
        ("last_bar", F32),
        ("timer", F32),  # a timer runs
        ("timer_sum", F32),
        ("timer_missing", F32),
        ("fate_left", F32, (4,)),  # cards of value 0 to 3 and above still in the deck
        ("card_seen", F32, (N_CARDS,)),  # Initiative cards in the discard
        ("roll_dice", F32),
        ("roll_successes", F32),
        ("roll_symbols", F32),
        ("roll_asked", F32),
        ("roll_use", F32, (4,)),
        ("check_number", F32),
        ("check_modifier", F32),
        ("check_ability", F32, (3,)),
        ("move_points", F32),
        ("move_kind", F32, (3,)),
        ("move_gem", F32),
        ("attack_type", F32, (3,)),
        ("attack_left", F32),
        ("attack_targets", F32),
        ("attack_row", F32),
        ("act_row", F32),
        ("act_amount", F32),
        ("cursed", F32),
        ("strike_value", F32),
        ("strike_loss", F32),
        ("strike_conditions", F32, (10,)),
        ("flip_chips", F32),
        ("flip_excess", F32),
        ("spawn_left", F32),
        ("event_due", F32),
        ("defeated", F32, (N_TYPES,)),
        ("bar", OBS_BAR, (6,)),
        ("ally", OBS_ALLY, (N_ALLIES,)),
        ("enemy", OBS_ENEMY, (N_ENEMIES,)),
        ("area", OBS_AREA, (N_AREAS,)),
    ]
)
N_OBSERVATION = OBS.itemsize // 4
