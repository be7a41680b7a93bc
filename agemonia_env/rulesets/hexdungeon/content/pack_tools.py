"""What the balance lab asks of HexDungeon's packs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agemonia_env.files.documents import Place
from agemonia_env.rulesets.pack_tools import PackTools

from . import schema
from .compile import RULES_VERSION, choose_party
from .load import FORMAT, load_pack, types_of


class HexDungeonPackTools(PackTools):
    """Packs of HexDungeon; its effects have names, so a name is never left out."""

    version = RULES_VERSION
    format = FORMAT
    optional = (schema.Line, schema.AttackEffect, schema.Bonus)
    metrics = {"hp_left": ("hero_hp", "hit points left")}  # noqa: RUF012 (never changed)

    def scenario_files(
        self, pack: str, scenario: str, heroes: Any, level: int | None
    ) -> Iterator[Place]:
        """The scenario, its monsters, and the classes of the party."""
        loaded = load_pack(pack)
        yield "scenarios", scenario
        yield from (("monsters", name) for name in types_of(loaded.scenarios[scenario]))
        yield from (("classes", name) for name in choose_party(loaded, heroes))


PACK_TOOLS = HexDungeonPackTools()
