"""Play at random over everything there is, and look at every state.

    python -m tests.hexdungeon.fuzz --decisions 100000000 --threads 2

All scenarios, one to four characters of any class, every level, ties asked or settled. A broken
invariant, a question without an answer, a game that does not end, or one past its last round is a
failure; its game is appended to failing_seeds.jsonl beside this file, which test_play.py replays
for ever.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from agemonia_env.hexdungeon import api
from agemonia_env.hexdungeon.content import schema
from agemonia_env.hexdungeon.content.compile import compile_scenario
from agemonia_env.hexdungeon.content.load import load_pack
from agemonia_env.hexdungeon.layout import N_HEROES, STATE
from agemonia_env.hexdungeon.policies import Policy
from agemonia_env.hexdungeon.terms import Ending
from agemonia_env.kernel.jit import zeros
from agemonia_env.kernel.lanes import Seating

PACK = "hex-core"
FAILURES = Path(__file__).with_name("failing_seeds.jsonl")
GAMES = 512  # of one position, all begun together
ENDLESS = 20_000  # decisions that no game reaches
SEATINGS = (0, int(Seating.AUTO_TIES))


@dataclass(frozen=True)
class Game:
    """Everything that fixes games played by a compiled policy."""

    scenario: str
    heroes: list[str]
    level: int = 1
    seating: int = 0
    policy: str = "random"
    seeds: list[int] = field(default_factory=list)

    def play(self, limit: int = ENDLESS) -> tuple[int, np.ndarray, list[int]]:
        """Play a game of every seed -> (decisions, states, seeds of the games that went wrong)."""
        content = compile_scenario(PACK, self.scenario, self.heroes, level=self.level).content
        n = len(self.seeds)
        states, which = zeros(STATE, n), np.zeros(n, np.int16)
        seeds, select = np.array(self.seeds, np.uint64), np.ones(n, np.uint8)
        api.reset(states, content, which, seeds, select, self.seating, api.NO_ROWS)
        broken = np.zeros(n, np.int64)
        policy = int(Policy[self.policy.upper()])
        played = api.rollout(states, content, which, policy, self.seating, limit, broken)
        late = states["round"] > content["last_round"][0]
        endless = states["ending"] == Ending.NONE
        wrong = (broken != 0) | late | (endless if limit >= ENDLESS else False)
        return int(played), states, [self.seeds[i] for i in np.flatnonzero(wrong).tolist()]


def failures() -> list[Game]:
    """The games that once went wrong."""
    lines = FAILURES.read_text(encoding="utf-8").splitlines()
    return [Game(**json.loads(line)) for line in lines if line.strip()]


def draw(random: np.random.Generator, games: int = GAMES) -> Game:
    """A position drawn from everything there is, and seeds for its games."""
    pack = load_pack(PACK)
    party = random.permutation(sorted(pack.classes))[: random.integers(1, N_HEROES + 1)]
    return Game(
        scenario=str(random.choice(sorted(pack.scenarios))),
        heroes=party.tolist(),
        level=int(random.choice(schema.LEVELS)),
        seating=int(random.choice(SEATINGS)),
        policy="greedy" if random.random() < 0.2 else "random",
        seeds=random.integers(2**63, size=games).tolist(),
    )


def main() -> None:
    """Play until the number of decisions is reached; print what was played and what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=float, default=1e6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    played, games, longest, wrong = 0, 0, 0, 0
    seeds = np.random.SeedSequence(options.seed)

    def one(_: int) -> tuple[Game, int, int, list[int]]:
        game = draw(np.random.default_rng(seeds.spawn(1)[0]))
        n, states, bad = game.play()
        return game, n, int(states["decisions"].max()), bad

    one(0)  # compiles, if it must
    started = time.perf_counter()
    with ThreadPoolExecutor(options.threads) as threads:
        while played < options.decisions:
            for game, n, most, bad in threads.map(one, range(4 * options.threads)):
                played, games, longest = played + n, games + len(game.seeds), max(longest, most)
                wrong += len(bad)
                if bad:
                    line = json.dumps(asdict(game) | {"seeds": bad[:1]})
                    print(f"{len(bad)} games went wrong: {line}", flush=True)
                    with FAILURES.open("a", encoding="utf-8") as file:
                        file.write(line + "\n")
            seconds = time.perf_counter() - started
            print(
                f"\r{played:,} decisions, {games:,} games, longest {longest:,}, {wrong} wrong, "
                f"{seconds:,.0f} s, {played / seconds:,.0f} decisions/s",
                end="",
                flush=True,
            )
    print()
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
