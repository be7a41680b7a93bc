"""Play at random across all content, and check every state.

    python -m tests.agemonia.fuzz --decisions 100000000 --threads 2

All scenarios and drawn ones, one to four Heroes of any level, class and skills, every difficulty,
both wills of the Enemies, either side played by a policy. What goes wrong (tests/fuzz.py) is kept
in failing_seeds.jsonl beside this file, which test_play.py replays for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agemonia_env.core.env_slots import Control
from agemonia_env.rulesets.agemonia.arguments import check_arguments
from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.compile import Compiled
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.arguments import RANDOM, SEED_RANGES
from tests import fuzz

FAILURES = Path(__file__).with_name("failing_seeds.jsonl")
ENEMIES_ASKED = int(Control.ENEMIES_ASKED)
CONTROLS = {  # who decides, by name; all others choose at random
    "the players": 0,
    "the players, ties settled": int(Control.AUTO_TIES),
    "both sides": ENEMIES_ASKED,
    "greedy Heroes": ENEMIES_ASKED | int(Control.HEROES_PLAYED | Policy.GREEDY * Control.POLICY),
    "random Enemies": ENEMIES_ASKED | int(Control.ENEMIES_PLAYED | Policy.RANDOM * Control.POLICY),
    "scripted Enemies": ENEMIES_ASKED | int(Control.ENEMIES_PLAYED | Policy.RIVAL * Control.POLICY),
}


@dataclass(frozen=True)
class Choices:
    """What is played: a scenario with a party."""

    scenario: str
    heroes: list[dict[str, object]]  # mappings with the keys of content/party.Member
    level: int = 1
    difficulty: str = "normal"
    enemy_will: str = "card"
    scenario_seed: int = 0

    def compiled(self) -> Compiled:
        """Its content."""
        return check_arguments(
            self.scenario,
            self.heroes,
            level=self.level,
            difficulty=self.difficulty,
            enemy_will=self.enemy_will,
            scenario_seed=self.scenario_seed if self.scenario == RANDOM else None,
        ).compile(self.scenario_seed)


@dataclass(frozen=True, kw_only=True)
class Game(Choices, fuzz.Game):
    """Everything that fixes games played by a compiled policy."""

    rules = AGEMONIA


def failures() -> list[Game]:
    """The games that once went wrong."""
    return fuzz.failures(Game, FAILURES)


def draw(random: np.random.Generator, games: int = fuzz.GAMES) -> Game:
    """A position drawn from everything there is, and seeds for its games."""
    pack = load_pack("core")
    names = sorted(pack.scenarios)
    level = int(random.integers(1, 6))
    return Game(
        scenario=str(random.choice(names)) if random.random() < 0.75 else RANDOM,
        heroes=[
            member(random, name, pack.heroes[name], level)
            for name in random.permutation(sorted(pack.heroes))[: random.integers(1, 5)].tolist()
        ],
        level=level,
        difficulty=str(random.choice(schema.DIFFICULTIES)),
        enemy_will=str(random.choice(["card", "free"])),
        scenario_seed=int(random.integers(SEED_RANGES["train"].stop)),
        control=int(random.choice(list(CONTROLS.values()))),
        policy="greedy" if random.random() < 0.03 else "random",
        seeds=random.integers(2**63, size=games).tolist(),
    )


def member(
    random: np.random.Generator, name: str, hero: schema.Hero, level: int
) -> dict[str, object]:
    """A Hero of the level, of either class, with skills drawn from it."""
    if level == 1:
        return {"hero": name, "level": 1}
    kind = hero.classes[random.integers(2)]
    skills = random.permutation([skill.name for skill in kind.skills])[: level - 1].tolist()
    return {"hero": name, "level": level, "class": kind.name, "skills": skills}


if __name__ == "__main__":
    fuzz.fuzz(draw, FAILURES, __doc__)
