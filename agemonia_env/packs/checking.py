"""Checks a content pack with the ruleset it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agemonia_env.display.messages import first_of
from agemonia_env.rulesets.doors import DEFAULT, doors_of

from .archives import unpacked
from .folders import env_of, pack_folder
from .patches import SEPARATOR, split


def mistakes_of(pack: str, env: str | None = None) -> list[str]:
    """Describe the first mistakes in a pack, its changes included, and say how many more there are.

    pack: name, folder or zip archive, with changes if any. env: the pack's environment; None
    detects it from the name or files. Raises ValueError for an unknown environment or pack, or an
    archive that holds no pack.
    """
    name, changes = split(pack)
    with unpacked(name) as found:
        chosen = env or env_of(found) or DEFAULT
        check: Callable[[str | Path], list[str]] = doors_of(chosen).open("check_pack")
        pack_folder(chosen, found)
        return first_of(check(SEPARATOR.join([found, *changes])))
