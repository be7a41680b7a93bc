"""Words and numbers that several kinds of files share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator

from agemonia_env.packs.folders import Strict as Strict
from agemonia_env.packs.folders import listed, on_one_line, printable

AbilityName = Literal["might", "agility", "will"]
ColourName = Literal["red", "blue", "green"]
EyeName = Literal["staring", "open", "closed"]
AttackTypeName = Literal["melee", "ranged", "magic"]
ShapeName = Literal["single", "multi", "cleave", "area", "line"]
SizeName = Literal["normal", "large", "huge"]
BorderName = Literal["single", "double", "barrier"]
SpecialName = Literal["first", "last", "after"]
WearName = Literal["none", "hand", "helmet", "armour", "backpack", "pet"]
RiderName = Literal["poison", "arrow", "rune"]
DifficultyName = Literal["easy", "normal", "hard", "brutal"]
RiposteName = Literal["always", "damaged", "undamaged"]
ConditionName = Literal[
    "invisible",
    "blessed",
    "bleeding",
    "slowed",
    "weakened",
    "held",
    "cursed",
    "confused",
    "stunned",
    "dominated",
]
EnemyConditionName = Literal[
    "bleeding", "slowed", "weakened", "held", "confused", "stunned", "dominated"
]
Count = Annotated[int, Field(ge=0, le=99)]
Positive = Annotated[int, Field(ge=1, le=99)]
Signed = Annotated[int, Field(ge=-9, le=9)]
HeroLevel = Annotated[int, Field(ge=1, le=5)]
HeroCount = Annotated[int, Field(ge=1, le=4)]
Name = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(on_one_line)]
Text = Annotated[str, Field(min_length=1, max_length=600), AfterValidator(printable)]


def no_nulls(value: Any) -> Any:
    """`a:` without a value is an area with all defaults."""
    return (
        {k: {} if v is None else v for k, v in value.items()} if isinstance(value, dict) else value
    )


def keyed(key: str) -> BeforeValidator:
    """A bare value stands for the mapping {key: value}."""
    return BeforeValidator(lambda v: v if isinstance(v, dict | BaseModel) else {key: v})


Conditions = Annotated[list[ConditionName], BeforeValidator(listed)]
EnemyConditions = Annotated[list[EnemyConditionName], BeforeValidator(listed)]
AbilityNames = Annotated[list[AbilityName], BeforeValidator(listed), Field(min_length=1)]
AttackTypes = Annotated[list[AttackTypeName], BeforeValidator(listed), Field(min_length=1)]
AttackTypeBits = Annotated[list[AttackTypeName], BeforeValidator(listed)]
AbilityBits = Annotated[list[AbilityName], BeforeValidator(listed)]
RiderBits = Annotated[list[RiderName], BeforeValidator(listed)]
Specials = Annotated[list[SpecialName], BeforeValidator(listed)]


def ascending(band: list[int]) -> list[int]:
    """Return the nearest and the farthest distance. Raises ValueError in the other order."""
    if band[0] > band[1]:
        raise ValueError(f"the nearest distance is first, [{band[1]}, {band[0]}]; it is {band}")
    return band


Band = Annotated[list[Count], Field(min_length=2, max_length=2), AfterValidator(ascending)]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class OneKey(Strict):
    """A mapping that names exactly one thing to do."""

    @model_validator(mode="after")
    def _one(self) -> OneKey:
        if len(self.model_fields_set) != 1:
            allowed = ", ".join(f.alias or n for n, f in type(self).model_fields.items())
            raise ValueError(f"exactly one key; allowed: {allowed}")
        (key,) = self.model_fields_set
        if getattr(self, key) is None:
            raise ValueError(f"{key} has no value; say how much, or leave the effect out")
        return self


class Abilities(Strict):
    """Levels of the three abilities: dice of a check (R3.9, R3.15)."""

    might: Count = 2
    """Level of Might (R1.2)."""
    agility: Count = 2
    """Level of Agility (R1.2)."""
    will: Count = 2
    """Level of Will (R1.2)."""


class Levels(Strict):
    """A number for each ability."""

    might: Count = 0
    """For Might."""
    agility: Count = 0
    """For Agility."""
    will: Count = 0
    """For Will."""


class TypeLevels(Strict):
    """A number for each type of attack."""

    melee: Count = 0
    """For melee attacks."""
    ranged: Count = 0
    """For ranged attacks."""
    magic: Count = 0
    """For magic attacks."""


class Check(Strict):
    """An active check: roll as many Action dice as the ability's level (R3.9)."""

    ability: AbilityNames
    """The ability that is rolled; of several the player picks one (R3.10)."""
    number: Positive
    """How many successes are needed (R3.11)."""
