"""Games of HexDungeon that exercise its rules: see agemonia_env/rulesets/behaviour.py."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from agemonia_env.rulesets.arguments import TIES

from ..content.load import Pack
from ..content.schema import LEVELS
from ..core.layout import N_HEROES

TABLES = 12  # games of each scenario


def behaviour_games(pack: Pack, tables: int = TABLES) -> Iterator[dict[str, Any]]:
    """Arguments of games of every scenario of a pack, `tables` of each.

    They depend only on the name of the scenario, so a new scenario does not change the others.
    """
    names = pack.card.party
    for scenario in pack.scenarios:
        first = zlib.crc32(scenario.encode())
        for k in range(tables):
            table = first + k
            size = min(1 + table % N_HEROES, len(names))
            yield {
                "scenario": scenario,
                "heroes": [names[(table + i) % len(names)] for i in range(size)],
                "level": LEVELS[(k + k // TABLES) % len(LEVELS)],
                "ties": TIES[k // 2 % len(TIES)],
            }
