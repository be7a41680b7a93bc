"""Which environment a content pack is of, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agemonia_env.rulesets.doors import DEFAULT, doors_of

from .folders import env_of
from .patches import split


def mistakes_of(pack: str, env: str | None = None) -> list[str]:
    """Every mistake of a pack, in words, with its changes if it has any.

    env: of which environment the pack is; None: the one that its name or its files tell. Raises
    ValueError for an unknown environment.
    """
    chosen = env or env_of(split(pack)[0]) or DEFAULT
    check: Callable[[str | Path], list[str]] = doors_of(chosen).open("check_pack")
    return check(pack)
