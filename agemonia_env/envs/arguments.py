"""What every face takes: the arguments, checked once, and the compiled content they name."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from ..agemonia.policies import Policy
from ..agemonia.seating import Seating
from ..agemonia.terms import ENEMY_CHOICES, Decision
from ..content.compile import LEVELS, RANDOM, WILLS, Compiled, compile_scenario
from ..content.party import HeroChoice, read_member
from ..content.procedural import TEST_SEEDS, TRAIN_SEEDS
from ..content.schema import DIFFICULTIES
from .wording import ENDING_NAMES

TIES = ("ask", "auto")
ILLEGAL = ("noop", "raise", "terminate")
REWARDS = ("sparse", "shaped")
SIDES = ("hero", "enemy", "both")
OPPONENTS = {"greedy": Policy.RIVAL, "random": Policy.RANDOM}
SEED_RANGES = {"train": TRAIN_SEEDS, "test": TEST_SEEDS}
LAST_SEED = 2**62  # of a scenario; there are fewer than 2**63 in any range
MAX_HEROES = 4
# Observations are scaled to about [-1, 1]; the bound leaves room for content with large numbers.
OBSERVATION_BOUND = 100.0


class Choices(TypedDict, total=False):
    """Arguments that every face hands on as they are to check_arguments, which has the defaults."""

    difficulty: str
    enemy_will: str
    ties: str
    illegal: str
    reward: str
    gamma: float
    opponent: str


class ScenarioChoices(Choices, total=False):
    """And those of the faces that play one scenario."""

    pack: str
    level: int | None
    max_decisions: int
    scenario_seed: int | str | Sequence[int] | None
    side: str


@dataclass(frozen=True)
class Arguments:
    """Checked arguments. All of them are JSON-able, so that a spec can be stored.

    scenario, pack: names; heroes: how many, or which; level: of the Heroes, None for that of the
    scenario; difficulty, enemy_will, ties, illegal, reward, side, opponent: one of the words
    allowed; gamma: discount of the shaping, 0 to 1; max_decisions: calls of `step` until an
    episode is truncated;
    scenario_seed: of scenarios drawn from a seed, one or the first and last, None for all others.
    """

    scenario: str
    heroes: int | tuple[HeroChoice, ...]
    pack: str
    level: int | None
    difficulty: str
    enemy_will: str
    ties: str
    illegal: str
    reward: str
    gamma: float
    max_decisions: int
    scenario_seed: int | str | tuple[int, int] | None = None
    side: str = "hero"
    opponent: str = "greedy"

    def seating(self) -> int:
        """Who is asked and who is played by the opponent: bits of Seating."""
        bits = int(Seating.AUTO_TIES) if self.ties == "auto" else 0
        opponent = OPPONENTS[self.opponent] * Seating.POLICY
        if self.side == "enemy":
            return bits | Seating.ENEMIES_SEATED | Seating.HEROES_PLAYED | opponent
        if self.side == "both":
            return bits | Seating.ENEMIES_SEATED
        return bits | Seating.ENEMIES_PLAYED | opponent if self.enemy_will == "free" else bits

    def scenario_seeds(self) -> range | None:
        """Seeds that the scenario of a game is drawn from; None if it is not drawn from a seed."""
        match self.scenario_seed:
            case None:
                return None
            case str(name):
                return SEED_RANGES[name]
            case (first, last):
                return range(first, last + 1)
            case seed:
                return range(seed, seed + 1)

    def reference(self) -> Compiled:
        """The scenario; where one is drawn for each game that of seed 0, which stands for all."""
        seeds = self.scenario_seeds()
        return self.compile(seeds[0] if seeds is not None and len(seeds) == 1 else 0)

    def compile(self, scenario_seed: int = 0) -> Compiled:
        """Compile the scenario for these Heroes, the one of this seed if it is drawn from one.

        Raises ValueError naming what is unknown and what there is.
        """
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
    pack: str = "core",
    level: int | None = None,
    difficulty: str = "normal",
    enemy_will: str = "card",
    ties: str = "ask",
    illegal: str = "noop",
    reward: str = "sparse",
    gamma: float = 0.99,
    max_decisions: int = 5000,
    scenario_seed: int | str | Sequence[int] | None = None,
    side: str = "hero",
    opponent: str = "greedy",
) -> Arguments:
    """The arguments, checked one by one; ValueError says which is wrong and what is allowed."""
    for name, value in (("scenario", scenario), ("pack", pack)):
        if not isinstance(value, str):
            raise ValueError(f"{name}={value!r}: must be a name, such as {name}='core'")
    for name, word, allowed in (
        ("difficulty", difficulty, DIFFICULTIES),
        ("enemy_will", enemy_will, WILLS),
        ("ties", ties, TIES),
        ("illegal", illegal, ILLEGAL),
        ("reward", reward, REWARDS),
        ("side", side, SIDES),
        ("opponent", opponent, tuple(OPPONENTS)),
    ):
        if word not in allowed:
            raise ValueError(f"{name}={word!r}: must be one of {', '.join(map(repr, allowed))}")
    if isinstance(gamma, bool) or not isinstance(gamma, int | float) or not 0 <= gamma <= 1:
        raise ValueError(f"gamma={gamma!r}: must be a number from 0 to 1")
    limit = whole_number(max_decisions)
    if limit is None or limit < 1:
        raise ValueError(f"max_decisions={max_decisions!r}: must be a whole number, at least 1")
    return Arguments(
        scenario=scenario,
        heroes=check_heroes(heroes),
        pack=pack,
        level=_check_level(level),
        difficulty=difficulty,
        enemy_will=enemy_will,
        ties=ties,
        illegal=illegal,
        reward=reward,
        gamma=float(gamma),
        max_decisions=limit,
        scenario_seed=_check_scenario_seed(scenario, scenario_seed),
        side=side,
        opponent=opponent,
    )


def _check_scenario_seed(
    scenario: str, seed: int | str | Sequence[int] | None
) -> int | str | tuple[int, int] | None:
    """A seed, the name of a range or its first and last seed; None where nothing is drawn."""
    if scenario != RANDOM:
        if seed is not None:
            raise ValueError(f"scenario_seed={seed!r}: only scenario={RANDOM!r} is drawn from one")
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
    raise ValueError(f"scenario_seed={seed!r}: must be {allowed}, a seed, or [first, last]")


def _check_level(level: int | None) -> int | None:
    """A level from 1 to 5, or None."""
    number = whole_number(level)
    if level is not None and number not in LEVELS:
        raise ValueError(f"level={level!r}: must be 1 to 5, or None for that of the scenario")
    return number


def check_heroes(heroes: int | Sequence[HeroChoice]) -> int | tuple[HeroChoice, ...]:
    """A number of Heroes from 1 to 4, or up to four different ones, by name or as a mapping."""
    number = whole_number(heroes)
    if number is not None:
        if not 1 <= number <= MAX_HEROES:
            raise ValueError(f"heroes={heroes!r}: a party has 1 to {MAX_HEROES} Heroes")
        return number
    if not isinstance(heroes, list | tuple) or not all(
        isinstance(choice, str | Mapping) for choice in heroes
    ):
        text = "a number, or a list of Hero names and mappings such as {'hero': 'orsa'}"
        raise ValueError(f"heroes={heroes!r}: must be {text}")
    if not 1 <= len(heroes) <= MAX_HEROES:
        raise ValueError(f"heroes={heroes!r}: a party has 1 to {MAX_HEROES} Heroes")
    if len({_hero_named(choice) for choice in heroes}) < len(heroes):
        raise ValueError(f"heroes={heroes!r}: a Hero can be in the party only once")
    return tuple(choice if isinstance(choice, str) else dict(choice) for choice in heroes)


def _hero_named(choice: HeroChoice) -> str:
    """The name of the Hero chosen; ValueError says what is wrong with the mapping."""
    try:
        return read_member(choice).hero
    except ValueError as error:
        raise ValueError(f"heroes: {choice!r}: {'; '.join(str(error).splitlines())}") from None


def whole_number(value: Any) -> int | None:
    """The value as Python int if it is a whole number of any kind (bool is not), else None."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def check_seed(seed: Any) -> int | None:
    """The seed as Python int, or None; ValueError if it is not a whole number from 0 on."""
    if seed is None:
        return None
    number = whole_number(seed)
    if number is None or number < 0:
        raise ValueError(f"seed={seed!r}: must be a whole number, at least 0, or None")
    return number


def draw_core_seed(random: np.random.Generator) -> int:
    """The seed of the next game, 0 to 2**63 - 1; the same for every face and batch size."""
    return int(random.integers(2**63))


# Plain numbers: comparing enum members takes 20 us of a step that takes 20 in all.
ENEMY_DECISIONS = frozenset(int(decision) for decision in ENEMY_CHOICES)


TRAP_AREA = int(Decision.TRAP_AREA)


def side_asked(decision: int, asked: int) -> str:
    """Whose a decision is, asked of an ally slot or of nobody, -1: "hero" or "enemy"."""
    if decision in ENEMY_DECISIONS:
        return "enemy"
    return "enemy" if decision == TRAP_AREA and asked < 0 else "hero"


def episode_statistics(state: np.void) -> dict[str, Any]:
    """What an episode amounted to.

    win (bool), ending (name), rounds, exhausted_heroes, damage_dealt (to Enemies), damage_taken
    (by Heroes, lost stamina included), decisions (forced ones counted).
    """
    return {
        "win": bool(state["won"]),
        "ending": ENDING_NAMES[int(state["ending"])],
        "rounds": int(state["round"]),
        "exhausted_heroes": int(state["n_exhausted"]),
        "damage_dealt": int(state["damage_dealt"]),
        "damage_taken": int(state["damage_taken"]),
        "decisions": int(state["decisions"]),
    }
