"""Run a simulation from its plan to its rows, in memory or in a file."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path

import polars as pl
from rich.console import Console

from agemonia_env.files.locking import locked_file
from agemonia_env.files.stopping import Interrupted
from agemonia_env.files.writing import check_out_file

from .checkpoints import CheckpointStore
from .jobs import OnPlayed
from .plan import Plan
from .play import play_chunk
from .progress import Progress
from .result_file import scanned
from .workers import Workers

SUFFIX = ".parquet"  # of the file
Played = tuple[int, pl.DataFrame]  # a chunk and its rows


def rows_of(
    plan: Plan, workers: Workers, out: Path | None, force: bool, console: Console | None
) -> pl.LazyFrame:
    """Rows of a simulation: in memory, or of the file they are written to.

    Raises ValueError if the file holds something else, and Interrupted on Ctrl-C.
    """
    if out is None:
        return in_memory(plan, workers, console).lazy()
    to_file(plan, out, workers, force, console)
    return scanned(out)


def in_memory(plan: Plan, workers: Workers, console: Console | None) -> pl.DataFrame:
    """Play a simulation in memory."""
    try:
        with (
            Progress(plan.games, console) as progress,
            closing(play(plan, range(plan.n_chunks()), workers, progress.add)) as played,
        ):
            frames = dict(played)
    except KeyboardInterrupt:
        raise Interrupted("nothing is saved without a file (--out)") from None
    return pl.concat([frames[chunk] for chunk in sorted(frames)])


def to_file(plan: Plan, out: Path, workers: Workers, force: bool, console: Console | None) -> None:
    """Play a simulation, or its missing chunks, into a Parquet file.

    Raises ValueError if the file holds something else, Busy if another run is writing it.
    """
    check_out_file(out, SUFFIX)
    with locked_file(out):
        chunks = CheckpointStore(plan, out)
        if force:
            chunks.discard()
        if not chunks.is_finished():
            _play_missing(chunks, workers, console)
        elif console is not None:
            console.print(f"{out}: already complete", soft_wrap=True)


def _play_missing(chunks: CheckpointStore, workers: Workers, console: Console | None) -> None:
    """Play the missing chunks and join all of them."""
    plan = chunks.plan
    chunks.open()
    try:
        with (
            Progress(plan.games, console) as progress,
            closing(play(plan, chunks.missing(), workers, progress.add)) as played,
        ):
            progress.resume(chunks.games(), chunks.wins())
            for chunk, frame in played:
                chunks.write(chunk, frame)
        chunks.join()
    except KeyboardInterrupt:
        saved = f"{chunks.games():,} of {plan.games:,} games are saved in {chunks.folder}"
        raise Interrupted(f"{saved}; the same command resumes") from None


def play(
    plan: Plan, chunks: Iterable[int], workers: Workers, on_played: OnPlayed
) -> Generator[Played]:
    """Play chunks and yield them as they finish."""
    return workers.run(partial(play_chunk, plan), chunks, on_played, plan.env)
