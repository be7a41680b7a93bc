"""The environments, written once: Gymnasium, Stable-Baselines3 and PettingZoo, for any ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agemonia_env.rulesets.doors import doors_of

if TYPE_CHECKING:
    from .sb3 import RulesetVecEnv
    from .single import RulesetEnv
    from .vector import RulesetVectorEnv


def env_class(env_id: str) -> type[RulesetEnv]:
    """The single environment of a ruleset, by the id of its environment."""
    found: type[RulesetEnv] = doors_of(env_id).open("single")
    return found


def vector_env_class(env_id: str) -> type[RulesetVectorEnv]:
    """The vector environment of a ruleset."""
    found: type[RulesetVectorEnv] = doors_of(env_id).open("vector")
    return found


def vec_env_class(env_id: str) -> type[RulesetVecEnv]:
    """The `VecEnv` of a ruleset; this imports Stable-Baselines3."""
    found: type[RulesetVecEnv] = doors_of(env_id).open("sb3")
    return found
