"""Play at random across all content, and check every state.

    python -m tests.hexdungeon.fuzz --decisions 100000000 --threads 2

All scenarios, one to four characters of any class, every level, ties asked or settled. What goes
wrong (tests/fuzz.py) is kept in failing_seeds.jsonl beside this file, which test_play.py replays
for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agemonia_env.core.env_slots import Control
from agemonia_env.rulesets.hexdungeon.content import schema
from agemonia_env.rulesets.hexdungeon.content.compile import Compiled, compile_scenario
from agemonia_env.rulesets.hexdungeon.content.load import load_pack
from agemonia_env.rulesets.hexdungeon.core.layout import N_HEROES
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests import fuzz

PACK = "hex-core"
FAILURES = Path(__file__).with_name("failing_seeds.jsonl")
CONTROLS = (0, int(Control.AUTO_TIES))


@dataclass(frozen=True, kw_only=True)
class Game(fuzz.Game):
    """Everything that fixes games played by a compiled policy."""

    rules = HEXDUNGEON

    scenario: str
    heroes: list[str]
    level: int = 1

    def compiled(self) -> Compiled:
        """Its content."""
        return compile_scenario(PACK, self.scenario, self.heroes, level=self.level)


def failures() -> list[Game]:
    """The games that once went wrong."""
    return fuzz.failures(Game, FAILURES)


def draw(random: np.random.Generator, games: int = fuzz.GAMES) -> Game:
    """A position drawn from everything there is, and seeds for its games."""
    pack = load_pack(PACK)
    party = random.permutation(sorted(pack.classes))[: random.integers(1, N_HEROES + 1)]
    return Game(
        scenario=str(random.choice(sorted(pack.scenarios))),
        heroes=party.tolist(),
        level=int(random.choice(schema.LEVELS)),
        control=int(random.choice(CONTROLS)),
        policy="greedy" if random.random() < 0.2 else "random",
        seeds=random.integers(2**63, size=games).tolist(),
    )


if __name__ == "__main__":
    fuzz.fuzz(draw, FAILURES, __doc__)
