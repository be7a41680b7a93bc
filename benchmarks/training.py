"""Measures training: samples per second, and the share of time of each part.

One measurement is one iteration with the trainer's configuration in the starter scenario: a rollout
of n_steps decisions in n_envs games, and the update.
"""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from agents.config import DEFAULT, FLAT, Config, read_config

from .play import processor
from .table import Measure

WHOLE = "everything"
ENVIRONMENT, POLICY, OPTIMISATION = PARTS = ("environment", "policy", "optimisation")

Seconds = dict[str, float]  # by part
Overrides = tuple[tuple[str, str], ...]  # of keys of the configuration, as YAML


class Training:
    """A learner with timed environment, policy (in rollouts) and optimisation.

    Times are processor seconds. The rest of an iteration is the rollout buffer, advantages, and the
    loop itself.
    """

    def __init__(
        self, samples: int, learn: Callable[[], Any], timed: Iterable[tuple[Any, str, str]]
    ) -> None:
        """learn: runs one iteration of `samples`; timed: owner, name and part of each method."""
        self.samples, self.learn = samples, learn
        self.iterations: list[Seconds] = []
        self._spent: Seconds = defaultdict(float)
        for owner, name, part in timed:
            self._time(owner, name, part)

    def _time(self, owner: Any, name: str, part: str) -> None:
        """Add the time of this method to a part."""
        method = getattr(owner, name)

        @functools.wraps(method)
        def timed(*arguments: Any, **keywords: Any) -> Any:
            start = processor()
            result = method(*arguments, **keywords)
            self._spent[part] += processor() - start
            return result

        setattr(owner, name, timed)

    def iteration(self, number: int) -> Seconds:
        """Seconds of an iteration by part; runs it if it has not run yet."""
        while len(self.iterations) <= number:
            self._spent = defaultdict(float)
            start = processor()
            self.learn()
            self._spent[WHOLE] = processor() - start
            self.iterations.append(self._spent)
        return self.iterations[number]

    def _each(self, figure: Callable[[Seconds], float]) -> Measure:
        """A figure of successive iterations, so that all lines are about the same ones."""
        numbers = itertools.count()
        return lambda _: figure(self.iteration(next(numbers)))

    def per_second(self) -> Measure:
        """Samples per second."""
        return self._each(lambda spent: self.samples / spent[WHOLE])

    def share(self, part: str) -> Measure:
        """Percentage of the time spent in a part."""
        return self._each(lambda spent: 100 * spent[part] / spent[WHOLE])

    def times(self, other: Training) -> Measure:
        """Samples per second relative to another training, iteration by iteration."""
        numbers = itertools.count()

        def ratio(_: float) -> float:
            number = next(numbers)
            mine, theirs = (one.iteration(number)[WHOLE] / one.samples for one in (self, other))
            return theirs / mine

        return ratio


def _configured(overrides: Overrides, path: Path) -> Config:
    """Read the configuration, and set torch's threads."""
    import torch

    config = read_config(path, dict(overrides))
    torch.set_num_threads(config.threads)
    return config


def stable(model: Any) -> Training:
    """A Stable-Baselines3 model, without logging."""
    from stable_baselines3.common.logger import Logger

    model.set_logger(Logger(None, []))
    env, samples = model.env, model.n_envs * model.n_steps
    env.reset()
    env.step(env.action_masks().argmax(1))  # loads the compiled rules
    played = [(env, name, ENVIRONMENT) for name in ("reset", "step", "env_method")]
    learned = [(model.policy, "forward", POLICY), (model, "train", OPTIMISATION)]

    def learn() -> None:
        model.learn(samples, reset_num_timesteps=False)

    return Training(samples, learn, [*played, *learned])


@functools.cache
def contributed(overrides: Overrides) -> Training:
    """MaskablePPO of sb3-contrib, with its masks and all columns."""
    from sb3_contrib import MaskablePPO

    from agents.train_maskable_ppo import make_env

    config = _configured(overrides, DEFAULT)
    model = MaskablePPO(
        "MlpPolicy",
        make_env(config, config.seed),
        learning_rate=config.learning_rate,
        policy_kwargs={"net_arch": config.net_arch},
        device="cpu",
        **config.algorithm_kwargs(),
    )
    return stable(model)


@functools.cache
def ours(overrides: Overrides, path: Path = DEFAULT) -> Training:
    """MaskablePPO of agents/train_maskable_ppo.py."""
    from agents.fastmask import use_fast_masks
    from agents.train_maskable_ppo import make_env, new_model

    config = _configured(overrides, path)
    return stable(use_fast_masks(new_model(config, make_env(config, config.seed))))


class Uncounted:
    """Counts nothing."""

    def count(self, won: int, ended: int) -> None:
        """Ignore ended games."""


@functools.cache
def lean(overrides: Overrides, path: Path = FLAT) -> Training:
    """PPO of agents/train_ppo.py."""
    from agents.train_ppo import PPO, make_env

    config = _configured(overrides, path)
    learner = PPO(config, make_env(config), config.seed)
    played = [(learner.env, "step", ENVIRONMENT), (learner, "outputs", POLICY)]
    samples = config.n_envs * config.n_steps

    def learn() -> None:
        learner.iterate(Uncounted())

    learn()  # compiles its functions
    return Training(samples, learn, [*played, (learner, "learn", OPTIMISATION)])
