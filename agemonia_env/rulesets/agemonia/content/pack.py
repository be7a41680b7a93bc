"""A content pack in memory: the cards of all its files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import schema


@dataclass(frozen=True)
class Pack:
    """The files of a pack: items by their keys, all other cards by the names of their files.

    name: of its folder, and its changes if there are any: `core; enemies.wisp.card.shield +1`.
    """

    name: str
    folder: Path
    card: schema.PackCard
    initiative: schema.InitiativeDeck
    fate: schema.FateDeck
    injuries: schema.InjuryDeck
    traps: schema.TrapDeck
    heroes: dict[str, schema.Hero]
    enemies: dict[str, schema.Enemy]
    scenarios: dict[str, schema.Scenario]
    items: dict[str, schema.ItemCard]
    figures: dict[str, schema.FigureCard]
    allies: dict[str, schema.AllyCard]
    gauntlets: dict[str, schema.Gauntlet]
    sources: dict[str, str]  # the file of each item
