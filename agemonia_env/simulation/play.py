"""Chunks of games, played and told in rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .games import joined, played
from .jobs import Tell
from .plan import Kind, Plan, player, scene, shelf
from .result_schema import Values, outcome, rows

TOGETHER = 256  # scenarios in one batch of games, 0.1 MB each: a network decides for all at once


def play_chunk(plan: Plan, chunk: int, tell: Tell) -> pl.DataFrame:
    """The rows of a chunk, in the order of their games; `tell` may raise Stopped."""
    numbers = plan.numbers(chunk)
    games, seeds = np.arange(numbers.start, numbers.stop), plan.seeds(numbers)
    frames = []
    for kind, scenario_seeds, which, places in together(plan, games, seeds):
        rules, compiled = kind.rules(), [scene(kind, seed) for seed in scenario_seeds]
        first, found = 0, defaultdict[int, list[Values]](list)
        for states in played(
            rules,
            joined([one.content for one in compiled]),
            which,
            seeds[places],
            player(plan.env, plan.policy),
            rival=kind.rival(),
            control=kind.arguments().control(),
            max_decisions=kind.max_decisions,
        ):
            batch = slice(first, first + len(states))
            first = batch.stop
            for k in np.unique(which[batch]).tolist():
                own = np.flatnonzero(which[batch] == k)
                ended = states if len(own) == len(states) else states[own]
                at = places[batch][own]
                told = {"game": games[at], "seed": seeds[at].astype(np.int64)}
                found[k].append({**outcome(rules, ended, compiled[k]), **told})
            tell(len(states), int(states["won"].sum()))
        for k, parts in found.items():
            values = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            frames.append(rows(kind, scenario_seeds[k], plan.policy, compiled[k], values))
    return pl.concat(frames).sort("game")


Together = tuple[Kind, list[int | None], NDArray[np.int16], NDArray[np.int64]]


def together(plan: Plan, games: NDArray[np.int64], seeds: NDArray[np.uint64]) -> Iterator[Together]:
    """Games that are played side by side: those of one kind, and of TOGETHER scenarios at most.

    -> the kind, seeds of its scenarios, which of them each game plays, places among these games
    """
    for k, kind in enumerate(plan.kinds):
        own = np.flatnonzero(games % len(plan.kinds) == k)
        if kind.scenario_seed is None:
            drawn = np.zeros(len(own), np.int64)
        else:
            drawn = np.array([shelf(kind).draw(int(seed)) for seed in seeds[own]], np.int64)
        there, which = np.unique(drawn, return_inverse=True)
        for first in range(0, len(there), TOGETHER):
            part = (which >= first) & (which < first + TOGETHER)
            some = there[first : first + TOGETHER].tolist()
            named = [None] if kind.scenario_seed is None else some
            yield kind, named, (which[part] - first).astype(np.int16), own[part]
