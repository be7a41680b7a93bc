"""Play chunks of games and return them as rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.policies import load_policy

from .games import Records, play_batches
from .jobs import OnPlayed
from .plan import Kind, Plan, compile_planned, scenario_cache
from .result_schema import Played, Values, figures_of

MOST_SCENARIOS = 256  # in one batch of games, 26 KB each


def play_chunk(plan: Plan, chunk: int, on_played: OnPlayed) -> pl.DataFrame:
    """Play a chunk; return its rows in the order of games. `on_played` may raise Stopped."""
    numbers = plan.numbers(chunk)
    games, seeds = np.arange(numbers.start, numbers.stop), plan.seeds(numbers)
    frames = []
    for kind, drawn, which, places in batches(plan, games, seeds):
        contents, played = scenarios(kind, plan.policy, drawn)
        found: list[Values] = []
        for states in play_batches(
            kind.rules(),
            contents,
            which,
            seeds[places],
            load_policy(plan.env, plan.policy),
            enemy_policy=kind.load_enemy_policy(),
            control=kind.arguments().control(),
            max_decisions=kind.max_decisions,
        ):
            found.append(played.statistics(states))
            on_played(len(states), int(states["won"].sum()))
        values = {name: np.concatenate([part[name] for part in found]) for name in found[0]}
        values |= {"game": games[places], "seed": seeds[places].astype(np.int64)}
        frames.append(played.rows(values, which))
    return pl.concat(frames).sort("game")


def scenarios(kind: Kind, policy: str, drawn: list[int] | None) -> tuple[Records, Played]:
    """CONTENT of scenarios by their seeds, None for the one that is not drawn; and for rows."""
    rules = kind.rules()
    if drawn is None:
        compiled = compile_planned(kind, None)
        figures = figures_of(rules, compiled)
        return compiled.content, Played(kind, policy, [None], [compiled.fingerprint], figures)
    generator = scenario_cache(kind).generator
    contents, plans = generator.draw_all(drawn)
    rulesets = [generator.fingerprint(seed) for seed in drawn]
    return contents, Played(kind, policy, drawn, rulesets, generator.figures(plans))


Batch = tuple[Kind, list[int] | None, NDArray[np.int16], NDArray[np.int64]]


def batches(plan: Plan, games: NDArray[np.int64], seeds: NDArray[np.uint64]) -> Iterator[Batch]:
    """Split games into batches of one kind and at most MOST_SCENARIOS scenarios.

    Yields the kind, its scenario seeds, None if it draws none, which of them each game plays, and
    indices of the games.
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
            named = None if kind.scenario_seed is None else some
            yield kind, named, (which[part] - first).astype(np.int16), own[part]
