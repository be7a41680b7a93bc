"""Around the table: which agent answers what is asked, and what its observation tells beside it.

Heroes have the first seats, by their slots; the last one is the enemy side's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.ruleset import Ruleset

ENEMY_AGENT = 4  # after the four Heroes that either ruleset has at most
N_AGENTS = ENEMY_AGENT + 1
N_TOLD = N_AGENTS + 1  # numbers of `told`


def agents_asked(
    rules: Ruleset, states: NDArray[Any], heroes: int, *, enemy: bool
) -> NDArray[np.int64]:
    """The seat that answers in n games, STATE (n,) that go on, of so many Heroes: int64 (n,).

    Whoever the rules ask answers. What they ask of the players together, and what is to be decided
    for a Non-Hero Ally, is answered by the first Hero that is not exhausted. What is the enemy
    side's to decide is answered at its own seat if somebody sits there (`enemy`), else so, too.
    """
    asked = states["asked"].astype(np.int64)
    first = rules.exhausted_heroes(states)[:, :heroes].argmin(axis=1)
    seats = np.where((asked >= 0) & (asked < heroes), asked, first)
    if enemy:
        questions = zip(states["decision"].tolist(), asked.tolist(), strict=True)
        theirs = [rules.side_asked(*question) == "enemy" for question in questions]
        seats[theirs] = ENEMY_AGENT
    return seats


def told(seats: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
    """What agents' observations end with, float32 (n, N_TOLD).

    Which seat it is, one-hot, and whether the question is for it.
    """
    rows = np.zeros((len(seats), N_TOLD), np.float32)
    rows[np.arange(len(seats)), seats] = 1.0
    rows[:, N_AGENTS] = asked
    return rows
