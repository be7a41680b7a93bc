"""What the balance lab asks of HexDungeon's packs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agemonia_env.core.event_log import LogRow
from agemonia_env.files.documents import Place
from agemonia_env.rulesets.pack_tools import PackTools, Part, UsageTools, Use

from ..core.terms import Event, Half
from . import schema
from .compile import RULES_VERSION, Compiled
from .load import FORMAT, load_pack, types_of
from .party import INSTEAD, choose_party, half_name, halves, read_member


class HexDungeonPackTools(PackTools):
    """Packs of HexDungeon; its effects have names, so a name is never left out."""

    version = RULES_VERSION
    format = FORMAT
    optional = (schema.Line, schema.AttackEffect, schema.Bonus)
    metrics = {"hp_left": ("hero_hp", "hit points left")}  # noqa: RUF012 (never changed)
    numbered = {  # noqa: RUF012 (never changed)
        (schema.Monster, "levels"): ("level {}", 0),
        (schema.Symbol, "heroes"): ("party of {}", 1),
    }

    def scenario_files(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterator[Place]:
        """The scenario, its monsters, and the classes of the party."""
        loaded = load_pack(pack)
        yield "scenarios", scenario
        yield from (("monsters", name) for name in types_of(loaded.scenarios[scenario]))
        yield from (("classes", one.key) for one in choose_party(loaded, heroes))


class HexDungeonUsageTools(UsageTools):
    """The actions of characters: halves of their cards. There are no items."""

    note = (
        "An action is half a card. Without it the half is Attack 2 (top) or Move 2 (bottom), which "
        "the rules always offer in its place; the card and its initiative stay in the hand."
    )

    def parts(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterator[tuple[Part, list[Any]]]:
        """Every half, with the party that has Attack 2 or Move 2 in its place (G14.2).

        The card and its initiative stay: the number of cards in hand is how long a class lasts.
        """
        party = choose_party(load_pack(pack), heroes)
        chosen = [one.key for one in party] if isinstance(heroes, int) else heroes
        for k, one in enumerate(party):
            lacked = read_member(chosen[k]).without
            for name, _, _ in halves(one.hero_class):
                if name not in lacked:
                    lacking = {"hero": one.key, "without": [*lacked, name]}
                    part = Part("action", one.hero_class.name, name)
                    yield part, [*chosen[:k], lacking, *chosen[k + 1 :]]

    def recommended(self, pack: str, scenario: str) -> list[str]:
        """All classes: every scenario is made for any of them."""
        return load_pack(pack).card.party

    def usable_items(self, compiled: Compiled) -> set[str]:
        """No items."""
        return set()

    def use_of(self, compiled: Compiled, row: LogRow) -> Use | None:
        """The printed action that a character plays; None for Attack 2 or Move 2 in its place."""
        if row.event != Event.PLAY or row.other % len(Half) >= len(INSTEAD):
            return None
        names, side = compiled.names, list(INSTEAD)[row.other % len(Half)]
        card = names.cards[row.figure][row.amount]
        return "action", names.heroes[row.figure], half_name(card, side)


PACK_TOOLS = HexDungeonPackTools()
USAGE_TOOLS = HexDungeonUsageTools()
