"""Where a simulation runs: threads of this process, or a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from agemonia_env.rulesets.arguments import check_number

from .extras import required
from .jobs import Job, OnPlayed, Result, run_on_threads


@dataclass(frozen=True)
class Workers:
    """Threads here, or the Ray cluster at an address. Results are the same."""

    threads: int = 1
    ray: str | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for fewer than one thread, MissingExtra without Ray."""
        check_number("threads", self.threads, 1)
        if self.ray is not None:
            required("cluster")

    def run(
        self,
        play: Callable[[Job, OnPlayed], Result],
        jobs: Iterable[Job],
        on_played: OnPlayed,
        env: str,
    ) -> Generator[tuple[Job, Result]]:
        """Run jobs and yield results as they finish.

        play: runs a job and calls `on_played`; a cluster pickles it. env: of the games.
        Closing the generator stops threads within one batch of games.
        """
        if self.ray is None:
            return run_on_threads(play, jobs, self.threads, on_played)
        from .cluster import run_on_cluster

        return run_on_cluster(play, jobs, self.ray, on_played, env)
