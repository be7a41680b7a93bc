"""Do the intervals of the balance laboratory have the coverage they promise?

    python -m benchmarks.calibration                       a million games for the true effects
    python -m benchmarks.calibration --games 100000 --experiments 100

For each of PATCHES the true effect on the win rate is the mean over --games pairs of games. Then
come --experiments experiments of --size pairs with other seeds: how many of their 95 % intervals
contain the true effect? Measured for a fixed number of games, and for stopping by `--width` with a
look every BLOCK pairs: for the last interval, and for all intervals of an experiment at once.
docs/balance-lab.md has the result.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import agemonia_env
from agemonia_env.balance.accumulator import Accumulator, Difference
from agemonia_env.files.writing import write_whole
from agemonia_env.simulation.interval import any_look, one_look, wilson

PATCHES = {
    "small": "heroes.orsa.actions.Sweeping Oar.cost = 0",
    "large": "enemies.slinger.actions.open.attack.value +1",
}
SCENARIO, HEROES, POLICY = "ford", 2, "greedy"
TRUTH, EXPERIMENTS = 1, 2  # seeds: of the true effect, of the experiments
BLOCK = 50  # pairs between two looks
WIDTHS = (0.16, 0.12)  # of the win rate's interval, at which an experiment stops

Wins = NDArray[np.bool_]


@dataclass(frozen=True)
class Coverage:
    """How many intervals contained the true effect. stopped: experiments that stopped early."""

    patch: str
    rule: str
    truth: float
    experiments: int
    held: int
    stopped: int | None = None

    @property
    def share(self) -> tuple[float, float, float]:
        """The share that contained it, and its own 95 % interval."""
        return self.held / self.experiments, *wilson(self.held, self.experiments)


def wins(patch: str | None, games: int, seed: int, threads: int, folder: Path) -> Wins:
    """Whether each game was won, bool (games,); played once and stored in the folder."""
    name = f"{patch or 'none'}-{seed}-{games}"
    path = folder / f"{name}.npy"
    if path.is_file():
        kept: Wins = np.load(path)
        return kept
    rows = agemonia_env.simulate(
        SCENARIO,
        HEROES,
        POLICY,
        games,
        pack=f"core; {PATCHES[patch]}" if patch else "core",
        seed=seed,
        threads=threads,
        progress=True,
    )
    found: Wins = rows["won"].to_numpy()
    content = io.BytesIO()
    np.save(content, found)
    write_whole(path, content.getvalue())
    return found


def difference_of(a: Wins, b: Wins) -> Difference:
    """The laboratory's estimate of the difference after these pairs."""
    apart = b.astype(np.int64) - a
    sums = np.array([a.sum(), b.sum(), a.sum(), b.sum(), (apart * apart).sum()])
    return Accumulator(len(a), {"won": sums}).difference("won")


def coverages(patch: str, truth: float, a: Wins, b: Wins, size: int) -> Iterator[Coverage]:
    """The coverage of each rule; a, b: bool (experiments * size,)."""
    n = len(a) // size
    parts = [slice(k * size, (k + 1) * size) for k in range(n)]
    held = sum(_holds(found, one_look(found.pairs, found.variance), truth)
               for found in (difference_of(a[part], b[part]) for part in parts))  # fmt: skip
    yield Coverage(patch, f"{size:,} games", truth, n, held)
    for width in WIDTHS:
        ways = [_way(a[part], b[part], truth, width) for part in parts]
        stopped = sum(end for _, _, end in ways)
        last, whole = sum(one for one, _, _ in ways), sum(every for _, every, _ in ways)
        rule = f"until {100 * width:g} points wide"
        yield Coverage(patch, rule, truth, n, last, stopped)
        yield Coverage(patch, f"{rule}, all looks", truth, n, whole, stopped)


def _way(a: Wins, b: Wins, truth: float, width: float) -> tuple[bool, bool, bool]:
    """One experiment with the stopping rule.

    Returns whether the last interval contained the truth, whether all did, and whether it stopped
    early.
    """
    tightest = (width / 2) ** -2  # as Experiment.tightest
    holds, every = False, True
    for n in range(BLOCK, len(a) + 1, BLOCK):
        found = difference_of(a[:n], b[:n])
        half = any_look(found.pairs, found.variance, min(tightest, len(a)))
        holds = _holds(found, half, truth)
        every &= holds
        if 2 * half <= width:
            return holds, every, True
    return holds, every, False


def _holds(found: Difference, half: float, truth: float) -> bool:
    return abs(found.difference - truth) <= half


def report(found: Sequence[Coverage], console: Console) -> None:
    """Print the result as a table."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for k, heading in enumerate(("patch", "true effect", "rule", "covered, %", "95 %", "stopped")):
        table.add_column(heading, justify="left" if k in (0, 2) else "right")
    for one in found:
        share, low, high = one.share
        interval = f"{100 * low:.1f} to {100 * high:.1f}"
        stopped = "-" if one.stopped is None else f"{one.stopped:,}"
        row = (f"{100 * one.truth:+.2f}", one.rule, f"{100 * share:.1f}", interval, stopped)
        table.add_row(one.patch, *row)
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--games", type=int, default=1_000_000, help="games for the true effect (%(default)s)")
    add("--experiments", type=int, default=1_000, help="number of experiments (%(default)s)")
    add("--size", type=int, default=1_000, help="pairs of games per experiment (%(default)s)")
    add("--threads", type=int, default=2, help="threads (%(default)s)")
    add(
        "--out",
        type=Path,
        default=Path("runs/calibration"),
        help="folder for results (%(default)s)",
    )
    options = parser.parse_args(arguments)
    console = Console(highlight=False)
    found: list[Coverage] = []
    for patch in PATCHES:
        one, other = (
            [
                wins(name, games, seed, options.threads, options.out)
                for games, seed in (
                    (options.games, TRUTH),
                    (options.experiments * options.size, EXPERIMENTS),
                )
            ]
            for name in (None, patch)
        )
        truth = float(other[0].mean() - one[0].mean())
        found += coverages(patch, truth, one[1], other[1], options.size)
    report(found, console)
    record = {"patches": PATCHES, "games": options.games, "size": options.size}
    record |= {"scenario": SCENARIO, "heroes": HEROES, "policy": POLICY}
    lines = json.dumps(record | {"results": [asdict(one) for one in found]}, indent=1)
    write_whole(options.out / "calibration.json", lines.encode() + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
