"""Checks a content pack with the ruleset it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agemonia_env.rulesets.doors import DEFAULT, doors_of

from .archives import unpacked
from .folders import env_of
from .patches import SEPARATOR, split


def mistakes_of(pack: str, env: str | None = None) -> list[str]:
    """Describe every mistake in a pack, its changes included.

    pack: name, folder or zip archive, with changes if any. env: the pack's environment; None
    detects it from the name or files. Raises ValueError for an unknown environment, or an archive
    that holds no pack.
    """
    name, changes = split(pack)
    with unpacked(name) as found:
        chosen = env or env_of(found) or DEFAULT
        check: Callable[[str | Path], list[str]] = doors_of(chosen).open("check_pack")
        return check(SEPARATOR.join([found, *changes]))
