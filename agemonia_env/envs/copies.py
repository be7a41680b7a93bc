"""Copies of a position, each with its own randomness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.ruleset import Ruleset

Records = NDArray[Any]


def copies(states: Records, times: int = 1) -> Records:
    """All states, `times` times over, STATE (times * n,).

    To the byte: NumPy's own copy leaves out the bytes between fields.
    """
    copied = zeros(states.dtype, times * len(states))
    copied.view(np.uint8)[:] = np.tile(states.view(np.uint8), times)
    return copied


def redraw(
    rules: Ruleset, states: Records, content: Records, seeds: Iterable[int | np.unsignedinteger]
) -> None:
    """Draw everything hidden anew in every state: dice to come, and the order of face-down cards.

    content: CONTENT (1,).
    """
    which = np.zeros(len(states), np.int16)
    for i, seed in enumerate(seeds):
        rules.api.set_chance(states, content, which, i, np.uint64(seed))
