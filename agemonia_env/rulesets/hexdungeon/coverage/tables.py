"""Which games are played: every scenario, party size and level, spread evenly."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from random import Random

from agemonia_env.rulesets.coverage import GameSetup, spread

from ..content.compile import Compiled, compile_scenario
from ..content.load import Pack
from ..content.schema import LEVELS
from ..core.layout import N_HEROES


@dataclass(frozen=True)
class HexDungeonSetup(GameSetup):
    """Its party is drawn from all classes."""

    def compile(self, pack: Pack) -> Compiled:
        """As GameSetup.compile."""
        party = Random(self.number).sample(pack.card.party, self.heroes)
        return compile_scenario(pack, self.scenario, party, level=self.level)


def draw_setups(pack: Pack, games: int, seed: int) -> list[HexDungeonSetup]:
    """Setups with `games` games in all, as different from each other as possible."""
    sizes = range(1, min(N_HEROES, len(pack.card.party)) + 1)
    places = list(itertools.product(pack.card.scenarios, sizes, LEVELS))
    Random(seed).shuffle(places)
    return [
        HexDungeonSetup(number, *place, seeds)
        for number, place, seeds in spread(places, games, seed)
    ]
