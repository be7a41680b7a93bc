"""The twin for PettingZoo."""

from agemonia_env.envs.pettingzoo import RulesetAECEnv, RulesetParallelEnv

from .ruleset import TWIN


class TwinAECEnv(RulesetAECEnv):
    ruleset = TWIN


class TwinParallelEnv(RulesetParallelEnv):
    ruleset = TWIN
