"""Games played to their end by a compiled policy, a batch of states at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.ruleset import Ruleset
from ..kernel.jit import zeros

Records = NDArray[Any]

BATCH = 256  # games at a time: their states, 0.7 MB, stay in the cache
NO_CHECKS = np.zeros(0, np.int64)  # invariants are not looked at


def start_games(
    rules: Ruleset,
    contents: Records,
    which: NDArray[np.int16],
    seeds: NDArray[np.uint64],
    *,
    seating: int,
) -> Records:
    """States (n,) at their first decision; game i plays contents[which[i]].

    seating: bits of Seating, such as those of Arguments.seating().
    """
    n = len(seeds)
    states = zeros(rules.STATE, n)
    select = np.ones(n, np.uint8)
    rules.api.reset(states, contents, which, seeds, select, seating, rules.api.NO_ROWS)
    return states


def played(
    rules: Ruleset,
    contents: Records,
    which: NDArray[np.int16],
    seeds: NDArray[np.uint64],
    policy: int,
    *,
    seating: int,
    max_decisions: int,
) -> Iterator[Records]:
    """Play the games that these seeds fix -> states of BATCH ended games or fewer at a time.

    policy: of those who are asked, one of Ruleset.POLICIES. A game longer than `max_decisions` is
    given up.
    """
    for first in range(0, len(seeds), BATCH):
        part = slice(first, first + BATCH)
        states = start_games(rules, contents, which[part], seeds[part], seating=seating)
        rules.api.rollout(states, contents, which[part], policy, seating, max_decisions, NO_CHECKS)
        yield states
