"""The environments, for any ruleset: Gymnasium, Stable-Baselines3 and PettingZoo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agemonia_env.rulesets.doors import doors_of

if TYPE_CHECKING:
    from .sb3 import RulesetVecEnv
    from .single import RulesetEnv
    from .vector import RulesetVectorEnv


def env_class(env_id: str) -> type[RulesetEnv]:
    """The single environment of a ruleset, by environment id."""
    cls: type[RulesetEnv] = doors_of(env_id).open("single")
    return cls


def vector_env_class(env_id: str) -> type[RulesetVectorEnv]:
    """The vector environment of a ruleset."""
    cls: type[RulesetVectorEnv] = doors_of(env_id).open("vector")
    return cls


def vec_env_class(env_id: str) -> type[RulesetVecEnv]:
    """The Stable-Baselines3 `VecEnv` of a ruleset."""
    cls: type[RulesetVecEnv] = doors_of(env_id).open("sb3")
    return cls
