"""External opponents: policies outside the core that play the other side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agemonia_env.core.env_slots import Command
from agemonia_env.policies import check_policy, model_file, policy_of
from agemonia_env.rulesets.arguments import Arguments
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset

from .slot_arrays import SlotArrays


def external_opponent(ruleset: Ruleset, arguments: Arguments) -> Policy | None:
    """The policy that plays the other side from outside the core; None if none is needed.

    Raises ValueError for an unknown policy, and for an unreadable model even if it is not needed.
    """
    given = arguments.opponent
    if given is None:
        return None
    if isinstance(given, str) or not hasattr(given, "choose"):
        check_policy(given, ruleset.ENEMY_POLICIES, what="opponent")
    if not isinstance(given, str):
        return given if arguments.opposed else None
    if given in ruleset.ENEMY_POLICIES or (not arguments.opposed and model_file(given) is None):
        return None
    policy = policy_of(ruleset, given)
    return policy if arguments.opposed else None


def play_opponent(
    ruleset: Ruleset, policy: Policy, arrays: SlotArrays, call_core: Callable[[], None]
) -> None:
    """Let the policy act until no slot waits for it. ValueError for an illegal action."""
    while _choose(policy, arrays):
        call_core()
        _check_choices(ruleset, policy, arrays)


def _choose(policy: Policy, arrays: SlotArrays) -> bool:
    """Choose an action in every slot that waits for the policy; return whether any does.

    Sets actions and commands for the next call of the core, in which all other slots skip.
    """
    waiting = np.flatnonzero(arrays.slots["waiting"])
    if not len(waiting):
        return False
    states = arrays.raw[waiting].view(arrays.states.dtype).reshape(-1)
    which = arrays.slots["which"][waiting]
    arrays.actions[waiting] = policy.choose(states, arrays.contents, which)
    # The policy has advanced its random stream in the states
    arrays.raw[waiting] = states.view(np.uint8).reshape(len(waiting), -1)
    arrays.commands[:] = Command.SKIP
    arrays.commands[waiting] = Command.PLAY
    return True


def _check_choices(ruleset: Ruleset, policy: Policy, arrays: SlotArrays) -> None:
    """Raise ValueError if an action just chosen was illegal: the policy would be asked forever."""
    played = arrays.commands == Command.PLAY
    wrong = np.flatnonzero(played & (arrays.slots["opponent_denial"] != 0))
    if len(wrong):
        i = int(wrong[0])
        reason = ruleset.DENIAL_TEXTS[int(arrays.slots["opponent_denial"][i])]
        action = int(arrays.actions[i])
        raise ValueError(f"opponent {policy.name!r}: action {action} is illegal: {reason}")
