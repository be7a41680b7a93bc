"""A policy that plays a trained model: observations to logits, logits to actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.action_features import features_of
from agemonia_env.rulesets.policy import Records
from agemonia_env.rulesets.ruleset import Ruleset

from .model_record import ModelError
from .scripted import check_games

# Observations, float32 (n, N_OBSERVATION), masks, bool (n, N_ACTIONS), and if the policy
# reads them features of the legal actions -> logits, float32 (n, N_ACTIONS)
Logits = Callable[..., NDArray[np.float32]]


@dataclass(frozen=True)
class LearnedPolicy:
    """Samples actions from a model's probabilities, or takes the likeliest.

    logits: the model; logits of illegal actions are ignored. record: what it was trained on.
    reads_features: the model also reads what each legal action is and does.
    """

    ruleset: Ruleset
    name: str
    logits: Logits
    record: dict[str, Any]
    likeliest: bool = False
    batch: int = 1024  # wide enough for matrix products
    reads_features: bool = False

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        logits = self.legal_logits(states, contents, which)
        if self.likeliest:
            return np.asarray(logits.argmax(axis=1), np.int64)
        uniforms = np.empty(len(states), np.float64)
        self.ruleset.api.draw_random(states, uniforms)
        return sample_actions(logits, uniforms)

    def probabilities(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.float64]:
        """The model's probabilities of actions, (n, N_ACTIONS), even if it plays the likeliest."""
        logits = self.legal_logits(states, contents, which)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True), dtype=np.float64)
        shares: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return shares

    def legal_logits(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.float32]:
        """The model's logits, (n, N_ACTIONS), those of illegal actions -inf."""
        rules, n = self.ruleset, len(states)
        check_games(rules, states, contents, which)
        masks = np.empty((n, rules.N_ACTIONS), np.uint8)
        rules.api.write_masks(states, contents, which, masks)
        legal, observations = masks.view(np.bool_), np.empty((n, rules.N_OBSERVATION), np.float32)
        rules.api.write_observations(states, contents, which, observations)
        more = [features_of(rules, states, contents, which, masks)] if self.reads_features else []
        with np.errstate(all="ignore"):  # refused below, with the model's name
            outputs = self.logits(observations, legal, *more)
        if not np.isfinite(outputs).all():
            raise ModelError(f"{self.name}: its network computes numbers that are not finite")
        logits: NDArray[np.float32] = np.where(legal, outputs, -np.inf)
        return logits


def sample_actions(logits: NDArray[Any], uniforms: NDArray[np.float64]) -> NDArray[np.int64]:
    """One action per row, int64 (n,): the first whose cumulative probability exceeds its uniform.

    logits: (n, N_ACTIONS), illegal ones -inf; uniforms: (n,), in [0, 1).
    """
    weights = np.exp(logits - logits.max(axis=1, keepdims=True), dtype=np.float64)
    cumulative = weights.cumsum(axis=1)
    below = cumulative <= (uniforms * cumulative[:, -1])[:, None]
    return np.asarray(below.sum(axis=1), np.int64)
