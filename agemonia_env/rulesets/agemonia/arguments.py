"""The arguments of the envs of Agemonia, checked, and the compiled content that they name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, TypedDict

from agemonia_env.display.messages import shown
from agemonia_env.packs.folders import path_text
from agemonia_env.rulesets.arguments import (
    Arguments,
    Party,
    check_party,
    check_words,
    common_arguments,
    whole_number,
)
from agemonia_env.rulesets.policy import Policy

from .content.compile import LEVELS, RANDOM, WILLS, Compiled, compile_scenario
from .content.library import Library, drawing_of, library_of
from .content.load import load_pack
from .content.party import HeroChoice, read_member
from .content.procedural import TEST_SEEDS, TRAIN_SEEDS, VARIED_SEEDS
from .content.schema import DIFFICULTIES
from .core.policies import Policy as Number
from .core.terms import ENEMY_CHOICES, Decision

SIDES = ("hero", "enemy", "both")
CARD, FREE = WILLS
OPPONENTS = {"greedy": Number.RIVAL, "random": Number.RANDOM}  # inside the core
SEED_RANGES = {"train": TRAIN_SEEDS, "varied": VARIED_SEEDS, "test": TEST_SEEDS}
LAST_SEED = 2**62  # of a scenario; there are fewer than 2**63 in any range
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


class ScenarioChoices(Choices, total=False):
    """And those of envs that play one scenario."""

    pack: str | Path
    level: int | None
    max_decisions: int
    scenario_seed: int | str | Sequence[int] | None
    side: str


@dataclass(frozen=True, kw_only=True)
class AgemoniaArguments(Arguments):
    """And those of Agemonia.

    level: of the heroes, None for the scenario's; difficulty, enemy_will: one of the allowed words;
    scenario_seed: of procedural scenarios, one seed or the first and last, None for a fixed
    scenario; opponent: the name of a policy, or a policy.
    """

    OPPONENTS = OPPONENTS

    heroes: int | tuple[HeroChoice, ...]
    level: int | None
    difficulty: str
    enemy_will: str
    scenario_seed: int | str | tuple[int, int] | None = None
    opponent: str | Policy = "greedy"

    @property
    def opposed(self) -> bool:
        """As Arguments.opposed."""
        return self.side == "enemy" or (self.side == "hero" and self.enemy_will == "free")

    def scenario_seeds(self) -> range | None:
        """As Arguments.scenario_seeds."""
        match self.scenario_seed:
            case None:
                return None
            case str(name):
                return SEED_RANGES[name]
            case (first, last):
                return range(first, last + 1)
            case seed:
                return range(seed, seed + 1)

    def test_seeds(self) -> range | None:
        """As Arguments.test_seeds."""
        seeds = self.scenario_seeds()
        return TEST_SEEDS if seeds is not None and len(seeds) > 1 else None

    def settled(self) -> Self:
        """As Arguments.settled: the level of the Heroes."""
        if self.level is not None:
            return self
        if self.scenario == RANDOM:
            return replace(self, level=1)
        return replace(self, level=load_pack(self.pack).scenarios[self.scenario].level)

    def drawing(self, every: Sequence[Any], threads: int, first_row: int) -> Library:
        """As Arguments.drawing."""
        return drawing_of([one.library() for one in every], threads, first_row)

    def library(self) -> Library:
        """What its scenarios are drawn from."""
        heroes = self.heroes if isinstance(self.heroes, int) else list(self.heroes)
        return library_of(
            load_pack(self.pack), heroes, self.level or 1, self.difficulty, self.enemy_will
        )

    def compile(self, scenario_seed: int = 0) -> Compiled:
        """As Arguments.compile."""
        heroes = self.heroes if isinstance(self.heroes, int) else list(self.heroes)
        return compile_scenario(
            self.pack,
            self.scenario,
            heroes,
            level=self.level,
            difficulty=self.difficulty,
            enemy_will=self.enemy_will,
            scenario_seed=scenario_seed,
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
    side: str = "hero",
    opponent: str | Path | Policy = "greedy",
    action_features: bool = False,
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
        scenario_seed=_check_scenario_seed(scenario, scenario_seed),
        opponent=path_text(opponent),
    )


def _check_scenario_seed(
    scenario: str, seed: int | str | Sequence[int] | None
) -> int | str | tuple[int, int] | None:
    """A seed, the name of a range, or its first and last seed; None for a fixed scenario."""
    if scenario != RANDOM:
        if seed is not None:
            drawn = f"only scenario={RANDOM!r} is drawn from one"
            raise ValueError(f"scenario_seed={shown(seed)}: {drawn}")
        return None
    if seed is None:
        return "train"
    if isinstance(seed, str) and seed in SEED_RANGES:
        return seed
    number = whole_number(seed)
    if number is not None and 0 <= number <= LAST_SEED:
        return number
    if isinstance(seed, list | tuple) and len(seed) == 2:
        first, last = (whole_number(end) for end in seed)
        if first is not None and last is not None and 0 <= first <= last <= LAST_SEED:
            return first, last
    allowed = ", ".join(map(repr, SEED_RANGES))
    raise ValueError(f"scenario_seed={shown(seed)}: must be {allowed}, a seed, or [first, last]")


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
