"""A content pack in memory: the cards of all its files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from agemonia_env.packs.loading import PackFiles

from . import schema
from .builder import Builder


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

    @cached_property
    def decks(self) -> Builder:
        """Initiative, Fate, Injury and Trap cards as every scenario has them: 0.5 ms."""
        builder = Builder(self.card.rulings)
        for card in self.initiative.cards:
            builder.add_card(card)
        for value in self.fate.values:
            builder.add_fate(value)
        for injury in self.injuries.cards:
            builder.add_injury(injury)
        for trap in self.traps.cards:
            builder.add_trap(trap)
        return builder
