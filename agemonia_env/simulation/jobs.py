"""Jobs done by threads, and handed on as they finish."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from threadpoolctl import threadpool_limits

Tell = Callable[[int, int], None]  # so many games have been played, so many of them won
Job = TypeVar("Job")  # such as the number of a chunk
Result = TypeVar("Result")
Ticket = TypeVar("Ticket")
AHEAD = 2  # chunks in hand for each player, so that none waits while another chunk is written


class Stopped(Exception):  # noqa: N818 (it is no error)
    """Nobody wants the chunk any more."""


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
