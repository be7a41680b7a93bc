"""A content pack in memory: the cards of all its files."""

from __future__ import annotations

from dataclasses import dataclass

from agemonia_env.packs.loading import PackFiles

from . import schema


@dataclass(frozen=True)
class Pack(PackFiles):
    """The files of a pack: items by their keys, all other cards by the names of their files."""

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
