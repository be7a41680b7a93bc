"""The protocol of policies: what chooses actions, in many games at once."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

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
