"""Steps per second: one Gymnasium environment, and batches on the compiled core.

A step is one decision; actions are random legal ones, finished games start again. The choice of
actions is outside the clock where it is not part of what is measured.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from agemonia_env.agemonia import api
from agemonia_env.agemonia.actions import N_ACTIONS
from agemonia_env.agemonia.layout import N_OBSERVATION, STATE
from agemonia_env.agemonia.policies import Policy
from agemonia_env.agemonia.terms import Ending
from agemonia_env.content.compile import compile_scenario
from agemonia_env.content.load import load_pack
from agemonia_env.envs.single import AgemoniaEnv
from agemonia_env.kernel.jit import zeros


class Batch:
    """n games of the starter scenario with everything that a step reads and writes."""

    def __init__(self, n: int, first_seed: int = 0) -> None:
        self.n = n
        self.content = compile_scenario(load_pack("core"), "ford", 2).content
        self.states, self.which = zeros(STATE, n), np.zeros(n, np.int16)
        self.next_seeds = np.arange(first_seed, first_seed + n, dtype=np.uint64)
        self.actions, self.denials = np.zeros(n, np.int64), np.zeros(n, np.int16)
        self.observations = np.zeros((n, N_OBSERVATION), np.float32)
        self.masks = np.zeros((n, N_ACTIONS), np.uint8)
        self.reset(np.ones(n, np.uint8))

    def reset(self, select: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Start the selected games anew, each from a seed not used before."""
        self.states[select.view(np.bool_)] = np.zeros((), STATE)
        api.reset(self.states, self.content, self.which, self.next_seeds, select, 1, api.NO_ROWS)
        self.next_seeds[select.view(np.bool_)] += np.uint64(self.n)

    def choose(self) -> None:
        """Random legal actions."""
        api.choose_actions(self.states, self.content, self.which, int(Policy.RANDOM), self.actions)

    def step(self, observe: bool) -> None:
        """One step of every game, with automatic reset."""
        none = api.NO_ROWS
        api.step(self.states, self.content, self.which, self.actions, 1, none, self.denials)
        over = self.states["ending"] != Ending.NONE
        if over.any():
            self.reset(over.view(np.uint8))
        if observe:
            api.write_observations(self.states, self.content, self.which, self.observations)
            api.write_masks(self.states, self.content, self.which, self.masks)

    def steps_per_second(self, seconds: float, observe: bool) -> float:
        """Steps of all games together per second of `step`; choosing is not counted."""
        self.choose()
        self.step(observe)
        spent, steps, until = 0.0, 0, time.perf_counter() + seconds
        while time.perf_counter() < until:
            self.choose()
            start = time.perf_counter()
            self.step(observe)
            spent += time.perf_counter() - start
            steps += self.n
        return steps / spent


def single(seconds: float) -> float:
    """`AgemoniaEnv.step` with observation and mask in the info, per second."""
    env = AgemoniaEnv(ties="auto")
    random = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    spent, steps, until = 0.0, 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        action = random.choice(np.flatnonzero(info["action_mask"]))
        start = time.perf_counter()
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
        spent += time.perf_counter() - start
        steps += 1
    return steps / spent


def batch(seconds: float, n: int, observe: bool) -> float:
    """Batches of n games, one thread."""
    return Batch(n).steps_per_second(seconds, observe)


def two_threads(seconds: float, n: int, observe: bool) -> float:
    """Two batches of n games, each in a thread of its own: compiled code holds no lock."""
    batches = [Batch(n, first_seed=seed) for seed in (0, 10**9)]
    with ThreadPoolExecutor(2) as pool:
        speeds = pool.map(lambda one: one.steps_per_second(seconds, observe), batches)
        return float(sum(speeds))


def rollouts(seconds: float, n: int) -> float:
    """Random games from start to end inside the compiled loop: decisions per second."""
    played = Batch(n)
    no_checks = np.zeros(0, np.int64)
    spent, steps, until = 0.0, 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        played.reset(np.ones(n, np.uint8))
        start = time.perf_counter()
        steps += api.rollout(
            played.states, played.content, played.which, int(Policy.RANDOM), 1, 20_000, no_checks
        )
        spent += time.perf_counter() - start
    return steps / spent
