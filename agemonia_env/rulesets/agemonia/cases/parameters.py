"""The parameters of every verb of the format."""

# ruff: noqa: RUF012 (pydantic copies default values)

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

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


class Common(Strict):
    """Parameters that every verb may carry."""

    locks: list[Name] | dict[Name, list[Name]] = []
    reaction: dict[Name, Reaction] = {}
    disarm: dict[Name, Disarm] = {}


# ---- bookkeeping --------------------------------------------------------------------------------
class Spend(Common):
    """R2.1."""

    who: Name
    amount: Count


class To(Common):
    """A verb about one figure."""

    to: Name


class Amount(To):
    """A number for one figure: `lose`, `damage`, `restore`, `heal`."""

    amount: Count


class Mixed(Amount):
    """R2.9."""

    restore: Count
    heal: Count


class Recover(Common):
    """R6.7."""

    who: Name
    choice: Literal["stamina", "damage"]
    achievement: Gem = False


class LockOn(Common):
    """R14.1."""

    who: Name
    name: Name
    amount: Count
    reactive: Levels = Levels()


class Unlock(Common):
    """R14.4."""

    who: Name
    name: Name


class Gain(To):
    """R12.0."""

    condition: ConditionName


class Discard(To):
    """An effect that discards a condition, or all."""

    condition: ConditionName | Literal["all"]


class SpendManeuver(Common):
    """R6.4."""

    who: Name
    discard: Literal["bleeding", "held"]


class GainGem(To):
    """R16.1."""

    kind: Literal["inspiration", "achievement"]


# ---- rolls --------------------------------------------------------------------------------------
class ActiveCheck(Common, RollOptions):
    """R3.9."""

    who: Name
    ability: AbilityName
    number: Count
    modifier: int = 0
    dice: int = 0
    outside: bool = False


class ReactiveCheck(Common, RollOptions):
    """R3.15."""

    who: Name
    ability: AbilityName
    value: Count
    bonus: int = 0
    dice: int = 0
    h: Count = 0


class RollDice(Common, RollOptions):
    """Dice rolled for what they show."""

    who: Name
    dice: Count
    use: Literal["heal", "restore"] | None = None
    to: Name | None = None


# ---- attacks of Allies --------------------------------------------------------------------------
class AllyAttack(Common, RollOptions):
    """Section 9."""

    who: Name
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


class Drain(Common):
    """R9.31."""

    who: Name
    target: Name
    amount: Count


class DefeatNow(Common):
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


class EnemyAttackNow(Dealing, Strike):
    """An attack of an Enemy, its targets chosen or given."""

    who: Name
    to: Names = []
    choose: TargetChoice = TargetChoice()


class EnemyTurn(Dealing):
    """R10.4."""

    who: Name
    eye: EyeName = "open"
    horns: bool = False
    snake: bool = False
    choose: TurnChoice = TurnChoice()


class Spawn(Common):
    """R10.44."""

    name: Name
    card: EnemyCard = EnemyCard()
    area: Name
    to: Name | None = None
    supply: Count = 6


class Summon(Common):
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


class Move(Common):
    """R6.5."""

    who: Name
    version: Literal["free", "paid"] = "free"
    path: list[Step] = []
    evade: Evade = {}
    achievement: Gem = False


class Walk(Common):
    """Movement from an item or action (ruling Q4)."""

    who: Name
    points: Count
    path: list[Step] = []
    evade: Evade = {}


class Rethink(Common):
    """R6.8."""

    who: Name
    path: list[Step] = []
    restore: bool = False
    achievement: Gem = False
    evade: Evade = {}


class Jump(Common):
    """R7.30."""

    who: Name
    to: Name
    range: Count
    evade: Evade = {}


class Teleport(Common):
    """R7.38."""

    who: Name
    to: Name
    range: Count | None = None


class PushPull(Common):
    """R7.49, R7.51."""

    source: Name
    targets: Names
    distance: Count
    range: Count | None = None
    to: dict[Name, list[Name]] = {}


class FixRope(Common, RollOptions):
    """R7.17."""

    who: Name
    to: Name


class TakeRope(Common):
    """R7.17."""

    who: Name
    to: Name


# ---- rounds -------------------------------------------------------------------------------------
class Choose(Common):
    """R5.2."""

    who: Name
    action: Name
    colour: ColourName | None = None
    special: SpecialName | list[SpecialName] = []


class StartChoice(Strict):
    """Choices of a Dominated Ally (R12.10)."""

    victim: Name | None = None
    stand_in: dict[Name, Name] | Name | None = None


class StartTurn(Common):
    """R6.1."""

    who: Name
    bonus: bool = False
    jewels: Count = 0
    choose: StartChoice = StartChoice()
    stand_in: dict[Name, Name] = {}


class EndTurn(Common):
    """R6.2."""

    who: Name


class NextRound(Common):
    """R5.1."""


class Initiative(Common):
    """R5.8, section 15."""

    card: Annotated[list[Bar], Field(min_length=6, max_length=6)]
    allies: list[Name] = []
    types: list[Name] = []
    uses: dict[Name, SpecialName] = {}
    after: dict[Name, Name] = {}


class Reveal(Common):
    """R5.7."""

    shuffled: list[Name] = []


class Fate(Common):
    """R5.18."""

    shuffled: list[Count] = []


class Timer(Common):
    """R19.1, R19.3, R19.4."""

    start: Count | None = None
    reset: bool = False
    stop: bool = False


class Take(Common):
    """R17.5: `take` and `drop`."""

    who: Name
    item: Name


class Give(Common):
    """R17.5."""

    who: Name
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


class Query(Common):
    """One question about the position."""

    hindered: Name | None = None
    range: Pair | None = None
    sees: Pair | None = None
    capacity: Name | None = None
    aim: Aim | None = None
    targets: TargetsQuery | None = None
    enemy_targets: EnemyTargetsQuery | None = None


VERBS: dict[str, type[Common]] = {
    "spend": Spend,
    "lose": Amount,
    "damage": Amount,
    "restore": Amount,
    "heal": Amount,
    "mixed": Mixed,
    "recover": Recover,
    "lock": LockOn,
    "unlock": Unlock,
    "remove_wounded": To,
    "remove_exhausted": To,
    "gain": Gain,
    "discard": Discard,
    "spend_maneuver": SpendManeuver,
    "gain_gem": GainGem,
    "active_check": ActiveCheck,
    "reactive_check": ReactiveCheck,
    "roll": RollDice,
    "attack": AllyAttack,
    "drain": Drain,
    "defeat": DefeatNow,
    "enemy_attack": EnemyAttackNow,
    "enemy_turn": EnemyTurn,
    "spawn": Spawn,
    "summon": Summon,
    "move": Move,
    "walk": Walk,
    "rethink": Rethink,
    "jump": Jump,
    "teleport": Teleport,
    "push": PushPull,
    "pull": PushPull,
    "fix_rope": FixRope,
    "take_rope": TakeRope,
    "choose": Choose,
    "start_turn": StartTurn,
    "end_turn": EndTurn,
    "next_round": NextRound,
    "initiative": Initiative,
    "reveal": Reveal,
    "fate": Fate,
    "timer": Timer,
    "take": Take,
    "give": Give,
    "drop": Take,
    "query": Query,
}
