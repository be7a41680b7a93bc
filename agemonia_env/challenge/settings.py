"""What is played: named sets of settings, and the seed of every game."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agemonia_env.display.messages import one_of
from agemonia_env.envs import env_class
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.rulesets.arguments import Arguments
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of

SALT = "the mill turns when the weir is down"  # published; another one gives other games
BUDGET_MS = 60_000  # the most that an entry may take for a decision
FIXED = {"ties": "auto", "illegal": "raise"}  # arguments of every game
AGEMONIA, HEXDUNGEON = "Agemonia-v0", "HexDungeon-v0"

Report = Callable[[int], None]  # called after each game with the number of games done


@dataclass(frozen=True, eq=False)
class Setting:
    """Games of one kind. choices: arguments of the environment besides FIXED."""

    name: str
    env_id: str
    choices: Mapping[str, Any]

    @property
    def rules(self) -> Ruleset:
        """The ruleset."""
        return ruleset_of(self.env_id)

    @property
    def side(self) -> str:
        """The side that the entry plays, "hero" or "enemy"."""
        return str(self.choices.get("side", "hero"))

    def arguments(self) -> dict[str, Any]:
        """All arguments of the environment that are not its defaults."""
        return {**self.choices, **FIXED}

    def checked(self) -> Arguments:
        """The arguments as the ruleset checks them."""
        return self.rules.check_arguments(**self.arguments())

    def make(self, *, log: bool = False) -> RulesetEnv:
        """The environment; log: whether it says what happened."""
        return env_class(self.env_id)(**self.arguments(), log=log)

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the content; of drawn scenarios, that of one of them."""
        return self.checked().reference().fingerprint


@dataclass(frozen=True)
class GameSet:
    """Settings, and how many games of each."""

    settings: tuple[Setting, ...]
    games: int

    @property
    def env_ids(self) -> tuple[str, ...]:
        """The environments, each once."""
        return tuple(dict.fromkeys(setting.env_id for setting in self.settings))

    def of(self, env_id: str | None) -> tuple[Setting, ...]:
        """The settings of an environment, or all. Raises ValueError if there is none."""
        if env_id is not None and env_id not in self.env_ids:
            raise ValueError(one_of("env", env_id, self.env_ids))
        return tuple(one for one in self.settings if env_id in (None, one.env_id))


def game_seed(salt: str, setting: str, game: int) -> int:
    """The core seed of a game, 0 to 2**63 - 1: from SHA-256 of salt, setting and number."""
    digest = hashlib.sha256(f"{salt}/{setting}/{game}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


DRAWN = {"scenario": "random", "scenario_seed": "test"}  # scenarios that training leaves out
STANDARD = (
    Setting("ford", AGEMONIA, {"scenario": "ford", "heroes": 2}),
    Setting("weir", AGEMONIA, {"scenario": "weir", "heroes": 2}),
    Setting("bell", AGEMONIA, {"scenario": "bell", "heroes": 4}),
    Setting("beacon-hard", AGEMONIA, {"scenario": "beacon", "heroes": 3, "difficulty": "hard"}),
    Setting("drawn", AGEMONIA, {**DRAWN, "heroes": 2}),
    Setting("drawn-hard", AGEMONIA, {**DRAWN, "heroes": 3, "level": 3, "difficulty": "hard"}),
    Setting("ford-enemies", AGEMONIA, {"scenario": "ford", "heroes": 2, "side": "enemy"}),
    Setting("drawn-enemies", AGEMONIA, {**DRAWN, "heroes": 2, "side": "enemy"}),
    Setting("warm-cellar", HEXDUNGEON, {"scenario": "warm-cellar", "heroes": 2}),
    Setting("bell-loft", HEXDUNGEON, {"scenario": "bell-loft", "heroes": 2}),
    Setting("slag-market", HEXDUNGEON, {"scenario": "slag-market", "heroes": 3}),
)
SETS = {
    "standard": GameSet(STANDARD, 40),
    "short": GameSet(STANDARD, 5),  # the first games of the same settings, for slow entries
    "trial": GameSet((STANDARD[0], STANDARD[6], STANDARD[8]), 1),  # to try an entry out
}


def set_named(name: str) -> GameSet:
    """A set of games by name. Raises ValueError listing the known ones."""
    if name not in SETS:
        raise ValueError(one_of("set", name, SETS))
    return SETS[name]
