"""What does the jobs of a simulation: threads of this process, or a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from .extras import required
from .jobs import Job, Result, Tell, on_threads
from .plan import number


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
