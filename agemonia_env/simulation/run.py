"""A simulation from its arguments to its rows, in memory or in a file."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import polars as pl
from rich.console import Console

from agemonia_env.files.locking import locked_file
from agemonia_env.files.stopping import Interrupted
from agemonia_env.files.writing import check_out_file

from .checkpoints import Parts
from .choices import Choices
from .jobs import Tell
from .plan import Plan, make_plan
from .play import play_chunk
from .progress import Progress
from .workers import Workers

SUFFIX = ".parquet"  # of the file
Played = tuple[int, pl.DataFrame]  # a chunk and its rows


def simulate(
    *what: Any,
    seed: int,
    threads: int,
    out: str | Path | None,
    ray: str | None,
    force: bool,
    progress: bool,
    **choices: Unpack[Choices],
) -> pl.DataFrame:
    """See `agemonia_env.simulate`."""
    plan = make_plan(*what, seed=seed, **choices)
    console = Console(stderr=True) if progress else None
    rows = rows_of(plan, threads, None if out is None else Path(out), ray, force, console)
    return rows.collect()


def rows_of(
    plan: Plan,
    threads: int,
    out: Path | None,
    ray: str | None,
    force: bool,
    console: Console | None,
) -> pl.LazyFrame:
    """Rows of a simulation: in memory, or of the file they are written to.

    Raises ValueError if something else lies there, and Interrupted for a Ctrl-C.
    """
    workers = Workers(threads, ray)
    if out is None:
        return in_memory(plan, workers, console).lazy()
    to_file(plan, out, workers, force, console)
    return pl.scan_parquet(out, glob=False, hive_partitioning=False)


def in_memory(plan: Plan, workers: Workers, console: Console | None) -> pl.DataFrame:
    """The rows of a simulation."""
    try:
        with (
            Progress(plan.games, console) as progress,
            closing(play(plan, range(plan.n_chunks()), workers, progress.tell)) as played,
        ):
            frames = dict(played)
    except KeyboardInterrupt:
        raise Interrupted("nothing is kept; with a file (--out) it would be") from None
    return pl.concat([frames[chunk] for chunk in sorted(frames)])


def to_file(plan: Plan, out: Path, workers: Workers, force: bool, console: Console | None) -> None:
    """Play a simulation, or what is missing of it, into a Parquet file.

    Raises ValueError if something else lies there, or another run is writing it (Busy).
    """
    check_out_file(out, SUFFIX)
    with locked_file(out):
        parts = Parts(plan, out)
        if force:
            parts.discard()
        if not parts.is_finished():
            _play_parts(parts, workers, console)
        elif console is not None:
            console.print(f"{out}: complete already", soft_wrap=True)


def _play_parts(parts: Parts, workers: Workers, console: Console | None) -> None:
    """Play the chunks that are missing, and join all of them."""
    plan = parts.plan
    parts.open()
    try:
        with (
            Progress(plan.games, console) as progress,
            closing(play(plan, parts.missing(), workers, progress.tell)) as played,
        ):
            progress.resume(parts.games(), parts.wins())
            for chunk, frame in played:
                parts.write(chunk, frame)
        parts.join()
    except KeyboardInterrupt:
        kept = f"{parts.games():,} of {plan.games:,} games are kept in {parts.folder}"
        raise Interrupted(f"{kept}; the same command goes on with the rest") from None


def play(plan: Plan, chunks: Iterable[int], workers: Workers, tell: Tell) -> Generator[Played]:
    """Play chunks and hand them on as they finish."""
    return workers.run(partial(play_chunk, plan), chunks, tell, plan.env)
