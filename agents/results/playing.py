"""Plays the games of every cell; their Parquet files are named after what is played."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from rich.console import Console

from agemonia_env.simulation.plan import Plan, make_plan
from agemonia_env.simulation.result_cache import CachedSimulation
from agemonia_env.warmup import compile_if_cold

from .page_config import FREE, Cell, Work
from .training import is_trained


def play(work: Work, cells: Sequence[Cell], threads: int, console: Console) -> None:
    """Play missing games. Cells whose models are not trained yet are skipped and listed."""
    missing = [cell for cell in cells if not is_ready(work, cell)]
    if missing:
        names = ", ".join(map(str, missing))
        console.print(f"no model yet for {len(missing)} cells (stage train makes them): {names}")
    ready = [cell for cell in cells if cell not in missing]
    for k, cell in enumerate(ready, start=1):
        kept = games_of(work, cell)
        if kept.is_played():
            continue
        compile_if_cold(console.print, kept.plan.env, kept.plan.policy)
        console.print(f"{k} of {len(ready)}: {cell}")
        kept.play(threads, console)


def is_ready(work: Work, cell: Cell) -> bool:
    """Whether the models of a cell are trained."""
    return all(is_trained(work, model) for model in work.models_of(cell))


def plan_of(work: Work, cell: Cell, policy: str, enemies: str | None) -> Plan:
    """The games of a cell, with the same seeds for all policies."""
    free = {} if enemies is None else {"enemy_will": FREE, "enemy_policy": enemies}
    setting = dict(work.config.settings[cell.setting])
    scenario, heroes = setting.pop("scenario", None), setting.pop("heroes", None)
    games = cell.row.games or work.config.games
    return make_plan(scenario, heroes, policy, games, seed=work.config.seed, **(setting | free))


def ruleset_of(work: Work, cell: Cell) -> str:
    """Rules version and fingerprint of a cell, even if its models are missing."""
    plan = plan_of(work, cell, "random", cell.row.enemies and "random")
    return f"{plan.record()['rules']}, {plan.kinds[0].ruleset}"


def games_of(work: Work, cell: Cell) -> CachedSimulation:
    """The stored games of a cell."""
    return CachedSimulation(plan_of(work, cell, *work.players(cell)), work.out / "games", str(cell))


def played(work: Work, cell: Cell) -> pl.DataFrame | None:
    """The games of a cell; None unless all have been played."""
    return games_of(work, cell).rows() if is_ready(work, cell) else None
