"""The agents of the multi-agent environments: which one acts, and what its observation adds.

Hero agents are numbered by their slots; the enemy side's agent comes last.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.ruleset import Ruleset

ENEMY_AGENT = 4  # after the at most four heroes of either ruleset
N_AGENTS = ENEMY_AGENT + 1
N_AGENT_COLUMNS = N_AGENTS + 1  # width of `agent_columns`


def acting_agents(
    rules: Ruleset, states: NDArray[Any], heroes: int, *, enemy: bool
) -> NDArray[np.int64]:
    """The agent that acts in each of n running games of `heroes` heroes, STATE (n,): int64 (n,).

    It is the hero that the rules ask. Joint decisions of the players, and those of a non-hero
    ally, go to the first hero that is not exhausted. Decisions of the enemy side go to its own
    agent if it has one (`enemy`), otherwise to that hero, too.
    """
    asked = states["asked"].astype(np.int64)
    first = rules.exhausted_heroes(states)[:, :heroes].argmin(axis=1)
    agents = np.where((asked >= 0) & (asked < heroes), asked, first)
    if enemy:
        questions = zip(states["decision"].tolist(), asked.tolist(), strict=True)
        theirs = [rules.side_asked(*question) == "enemy" for question in questions]
        agents[theirs] = ENEMY_AGENT
    return agents


def agent_columns(agents: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The columns that follow the game's observation, float32 (n, N_AGENT_COLUMNS).

    The agent, one-hot, and whether the question is for it.
    """
    rows = np.zeros((len(agents), N_AGENT_COLUMNS), np.float32)
    rows[np.arange(len(agents)), agents] = 1.0
    rows[:, N_AGENTS] = asked
    return rows
