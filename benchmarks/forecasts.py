"""Are forecasts calibrated? Stated win probabilities against how games really end.

    python -m benchmarks.forecasts                       10,000 positions of each ruleset
    python -m benchmarks.forecasts --positions 500 --env Agemonia-v0

Greedy games of every scenario with each of PARTIES are stopped at a random decision, one position a
game. A forecast from --games games states a win probability. It is compared, in ten bins of what
was stated, with --games further games from the same position, which share nothing with the
forecast; and with how the game itself went on, hidden cards as they lay.

A share of few games is noisy, and forecasts that end up in an extreme bin are there partly by
chance: this regression to the mean is an error of the forecast, and is measured here. So are two
remedies: half a win and half a loss added, and wins and losses added as they fit other positions
best (a beta prior fitted to --positions / 5 games of their own). docs/forecast.md has the result.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from agemonia_env.display.reports import text_table
from agemonia_env.envs import env_class
from agemonia_env.envs.copies import copies
from agemonia_env.files.writing import write_whole
from agemonia_env.forecasting.start import Start, start_of
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.policy import Policy
from agemonia_env.simulation.games import game_seeds
from agemonia_env.simulation.interval import wilson
from agemonia_env.simulation.jobs import OnPlayed, run_on_threads

PARTIES = (1, 2, 3, 4)  # heroes
PILOTS = 100  # games that show how long a scenario takes
LATEST = 90  # percent of these games are over by the last decision at which games are stopped
BINS = 10
FEWEST = 100  # positions in a bin that counts
SEED = {"pilot": 0xCA11, "game": 0xCA12, "fit": 0xCA13, "forecast": 0xCA14, "again": 0xCA15}


class Judged(NamedTuple):
    """n positions: wins of the forecast, of as many games again, and of the game itself, (n,)."""

    wins: NDArray[np.int64]
    again: NDArray[np.int64]
    own: NDArray[np.int64]


class Job(NamedTuple):
    """The positions of a kind of game. first: number of their first game."""

    start: Start
    positions: int
    stream: str
    first: int


def kinds(env_id: str) -> list[Start]:
    """The start of every scenario with every party."""
    make = env_class(env_id)
    scenarios = sorted(make().ruleset.load_pack(make().arguments.pack).scenarios)
    return [start_of(make(name, heroes=n, ties="auto")) for name in scenarios for n in PARTIES]


def decisions_of(start: Start, game: NDArray[Any], policy: Policy, most: int) -> int:
    """Play one game, STATE (1,), for at most so many decisions -> decisions that it took."""
    which = np.zeros(1, np.int16)
    games = game, start.compiled.content, which, policy.number, start.control  # type: ignore[attr-defined]
    return int(start.rules.api.rollout(*games, most, np.zeros(0, np.int64)))


def positions(job: Job, policy: Policy) -> Iterator[NDArray[Any]]:
    """Positions of different games that go on, STATE (1,) each, at random decisions.

    The decision is drawn before the game is played, so nothing about its end is known from it.
    """
    start = job.start
    pilots = start.games(game_seeds(0, SEED["pilot"], range(PILOTS)))
    lengths = [decisions_of(start, pilots[i : i + 1], policy, 5000) for i in range(PILOTS)]
    last, found, number = int(np.percentile(lengths, LATEST)), 0, job.first
    random = np.random.default_rng([SEED[job.stream], job.first])
    while found < job.positions:
        game = start.games(game_seeds(0, SEED[job.stream], range(number, number + 1)))
        number += 1
        stop = int(random.integers(last + 1))
        if decisions_of(start, game, policy, stop) == stop and not game["ending"][0]:
            found += 1
            yield game


def judge(job: Job, games: int) -> Judged:
    """Forecast the positions of a job, and play on."""
    policy = policy_of(job.start.rules, "greedy")
    rows = []
    for k, state in enumerate(positions(job, policy)):
        here, block = replace(job.start, state=state), range(games)
        counts = []
        for stream in ("forecast", "again"):
            states = here.games(game_seeds(job.first + k, SEED[stream], block))
            here.play(states, policy)
            counts.append(int(states["won"].sum()))
        itself = copies(state)
        here.play(itself, policy)
        rows.append((*counts, int(itself["won"][0])))
    return Judged(*np.array(rows, np.int64).reshape(-1, 3).T)


def judged(env_id: str, n: int, stream: str, games: int, threads: int) -> Judged:
    """Judge n positions, spread over all kinds of game."""
    starts = kinds(env_id)
    each = -(-n // len(starts))
    jobs = [Job(start, each, stream, 10**6 * k) for k, start in enumerate(starts)]

    def play(job: Job, on_played: OnPlayed) -> Judged:
        return judge(job, games)

    with closing(run_on_threads(play, jobs, threads, lambda games, wins: None)) as done:
        bar = {"total": len(jobs), "console": Console(stderr=True), "transient": True}
        parts = dict(track(done, f"{env_id}, {stream}", **bar))
    columns = zip(*(parts[job] for job in jobs), strict=True)
    return Judged(*(np.concatenate(column) for column in columns))


def fitted(found: Judged, games: int) -> tuple[float, float]:
    """The beta prior with the mean and variance that win probabilities have, by moments."""
    wins = found.wins
    mean, square = wins.mean() / games, (wins * (wins - 1)).mean() / (games * (games - 1))
    total = (mean - square) / (square - mean**2)
    return float(mean * total), float((1 - mean) * total)


class Bin(NamedTuple):
    """Positions whose stated probabilities are near each other; shares are means over them."""

    low: float
    positions: int
    stated: float
    again: float
    own: float

    @property
    def error(self) -> float:
        """What was stated less what happened, in points."""
        return 100 * (self.stated - self.again)


def bins_of(stated: NDArray[np.float64], found: Judged, games: int) -> list[Bin]:
    """Ten bins of stated probabilities, those with positions in them."""
    number = np.minimum((stated * BINS).astype(int), BINS - 1)
    bins = []
    for k in range(BINS):
        own = number == k
        if own.any():
            means = (stated[own].mean(), found.again[own].mean() / games, found.own[own].mean())
            bins.append(Bin(k / BINS, int(own.sum()), *map(float, means)))
    return bins


def worst(bins: Sequence[Bin]) -> float:
    """The largest error in a bin with enough positions, in points."""
    return max((abs(one.error) for one in bins if one.positions >= FEWEST), default=0.0)


def show(console: Console, title: str, bins: Sequence[Bin]) -> None:
    """Print bins as a table."""
    rows = []
    for one in bins:
        low, high = wilson(round(one.own * one.positions), one.positions)
        own = f"{100 * one.own:.1f} ({100 * low:.1f} - {100 * high:.1f})"
        name = f"{100 * one.low:.0f} - {100 * (one.low + 1 / BINS):.0f} %"
        shares = (f"{100 * one.stated:.1f}", f"{100 * one.again:.1f}", f"{one.error:+.2f}", own)
        rows.append((name, f"{one.positions:,}", *shares))
    heads = ("stated", "positions", "mean", "games again", "error", "the game itself (95 %)")
    console.print(text_table(title, heads, rows))


def measure(env_id: str, options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Measure a ruleset, print its tables -> record."""
    n, games, threads = options.positions, options.games, options.threads
    prior = fitted(judged(env_id, n // 5, "fit", games, threads), games)
    found = judged(env_id, n, "game", games, threads)
    record: dict[str, Any] = {"games": games, "prior": prior}
    ways = {"share": (0.0, 0.0), "half a win": (0.5, 0.5), "fitted prior": prior}
    for name, (a, b) in ways.items():
        bins = bins_of((found.wins + a) / (games + a + b), found, games)
        title = f"{env_id}, {name}: (wins + {a:.2f}) / (games + {a + b:.2f}), {games} games"
        show(console, f"{title}; at most {worst(bins):.2f} points off", bins)
        record[name] = [one._asdict() for one in bins]
    return record


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see the module docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--env", choices=list(RULESETS), action="append", help="ruleset (both)")
    add("--positions", type=int, default=10_000, help="of each ruleset (%(default)s)")
    add("--games", type=int, default=64, help="of each forecast (%(default)s)")
    add("--threads", type=int, default=2, help="threads (%(default)s)")
    add("--out", type=Path, default=Path("runs/forecasts.json"), help="results (%(default)s)")
    options = parser.parse_args(arguments)
    console = Console(highlight=False)
    record = {one: measure(one, options, console) for one in options.env or RULESETS}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.out, json.dumps(record, indent=1).encode() + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
