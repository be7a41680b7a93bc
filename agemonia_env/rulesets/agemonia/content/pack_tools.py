"""What the balance lab asks of Agemonia's packs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agemonia_env.core.event_log import LogRow
from agemonia_env.files.documents import Place
from agemonia_env.packs.patches import plain
from agemonia_env.rulesets.pack_tools import PackTools, Part, UsageTools, Use

from ..core.layout import N_ALLIES
from ..core.terms import Event, Rider
from . import schema
from .compile import RULES_VERSION
from .load import FORMAT, load_pack
from .party import Grown, choose_party

USES = (Event.USE, Event.BOOST, Event.RIDE)  # of an item


class AgemoniaPackTools(PackTools):
    """Packs of Agemonia."""

    version = RULES_VERSION
    format = FORMAT
    optional = (
        schema.Attack,
        schema.Strike,
        schema.Horns,
        schema.Passive,
        schema.Riposte,
        schema.Levels,
        schema.TypeLevels,
        schema.ItemRider,
        schema.Skill,
        schema.Goal,
    )
    names = frozenset({"name"})
    metrics = {"chips_left": ("hero_disk", "chips left")}  # noqa: RUF012 (never changed)

    def scenario_files(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterator[Place]:
        """The scenario, every Enemy that it names, and the Heroes."""
        loaded = load_pack(pack)
        yield "scenarios", scenario
        named = set(_words(plain(loaded.scenarios[scenario])))
        yield from (("enemies", name) for name in loaded.enemies if name in named)
        for hero in _party(pack, scenario, heroes, level):
            yield "heroes", hero.key


class AgemoniaUsageTools(UsageTools):
    """Actions and items of Heroes."""

    note = "Weapons and armour work by themselves, so their uses are not counted."

    def parts(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterator[tuple[Part, list[Any]]]:
        """Actions and items of Heroes, each with the party that goes without it."""
        party, items = _party(pack, scenario, heroes, level), load_pack(pack).items
        members = _members(party, heroes)
        for k, hero in enumerate(party):
            for action in hero.actions:
                lacked = [*members[k].get("without", ()), action.name]
                part = Part("action", hero.hero.name, action.name)
                yield part, _changed(members, k, without=lacked)
            for j, key in enumerate(hero.items):
                left = [*hero.items[:j], *hero.items[j + 1 :]]
                part = Part("item", hero.hero.name, items[key].name)
                yield part, _changed(members, k, items=left)

    def recommended(self, pack: str, scenario: str) -> list[str]:
        """Heroes of the scenario's card."""
        return load_pack(pack).scenarios[scenario].heroes

    def usable_items(self, compiled: Any) -> set[str]:
        """Names of items of which one of USES is logged."""
        items, names = compiled.content[0]["item"], compiled.names.items
        chosen = (items["n"] > 0) | (items["special"] > 0) | (items["rider"] != Rider.NONE)
        chosen |= (items["boost"] > 0).any(1) | (items["boost_active"] > 0).any(1)
        return {name for name, used in zip(names, chosen, strict=False) if used}

    def use_of(self, compiled: Any, row: LogRow) -> Use | None:
        """The action or item that an Ally uses."""
        if not 0 <= row.figure < N_ALLIES or row.figure >= len(compiled.names.allies):
            return None
        who = compiled.names.allies[row.figure]
        if row.event in USES:
            return "item", who, compiled.names.items[row.amount]
        if row.event == Event.ACT:
            slots = compiled.content[0]["sheet"][row.figure]["token"].tolist()
            names = compiled.names.tokens[row.figure]
            if row.amount in slots:
                return "action", who, names[slots.index(row.amount)]
        return None


def _party(pack: str, scenario: str, heroes: Any, level: int | None) -> list[Grown]:
    """The Heroes that play."""
    loaded = load_pack(pack)
    card = loaded.scenarios[scenario]
    return choose_party(loaded, card, heroes, level or card.level)


def _members(party: Sequence[Grown], heroes: Any) -> list[dict[str, Any]]:
    """The Heroes of a party as mappings, whatever they were chosen by."""
    if isinstance(heroes, int):
        return [{"hero": hero.key} for hero in party]
    return [{"hero": one} if isinstance(one, str) else dict(one) for one in heroes]


def _changed(members: Sequence[dict[str, Any]], k: int, **own: Any) -> list[Any]:
    """A party in which one member has something of its own."""
    return [*members[:k], members[k] | own, *members[k + 1 :]]


def _words(value: object) -> Iterator[str]:
    """Every text in plain values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _words(part)


PACK_TOOLS = AgemoniaPackTools()
USAGE_TOOLS = AgemoniaUsageTools()
