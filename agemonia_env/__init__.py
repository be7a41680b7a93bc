"""Agemonia and HexDungeon as Gymnasium environments: compiled cores, masks, baselines, tools.

Importing this package registers `Agemonia-v0`, `AgemoniaGauntlet-v0` and `HexDungeon-v0` and
nothing else: a core is loaded, and compiled where it never was, by the first environment that is
made, or by the first call of `simulate`.
"""

from gymnasium.envs.registration import register, registry

from agemonia_env.simulation import simulate

__all__ = ["simulate"]
__version__ = "0.1.0"

if "Agemonia-v0" not in registry:
    register(
        id="Agemonia-v0",
        entry_point="agemonia_env.rulesets.agemonia.envs.single:AgemoniaEnv",
        vector_entry_point="agemonia_env.rulesets.agemonia.envs.vector:AgemoniaVectorEnv",
    )
if "AgemoniaGauntlet-v0" not in registry:
    register(
        id="AgemoniaGauntlet-v0",
        entry_point="agemonia_env.rulesets.agemonia.envs.gauntlet:AgemoniaGauntletEnv",
    )
if "HexDungeon-v0" not in registry:
    register(
        id="HexDungeon-v0",
        entry_point="agemonia_env.rulesets.hexdungeon.envs.single:HexDungeonEnv",
        vector_entry_point="agemonia_env.rulesets.hexdungeon.envs.vector:HexDungeonVectorEnv",
    )
