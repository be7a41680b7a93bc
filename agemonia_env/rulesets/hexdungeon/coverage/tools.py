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
FOR_CASES = "single rules, for cases; no part of a game"
COMPILED = "called when a scenario is compiled"
FLIGHT = "no card takes flight away; only cases do (G12.8)"
GIVEN = "only cards that say so give it to another figure"
AVOIDED = "monsters and summons go round traps while any way is left (G13.14)"


class HexDungeonCoverageTools(CoverageTools):
    """What can happen in HexDungeon."""

    rule = re.compile(r"\b(?:G\d+\.\d+(?: to G\d+\.\d+)?|H\d+)\b")
    excused = {  # noqa: RUF012 (never changed)
        (
            "condition",
            "invisible, gained by summons",
        ): GIVEN,
        ("damage", "trap, suffered by summons"): AVOIDED,
        ("trap", "sprung by summons"): AVOIDED,
        ("decision", "landing"): FLIGHT,
        ("decision", "rest keep"): "no card counts as discarded while its owner rests (G11.11)",
        (FUNCTION, "api.py"): FOR_CASES,
        (FUNCTION, "commands.py"): FOR_CASES,
        (FUNCTION, "invariants.py"): "used by tests only",
        (FUNCTION, "flow.py run_landing"): FLIGHT,
        (FUNCTION, "rules/area.py settle_template"): COMPILED,
        (FUNCTION, "rules/attack.py suffer_attack"): FOR_CASES,
        (FUNCTION, "rules/board.py link_hexes"): COMPILED,
        (FUNCTION, "rules/board.py list_lines"): COMPILED,
        (FUNCTION, "rules/bonus.py standing_shield"): "for features of actions, and cases",
        (FUNCTION, "rules/force.py is_any_blocked"): FOR_CASES,
        (FUNCTION, "rules/monster.py write_outcomes"): FOR_CASES,
        (FUNCTION, "rules/places.py"): "nobody stands in a room before its door is opened",
        (FUNCTION, "rules/terrain.py landing_"): FLIGHT,
        (FUNCTION, "rules/terrain.py lose_flight"): FLIGHT,
        (FUNCTION, "rules/terrain.py obstacle_denial"): FOR_CASES,
        (FUNCTION, "rules/terrain.py run_hazard"): "a map draws one kind of terrain on a hex",
        (FUNCTION, "rules/terrain.py trap_damage"): FLIGHT,
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
