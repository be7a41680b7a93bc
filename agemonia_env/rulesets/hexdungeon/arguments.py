"""The arguments of the envs of HexDungeon, checked, and the compiled content that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from agemonia_env.display.messages import shown
from agemonia_env.rulesets.arguments import (
    RANDOM,
    Arguments,
    Party,
    check_party,
    check_scenario_seed,
    common_arguments,
    whole_number,
)
from agemonia_env.rulesets.knobs import check_generator

from .content import compile_scenario
from .content.drawn import HexDungeonGenerator
from .content.knobs import KNOBS
from .content.party import HeroChoice, read_member
from .content.schema import LEVELS
from .core.layout import N_HEROES

SIDES = ("hero",)  # monsters have no will of their own (G13)
PARTY = Party(N_HEROES, "characters", "class names", "a class", {"hero": "thornarm"})


class Choices(TypedDict, total=False):
    """Arguments that every env passes on to check_arguments, which has the defaults."""

    pack: str | Path
    level: int
    ties: str
    illegal: str
    reward: str
    gamma: float
    max_decisions: int
    scenario_seed: int | str | Sequence[int] | None
    generator: str | Mapping[str, Any] | None
    side: str
    action_features: bool
    observation: str


@dataclass(frozen=True, kw_only=True)
class HexDungeonArguments(Arguments):
    """And those of HexDungeon. level: of the scenario, 0 to 3."""

    heroes: int | tuple[HeroChoice, ...]
    level: int

    def make_generator(self) -> HexDungeonGenerator:
        """As Arguments.make_generator."""
        from .core import api  # imported late: reading arguments needs no compiled rules

        return HexDungeonGenerator(api, self)

    def compile(self, scenario_seed: int = 0) -> Any:
        """As Arguments.compile -> Compiled, or Drawn."""
        if self.scenario == RANDOM:
            return self.make_generator().draw(scenario_seed)
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
    scenario_seed: int | str | Sequence[int] | None = None,
    generator: str | Mapping[str, Any] | None = None,
    side: str = "hero",
    action_features: bool = False,
    observation: str = "full",
) -> HexDungeonArguments:
    """Check the arguments one by one. ValueError says which is wrong and what is allowed."""
    common = common_arguments(SIDES, locals())
    number = whole_number(level)
    if number not in LEVELS:
        raise ValueError(f"level={shown(level)}: must be one of {', '.join(map(str, LEVELS))}")
    heroes = check_party(heroes, read_member, PARTY)
    return HexDungeonArguments(
        **common,
        heroes=heroes,
        level=number,
        scenario_seed=check_scenario_seed(scenario, scenario_seed),
        generator=check_generator(scenario, generator, KNOBS),
    )
