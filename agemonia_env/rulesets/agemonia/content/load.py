"""Read packs: YAML files into schema models, reporting all mistakes at once."""

from __future__ import annotations

from pathlib import Path

from agemonia_env.packs.loading import PackFormat

from . import schema
from .pack import Pack
from .references import enemies_met, reference_mistakes

FORMAT = PackFormat(
    env="Agemonia-v0",
    pack=Pack,
    files={
        ("pack",): ("card", schema.PackCard),
        ("decks", "initiative"): ("initiative", schema.InitiativeDeck),
        ("decks", "fate"): ("fate", schema.FateDeck),
        ("decks", "injury"): ("injuries", schema.InjuryDeck),
        ("decks", "trap"): ("traps", schema.TrapDeck),
    },
    folders={
        "heroes": schema.Hero,
        "enemies": schema.Enemy,
        "scenarios": schema.Scenario,
        "items": schema.ItemCards,
        "figures": schema.FigureCard,
        "allies": schema.AllyCard,
        "gauntlets": schema.Gauntlet,
    },
    needed=("heroes", "enemies", "scenarios"),
    collections=("items",),
    mistakes=reference_mistakes,
    shortcuts={
        schema.Enemy: "card",
        schema.Health: "base",
        schema.InitiativeDeck: "cards",
        schema.FateDeck: "values",
        schema.InjuryDeck: "cards",
        schema.TrapDeck: "cards",
    },
)


def load_pack(name_or_path: str | Path) -> Pack:
    """A pack by name or folder, perhaps with changes: see PackFormat.load."""
    return FORMAT.load(name_or_path)


def scenarios(pack: str | Path | Pack = "core") -> list[str]:
    """Names of the scenarios of a pack."""
    return sorted((pack if isinstance(pack, Pack) else load_pack(pack)).scenarios)


def starter_enemies(pack: str, scenario: str) -> list[str]:
    """Enemies that a pack of this one scenario needs."""
    whole = load_pack(pack)
    return enemies_met(whole, whole.scenarios[scenario])
