"""The planner: Monte Carlo tree search in the compiled core, with greedy rollouts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros
from agemonia_env.core.mcts import EDGE, FLIGHT, LANDED, NODE, NOT_READY, TURN, lag_of
from agemonia_env.core.thread_pool import shared_pool
from agemonia_env.rulesets.arguments import MAX_THREADS, positive
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
    choice. threads: that search for one decision, of use from 256 simulations; the choice is the
    same with any number. done: simulations run so far, int64 (1,).
    """

    ruleset: Ruleset
    simulations: int = SIMULATIONS
    threads: int = 1
    batch: int = 1  # a game takes seconds: report progress after each
    done: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64), compare=False)

    def __post_init__(self) -> None:
        """Raise ValueError unless `simulations` and `threads` are in range."""
        positive("simulations", self.simulations, MOST_SIMULATIONS)
        positive("threads", self.threads, MAX_THREADS)

    @property
    def name(self) -> str:
        """The planner with its budget, such as planner:200."""
        return f"planner:{self.simulations}"

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        rules, n, lag = self.ruleset, len(states), lag_of(self.simulations)
        threads = min(self.threads, lag)  # more would only wait
        check_games(rules, states, contents, which)
        actions, copies = np.zeros(n, np.int64), zeros(rules.STATE, threads + 1)
        size = rules.STATE.itemsize
        raw, raw_copies = (records.view(np.uint8).reshape(-1, size) for records in (states, copies))
        nodes, edges = zeros(NODE, self.simulations + 1), zeros(EDGE, self.simulations)
        flights, counts = zeros(FLIGHT, lag), np.zeros(LANDED + lag, np.int64)
        pool = shared_pool(threads - 1)
        for i in range(n):
            counts[:], counts[TURN] = 0, NOT_READY
            games = states, raw, contents, which, i, copies, raw_copies
            search = partial(rules.api.plan, *games, nodes, edges, flights, counts, actions)
            job = pool.begin(search)
            self.done[0] += search(0)
            job.wait()
        return actions
