"""Play at random over everything there is, and look at every state.

    python -m tests.agemonia.fuzz --decisions 100000000 --threads 2

All scenarios and drawn ones, one to four Heroes of any level, class and skills, every difficulty,
both wills of the Enemies, either side played by a policy. A broken invariant, an empty mask, a game
that does not end, or one past its last round is a failure; its game is appended to
failing_seeds.jsonl beside this file, which test_play.py replays for ever.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from agemonia_env.agemonia import api
from agemonia_env.agemonia.layout import STATE
from agemonia_env.agemonia.policies import Policy
from agemonia_env.agemonia.terms import Ending
from agemonia_env.content import schema
from agemonia_env.content.compile import RANDOM, Compiled, compile_scenario
from agemonia_env.content.load import load_pack
from agemonia_env.content.procedural import TRAIN_SEEDS
from agemonia_env.kernel.jit import zeros
from agemonia_env.kernel.lanes import Seating

FAILURES = Path(__file__).with_name("failing_seeds.jsonl")
GAMES = 512  # of one position, all begun together
ENDLESS = 20_000  # decisions that no game reaches
SEATED = int(Seating.ENEMIES_SEATED)
SEATINGS = {  # who takes the decisions that are not drawn at random
    "the players": 0,
    "the players, ties settled": int(Seating.AUTO_TIES),
    "both sides": SEATED,
    "greedy Heroes": SEATED | int(Seating.HEROES_PLAYED | Policy.GREEDY * Seating.POLICY),
    "random Enemies": SEATED | int(Seating.ENEMIES_PLAYED | Policy.RANDOM * Seating.POLICY),
    "rival Enemies": SEATED | int(Seating.ENEMIES_PLAYED | Policy.RIVAL * Seating.POLICY),
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
        return compile_scenario(
            "core",
            self.scenario,
            self.heroes,
            level=self.level,
            difficulty=self.difficulty,
            enemy_will=self.enemy_will,
            scenario_seed=self.scenario_seed,
        )


@dataclass(frozen=True)
class Game(Choices):
    """Everything that fixes games played by a compiled policy."""

    seating: int = 0
    policy: str = "random"
    seeds: list[int] = field(default_factory=list)

    def play(self, limit: int = ENDLESS) -> tuple[int, np.ndarray, list[int]]:
        """Play a game of every seed -> (decisions, states, seeds of the games that went wrong)."""
        compiled = self.compiled()
        n = len(self.seeds)
        states, which = zeros(STATE, n), np.zeros(n, np.int16)
        seeds, select = np.array(self.seeds, np.uint64), np.ones(n, np.uint8)
        api.reset(states, compiled.content, which, seeds, select, self.seating, api.NO_ROWS)
        broken = np.zeros(n, np.int64)
        policy = int(Policy[self.policy.upper()])
        played = api.rollout(states, compiled.content, which, policy, self.seating, limit, broken)
        late = states["round"] > compiled.content["last_round"][0]
        endless = states["ending"] == Ending.NONE
        wrong = (broken != 0) | late | (endless if limit >= ENDLESS else False)
        return int(played), states, [self.seeds[i] for i in np.flatnonzero(wrong).tolist()]


def failures() -> list[Game]:
    """The games that once went wrong."""
    lines = FAILURES.read_text(encoding="utf-8").splitlines()
    return [Game(**json.loads(line)) for line in lines if line.strip()]


def draw(random: np.random.Generator, games: int = GAMES) -> Game:
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
        scenario_seed=int(random.integers(TRAIN_SEEDS.stop)),
        seating=int(random.choice(list(SEATINGS.values()))),
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


def main() -> None:
    """Play until the number of decisions is reached; print what was played and what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=float, default=1e6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    started, played, games, longest, wrong = time.perf_counter(), 0, 0, 0, 0
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
