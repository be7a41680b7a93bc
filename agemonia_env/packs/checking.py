"""Which environment a content pack is of, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agemonia_env.rulesets.ruleset import DEFAULT, load, ruleset_of

from .folders import env_of
from .patches import split

CHECKS = {  # by the id of an environment
    DEFAULT: "agemonia_env.rulesets.agemonia.content.compile:check",
    "HexDungeon-v0": "agemonia_env.rulesets.hexdungeon.content.compile:check",
}


def mistakes_of(pack: str, env: str | None = None) -> list[str]:
    """Every mistake of a pack, in words, with its changes if it has any.

    env: of which environment the pack is; None: the one that its name or its files tell. Raises
    ValueError for an unknown environment.
    """
    chosen = env or env_of(split(pack)[0]) or DEFAULT
    check: Callable[[str | Path], list[str]] = load(CHECKS[ruleset_of(chosen).env_id])
    return check(pack)
