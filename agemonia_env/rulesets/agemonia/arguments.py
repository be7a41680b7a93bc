"""The arguments of the envs of Agemonia, checked, and the compiled content that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, TypedDict

from agemonia_env.display.messages import shown
from agemonia_env.packs.folders import path_text
from agemonia_env.rulesets.arguments import (
    RANDOM,
    Arguments,
    Party,
    check_party,
    check_scenario_seed,
    check_words,
    common_arguments,
    whole_number,
)
from agemonia_env.rulesets.knobs import check_generator
from agemonia_env.rulesets.policy import Policy

from .content.compile import LEVELS, WILLS, compile_scenario
from .content.drawn import AgemoniaGenerator
from .content.knobs import KNOBS
from .content.load import load_pack
from .content.party import HeroChoice, read_member
from .content.schema import DIFFICULTIES
from .core.policies import Policy as Number
from .core.terms import ENEMY_CHOICES, Decision

SIDES = ("hero", "enemy", "both")
CARD, FREE = WILLS
OPPONENTS = {"greedy": Number.RIVAL, "random": Number.RANDOM}  # inside the core
MAX_HEROES = 4
PARTY = Party(MAX_HEROES, "Heroes", "Hero names", "a Hero", {"hero": "orsa"})


class Choices(TypedDict, total=False):
    """Arguments that every env passes on to check_arguments, which has the defaults."""

    difficulty: str
    enemy_will: str | None
    ties: str
    illegal: str
    reward: str
    gamma: float
    opponent: str | Path | Policy
    action_features: bool
    observation: str


class ScenarioChoices(Choices, total=False):
    """And those of envs that play one scenario."""

    pack: str | Path
    level: int | None
    max_decisions: int
    scenario_seed: int | str | Sequence[int] | None
    generator: str | Mapping[str, Any] | None
    side: str


@dataclass(frozen=True, kw_only=True)
class AgemoniaArguments(Arguments):
    """And those of Agemonia.

    level: of the heroes, None for the scenario's; difficulty, enemy_will: one of the allowed words;
    opponent: the name of a policy, or a policy.
    """

    OPPONENTS = OPPONENTS

    heroes: int | tuple[HeroChoice, ...]
    level: int | None
    difficulty: str
    enemy_will: str
    opponent: str | Policy = "greedy"

    @property
    def opposed(self) -> bool:
        """As Arguments.opposed."""
        return self.side == "enemy" or (self.side == "hero" and self.enemy_will == "free")

    def settled(self) -> Self:
        """As Arguments.settled: the level of the Heroes."""
        if self.level is not None:
            return self
        if self.scenario == RANDOM:
            return replace(self, level=1)
        return replace(self, level=load_pack(self.pack).scenarios[self.scenario].level)

    def make_generator(self) -> AgemoniaGenerator:
        """As Arguments.make_generator."""
        from .core import api  # imported late: reading arguments needs no compiled rules

        return AgemoniaGenerator(api, self)

    def compile(self, scenario_seed: int = 0) -> Any:
        """As Arguments.compile -> Compiled, or Drawn."""
        if self.scenario == RANDOM:
            return self.make_generator().draw(scenario_seed)
        return compile_scenario(
            self.pack,
            self.scenario,
            self.heroes if isinstance(self.heroes, int) else list(self.heroes),
            level=self.level,
            difficulty=self.difficulty,
            enemy_will=self.enemy_will,
        )


def check_arguments(
    scenario: str = "ford",
    heroes: int | Sequence[HeroChoice] = 2,
    pack: str | Path = "core",
    level: int | None = None,
    difficulty: str = "normal",
    enemy_will: str | None = None,
    ties: str = "ask",
    illegal: str = "noop",
    reward: str = "sparse",
    gamma: float = 0.99,
    max_decisions: int = 5000,
    scenario_seed: int | str | Sequence[int] | None = None,
    generator: str | Mapping[str, Any] | None = None,
    side: str = "hero",
    opponent: str | Path | Policy = "greedy",
    action_features: bool = False,
    observation: str = "full",
) -> AgemoniaArguments:
    """Check the arguments one by one. ValueError says which is wrong and what is allowed.

    enemy_will: None is free will if the enemy side is asked: cards would leave it only a few ties.
    """
    if enemy_will is None:
        enemy_will = CARD if side == "hero" else FREE
    common = common_arguments(SIDES, locals())
    check_words(difficulty=(difficulty, DIFFICULTIES), enemy_will=(enemy_will, WILLS))
    return AgemoniaArguments(
        **common,
        heroes=check_party(heroes, read_member, PARTY),
        level=_check_level(level),
        difficulty=difficulty,
        enemy_will=enemy_will,
        scenario_seed=check_scenario_seed(scenario, scenario_seed),
        generator=check_generator(scenario, generator, KNOBS),
        opponent=path_text(opponent),
    )


def _check_level(level: int | None) -> int | None:
    """A level from 1 to 5, or None."""
    number = whole_number(level)
    if level is not None and number not in LEVELS:
        raise ValueError(f"level={shown(level)}: must be 1 to 5, or None for that of the scenario")
    return number


# Plain numbers: comparing enum members would take 20 us, as long as a whole step.
ENEMY_DECISIONS = frozenset(int(decision) for decision in ENEMY_CHOICES)


TRAP_AREA = int(Decision.TRAP_AREA)


def side_asked(decision: int, asked: int) -> str:
    """The side that a decision belongs to, "hero" or "enemy"; asked: an ally slot, or -1."""
    if decision in ENEMY_DECISIONS:
        return "enemy"
    return "enemy" if decision == TRAP_AREA and asked < 0 else "hero"
