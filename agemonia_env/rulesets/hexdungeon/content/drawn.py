"""Scenarios drawn from seeds for a party of HexDungeon."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from agemonia_env.rulesets.generators import Generator

from . import schema
from .compile import RULES_VERSION, Compiled, Names, compile_card
from .knobs import KNOBS
from .library import drawing_of
from .load import load_pack
from .party import choose_party
from .written import scenario_of

if TYPE_CHECKING:
    from ..arguments import HexDungeonArguments


class HexDungeonGenerator(Generator):
    """As Generator, for the arguments of an env."""

    TABLE = KNOBS

    def __init__(self, arguments: HexDungeonArguments) -> None:
        from ..core import api

        self.pack, self.level = load_pack(arguments.pack), arguments.level
        self.party = choose_party(self.pack, arguments.heroes)
        drawing, parts = drawing_of(self.pack, self.party, self.level)
        heroes = json.dumps(arguments.heroes, sort_keys=True)
        made_with = f"{RULES_VERSION} {self.pack.name} {heroes}"
        super().__init__(api, arguments, drawing, parts, made_with)

    def card(self, plan: NDArray[Any], seed: int) -> schema.Scenario:
        """The scenario as a file of a pack."""
        return scenario_of(self.pack, plan[0], seed)

    def look(self, plan: NDArray[Any], seed: int) -> Compiled:
        """As Generator.look."""
        return compile_card(self.pack, self.card(plan, seed), self.party, self.level)

    def figures(self, plan: NDArray[Any]) -> Names:
        """As Generator.figures: names of characters and of monster types."""
        names = sorted(self.pack.monsters)
        listed = plan["monster"][0, : plan["n_monsters"][0]].tolist()
        types = [self.pack.monsters[names[k]].name for k in dict.fromkeys(listed)]
        return Names(
            heroes=tuple(character.hero_class.name for character in self.party),
            kinds=tuple(types),
        )
