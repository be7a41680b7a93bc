"""The environments of the twin."""

from agemonia_env.envs.single import RulesetEnv
from agemonia_env.envs.vector import RulesetVectorEnv

from .ruleset import TWIN


class TwinEnv(RulesetEnv):
    ruleset = TWIN


class TwinVectorEnv(RulesetVectorEnv):
    ruleset = TWIN
