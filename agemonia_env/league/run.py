"""Run a league from its matches to its report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from agemonia_env.files.locking import resumable
from agemonia_env.files.writing import write_json
from agemonia_env.rulesets.arguments import check_number
from agemonia_env.simulation.result_cache import CachedSimulation
from agemonia_env.simulation.run import in_memory
from agemonia_env.simulation.workers import Workers

from .matches import Match
from .picture import draw
from .rating import rated
from .report import JSON, PICTURE, Report


def report_of(
    matches: Sequence[Match], threads: int, out: Path | None, orders: int, progress: bool
) -> Report:
    """Play the matches, or those missing in the folder `out`, and rate the players.

    Raises ValueError for an invalid number, Busy if another run writes to the folder, and
    Interrupted on Ctrl-C.
    """
    check_number("threads", threads, 1)
    check_number("orders", orders, 1)
    console = Console(stderr=True) if progress else None
    with resumable(out):
        wins = tuple(play_matches(matches, threads, out, console))
        ratings = rated(matches, wins, seed=matches[0].plan.seed, orders=orders)
        report = Report(tuple(matches), wins, ratings, orders)
        if out is not None:
            write_json(out / JSON, report.record(), indent=1)
            draw(report, out / PICTURE)
    return report


def play_matches(
    matches: Sequence[Match], threads: int, out: Path | None, console: Console | None
) -> Iterator[tuple[int, int]]:
    """Games won by the heroes, and games, of each match."""
    for k, match in enumerate(matches, start=1):
        kind = match.plan.kinds[0]
        name = f"{match}, {kind.party}, {kind.level}, {kind.difficulty}"
        cached = None if out is None else CachedSimulation(match.plan, out / "games", name)
        if console is not None and not (cached and cached.is_played()):
            console.print(f"{k} of {len(matches)}: {match}", highlight=False, soft_wrap=True)
        if cached is None:
            rows = in_memory(match.plan, Workers(threads), console)
        else:
            rows = cached.play(threads, console)
        yield int(rows["won"].sum()), len(rows)
