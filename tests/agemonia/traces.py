"""Write whole games as cases, run the cases, and count the verbs they use.

    python -m tests.agemonia.traces --games 200 --processes 2

All scenarios and drawn ones, one to four Heroes of any level, class and skills, every difficulty,
both wills of the Enemies, played at random, greedily, and by one who likes what is rare. A game
that cannot be written, a segment of it that is left out, a case that does not come out as the game
did, and a verb that never occurs though it can in play are failures.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.agemonia.cases.parameters import VERBS
from agemonia_env.rulesets.agemonia.cases.record import BLOCKS, INDICES, Records
from agemonia_env.rulesets.agemonia.cases.trace import TraceResult, text_of, trace
from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.content.compile import RANDOM, Compiled
from agemonia_env.rulesets.agemonia.content.load import load_pack
from agemonia_env.rulesets.agemonia.content.procedural import TRAIN_SEEDS
from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Decision, Op
from agemonia_env.rulesets.case_files import run_files

from .fuzz import Choices, member

GAMES = Path(__file__).with_name("traced_games.jsonl")
POLICIES = ("random", "greedy", "curious")

# what is rare in random play, and how much more often a curious player does it
RARE_EFFECTS = frozenset(
    {
        *(Op.JUMP, Op.PUSH, Op.PULL, Op.DRAIN, Op.DAMAGE, Op.DEFEAT, Op.UNWOUND, Op.REVIVE),
        *(Op.TELEPORT, Op.PORTAL, Op.SET_TRAP, Op.DELAY, Op.SUMMON_ALLY, Op.COMMAND),
    }
)
RARE_TURNS = frozenset({Turn.ACT, Turn.USE_ITEM, Turn.FIX_ROPE, Turn.TAKE_ROPE, Turn.PLACE_PET})
RARE_BLOCKS = frozenset({Block.CLIMB, Block.PORTAL, Block.STORY, Block.TOKEN})
MUCH = 9.0

# verbs of the format that no game needs, and why
ELSEWHERE = {
    "query": "a question about a position, nothing that is done",
    "lose": "stamina is lost by attacks and Provoke alone, which their verbs tell",
    "reactive_check": "made against attacks and falls alone, which their verbs tell",
}


class Curious:
    """Chooses at random, rare actions more often."""

    def __init__(self, compiled: Compiled, seed: int) -> None:
        self.content = compiled.content[0]
        self.random = np.random.default_rng(seed)

    def __call__(self, states: Records, mask: np.ndarray) -> int:
        """An action of the mask."""
        legal = np.flatnonzero(mask)
        weights = np.array([self.weight(states[0], action) for action in legal.tolist()])
        return int(self.random.choice(legal, p=weights / weights.sum()))

    def weight(self, state: np.void, action: int) -> float:
        """The weight of an action in the draw."""
        block, index, decision = BLOCKS[action], INDICES[action], int(state["decision"])
        if decision in (Decision.SELECT_ACTION, Decision.SLOT):
            token = self.content["token"][self.content["sheet"]["token"][state["asked"], index]]
            rows = set(self.content["effect"]["op"][token["first"] :][: token["n"]].tolist())
            needed = Op.REVIVE in rows and state["ally"]["exhausted"].any()
            return MUCH**2 if needed else MUCH if RARE_EFFECTS & rows else 1.0
        if block in (Block.DONE, Block.NO):
            return 1 / MUCH
        if decision == Decision.TURN and block == Block.TURN:
            return MUCH if index in RARE_TURNS else 1.0
        return MUCH if block in RARE_BLOCKS else 1.0


@dataclass(frozen=True)
class Game(Choices):
    """Everything that fixes a game that is traced."""

    seed: int = 0
    policy: str = "random"

    def player(self, compiled: Compiled) -> Policy | Curious:
        """Its player."""
        if self.policy == "curious":
            return Curious(compiled, self.seed)
        return Policy[self.policy.upper()]

    def trace(self, compiled: Compiled) -> TraceResult:
        """Its cases."""
        return trace(compiled, self.seed, self.player(compiled))


@dataclass
class Found:
    """The results of tracing and running games."""

    games: int = 0
    cases: int = 0
    failed: int = 0
    verbs: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)  # reasons
    unexpressed: list[str] = field(default_factory=list)  # segments left out, and in which game
    wrong: list[str] = field(default_factory=list)  # what failed, and in which game

    def add(self, other: Found) -> None:
        """Add the results of other games."""
        self.games += other.games
        self.cases += other.cases
        self.failed += other.failed
        self.verbs += other.verbs
        self.left_out += other.left_out
        self.unexpressed += other.unexpressed
        self.wrong += other.wrong

    def missing(self) -> list[str]:
        """Possible verbs that never occurred."""
        return [verb for verb in VERBS if not self.verbs[verb] and verb not in ELSEWHERE]


def kept() -> list[Game]:
    """Games with segments that are hard to express, or rare."""
    lines = GAMES.read_text(encoding="utf-8").splitlines()
    return [Game(**json.loads(line)) for line in lines if line.strip()]


def draw(k: int) -> Game:
    """Game number k: the scenarios in turn, the policies in turn, everything else drawn.

    Who is curious has the largest party of the highest level, and so the most to choose from.
    """
    random = np.random.default_rng(k)
    pack = load_pack("core")
    names = [*sorted(pack.scenarios), RANDOM]
    policy = POLICIES[k // len(names) % len(POLICIES)]
    most = policy == "curious"
    level = 5 if most else int(random.integers(1, 6))
    heroes = 4 if most else int(random.integers(1, 5))
    party = random.permutation(sorted(pack.heroes))[:heroes].tolist()
    return Game(
        scenario=names[k % len(names)],
        heroes=[member(random, name, pack.heroes[name], level) for name in party],
        level=level,
        difficulty=str(random.choice(schema.DIFFICULTIES)),
        enemy_will="free" if random.random() < 0.1 else "card",
        scenario_seed=int(random.integers(TRAIN_SEEDS.stop)),
        seed=int(random.integers(2**31)),
        policy=policy,
    )


def examined(game: Game, folder: Path) -> Found:
    """Trace a game into a file of the folder and run it."""
    gc.collect()  # once a game is enough
    gc.disable()
    line = json.dumps(vars(game))
    try:
        compiled = game.compiled()
        written = game.trace(compiled)
    except Exception as error:
        return Found(games=1, failed=1, wrong=[f"{type(error).__name__}: {error} in {line}"])
    path, said = folder / f"{game.seed}.yaml", io.StringIO()
    write_whole(path, text_of(written, compiled, "a game"))
    with contextlib.redirect_stdout(said):
        status = run_files([path])
    path.unlink()
    wrong = said.getvalue().splitlines()
    return Found(
        games=1,
        cases=len(written.cases),
        failed=int(re.findall(r"(\d+) failed", wrong[-1])[0]) if status else 0,
        verbs=written.verbs(),
        left_out=Counter(reason(segment.why) for segment in written.left_out),
        unexpressed=[f"without a case: {p.title} ({p.why}) in {line}" for p in written.left_out],
        wrong=[*wrong[:-1], f"in {line}"] if status else [],
    )


def reason(why: str) -> str:
    """Why a segment is left out, without names and numbers, so that like is counted with like."""
    return re.sub(r"\d+", "n", re.sub(r"\b[a-z]+(-[a-z]+)*-\d+\b", "x", why))[:100]


def all_found(games: int, first: int, processes: int, folder: Path) -> Iterator[Found]:
    """The results of every game, the stored ones first."""
    tasks = [*kept(), *(draw(k) for k in range(first, first + games))][:games]
    folders = [folder] * games
    if processes == 1:
        yield from map(examined, tasks, folders)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(examined, tasks, folders)


def table(found: Found) -> str:
    """The results, in words."""
    lines = [f"{found.games} games, {found.cases} cases, {found.failed} failed, "]
    lines[0] += f"{found.left_out.total()} segments left out"
    lines += [f"{n:7,} left out: {why}" for why, n in found.left_out.most_common()]
    lines += [f"{found.verbs[verb]:7,} {verb}" for verb in VERBS if found.verbs[verb]]
    unused = [verb for verb in ELSEWHERE if not found.verbs[verb]]
    lines += [f"      - {verb}: not by itself: {ELSEWHERE[verb]}" for verb in unused]
    lines += [f"      0 {verb}: never occurred" for verb in found.missing()]
    return "\n".join([*lines, *found.unexpressed, *found.wrong])


def main() -> None:
    """Trace the games and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=26)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    found, started = Found(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for one in all_found(options.games, options.first, options.processes, Path(folder)):
            found.add(one)
            print(
                f"\r{found.games} of {options.games} games, {found.cases:,} cases, "
                f"{found.failed} failed, {found.left_out.total()} left out, "
                f"{time.perf_counter() - started:,.0f} s",
                end="",
                flush=True,
            )
    print("\n" + table(found))
    raise SystemExit(bool(found.failed or found.wrong or found.left_out or found.missing()))


if __name__ == "__main__":
    main()
