"""The arguments of the envs of HexDungeon, checked, and the compiled content that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from agemonia_env.display.messages import shown
from agemonia_env.rulesets.arguments import (
    Arguments,
    common_arguments,
    whole_number,
)

from .content import Compiled, compile_scenario
from .content.party import HeroChoice, read_member
from .content.schema import LEVELS
from .core.layout import N_HEROES

SIDES = ("hero",)  # monsters have no will of their own (G13)


class Choices(TypedDict, total=False):
    """Arguments that every env passes on to check_arguments, which has the defaults."""

    pack: str | Path
    level: int
    ties: str
    illegal: str
    reward: str
    gamma: float
    max_decisions: int
    side: str
    action_features: bool


@dataclass(frozen=True, kw_only=True)
class HexDungeonArguments(Arguments):
    """And those of HexDungeon. level: of the scenario, 0 to 3."""

    heroes: int | tuple[HeroChoice, ...]
    level: int

    def compile(self, scenario_seed: int = 0) -> Compiled:
        """As Arguments.compile; there are no procedural scenarios."""
        return compile_scenario(self.pack, self.scenario, self.heroes, level=self.level)


def check_arguments(
    scenario: str = "warm-cellar",
    heroes: int | Sequence[HeroChoice] = 2,
    pack: str | Path = "hex-core",
    level: int = 1,
    ties: str = "ask",
    illegal: str = "noop",
    reward: str = "sparse",
    gamma: float = 0.99,
    max_decisions: int = 5000,
    side: str = "hero",
    action_features: bool = False,
) -> HexDungeonArguments:
    """Check the arguments one by one. ValueError says which is wrong and what is allowed."""
    common = common_arguments(SIDES, locals())
    number = whole_number(level)
    if number not in LEVELS:
        raise ValueError(f"level={shown(level)}: must be one of {', '.join(map(str, LEVELS))}")
    return HexDungeonArguments(**common, heroes=check_heroes(heroes), level=number)


def check_heroes(heroes: int | Sequence[HeroChoice]) -> int | tuple[HeroChoice, ...]:
    """A number of characters from 1 to 4, or up to four classes, by name or as a mapping."""
    number = whole_number(heroes)
    if number is None:
        if not isinstance(heroes, list | tuple) or not all(
            isinstance(choice, str | Mapping) for choice in heroes
        ):
            text = "a number, or a list of class names and mappings such as {'hero': 'thornarm'}"
            raise ValueError(f"heroes={shown(heroes)}: must be {text}")
        if 1 <= len(heroes) <= N_HEROES:
            if len({_class_named(choice) for choice in heroes}) < len(heroes):
                raise ValueError(f"heroes={shown(heroes)}: a class can be in the party only once")
            return tuple(choice if isinstance(choice, str) else dict(choice) for choice in heroes)
    elif 1 <= number <= N_HEROES:
        return number
    raise ValueError(f"heroes={shown(heroes)}: a party has 1 to {N_HEROES} characters")


def _class_named(choice: HeroChoice) -> str:
    """The class chosen. ValueError says what is wrong with the mapping."""
    try:
        return read_member(choice).hero
    except ValueError as error:
        raise ValueError(f"heroes: {shown(choice)}: {'; '.join(str(error).splitlines())}") from None
