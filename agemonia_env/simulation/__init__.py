"""Many games at once: policies inside the compiled loop, one row for each game.

    plan.py            what is to be played, and the seed of every game
    games.py           games played to their end, a batch of states at a time
    result_schema.py   the columns of a row
    play.py            chunks of games, told in rows
    jobs.py            jobs on threads, handed on as they finish
    cluster.py         the same on a Ray cluster
    workers.py         either of them
    checkpoints.py     chunks on disk, and the one file that they become
    progress.py        how far it is, and what came out
    run.py             all of it together
    result_cache.py    many simulations in a folder; only missing ones are played

Importing this package loads none of it; polars comes with the extra `simulation`, Ray with
`cluster`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from .choices import Choices
from .extras import MissingExtra, required

if TYPE_CHECKING:
    import polars as pl

    from agemonia_env.rulesets.agemonia.content.party import HeroChoice

    Party = int | Sequence[HeroChoice]


__all__ = ["Choices", "MissingExtra", "required", "simulate"]


def simulate(
    scenario: str | Sequence[str] | None = None,
    heroes: Party | Sequence[Party] | None = None,
    policy: str = "greedy",
    games: int = 10_000,
    *,
    seed: int = 0,
    threads: int = 1,
    out: str | Path | None = None,
    ray: str | None = None,
    force: bool = False,
    progress: bool = False,
    **choices: Unpack[Choices],
) -> pl.DataFrame:
    """Play games and return a row for each; docs/games.md has the columns.

    scenario: one or several, or "all" of the pack. heroes: a party as the environment takes it, or
    a list of such: `2`, `[2, 4]`, `["orsa", "ketch"]`, `[["orsa"], ["ketch", "ivo"]]`. Where they
    are None, it is the environment's own default. policy of the Heroes: "greedy" or "random".
    games: of all kinds together; game k plays kind k % n of the n kinds there are. seed: game k has
    the seed that `plan.Plan.seeds` derives from (seed, k), whatever is played, so that runs with
    the same seed are paired.

    choices: `env`, the id of the environment, Agemonia-v0 unless said otherwise; its arguments
    `level` and `difficulty`, one or several; `pack`, `scenario_seed`, `enemy_will`,
    `max_decisions` as the environment takes them; `ties`, here "auto" unless said otherwise;
    `enemy_policy`, with `enemy_will="free"`: "greedy" (if not said) or "random"; `chunk`: games
    that are played, and written, at a time.

    threads: do not change the rows. out: also write them to this Parquet file; what an earlier
    run with the same settings left unfinished is taken up, and what it finished is read. force:
    begin anew all the same. ray: play on the cluster at this address instead, "local" for one
    that is started here. progress: show a progress bar on stderr.

    Raises ValueError for what is wrong with the arguments or with files that lie at `out`, and
    MissingExtra, an ImportError, where an optional package is missing.
    """
    required("polars", "simulation")
    from agemonia_env.rulesets.arguments import check_choices

    from .run import simulate as run

    check_choices(choices, simulate, Choices.__annotations__)

    return run(
        scenario,
        heroes,
        policy,
        games,
        seed=seed,
        threads=threads,
        out=out,
        ray=ray,
        force=force,
        progress=progress,
        **choices,
    )
