"""Coverage of HexDungeon, as `agemonia coverage` asks for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from agemonia_env.rulesets.coverage import CoverageTools, Entry, GameSetup

from ..content.compile import Compiled
from ..content.load import Pack
from . import counting
from .names import all_entries
from .tables import HexDungeonSetup, draw_setups

FUNCTION = "rule function"


class HexDungeonCoverageTools(CoverageTools):
    """What can happen in HexDungeon."""

    rule = re.compile(r"\b(?:G\d+\.\d+(?: to G\d+\.\d+)?|H\d+)\b")
    excused = {  # noqa: RUF012 (never changed)
    }

    def entries(self, pack: Pack) -> Iterator[Entry]:
        """As CoverageTools.entries."""
        return all_entries(pack)

    def setups(self, pack: Pack, games: int, seed: int) -> Sequence[HexDungeonSetup]:
        """Every scenario, party size and level."""
        return draw_setups(pack, games, seed)

    def count(
        self, setup: GameSetup, compiled: Compiled, seeds: range, policy: str
    ) -> Counter[Entry]:
        """As CoverageTools.count, decision by decision."""
        return counting.count(setup, compiled, seeds, policy)


COVERAGE_TOOLS = HexDungeonCoverageTools()
