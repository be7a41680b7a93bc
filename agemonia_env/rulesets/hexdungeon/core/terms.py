"""Words of the rulebook as numbers."""

from enum import IntEnum


class Terrain(IntEnum):
    """What a hex may be; several kinds may lie on one."""

    WALL = 0  # G4.2
    DOOR = 1  # a closed one; open doors are plain hexes (G12.9)
    OBSTACLE = 2
    TRAP = 3
    HAZARD = 4
    DIFFICULT = 5


class Mode(IntEnum):
    """How a figure moves."""

    WALK = 0  # G12.2
    JUMP = 1  # G12.6
    FLY = 2  # G12.7


class Draw(IntEnum):
    """How an attack draws from its modifier deck (G2.1)."""

    NORMAL = 0
    ADVANTAGE = 1
    DISADVANTAGE = 2


class Worth(IntEnum):
    """What a modifier card does to the attack value (G1.4)."""

    PLUS = 0  # adds its number, which may be below 0
    DOUBLE = 1
    NULL = 2


class Effect(IntEnum):
    """What an attack brings (G1.15); those from PUSH to HEAL have an amount."""

    NONE = 0
    POISON = 1
    WOUND = 2
    IMMOBILIZE = 3
    DISARM = 4
    STUN = 5
    MUDDLE = 6
    INVISIBLE = 7
    STRENGTHEN = 8
    FIRE = 9
    ICE = 10
    AIR = 11
    EARTH = 12
    LIGHT = 13
    DARK = 14
    CURSE = 15
    ADD_TARGET = 16
    PUSH = 17
    PULL = 18
    PIERCE = 19
    HEAL = 20
    BLESS = 21  # not on modifier cards


class Side(IntEnum):
    """What a figure is; characters and summons are one side, monsters the other."""

    NONE = 0  # the slot is empty
    HERO = 1  # a character
    SUMMON = 2
    MONSTER = 3


class Place(IntEnum):
    """Where an ability card of a character lies (G14.1, G14.3)."""

    NONE = 0  # there is no such card
    HAND = 1
    DISCARD = 2
    LOST = 3
    ACTIVE = 4  # it counts as discarded or lost at the same time (G11.12)


class Op(IntEnum):
    """What a line of an ability card, or of a monster's card, does."""

    NONE = 0
    MOVE = 1  # G12.1
    ATTACK = 2  # G7
    HEAL = 3  # G8.14
    SHIELD = 4  # until the end of the round (G8.4)
    RETALIATE = 5
    AFFECT = 6  # conditions, blesses and curses on those served
    SUFFER = 7  # enemies within the range suffer damage that is no attack's
    PUSH = 8  # an enemy within the range, without an attack (G9)
    PULL = 9
    LOOT = 10  # everything within the range (G3.6)
    SUMMON = 11  # G11.18
    INFUSE = 12  # elements (G7.9)
    RECOVER = 13  # a lost card (G11.14)
    BONUS = 14  # the card's active bonus begins (G11.1)


class Serve(IntEnum):
    """Whom a line or an active bonus is for."""

    SELF = 0
    ALLY = 1  # one of self and allies within the range
    ALLIES = 2  # all allies within the range; of a bonus: all allies
    PARTY = 3  # all allies and self
    ENEMIES = 4  # all enemies within the range
    ENEMY = 5  # one of them


class Trigger(IntEnum):
    """What moves the token of a tracked bonus (G11.3)."""

    NONE = 0  # always on
    ATTACKS = 1  # each attack by a figure served (G11.17)
    ATTACKED = 2  # each attack on one
    ATTACK_ACTION = 3  # each attack ability by one (G5.9)
    DAMAGE = 4  # each source of at least 1 damage to one (G11.8)


class Only(IntEnum):
    """Which attacks count for a bonus."""

    BOTH = 0
    MELEE = 1
    RANGED = 2


class Source(IntEnum):
    """Where damage comes from (G8.3)."""

    ATTACK = 0
    TRAP = 1
    HAZARD = 2
    WOUND = 3
    RETALIATE = 4
    SUFFER = 5


class Element(IntEnum):
    """Strength of an element (G14.6)."""

    INERT = 0
    WANING = 1
    STRONG = 2


class Goal(IntEnum):
    """What wins a scenario, once every room is open where it is about monsters."""

    DEFEAT = 0  # no monster is left, on the board or behind a door
    SURVIVE = 1  # so many rounds have ended
    REACH = 2  # every character left stands on a hex of the exit at the end of a round
    LOOT = 3  # so many loot tokens are taken


class Ending(IntEnum):
    """How a scenario has ended."""

    NONE = 0
    GOAL = 1  # won
    EXHAUSTED = 2  # every character is
    ROUNDS = 3  # the last round has ended


class Half(IntEnum):
    """What a character may do with the two cards of a turn: index = 4 * card + one of these."""

    TOP = 0
    BOTTOM = 1
    BASIC_ATTACK = 2  # Attack 2, in place of a top (G14.2)
    BASIC_MOVE = 3  # Move 2, in place of a bottom


class Decision(IntEnum):
    """A question to a player."""

    NONE = 0
    LEAD = 1  # the card that gives the initiative, or a long rest (G14.1)
    SECOND = 2  # the other card
    TURN = 3  # which half next (G14.2)
    STEP = 4  # of an own move (G12.1)
    TARGET = 5  # the next target of an attack (G6.1)
    AIM = 6  # an enemy that the template is to cover (G5.6)
    ORIENTATION = 7  # G5.2
    CELL = 8  # which red hex lies on that enemy (G5.3)
    EFFECT = 9  # whether an effect of an attack is applied (G7.9)
    FORCE = 10  # where a push or pull goes (G9.2)
    LOSE = 11  # a card in place of damage (G7.13)
    LOSE_SECOND = 12  # the second discard
    RECIPIENT = 13  # of a heal, a condition, or the enemy to push (G8.14)
    SUMMON = 14  # where a summon comes
    REST_LOSE = 15  # the discard lost to a long rest (G14.4)
    REST_KEEP = 16  # whether an active card stays in play (G11.14)
    SHORT_REST = 17
    INSTEAD = 18  # another card lost to a short rest, for 1 damage
    RECOVER = 19  # a lost card
    FOCUS = 20  # a monster's, or which targets, if several are as good (G13.18)
    END_HEX = 21  # where a monster ends, likewise
    MONSTER_CHOICE = 22  # whom a line of its card is for (G8.17)
    NEXT_TYPE = 23  # of monsters with the same initiative (G13.1)
    LANDING = 24  # the empty hex for a figure that has lost flight (G12.8)


N_DECISIONS = len(Decision)
# Ambiguities of monsters that the players settle (G13.18)
TIES = (
    Decision.FOCUS,
    Decision.END_HEX,
    Decision.MONSTER_CHOICE,
    Decision.NEXT_TYPE,
)


class Denial(IntEnum):
    """Why an action is refused."""

    NONE = 0
    SCENARIO_ENDED = 1
    NOT_ASKED = 2
    NO_SUCH_CARD = 3
    NOT_IN_HAND = 4
    NOT_DISCARDED = 5
    NOT_LOST = 6
    NOT_ACTIVE = 7
    TOO_FEW_CARDS = 8
    HALF_USED = 9
    CARD_USED = 10
    NO_SUCH_FIGURE = 11
    NOT_AN_ENEMY = 12
    NOT_AN_ALLY = 13
    INVISIBLE = 14
    OUT_OF_RANGE = 15
    NOT_IN_SIGHT = 16
    ALREADY_TARGETED = 17
    NO_TARGETS_LEFT = 18
    COVERED = 19  # an added target lies outside the template (G6.5)
    NO_SUCH_PLACEMENT = 20
    STUNNED = 21
    DISARMED = 22
    IMMOBILIZED = 23
    NO_POINTS = 24
    WALL = 25
    BLOCKED = 26
    OCCUPIED = 27
    NO_WAY_ON = 28  # the move could not end
    NOT_FARTHER = 29
    NOT_NEARER = 30
    NOT_OPTIONAL = 31
    NOT_AMONG_THEM = 32  # of a tie
    NO_DAMAGE = 33
    NOT_A_CHARACTER = 34
    DEAD = 35
    NOT_NEAREST = 36
    CUTS_OFF = 37
    NO_ROOM = 38
    NOT_OVER_YET = 39


class Phase(IntEnum):
    """Of a round."""

    SELECT = 0
    TURNS = 1
    REST = 2


class Proc(IntEnum):
    """Tasks on the stack."""

    NONE = 0
    ROUND_START = 1
    SELECT_NEXT = 2
    SELECT_SECOND = 3
    TURNS_BEGIN = 4
    NEXT_TURN = 5
    HERO_TURN = 6
    TURN_END = 7
    ROUND_END = 8
    SHORT_RESTS = 9
    LONG_REST = 10
    REST_BACK = 11  # cards come back, active ones on demand
    HALF_NEXT = 12  # the next line of a half
    HALF_END = 13  # put the card away
    MONSTER_NEXT = 14  # the next line of a monster's card
    MOVE_STEP = 15
    ATTACK_AIM = 16
    ATTACK_NEXT = 17  # the next target
    ATTACK_EFFECTS = 18
    FORCE_STEP = 19
    HARM = 20  # a source of damage
    LINE_CHOICE = 21  # the recipient of a line
    MONSTER_PLAN = 22  # settle what is open of a monster's turn
    LANDING = 23
    HAZARD = 24  # hazardous terrain under a trap that was sprung
    SUFFER_NEXT = 25  # the next of several figures that suffer damage
    RECOVER = 26
    SUMMON = 27
    MONSTER_WALK = 28  # on its way to where its turn ends
    REST_DONE = 29  # the next character may rest


class Stream(IntEnum):
    """Random streams, one for each purpose."""

    SETUP = 0
    MODIFIERS = 1  # of monsters; that of character h is MODIFIERS + 1 + h
    MONSTER_CARDS = 6
    REST = 7
    BLESS = 8
    POLICY = 9


N_STREAMS = 10


class Event(IntEnum):
    """Events of the log; see core.event_log.LogRow."""

    NONE = 0
    ROUND = 1  # amount: its number
    CHOICE = 2  # amount: the decision; choice: the action
    INITIATIVE = 3  # figure, amount
    TURN = 4  # figure
    MOVE = 5  # figure to hex `place`
    FORCED = 6  # figure to hex `place`
    ATTACK = 7  # figure attacks figure `other`; amount: terms.Draw
    CARD = 8  # card `amount` of deck `figure` is drawn; other: 1 = it applies
    DAMAGE = 9  # figure suffers amount; place: terms.Source
    NEGATED = 10  # figure; other: 1 by a bonus, 2 by losing cards
    DEATH = 11  # figure
    CONDITION = 12  # figure gains condition `amount`
    CURED = 13  # figure loses condition `amount`
    HEAL = 14  # figure regains amount
    SHIELD = 15  # figure gains amount
    RETALIATE = 16
    BLESS = 17  # figure's deck gains one; amount: terms.Effect BLESS or CURSE
    TRAP = 18  # figure springs the trap on `place`
    DOOR = 19  # figure opens the door on `place`
    SPAWN = 20  # figure comes on `place`
    LOOT = 21  # figure takes amount
    PLAY = 22  # figure plays card `amount`; other: half
    LOST = 23  # figure loses card `amount`
    REST = 24  # figure; amount: 0 short, 1 long
    BONUS = 25  # token of card `amount` of figure is on space `other`; 0 = none, -1 = it leaves
    EXHAUSTED = 26  # figure
    MONSTER_CARD = 27  # type `amount` turns card `other`
    ELEMENT = 28  # element `amount` becomes strong
    ENDING = 29  # amount: terms.Ending
    XP = 30  # figure gains amount
    STRIKE = 31  # figure strikes other; amount: value after the card; place: damage after Shield


class Broken(IntEnum):
    """Invariants; bits of `status`."""

    CARDS = 1  # every ability card lies in one place
    DECKS = 2  # a modifier deck has all its cards
    SUPPLY = 4  # blesses and curses: supply and decks together
    SHARED_HEX = 8  # two figures on a hex
    OFF_FLOOR = 16  # a figure on a wall or outside
    HIT_POINTS = 32
    ACTIVE = 64  # a slot of the active area and its card disagree
    CONDITIONS = 128
    MONSTER_CARDS = 256
    EMPTY_MASK = 512
    OBSTACLE = 1024  # a figure that does not fly on an obstacle
    PLACES = 2048  # figures, and the sets of who stands where
