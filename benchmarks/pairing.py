"""How much do common seeds sharpen a comparison, for changes of every kind?

    python -m benchmarks.pairing
    python -m benchmarks.pairing --games 10000 --scenario tithe
    python -m benchmarks.pairing --env HexDungeon-v0

The gain of a change is the variance of the difference in games won without common seeds, divided by
the variance with them. It is measured for the changes of `balance sensitivity` (every number of a
scenario, its enemies and heroes, one step up and one down) and for others, which are not numbers.
Changes that affect no game have no gain and are only counted. docs/balance-lab.md discusses the
result.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from agemonia_env import balance
from agemonia_env.rulesets.doors import DEFAULT

# By environment: default scenarios, and changes that are not numbers
SCENARIOS = {"Agemonia-v0": ["ford", "beacon"], "HexDungeon-v0": ["warm-cellar", "drying-floor"]}
OTHERS = {
    "Agemonia-v0": {
        "one initiative card less": "decks.initiative - hR, eR-S-h, hG, eG-C-h, hB, eB-O-h",
        "an enemy placed elsewhere": "scenarios.{scenario}.setup[0].area = C",
        "enemy health by difficulty": "scenarios.{scenario}.difficulty.normal.health = 1",
        "a hero's weapon": "items.boat-hook.weapon.bonus +1",
        "a face of a die": "pack.rulings.reaction_die[1] = 1",
    },
    "HexDungeon-v0": {
        "another monster in a place": "scenarios.{scenario}.legend.a.heroes[1] = none",
    },
}
EFFECTS = (0, 1, 3, 8, 100)  # bounds of the groups, in points of the win rate


@dataclass(frozen=True)
class Gain:
    """The effect of a change on the win rate, in points, and its gain (None: no pair differs)."""

    kind: str
    effect: float
    gain: float | None


def gains(env: str, scenario: str, games: int, threads: int) -> Iterator[Gain]:
    """The gains of all changes in a scenario: greedy play, two heroes."""
    played: Any = {"env": env, "scenario": scenario, "games": games, "seed": 1}
    played |= {"threads": threads, "progress": True}
    steps = balance.sensitivity(**played)
    for row in steps.rows:
        folder, *_, number = row["path"].split(".")
        yield gain_of(f"{folder}: {number}", row)
    for kind, template in OTHERS[env].items():
        compared = balance.compare(b=template.format(scenario=scenario), **played)
        yield gain_of(kind, next(row for row in compared.rows if row["metric"] == "won"))


def gain_of(kind: str, row: dict[str, Any]) -> Gain:
    """The gain in a row of a report."""
    return Gain(kind, 100 * abs(row["difference"]), row["gain"])


def report(found: Sequence[Gain], console: Console) -> None:
    """Print medians by kind and by effect."""
    kinds: dict[str, list[Gain]] = defaultdict(list)
    for one in found:
        kinds[one.kind].append(one)
    console.print(table("changed", sorted(kinds.items())))
    groups = [
        (f"{low} to {high} points", [one for one in found if low <= one.effect < high])
        for low, high in pairwise(EFFECTS)
    ]
    console.print(table("changes the win rate by", [*groups, ("all", list(found))]))
    by_kind = [statistics.median(met(these)) for these in kinds.values() if met(these)]
    console.print(
        f"median of the medians of {len(by_kind)} kinds: {statistics.median(by_kind):.1f}"
    )


def met(these: Iterable[Gain]) -> list[float]:
    """The gains of changes that affect games."""
    return [one.gain for one in these if one.gain is not None]


def table(heading: str, groups: Iterable[tuple[str, Sequence[Gain]]]) -> Table:
    """A line for each group."""
    lines = Table(box=SIMPLE_HEAD, pad_edge=False)
    for k, column in enumerate(
        (heading, "changes", "with effect", "lowest gain", "median", "highest")
    ):
        lines.add_column(column, justify="right" if k else "left")
    for name, these in groups:
        known = sorted(met(these))
        middle = [known[0], statistics.median(known), known[-1]] if known else []
        lines.add_row(name, str(len(these)), str(len(known)), *(f"{x:.1f}" for x in middle))
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see the module docstring."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--games", type=int, default=4_000, help="pairs of games per change (%(default)s)")
    add("--env", choices=SCENARIOS, default=DEFAULT, help="environment (%(default)s)")
    add("--scenario", nargs="+", help="scenarios (ford beacon; warm-cellar drying-floor)")
    add("--threads", type=int, default=2, help="threads (%(default)s)")
    options = parser.parse_args(arguments)
    found = [
        one
        for scenario in options.scenario or SCENARIOS[options.env]
        for one in gains(options.env, scenario, options.games, options.threads)
    ]
    report(found, Console(highlight=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
