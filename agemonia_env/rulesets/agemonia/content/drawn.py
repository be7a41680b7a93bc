"""Scenarios drawn from seeds for a party of Agemonia."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.generators import Generator

from . import schema
from .compile import RULES_VERSION, Compiled, compile_card
from .knobs import KNOBS
from .library import drawing_of
from .load import load_pack
from .names import Names
from .party import read_member
from .written import scenario_of

if TYPE_CHECKING:
    from ..arguments import AgemoniaArguments


class AgemoniaGenerator(Generator):
    """As Generator, for the arguments of an env."""

    TABLE = KNOBS

    def __init__(self, arguments: AgemoniaArguments) -> None:
        from ..core import api

        given = arguments.heroes
        self.heroes = given if isinstance(given, int) else list(given)
        self.pack, self.level = load_pack(arguments.pack), arguments.level or 1
        self._chosen = arguments.difficulty, arguments.enemy_will
        drawing, parts = drawing_of(self.pack, self.heroes, self.level, *self._chosen)
        party = json.dumps(self.heroes, sort_keys=True)
        made_with = f"{RULES_VERSION} {self.pack.name} {party}"
        super().__init__(api, arguments, drawing, parts, made_with)

    def card(self, plan: NDArray[Any], seed: int) -> schema.Scenario:
        """The scenario as a file of a pack."""
        given = not isinstance(self.heroes, int)
        return scenario_of(self.pack, plan[0], seed, self.level, given=given)

    def look(self, plan: NDArray[Any], seed: int) -> Compiled:
        """As Generator.look."""
        return compile_card(
            *(self.pack, self.card(plan, seed), self.heroes, self.level, *self._chosen)
        )

    def figures(self, plan: NDArray[Any]) -> Names:
        """As Generator.figures: names of Allies and of Enemy types."""
        pack, linking = self.pack, plan["linking"][0]
        heroes, enemies, allies = sorted(pack.heroes), sorted(pack.enemies), sorted(pack.allies)
        if isinstance(self.heroes, int):
            party = [heroes[k] for k in plan["hero"][0, : self.heroes]]
        else:
            party = [read_member(one).hero for one in self.heroes]
        slots = linking["ally_of"][: len(allies)]
        others = [allies[k] for k in np.argsort(slots, kind="stable") if slots[k] >= 0]
        types = [enemies[k] for k in linking["type"][: (linking["type_of"] >= 0).sum()]]
        return Names(
            allies=(*(pack.heroes[k].name for k in party), *(pack.allies[k].name for k in others)),
            types=tuple(pack.enemies[k].name for k in types),
        )
