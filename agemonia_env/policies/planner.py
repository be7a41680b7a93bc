"""The planner: Monte Carlo tree search in the compiled core, with the greedy policy inside."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.arguments import positive
from agemonia_env.rulesets.policy import Records
from agemonia_env.rulesets.ruleset import Ruleset

from .policy import check_games

SIMULATIONS = 1000
MOST_SIMULATIONS = 1_000_000  # for one decision: 100 MB, and minutes


@dataclass(frozen=True)
class Planner:
    """Searches with up to so many simulations for each decision that is a choice, for either side.

    A simulation copies the game, gives it chance of its own (its dice, and the order of what is
    face down: it cannot peek), follows the tree to an answer never tried, and plays on greedily to
    the end (see core/mcts.py). It stops where those left cannot change the answer. done: how many
    simulations there have been, int64 (1,).
    """

    ruleset: Ruleset
    simulations: int = SIMULATIONS
    batch: int = 1  # a game takes seconds, and whoever waits wants to hear of it
    done: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64), compare=False)

    def __post_init__(self) -> None:
        """Raise ValueError for a number of simulations that cannot be."""
        positive("simulations", self.simulations, MOST_SIMULATIONS)

    @property
    def name(self) -> str:
        """With its budget."""
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
