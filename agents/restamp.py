"""Accept published models for changed rules, if they win as often as before.

    python -m agents.restamp                       every model of agents/weights
    python -m agents.restamp agents/weights/ppo-ford.npz

A model's record identifies the rules it was made for, and the model is refused under rules that
play differently (rulesets/identity.py). This command plays the games of docs/results.json again
under the current rules. If the 95 % intervals of the new and the published win rate overlap, the
record gets the current identity and the new measurement, and the file, its entry in results.json
and the page are written. Otherwise nothing is written for that model, and it must be trained again
(python -m agents.results). A changed layout of observations or actions always needs new training.

Status 0: all models match the current rules; 1: some win rates differ; 2: bad input.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

import agemonia_env
from agemonia_env.files.writing import write_json, write_whole
from agemonia_env.policies import FORCE, model_file
from agemonia_env.policies.network import Network
from agemonia_env.rulesets.identity import IDENTITY, identity_of, rules_difference, rules_hash
from agemonia_env.simulation.interval import wilson

from .model_file import made_by
from .results.__main__ import DATA, DOCS, WEIGHTS, published
from .results.page import page
from .results.page_config import PAGE_CONFIG, read_page_config
from .results.rules import RULES, rules_here

STAMPS = "stamps"  # key of a record: its re-stampings, the newest last

Fact = dict[str, Any]


def played_again(
    path: Path, entry: Mapping[str, Any], games: int, seed: int, *, force: bool
) -> Fact:
    """The win rate of a published model in its setting, under the current rules.

    path: its file; entry: of `weights` in results.json; force: even if it was made for other rules.
    """
    players = {"policy": entry["policy"]}
    if entry["enemies"] is not None:
        players |= {"enemy_will": "free", "enemy_policy": entry["enemies"]}
    for key, name in players.items():
        file = model_file(name)
        if file is not None:
            likeliest = name.removesuffix(str(file))
            players[key] = f"{FORCE if force else ''}{likeliest}{path}"
    rows = agemonia_env.simulate(games=games, seed=seed, **entry["setting"], **players)
    wins = int(rows["won"].sum())
    low, high = wilson(wins, games)
    return {"games": games, "wins": wins, "won": wins / games, "low": low, "high": high}


def is_as_published(new: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether the intervals of two win rates overlap."""
    return bool(new["low"] <= entry["high"] and entry["low"] <= new["high"])


def percent(fact: Mapping[str, Any]) -> str:
    """A win rate with its interval, in words."""
    won, low, high = (100 * fact[key] for key in ("won", "low", "high"))
    return f"{won:.1f} % ({low:.1f} to {high:.1f})"


def restamp(path: Path, facts: Fact, seed: int, docs: Path, console: Console) -> bool:
    """Stamp one model and update the page; False if its win rate differs."""
    network, entry = Network.load(path), facts["weights"][path.name]
    old, env = network.record.get(IDENTITY), network.record["env_id"]
    difference = rules_difference(old, identity_of(env))
    if difference is None:
        console.print(f"{path.name}: matches the current rules")
        return True
    console.print(f"{path.name}: {difference}; playing {entry['games']:,} games ...")
    new = played_again(path, entry, entry["games"], seed, force=True)
    if not is_as_published(new, entry):
        console.print(
            f"{path.name}: wins {percent(new)}, published {percent(entry)}: not stamped; "
            "train it again with python -m agents.results"
        )
        return False
    (mark,) = rules_here(env)
    stamp = {"from": rules_hash(old) if old else None, "to": mark, **new, **made_by()}
    stamps = [*network.record.get(STAMPS, ()), stamp]
    record = {**network.record, IDENTITY: identity_of(env), STAMPS: stamps}
    replace(network, record=record).save(path)
    facts.setdefault(RULES, {}).update(rules_here(env))
    entry |= new | {RULES: mark}
    write(facts, docs)
    console.print(f"{path.name}: wins {percent(new)}: stamped")
    return True


def write(facts: Fact, docs: Path) -> None:
    """Write results.json and the page, with the existing pictures."""
    drawn = sorted(path.name for path in (docs / "results").glob("*.png"))
    write_json(docs / DATA, facts, indent=1)
    write_whole(docs / "results.md", page(facts, drawn))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; see the module docstring."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.restamp",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", nargs="*", type=Path, help=f"published models (all of {WEIGHTS})")
    add("--docs", type=Path, default=DOCS, help="folder of results.json (%(default)s)")
    add("--config", type=Path, default=PAGE_CONFIG, help="what the page is made of (%(default)s)")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace, console: Console) -> bool:
    """Stamp the models -> whether all of them match the current rules now."""
    facts, seed = published(options.docs), read_page_config(options.config).seed
    known = facts["weights"]  # by the names of their files
    files = options.files or [WEIGHTS / name for name in known]
    for path in files:
        if path.name not in known:
            raise ValueError(f"{path}: not a published model; there are {', '.join(known)}")
    done = [restamp(path, facts, seed, options.docs, console) for path in files]
    return all(done)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see the module docstring for its status."""
    options, console = parse(arguments), Console(soft_wrap=True, highlight=False)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about models made for other rules
            return 0 if run(options, console) else 1
    except (ValueError, OSError) as error:
        print(f"agents.restamp: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
