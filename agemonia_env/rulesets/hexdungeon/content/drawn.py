"""Scenarios drawn from seeds for a party of HexDungeon."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.packs.patches import split
from agemonia_env.rulesets.generators import Figures, Generator

from . import schema
from .compile import RULES_VERSION, Compiled, compile_card
from .knobs import KNOBS
from .library import drawing_of
from .load import load_pack
from .party import choose_party
from .written import scenario_of


class HexDungeonGenerator(Generator):
    """As Generator. api: of the core; arguments: HexDungeonArguments."""

    TABLE = KNOBS

    def __init__(self, api: Any, arguments: Any) -> None:
        self.pack, self.level = load_pack(arguments.pack), arguments.level
        self.party = choose_party(self.pack, arguments.heroes)
        drawing, parts = drawing_of(self.pack, self.party, self.level)
        heroes = json.dumps(arguments.heroes, sort_keys=True)
        made_with = f"{RULES_VERSION} {split(self.pack.name)[0]} {heroes}"
        super().__init__(api, arguments, drawing, parts, made_with)

    def card(self, plan: Any, seed: int) -> schema.Scenario:
        """As Generator.card."""
        return scenario_of(self.pack, plan, seed)

    def look(self, plan: Any, seed: int) -> Compiled:
        """As Generator.look."""
        return compile_card(self.pack, self.card(plan, seed), self.party, self.level)

    def figures(self, plans: NDArray[Any]) -> dict[str, Figures]:
        """As Generator.figures."""
        heroes = [character.hero_class.name for character in self.party]
        party = np.tile(np.arange(len(heroes)), (len(plans), 1))
        monsters = [self.pack.monsters[key].name for key in sorted(self.pack.monsters)]
        most = plans["n_kinds"].max(initial=0)
        return {
            "heroes": Figures(heroes, party, np.full(len(plans), len(heroes))),
            "monsters": Figures(monsters, plans["kind"][:, :most], plans["n_kinds"]),
        }
