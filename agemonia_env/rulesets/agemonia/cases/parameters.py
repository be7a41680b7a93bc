"""The parameters of every verb of the format: a table, and the parts that have parts of their own.

Parameters marked as arguments are those of the core's verb of the same name, in the same order.
"""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from agemonia_env.rulesets.case_schema import Argument, Choice, choice_of, verb

from ..content.schema import (
    AbilityName,
    Attack,
    AttackTypeName,
    Bar,
    ColourName,
    ConditionName,
    Count,
    EnemyCard,
    EyeName,
    Levels,
    Name,
    SpecialName,
    Strict,
    Strike,
)
from ..content.words import ability, condition
from ..core.terms import Eye

Names: TypeAlias = Name | list[Name]
Gem: TypeAlias = bool | Count | Literal["after"]
Pair: TypeAlias = Annotated[list[Name], Field(min_length=2, max_length=2)]
Band: TypeAlias = Annotated[list[Count], Field(min_length=2, max_length=2)]

# ---- arguments ----------------------------------------------------------------------------------
ALLY = Annotated[Name, Argument(lambda world, name: world.ally(name))]
ENEMY = Annotated[Name, Argument(lambda world, name: world.enemy(name))]
FIGURE = Annotated[Name, Argument(lambda world, name: world.figure(name))]
AREA = Annotated[Name, Argument(lambda world, name: world.area(name))]
ITEM = Annotated[Name, Argument(lambda world, name: world.item(name))]
TOKEN = Annotated[Name, Argument(lambda world, name: world.figures[name])]
ABILITY = Annotated[AbilityName, Argument(lambda _, name: ability(name))]
CONDITION = Annotated[ConditionName, Argument(lambda _, name: condition(name))]
COUNT = Annotated[Count, Argument()]
NUMBER = Annotated[int, Argument()]
FLAG = Annotated[bool, Argument()]


def either(first: str, second: str) -> Any:
    """The type of an argument that is 0 for the first word and 1 for the second."""
    return Annotated[Literal[first, second], Argument(lambda _, word: word == second)]


# ---- parts --------------------------------------------------------------------------------------
class RollOptions(Strict):
    """A player's options for one roll."""

    pay: list[Count] = []
    inspiration: Gem = False
    achievement: Gem = False
    blessed: Gem = False


class Reaction(RollOptions):
    """Additions to the reactive checks of a figure, and its options."""

    bonus: int = 0
    dice: int = 0
    h: Count = 0


class Disarm(RollOptions):
    """An attempt to disarm a trap (R19.7)."""

    keyword: bool = False


class Common(Strict):
    """Parameters that every verb may carry."""

    locks: list[Name] | dict[Name, list[Name]] = []
    reaction: dict[Name, Reaction] = {}
    disarm: dict[Name, Disarm] = {}


class ClimbStep(RollOptions):
    """A step over a fixed rope (R7.17)."""

    climb: Name


class TokenStep(Strict):
    """A step by teleport token (R7.46)."""

    token: Name


class Way(Common):
    """A way on foot, and the Evade points spent on it."""

    path: list[Name | ClimbStep | TokenStep] = []
    evade: dict[Name, Count] = {}


QUERIES: dict[str, Any] = {
    "hindered": Name,
    "range": Pair,
    "sees": Pair,
    "capacity": Name,
    "aim": verb(who=Name, target=Name),  # R9.20
    "targets": verb(  # R9.13 to R9.18
        who=Name, type=(AttackTypeName, "melee"), range=(Band | None, None)
    ),
    "enemy_targets": verb(Strike, who=Name),  # R10.20 to R10.25
}


class Query(Choice):
    """One question about the position."""

    wrong: ClassVar[str] = "a query names exactly one thing"


# ---- verbs --------------------------------------------------------------------------------------
ALL = Annotated[
    ConditionName | Literal["all"], Argument(lambda _, name: name != "all" and condition(name))
]
REACH = Annotated[Count | None, Argument(lambda _, reach: -1 if reach is None else reach)]
EYE = Annotated[EyeName, Argument(lambda _, eye: Eye[eye.upper()])]
PENALTY = Annotated[Literal["bleeding", "held"], Argument(lambda _, name: condition(name))]
NONE, NOT, ZERO = (Name | None, None), (FLAG, False), (NUMBER, 0)
NOBODY: Any = (list[Name], [])
BY = verb(Common, who=ALLY)
ACTOR = verb(Common, who=Name)
ROLL = verb(BY, RollOptions, ability=ABILITY)
AMOUNT = verb(Common, to=FIGURE, amount=COUNT)
PUSHED = dict[Name, list[Name]]
DEALING = verb(  # how an Enemy's attack is dealt with
    Common,
    stand_in=(dict[Name, Name], {}),
    checks=(dict[Name, RollOptions], {}),
    order=(list[Name], []),
    push_to=(PUSHED, {}),
)
PUSH = verb(
    Common, source=Name, targets=Names, distance=Count, range=(Count | None, None), to=(PUSHED, {})
)
# ties among targets (R10.24), of an Enemy's turn, and of a Dominated Ally (R12.10)
TARGET = verb(Strict, target=(Names, []))
TURN = verb(TARGET, area=NONE, stop=NONE, victim=NONE)
START = verb(Strict, victim=NONE, stand_in=(dict[Name, Name] | Name | None, None))

VERBS: dict[str, Any] = {
    # bookkeeping
    "spend": verb(BY, amount=COUNT),  # R2.1
    "remove_wounded": verb(Common, to=ALLY),
    "remove_exhausted": verb(Common, to=ALLY),
    **dict.fromkeys(("lose", "damage", "restore", "heal"), AMOUNT),
    "mixed": verb(AMOUNT, restore=COUNT, heal=COUNT),  # R2.9
    "recover": verb(BY, choice=either("stamina", "damage"), achievement=(Gem, False)),  # R6.7
    "lock": verb(ACTOR, name=Name, amount=Count, reactive=(Levels, Levels())),  # R14.1
    "unlock": verb(ACTOR, name=Name),  # R14.4
    "gain": verb(Common, to=FIGURE, condition=CONDITION),  # R12.0
    "discard": verb(Common, to=FIGURE, condition=ALL),
    "spend_maneuver": verb(BY, discard=PENALTY),  # R6.4
    "gain_gem": verb(Common, to=ALLY, kind=either("inspiration", "achievement")),  # R16.1
    # rolls: R3.9, R3.15
    "active_check": verb(ROLL, number=COUNT, modifier=ZERO, dice=ZERO, outside=NOT),
    "reactive_check": verb(ROLL, value=COUNT, bonus=ZERO, dice=ZERO, h=(COUNT, 0)),
    "roll": verb(
        ACTOR, RollOptions, dice=Count, use=(Literal["heal", "restore"] | None, None), to=NONE
    ),
    # attacks
    "attack": verb(  # section 9
        ACTOR,
        RollOptions,
        Attack,
        type=(AttackTypeName, "melee"),
        targets=(Names, []),
        weapon=(bool, True),
        cost=(Count, 0),
        gem=(Count, 0),
        push_to=(PUSHED, {}),
        continues=(bool, False),
        split=(dict[Name, Count], {}),
        center=NONE,
        line=NOBODY,
    ),
    "drain": verb(BY, target=ENEMY, amount=COUNT),  # R9.31
    "defeat": verb(Common, target=ENEMY),  # R10.42
    "enemy_attack": verb(DEALING, Strike, who=Name, to=(Names, []), choose=(TARGET, TARGET())),
    "enemy_turn": verb(  # R10.4
        DEALING, who=ENEMY, eye=(EYE, "open"), horns=NOT, snake=NOT, choose=(TURN, TURN())
    ),
    "spawn": verb(  # R10.44
        Common, name=Name, card=(EnemyCard, EnemyCard()), area=Name, to=NONE, supply=(Count, 6)
    ),
    "summon": verb(Common, name=TOKEN, area=AREA),  # R18.7
    # movement
    "move": verb(  # R6.5
        BY, Way, version=(either("free", "paid"), "free"), achievement=(Gem, False)
    ),
    "walk": verb(ACTOR, Way, points=Count),  # ruling Q4
    "rethink": verb(BY, Way, restore=NOT, achievement=(Gem, False)),  # R6.8
    "jump": verb(BY, to=AREA, range=COUNT, evade=(dict[Name, Count], {})),  # R7.30
    "teleport": verb(Common, who=FIGURE, to=AREA, range=(REACH, None)),  # R7.38
    "push": PUSH,  # R7.49
    "pull": PUSH,  # R7.51
    "fix_rope": verb(BY, RollOptions, to=AREA),  # R7.17
    "take_rope": verb(BY, to=AREA),  # R7.17
    # rounds
    "choose": verb(  # R5.2
        ACTOR,
        action=Name,
        colour=(ColourName | None, None),
        special=(SpecialName | list[SpecialName], []),
    ),
    "start_turn": verb(  # R6.1
        BY, bonus=NOT, jewels=(COUNT, 0), choose=(START, START()), stand_in=(dict[Name, Name], {})
    ),
    "end_turn": BY,  # R6.2
    "next_round": Common,  # R5.1
    "initiative": verb(  # R5.8, section 15
        Common,
        card=Annotated[list[Bar], Field(min_length=6, max_length=6)],
        allies=NOBODY,
        types=NOBODY,
        uses=(dict[Name, SpecialName], {}),
        after=(dict[Name, Name], {}),
    ),
    "reveal": verb(Common, shuffled=NOBODY),  # R5.7
    "fate": verb(Common, shuffled=(list[Count], [])),  # R5.18
    "timer": verb(  # R19.1, R19.3, R19.4
        Common, start=(Count | None, None), reset=(bool, False), stop=(bool, False)
    ),
    "take": verb(BY, item=ITEM),  # R17.5
    "drop": verb(BY, item=ITEM),
    "give": verb(BY, to=ALLY, item=ITEM),  # R17.5
    "query": choice_of(Query, QUERIES),
}
