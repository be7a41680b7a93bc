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

    GAME = 0  # never drawn from: the places of the others come from it
    ACTION_DICE = 1
    REACTION_DICE = 2
    INITIATIVE = 3
    FATE = 4
    TRAP = 5
    INJURY = 6
    POLICY = 7


N_STREAMS = len(Stream)


class Movement(IntEnum):
    """Where movement points come from."""

    MANEUVER = 0  # R6.5: Held and Slowed touch it
    RETHINK = 1  # R6.10
    EFFECT = 2  # items and actions (ruling Q4)


class Op(IntEnum):
    """Effect rows of content: what one row of an action, ability or event does (amount, range, a).

    Actions of Allies and items, in the order of their rows:
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
    DISCARD_ONE = 12  # an Ally within range loses one condition of its choice
    GEM = 13  # amount Achievement gems
    SET_TRAP = 14  # a trap token within range (R19.9); also of Enemies (R10.38)
    JUMP = 15  # range = areas (R7.30)
    TELEPORT = 16  # range = areas (R7.38)
    PUSH = 17  # an Enemy within range amount areas away (R7.51)
    PULL = 18  # an Enemy within range amount areas closer (R7.49)
    DRAIN = 19  # amount from an Enemy within range (R9.31)
    DAMAGE = 20  # amount to an Enemy within range, no attack (R2.13)
    DEFEAT = 21  # an Enemy within range that is not Elite (R10.42)
    SUMMON = 22  # a = token row: a summoned token within range (R18.7)
    COMMAND = 23  # a = token row: the token moves amount areas, then harms an Enemy beside it
    SUMMON_ALLY = 24  # a = ally slot: the summoned Ally appears within range (R18.6)
    PORTAL = 25  # a purple teleport token within range (R7.45); a = its own range, -1 = none
    MANEUVER = 26  # amount more maneuvers this turn (R6.3)
    DELAY = 27  # an Enemy within range that has not acted gets Last (R15.10)
    UNWOUND = 28  # an Ally within range is no longer wounded (R13.7)
    REVIVE = 29  # an exhausted Hero within range stands up (R13.9)
    ATTACK_DICE = 30  # amount more dice on attacks of type a this turn (R6.4)
    ABILITY = 31  # amount more levels of ability a this round; a = -1: of all, 3: picked
    DISCARD_ALL = 32  # an Ally within range loses all conditions (R12.19)
    INSPIRE = 33  # amount Inspiration gems
    # additions of horns and snake to an Enemy's action (R10.37)
    ADD_MOVE = 40
    ADD_VALUE = 41
    ADD_RANGE = 42
    ADD_AREA = 43
    ADD_CONDITION = 44  # a = condition
    ADD_DRAIN = 45
    ADD_PUSH = 46
    ADD_PULL = 47
    ADD_TARGET = 48
    FLY = 49
    # what an Enemy does beside its action: snake before it, horns after it (R10.6, R10.7)
    ENEMY_HEAL = 50  # amount; -1 = to full health
    ENEMY_SELF = 51  # suffers amount
    STRIKE = 52  # a = strike row, made first from where it stands
    SPAWN = 53  # amount figures of type a in its own area (R10.47); also of defeat boxes
    ENEMY_TELEPORT = 54  # range areas, next to whom it can attack (R10.37)
    SNAKE = 55  # its snake ability (R10.37)
    BURST = 56  # of a defeat box: amount to every Ally within range, and condition a
    STORY_TOKEN = 57  # amount tokens onto the Story card (R10.37)
    # scenario events and story sections
    REINFORCE = 60  # amount figures of type a in area b
    REINFORCE_PER_HERO = 61
    FAIL = 62
    SUCCEED = 63
    TRAP = 64  # a trap token in area b
    ITEM = 65  # item a lies in area b
    ACTIVATE = 66  # the teleport token in area b turns to its active side; amount 0 = inactive
    START_TIMER = 67  # amount = sum at which its event happens (R19.1)
    STOP_TIMER = 68  # R19.4
    ADVANCE = 69  # amount steps towards the objective
    GIVE_GEM = 70  # amount Achievement gems for every standing Hero
    HARM = 71  # amount damage to the Ally that set the section off
    CURE = 72  # that Ally is healed by amount
    AFFECT = 73  # that Ally gains condition a
    JOIN = 74  # ally slot a appears in area b
    FORTIFY = 75  # every standing Enemy of type a heals amount


class When(IntEnum):
    """What sets off a scenario event."""

    NEVER = 0
    ROUND = 1  # end of round `number`
    TIMER = 2  # R19.2
    DEFEAT = 3  # `number` figures of type `subject` are defeated
    STORY = 4  # story section `subject` is read (R19.11)
    TOKENS = 5  # Enemies have put `number` tokens on the Story card (R10.37)


class Trigger(IntEnum):
    """R19.11, R19.10 - what sets off a story section."""

    ENTRY = 0  # an Ally enters the area (Q56)
    SIGHT = 1  # an Ally is within its range with sight: compulsory
    CHOICE = 2  # a Hero within its range with sight may use it in its turn


class Wear(IntEnum):
    """R17.1, R17.4 - how an item is put to use."""

    NONE = 0  # it is carried, and used as its text says
    HAND = 1  # active in hand (R17.1)
    HELMET = 2
    ARMOUR = 3  # or robe
    BACKPACK = 4
    PET = 5


class Trait(IntEnum):
    """Traits that make an item a candidate for a question (rules.gear.places)."""

    ITEM = 0  # there is one
    OWN = 1  # Hero-specific (R17.5)
    WORN = 2  # to be put to use (R17.1, R17.4)
    USED = 3  # its text does something (R6.11)
    RARE = 4  # a rope (R7.17), a pet (R18.8), or what gives a special initiative (R15.9)


class Rider(IntEnum):
    """R17.6 - what serves an attack before its roll."""

    NONE = 0
    POISON = 1  # weapons with the poison icon
    ARROW = 2  # ranged weapons that allow them
    RUNE = 3  # weapons with a rune slot


class Way(IntEnum):
    """How a figure gets from one area into another."""

    WALK = 0
    CLIMB_CHECK = 1  # a rope: the Agility check is due (R7.17)
    CLIMB = 2
    JUMP = 3  # R7.30
    TELEPORT = 4  # R7.38
    TOKEN = 5  # by teleport token (R7.46)
    PUSHED = 6  # R7.51
    PULLED = 7  # R7.49
    PUT_BACK = 8  # R7.8


class Will(IntEnum):
    """How far Enemies are bound by their cards."""

    CARD = 0  # R10.12 to R10.24
    FREE = 1  # destination and target free among the legal ones


class Side(IntEnum):
    """Whose decision it is."""

    HEROES = 0
    ENEMIES = 1


class Objective(IntEnum):
    """R19.12 - how a scenario is won."""

    DEFEAT_ALL = 0  # no Enemy stands and no reinforcement is due
    DEFEAT_TYPE = 1  # `number` figures of type `subject` are defeated
    HOLD = 2  # a standing Hero at the end of round `number`
    REACH = 3  # every standing Hero in one of the goal areas
    COLLECT = 4  # standing Heroes, in goal areas if there are any, carry `number` items `subject`
    ESCORT = 5  # the Non-Hero Ally in slot `subject` stands in a goal area; lost if exhausted
    DISARM = 6  # `number` traps are disarmed
    ADVANCE = 7  # `number` steps, taken by story sections and events


class Ending(IntEnum):
    """How a scenario ended."""

    NONE = 0
    OBJECTIVE = 1  # success
    ALL_EXHAUSTED = 2  # failure from here on (R19.13)
    OUT_OF_TIME = 3  # the last round is over
    EVENT = 4  # a scenario event says so
    ESCORT_LOST = 5  # the Ally to be escorted is exhausted


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
    FLIP_LOCK = 17  # LOCK from which a chip is flipped (R14.7), or LOCK ended; DONE (R14.4)
    STAND_IN = 18  # ALLY that takes the hit for `subject`, or which lock ends first; NO (R10.26)
    ENEMY_DESTINATION = 19  # AREA, a tie of R10.13; free will: any in reach
    ENEMY_STOP = 20  # AREA, a tie of Q49
    ENEMY_TARGET = 21  # ALLY, a tie of R10.24; free will: any legal one
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
    JUMP = 33  # AREA to jump to; DONE = stay (R7.30)
    TELEPORT = 34  # AREA to teleport to; DONE = stay (R7.38)
    PUSH_TO = 35  # AREA that figure `subject` is pushed or pulled into (R7.54)
    VICTIM = 36  # ENEMY that an effect pushes, pulls, drains, damages, defeats or delays
    AFTER_ALLY = 37  # ALLY that acts right after the turn just ended; NO (R15.4)
    SPECIAL = 38  # SPECIAL: which initiative `ally` uses this round (R15.7)
    TACTICS = 39  # ALLY whose colour `ally` takes for 1 stamina; NO (R5.6)
    SLOT = 40  # TOKEN that fills the next ordinary slot at set-up (R4.3)
    REROLL = 41  # YES / NO: roll dice again (R3.8)
    BOOST = 42  # ITEM discarded for successes on the check; DONE (R3.12)
    RIDER = 43  # ITEM (poison, arrow, rune) that serves the attack; DONE (R17.6)
    WEAPON = 44  # ITEM: the active weapon used (R9.2)
    OPENING = 45  # ITEM that gives a special initiative this round; DONE (R15.9)
    USE = 46  # ITEM to be used (R6.11)
    DROP = 47  # ITEM to be dropped (R17.5)
    TAKE = 48  # GROUND: item picked up (R17.5)
    GIVE = 49  # ITEM to be given (R17.5)
    GIVE_TO = 50  # ALLY that receives item `subject` (R17.5)
    WEAR = 51  # ITEM to be put to use or away (R17.2, R17.4)
    ROPE = 52  # AREA to which a rope is fixed, or from which it is taken (R7.17)
    SUMMON_AREA = 53  # AREA in which a token, teleport token or summoned Ally appears
    TOKEN_STEP = 54  # AREA that a token or pet moves into; DONE (R18.7, R18.8)
    TOKEN_HARM = 55  # ENEMY that a commanded token harms; DONE
    STORY = 56  # STORY section that is used (R19.11)
    ABILITY_BONUS = 57  # ABILITY that an effect raises


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
# Choices within the Enemies' cards: decisions of the enemy side where somebody plays it.
ENEMY_CHOICES = (
    Decision.NEXT_TYPE,
    Decision.ENEMY_DESTINATION,
    Decision.ENEMY_STOP,
    Decision.ENEMY_TARGET,
    Decision.STRIKE_ORDER,
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
    MOVE_GOING_ON = 33
    NO_ROPE = 34
    NOTHING_TO_RECOVER = 35
    HINDERED = 36
    SAME_AREA = 37
    TOO_LARGE = 38
    NO_TELEPORT_TOKEN = 39
    NO_SUCH_ITEM = 40
    HANDS_FULL = 41
    TOO_HEAVY = 42
    NOT_TO_GIVE = 43
    NO_USE = 44
    JUST_ARRIVED = 45
    HANDLED = 46
    USED_UP = 47
    NOT_IN_SLOT = 48
    READ_ALREADY = 49
    ELITE = 50


class Event(IntEnum):
    """Events of the log; see core.event_log.LogRow.

    `figure` is an ally slot, N_ALLIES + an enemy slot, or N_ALLIES + N_ENEMIES + a token slot;
    `place` is an area where nothing else is said.
    """

    NONE = 0
    STORY = 1  # figure sets off a section in place (amount = section; -1 without one)
    TRAP = 2  # place
    INJURY = 3  # figure becomes wounded; amount = Injury card
    EXHAUSTED = 4  # figure
    DEFEAT = 5  # figure, place
    TIMER = 6
    FAILURE = 7  # amount = terms.Ending
    SUCCESS = 8  # amount = terms.Ending
    SPAWN = 9  # figure, amount = Enemy type, place
    # the course of the game
    ROUND = 10  # amount = its number
    SELECT = 11  # figure, amount = action token
    CARD = 12  # amount = Initiative card
    FATE = 13  # amount = value
    TURN = 14  # figure begins its turn; amount = eye + 4 * horns + 8 * snake of an Enemy
    TURN_END = 15  # figure
    # what players and Enemies do: the verbs of the cases
    DIE = 20  # figure rolls; amount = terms.Die, other = face
    CHOICE = 21  # figure = who is asked or -1, amount = terms.Decision, choice = action
    MOVE = 22  # figure, amount = points, place = terms.Movement
    RETHINK = 23  # figure, amount = 1 restores
    RECOVER = 24  # figure, amount = 0 stamina, 1 damage
    ACT = 25  # figure, amount = action row
    EFFECT = 26  # figure, amount = effect row; other = 1 done, 0 not to be had
    ATTACK = 27  # figure, amount = attack row
    STRIKE = 28  # figure, amount = strike row
    STEP = 29  # figure enters place; amount = terms.Way
    FALL = 30  # figure
    SPEND = 31  # figure, amount; other = 1 turned red (R12.7)
    LOSE = 32  # figure, amount
    DAMAGE = 33  # figure, amount taken
    RESTORE = 34  # figure, amount
    HEAL = 35  # figure, amount
    GAIN = 36  # figure, amount = condition
    DISCARD = 37  # figure, amount = condition
    LOCK = 38  # figure, amount = passive row
    UNLOCK = 39  # figure, amount = passive row
    PROVOKE = 40  # figure leaves; amount = Enemy slot
    CHECK = 41  # figure, amount = total, place = number; other = 1 success, 0 not, -1 reactive
    TAKE = 42  # figure, amount = item, place
    DROP = 43  # figure, amount = item, place
    GIVE = 44  # figure receives, amount = item, place = giver
    USE = 45  # figure, amount = item
    WEAR = 46  # figure, amount = item, other = 1 on, 0 off
    ROPE = 47  # figure, place = to, amount = 1 fixed, 0 taken
    SUMMON = 48  # figure (token), place
    PUSH = 49  # figure, amount = areas asked for, negative = pulled, place = source
    GEM = 50  # figure, amount = 0 Inspiration, 1 Achievement; other = 1 gained, 0 discarded
    UNWOUND = 51  # figure is no longer wounded
    REVIVE = 52  # figure
    SPECIAL = 53  # figure, amount = terms.Special used this round
    MANEUVER = 54  # figure spends a maneuver; amount = condition discarded, or 0
    ROLL = 55  # figure, amount = terms.Roll, other = dice
    TARGET = 56  # figure is attacked; amount = damage before shield or check, -1 = none
    COLOUR = 57  # figure, amount = terms.Colour that it takes (R5.6)
    TRAP_CARD = 58  # amount = Trap card, place
    DISARMED = 59  # figure, place
    TRAP_SET = 60  # figure or -1 = no Ally, place
    PORTAL = 61  # figure, place: a teleport token lies there
    RECALL = 62  # figure (pet) is taken back
    BOOST = 63  # figure, amount = item discarded for a check
    RIDE = 64  # figure, amount = poison, arrow or rune that serves its attack
    ENEMY_ACTS = 65  # figure acts in its turn; amount = eye + 4 * horns + 8 * snake
    SCENARIO = 66  # amount = scenario event that begins
    CONSEQUENCE = 67  # amount = effect row of an event, section (figure set it off) or defeat box
    STORY_TOKEN = 68  # figure puts amount tokens on the Story card


class Broken(IntEnum):
    """Invariants of a state, as bits of `invariants.status`."""

    CHIPS = 1  # R1.3: disk + spent + wounds + locked is constant
    CAPACITY = 2  # cached figures of an area add up (R7.3)
    PLACE = 4  # no standing figure off the map, none on areas that do not exist
    CONDITIONS = 8  # at most two, of those the figure can have (R12.0)
    DECKS = 16  # decks are permutations
    HEALTH = 32  # 0 <= health <= starting health
    WOUNDED_DISK = 64  # R13.5
    TASKS = 128  # depth within bounds, something pending unless ended
    LOCKS = 256  # no under-filled lock (R14.8)
    GEMS = 512  # R16.1, R16.4
    COUNTS = 1024  # actions, maneuvers, points are not negative
    ITEMS = 2048  # what is in use is carried, and hands suffice (R17.1)


class Proc(IntEnum):
    """Tasks on the stack; each is one function of rules/ or flow.py, in three groups."""

    NONE = 0
    # rounds, turns, movement, traps, items, locks
    SET_UP_SLOT = 1
    ROUND_START = 2
    SELECT_NEXT = 3
    TACTICS_NEXT = 4
    ROUND_REVEAL = 5
    OPENING_NEXT = 6
    SPECIAL_NEXT = 7
    TURN_NEXT = 8
    AFTER_ALLY = 9
    ROUND_FATE = 10
    ROUND_END = 11
    TURN_START = 12
    TURN_TRAP = 13
    TURN_CHOOSE = 14
    TURN_END = 15
    RECOVER = 16
    MOVE_NEXT = 17
    STEP_PROVOKE = 18
    STEP_PLACE = 19
    STEP_FALL = 20
    STEP_CLIMB = 21
    JUMP_TO = 22
    TELEPORT_TO = 23
    FALL_HIT = 24
    FALL_CONDITION = 25
    PUSH_NEXT = 26
    PUSH_STEP = 27
    PUSH_END = 29
    ENTER_STORY = 30
    ENTER_TRAP = 31
    TRAP_DISARMED = 32
    TRAP_TRIGGER = 33
    TRAP_VICTIM = 34
    TRAP_CHECK = 35
    TRAP_SET = 36
    TRAP_CONDITION = 37
    STORY_CHECK = 38
    STORY_NEXT = 39
    ITEM_USE = 40
    ITEM_DROP = 41
    ITEM_TAKE = 42
    ITEM_GIVE = 43
    ITEM_GIVE_TO = 44
    ITEM_WEAR = 45
    TOKEN_WALK = 46
    TOKEN_HARM = 48
    FLIP_LOCK = 49
    ROPE_TO = 50
    ROPE_FIXED = 51
    # dice, checks, actions and attacks of Allies
    ROLL_INSPIRATION = 52
    ROLL_AGAIN = 54
    ROLL_BLESSED = 55
    ROLL_PAY = 56
    ROLL_ACHIEVEMENT = 57
    ROLLED_ALONE = 58
    CHECK_ABILITY = 59
    CHECK_BOOST = 60
    EFFECT_RESTORE = 61
    CHECK_ACTIVE = 62
    CHECK_REACTIVE = 63
    ACTION_NEXT = 64
    ACTION_END = 65
    ATTACK_TYPE = 66
    ATTACK_WEAPON = 67
    ATTACK_AIM = 68
    ATTACK_TARGET = 69
    ATTACK_LINE = 70
    ATTACK_CENTRE = 71
    ATTACK_RIDER = 72
    ATTACK_ROLL = 73
    ATTACK_TOTAL = 74
    ATTACK_SHARE = 75
    ATTACK_DAMAGE = 76
    ATTACK_RIDERS = 77
    ATTACK_PUSH = 78
    ATTACK_DRAIN = 79
    ATTACK_REVENGE = 80
    ATTACK_DEFEATS = 81
    EFFECT_RECIPIENT = 82
    EFFECT_ROLLED = 83
    EFFECT_AMOUNT = 84
    EFFECT_AFFLICTED = 85
    EFFECT_DISCARD = 86
    EFFECT_VICTIM = 87
    EFFECT_ABILITY = 88
    EFFECT_PLACE = 89
    # Enemies' turns and attacks, spawning, scenario events
    ENEMY_START = 90
    ENEMY_SNAKE = 91
    ENEMY_PLAN = 92
    ENEMY_STOP = 93
    ENEMY_STEP = 94
    ENEMY_STRIKE = 95
    ENEMY_HORNS = 96
    ENEMY_END = 97
    ENEMY_TELEPORT = 98
    STRIKE_TARGET = 99
    STRIKE_STAND_IN = 100
    STRIKE_LINE_UP = 101
    STRIKE_NEXT = 102
    STRIKE_HIT = 103
    STRIKE_RIDERS = 104
    STRIKE_OR_ELSE = 105
    STRIKE_OR_ELSE_DONE = 106
    STRIKE_OR_ELSE_HIT = 107
    STRIKE_PUSH = 108
    STRIKE_DRAIN = 109
    STRIKE_REVENGE = 110
    STRIKE_RIPOSTE = 111
    DOMINATED_ENEMY = 112
    DOMINATED_ALLY = 113
    DOMINATED_STAND_IN = 114
    SPAWN = 115
    DEFEAT_BOX = 116
    BURST = 117
    BURST_CONDITION = 118
    EVENT_NEXT = 119
    ENEMY_ROAM = 120
