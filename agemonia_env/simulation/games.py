"""Games played to their end by policies, a batch of states at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.core.jit import zeros
from agemonia_env.policies.scripted import ScriptedPolicy
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset

Records = NDArray[Any]

NO_CHECKS = np.zeros(0, np.int64)  # invariants are not looked at


def joined(parts: Sequence[Records]) -> Records:
    """Records of one dtype, one part after another; as plain Python they stay readable by name."""
    records = zeros(parts[0].dtype, sum(map(len, parts)))
    records.view(np.uint8)[:] = np.concatenate([part.view(np.uint8) for part in parts])
    return records


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


def played(
    rules: Ruleset,
    contents: Records,
    which: NDArray[np.int16],
    seeds: NDArray[np.uint64],
    policy: Policy,
    *,
    control: int,
    max_decisions: int,
    rival: Policy | None = None,
) -> Iterator[Records]:
    """Play the games that these seeds fix -> states of `policy.batch` ended games or fewer.

    policy: of those who are asked; rival: of the enemy side, where `control` has it asked, too. A
    game longer than `max_decisions` is given up.
    """
    batch = policy.batch if rival is None else min(policy.batch, rival.batch)
    for first in range(0, len(seeds), batch):
        part = slice(first, first + batch)
        states = start_games(rules, contents, which[part], seeds[part], control=control)
        games = states, contents, which[part]
        if isinstance(policy, ScriptedPolicy) and rival is None:
            rules.api.rollout(*games, policy.number, control, max_decisions, NO_CHECKS)
        else:
            play_on(rules, games, (policy, rival), control, max_decisions)
        yield states


def play_on(
    rules: Ruleset,
    games: tuple[Records, Records, NDArray[np.int16]],
    seats: tuple[Policy, Policy | None],
    control: int,
    max_decisions: int,
) -> None:
    """Play games to their end, in each a decision at a time.

    games: states, contents, which; seats: who answers for the Heroes and for the enemy side, None =
    the first one for both.
    """
    states, contents, which = games
    raw = states.view(np.uint8).reshape(len(states), -1)  # fields take 8 times as long to copy
    going, sides = np.flatnonzero(states["ending"] == GOING_ON), np.zeros(len(states), np.uint8)
    for _ in range(max_decisions):
        if not len(going):
            break
        if seats[1] is not None:
            rules.api.write_sides(states, sides)
        for side, policy in enumerate(seats):
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
