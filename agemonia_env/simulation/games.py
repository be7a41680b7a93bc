"""Play batches of games to their end by policies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.core.jit import zeros
from agemonia_env.policies.scripted import ScriptedPolicy
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset

Records = NDArray[Any]

NO_CHECKS = np.zeros(0, np.int64)  # invariants are not checked
PER_DRAW = 4  # numbers that Philox draws per step of its counter


def game_seeds(seed: int, stream: int, games: range) -> NDArray[np.uint64]:
    """Seeds of games, below 2**63; each depends only on `seed`, `stream` and the game's number.

    Philox is counter-based (Salmon et al., SC 2011), so any game can be drawn directly. stream:
    keeps these seeds apart from other uses of `seed`.
    """
    counter = np.random.Philox(key=np.array([seed, stream], np.uint64))
    counter.advance(games.start // PER_DRAW)
    before = games.start % PER_DRAW
    drawn: NDArray[np.uint64] = counter.random_raw(before + len(games))[before:]
    return drawn >> np.uint64(1)


def start_games(
    rules: Ruleset,
    contents: Records,
    which: NDArray[np.int16],
    seeds: NDArray[np.uint64],
    *,
    control: int,
) -> Records:
    """States (n,) at their first decision; game i plays contents[which[i]].

    control: bits of Control, such as those of Arguments.control().
    """
    n = len(seeds)
    states = zeros(rules.STATE, n)
    select = np.ones(n, np.uint8)
    rules.api.reset(states, contents, which, seeds, select, control, rules.api.NO_ROWS)
    return states


def play_batches(
    rules: Ruleset,
    contents: Records,
    which: NDArray[np.int16],
    seeds: NDArray[np.uint64],
    policy: Policy,
    *,
    control: int,
    max_decisions: int,
    enemy_policy: Policy | None = None,
) -> Iterator[Records]:
    """Play the games of these seeds; yield states of at most `policy.batch` ended games.

    policy: of the heroes; enemy_policy: of the enemy side, if `control` lets it decide. A game is
    aborted after `max_decisions`.
    """
    batch = policy.batch if enemy_policy is None else min(policy.batch, enemy_policy.batch)
    for first in range(0, len(seeds), batch):
        part = slice(first, first + batch)
        states = start_games(rules, contents, which[part], seeds[part], control=control)
        games = states, contents, which[part]
        play_to_end(rules, games, (policy, enemy_policy), control, max_decisions)
        yield states


def play_to_end(
    rules: Ruleset,
    games: tuple[Records, Records, NDArray[np.int16]],
    agents: tuple[Policy, Policy | None],
    control: int,
    max_decisions: int,
) -> None:
    """Play games to their end, or for `max_decisions`.

    games: states, contents, which; agents: policies of the heroes and of the enemy side, None if
    the first decides for both.
    """
    policy, enemy_policy = agents
    if isinstance(policy, ScriptedPolicy) and enemy_policy is None:
        rules.api.rollout(*games, policy.number, control, max_decisions, NO_CHECKS)
    else:
        play_on(rules, games, agents, control, max_decisions)


def play_on(
    rules: Ruleset,
    games: tuple[Records, Records, NDArray[np.int16]],
    agents: tuple[Policy, Policy | None],
    control: int,
    max_decisions: int,
) -> None:
    """As `play_to_end`, one decision per game at a time."""
    states, contents, which = games
    raw = states.view(np.uint8).reshape(len(states), -1)  # copying by fields takes 8 times as long
    going, sides = np.flatnonzero(states["ending"] == GOING_ON), np.zeros(len(states), np.uint8)
    for _ in range(max_decisions):
        if not len(going):
            break
        if agents[1] is not None:
            rules.api.write_sides(states, sides)
        for side, policy in enumerate(agents):
            asked = going[sides[going] == side]
            if policy is None or not len(asked):
                continue
            part = raw[asked].view(states.dtype).reshape(-1)
            actions = policy.choose(part, contents, which[asked])
            denials = np.zeros(len(part), np.int16)
            rules.api.step(
                part, contents, which[asked], actions, control, rules.api.NO_ROWS, denials
            )
            raw[asked] = part.view(np.uint8).reshape(len(part), -1)
        going = going[states["ending"][going] == GOING_ON]
