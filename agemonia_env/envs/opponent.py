"""An opponent outside the core: any policy that answers for the side nobody else plays."""

from __future__ import annotations

import numpy as np

from agemonia_env.core.env_slots import Command
from agemonia_env.policies import check_policy, model_file, policy_of
from agemonia_env.rulesets.arguments import Arguments
from agemonia_env.rulesets.policy import Policy
from agemonia_env.rulesets.ruleset import Ruleset

from .slot_arrays import SlotArrays


def opponent_of(ruleset: Ruleset, arguments: Arguments) -> Policy | None:
    """The policy outside the core that plays the side not asked; None if there is no need.

    Raises ValueError for an unknown one, and for a model that cannot be read, needed or not.
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


def answer(ruleset: Ruleset, policy: Policy, arrays: SlotArrays) -> bool:
    """Have the policy answer in every slot that waits for it; whether there was any.

    Sets actions and commands of the next call of the core, in which all other slots skip.
    """
    waiting = np.flatnonzero(arrays.slots["waiting"])
    if not len(waiting):
        return False
    states = arrays.raw[waiting].view(arrays.states.dtype).reshape(-1)
    which = arrays.slots["which"][waiting]
    arrays.actions[waiting] = policy.choose(states, arrays.contents, which)
    arrays.raw[waiting] = states.view(np.uint8).reshape(len(waiting), -1)  # the luck it has drawn
    arrays.commands[:] = Command.SKIP
    arrays.commands[waiting] = Command.PLAY
    return True


def check_answers(ruleset: Ruleset, policy: Policy, arrays: SlotArrays) -> None:
    """ValueError if the policy has just chosen what is illegal: it would be asked for ever."""
    played = arrays.commands == Command.PLAY
    wrong = np.flatnonzero(played & (arrays.slots["opponent_denial"] != 0))
    if len(wrong):
        i = int(wrong[0])
        reason = ruleset.DENIAL_TEXTS[int(arrays.slots["opponent_denial"][i])]
        action = int(arrays.actions[i])
        raise ValueError(f"opponent {policy.name!r}: action {action} is illegal: {reason}")
