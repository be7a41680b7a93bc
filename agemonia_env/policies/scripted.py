"""The policies built into the compiled core."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.policy import Records
from agemonia_env.rulesets.ruleset import Ruleset


def check_games(
    ruleset: Ruleset, states: Records, contents: Records, which: NDArray[np.int16]
) -> None:
    """Raise ValueError if these arrays are not what Policy.choose takes.

    Only dtypes, shapes and indices are checked: the core trusts the contents of states.
    """
    records = all(
        array.ndim == 1 and array.itemsize == dtype.itemsize
        for array, dtype in ((states, ruleset.STATE), (contents, ruleset.CONTENT))
    )
    if not records or which.shape != states.shape or which.dtype.kind not in "iu":
        wanted = "must be STATE (n,), CONTENT (k,) and int16 (n,)"
        raise ValueError(f"states, contents, which: {wanted} of {ruleset.env_id}")
    if len(which) and (which[which.argmin()] < 0 or which[which.argmax()] >= len(contents)):
        raise ValueError(f"which: must be from 0 to {len(contents) - 1}, rows of contents")


@dataclass(frozen=True)
class ScriptedPolicy:
    """A policy of the compiled core; whole games are played inside the compiled loop."""

    ruleset: Ruleset
    name: str
    number: int
    batch: int = 256  # their states, 0.7 MB, stay in the cache

    def choose(
        self, states: Records, contents: Records, which: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """As Policy.choose."""
        check_games(self.ruleset, states, contents, which)
        actions = np.zeros(len(states), np.int64)
        self.ruleset.api.choose_actions(states, contents, which, self.number, actions)
        return actions
