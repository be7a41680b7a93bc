"""Chunks of games: one of them played; and jobs done by threads, or by a cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from . import required
from .columns import outcome, rows
from .games import played
from .plan import Kind, Plan, number, player, scene, shelf

Tell = Callable[[int, int], None]  # so many games have been played, so many of them won
Job = TypeVar("Job")  # such as the number of a chunk
Result = TypeVar("Result")
Ticket = TypeVar("Ticket")
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
    for kind, scenario_seed, places in alike(plan, games, seeds):
        rules, compiled = kind.rules(), scene(kind, scenario_seed)
        batches = []
        for states in played(
            rules,
            compiled.content,
            np.zeros(len(places), np.int16),
            seeds[places],
            player(plan.env, plan.policy),
            rival=kind.rival(),
            seating=kind.arguments().seating(),
            max_decisions=kind.max_decisions,
        ):
            batches.append(outcome(rules, states, compiled))
            tell(len(states), int(states["won"].sum()))
        values = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
        values |= {"game": games[places], "seed": seeds[places].astype(np.int64)}
        frames.append(rows(kind, scenario_seed, plan.policy, compiled, values))
    return pl.concat(frames).sort("game")


def alike(
    plan: Plan, games: NDArray[np.int64], seeds: NDArray[np.uint64]
) -> Iterator[tuple[Kind, int | None, NDArray[np.int64]]]:
    """Games of one scenario together: (kind, scenario seed, their places among these games)."""
    for k, kind in enumerate(plan.kinds):
        own = np.flatnonzero(games % len(plan.kinds) == k)
        by_scenario: dict[int | None, list[int]] = {}
        if kind.scenario_seed is None:
            by_scenario[None] = own.tolist()
        else:
            for place in own.tolist():
                by_scenario.setdefault(shelf(kind).draw(int(seeds[place])), []).append(place)
        for scenario_seed, places in by_scenario.items():
            if places:
                yield kind, scenario_seed, np.array(places)


def on_threads(
    play: Callable[[Job, Tell], Result], jobs: Iterable[Job], threads: int, tell: Tell
) -> Generator[tuple[Job, Result]]:
    """Do jobs and hand on what comes of them as they finish.

    play: a job, told how to tell of its games. Closing it has `tell` raise Stopped in every thread.
    """
    stop = threading.Event()

    def tell_unless_stopped(games: int, wins: int) -> None:
        if stop.is_set():
            raise Stopped
        tell(games, wins)

    def first(going: Collection[Future[Result]]) -> Future[Result]:
        return wait(going, return_when=FIRST_COMPLETED).done.pop()

    with ThreadPoolExecutor(threads) as pool:
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
