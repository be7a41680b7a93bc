"""Compare policies on the same games: win rate with its interval, rounds, exhausted heroes.

    python -m agents.evaluate                            random and greedy play
    python -m agents.evaluate --model runs/maskable_ppo/model.safetensors
    python -m agents.evaluate --policy planner:50 --games 200
    python -m agents.evaluate --model runs/enemy/model.npz   enemies: model and cards

With procedural scenarios, the test scenarios are played and then the training scenarios; the
difference is the generalisation gap.

Prints a table and writes evaluation.json and evaluation.png under --out. Intervals are 95 % Wilson
intervals (E. B. Wilson, JASA 22, 1927); if two of them do not overlap, the policies differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from rich.console import Console
from rich.table import Table

from agemonia_env.cli.choices import party
from agemonia_env.display.plotting import pyplot
from agemonia_env.envs.opponent import external_opponent
from agemonia_env.files.locking import locked_folder
from agemonia_env.files.writing import check_out_folder, write_figure, write_json
from agemonia_env.policies import LIKELIEST, Policy, check_policy, given_policy, policy_of
from agemonia_env.policies.planner import Planner
from agemonia_env.rulesets.arguments import CORE_SEEDS, Arguments
from agemonia_env.rulesets.doors import DEFAULT as DEFAULT_ENV
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.identity import IDENTITY, identity_of
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of
from agemonia_env.simulation.games import Records
from agemonia_env.simulation.interval import wilson
from agemonia_env.warmup import compile_if_cold

from .config import ConfigError, config_of, read_config
from .model_file import read_record, versions
from .options import Parser, number
from .play import AUTO_TIES, FIRST_SEED, Outcomes, play_games, scenarios_of
from .reviews import FOLDER, MOST_REVIEWS, leave_reviews
from .run import status_of

OUT = Path("runs/evaluation")
# Arguments in the report; null if the environment has no such argument
WHAT = ("scenario", "pack", "heroes", "ties", "side", "opponent", "enemy_will")
TRAINED = "trained"  # the row of --model
CARDS = "cards"  # the row of enemies driven by their cards
MODELS = ".npz, .safetensors"
MOST_GAMES, MOST_THREADS = 10_000_000, 256
FEW_GAMES = 400  # below this an interval is wider than 10 points


@dataclass(frozen=True)
class PolicyRow:
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
    simulations: int = 0  # of a planner

    @property
    def searched(self) -> str:
        """A planner's simulations, in all and per second."""
        rate = self.simulations / self.seconds
        return f"{self.policy}: {self.simulations:,} simulations, {rate:,.0f}/s on one thread"


def summarise(
    policy: str, outcomes: Outcomes, seconds: float, side: str = "hero", simulations: int = 0
) -> PolicyRow:
    """Means and interval of the games that `policy` played in `seconds`; wins are of `side`."""
    won = ~outcomes.won if side == "enemy" else outcomes.won
    games, wins = len(won), int(won.sum())
    low, high = wilson(wins, games)
    return PolicyRow(
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
        simulations,
    )


def evaluate(
    rules: Ruleset,
    content: Records,
    games: int,
    policies: Mapping[str, Policy],
    *,
    control: int = AUTO_TIES,
    side: str = "hero",
    opponent: Policy | None = None,
    first_seed: int = FIRST_SEED,
) -> list[PolicyRow]:
    """Play all policies on the same `games` core seeds -> a row for each.

    content: the scenarios, CONTENT records (k,), taken in turn. opponent: the policy of the other
    side; None if the core plays it.
    """
    seeds = np.arange(first_seed, first_seed + games, dtype=np.uint64)
    rows = []
    for name, policy in policies.items():
        start, before = time.perf_counter(), simulations_of(policy)
        heroes, enemies = policy, opponent
        if side == "enemy" and opponent is not None:
            heroes, enemies = opponent, policy
        outcomes = play_games(rules, content, seeds, heroes, control=control, enemy_policy=enemies)
        seconds, simulations = time.perf_counter() - start, simulations_of(policy) - before
        rows.append(summarise(name, outcomes, seconds, side, simulations))
    return rows


def simulations_of(policy: Policy) -> int:
    """Simulations of a policy so far; 0 if it is no planner."""
    return int(policy.done[0]) if isinstance(policy, Planner) else 0


def compare(
    rules: Ruleset,
    played: Arguments,
    seeds: range | None,
    games: int,
    policies: Mapping[str, Policy],
    first_seed: int,
) -> list[PolicyRow]:
    """A row per policy; for the enemy side, preceded by a row of enemies driven by their cards.

    seeds: of procedural scenarios; None for a fixed scenario.
    """
    how: dict[str, Any] = {"side": played.side, "first_seed": first_seed}
    content, rival = scenarios_of(played, seeds), external_opponent(rules, played)
    how |= {"control": played.control(), "opponent": rival}
    rows = evaluate(rules, content, games, policies, **how)
    if played.side != "enemy":
        return rows
    chosen = {name: getattr(played, name) for name in rules.parameters}
    cards = rules.check_arguments(**chosen | {"side": "hero", "enemy_will": "card"})
    heroes = {CARDS: rival or policy_of(rules, chosen["opponent"])}
    how |= {"control": cards.control(), "opponent": None}
    return [*evaluate(rules, scenarios_of(cards, seeds), games, heroes, **how), *rows]


def compared(
    rules: Ruleset, options: argparse.Namespace, played: Arguments, fingerprint: str
) -> dict[str, Policy]:
    """The policies by name: random, greedy, those of --policy, and the model."""
    names = dict.fromkeys(["random", "greedy", *map(given_policy, options.policy or ())])
    how = {"side": played.side, "fingerprint": fingerprint, "force": options.force}
    how["threads"] = options.threads
    policies = {name: policy_of(rules, name, **how) for name in names}
    if options.model:
        name = (LIKELIEST if options.deterministic else "") + str(options.model)
        policies[TRAINED] = policy_of(rules, name, **how)
    return policies


def table(rows: list[PolicyRow], title: str) -> Table:
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


def draw(rows: list[PolicyRow], title: str, path: Path) -> None:
    """Plot the win rates with their intervals as a PNG file."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(6.4, 0.7 * len(rows) + 1.4), layout="constrained")
    places = range(len(rows))
    won = [100 * row.won for row in rows]
    errors = [
        [100 * (row.won - row.low) for row in rows],
        [100 * (row.high - row.won) for row in rows],
    ]
    colours = {"random": "#9aa5b1", "greedy": "#4c78a8", TRAINED: "#e07b39"}
    axes.barh(places, won, color=[colours.get(row.policy, "#72a276") for row in rows], height=0.6)
    axes.errorbar(won, places, xerr=errors, fmt="none", ecolor="#222222", capsize=4)
    for place, row in zip(places, rows, strict=True):
        axes.text(100 * row.high + 1.5, place, f"{row.won:.1%}", va="center")
    axes.set_yticks(places, [row.policy for row in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 112)
    axes.set_xlabel("games won (%), with 95 % Wilson interval")
    axes.set_title(title, loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    write_figure(path, figure, dpi=150)
    plt.close(figure)


def verdict(rows: list[PolicyRow]) -> str:
    """One sentence: how the last row compares with the one before it."""
    best, other = rows[-1], rows[-2]
    if best.low > other.high:
        return f"{best.policy} is above {other.policy}: the intervals do not overlap."
    if best.high < other.low:
        return f"{best.policy} is below {other.policy}: the intervals do not overlap."
    return f"{best.policy} and {other.policy} cannot be told apart: the intervals overlap."


def toll(rows: list[PolicyRow]) -> str:
    """How much less often the heroes win against the last row than against the cards."""
    cards, best = rows[0], rows[-1]
    return (
        f"The heroes win {1 - best.won:.1%} against {best.policy} enemies, {1 - cards.won:.1%} "
        "against enemies driven by cards: "
        f"{100 * (cards.won - best.won):+.1f} points for the heroes."
    )


def gaps(seen: list[PolicyRow], unseen: list[PolicyRow]) -> list[str]:
    """The generalisation gap of each policy, a line each."""
    return [
        f"{one.policy}: won {one.won:.1%} on training scenarios, {other.won:.1%} on test "
        f"scenarios; generalisation gap {100 * (one.won - other.won):+.1f} points"
        for one, other in zip(seen, unseen, strict=False)
    ]


def heroes(words: str) -> int | list[str]:
    """`party` for argparse, which hides the message of a ValueError."""
    try:
        return party(words)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; see the module docstring."""
    parser = Parser(prog="agemonia evaluate", description="Compare policies on the same games.")
    add = parser.add_argument
    add(
        "--model",
        type=Path,
        metavar="FILE",
        help=f"A model file ({MODELS}); by default it plays what it was trained on.",
    )
    add(
        "--policy",
        action="append",
        metavar="NAME",
        help="Another policy, such as planner:50 or my_file.py:Mine; repeatable.",
    )
    add("--env", metavar="|".join(RULESETS), help="Environment (default: the model's).")
    add("--scenario", metavar="NAME", help="Scenario (default: the model's).")
    add(
        "--heroes",
        type=heroes,
        metavar="NUMBER|NAME,NAME",
        help="Number of heroes, or their names (default: the model's).",
    )
    add("--opponent", metavar="NAME", help="Policy of the other side (default: the model's).")
    add(
        "--enemy-will",
        choices=("card", "free"),
        help="What moves the enemies: their cards, or a policy (default: the model's).",
    )
    add(
        "--games",
        type=number(1, MOST_GAMES),
        default=2000,
        metavar="NUMBER",
        help=f"Games per policy (1 to {MOST_GAMES:,}, default %(default)s).",
    )
    add(
        "--seed",
        type=number(0, CORE_SEEDS - 1),
        default=FIRST_SEED,
        metavar="NUMBER",
        help="Core seed of the first game (0 to 2**63 - 1, default %(default)s).",
    )
    add(
        "--deterministic",
        action="store_true",
        help="Take the model's most likely action instead of sampling.",
    )
    add(
        "--out",
        type=Path,
        default=OUT,
        metavar="FOLDER",
        help="Folder for results (default %(default)s).",
    )
    add(
        "--threads",
        type=number(1, MOST_THREADS),
        default=1,
        metavar="NUMBER",
        help=f"Threads of torch and of a planner (1 to {MOST_THREADS}, default %(default)s).",
    )
    add(
        "--reviews",
        type=number(0, MOST_REVIEWS),
        default=0,
        metavar="NUMBER",
        help=f"Review files of this many of the last policy's last games, in --out/{FOLDER} "
        "(default %(default)s).",
    )
    add("--force", action="store_true", help="Accept a model made for another ruleset.")
    options: argparse.Namespace = parser.parse_args(arguments)
    return options


def what_to_play(options: argparse.Namespace) -> tuple[Ruleset, Arguments]:
    """The ruleset and arguments: from the options, else the model, else the default."""
    if options.model:
        check_policy(str(options.model), (), what="model")
    record = read_record(options.model) if options.model else {}
    env = options.env or record.get("env_id", DEFAULT_ENV)
    default = read_config(config_of(env), {"env": env}).env_kwargs()
    played = default | (record.get("env_kwargs") or {})
    if options.heroes is not None:
        played["heroes"] = options.heroes
    if options.enemy_will:
        played["enemy_will"] = options.enemy_will
    if options.opponent:
        played["opponent"] = given_policy(options.opponent)
    if options.scenario:
        played |= {"scenario": options.scenario, "scenario_seed": None}
    rules = ruleset_of(env)
    checked = rules.check_arguments(**rules.chosen_arguments(**played))
    if options.opponent and not checked.opposed:
        raise ConfigError("--opponent: cards move the enemies; --enemy-will free asks a policy")
    return rules, checked


def run(options: argparse.Namespace, console: Console) -> list[PolicyRow]:
    """Play, print, and write the results under `options.out`."""
    if options.seed > CORE_SEEDS - options.games:
        raise ConfigError(f"--seed must be from 0 to {CORE_SEEDS - options.games}")
    th.set_num_threads(options.threads)
    rules, played = what_to_play(options)
    scenario, heroes = played.scenario, played.heroes
    compiled = played.reference()
    policies = compared(rules, options, played, compiled.fingerprint)
    compile_if_cold(console.print, rules.env_id)
    games = options.games, policies, options.seed
    seeds, unseen = played.scenario_seeds(), played.test_seeds()
    rows = compare(rules, played, unseen or seeds, *games)
    seen = compare(rules, played, seeds, *games) if unseen is not None else []
    n_heroes = heroes if isinstance(heroes, int) else len(heroes)
    title = f"{scenario}, {n_heroes} heroes, {options.games:,} games on the same seeds"
    what = {name: getattr(played, name, None) for name in WHAT}
    if played.side == "enemy":
        title += f", {what['opponent']} heroes, won by the enemies"
    if unseen is not None:
        title += ", test scenarios"
    report = {
        "env_id": rules.env_id,
        **what,
        "first_seed": options.seed,
        "fingerprint": compiled.fingerprint,
        IDENTITY: identity_of(rules.env_id),
        "deterministic": options.deterministic,
        "model": str(options.model) if options.model else None,
        "model_record": read_record(options.model) if options.model else {},
        "versions": versions(),
        "rows": [asdict(row) for row in rows],
        "rows_seen": [asdict(row) for row in seen],
    }
    write_json(options.out / "evaluation.json", report)
    draw(rows, title, options.out / "evaluation.png")
    console.print(table(rows, title))
    console.print(verdict(rows))
    if played.side == "enemy":
        console.print(toll(rows))
    for line in [*gaps(seen, rows), *(row.searched for row in rows if row.simulations)]:
        console.print(line)
    if options.games < FEW_GAMES:
        console.print(f"Fewer than {FEW_GAMES} games: mind the intervals, not only the rates.")
    console.print(f"Written: {options.out / 'evaluation.json'}, {options.out / 'evaluation.png'}")
    if options.reviews:
        last = range(max(0, options.games - options.reviews), options.games)
        name, policy = list(policies.items())[-1]
        leave_reviews(rules, played, policy, last, options.out, first_seed=options.seed)
        console.print(f"Written: {len(last)} games of {name} in {options.out / FOLDER}")
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line -> its exit status, see run.status_of."""

    def work() -> None:
        options, console = parse(arguments), Console()
        check_out_folder(options.out)
        with locked_folder(options.out):
            run(options, console)

    return status_of("agemonia evaluate", work, "stopped; nothing is written")


if __name__ == "__main__":
    sys.exit(main())
