"""Coverage of Agemonia, as `agemonia coverage` asks for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from agemonia_env.rulesets.coverage import CoverageTools, Entry, GameSetup

from ..content.compile import Compiled
from ..content.pack import Pack
from . import counting
from .names import all_entries
from .tables import AgemoniaSetup, draw_setups

FUNCTION = "rule function"
ENEMIES_CANNOT = "R12.0a: Enemies cannot have it"
ONLY_CASES = "only cases try actions that are denied"


class AgemoniaCoverageTools(CoverageTools):
    """What can happen in Agemonia."""

    rule = re.compile(r"\b(?:R\d+\.\d+[a-z]?(?: to R\d+\.\d+[a-z]?)?|Q\d+)\b")
    excused = {  # noqa: RUF012 (never changed)
        ("condition", "invisible, gained by Enemies"): ENEMIES_CANNOT,
        ("condition", "blessed, gained by Enemies"): ENEMIES_CANNOT,
        ("condition", "cursed, gained by Enemies"): ENEMIES_CANNOT,
        (FUNCTION, "commands.py"): "single rules, for cases; no part of a game",
        (FUNCTION, "invariants.py"): "used by tests only",
        (FUNCTION, "rules/enemy_turn.py attack_denial"): ONLY_CASES,
        (FUNCTION, "rules/items.py item_lying_denial"): ONLY_CASES,
        (FUNCTION, "rules/pushing.py reach_denial"): ONLY_CASES,
        (FUNCTION, "rules/stamina.py mixed_denial"): ONLY_CASES,
        (FUNCTION, "rules/turn.py start_denial"): ONLY_CASES,
    }

    def entries(self, pack: Pack) -> Iterator[Entry]:
        """As CoverageTools.entries."""
        return all_entries(pack)

    def setups(self, pack: Pack, games: int, seed: int) -> Sequence[AgemoniaSetup]:
        """Every scenario, party size, difficulty and level, and Enemies with and without will."""
        return draw_setups(pack, games, seed)

    def count(
        self, setup: GameSetup, compiled: Compiled, seeds: range, policy: str
    ) -> Counter[Entry]:
        """As CoverageTools.count, by the compiled core."""
        return counting.count(setup, compiled, seeds, policy)


COVERAGE_TOOLS = AgemoniaCoverageTools()
