"""Measure docs/report/decisions.json: how long games are, and how much there is to choose from.

    python docs/report/decisions.py [--games N]

Plays games of every scenario of both rulesets with two heroes, greedy and random, decision by
decision, and counts decisions and legal actions. The same numbers on every machine.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # run as a script, the package need not be installed

from agemonia_env.envs import env_class  # noqa: E402
from agemonia_env.files.writing import write_json  # noqa: E402
from agemonia_env.policies import policy_of  # noqa: E402
from agemonia_env.rulesets.doors import RULESETS  # noqa: E402
from agemonia_env.rulesets.ruleset import Ruleset, ruleset_of  # noqa: E402
from agemonia_env.warmup import compile_if_cold  # noqa: E402

FILE = Path(__file__).with_suffix(".json")
GAMES = 200  # of each scenario and policy
POLICIES = ("greedy", "random")
HEROES = 2
QUANTILES = (5, 25, 50, 75, 95)  # percent of the games


def play(env: Any, policy: Any, games: int) -> Iterator[tuple[int, list[int], dict[str, Any]]]:
    """Each game as (decisions, legal actions at each decision, statistics)."""
    for seed in range(games):
        _, info = env.reset(seed=seed)
        legal, over = [], False
        while not over:
            legal.append(int(info["action_mask"].sum()))
            _, _, terminated, truncated, info = env.step(env.choose(policy))
            over = terminated or truncated
        yield len(legal), legal, info["episode_statistics"]


def measure(rules: Ruleset, scenario: str, name: str, games: int) -> dict[str, Any]:
    """One scenario under one policy."""
    env = env_class(rules.env_id)(scenario=scenario, heroes=HEROES)
    played = list(play(env, policy_of(rules, name), games))
    lengths = [length for length, _, _ in played]
    counts = Counter(n for _, legal, _ in played for n in legal)
    return {
        "decisions": [float(x) for x in np.percentile(lengths, QUANTILES)],
        "mean": round(mean(lengths), 1),
        "rounds": round(mean(statistics["rounds"] for *_, statistics in played), 2),
        "legal": {str(n): counts[n] for n in sorted(counts)},
    }


def main() -> None:
    """Play, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=GAMES, help="of each (%(default)s)")
    games = parser.parse_args().games
    if games < 1:
        parser.error("--games: must be at least 1")
    found: dict[str, Any] = {}
    for env_id in RULESETS:
        compile_if_cold(print, env_id)
        rules = ruleset_of(env_id)
        scenarios = rules.load_pack(rules.check_arguments().pack).scenarios
        found[env_id] = {
            name: {scenario: measure(rules, scenario, name, games) for scenario in scenarios}
            for name in POLICIES
        }
        print(env_id, flush=True)
    command = shlex.join(["python", "docs/report/decisions.py", *sys.argv[1:]])
    about = {"command": command, "games": games, "heroes": HEROES, "quantiles": QUANTILES}
    write_json(FILE, {"run": about, "rulesets": found})


if __name__ == "__main__":
    main()
