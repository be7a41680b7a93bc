"""Plays whole games in batches and returns their outcomes.

Game i starts from core seed `seeds[i]` for every policy, so results of policies on the same seeds
are paired. With k scenarios, CONTENT records (k,), it plays scenario i % k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import Control
from agemonia_env.core.records import joined
from agemonia_env.envs.scenario_cache import ScenarioCache
from agemonia_env.policies import Policy
from agemonia_env.rulesets.arguments import Arguments
from agemonia_env.rulesets.ruleset import Ruleset
from agemonia_env.simulation.games import Records, play_batches

DECISIONS_MAX = 20_000  # a game longer than this counts as not won
FIRST_SEED = 1_000_000_000  # of games after training, whose seeds count up from 1
AUTO_TIES = int(Control.AUTO_TIES)
SCENARIOS = 128  # this many procedural scenarios are played, each several times


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of n games; every field is an array (n,), in the order of the seeds."""

    won: NDArray[np.bool_]
    rounds: NDArray[np.int64]
    exhausted: NDArray[np.int64]  # heroes exhausted
    damage_dealt: NDArray[np.int64]  # to enemies
    damage_taken: NDArray[np.int64]  # by heroes, lost stamina included
    decisions: NDArray[np.int64]

    @classmethod
    def of(cls, states: Records) -> Outcomes:
        """The outcomes of ended games."""
        return cls(
            states["won"].astype(bool),
            states["round"].astype(np.int64),
            states["n_exhausted"].astype(np.int64),
            states["damage_dealt"].astype(np.int64),
            states["damage_taken"].astype(np.int64),
            states["decisions"].astype(np.int64),
        )

    @classmethod
    def joined(cls, parts: list[Outcomes]) -> Outcomes:
        """The outcomes of several batches, one after another."""
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def scenarios_of(arguments: Arguments, seeds: range | None) -> Records:
    """The scenario of `arguments`, or the first SCENARIOS of those drawn from `seeds`."""
    if seeds is None:
        return arguments.compile().content
    scenarios = ScenarioCache(arguments)
    return joined([scenarios.acquire(seed).content for seed in seeds[:SCENARIOS]])


def contents_of(played: Sequence[Arguments]) -> Records:
    """The scenarios that these arguments play, together."""
    return joined([scenarios_of(arguments, arguments.scenario_seeds()) for arguments in played])


def numbers(games: int, content: Records) -> NDArray[np.int16]:
    """The scenario number of each game, int16 (games,)."""
    return (np.arange(games) % len(content)).astype(np.int16)


def play_games(
    rules: Ruleset,
    content: Records,
    seeds: NDArray[np.uint64],
    policy: Policy,
    *,
    control: int = AUTO_TIES,
    enemy_policy: Policy | None = None,
) -> Outcomes:
    """Play one game per seed to its end; policies: see simulation.games.play_batches."""
    which = numbers(len(seeds), content)
    ended = play_batches(
        *(rules, content, which, seeds, policy),
        control=control,
        max_decisions=DECISIONS_MAX,
        enemy_policy=enemy_policy,
    )
    return Outcomes.joined([Outcomes.of(states) for states in ended])
