"""Games of Agemonia that exercise its rules: see agemonia_env/rulesets/behaviour.py.

Random players are soon exhausted and find little. So the parties start with what makes rules
matter: items of every kind, conditions, wounds, injuries and gems.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from agemonia_env.rulesets.arguments import RANDOM

from ..content.compile import LEVELS
from ..content.pack import Pack
from ..content.party import burden, in_use
from ..content.schema import DIFFICULTIES
from ..core.layout import N_HEROES_MAX
from ..core.terms import Condition

TABLES = 12  # games of each scenario
MAX_ITEMS = 8  # carried by one Hero
CONDITIONS = [condition.name.lower() for condition in Condition]
CONTROL: tuple[dict[str, str], ...] = (
    {"ties": "ask"},
    {"ties": "auto"},
    {"ties": "ask", "enemy_will": "free", "side": "both"},
)


def behaviour_games(pack: Pack, tables: int = TABLES) -> Iterator[dict[str, Any]]:
    """Arguments of games of every scenario of a pack, and of procedural ones.

    They depend only on the name of the scenario, so a new scenario does not change the others.
    tables: games of each scenario; those after the first TABLES have numbers without a pattern.
    """
    for scenario in (*pack.scenarios, RANDOM):
        first = zlib.crc32(scenario.encode())
        graded = scenario == RANDOM or pack.scenarios[scenario].difficulty
        for k in range(tables):
            table = first + k
            numbers = [table + i for i in range(N_HEROES_MAX)]
            if k >= TABLES:
                numbers = [zlib.crc32(b"%d" % n) for n in numbers]
            yield {
                "scenario": scenario,
                "heroes": party(pack, table, numbers, more_skills=k >= TABLES),
                "difficulty": DIFFICULTIES[numbers[0] % len(DIFFICULTIES)] if graded else "normal",
                "scenario_seed": k if scenario == RANDOM else None,
                **CONTROL[k % len(CONTROL)],
            }


def party(
    pack: Pack, table: int, numbers: Sequence[int], *, more_skills: bool
) -> list[dict[str, Any]]:
    """1 to 4 heroes, different ones for each table; numbers: one for each of them."""
    names = list(pack.heroes)
    size = min(1 + table % N_HEROES_MAX, len(names))
    chosen = [names[(3 * table + i) % len(names)] for i in range(size)]
    return [
        member(pack, name, n, more_skills=more_skills)
        for name, n in zip(chosen, numbers, strict=False)
    ]


def member(pack: Pack, name: str, n: int, *, more_skills: bool = False) -> dict[str, Any]:
    """A hero of some level and class, with items; every third one starts wounded.

    more_skills: any skills of the class, not the first ones.
    """
    hero, level = pack.heroes[name], LEVELS[n % len(LEVELS)]
    card: dict[str, Any] = {"hero": name, "level": level, "items": items(pack, name, n)}
    if level > 1:
        kind = hero.classes[n // 2 % len(hero.classes)]
        card["class"] = kind.name
        if more_skills:
            skills = [skill.name for skill in kind.skills]
            card["skills"] = [*skills, *skills][n // 4 % len(skills) :][: level - 1]
    if n % 3 == 0:
        card |= {"wounds": 2, "spent": 1, "inspiration": 3, "achievement": 4}
        card["conditions"] = [CONDITIONS[n % len(CONDITIONS)]]
        card["injuries"] = [pack.injuries.cards[n % len(pack.injuries.cards)].name]
    return card


def items(pack: Pack, name: str, n: int) -> list[str]:
    """The Hero's own items, and others of the pack that are not too heavy with them."""
    hero, keys = pack.heroes[name], list(pack.items)
    chosen = list(hero.items)
    for i in range(len(keys)):
        more = [*chosen, keys[(7 * n + i) % len(keys)]]
        active = in_use([pack.items[key] for key in more], hero.hands)
        weight, limit = burden(pack, more, active, 0)
        if len(set(more)) == len(more) <= MAX_ITEMS and weight <= limit:
            chosen = more
    return chosen
