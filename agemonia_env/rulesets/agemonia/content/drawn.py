"""Scenarios drawn from seeds for a party of Agemonia."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
from .party import read_member
from .written import scenario_of


class AgemoniaGenerator(Generator):
    """As Generator. api: of the core; arguments: AgemoniaArguments."""

    TABLE = KNOBS

    def __init__(self, api: Any, arguments: Any) -> None:
        given = arguments.heroes
        self.heroes = given if isinstance(given, int) else list(given)
        self.pack, self.level = load_pack(arguments.pack), arguments.level or 1
        self._chosen = arguments.difficulty, arguments.enemy_will
        drawing, parts = drawing_of(self.pack, self.heroes, self.level, *self._chosen)
        party = json.dumps(self.heroes, sort_keys=True)
        made_with = f"{RULES_VERSION} {split(self.pack.name)[0]} {party}"
        super().__init__(api, arguments, drawing, parts, made_with)

    def card(self, plan: Any, seed: int) -> schema.Scenario:
        """The scenario of a PLAN record as a file of a pack."""
        given = not isinstance(self.heroes, int)
        return scenario_of(self.pack, plan, seed, self.level, given=given)

    def look(self, plan: Any, seed: int) -> Compiled:
        """As Generator.look."""
        return compile_card(
            *(self.pack, self.card(plan, seed), self.heroes, self.level, *self._chosen)
        )

    def figures(self, plans: NDArray[Any]) -> dict[str, Figures]:
        """As Generator.figures."""
        pack, linking = self.pack, plans["linking"]
        if isinstance(self.heroes, int):
            members, party = sorted(pack.heroes), plans["hero"][:, : self.heroes]
        else:
            members = [read_member(one).hero for one in self.heroes]
            party = np.tile(np.arange(len(members)), (len(plans), 1))
        slots = linking["ally_of"][:, : len(pack.allies)]  # -1 = not there
        last = np.where(slots < 0, slots.max(initial=0) + 1, slots)
        return {
            "heroes": _figures(pack.heroes, members, party, np.full(len(plans), party.shape[1])),
            "companions": _figures(
                pack.allies, sorted(pack.allies), last.argsort(axis=1), (slots >= 0).sum(axis=1)
            ),
            "enemies": _figures(
                pack.enemies,
                sorted(pack.enemies),
                linking["type"],
                (linking["type_of"] >= 0).sum(axis=1),
            ),
        }


def _figures(
    cards: Mapping[str, Any], keys: Sequence[str], numbers: NDArray[Any], n: NDArray[Any]
) -> Figures:
    """Figures by the names of their cards, in as many columns as are used."""
    return Figures([cards[key].name for key in keys], numbers[:, : n.max(initial=0)], n)
