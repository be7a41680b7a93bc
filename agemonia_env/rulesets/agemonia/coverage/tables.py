"""Which games are played: every scenario, party size, difficulty and level, spread evenly."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ..content.compile import LEVELS, RANDOM, Compiled, compile_scenario
from ..content.pack import Pack
from ..content.party import grow, read_member
from ..content.schema import DIFFICULTIES
from ..core.layout import N_HEROES_MAX
from ..core.policies import Policy

TABLES = 1200
"""Most parties; further games are more games of each of them."""
DRAWS = 50
"""Parties drawn for one table until one fits the scenario (R17.3, R18.6)."""
MAX_ITEMS = 7
DEFAULT, WOUNDS, INJURY, CONDITION, GEMS = 0.4, 0.1, 0.1, 0.1, 0.3  # how often

Member = dict[str, Any]


@dataclass(frozen=True)
class GameSetup:
    """A scenario with a party, and the seeds of its games."""

    number: int
    scenario: str
    heroes: int
    level: int
    difficulty: str
    enemy_will: str
    seeds: range

    def shares(self) -> tuple[tuple[Policy, range], tuple[Policy, range]]:
        """Half of the seeds for random play, half for greedy play."""
        half = (len(self.seeds) + self.number % 2) // 2
        return (Policy.RANDOM, self.seeds[:half]), (Policy.GREEDY, self.seeds[half:])

    def compile(self, pack: Pack) -> Compiled:
        """The content, for a party drawn from the table's number.

        Raises ValueError if no party drawn fits.
        """
        random = Random(self.number)
        for draw in range(DRAWS):
            try:
                return compile_scenario(
                    pack,
                    self.scenario,
                    draw_party(pack, random, self.heroes, self.level),
                    level=self.level,
                    difficulty=self.difficulty,
                    enemy_will=self.enemy_will,
                    scenario_seed=self.number,
                )
            except ValueError:
                if draw == DRAWS - 1:
                    raise
        raise AssertionError("unreachable")


def draw_tables(pack: Pack, games: int, seed: int) -> list[GameSetup]:
    """Tables with `games` games in all, as different from each other as possible."""
    random = Random(seed)
    places: list[tuple[str, int, int, str]] = []
    for scenario in (*pack.scenarios, RANDOM):
        levels = DIFFICULTIES if is_graded(pack, scenario) else ("normal",)
        sizes = range(1, N_HEROES_MAX + 1)
        places += itertools.product([scenario], sizes, LEVELS, levels)
    random.shuffle(places)
    n = min(games, TABLES)
    tables, first = [], seed
    for number, place in enumerate(itertools.islice(itertools.cycle(places), n)):
        share = games // n + (number < games % n)
        will = ("card", "free")[number % 2]
        tables.append(GameSetup(seed + number, *place, will, range(first, first + share)))
        first += share
    return tables


def is_graded(pack: Pack, scenario: str) -> bool:
    """Whether a scenario has levels of difficulty."""
    return scenario == RANDOM or bool(pack.scenarios[scenario].difficulty)


# ---- parties ------------------------------------------------------------------------------------
def draw_party(pack: Pack, random: Random, heroes: int, level: int) -> list[Member]:
    """Different Heroes with classes, skills and items of all kinds, some of them wounded."""
    names = random.sample(sorted(pack.heroes), heroes)
    return [draw_member(pack, random, name, level) for name in names]


def draw_member(pack: Pack, random: Random, name: str, level: int) -> Member:
    """A Hero of the level, in a form that content.party takes."""
    hero = pack.heroes[name]
    member: Member = {"hero": name}
    if level > 1:
        kind = random.choice(hero.classes)
        skills = random.sample([skill.name for skill in kind.skills], level - 1)
        member |= {"class": kind.name, "skills": skills}
    if random.random() < WOUNDS:
        member["wounds"] = random.randint(1, 2)
    if random.random() < INJURY:
        member["injuries"] = [random.choice(pack.injuries.cards).name]
    if random.random() < CONDITION:
        member["conditions"] = [random.choice(["blessed", "invisible", "bleeding", "slowed"])]
    if random.random() < GEMS:
        member |= {"inspiration": random.randint(0, 2), "achievement": random.randint(0, 3)}
    if random.random() >= DEFAULT:
        member["items"] = draw_items(pack, random, member, level)
    return member


def draw_items(pack: Pack, random: Random, member: Member, level: int) -> list[str]:
    """Items that the Hero can take along; Hero-specific ones stay with their Hero (R17.5)."""
    own = [key for key in pack.heroes[member["hero"]].items if pack.items[key].own]
    others = [key for key, card in pack.items.items() if not card.own]
    keys = own + random.sample(others, random.randint(1, MAX_ITEMS))
    while not fits(pack, member, keys, level):
        keys.pop()
    return keys


def fits(pack: Pack, member: Member, keys: Sequence[str], level: int) -> bool:
    """R17.3 - whether the Hero can carry these items."""
    try:
        grow(pack, read_member(member | {"items": list(keys)}), level)
    except ValueError:
        return False
    return True
