"""Content of HexDungeon: what files may say (schema), how they are read (load) and compiled."""

from agemonia_env.packs.folders import ContentError

from .compile import Compiled, check, compile_scenario
from .load import Pack, load_pack, scenarios

__all__ = [
    "Compiled",
    "ContentError",
    "Pack",
    "check",
    "compile_scenario",
    "load_pack",
    "scenarios",
]
