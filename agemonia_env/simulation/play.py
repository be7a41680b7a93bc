"""Play chunks of games and return them as rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.core.records import joined
from agemonia_env.policies import load_policy
from agemonia_env.rulesets.arguments import Compiled

from .games import play_batches
from .jobs import OnPlayed
from .plan import Kind, Plan, compile_planned, scenario_cache
from .result_schema import SCENARIO, Values, rows, statistics

MOST_SCENARIOS = 256  # in one batch of games, 26 KB each; a network decides for all at once


def play_chunk(plan: Plan, chunk: int, on_played: OnPlayed) -> pl.DataFrame:
    """Play a chunk; return its rows in the order of games. `on_played` may raise Stopped."""
    numbers = plan.numbers(chunk)
    games, seeds = np.arange(numbers.start, numbers.stop), plan.seeds(numbers)
    frames = []
    for kind, scenario_seeds, which, places in batches(plan, games, seeds):
        rules, compiled = kind.rules(), [compile_planned(kind, seed) for seed in scenario_seeds]
        alike, first, found = _alike(kind, compiled), 0, defaultdict[int, list[Values]](list)
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
            groups = alike[which[batch]]
            for k in np.unique(groups).tolist():
                own = np.flatnonzero(groups == k)
                ended = states if len(own) == len(states) else states[own]
                at = batch.start + own
                index = {"game": games[places[at]], "seed": seeds[places[at]].astype(np.int64)}
                values = {**statistics(rules, ended, compiled[k]), **index, SCENARIO: which[at]}
                found[k].append(values)
            on_played(len(states), int(states["won"].sum()))
        for parts in found.values():
            values = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            frames.append(rows(kind, scenario_seeds, plan.policy, compiled, values))
    return pl.concat(frames).sort("game")


def _alike(kind: Kind, compiled: Sequence[Compiled]) -> NDArray[np.int64]:
    """For each scenario the first that has as many figures of each kind: (len(compiled),).

    Their games have the same columns: rows of one scenario at a time take 1 ms each.
    """
    firsts: dict[tuple[int, ...], int] = {}
    name = kind.rules().figure_names
    sizes = (tuple(len(names) for names in name(one).values()) for one in compiled)
    return np.array([firsts.setdefault(size, k) for k, size in enumerate(sizes)])


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
