"""Win rates by playing on: how often greedy play wins from a position, after each option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.envs.copies import copies, redraw
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import NO_CHECKS

PLAYED_BY = "greedy"
NOTHING = -1  # in place of an action: greedy play decides here, too


@dataclass(frozen=True)
class Rollouts:
    """Plays positions of one scenario to their end, `games` times each.

    content: CONTENT (1,); control: bits of Control; limit: decisions until a game counts as lost.
    """

    rules: Ruleset
    content: NDArray[Any]
    control: int
    limit: int
    games: int

    def wins(
        self, state: NDArray[Any], actions: Sequence[int], seed: Sequence[int]
    ) -> NDArray[np.bool_]:
        """Whether the heroes win after each action, bool (actions, games).

        state: STATE (1,). Everything hidden is redrawn in each game, dice and the order of
        face-down cards; game k has the same draws for every action, so their difference is sharp.
        """
        rules, n = self.rules, self.games
        which = np.zeros(n, np.int16)
        start = copies(state, n)
        seeds = np.random.SeedSequence(seed).generate_state(n, np.uint64)
        redraw(rules, start, self.content, seeds)
        won = np.zeros((len(actions), n), np.bool_)
        for row, action in zip(won, actions, strict=True):
            games = copies(start)
            self._play(games, which, action)
            row[:] = games["won"].astype(bool)
        return won

    def _play(self, games: NDArray[Any], which: NDArray[np.int16], action: int) -> None:
        """Play games to their end, from an action on."""
        api, number = self.rules.api, int(self.rules.POLICIES[PLAYED_BY])
        if action != NOTHING:
            actions, denials = np.full(len(games), action), np.zeros(len(games), np.int16)
            api.step(games, self.content, which, actions, self.control, api.NO_ROWS, denials)
        api.rollout(games, self.content, which, number, self.control, self.limit, NO_CHECKS)
