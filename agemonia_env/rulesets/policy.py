"""The protocol of policies: they choose actions in many games at once."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Records = NDArray[Any]


class Policy(Protocol):
    """Chooses actions for the agents asked, in many games at once."""

    @property
    def name(self) -> str:
        """Its name in results and files."""

    @property
    def batch(self) -> int:
        """The fastest batch size; results do not depend on it."""

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """Legal actions, int64 (n,), for n games that go on.

        states: STATE (n,), of which game i plays contents[which[i]], CONTENT (k,). It draws
        random numbers only from the states' own stream for policies, so that a game is a function
        of its seed and its policies, in any batch.
        """
