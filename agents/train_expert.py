r"""Expert iteration: a planner searches with the network, and the network learns what it finds.

    python -m agents.train_expert --from model.npz
    python -m agents.train_expert --teacher planner:200 --trust 0.5
    agemonia simulate --scenario random --policy planner:50:runs/expert/model.npz

The learner plays, and a planner with the network of this moment searches every position that it
reaches. The targets are the network's own probabilities, moved towards the actions after which the
search has won more often; the value learns how the games end. A better network makes a better
planner, whose search makes better targets (T. Anthony et al., 2017, arXiv:1705.08439).

How often a short search tries an action is a poor target: half of 50 simulations explore. Moving
the logits in proportion to the values improves the policy with any budget (J. Grill et al., 2020,
arXiv:2007.12509; I. Danihelka et al., 2022, openreview.net/forum?id=bERaNdoegnO).

Start from a network that PPO has trained: a decision of planner:50 takes 20 times as long as PPO
needs for a sample.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agemonia_env.policies.network import SUFFIX
from agemonia_env.policies.planner import Planner, Searched

from .config import CONFIGS, Config, ConfigError
from .run import Trainer
from .train_imitation import Imitation
from .train_ppo import F32, Counter, Floats, Part, run

OUT = Path("runs/expert")
STEEPNESS = 5.0  # logits for a chance of winning that is higher by 1
DOUBT = 8  # simulations with the position's mean that each action gets in addition


class ExpertIteration(Imitation):
    """Learns what a search with its own network finds."""

    teacher: Planner

    def play(self, counter: Counter) -> None:
        """Fill the rollout, with the network of this moment in the search."""
        config = self.config
        budget = budget_of(self.teacher, config)
        network = self.network.network({"config": config.model_dump()})
        rules = self.env.ruleset
        self.teacher = Planner(rules, budget, config.threads, network, "its network", config.trust)
        super().play(counter)

    def teach(self, part: Part, t: int, outputs: Floats) -> NDArray[np.int64]:
        """As in Imitation, from a search."""
        found = self.teacher.search(*self.positions(part))
        masks, sign = self.rollout.masks[t, part.games], -1 if self.config.side == "enemy" else 1
        self.targets[t, part.games] = improved(outputs[:, :-1], masks, found, sign)
        return found.actions


def budget_of(teacher: object, config: Config) -> int:
    """Simulations of the teacher's searches. ConfigError unless it is a planner."""
    if not isinstance(teacher, Planner):
        raise ConfigError(f"teacher: {config.teacher}: must be a planner, such as planner:50")
    return teacher.simulations


def improved(logits: Floats, masks: NDArray[np.int8], found: Searched, sign: int) -> Floats:
    """Probabilities of the legal actions, (n, N_ACTIONS), moved towards those that win.

    sign: 1 for the Heroes, -1 for their enemies.
    """
    tried = found.visits.sum(axis=1, keepdims=True)
    mean = found.wins.sum(axis=1, keepdims=True) / np.maximum(tried, 1)
    values = (found.wins + DOUBT * mean) / (found.visits + DOUBT)
    moved = np.where(masks, logits + F32(sign * STEEPNESS) * values, -np.inf)
    shares = np.exp(moved - moved.max(axis=1, keepdims=True))
    improved: Floats = (shares / shares.sum(axis=1, keepdims=True)).astype(F32)
    return improved


main = Trainer(
    "expert",
    CONFIGS / "expert.yaml",
    SUFFIX,
    OUT,
    partial(run, kind=ExpertIteration),
    warm="Network to start from, an .npz file.",
).main

if __name__ == "__main__":
    sys.exit(main())
