"""Chunks of games on a Ray cluster: workers play, whoever asked writes.

A worker that dies costs the chunk that it was playing; Ray has another one play it. Every machine
needs this package, of the same version, and compiles the rules once: `agemonia warmup` does so
before its workers do it all at a time.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Iterable
from typing import Any

import polars as pl

from .parts import core_of
from .plan import Plan
from .play import AHEAD, Played, Tell, as_finished, play_chunk

# Read when Ray is imported: nothing is reported, no environment is built for the workers
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")

import ray

HERE = "local"  # the address of a cluster that is started for the occasion
TRIES = 10  # deaths of workers that a chunk may meet with before the run is given up


def play_on_cluster(
    plan: Plan, chunks: Iterable[int], address: str, tell: Tell
) -> Generator[Played]:
    """Play chunks and hand them on as they finish, as play.play_on_threads does.

    address: of a cluster as ray.init takes it, `local` for one on this machine. Raises ValueError
    if a worker has other rules, and OSError if there is no cluster, or it is lost.
    """
    begun = not ray.is_initialized()
    if begun:
        connect(address)
    try:
        shared, core = ray.put(plan), core_of(plan.env)
        begin = lambda chunk: play_remotely.remote(shared, chunk, core)  # noqa: E731
        for chunk, ticket in as_finished(chunks, begin, first, AHEAD * processors()):
            frame = fetch(ticket)
            tell(len(frame), int(frame["won"].sum()))
            yield chunk, frame
    finally:
        if begun:
            ray.shutdown()


def connect(address: str) -> None:
    """Join a cluster, or start one. OSError if that fails."""
    own = {"include_dashboard": False} if address == HERE else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="warning", **own)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise OSError(f"--ray {address}: no cluster there ({error})") from error


def processors() -> int:
    """Processors of the cluster, at least 1."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def first(tickets: Collection[Any]) -> Any:
    """Wait for one of the chunks begun."""
    return ray.wait(list(tickets), num_returns=1)[0][0]


def fetch(ticket: Any) -> pl.DataFrame:
    """The rows of a chunk; what went wrong with it is told as if it had been played here."""
    try:
        frame: pl.DataFrame = ray.get(ticket)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise OSError(f"Ray: {error}; the same command goes on with the rest") from error
    return frame


@ray.remote(num_cpus=1, max_retries=TRIES)
def play_remotely(plan: Plan, chunk: int, core: str) -> pl.DataFrame:
    """The rows of a chunk, played by a worker. ValueError if its rules are others than `core`."""
    if core != core_of(plan.env):
        raise ValueError(
            f"{ray.util.get_node_ip_address()}: other rules, or another compiler, than here: "
            f"{core_of(plan.env)} instead of {core}"
        )
    return play_chunk(plan, chunk, lambda games, wins: None)
