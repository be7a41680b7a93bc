"""What Heroes use: actions and items, counted in games that are played a decision at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from agemonia_env.core.event_log import Row, clear_rows, empty_rows, read_rows
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.terms import Event, Rider
from agemonia_env.simulation.games import start_games
from agemonia_env.simulation.jobs import Tell
from agemonia_env.simulation.plan import Kind, Plan, player, scene, shelf

ROWS = 8192  # of the event log between two decisions
CHUNK = 20  # games that are watched at a time
USES = (Event.USE, Event.BOOST, Event.RIDE)  # of an item
Use = tuple[str, str, str]  # `action` or `item`, Hero, name
USE = ("kind", "hero", "name")
SCHEMA = pl.Schema(
    {"won": pl.Boolean(), "uses": pl.List(pl.Struct(dict.fromkeys(USE, pl.String())))}
)


def watched_plan(plan: Plan, games: int) -> Plan:
    """The first games of a plan, in chunks small enough for a policy that takes long."""
    return replace(plan, games=min(games, plan.games), chunk=CHUNK)


def watch_chunk(plan: Plan, chunk: int, tell: Tell) -> pl.DataFrame:
    """What is used in the games of a chunk, a row a game: `won`, and `uses`, a list of USE."""
    (kind,) = plan.kinds
    games = []
    for seed in plan.seeds(plan.numbers(chunk)):
        won, found = watch_game(kind, plan.policy, int(seed))
        games.append({"won": won, "uses": [dict(zip(USE, use, strict=True)) for use in found]})
        tell(1, int(won))
    return pl.DataFrame(games, schema=SCHEMA)


def counted(games: pl.DataFrame) -> Counter[Use]:
    """How often each action is performed, and each item used, in games that were watched."""
    return Counter(
        (use["kind"], use["hero"], use["name"]) for uses in games["uses"] for use in uses
    )


def watch_game(kind: Kind, policy: str, seed: int) -> tuple[bool, list[Use]]:
    """Whether a game is won, and what is used in it, in its order.

    The Enemies' policy, where they have one, is the compiled one.
    """
    rules, chosen, control = kind.rules(), player(kind.env, policy), kind.arguments().control()
    drawn = None if kind.scenario_seed is None else shelf(kind).draw(seed)
    compiled = scene(kind, drawn)
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
        found += [use for row in read_rows(rows) if (use := use_of(compiled, row)) is not None]
    return bool(states["won"][0]), found


def usable_items(compiled: Any) -> set[str]:
    """Names of the items of a scenario that a choice uses: one of USES is logged."""
    items, names = compiled.content[0]["item"], compiled.names.items
    chosen = (items["n"] > 0) | (items["special"] > 0) | (items["rider"] != Rider.NONE)
    chosen |= (items["boost"] > 0).any(1) | (items["boost_active"] > 0).any(1)
    return {name for name, used in zip(names, chosen, strict=False) if used}


def use_of(compiled: Any, row: Row) -> Use | None:
    """What a row of the event log says a Hero has used."""
    if not 0 <= row.figure < N_ALLIES or row.figure >= len(compiled.names.allies):
        return None
    who = compiled.names.allies[row.figure]
    if row.event in USES:
        return "item", who, compiled.names.items[row.amount]
    if row.event == Event.ACT:
        slots = compiled.content[0]["sheet"][row.figure]["token"].tolist()
        names = compiled.names.tokens[row.figure]
        if row.amount in slots:
            return "action", who, names[slots.index(row.amount)]
    return None
