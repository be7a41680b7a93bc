"""Play at random across everything in a ruleset, and check every state.

A broken invariant, a question without an answer, a game that does not end, or one past its last
round is a failure; its game is appended to a file, which tests replay for ever.
"""

from __future__ import annotations

import argparse
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

import numpy as np

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.arguments import Compiled
from agemonia_env.rulesets.ruleset import Ruleset

GAMES = 512  # of one position, all begun together
ENDLESS = 20_000  # decisions that no game reaches


@dataclass(frozen=True, kw_only=True)
class Game(ABC):
    """Everything that fixes games played by a compiled policy; a ruleset adds the scenario."""

    rules: ClassVar[Ruleset]
    control: int = 0
    policy: str = "random"
    seeds: list[int] = field(default_factory=list)

    @abstractmethod
    def compiled(self) -> Compiled:
        """The content."""

    def play(self, limit: int = ENDLESS) -> tuple[int, np.ndarray, list[int]]:
        """Play a game of every seed -> (decisions, states, seeds of the games that went wrong)."""
        api, content, n = self.rules.api, self.compiled().content, len(self.seeds)
        states, which = zeros(self.rules.STATE, n), np.zeros(n, np.int16)
        seeds, select = np.array(self.seeds, np.uint64), np.ones(n, np.uint8)
        api.reset(states, content, which, seeds, select, self.control, api.NO_ROWS)
        broken = np.zeros(n, np.int64)
        policy = int(self.rules.POLICIES[self.policy])
        played = api.rollout(states, content, which, policy, self.control, limit, broken)
        late = states["round"] > content["last_round"][0]
        endless = states["ending"] == GOING_ON
        wrong = (broken != 0) | late | (endless if limit >= ENDLESS else False)
        return int(played), states, [self.seeds[i] for i in np.flatnonzero(wrong).tolist()]


Kind = TypeVar("Kind", bound=Game)


def failures(kind: type[Kind], file: Path) -> list[Kind]:
    """The games that once went wrong."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [kind(**json.loads(line)) for line in lines if line.strip()]


def options(text: str | None) -> argparse.Namespace:
    """The command line; text: its description."""
    formatted = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=text, formatter_class=formatted)
    parser.add_argument("--decisions", type=float, default=1e6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def fuzz(draw: Callable[[np.random.Generator], Game], file: Path, text: str | None) -> None:
    """Play until the number of decisions is reached; print counts and failures.

    draw: a position and seeds for its games; file: where games that went wrong are kept.
    """
    given = options(text)
    played, games, longest, wrong = 0, 0, 0, 0
    seeds = np.random.SeedSequence(given.seed)

    def one(_: int) -> tuple[Game, int, int, list[int]]:
        game = draw(np.random.default_rng(seeds.spawn(1)[0]))
        n, states, bad = game.play()
        return game, n, int(states["decisions"].max()), bad

    one(0)  # compiles, if it must
    started = time.perf_counter()
    with ThreadPoolExecutor(given.threads) as threads:
        while played < given.decisions:
            for game, n, most, bad in threads.map(one, range(4 * given.threads)):
                played, games, longest = played + n, games + len(game.seeds), max(longest, most)
                wrong += len(bad)
                if bad:
                    keep(game, bad, file)
            seconds = time.perf_counter() - started
            print(
                f"\r{played:,} decisions, {games:,} games, longest {longest:,}, {wrong} wrong, "
                f"{seconds:,.0f} s, {played / seconds:,.0f} decisions/s",
                end="",
                flush=True,
            )
    print()
    raise SystemExit(wrong > 0)


def keep(game: Game, bad: list[int], file: Path) -> None:
    """Say which seeds of a game went wrong, and append the first to the file."""
    line = json.dumps(asdict(game) | {"seeds": bad[:1]})
    print(f"{len(bad)} games went wrong: {line}", flush=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(line + "\n")
