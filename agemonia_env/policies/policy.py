"""The protocol of policies, and those that the compiled core has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..envs.ruleset import Ruleset

Records = NDArray[Any]


class Policy(Protocol):
    """Chooses for whoever is asked, in many games at once."""

    @property
    def name(self) -> str:
        """As results and files call it."""

    @property
    def batch(self) -> int:
        """Games that it plays best at a time; what becomes of them does not depend on it."""

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """Legal actions, int64 (n,), for n games that go on.

        states: STATE (n,), of which game i plays contents[which[i]], CONTENT (k,). Luck that it
        needs is drawn from the states' own stream for policies and from nowhere else, so that a
        game is a function of its seed and of those who play it, in whatever batch.
        """


@dataclass(frozen=True)
class Scripted:
    """A policy of the compiled core; whole games of it are played inside the compiled loop."""

    ruleset: Ruleset
    name: str
    number: int
    batch: int = 256  # their states, 0.7 MB, stay in the cache

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        actions = np.zeros(len(states), np.int64)
        self.ruleset.api.choose_actions(states, contents, which, self.number, actions)
        return actions
