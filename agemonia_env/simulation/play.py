"""Play chunks of games and return them as rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.policies import load_policy

from .games import joined, play_batches
from .jobs import OnPlayed
from .plan import Kind, Plan, compile_planned, scenario_cache
from .result_schema import Values, rows, statistics

MOST_SCENARIOS = 256  # in one batch of games, 26 KB each; a network decides for all at once


def play_chunk(plan: Plan, chunk: int, on_played: OnPlayed) -> pl.DataFrame:
    """Play a chunk; return its rows in the order of games. `on_played` may raise Stopped."""
    numbers = plan.numbers(chunk)
    games, seeds = np.arange(numbers.start, numbers.stop), plan.seeds(numbers)
    frames = []
    for kind, scenario_seeds, which, places in batches(plan, games, seeds):
        rules, compiled = kind.rules(), [compile_planned(kind, seed) for seed in scenario_seeds]
        first, found = 0, defaultdict[int, list[Values]](list)
        for states in play_batches(
            rules,
            joined([one.content for one in compiled]),
            which,
            seeds[places],
            load_policy(plan.env, plan.policy),
            enemy_policy=kind.load_enemy_policy(),
            control=kind.arguments().control(),
            max_decisions=kind.max_decisions,
        ):
            batch = slice(first, first + len(states))
            first = batch.stop
            for k in np.unique(which[batch]).tolist():
                own = np.flatnonzero(which[batch] == k)
                ended = states if len(own) == len(states) else states[own]
                at = places[batch][own]
                index = {"game": games[at], "seed": seeds[at].astype(np.int64)}
                found[k].append({**statistics(rules, ended, compiled[k]), **index})
            on_played(len(states), int(states["won"].sum()))
        for k, parts in found.items():
            values = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            frames.append(rows(kind, scenario_seeds[k], plan.policy, compiled[k], values))
    return pl.concat(frames).sort("game")


Batch = tuple[Kind, list[int | None], NDArray[np.int16], NDArray[np.int64]]


def batches(plan: Plan, games: NDArray[np.int64], seeds: NDArray[np.uint64]) -> Iterator[Batch]:
    """Split games into batches of one kind and at most MOST_SCENARIOS scenarios.

    Yields the kind, its scenario seeds, which of them each game plays, and indices of the games.
    """
    for k, kind in enumerate(plan.kinds):
        own = np.flatnonzero(games % len(plan.kinds) == k)
        if kind.scenario_seed is None:
            drawn = np.zeros(len(own), np.int64)
        else:
            drawn = np.array(
                [scenario_cache(kind).draw(int(seed)) for seed in seeds[own]], np.int64
            )
        there, which = np.unique(drawn, return_inverse=True)
        for first in range(0, len(there), MOST_SCENARIOS):
            part = (which >= first) & (which < first + MOST_SCENARIOS)
            some = there[first : first + MOST_SCENARIOS].tolist()
            named = [None] if kind.scenario_seed is None else some
            yield kind, named, (which[part] - first).astype(np.int16), own[part]
