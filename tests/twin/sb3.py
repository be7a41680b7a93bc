"""The twin for Stable-Baselines3."""

from agemonia_env.envs.sb3 import RulesetVecEnv

from .ruleset import TWIN


class TwinVecEnv(RulesetVecEnv):
    ruleset = TWIN
