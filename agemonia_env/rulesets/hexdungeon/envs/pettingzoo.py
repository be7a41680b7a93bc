"""HexDungeon for PettingZoo: each character an agent. It needs the extra `marl`."""

from agemonia_env.envs.pettingzoo import RulesetAECEnv, RulesetParallelEnv

from ..ruleset import HEXDUNGEON


class HexDungeonAECEnv(RulesetAECEnv):
    """`pettingzoo.make("aec", "HexDungeon-v0")`: whoever is asked acts, as in `AgemoniaAECEnv`.

    Arguments are those of `HexDungeonEnv`. Monsters have no will of their own, so that there is no
    `enemy_0`; what they leave open the players choose together, for whom the first character
    answers that is not exhausted. What a summon is to do its owner answers.
    """

    ruleset = HEXDUNGEON


class HexDungeonParallelEnv(RulesetParallelEnv):
    """`pettingzoo.make("parallel", "HexDungeon-v0")`: all act at once, most of them pass.

    As `HexDungeonAECEnv` beside that.
    """

    ruleset = HEXDUNGEON
