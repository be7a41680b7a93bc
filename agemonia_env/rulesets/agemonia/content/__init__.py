"""Content packs: what files may say (schema), how they are read (load) and compiled (compile)."""

from agemonia_env.packs.folders import ContentError

from .compile import Compiled, check, compile_scenario
from .load import load_pack, scenarios
from .pack import Pack

__all__ = [
    "Compiled",
    "ContentError",
    "Pack",
    "check",
    "compile_scenario",
    "load_pack",
    "scenarios",
]
