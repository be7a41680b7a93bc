"""The parameters of every verb of the format."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from ..content.schema import (
    AbilityName,
    AttackTypeName,
    Bar,
    ColourName,
    ConditionName,
    Conditions,
    Count,
    EnemyCard,
    EyeName,
    Levels,
    Name,
    SpecialName,
    Strict,
    Strike,
)

Names: TypeAlias = Name | list[Name]
Gem: TypeAlias = bool | Count | Literal["after"]


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


VERBS: dict[str, type[Common]] = {}


class Common(Strict):
    """Parameters that every verb may carry; a subclass names the verbs whose parameters it has."""

    def __init_subclass__(cls, verbs: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        VERBS.update(dict.fromkeys(verbs.split(), cls))

    locks: list[Name] | dict[Name, list[Name]] = []
    reaction: dict[Name, Reaction] = {}
    disarm: dict[Name, Disarm] = {}


class By(Common):
    """A verb that somebody does."""

    who: Name


# ---- bookkeeping --------------------------------------------------------------------------------
class Spend(By, verbs="spend"):
    """R2.1."""

    amount: Count


class To(Common, verbs="remove_wounded remove_exhausted"):
    """A verb about one figure."""

    to: Name


class Amount(To, verbs="lose damage restore heal"):
    """A number for one figure: `lose`, `damage`, `restore`, `heal`."""

    amount: Count


class Mixed(Amount, verbs="mixed"):
    """R2.9."""

    restore: Count
    heal: Count


class Recover(By, verbs="recover"):
    """R6.7."""

    choice: Literal["stamina", "damage"]
    achievement: Gem = False


class LockOn(By, verbs="lock"):
    """R14.1."""

    name: Name
    amount: Count
    reactive: Levels = Levels()


class Unlock(By, verbs="unlock"):
    """R14.4."""

    name: Name


class Gain(To, verbs="gain"):
    """R12.0."""

    condition: ConditionName


class Discard(To, verbs="discard"):
    """An effect that discards a condition, or all."""

    condition: ConditionName | Literal["all"]


class SpendManeuver(By, verbs="spend_maneuver"):
    """R6.4."""

    discard: Literal["bleeding", "held"]


class GainGem(To, verbs="gain_gem"):
    """R16.1."""

    kind: Literal["inspiration", "achievement"]


# ---- rolls --------------------------------------------------------------------------------------
class ActiveCheck(By, RollOptions, verbs="active_check"):
    """R3.9."""

    ability: AbilityName
    number: Count
    modifier: int = 0
    dice: int = 0
    outside: bool = False


class ReactiveCheck(By, RollOptions, verbs="reactive_check"):
    """R3.15."""

    ability: AbilityName
    value: Count
    bonus: int = 0
    dice: int = 0
    h: Count = 0


class RollDice(By, RollOptions, verbs="roll"):
    """Dice rolled for what they show."""

    dice: Count
    use: Literal["heal", "restore"] | None = None
    to: Name | None = None


# ---- attacks of Allies --------------------------------------------------------------------------
class AllyAttack(By, RollOptions, verbs="attack"):
    """Section 9."""

    type: AttackTypeName = "melee"
    targets: Names = []
    dice: Count = 2
    bonus: int = 0
    range: Annotated[list[Count], Field(min_length=2, max_length=2)] | None = None
    weapon: bool = True
    cost: Count = 0
    gem: Count = 0
    pierce: Count = 0
    double: bool = False
    condition: Conditions = []
    push: Count = 0
    pull: Count = 0
    push_to: dict[Name, list[Name]] = {}
    drain: bool = False
    non_elite: bool = False
    ignore_aim: bool = False
    effect_only: bool = False
    value: Count = 2
    continues: bool = False
    shape: Literal["single", "multi", "cleave", "area", "line"] = "single"
    split: dict[Name, Count] = {}
    radius: Count = 0
    center: Name | None = None
    line: list[Name] = []
    length: Count = 3


class Drain(By, verbs="drain"):
    """R9.31."""

    target: Name
    amount: Count


class DefeatNow(Common, verbs="defeat"):
    """R10.42."""

    target: Name


# ---- Enemies ------------------------------------------------------------------------------------
class TargetChoice(Strict):
    """A tie among targets (R10.24)."""

    target: Names = []


class TurnChoice(TargetChoice):
    """Ties of an Enemy's turn."""

    area: Name | None = None
    stop: Name | None = None
    victim: Name | None = None


class Dealing(Common):
    """How an Enemy's attack is dealt with."""

    stand_in: dict[Name, Name] = {}
    checks: dict[Name, RollOptions] = {}
    order: list[Name] = []
    push_to: dict[Name, list[Name]] = {}


class EnemyAttackNow(Dealing, Strike, verbs="enemy_attack"):
    """An attack of an Enemy, its targets chosen or given."""

    who: Name
    to: Names = []
    choose: TargetChoice = TargetChoice()


class EnemyTurn(Dealing, verbs="enemy_turn"):
    """R10.4."""

    who: Name
    eye: EyeName = "open"
    horns: bool = False
    snake: bool = False
    choose: TurnChoice = TurnChoice()


class Spawn(Common, verbs="spawn"):
    """R10.44."""

    name: Name
    card: EnemyCard = EnemyCard()
    area: Name
    to: Name | None = None
    supply: Count = 6


class Summon(Common, verbs="summon"):
    """R18.7."""

    name: Name
    area: Name


# ---- movement -----------------------------------------------------------------------------------
class ClimbStep(RollOptions):
    """A step over a fixed rope (R7.17)."""

    climb: Name


class TokenStep(Strict):
    """A step by teleport token (R7.46)."""

    token: Name


Step: TypeAlias = Name | ClimbStep | TokenStep
Evade: TypeAlias = dict[Name, Count]


class Move(By, verbs="move"):
    """R6.5."""

    version: Literal["free", "paid"] = "free"
    path: list[Step] = []
    evade: Evade = {}
    achievement: Gem = False


class Walk(By, verbs="walk"):
    """Movement from an item or action (ruling Q4)."""

    points: Count
    path: list[Step] = []
    evade: Evade = {}


class Rethink(By, verbs="rethink"):
    """R6.8."""

    path: list[Step] = []
    restore: bool = False
    achievement: Gem = False
    evade: Evade = {}


class Jump(By, verbs="jump"):
    """R7.30."""

    to: Name
    range: Count
    evade: Evade = {}


class Teleport(By, verbs="teleport"):
    """R7.38."""

    to: Name
    range: Count | None = None


class PushPull(Common, verbs="push pull"):
    """R7.49, R7.51."""

    source: Name
    targets: Names
    distance: Count
    range: Count | None = None
    to: dict[Name, list[Name]] = {}


class FixRope(By, RollOptions, verbs="fix_rope"):
    """R7.17."""

    to: Name


class TakeRope(By, verbs="take_rope"):
    """R7.17."""

    to: Name


# ---- rounds -------------------------------------------------------------------------------------
class Choose(By, verbs="choose"):
    """R5.2."""

    action: Name
    colour: ColourName | None = None
    special: SpecialName | list[SpecialName] = []


class StartChoice(Strict):
    """Choices of a Dominated Ally (R12.10)."""

    victim: Name | None = None
    stand_in: dict[Name, Name] | Name | None = None


class StartTurn(By, verbs="start_turn"):
    """R6.1."""

    bonus: bool = False
    jewels: Count = 0
    choose: StartChoice = StartChoice()
    stand_in: dict[Name, Name] = {}


class EndTurn(By, verbs="end_turn"):
    """R6.2."""


class NextRound(Common, verbs="next_round"):
    """R5.1."""


class Initiative(Common, verbs="initiative"):
    """R5.8, section 15."""

    card: Annotated[list[Bar], Field(min_length=6, max_length=6)]
    allies: list[Name] = []
    types: list[Name] = []
    uses: dict[Name, SpecialName] = {}
    after: dict[Name, Name] = {}


class Reveal(Common, verbs="reveal"):
    """R5.7."""

    shuffled: list[Name] = []


class Fate(Common, verbs="fate"):
    """R5.18."""

    shuffled: list[Count] = []


class Timer(Common, verbs="timer"):
    """R19.1, R19.3, R19.4."""

    start: Count | None = None
    reset: bool = False
    stop: bool = False


class Take(By, verbs="take drop"):
    """R17.5: `take` and `drop`."""

    item: Name


class Give(By, verbs="give"):
    """R17.5."""

    to: Name
    item: Name


# ---- queries ------------------------------------------------------------------------------------
Pair: TypeAlias = Annotated[list[Name], Field(min_length=2, max_length=2)]


class Aim(Strict):
    """R9.20."""

    who: Name
    target: Name


class TargetsQuery(Strict):
    """R9.13 to R9.18."""

    who: Name
    type: AttackTypeName = "melee"
    range: Annotated[list[Count], Field(min_length=2, max_length=2)] | None = None


class EnemyTargetsQuery(Strike):
    """R10.20 to R10.25."""

    who: Name


class Query(Common, verbs="query"):
    """One question about the position."""

    hindered: Name | None = None
    range: Pair | None = None
    sees: Pair | None = None
    capacity: Name | None = None
    aim: Aim | None = None
    targets: TargetsQuery | None = None
    enemy_targets: EnemyTargetsQuery | None = None
