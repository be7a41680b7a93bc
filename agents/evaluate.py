"""Compare policies on the same games: win rate with its interval, rounds, exhausted Heroes.

    python -m agents.evaluate                            random and greedy play
    python -m agents.evaluate --model runs/maskable_ppo/model.zip

Of scenarios drawn from a seed those to test on are played, and then those to train on: the
difference is the generalisation gap.

Writes evaluation.json and evaluation.png under --out and prints the table. The interval is
Wilson's, 95 % (E. B. Wilson, JASA 22, 1927): where two of them are apart, so are the policies.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from rich.console import Console
from rich.table import Table

from agemonia_env.envs.arguments import Arguments
from agemonia_env.envs.ruleset import DEFAULT as DEFAULT_ENV
from agemonia_env.envs.ruleset import Ruleset, ruleset_of
from agemonia_env.simulation.games import Records
from agemonia_env.simulation.interval import wilson
from agemonia_env.warmup import compile_if_cold

from .config import ConfigError, config_of, read_config
from .model_file import load_model, read_record, versions, write_json
from .play import (
    AUTO_TIES,
    Outcomes,
    model_chooser,
    play_chosen,
    play_scripted,
    scenarios_of,
)

OUT = Path("runs/evaluation")
FIRST_SEED = 1_000_000_000  # far from the seeds of training, which count up from 1
# Arguments that the report tells; null where the environment has no such argument
WHAT = ("scenario", "pack", "heroes", "ties", "side", "opponent", "enemy_will")
FEW_GAMES = 400  # below this an interval is wider than 10 points


@dataclass(frozen=True)
class Row:
    """One policy's results over all games; means over games, the interval in [0, 1]."""

    policy: str
    games: int
    won: float
    low: float
    high: float
    rounds: float
    exhausted: float
    damage_dealt: float
    damage_taken: float
    decisions: float
    seconds: float


def summarise(policy: str, outcomes: Outcomes, seconds: float, side: str = "hero") -> Row:
    """Means and interval of the games that `policy` played in `seconds`, won as `side` sees it."""
    won = ~outcomes.won if side == "enemy" else outcomes.won
    games, wins = len(won), int(won.sum())
    low, high = wilson(wins, games)
    return Row(
        policy,
        games,
        wins / games,
        low,
        high,
        float(outcomes.rounds.mean()),
        float(outcomes.exhausted.mean()),
        float(outcomes.damage_dealt.mean()),
        float(outcomes.damage_taken.mean()),
        float(outcomes.decisions.mean()),
        seconds,
    )


def evaluate(
    rules: Ruleset,
    content: Records,
    games: int,
    *,
    model: Any = None,
    deterministic: bool = False,
    seating: int = AUTO_TIES,
    side: str = "hero",
    first_seed: int = FIRST_SEED,
) -> list[Row]:
    """Rows for random, greedy and (if given) the model, each on the same `games` core seeds.

    content: the scenarios, CONTENT records (k,), which the games take in turn.
    Where the opponent plays the other side (`seating`, `side`), greedy is so for its own.
    """
    seeds = np.arange(first_seed, first_seed + games, dtype=np.uint64)
    rows = []
    policies = rules.RIVALS if side == "enemy" else rules.POLICIES
    for name in ("random", "greedy"):
        start = time.perf_counter()
        outcomes = play_scripted(rules, content, seeds, int(policies[name]), seating=seating)
        rows.append(summarise(name, outcomes, time.perf_counter() - start, side))
    if model is not None:
        start = time.perf_counter()
        choose = model_chooser(model, deterministic=deterministic, seed=first_seed)
        outcomes = play_chosen(rules, content, seeds, choose, seating=seating)
        rows.append(summarise("trained", outcomes, time.perf_counter() - start, side))
    return rows


def table(rows: list[Row], title: str) -> Table:
    """The rows as a table for the terminal."""
    shown = Table(title=title, title_justify="left")
    shown.add_column("policy")
    for heading in ("won", "95 % interval", "rounds", "exhausted", "dealt", "taken"):
        shown.add_column(heading, justify="right")
    for row in rows:
        shown.add_row(
            row.policy,
            f"{row.won:.1%}",
            f"{100 * row.low:.1f} - {row.high:.1%}",
            f"{row.rounds:.1f}",
            f"{row.exhausted:.2f}",
            f"{row.damage_dealt:.1f}",
            f"{row.damage_taken:.1f}",
        )
    return shown


def draw(rows: list[Row], title: str, path: Path) -> None:
    """Plot the win rates with their intervals as a PNG file."""
    import matplotlib as mpl

    mpl.use("Agg")  # no display
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 0.7 * len(rows) + 1.4), layout="constrained")
    places = range(len(rows))
    won = [100 * row.won for row in rows]
    errors = [
        [100 * (row.won - row.low) for row in rows],
        [100 * (row.high - row.won) for row in rows],
    ]
    colours = {"random": "#9aa5b1", "greedy": "#4c78a8", "trained": "#e07b39"}
    axes.barh(places, won, color=[colours[row.policy] for row in rows], height=0.6)
    axes.errorbar(won, places, xerr=errors, fmt="none", ecolor="#222222", capsize=4)
    for place, row in zip(places, rows, strict=True):
        axes.text(100 * row.high + 1.5, place, f"{row.won:.1%}", va="center")
    axes.set_yticks(places, [row.policy for row in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 112)
    axes.set_xlabel("games won (%), with 95 % Wilson interval")
    axes.set_title(title, loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    partial = path.with_name(path.stem + ".partial.png")
    figure.savefig(partial, dpi=150)
    plt.close(figure)
    partial.replace(path)


def verdict(rows: list[Row]) -> str:
    """One sentence: is the last row above the one before it?"""
    best, other = rows[-1], rows[-2]
    if best.low > other.high:
        return f"{best.policy} is above {other.policy}: the intervals are apart."
    if best.high < other.low:
        return f"{best.policy} is below {other.policy}: the intervals are apart."
    return f"{best.policy} and {other.policy} cannot be told apart: the intervals overlap."


def gaps(seen: list[Row], unseen: list[Row]) -> list[str]:
    """How much less each policy wins in scenarios that nobody trained on, one line each."""
    return [
        f"{one.policy}: {one.won:.1%} of the scenarios to train on, {other.won:.1%} of those to "
        f"test on; generalisation gap {100 * (one.won - other.won):+.1f} points"
        for one, other in zip(seen, unseen, strict=False)
    ]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line; see the head of this file."""
    parser = argparse.ArgumentParser(prog="agemonia evaluate", description="Compare policies.")
    parser.add_argument(
        "--model", type=Path, help="a model (.npz, .zip); its record says what it plays"
    )
    parser.add_argument("--env", help="environment, if not the model's own (Agemonia-v0)")
    parser.add_argument("--scenario", help="scenario, if not the model's own")
    parser.add_argument("--heroes", type=int, help="number of Heroes, if not the model's own")
    parser.add_argument("--games", type=int, default=2000, help="games per policy (%(default)s)")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="core seed of the first game")
    parser.add_argument(
        "--deterministic", action="store_true", help="the model's likeliest action, not a draw"
    )
    parser.add_argument("--out", type=Path, default=OUT, help="folder for results (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="of torch (%(default)s)")
    parser.add_argument("--force", action="store_true", help="accept a model of another ruleset")
    return parser.parse_args(arguments)


def what_to_play(options: argparse.Namespace) -> tuple[Ruleset, Arguments]:
    """What the environment is made of: the options, else the model's, else the default."""
    record = read_record(options.model) if options.model else {}
    env = options.env or record.get("env_id", DEFAULT_ENV)
    default = read_config(config_of(env), {"env": env}).env_kwargs()
    played = default | (record.get("env_kwargs") or {})
    if options.heroes is not None:
        played["heroes"] = options.heroes
    if options.scenario:
        played |= {"scenario": options.scenario, "scenario_seed": None}
    rules = ruleset_of(env)
    return rules, rules.check_arguments(**rules.given(**played))


def run(options: argparse.Namespace, console: Console) -> list[Row]:
    """Play, print, and write the results under `options.out`."""
    if options.games < 1 or options.seed < 0:
        raise ConfigError("--games must be at least 1 and --seed at least 0")
    th.set_num_threads(options.threads)
    rules, played = what_to_play(options)
    compile_if_cold(console.print, rules.env_id)
    scenario, heroes = played.scenario, played.heroes
    compiled = played.reference()
    model: Any = None
    record: dict[str, Any] = {}
    if options.model:
        model, record = load_model(options.model, compiled.fingerprint, force=options.force)
        th.manual_seed(options.seed)  # a model that draws its actions draws the same ones again
    told = {"model": model, "deterministic": options.deterministic, "first_seed": options.seed}
    told |= {"seating": played.seating(), "side": played.side}
    seeds, unseen = played.scenario_seeds(), played.test_seeds()
    rows = evaluate(rules, scenarios_of(played, unseen or seeds), options.games, **told)
    seen = []
    if unseen is not None:
        seen = evaluate(rules, scenarios_of(played, seeds), options.games, **told)
    n_heroes = heroes if isinstance(heroes, int) else len(heroes)
    title = f"{scenario}, {n_heroes} Heroes, {options.games:,} games on the same seeds"
    what = {name: getattr(played, name, None) for name in WHAT}
    if played.side == "enemy":
        title += f", {what['opponent']} Heroes, won by the Enemies"
    if unseen is not None:
        title += ", scenarios never trained on"
    options.out.mkdir(parents=True, exist_ok=True)
    report = {
        "env_id": rules.env_id,
        **what,
        "first_seed": options.seed,
        "fingerprint": compiled.fingerprint,
        "deterministic": options.deterministic,
        "model": str(options.model) if options.model else None,
        "model_record": record,
        "versions": versions(),
        "rows": [asdict(row) for row in rows],
        "rows_seen": [asdict(row) for row in seen],
    }
    write_json(options.out / "evaluation.json", report)
    draw(rows, title, options.out / "evaluation.png")
    console.print(table(rows, title))
    console.print(verdict(rows))
    for line in gaps(seen, rows):
        console.print(line)
    if options.games < FEW_GAMES:
        console.print(f"Fewer than {FEW_GAMES} games: the intervals say more than the rates.")
    console.print(f"Written: {options.out / 'evaluation.json'}, {options.out / 'evaluation.png'}")
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 = evaluated, 2 = bad input, told in one line on stderr."""
    options, console = parse(arguments), Console()
    try:
        run(options, console)
    except ValueError as error:  # ConfigError, ModelError, and what the content compiler refuses
        print(f"agemonia evaluate: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
