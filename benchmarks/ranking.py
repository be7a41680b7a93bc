"""Does `agemonia balance rank` keep its promise, and how many games does it save?

    python -m benchmarks.ranking
    python -m benchmarks.ranking --games 20000 --repetitions 200

Every variant of VARIANTS plays the same --games seeds on the ford, greedy play, two heroes. These
games are the population: the best variant is known exactly. Then --repetitions rankings draw seeds
from it with replacement. How often was the best variant dropped, how often did the leader fall
short of it by more than `within`, and how many games were played, against as many for all?
docs/balance-lab.md has the result.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import agemonia_env
from agemonia_env.balance.racing import FIRST, Goal, Race, Rule
from agemonia_env.balance.variants import SHARPEST
from agemonia_env.envs import env_class
from agemonia_env.files.writing import write_whole
from agemonia_env.rulesets.doors import DEFAULT
from agemonia_env.rulesets.identity import sources_of
from agemonia_env.simulation.interval import wilson

SCENARIO, HEROES, POLICY = "ford", 2, "greedy"
HEALTH, HIT = "enemies.reedling.health.per_hero", "enemies.slinger.actions.open.attack.value"
BASE = "enemies.slinger.health.base"
# Some far apart, some within a point of each other
VARIANTS = (
    "",
    *(f"{HEALTH} = {k}" for k in (1, 3)),
    *(f"{HIT} = {k}" for k in (2, 4)),
    *(f"{BASE} = {k}" for k in (2, 3, 5, 6)),
    *(f"{HEALTH} = {k}; {HIT} = {j}" for k, j in ((1, 4), (3, 2))),
    "heroes.orsa.actions.Sweeping Oar.cost = 0",
)
GOALS: tuple[Goal, ...] = ("highest", 0.70, 0.60)
MOST, WITHIN = 10_000, 0.01  # games of a variant, tolerance
SEED = 3

Games = NDArray[np.float64]


@dataclass(frozen=True)
class RankingRow:
    """Repetitions of one ranking. saved: share of the games of equal allocation, mean."""

    goal: str
    best: str
    variants: int
    repetitions: int
    dropped: int
    short: int
    left: float
    games: float
    saved: float


def games_of(change: str, games: int, threads: int, folder: Path) -> NDArray[np.bool_]:
    """Whether each game was won, bool (games,); kept for the same rules and content."""
    pack = f"core; {change}" if change else "core"
    content = env_class(DEFAULT)(SCENARIO, heroes=HEROES, pack=pack).compiled.fingerprint
    path = folder / sources_of(DEFAULT) / f"{content}-{games}.npy"
    if path.is_file():
        kept: NDArray[np.bool_] = np.load(path)
        return kept
    rows = agemonia_env.simulate(
        SCENARIO, HEROES, POLICY, games, pack=pack, seed=SEED, threads=threads, progress=True
    )
    found: NDArray[np.bool_] = rows["won"].to_numpy()
    stored = io.BytesIO()
    np.save(stored, found)
    write_whole(path, stored.getvalue())
    return found


def ranked(goal: Goal, won: Games, seeds: NDArray[np.int64]) -> Race:
    """One ranking over these seeds, (MOST,)."""
    race = Race(Rule(goal, len(won), MOST / SHARPEST), MOST, WITHIN)
    while not race.over:
        race.look(won[race.alive][:, seeds[: race.wanted()]])
    return race


def repeated(goal: Goal, won: Games, repetitions: int) -> RankingRow:
    """Rank again and again, each time with other seeds of the population."""
    random = np.random.default_rng(SEED)
    off = Rule(goal, len(won), MOST / SHARPEST).off(won.mean(axis=1))
    best = int(off.argmin())
    races = [
        ranked(goal, won, random.integers(won.shape[1], size=MOST)) for _ in range(repetitions)
    ]
    short = [off[next(iter(race.standings()))] - off[best] > WITHIN for race in races]
    played = [sum(race.played()) for race in races]
    equal = [len(won) * race.games for race in races]
    return RankingRow(
        goal=goal if isinstance(goal, str) else f"nearest to {100 * goal:g} %",
        best=VARIANTS[best] or "as it is",
        variants=len(won),
        repetitions=repetitions,
        dropped=sum(best in race.dropped for race in races),
        short=int(sum(short)),
        left=float(np.mean([len(race.alive) for race in races])),
        games=float(np.mean(played)),
        saved=float(np.mean([1 - one / whole for one, whole in zip(played, equal, strict=True)])),
    )


def report(found: Sequence[RankingRow], console: Console) -> None:
    """Print the result as a table."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    heads = ("goal", "best", "best dropped, %", "95 %", "short, %", "left", "games", "saved, %")
    for k, heading in enumerate(heads):
        table.add_column(heading, justify="left" if k < 2 else "right")
    for row in found:
        low, high = wilson(row.dropped, row.repetitions)
        table.add_row(
            row.goal,
            row.best,
            f"{100 * row.dropped / row.repetitions:.1f}",
            f"{100 * low:.1f} to {100 * high:.1f}",
            f"{100 * row.short / row.repetitions:.1f}",
            f"{row.left:.1f} of {row.variants}",
            f"{row.games:,.0f}",
            f"{100 * row.saved:.0f}",
        )
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--games", type=int, default=50_000, help="games of each variant (%(default)s)")
    add("--repetitions", type=int, default=500, help="rankings per goal (%(default)s)")
    add("--threads", type=int, default=2, help="threads (%(default)s)")
    add("--out", type=Path, default=Path("runs/ranking"), help="folder for results (%(default)s)")
    options = parser.parse_args(arguments)
    if options.games < FIRST:
        parser.error(f"--games: at least {FIRST}")
    console = Console(highlight=False)
    played = (games_of(one, options.games, options.threads, options.out) for one in VARIANTS)
    won = np.array(list(played), np.float64)
    for change, share in zip(VARIANTS, won.mean(axis=1), strict=True):
        console.print(f"{100 * share:6.2f} %  {change or 'as it is'}")
    found = [repeated(goal, won, options.repetitions) for goal in GOALS]
    report(found, console)
    record = {
        "games": options.games,
        "variants": VARIANTS,
        "results": [asdict(row) for row in found],
    }
    write_whole(options.out / "ranking.json", json.dumps(record, indent=1).encode() + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
