"""Training: how many samples per second MaskablePPO learns from, and where the time goes.

One measurement is one iteration as agents/configs/maskable_ppo.yaml has it, in the starter
scenario: a rollout of n_steps decisions in n_envs games of the VecEnv, and learning from it.
"""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from agents.config import DEFAULT, Config, read_config

from .play import processor
from .table import Measure

WHOLE = "everything"
ENVIRONMENT, POLICY, OPTIMISATION = PARTS = ("environment", "policy", "optimisation")

Seconds = dict[str, float]  # by part
Overrides = tuple[tuple[str, str], ...]  # of keys of the configuration, as YAML


class Training:
    """A MaskablePPO whose environment, policy (in rollouts) and optimisation are timed.

    Seconds are those of the processor. What is left of an iteration are the rollout buffer,
    advantages, and the loop around them.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.samples = model.n_envs * model.n_steps
        self.iterations: list[Seconds] = []
        self._spent: Seconds = defaultdict(float)
        self._warm_up()
        for name in ("reset", "step", "env_method"):
            self._time(model.env, name, ENVIRONMENT)
        self._time(model.policy, "forward", POLICY)
        self._time(model, "train", OPTIMISATION)
        self._time(model, "learn", WHOLE)

    def _warm_up(self) -> None:
        """Load the compiled rules."""
        env = self.model.env
        env.reset()
        env.step(env.action_masks().argmax(1))

    def _time(self, owner: Any, name: str, part: str) -> None:
        """Add what calls of this method take to a part."""
        method = getattr(owner, name)

        @functools.wraps(method)
        def timed(*arguments: Any, **keywords: Any) -> Any:
            start = processor()
            result = method(*arguments, **keywords)
            self._spent[part] += processor() - start
            return result

        setattr(owner, name, timed)

    def _iteration(self, number: int) -> Seconds:
        """Seconds by part of an iteration, done unless it was before."""
        while len(self.iterations) <= number:
            self._spent = defaultdict(float)
            self.model.learn(self.samples, reset_num_timesteps=False)
            self.iterations.append(self._spent)
        return self.iterations[number]

    def _each(self, figure: Callable[[Seconds], float]) -> Measure:
        """A figure of one iteration after another: all lines of the table are about the same."""
        numbers = itertools.count()
        return lambda _: figure(self._iteration(next(numbers)))

    def per_second(self) -> Measure:
        """Samples per second."""
        return self._each(lambda spent: self.samples / spent[WHOLE])

    def share(self, part: str) -> Measure:
        """Percentage of the time that goes into a part."""
        return self._each(lambda spent: 100 * spent[part] / spent[WHOLE])


def _started(overrides: Overrides) -> tuple[Config, Any]:
    """Configuration and its environment, torch on as many threads as it says."""
    import torch

    from agents.train_maskable_ppo import make_env

    config = read_config(DEFAULT, dict(overrides))
    torch.set_num_threads(config.threads)
    return config, make_env(config, config.seed)


def _silent(model: Any) -> Any:
    """The model without a log."""
    from stable_baselines3.common.logger import Logger

    model.set_logger(Logger(None, []))
    return model


@functools.cache
def contributed(overrides: Overrides) -> Training:
    """MaskablePPO as sb3-contrib has it, with its own masks and all columns."""
    from sb3_contrib import MaskablePPO

    config, env = _started(overrides)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=config.learning_rate,
        policy_kwargs={"net_arch": config.net_arch},
        device="cpu",
        **config.algorithm_kwargs(),
    )
    return Training(_silent(model))


@functools.cache
def ours(overrides: Overrides) -> Training:
    """MaskablePPO as agents/train_maskable_ppo.py has it."""
    from agents.fastmask import use_fast_masks
    from agents.train_maskable_ppo import new_model

    return Training(_silent(use_fast_masks(new_model(*_started(overrides)))))
