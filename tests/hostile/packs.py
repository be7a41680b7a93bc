"""Hostile packs of both rulesets: one or two damaged files in a copy of a sound pack."""

from __future__ import annotations

from pathlib import Path
from random import Random

import agemonia_env

from .mutating import hostile_yaml
from .runner import Attack, Content, tree

HOME = Path(agemonia_env.__file__).parent
CORE = HOME / "rulesets/agemonia/content/packs/core"
HEX = HOME / "rulesets/hexdungeon/content/packs/hex-core"


def damaged(random: Random, source: Path) -> dict[str, Content]:
    """A copy of a pack with one or two damaged files."""
    files: dict[str, Content] = {"pack": tree(source)}
    names = sorted(path.relative_to(source) for path in source.rglob("*.yaml"))
    for name in random.sample(names, random.choice((1, 1, 1, 2))):
        text = (source / name).read_text(encoding="utf-8")
        files[f"pack/{name}"] = hostile_yaml(random, text)
    return files


def core(random: Random) -> Attack:
    """A damaged pack of Agemonia: checked, or played for a moment."""
    commands = (
        ("content", "check", "pack"),
        ("content", "check", "pack"),
        ("info", "--pack", "pack"),
        ("watch", "--pack", "pack", "--seed", "1", "--scenario", "ford"),
    )
    return Attack(random.choice(commands), damaged(random, CORE))


def hexes(random: Random) -> Attack:
    """A damaged pack of HexDungeon: checked, or played for a moment."""
    env = ("--env", "HexDungeon-v0", "--pack", "pack")
    commands = (
        ("content", "check", "pack"),
        ("info", *env),
        ("watch", *env, "--seed", "1", "--scenario", "warm-cellar"),
    )
    return Attack(random.choice(commands), damaged(random, HEX))
