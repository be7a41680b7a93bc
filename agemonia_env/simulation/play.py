"""Chunks of games: one of them played; and jobs done by threads, or by a cluster."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from . import required
from .games import joined, played
from .plan import Kind, Plan, number, player, scene, shelf
from .result_schema import Values, outcome, rows

Tell = Callable[[int, int], None]  # so many games have been played, so many of them won
Job = TypeVar("Job")  # such as the number of a chunk
Result = TypeVar("Result")
Ticket = TypeVar("Ticket")
TOGETHER = 256  # scenarios in one batch of games, 0.1 MB each: a network decides for all at once
AHEAD = 2  # chunks in hand for each player, so that none waits while another chunk is written


@dataclass(frozen=True)
class Workers:
    """Who does jobs: threads here, or the Ray cluster at an address. Results are the same."""

    threads: int = 1
    ray: str | None = None

    def __post_init__(self) -> None:
        """ValueError if there are no threads, MissingExtra if there is no Ray."""
        number("threads", self.threads, 1)
        if self.ray is not None:
            required("ray", "cluster")

    def run(
        self,
        play: Callable[[Job, Tell], Result],
        jobs: Iterable[Job],
        tell: Tell,
        env: str,
    ) -> Generator[tuple[Job, Result]]:
        """Do jobs and hand on what comes of them as they finish; env: that is played.

        play: a job, told how to tell of its games; a cluster pickles it. Closing this ends threads
        within a batch of games.
        """
        if self.ray is None:
            return on_threads(play, jobs, self.threads, tell)
        from .cluster import on_cluster

        return on_cluster(play, jobs, self.ray, tell, env)


class Stopped(Exception):  # noqa: N818 (it is no error)
    """Nobody wants the chunk any more."""


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
            seating=kind.arguments().seating(),
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


def on_threads(
    play: Callable[[Job, Tell], Result], jobs: Iterable[Job], threads: int, tell: Tell
) -> Generator[tuple[Job, Result]]:
    """Do jobs and hand on what comes of them as they finish.

    play: a job, told how to tell of its games. Closing it has `tell` raise Stopped in every thread.
    Meanwhile BLAS has one thread for each of ours: with two of its own beside each of two, on two
    cores that were not idle, a network played 75 games a second, and without them 423.
    """
    stop = threading.Event()

    def tell_unless_stopped(games: int, wins: int) -> None:
        if stop.is_set():
            raise Stopped
        tell(games, wins)

    def first(going: Collection[Future[Result]]) -> Future[Result]:
        return wait(going, return_when=FIRST_COMPLETED).done.pop()

    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(threads) as pool:
        begin = lambda job: pool.submit(play, job, tell_unless_stopped)  # noqa: E731
        try:
            for job, future in as_finished(jobs, begin, first, AHEAD * threads):
                yield job, future.result()
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)


def as_finished(
    jobs: Iterable[Job],
    begin: Callable[[Job], Ticket],
    first: Callable[[Collection[Ticket]], Ticket],
    most: int,
) -> Iterator[tuple[Job, Ticket]]:
    """Begin jobs, `most` at a time, and yield each with its ticket once it is done.

    first: waits for one of these tickets.
    """
    going: dict[Ticket, Job] = {}
    for job in jobs:
        going[begin(job)] = job
        if len(going) == most:
            ticket = first(going)
            yield going.pop(ticket), ticket
    while going:
        ticket = first(going)
        yield going.pop(ticket), ticket
