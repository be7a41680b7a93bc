"""Trained models that play: from an observation to logits, from logits to an action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.policy import Records
from agemonia_env.rulesets.ruleset import Ruleset

from .policy import check_games
from .record import ModelError

# Observations, float32 (n, N_OBSERVATION), and masks, bool (n, N_ACTIONS) -> logits, the same shape
Logits = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.float32]]


@dataclass(frozen=True)
class Learned:
    """Draws its actions from the probabilities that a model gives, or takes the likeliest.

    logits: of the model; those of illegal actions are not looked at. record: what it was
    trained on.
    """

    ruleset: Ruleset
    name: str
    logits: Logits
    record: dict[str, Any]
    likeliest: bool = False
    batch: int = 1024  # wide enough for matrix products

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        rules, n = self.ruleset, len(states)
        check_games(rules, states, contents, which)
        masks = np.empty((n, rules.N_ACTIONS), np.uint8)
        rules.api.write_masks(states, contents, which, masks)
        legal, seen = masks.view(np.bool_), self.seen(states, contents, which)
        with np.errstate(all="ignore"):  # what is not finite is refused, with a name
            found = self.logits(seen, legal)
        if not np.isfinite(found).all():
            raise ModelError(f"{self.name}: its network computes numbers that are not finite")
        logits = np.where(legal, found, -np.inf)
        if self.likeliest:
            return np.asarray(logits.argmax(axis=1), np.int64)
        luck = np.empty(n, np.float64)
        rules.api.draw_random(states, luck)
        return drawn(logits, luck)

    def seen(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.float32]:
        """What the model is shown: the observations, float32 (n, N_OBSERVATION)."""
        observations = np.empty((len(states), self.ruleset.N_OBSERVATION), np.float32)
        self.ruleset.api.write_observations(states, contents, which, observations)
        return observations


def drawn(logits: NDArray[Any], luck: NDArray[np.float64]) -> NDArray[np.int64]:
    """An action for each row, int64 (n,): the first whose cumulative probability is above its luck.

    logits: (n, N_ACTIONS), illegal ones -inf; luck: (n,), from [0, 1).
    """
    chances = np.exp(logits - logits.max(axis=1, keepdims=True), dtype=np.float64)
    cumulative = chances.cumsum(axis=1)
    below = cumulative <= (luck * cumulative[:, -1])[:, None]
    return np.asarray(below.sum(axis=1), np.int64)
