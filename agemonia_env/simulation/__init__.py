"""Simulate many games: policies inside the compiled loop, one row per game.

    plan.py            checked arguments, and the seed of every game
    games.py           play batches of games to their end
    result_schema.py   the columns of a row
    play.py            play chunks of games into rows
    jobs.py            run jobs on threads
    cluster.py         run jobs on a Ray cluster
    workers.py         either of them
    checkpoints.py     chunks on disk, joined into one file
    progress.py        progress and summary
    run.py             run a simulation from its plan to rows
    result_cache.py    a folder of simulations; only missing ones are played

Importing this package imports none of these modules; polars comes with the extra `simulation`, Ray
with `cluster`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from .choices import SimulationChoices
from .extras import MissingExtra, required

if TYPE_CHECKING:
    import polars as pl

    from agemonia_env.rulesets.policy import Policy

    Party = int | Sequence[str | Mapping[str, Any]]  # so many heroes, or each by name or mapping

__all__ = ["Choices", "MissingExtra", "required", "simulate"]


def simulate(
    scenario: str | Sequence[str] | None = None,
    heroes: Party | Sequence[Party] | None = None,
    policy: str | Policy = "greedy",
    games: int = 10_000,
    *,
    seed: int = 0,
    threads: int = 1,
    out: str | Path | None = None,
    ray: str | None = None,
    force: bool = False,
    progress: bool = False,
    **choices: Unpack[SimulationChoices],
) -> pl.DataFrame:
    """Play games and return a row for each; docs/games.md lists the columns.

    scenario: one or several, or "all" of the pack. heroes: a party as the environment takes it, or
    a list of parties: `2`, `[2, 4]`, `["orsa", "ketch"]`, `[["orsa"], ["ketch", "ivo"]]`. None is
    the environment's default for both. policy: of the heroes, such as "greedy" or "random",
    or an object of your own (docs/policies.md). games:
    of all kinds together; game k plays kind k % n of n kinds. seed: game k gets the seed that
    `plan.Plan.seeds` derives from (seed, k) whatever is played, so runs with the same seed are
    paired.

    choices: `env`, id of the environment, default Agemonia-v0; its arguments `level` and
    `difficulty`, one or several; `pack`, `scenario_seed`, `generator`, `enemy_will` and
    `max_decisions` as the environment takes them; `ties`, default "auto" here; `enemy_policy`, with
    `enemy_will="free"`, default "greedy"; `chunk`: games per chunk on disk.

    threads: never change the rows. out: also write the rows to this Parquet file; the same settings
    resume an unfinished run and read a finished one. force: delete what is there and start over.
    ray: play on the Ray cluster at this address; "local" starts one. progress: show a progress bar
    on stderr.

    Raises ValueError for mistakes in the arguments or other content at `out`, and MissingExtra (an
    ImportError) if an optional package is missing.
    """
    required("simulation")
    from rich.console import Console

    from agemonia_env.rulesets.arguments import check_choices

    from .plan import make_plan
    from .result_file import one_line
    from .run import rows_of
    from .workers import Workers

    check_choices(choices, simulate, SimulationChoices.__annotations__)
    workers = Workers(threads, ray)  # what is missing is told before anything compiles
    plan = make_plan(scenario, heroes, policy, games, seed=seed, **choices)
    path, console = None if out is None else Path(out), Console(stderr=True) if progress else None
    rows = rows_of(plan, workers, path, force, console)
    with one_line(path):
        return rows.collect()
