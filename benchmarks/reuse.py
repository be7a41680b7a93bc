"""Would it pay to weight games already played, in place of playing a variant?

    python -m benchmarks.reuse
    python -m benchmarks.reuse --games 20000 --recorded 200

A game of the pack counts for a variant as much more as the variant makes its draws likelier. First,
what is drawn in --recorded games of greedy play on the ford, and how many games are left of a
hundred (effective sample size) if the smallest change is made to such a draw: one face of a die,
one card of a deck. Then the one case in which the end of a game tells all draws: Injury cards, each
left out in turn. --games games are weighted, and the variant is played on the same seeds; both
estimates should agree, and the variance of each says how many games they are worth.
docs/balance-lab.md has the result.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from agemonia_env.core.event_log import clear_rows, empty_rows, read_rows
from agemonia_env.rulesets.agemonia.core.terms import Die, Event
from agemonia_env.simulation.games import joined, play_batches, start_games
from agemonia_env.simulation.plan import Plan, compile_planned, load_policy, make_plan

SCENARIO, HEROES, POLICY = "ford", 2, "greedy"
PLAIN = 2_000  # games played for their time
ROWS = 8192  # of the event log between two decisions
EVENTS = {Event.FATE: "Fate cards", Event.CARD: "Initiative cards", Event.INJURY: "Injury cards"}
DICE = {Die.ACTION: "action dice", Die.REACTION: "reaction dice"}
# Mean square of the ratio in one draw: a face of a die with 3, 2 and 1 of six faces becomes the
# next one; one card of the deck is left out
FACE = (2 / 6) ** 2 / (3 / 6) + (3 / 6) ** 2 / (2 / 6) + 1 / 6

Floats = NDArray[np.float64]


def plan_of(games: int, pack: str = "core") -> Plan:
    """Games on the ford."""
    return make_plan(SCENARIO, HEROES, POLICY, games, pack=pack, seed=1)


def effective(weights: Floats) -> float:
    """The effective sample size, as a share of the games (Kong, 1992)."""
    return float(weights.sum() ** 2 / (weights**2).sum() / len(weights))


# ---- what is drawn ----------------------------------------------------------------------------
def recorded(plan: Plan) -> Iterator[Counter[str]]:
    """How often each kind of draw occurs in a game, by the event log."""
    (kind,) = plan.kinds
    rules, policy, control = kind.rules(), load_policy(plan.env, POLICY), kind.arguments().control()
    content = compile_planned(kind, None).content
    which, denials, rows = np.zeros(1, np.int16), np.zeros(1, np.int16), empty_rows(ROWS)
    for seed in plan.seeds(range(plan.games)):
        states = start_games(rules, content, which, np.array([seed], np.uint64), control=control)
        found: Counter[str] = Counter()
        for _ in range(kind.max_decisions):
            if states["ending"][0]:
                break
            actions = policy.choose(states, content, which)
            clear_rows(rows)
            rules.api.step(states, content, which, actions, control, rows, denials)
            for row in read_rows(rows):
                if row.event == Event.DIE and row.amount in DICE:
                    found[DICE[Die(row.amount)]] += 1
                elif row.event in EVENTS:
                    found[EVENTS[Event(row.event)]] += 1
        yield found


def report_draws(games: int, console: Console) -> None:
    """Draws of a game, what the smallest change leaves of a hundred games, and what it costs."""
    plan = plan_of(games)
    next(recorded(plan_of(1)))  # compiled, or read from the cache
    ends_of(plan_of(1))
    begun = time.process_time()
    drawn = list(recorded(plan))
    cost = (time.process_time() - begun) / games
    begun = time.process_time()
    ends_of(plan_of(PLAIN))
    plain = (time.process_time() - begun) / PLAIN
    (kind,) = plan.kinds
    content = compile_planned(kind, None).content[0]
    decks = {
        "Fate cards": "n_fate",
        "Initiative cards": "n_cards",
        "Injury cards": "n_injuries",
    }
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for k, heading in enumerate(("draws", "in a game", "smallest change", "worth of 100 games")):
        table.add_column(heading, justify="right" if k else "left")
    for name in (*DICE.values(), *decks):
        counts = np.array([one[name] for one in drawn], np.float64)
        cards = 0 if name not in decks else int(content[decks[name]])
        square = cards / (cards - 1) if cards else FACE
        left = 100 / np.mean(square**counts)
        change = f"one card of {cards}" if cards else "one face"
        table.add_row(name, f"{counts.mean():.1f}", change, f"{left:.1f}")
    console.print(table)
    console.print(f"Recording the draws of a game takes as long as {cost / plain:.0f} games.")


# ---- injuries ---------------------------------------------------------------------------------
@dataclass(frozen=True)
class Ends:
    """Ends of games: won, float64 (n,); drawn, which Injury cards were drawn, bool (n, cards)."""

    won: Floats
    drawn: NDArray[np.bool_]


def ends_of(plan: Plan) -> Ends:
    """Play games; Injury cards stay with their heroes, so the end tells all that were drawn."""
    (kind,) = plan.kinds
    compiled = compile_planned(kind, None)
    states = joined(
        list(
            play_batches(
                kind.rules(),
                compiled.content,
                np.zeros(plan.games, np.int16),
                plan.seeds(range(plan.games)),
                load_policy(plan.env, POLICY),
                control=kind.arguments().control(),
                max_decisions=kind.max_decisions,
            )
        )
    )
    cards = int(compiled.content["n_injuries"][0])
    held = np.asarray(states["ally"]["injury"])[:, :, :cards]
    return Ends(np.asarray(states["won"], np.float64), held.sum(axis=1) > 0)


def weights_without(drawn: NDArray[np.bool_], card: int) -> Floats:
    """How much likelier each game's Injury cards are without this one: 0 if it was drawn.

    The k-th card is drawn from those that nobody holds: of `cards` - k, or one less.
    """
    cards, number = drawn.shape[1], drawn.sum(axis=1)
    ratios = [(cards - k) / max(cards - 1 - k, 1) for k in range(cards)]
    likelier = np.cumprod([1.0, *ratios])[number]
    return np.where(drawn[:, card], 0.0, likelier)


def report_injuries(games: int, console: Console) -> None:
    """Leave out each Injury card: by weights and by playing, on the same seeds."""
    base = ends_of(plan_of(games))
    (kind,) = plan_of(1).kinds
    names: Sequence[str] = compile_planned(kind, None).names.injuries  # type: ignore[attr-defined]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    heads = ("left out", "worth of 100 games", "by weights", "by playing", "variance, ratio")
    for k, heading in enumerate(heads):
        table.add_column(heading, justify="right" if k else "left")
    for card, name in enumerate(names):
        weights = weights_without(base.drawn, card)
        other = ends_of(plan_of(games, f"core; decks.injury - {name}"))
        by = {"weights": (weights - 1) * base.won, "playing": other.won - base.won}
        texts = [
            f"{100 * change.mean():+.2f} ± {196 * change.std() / games**0.5:.2f}"
            for change in by.values()
        ]
        ratio = by["weights"].var() / by["playing"].var()
        table.add_row(name, f"{100 * effective(weights):.0f}", *texts, f"{ratio:.1f}")
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--games", type=int, default=20_000, help="games of each variant (%(default)s)")
    add("--recorded", type=int, default=200, help="games whose draws are recorded (%(default)s)")
    options = parser.parse_args(arguments)
    console = Console(highlight=False)
    report_draws(options.recorded, console)
    report_injuries(options.games, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
