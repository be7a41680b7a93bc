"""Run jobs on threads and yield results as they finish."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from threadpoolctl import threadpool_limits

OnPlayed = Callable[[int, int], None]  # games played since the last call, games won
Job = TypeVar("Job")  # such as the number of a chunk
Result = TypeVar("Result")
Handle = TypeVar("Handle")  # a future of a thread pool or of Ray
AHEAD = 2  # jobs queued per worker, so that none waits while a result is written


class Stopped(Exception):  # noqa: N818 (it is no error)
    """The result is no longer wanted."""


def run_on_threads(
    play: Callable[[Job, OnPlayed], Result], jobs: Iterable[Job], threads: int, on_played: OnPlayed
) -> Generator[tuple[Job, Result]]:
    """Run jobs and yield results as they finish.

    play: runs a job and calls `on_played`. Closing the generator makes `on_played` raise Stopped in
    every thread. BLAS is limited to one thread meanwhile: with two BLAS threads for each of two
    workers, on two busy cores, a network played 75 games/s instead of 423.
    """
    stop = threading.Event()

    def report_unless_stopped(games: int, wins: int) -> None:
        if stop.is_set():
            raise Stopped
        on_played(games, wins)

    def first(going: Collection[Future[Result]]) -> Future[Result]:
        return wait(going, return_when=FIRST_COMPLETED).done.pop()

    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(threads) as pool:
        begin = lambda job: pool.submit(play, job, report_unless_stopped)  # noqa: E731
        try:
            for job, future in as_finished(jobs, begin, first, AHEAD * threads):
                yield job, future.result()
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)


def as_finished(
    jobs: Iterable[Job],
    begin: Callable[[Job], Handle],
    first: Callable[[Collection[Handle]], Handle],
    most: int,
) -> Iterator[tuple[Job, Handle]]:
    """Start jobs, at most `most` at a time, and yield each with its future when it is done.

    first: waits until any of these futures is done, and returns it.
    """
    going: dict[Handle, Job] = {}
    for job in jobs:
        going[begin(job)] = job
        if len(going) == most:
            future = first(going)
            yield going.pop(future), future
    while going:
        future = first(going)
        yield going.pop(future), future
