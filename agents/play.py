"""Whole games in batches: by a compiled policy, or by a model that sees observations and masks.

Game i of a batch starts from core seed `seeds[i]` whoever plays it, so results of different
policies on the same seeds are paired. Of k scenarios, CONTENT records (k,), it plays number i % k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from agemonia_env.envs.arguments import Arguments
from agemonia_env.envs.ruleset import Ruleset
from agemonia_env.kernel.jit import zeros
from agemonia_env.kernel.lanes import GOING_ON, Seating
from agemonia_env.policies.network import Network
from agemonia_env.simulation.games import Records, played, start_games

# (observations float32 (n, N_OBSERVATION), masks bool (n, N_ACTIONS)) -> actions int64 (n,)
Chooser = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]

BATCH = 1024  # games at a time: states and observations of a batch stay in the cache
DECISIONS_MAX = 20_000  # a game longer than this counts as not won
AUTO_TIES = int(Seating.AUTO_TIES)
SCENARIOS = 128  # of those drawn for each game so many are played, each of them several times


@dataclass(frozen=True)
class Outcomes:
    """What became of n games; every field is an array (n,), in the order of the seeds."""

    won: NDArray[np.bool_]
    rounds: NDArray[np.int64]
    exhausted: NDArray[np.int64]  # Heroes exhausted in the game
    damage_dealt: NDArray[np.int64]  # to Enemies
    damage_taken: NDArray[np.int64]  # by Heroes, lost stamina included
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
    return joined([arguments.compile(seed).content for seed in seeds[:SCENARIOS]])


def contents_of(played: Sequence[Arguments]) -> Records:
    """The scenarios that one set of arguments or several play."""
    return joined([scenarios_of(arguments, arguments.scenario_seeds()) for arguments in played])


def joined(parts: list[Records]) -> Records:
    """Records of one dtype, one part after another."""
    records = zeros(parts[0].dtype, sum(map(len, parts)))
    records.view(np.uint8)[:] = np.concatenate([part.view(np.uint8) for part in parts])
    return records


def numbers(games: int, content: Records) -> NDArray[np.int16]:
    """Which scenario each game plays, (games,)."""
    return (np.arange(games) % len(content)).astype(np.int16)


def play_scripted(
    rules: Ruleset,
    content: Records,
    seeds: NDArray[np.uint64],
    policy: int,
    *,
    seating: int = AUTO_TIES,
) -> Outcomes:
    """Play one game per seed with a compiled policy, by its number, to the end of each."""
    which = numbers(len(seeds), content)
    told = {"seating": seating, "max_decisions": DECISIONS_MAX}
    ended = played(rules, content, which, seeds, policy, **told)
    return Outcomes.joined([Outcomes.of(states) for states in ended])


def play_chosen(
    rules: Ruleset,
    content: Records,
    seeds: NDArray[np.uint64],
    choose: Chooser,
    *,
    seating: int = AUTO_TIES,
) -> Outcomes:
    """Play one game per seed with `choose`, which answers for all running games at once."""
    parts, numbered = [], numbers(len(seeds), content)
    for first in range(0, len(seeds), BATCH):
        which = numbered[first : first + BATCH]
        begun = seeds[first : first + BATCH]
        states = start_games(rules, content, which, begun, seating=seating)
        running, ended = np.arange(len(states)), states.copy()
        for _ in range(DECISIONS_MAX):
            states = _advance(rules, states, content, which, choose, seating)
            over = states["ending"] != GOING_ON
            if over.any():  # ended games leave the batch: nobody thinks about them any more
                ended[running[over]] = states[over]
                running, states, which = running[~over], states[~over], which[~over]
            if not len(states):
                break
        ended[running] = states
        parts.append(Outcomes.of(ended))
    return Outcomes.joined(parts)


def _advance(
    rules: Ruleset,
    states: Records,
    content: Records,
    which: NDArray[np.int16],
    choose: Chooser,
    seating: int,
) -> Records:
    """One decision in every game; returns the states."""
    n, api = len(states), rules.api
    observations = np.empty((n, rules.N_OBSERVATION), np.float32)
    masks = np.empty((n, rules.N_ACTIONS), np.uint8)
    api.write_observations(states, content, which, observations)
    api.write_masks(states, content, which, masks)
    actions = choose(observations, masks.view(np.bool_))
    denials = np.empty(n, np.int16)
    api.step(states, content, which, actions, seating, api.NO_ROWS, denials)
    return states


def model_chooser(model: MaskablePPO | Network, *, deterministic: bool, seed: int = 0) -> Chooser:
    """The likeliest legal action of `model`, or one drawn from its probabilities.

    seed: of the draws of a Network; those of MaskablePPO are torch's.
    """
    if isinstance(model, Network):
        random = None if deterministic else np.random.default_rng(seed)
        return lambda observations, masks: model.choose(observations, masks, random)

    def choose(observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        actions, _ = model.predict(observations, action_masks=masks, deterministic=deterministic)
        return np.ascontiguousarray(actions, np.int64)

    return choose
