"""Agemonia and HexDungeon as Gymnasium environments: compiled cores, masks, baselines, tools.

Importing this package registers `Agemonia-v0`, `AgemoniaGauntlet-v0` and `HexDungeon-v0` and
nothing else: a core is loaded, and compiled where it never was, by the first environment that is
made, or by the first call of `simulate` or `forecast`.
"""

from agemonia_env.forecasting import forecast
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.simulation import simulate

__all__ = ["forecast", "simulate"]
__version__ = "0.1.0"

for doors in RULESETS.values():
    doors.register()
