"""Taking luck out: do the intervals keep their promise, and what does it save?

    python -m benchmarks.luck               both rulesets, greedy and network play
    python -m benchmarks.luck --only saved --policy planner:50 --pairs 400 --changes 4

Coverage: the true effect of a change is the mean over --truth pairs of games without any luck taken
out. Then come --experiments experiments of --size pairs: how many of their 95 % intervals contain
it, with luck taken out by a fitted value function and by a network of random weights, paired and
unpaired, for a fixed number of games and for looks after half of them and all, both of which must
hold. The mean of all experiments shows whether it is biased.

Saved: for changes of the numbers of SCENARIOS, evenly chosen from those that move the win rate by
more than LARGE points, how many times fewer games it takes than with pairing alone, and how many
times fewer seconds of processor time. docs/balance-lab.md has the results.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

from agemonia_env import balance
from agemonia_env.balance.accumulator import EXTRA_SQUARES
from agemonia_env.balance.experiment import CompareConfig, experiment_of
from agemonia_env.balance.interval import any_look, one_look
from agemonia_env.balance.luck import WORTH_IT, Taken, play_pilot, value_of
from agemonia_env.balance.study_config import make_config
from agemonia_env.files.writing import write_whole
from agemonia_env.policies.network import Layer
from agemonia_env.simulation.interval import wilson
from agemonia_env.simulation.luck import LUCK, UNIT, Luck, LuckMeter, Value
from agemonia_env.simulation.plan import Plan
from agemonia_env.simulation.play import play_chunk
from agemonia_env.simulation.value_fit import NoValue
from agemonia_env.simulation.workers import Workers

CHANGES = {  # of which the coverage is measured, each with its scenario
    "Agemonia-v0": ("ford", "enemies.slinger.actions.open.attack.value +1"),
    "HexDungeon-v0": ("warm-cellar", "monsters.kiln-rat.levels[1].normal.hit_points +1"),
}
POLICIES = {"Agemonia-v0": ["greedy", "generalist"], "HexDungeon-v0": ["greedy"]}
SCENARIOS = {"Agemonia-v0": ["ford", "beacon"], "HexDungeon-v0": ["warm-cellar", "drying-floor"]}
VALUES = ["fitted", "random"]
LARGE = 0.08  # change of the win rate from which pairing helps little
TRUTH, EXPERIMENTS, SAVED = 1, 2, 3  # seeds
REDRAWS = 2  # where coverage is measured
FITTING = 4  # threads

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Games:
    """Pairs of games: won and luck of both variants, float64 (n,); seconds of processor time."""

    won: tuple[Floats, Floats]
    luck: tuple[Floats, Floats]
    seconds: float

    def fair(self, weight: float) -> tuple[Floats, Floats]:
        """Results without the luck."""
        a, b = (won - weight * luck for won, luck in zip(self.won, self.luck, strict=True))
        return a, b


def plans_of(env: str, scenario: str, change: str, policy: str, games: int, seed: int) -> Any:
    """The plans of a comparison: the pack as it is, and with a change."""
    given = {"env": env, "scenario": scenario, "b": change, "policy": policy}
    config = make_config(CompareConfig, given | {"games": games, "seed": seed})
    return experiment_of(config).conditions[0].plans


def play_part(plans: tuple[Plan, Plan], luck: Luck | None, chunk: int) -> Games:
    """Play a chunk of both variants."""
    meter = None if luck is None else partial(LuckMeter, luck)
    began = time.process_time()
    frames = [play_chunk(plan, chunk, lambda games, wins: None, meter) for plan in plans]
    taken = time.process_time() - began
    a, b = (frame["won"].to_numpy().astype(np.float64) for frame in frames)
    none = np.zeros(len(a))
    luck_a, luck_b = (none if luck is None else f[LUCK].to_numpy() / UNIT for f in frames)
    return Games((a, b), (luck_a, luck_b), taken)


def warm_up(plans: tuple[Plan, Plan], luck: Luck | None) -> None:
    """Prepare a process: play a game of each variant, so that loading is not timed.

    The processes fill the cores; threads of NumPy besides would only wait for each other, as busy.
    """
    threadpool_limits(1, user_api="blas")
    a, b = (replace(plan, games=1) for plan in plans)
    play_part((a, b), luck, 0)


def play(plans: tuple[Plan, Plan], luck: Luck | None, processes: int) -> Games:
    """Play all chunks, on several processes."""
    run = partial(play_part, plans, luck)
    chunks = range(plans[0].n_chunks())
    if processes == 1:
        warm_up(plans, luck)
        parts = list(map(run, chunks))
    else:
        spawned = multiprocessing.get_context("spawn")
        with spawned.Pool(processes, warm_up, (plans, luck)) as pool:
            parts = pool.map(run, chunks, 1)
    won, luck_in = (
        tuple(np.concatenate([getattr(part, name)[k] for part in parts]) for k in (0, 1))
        for name in ("won", "luck")
    )
    return Games(won, luck_in, sum(part.seconds for part in parts))  # type: ignore[arg-type]


# ---- coverage -----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Coverage:
    """How many of the experiments' intervals held the true effect."""

    env: str
    policy: str
    value: str
    rule: str
    truth: float
    mean: float
    experiments: int
    held: int


def random_value(value: Value) -> Value:
    """A network of the same shape that knows nothing."""
    random = np.random.default_rng(0)

    def scrambled(layer: Layer) -> Layer:
        spread = 1 / np.sqrt(len(layer.weights))
        weights = random.normal(0, spread, layer.weights.shape).astype(np.float32)
        return Layer(weights, np.zeros_like(layer.bias))

    net = value.network
    return Value(
        replace(net, trunk=[scrambled(one) for one in net.trunk], value=scrambled(net.value))
    )


def coverages(env: str, policy: str, options: argparse.Namespace) -> Iterator[Coverage]:
    """The coverage of every rule, for one way to play."""
    scenario, change = CHANGES[env]
    of = partial(plans_of, env, scenario, change, policy)
    known = play(of(options.truth, TRUTH), None, options.processes)
    truth = float(known.won[1].mean() - known.won[0].mean())
    plans = of(options.experiments * options.size, options.seed)
    fitted = value_of(plans, Workers(FITTING))
    values = {"fitted": fitted, "random": random_value(fitted)}
    for name in options.value:
        value = values[name]
        games = play(plans, Luck(value, REDRAWS), options.processes)
        a, b = games.fair(1.0)
        for rule, half, apart in rules(a, b, options.size):
            held = int((np.abs(apart - truth) <= half).all(axis=1).sum())
            mean = float(apart[:, -1].mean())
            yield Coverage(env, policy, name, rule, truth, mean, options.experiments, held)


def rules(a: Floats, b: Floats, size: int) -> Iterator[tuple[str, Floats, Floats]]:
    """Rule, half-widths and differences, both (experiments, looks)."""
    one, two = a.reshape(-1, size), b.reshape(-1, size)
    apart = two - one
    mean = apart.mean(axis=1, keepdims=True)
    paired = apart.var(axis=1, keepdims=True) + EXTRA_SQUARES / size
    unpaired = (one.var(axis=1) + two.var(axis=1))[:, None] + EXTRA_SQUARES / size
    yield "paired", np.sqrt(paired) * one_look(size, 1.0), mean
    yield "unpaired", np.sqrt(unpaired) * one_look(size, 1.0), unpaired_means(one, two)
    looks = np.array([size // 2, size])
    means = apart.cumsum(axis=1)[:, looks - 1] / looks
    squares = (apart**2).cumsum(axis=1)[:, looks - 1] / looks
    spread = np.sqrt(squares - means**2 + EXTRA_SQUARES / looks)
    yield "both looks", spread * np.array([any_look(int(n), 1.0, size) for n in looks]), means


def unpaired_means(one: Floats, two: Floats) -> Floats:
    """Differences of games that share no seed: b of the next experiment."""
    apart: Floats = np.roll(two, 1, axis=0).mean(axis=1) - one.mean(axis=1)
    return apart[:, None]


# ---- what it saves ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Saved:
    """What taking luck out saves for a change: games, and seconds of processor time."""

    env: str
    scenario: str
    policy: str
    change: str
    difference: float
    redraws: int
    games: float
    seconds: float
    chosen: bool


def large_changes(env: str, scenario: str, count: int, threads: int) -> list[str]:
    """Changes of numbers that move the win rate of greedy play by more than LARGE."""
    found = balance.sensitivity(
        env=env, scenario=scenario, games=1000, seed=SAVED, threads=threads, progress=True
    )
    rows = [row for row in found.rows if abs(row["difference"]) > LARGE]
    chosen = [rows[k] for k in np.linspace(0, len(rows) - 1, min(count, len(rows))).astype(int)]
    return [f"{row['path']} = {row['new']}" for row in chosen]


def saved(env: str, policy: str, options: argparse.Namespace) -> Iterator[Saved]:
    """What is saved for some changes of each scenario."""
    for scenario in SCENARIOS[env]:
        for change in large_changes(env, scenario, options.changes, options.processes):
            plans = plans_of(env, scenario, change, policy, options.pairs, SAVED)
            try:
                value = value_of(plans, Workers(FITTING))
            except NoValue:
                continue
            pilot = play_pilot(plans, value, options.pairs // 4, "always", Workers(FITTING))
            if pilot.luck is not None:
                yield saved_by(pilot, plans, (env, scenario, policy, change), options.processes)


def saved_by(
    pilot: Taken, plans: tuple[Plan, Plan], names: tuple[str, str, str, str], processes: int
) -> Saved:
    """Play the pairs without and with luck measured."""
    assert pilot.luck is not None
    plain, games = play(plans, None, processes), play(plans, pilot.luck, processes)
    a, b = games.fair(pilot.weight)
    before, after = (games.won[1] - games.won[0]).var(), (b - a).var()
    fewer = before / after
    seconds = fewer * plain.seconds / games.seconds
    apart = float(games.won[1].mean() - games.won[0].mean())
    worth = pilot.saved / pilot.costs >= WORTH_IT
    return Saved(*names, apart, pilot.luck.redraws, float(fewer), float(seconds), worth)


# ---- report -------------------------------------------------------------------------------------
def show_coverages(found: Sequence[Coverage], console: Console) -> None:
    """Print the coverages as a table."""
    columns = "env", "policy", "value function", "rule", "true effect", "mean", "covered, %", "95 %"
    table = Table(*columns, box=SIMPLE_HEAD, pad_edge=False)
    for one in found:
        low, high = wilson(one.held, one.experiments)
        share = f"{100 * one.held / one.experiments:.1f}"
        between = f"{100 * low:.1f} to {100 * high:.1f}"
        points = (f"{100 * one.truth:+.2f}", f"{100 * one.mean:+.2f}")
        table.add_row(one.env, one.policy, one.value, one.rule, *points, share, between)
    console.print(table)


def show_saved(found: Sequence[Saved], console: Console) -> None:
    """Print what is saved as a table, and the medians."""
    table = Table("env", "scenario", "policy", "change", "points", "redraws", "games", "seconds",
                  box=SIMPLE_HEAD, pad_edge=False)  # fmt: skip
    for one in found:
        numbers = f"{100 * one.difference:+.1f}", str(one.redraws)
        factors = f"{one.games:.2f} x", f"{one.seconds:.2f} x"
        table.add_row(one.env, one.scenario, one.policy, one.change, *numbers, *factors)
    console.print(table)
    if found:
        games, seconds = (np.median([getattr(one, key) for one in found])
                          for key in ("games", "seconds"))  # fmt: skip
        console.print(f"medians: {games:.2f} x games, {seconds:.2f} x seconds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--env", choices=list(CHANGES), nargs="+", default=list(CHANGES), help="environments")
    add("--policy", nargs="+", help="policies (greedy, and generalist for Agemonia)")
    add("--value", choices=VALUES, nargs="+", default=VALUES, help="value functions (both)")
    add("--only", choices=["coverage", "saved"], help="measure one of the two")
    add("--truth", type=int, default=200_000, help="pairs for the true effect (%(default)s)")
    add("--experiments", type=int, default=1_000, help="number of experiments (%(default)s)")
    add("--size", type=int, default=200, help="pairs of an experiment (%(default)s)")
    add("--seed", type=int, default=EXPERIMENTS, help="seed of the experiments (%(default)s)")
    add("--changes", type=int, default=8, help="changes per scenario (%(default)s)")
    add("--pairs", type=int, default=2_000, help="pairs per change (%(default)s)")
    add("--processes", type=int, default=2, help="processes (%(default)s)")
    add("--out", type=Path, default=Path("runs/luck"), help="folder of results (%(default)s)")
    options = parser.parse_args(arguments)
    console, results = Console(highlight=False, width=140), list[dict[str, Any]]()

    def kept(found: Iterator[Any]) -> Iterator[Any]:
        for one in found:
            results.append(asdict(one))
            text = json.dumps(results, indent=1) + "\n"
            write_whole(options.out / "luck.json", text.encode())
            yield one

    for env in options.env:
        for policy in options.policy or POLICIES[env]:
            if options.only != "saved":
                show_coverages(list(kept(coverages(env, policy, options))), console)
            if options.only != "coverage":
                show_saved(list(kept(saved(env, policy, options))), console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
