"""Measures work per second, of our environments and of peers.

Time is the process's processor time, so other load on the machine hardly matters; with several
threads it is wall time. Choosing actions is not counted.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

wall = time.perf_counter
# Windows counts processor time in ticks of 16 ms.
processor = time.process_time if time.get_clock_info("process_time").resolution < 1e-6 else wall


def nothing() -> None:
    """Chooses nothing, for work without actions."""


@dataclass(frozen=True)
class Play:
    """`work(choose())` does some work and returns the amount; only `work` is timed.

    games: games side by side. numbers: written at each step of a game, observation and mask.
    """

    work: Callable[[Any], int]
    choose: Callable[[], Any] = nothing
    clock: Callable[[], float] = processor
    games: int = 1
    numbers: int = 0

    def per_second(self, seconds: float) -> float:
        """Work per second, measured for about this long after a warm-up of a fifth of it."""
        self._count(seconds / 5)
        return self._count(seconds)

    def _count(self, seconds: float) -> float:
        """Work per second; calls `work` at least once."""
        reading = reading_seconds(self.clock)
        spent, done, until = 0.0, 0, wall() + seconds
        while done == 0 or wall() < until:
            chosen = self.choose()
            start = self.clock()
            done += self.work(chosen)
            spent += self.clock() - start - reading
        return done / max(spent, 1e-9)


def reading_seconds(clock: Callable[[], float]) -> float:
    """The time to read the clock: 0.5 us, much compared with a step of 5 us."""
    return min(-(clock() - clock()) for _ in range(100))


@functools.cache
def chooser() -> np.random.Generator:
    """Chooses actions of single games; one for all, as it may take more memory than a game."""
    return np.random.default_rng(0)


def single(env: Any, mask_of: Callable[[dict[str, Any]], NDArray[Any]]) -> Play:
    """Steps of a Gymnasium environment with random legal actions, reading the mask each time."""
    random = chooser()
    observation, info = env.reset(seed=0)
    mask = mask_of(info)

    def choose() -> int:
        legal = np.flatnonzero(mask)
        return int(legal[int(random.random() * len(legal))])

    def work(action: int) -> int:
        nonlocal mask
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
        mask = mask_of(info)
        return 1

    return Play(work, choose, numbers=np.size(observation) + np.size(mask))


def episodes(
    env: Any, mask_of: Callable[[dict[str, Any]], NDArray[Any]] | None = None, most: int = 1000
) -> Play:
    """Seeded episodes of a Gymnasium environment, of at most `most` steps.

    mask_of: None if every action is always legal. Each episode is played twice with the same
    actions, and the second time is measured as a whole: reading the clock, a system call, at every
    step would make a step of 5 us half as long again.
    """
    random, seeds = chooser(), itertools.count()
    every = np.ones(env.action_space.n, np.int8)
    observation, info = env.reset(seed=0)
    numbers = np.size(observation) + (np.size(mask_of(info)) if mask_of else 0)

    def choose() -> tuple[int, list[int]]:
        seed, actions, over = next(seeds), list[int](), False
        _, info = env.reset(seed=seed)
        while not over and len(actions) < most:
            legal = np.flatnonzero(mask_of(info) if mask_of else every)
            actions.append(int(legal[int(random.random() * len(legal))]))
            _, _, terminated, truncated, info = env.step(actions[-1])
            over = terminated or truncated
        return seed, actions

    def work(chosen: tuple[int, list[int]]) -> int:
        seed, actions = chosen
        env.reset(seed=seed)
        for action in actions:
            env.step(action)
        return len(actions)

    return Play(work, choose, numbers=numbers)


def random_legal(masks: NDArray[Any], random: np.random.Generator) -> NDArray[np.intp]:
    """A random legal action per row of `masks`, (n, actions)."""
    drawn: NDArray[np.intp] = (random.random(masks.shape, np.float32) * masks).argmax(1)
    return drawn
