"""Games on a Ray cluster: workers play, whoever asked writes.

A worker that dies costs the job that it was doing; Ray has another one do it. Every machine
needs this package, of the same version, and compiles the rules once: `agemonia warmup` does so
before its workers do it all at a time.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection, Generator, Iterable
from typing import Any

from .checkpoints import core_of
from .jobs import AHEAD, Job, Result, Tell, as_finished

# Read when Ray is imported: nothing is reported, no environment is built for the workers
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")

import ray

HERE = "local"  # the address of a cluster that is started for the occasion
SECONDS = 10  # until a machine that does not answer is given up
TRIES = 10  # deaths of workers that a job may meet with before the run is given up


def on_cluster(
    play: Callable[[Job, Tell], Result], jobs: Iterable[Job], address: str, tell: Tell, env: str
) -> Generator[tuple[Job, Result]]:
    """Do jobs and hand on what comes of them as they finish, as jobs.on_threads does.

    play: can be pickled; what it tells arrives when its job is done. address: of a cluster as
    ray.init takes it, `local` for one on this machine. env: that is played. Raises ValueError if a
    worker has other rules, and OSError if there is no cluster, or it is lost.
    """
    begun = not ray.is_initialized()
    if begun:
        connect(address)
    try:
        shared, core = ray.put(play), core_of(env)
        begin = lambda job: do_remotely.remote(shared, job, env, core)  # noqa: E731
        for job, ticket in as_finished(jobs, begin, first, AHEAD * processors()):
            result, games, wins = fetch(ticket)
            tell(games, wins)
            yield job, result
    finally:
        if begun:
            ray.shutdown()


def connect(address: str) -> None:
    """Join a cluster, or start one. OSError if that fails."""
    own = {"include_dashboard": False} if address == HERE else {}
    try:
        knock(address)
        ray.init(address=address, log_to_driver=False, logging_level="warning", **own)
    except (OSError, ValueError, RuntimeError) as error:
        raise OSError(f"--ray {address}: no cluster there ({error})") from error


def knock(address: str) -> None:
    """OSError if nobody listens at HOST:PORT: Ray itself goes on trying for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), SECONDS).close()


def processors() -> int:
    """Processors of the cluster, at least 1."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def first(tickets: Collection[Any]) -> Any:
    """Wait for one of the jobs begun."""
    return ray.wait(list(tickets), num_returns=1)[0][0]


def fetch(ticket: Any) -> Any:
    """What came of a job; what went wrong with it is told as if it had been done here."""
    try:
        return ray.get(ticket)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise OSError(f"Ray: {error}; the same command goes on with the rest") from error


@ray.remote(num_cpus=1, max_retries=TRIES)
def do_remotely(play: Callable[..., Any], job: Any, env: str, core: str) -> tuple[Any, int, int]:
    """What comes of a job, and games played and won. ValueError if the rules are not `core`."""
    if core != core_of(env):
        raise ValueError(
            f"{ray.util.get_node_ip_address()}: other rules, or another compiler, than here: "
            f"{core_of(env)} instead of {core}"
        )
    games = wins = 0

    def tell(more: int, won: int) -> None:
        nonlocal games, wins
        games, wins = games + more, wins + won

    return play(job, tell), games, wins
