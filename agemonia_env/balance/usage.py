"""Count the actions and items that heroes use, in games played one decision at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from agemonia_env.core.event_log import clear_rows, empty_rows, read_rows
from agemonia_env.policies import load_policy
from agemonia_env.rulesets.pack_tools import Use, usage_tools_of
from agemonia_env.simulation.games import start_games
from agemonia_env.simulation.jobs import OnPlayed
from agemonia_env.simulation.plan import Kind, Plan, compile_planned, scenario_cache

ROWS = 8192  # of the event log between two decisions
CHUNK = 20  # games watched at a time
USE = ("kind", "hero", "name")
SCHEMA = pl.Schema(
    {"won": pl.Boolean(), "uses": pl.List(pl.Struct(dict.fromkeys(USE, pl.String())))}
)


def watched_plan(plan: Plan, games: int) -> Plan:
    """The first games of a plan, in chunks small enough for slow policies."""
    return replace(plan, games=min(games, plan.games), chunk=CHUNK)


def watch_chunk(plan: Plan, chunk: int, on_played: OnPlayed) -> pl.DataFrame:
    """Play a chunk; one row per game: `won`, and `uses`, a list of USE."""
    (kind,) = plan.kinds
    games = []
    for seed in plan.seeds(plan.numbers(chunk)):
        won, found = watch_game(kind, plan.policy, int(seed))
        games.append({"won": won, "uses": [dict(zip(USE, use, strict=True)) for use in found]})
        on_played(1, int(won))
    return pl.DataFrame(games, schema=SCHEMA)


def counted(games: pl.DataFrame) -> Counter[Use]:
    """How often each action and item is used in watched games."""
    return Counter(
        (use["kind"], use["hero"], use["name"]) for uses in games["uses"] for use in uses
    )


def watch_game(kind: Kind, policy: str, seed: int) -> tuple[bool, list[Use]]:
    """Play a game; return whether it is won and what is used, in order.

    Where enemies have a policy, the compiled core plays it.
    """
    tools = usage_tools_of(kind.env)
    rules, chosen, control = kind.rules(), load_policy(kind.env, policy), kind.arguments().control()
    drawn = None if kind.scenario_seed is None else scenario_cache(kind).draw(seed)
    compiled = compile_planned(kind, drawn)
    which, denials = np.zeros(1, np.int16), np.zeros(1, np.int16)
    seeds, rows = np.array([seed], np.uint64), empty_rows(ROWS)
    states = start_games(rules, compiled.content, which, seeds, control=control)
    found: list[Use] = []
    for _ in range(kind.max_decisions):
        if states["ending"][0]:
            break
        actions = chosen.choose(states, compiled.content, which)
        clear_rows(rows)
        rules.api.step(states, compiled.content, which, actions, control, rows, denials)
        rows_read = map(partial(tools.use_of, compiled), read_rows(rows))
        found += [use for use in rows_read if use is not None]
    return bool(states["won"][0]), found
