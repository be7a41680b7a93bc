"""Drops the columns of the observation that never change in the scenarios being learned.

The observation has room for the largest game: six allies, sixteen enemies, twenty-four areas. In
one scenario with two heroes most of it is constant, and the first layer would spend most of its
time multiplying zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import Records, start_games

from .networks import Inputs
from .play import numbers

GAMES = 1024


def changing_columns(rules: Ruleset, content: Records, *, control: int) -> list[int]:
    """Columns of the observation that change in games of all policies in these scenarios."""
    low = np.full(rules.N_OBSERVATION, np.inf, np.float32)
    high = -low
    for policy in sorted({*rules.POLICIES.values(), *rules.ENEMY_POLICIES.values()}):
        seeds = np.arange(GAMES, dtype=np.uint64)
        which = numbers(GAMES, content)
        states = start_games(rules, content, which, seeds, control=control)
        while len(states):
            seen = _step(rules, states, content, which, int(policy), control)
            np.minimum(low, seen.min(axis=0), out=low)
            np.maximum(high, seen.max(axis=0), out=high)
            running = states["ending"] == GOING_ON
            states, which = states[running], which[running]
    return [int(column) for column in np.flatnonzero(high > low)]


def in_groups(rules: Ruleset, columns: NDArray[np.int32]) -> Inputs:
    """These columns, with those of the figures as groups.

    What is a column of one slot is read in every slot.
    """
    structure, every = rules.structure, np.arange(rules.N_OBSERVATION)
    is_read, groups = np.isin(every, columns), []
    is_own = is_read.copy()
    for names in structure.figures:
        slots = np.hstack([structure.block[name].view(every[None])[0] for name in names])
        groups.append(slots[:, is_read[slots].any(axis=0)])
        is_own[slots] = False
    order = np.concatenate([np.flatnonzero(is_own), *(slots.ravel() for slots in groups)])
    return Inputs(order.astype(np.int32), [slots.shape for slots in groups])


def _step(
    rules: Ruleset,
    states: Records,
    content: Records,
    which: NDArray[np.int16],
    policy: int,
    control: int,
) -> NDArray[np.float32]:
    """Take one decision of a compiled policy in every game -> the observations before it."""
    n, api = len(states), rules.api
    actions = np.zeros(n, np.int64)
    observations = np.empty((n, rules.N_OBSERVATION), np.float32)
    api.write_observations(states, content, which, observations)
    api.choose_actions(states, content, which, policy, actions)
    denials = np.zeros(n, np.int16)
    api.step(states, content, which, actions, control, api.NO_ROWS, denials)
    return observations


class Columns(BaseFeaturesExtractor):
    """Selects columns of an observation (n, N_OBSERVATION).

    Rows from a ColumnsBuffer have only these columns already and pass through.
    """

    columns: th.Tensor

    def __init__(self, observation_space: spaces.Box, columns: Sequence[int]) -> None:
        super().__init__(observation_space, len(columns))
        self.register_buffer("columns", th.as_tensor(list(columns)))

    def forward(self, observations: th.Tensor) -> th.Tensor:
        """Observations (n, N_OBSERVATION) or (n, number of columns) -> (n, number of columns)."""
        if observations.shape[1] == self.features_dim:
            return observations
        return observations.index_select(1, self.columns)


class ColumnsBuffer(MaskableRolloutBuffer):
    """A rollout buffer that stores only some columns: less memory, and less to gather."""

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Box,
        *arguments: Any,
        columns: Sequence[int],
        **keywords: Any,
    ) -> None:
        self.columns = np.asarray(columns)
        kept = spaces.Box(-np.inf, np.inf, (len(self.columns),), np.float32)
        super().__init__(buffer_size, kept, *arguments, **keywords)

    def add(self, obs: NDArray[np.float32], *arguments: Any, **keywords: Any) -> None:
        """Add a step; obs is (n_envs, N_OBSERVATION)."""
        super().add(obs[:, self.columns], *arguments, **keywords)
