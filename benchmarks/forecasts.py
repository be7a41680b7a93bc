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
best (a beta prior fitted to --positions / 10 games of their own). docs/forecast.md has the result.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from math import sqrt
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
from agemonia_env.policies.scripted import ScriptedPolicy
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.identity import sources_of
from agemonia_env.simulation.games import NO_CHECKS, game_seeds
from agemonia_env.simulation.interval import wilson
from agemonia_env.simulation.jobs import OnPlayed, run_on_threads

PARTIES = (1, 2, 3, 4)  # heroes
PILOTS = 100  # games that show how long a scenario takes
CHUNK = 25  # positions judged at a time
LATEST = 90  # percent of these games are over by the last decision at which games are stopped
BINS = 10
FEWEST = 100  # positions in a bin that counts
SEED = {"pilot": 0xCA11, "game": 0xCA12, "fit": 0xCA13, "forecast": 0xCA14, "again": 0xCA15}


class Judged(NamedTuple):
    """n positions: share won in the forecast, in games again, and in the game itself, (n,)."""

    share: NDArray[np.float64]
    again: NDArray[np.float64]
    own: NDArray[np.float64]


class Job(NamedTuple):
    """CHUNK positions of a kind of game. first: number of their first game."""

    start: Start
    stream: str
    first: int


def kinds(env_id: str) -> list[Start]:
    """The start of every scenario with every party."""
    make = env_class(env_id)
    scenarios = sorted(make().ruleset.load_pack(make().arguments.pack).scenarios)
    return [start_of(make(name, heroes=n, ties="auto")) for name in scenarios for n in PARTIES]


def greedy(start: Start) -> ScriptedPolicy:
    """Greedy play."""
    return ScriptedPolicy(start.rules, "greedy", int(start.rules.POLICIES["greedy"]))


def decisions_of(start: Start, game: NDArray[Any], most: int) -> int:
    """Play one game, STATE (1,), for at most so many decisions -> decisions that it took."""
    which = np.zeros(1, np.int16)
    games = game, start.compiled.content, which, greedy(start).number, start.control
    return int(start.rules.api.rollout(*games, most, NO_CHECKS))


@cache
def last_decision(start: Start) -> int:
    """The last decision at which games of a kind are stopped."""
    pilots = start.games(game_seeds(0, SEED["pilot"], range(PILOTS)))
    lengths = [decisions_of(start, pilots[i : i + 1], 5000) for i in range(PILOTS)]
    return int(np.percentile(lengths, LATEST))


def positions(job: Job) -> Iterator[NDArray[Any]]:
    """Positions of different games that go on, STATE (1,) each, at random decisions.

    The decision is drawn before the game is played, so nothing about its end is known from it.
    """
    start, number, found = job.start, job.first, 0
    random = np.random.default_rng([SEED[job.stream], job.first])
    while found < CHUNK:
        game = start.games(game_seeds(0, SEED[job.stream], range(number, number + 1)))
        number += 1
        stop = int(random.integers(last_decision(start) + 1))
        if decisions_of(start, game, stop) == stop and not game["ending"][0]:
            found += 1
            yield game


def judge(job: Job, games: int, again: int) -> NDArray[np.float64]:
    """Forecast the positions of a job, and play on -> (CHUNK, 3), as Judged."""
    policy = greedy(job.start)
    rows = []
    for k, state in enumerate(positions(job)):
        here = replace(job.start, state=state)
        shares = []
        for stream, n in (("forecast", games), ("again", again)):
            states = here.games(game_seeds(job.first + k, SEED[stream], range(n)))
            here.play(states, policy)
            shares.append(float(states["won"].mean()))
        itself = copies(state)
        here.play(itself, policy)
        rows.append((*shares, float(itself["won"][0])))
    return np.array(rows)


def judged(env_id: str, n: int, stream: str, options: argparse.Namespace) -> Judged:
    """Judge at least n positions, spread over all kinds of game."""
    starts = kinds(env_id)
    chunks = -(-n // (CHUNK * len(starts)))
    jobs = [Job(start, stream, 10**6 * k + 1000 * chunk)
            for chunk in range(chunks) for k, start in enumerate(starts)]  # fmt: skip
    folder = options.out / sources_of(env_id, "forecasting")
    name = f"{env_id}-{options.games}-{options.again}-{stream}"

    def play(job: Job, on_played: OnPlayed) -> NDArray[np.float64]:
        path = folder / f"{name}-{job.start.compiled.fingerprint}-{job.first}.npy"
        if not path.is_file():
            content = io.BytesIO()
            np.save(content, judge(job, options.games, options.again))
            write_whole(path, content.getvalue())
            on_played(CHUNK, 0)
        found: NDArray[np.float64] = np.load(path)
        return found

    with closing(run_on_threads(play, jobs, options.threads, lambda games, wins: None)) as done:
        shown = Console(stderr=True)
        parts = dict(track(done, f"{env_id}, {stream}", len(jobs), console=shown, transient=True))
    return Judged(*np.concatenate([parts[job] for job in jobs]).T)


def fitted(found: Judged, games: int) -> tuple[float, float]:
    """The beta prior with the mean and variance that win probabilities have, by moments."""
    mean, wins = found.share.mean(), games * found.share
    square = (wins * (wins - 1)).mean() / (games * (games - 1))
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


def bins_of(stated: NDArray[np.float64], found: Judged) -> list[Bin]:
    """Ten bins of stated probabilities, those with positions in them."""
    number = np.minimum((stated * BINS).astype(int), BINS - 1)
    bins = []
    for k in range(BINS):
        own = number == k
        if own.any():
            means = (stated[own].mean(), found.again[own].mean(), found.own[own].mean())
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
    n, games = options.positions, options.games
    prior = fitted(judged(env_id, n // 10, "fit", options), games)
    found = judged(env_id, n, "game", options)
    apart = 100 * (found.own - found.again)
    error = apart.std() / sqrt(len(apart))
    console.print(
        f"{env_id}: {len(apart):,} positions; the games themselves were won {apart.mean():+.2f} "
        f"points more often than those played on from there, standard error {error:.2f}"
    )
    record: dict[str, Any] = {"games": games, "prior": prior, "apart": float(apart.mean())}
    ways = {"share": (0.0, 0.0), "half a win": (0.5, 0.5), "fitted prior": prior}
    for name, (a, b) in ways.items():
        bins = bins_of((games * found.share + a) / (games + a + b), found)
        title = f"{env_id}, {name}, +{a:.2f} wins +{b:.2f} losses"
        show(console, f"{title}: at most {worst(bins):.2f} points off", bins)
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
    add("--again", type=int, default=32, help="games that judge it (%(default)s)")
    add("--threads", type=int, default=2, help="threads (%(default)s)")
    add("--out", type=Path, default=Path("runs/forecasts"), help="folder (%(default)s)")
    options = parser.parse_args(arguments)
    console = Console(highlight=False)
    options.out.mkdir(parents=True, exist_ok=True)
    record = {one: measure(one, options, console) for one in options.env or RULESETS}
    write_whole(options.out / "forecasts.json", json.dumps(record, indent=1).encode() + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
