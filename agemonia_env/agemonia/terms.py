"""The words of the rulebook as integers. R numbers are those of docs/agemonia-rules.md."""

from enum import IntEnum


class Ability(IntEnum):
    """R1.2 - what checks are rolled with."""

    MIGHT = 0
    AGILITY = 1
    WILL = 2


class Colour(IntEnum):
    """R1.8 - initiative colours, of both sides."""

    RED = 0
    BLUE = 1
    GREEN = 2


class Eye(IntEnum):
    """R1.7 - which of an Enemy's three actions is used."""

    STARING = 0
    OPEN = 1
    CLOSED = 2


class Kind(IntEnum):
    """What an ally slot holds (0.3: Heroes and Non-Hero Allies are Allies)."""

    NOBODY = 0
    HERO = 1
    COMPANION = 2  # a Non-Hero Ally


class AttackType(IntEnum):
    """R9.1."""

    MELEE = 0
    RANGED = 1
    MAGIC = 2


class Shape(IntEnum):
    """R9.25 to R9.29."""

    SINGLE = 0
    MULTI = 1
    CLEAVE = 2
    AREA = 3
    LINE = 4


class Border(IntEnum):
    """R7.1, R7.12 - what lies between two areas, seen from the first of them."""

    NONE = 0
    SINGLE = 1
    DOUBLE_DOWN = 2
    DOUBLE_UP = 3
    BARRIER = 4


class Condition(IntEnum):
    """R12.1 to R12.10, by their numbers; a figure holds them as bits `1 << number`."""

    INVISIBLE = 1
    BLESSED = 2
    BLEEDING = 3
    SLOWED = 4
    WEAKENED = 5
    HELD = 6
    CURSED = 7
    CONFUSED = 8
    STUNNED = 9
    DOMINATED = 10


class Special(IntEnum):
    """R15.1 - special initiatives, as bits."""

    FIRST = 1
    LAST = 2
    AFTER = 4


class RiposteWhen(IntEnum):
    """R11.12 - what a riposte asks of the attack."""

    ALWAYS = 0
    DAMAGED = 1
    UNDAMAGED = 2


class Die(IntEnum):
    """R3.1, R3.6."""

    ACTION = 0
    REACTION = 1


class Roll(IntEnum):
    """What a roll of dice is for."""

    ATTACK = 0
    ACTIVE = 1
    REACTIVE = 2
    RECOVERY = 3  # "roll n dice, heal or restore that much"


class Stream(IntEnum):
    """One random stream per purpose."""

    SET_UP = 0
    ACTION_DICE = 1
    REACTION_DICE = 2
    INITIATIVE = 3
    FATE = 4
    TRAP = 5
    INJURY = 6
    ENEMY = 7
    POLICY = 8


N_STREAMS = len(Stream)


class Movement(IntEnum):
    """Where movement points come from."""

    MANEUVER = 0  # R6.5: Held and Slowed touch it
    RETHINK = 1  # R6.10
    EFFECT = 2  # items and actions (ruling Q4)


class Op(IntEnum):
    """Effect rows of content: what one row of an action, ability or event does (amount, range, a).

    Hero actions, in the order of their rows:
    """

    NONE = 0
    ATTACK = 1  # a = attack row
    HEAL = 2  # amount to an Ally within range
    RESTORE = 3
    MIXED = 4  # R2.9: amount split freely between restoring and healing
    ROLL_HEAL = 5  # roll amount dice, heal that much
    ROLL_RESTORE = 6
    GAIN = 7  # a = condition, to an Ally within range
    AFFLICT = 8  # a = condition, to an Enemy within range
    MOVE = 9  # amount movement points (Q4: not a move maneuver)
    EVADE = 10  # amount Evade points this turn
    LOCK = 11  # a = passive row: start the passive action
    DISCARD_ONE = 12  # an Ally within range loses one bad condition of its choice
    GEM = 13  # amount Achievement gems
    SET_TRAP = 14  # a trap token within range (R19.9); also of Enemies (R10.38)
    # additions of horns and snake to an Enemy's action (R10.37)
    ADD_MOVE = 20
    ADD_VALUE = 21
    ADD_RANGE = 22
    ADD_AREA = 23
    ADD_CONDITION = 24  # a = condition
    ADD_DRAIN = 25
    ADD_PUSH = 26
    ADD_PULL = 27
    ADD_TARGET = 28
    FLY = 29
    # what an Enemy does beside its action: snake before it, horns after it (R10.6, R10.7)
    ENEMY_HEAL = 30  # amount; -1 = to full health
    ENEMY_SELF = 31  # suffers amount
    STRIKE = 32  # a = strike row, made first from where it stands
    SPAWN = 33  # amount figures of type a in its own area (R10.47)
    # scenario events
    REINFORCE = 40  # amount figures of type a in area b
    REINFORCE_PER_HERO = 41
    FAIL = 42
    SUCCEED = 43
    TRAP = 44  # a trap token in area b


class When(IntEnum):
    """What sets off a scenario event."""

    NEVER = 0
    ROUND = 1  # end of round `number`
    TIMER = 2  # R19.2
    DEFEAT = 3  # `number` figures of type `subject` are defeated


class Objective(IntEnum):
    """R19.12 - how a scenario is won."""

    DEFEAT_ALL = 0  # no Enemy stands and no reinforcement is due
    DEFEAT_TYPE = 1  # `number` figures of type `subject` are defeated
    HOLD = 2  # a standing Hero at the end of round `number`
    REACH = 3  # every standing Hero in one of the goal areas


class Ending(IntEnum):
    """How a scenario ended."""

    NONE = 0
    OBJECTIVE = 1  # success
    ALL_EXHAUSTED = 2  # failure from here on (R19.13)
    OUT_OF_TIME = 3  # the last round is over
    EVENT = 4  # a scenario event says so


class Phase(IntEnum):
    """R5.1."""

    SELECT = 0
    REVEAL = 1
    TURNS = 2
    FATE = 3


class Decision(IntEnum):
    """What is asked. The comment names the block of actions that answers it."""

    NONE = 0
    SELECT_ACTION = 1  # TOKEN: the round's action of `ally` (R5.2)
    NEXT_ALLY = 2  # ALLY: who acts next on this bar (R5.14)
    NEXT_TYPE = 3  # TYPE: which Enemy type acts first (R5.15)
    TURN = 4  # TURN: what `ally` does next in its turn (R6.15)
    STEP = 5  # AREA, CLIMB; DONE to stop; YES = Achievement gem (R7, R3.24)
    EVADE = 6  # AMOUNT against the Provoke of Enemy `subject` (R8.9)
    DISARM = 7  # YES / NO: try to disarm the trap in area `subject` (R19.7)
    ATTACK_TYPE = 8  # ATTACK_TYPE (R9.1)
    TARGET = 9  # ENEMY; DONE = no further target (R9.2)
    CENTRE = 10  # AREA: centre of an area attack (R9.26)
    LINE = 11  # AREA: next area of the line; DONE (R9.27)
    SHARE = 12  # AMOUNT of a Cleave for Enemy `subject` (R9.29)
    INSPIRATION = 13  # YES / NO (R3.23)
    BLESSED = 14  # YES / NO (R12.2)
    PAY = 15  # AMOUNT of stamina on an S-symbol (R3.3)
    ACHIEVEMENT = 16  # YES / NO (R3.24)
    FLIP_LOCK = 17  # LOCK from which a chip is flipped (R14.7)
    STAND_IN = 18  # ALLY that takes the hit for `subject`; NO (R10.26)
    ENEMY_DESTINATION = 19  # AREA, a tie of R10.13
    ENEMY_STOP = 20  # AREA, a tie of Q49
    ENEMY_TARGET = 21  # ALLY, a tie of R10.24
    STRIKE_ORDER = 22  # ALLY dealt with next in an attack on several
    DOMINATED_ENEMY = 23  # ENEMY struck by a Dominated Enemy (R12.10)
    DOMINATED_ALLY = 24  # ALLY struck by a Dominated Ally (R12.10)
    SPAWN_AREA = 25  # AREA, a tie of R10.46
    RECIPIENT = 26  # ALLY that an action helps
    AFFLICTED = 27  # ENEMY that an action afflicts
    AMOUNT = 28  # AMOUNT restored, the rest is healed (R2.9)
    ABILITY = 29  # ABILITY of a check that offers several (R3.10)
    DISCARD = 30  # CONDITION that an effect discards
    SPRING = 31  # YES / NO: a flyer meddles with the trap in area `subject` (R7.20)
    TRAP_AREA = 32  # AREA in which a trap is set (R19.9, a tie of R10.38)


N_DECISIONS = len(Decision)

# Ties that "the players choose": with ties="auto" the lowest legal action is taken.
TIES = (
    Decision.NEXT_TYPE,
    Decision.ENEMY_DESTINATION,
    Decision.ENEMY_STOP,
    Decision.ENEMY_TARGET,
    Decision.STRIKE_ORDER,
    Decision.DOMINATED_ENEMY,
    Decision.DOMINATED_ALLY,
    Decision.SPAWN_AREA,
)


class Denial(IntEnum):
    """Why something is not allowed; NONE means that it is. The text is what a player reads."""

    NONE = 0
    NOT_ASKED = 1
    SCENARIO_ENDED = 2
    OUT_OF_ACTION = 3
    NOT_A_HERO = 4
    NO_ACTION_LEFT = 5
    NO_MANEUVER_LEFT = 6
    TURN_TAKEN = 7
    NOT_ENOUGH_STAMINA = 8
    NO_GEM = 9
    NO_SUCH_ACTION = 10
    HELD = 11
    NOT_ADJACENT = 12
    BARRIER = 13
    HEIGHT = 14
    AREA_FULL = 15
    NO_CAPACITY = 16
    NO_POINTS = 17
    MUST_LEAVE = 18
    FOCUS_USED = 19
    NOTHING_TO_DISCARD = 20
    NO_WEAPON = 21
    NO_TARGET = 22
    OUT_OF_RANGE = 23
    NO_SIGHT = 24
    AREA_HAS_ROOM = 25
    ALREADY_CHOSEN = 26
    NOT_ON_LINE = 27
    TOO_MUCH = 28
    NOT_TIED_BEST = 29
    INVISIBLE = 30
    NOT_RUNNING = 31
    NOTHING_CHOSEN = 32
    NO_ROPE = 34
    NOTHING_TO_RECOVER = 35
    HINDERED = 36


class Event(IntEnum):
    """What happened, for people and tests; `subject` is a figure or an area."""

    NONE = 0
    STORY = 1
    TRAP = 2
    INJURY = 3
    EXHAUSTED = 4
    DEFEAT = 5
    TIMER = 6
    FAILURE = 7
    SUCCESS = 8
    SPAWN = 9


class Broken(IntEnum):
    """Invariants of a state, as bits of `invariants.status`."""

    CHIPS = 1  # R1.3: disk + spent + wounds + locked is constant
    CAPACITY = 2  # cached figures of an area add up (R7.3)
    PLACE = 4  # no standing figure off the map, none on areas that do not exist
    CONDITIONS = 8  # at most two, of those the figure can have (R12.0)
    DECKS = 16  # decks are permutations
    HEALTH = 32  # 0 <= health <= starting health
    WOUNDED_DISK = 64  # R13.5
    AGENDA = 128  # depth within bounds, something pending unless ended
    LOCKS = 256  # no under-filled lock (R14.8)
    GEMS = 512  # R16.1, R16.4
    COUNTS = 1024  # actions, maneuvers, points are not negative


class Proc(IntEnum):
    """Pieces of work on the agenda; each is one function of rules/ or flow.py, in three groups."""

    NONE = 0
    # rounds, turns, movement, traps, locks
    ROUND_START = 1
    SELECT_NEXT = 2
    ROUND_REVEAL = 3
    TURN_NEXT = 4
    ROUND_FATE = 5
    ROUND_END = 6
    TURN_START = 7
    TURN_TRAP = 8
    TURN_CHOOSE = 9
    TURN_END = 10
    RECOVER = 11
    MOVE_NEXT = 12
    STEP_PROVOKE = 13
    STEP_PLACE = 14
    STEP_FALL = 15
    STEP_CLIMB = 16
    FALL_HIT = 17
    FALL_CONDITION = 18
    ENTER_STORY = 19
    ENTER_TRAP = 20
    TRAP_DISARMED = 21
    TRAP_TRIGGER = 22
    TRAP_VICTIM = 23
    TRAP_CHECK = 24
    TRAP_SET = 25
    TRAP_CONDITION = 26
    FLIP_LOCK = 27
    ROPE_FIXED = 28
    # dice, checks, actions and attacks of Allies
    ROLL_INSPIRATION = 29
    ROLL_DICE = 30
    ROLL_BLESSED = 31
    ROLL_PAY = 32
    ROLL_ACHIEVEMENT = 33
    ROLLED_ALONE = 34
    CHECK_ABILITY = 35
    CHECK_ACTIVE = 36
    CHECK_REACTIVE = 37
    ACTION_NEXT = 38
    ACTION_END = 39
    ATTACK_TYPE = 40
    ATTACK_TARGET = 41
    ATTACK_LINE = 42
    ATTACK_CENTRE = 43
    ATTACK_ROLL = 44
    ATTACK_TOTAL = 45
    ATTACK_SHARE = 46
    ATTACK_DAMAGE = 47
    ATTACK_RIDERS = 48
    ATTACK_DRAIN = 49
    ATTACK_REVENGE = 50
    ATTACK_DEFEATS = 51
    EFFECT_RECIPIENT = 52
    EFFECT_ROLLED = 53
    EFFECT_AMOUNT = 54
    EFFECT_AFFLICTED = 55
    EFFECT_DISCARD = 56
    # Enemies' turns and attacks, spawning, scenario events
    ENEMY_START = 57
    ENEMY_SNAKE = 58
    ENEMY_PLAN = 59
    ENEMY_STOP = 60
    ENEMY_STEP = 61
    ENEMY_STRIKE = 62
    ENEMY_HORNS = 63
    ENEMY_END = 64
    STRIKE_TARGET = 65
    STRIKE_STAND_IN = 66
    STRIKE_LINE_UP = 67
    STRIKE_NEXT = 68
    STRIKE_HIT = 69
    STRIKE_RIDERS = 70
    STRIKE_OR_ELSE = 71
    STRIKE_OR_ELSE_DONE = 72
    STRIKE_OR_ELSE_HIT = 73
    STRIKE_DRAIN = 74
    STRIKE_REVENGE = 75
    STRIKE_RIPOSTE = 76
    DOMINATED_ENEMY = 77
    DOMINATED_ALLY = 78
    DOMINATED_STAND_IN = 79
    SPAWN = 80
    EVENT_NEXT = 81
