"""Run jobs on a Ray cluster: workers play, the driver writes.

If a worker dies, Ray gives its job to another. Every machine needs the same version of this package
and compiles the rules once; run `agemonia warmup` there first, or all its workers compile at once.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection, Generator, Iterable
from typing import Any

from agemonia_env.core.jit import cache_folder
from agemonia_env.rulesets.ruleset import ruleset_of

from .jobs import AHEAD, Job, OnPlayed, Result, as_finished

# Read when Ray is imported: send no usage statistics, build no environment for the workers
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")

import ray

HERE = "local"  # starts a cluster on this machine
SECONDS = 10  # to wait for a machine to answer
TRIES = 10  # retries of a job after its worker dies


def run_on_cluster(
    play: Callable[[Job, OnPlayed], Result],
    jobs: Iterable[Job],
    address: str,
    on_played: OnPlayed,
    env: str,
) -> Generator[tuple[Job, Result]]:
    """Run jobs and yield results as they finish, like jobs.run_on_threads.

    play: must pickle; its calls of `on_played` arrive when the job is done. address: as for
    ray.init; `local` starts a cluster here. env: of the games. Raises ValueError if a
    worker has other rules, and OSError if the cluster cannot be reached or is lost.
    """
    begun = not ray.is_initialized()
    if begun:
        connect(address)
    try:
        shared, core = ray.put(play), core_of(env)
        begin = lambda job: do_remotely.remote(shared, job, env, core)  # noqa: E731
        for job, future in as_finished(jobs, begin, first, AHEAD * processors()):
            result, games, wins = fetch(future)
            on_played(games, wins)
            yield job, result
    finally:
        if begun:
            ray.shutdown()


def connect(address: str) -> None:
    """Join or start a cluster. Raises OSError."""
    own = {"include_dashboard": False} if address == HERE else {}
    try:
        check_reachable(address)
        ray.init(address=address, log_to_driver=False, logging_level="warning", **own)
    except (OSError, ValueError, RuntimeError) as error:
        raise OSError(f"--ray {address}: cannot connect ({error})") from error


def check_reachable(address: str) -> None:
    """Raise OSError if nothing listens at HOST:PORT; Ray itself would retry for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), SECONDS).close()


def processors() -> int:
    """The number of processors of the cluster, at least 1."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def first(futures: Collection[Any]) -> Any:
    """Wait until any of these jobs is done, and return it."""
    return ray.wait(list(futures), num_returns=1)[0][0]


def fetch(future: Any) -> Any:
    """The result of a job; raises its error as if it had run here."""
    try:
        return ray.get(future)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise OSError(f"Ray: {error}; the same command resumes") from error


@ray.remote(num_cpus=1, max_retries=TRIES)
def do_remotely(play: Callable[..., Any], job: Any, env: str, core: str) -> tuple[Any, int, int]:
    """Run a job; return its result, games played and games won. ValueError for other rules."""
    if core != core_of(env):
        raise ValueError(
            f"{ray.util.get_node_ip_address()}: rules or compiler differ from those here: "
            f"{core_of(env)} instead of {core}"
        )
    games = wins = 0

    def on_played(more: int, won: int) -> None:
        nonlocal games, wins
        games, wins = games + more, wins + won

    return play(job, on_played), games, wins


def core_of(env: str) -> str:
    """A hash of the sources of rules and policies, and of their compiler."""
    return cache_folder(ruleset_of(env).api.__name__).name
