"""HexDungeon for PettingZoo: each character an agent. It needs the extra `marl`."""

from agemonia_env.envs.pettingzoo import RulesetAECEnv, RulesetParallelEnv

from ..ruleset import HEXDUNGEON


class HexDungeonAECEnv(RulesetAECEnv):
    """`pettingzoo.make("aec", "HexDungeon-v0")`: the agent asked acts, as in `AgemoniaAECEnv`.

    Arguments are those of `HexDungeonEnv`. Monsters make no decisions, so there is no `enemy_0`.
    The first character that is not exhausted answers questions to all players together; the owner
    of a summon answers for it.
    """

    ruleset = HEXDUNGEON


class HexDungeonParallelEnv(RulesetParallelEnv):
    """`pettingzoo.make("parallel", "HexDungeon-v0")`: all act at once, most of them pass.

    Otherwise as `HexDungeonAECEnv`.
    """

    ruleset = HEXDUNGEON
