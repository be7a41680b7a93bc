"""A trained network that plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..envs.ruleset import Ruleset
from .network import Network
from .policy import Records


@dataclass(frozen=True)
class Learned:
    """Draws its actions from the probabilities of a network, or takes the likeliest."""

    ruleset: Ruleset
    name: str
    network: Network
    likeliest: bool = False
    batch: int = 1024  # wide enough for matrix products

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        rules, n = self.ruleset, len(states)
        observations = np.empty((n, rules.N_OBSERVATION), np.float32)
        masks = np.empty((n, rules.N_ACTIONS), np.uint8)
        rules.api.write_observations(states, contents, which, observations)
        rules.api.write_masks(states, contents, which, masks)
        logits, _ = self.network.forward(observations)
        logits[masks == 0] = -np.inf
        if self.likeliest:
            return logits.argmax(axis=1)
        return drawn(rules, states, logits)


def drawn(rules: Ruleset, states: Records, logits: NDArray[np.float32]) -> NDArray[np.int64]:
    """An action per game, int64 (n,), from logits (n, N_ACTIONS), illegal ones -inf.

    By the largest of perturbed logits would take a draw for each action: this takes one a game, the
    first action whose cumulative probability is above it.
    """
    chances = np.exp(logits - logits.max(axis=1, keepdims=True), dtype=np.float64)
    cumulative = chances.cumsum(axis=1)
    luck = np.empty(len(states), np.float64)
    rules.api.draw_luck(states, luck)
    return (cumulative <= (luck * cumulative[:, -1])[:, None]).sum(axis=1)
