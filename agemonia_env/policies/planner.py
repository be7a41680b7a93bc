"""The planner: Monte Carlo tree search in the compiled core, with greedy rollouts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.arguments import positive
from agemonia_env.rulesets.policy import Records
from agemonia_env.rulesets.ruleset import Ruleset

from .scripted import check_games

SIMULATIONS = 1000
MOST_SIMULATIONS = 1_000_000  # per decision: 100 MB and several minutes


@dataclass(frozen=True)
class Planner:
    """Runs up to `simulations` per decision that offers a choice, for either side.

    A simulation copies the game, redraws everything hidden (dice, and the order of face-down
    cards, so it cannot peek), follows the tree to an untried action, and plays greedily to the end
    (see core/mcts.py). The search stops early once the remaining simulations cannot change the
    choice. done: simulations run so far, int64 (1,).
    """

    ruleset: Ruleset
    simulations: int = SIMULATIONS
    batch: int = 1  # a game takes seconds: report progress after each
    done: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64), compare=False)

    def __post_init__(self) -> None:
        """Raise ValueError unless `simulations` is in range."""
        positive("simulations", self.simulations, MOST_SIMULATIONS)

    @property
    def name(self) -> str:
        """The planner with its budget, such as planner:200."""
        return f"planner:{self.simulations}"

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        rules, n = self.ruleset, len(states)
        check_games(rules, states, contents, which)
        actions, copy = np.zeros(n, np.int64), zeros(rules.STATE, 2)
        size = rules.STATE.itemsize
        raw, raw_copy = (records.view(np.uint8).reshape(-1, size) for records in (states, copy))
        self.done[0] += rules.api.plan(
            states, raw, contents, which, self.simulations, copy, raw_copy, actions
        )
        return actions
