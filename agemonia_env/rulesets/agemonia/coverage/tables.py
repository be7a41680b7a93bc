"""Which games are played: every scenario, party size, difficulty and level, spread evenly."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from agemonia_env.rulesets.coverage import GameSetup, spread

from ..content.compile import LEVELS, RANDOM, Compiled, compile_scenario
from ..content.pack import Pack
from ..content.party import grow, read_member
from ..content.schema import DIFFICULTIES
from ..core.layout import N_HEROES_MAX

DRAWS = 50
"""Parties drawn for one setup until one fits the scenario (R17.3, R18.6)."""
MAX_ITEMS = 7
DEFAULT, WOUNDS, INJURY, CONDITION, GEMS = 0.4, 0.1, 0.1, 0.1, 0.3  # how often

Member = dict[str, Any]


@dataclass(frozen=True)
class AgemoniaSetup(GameSetup):
    """And its difficulty, and what moves the Enemies."""

    difficulty: str
    enemy_will: str

    def compile(self, pack: Pack) -> Compiled:
        """As GameSetup.compile."""
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


def draw_setups(pack: Pack, games: int, seed: int) -> list[AgemoniaSetup]:
    """Setups with `games` games in all, as different from each other as possible."""
    random = Random(seed)
    places: list[tuple[str, int, int, str]] = []
    for scenario in (*pack.scenarios, RANDOM):
        levels = DIFFICULTIES if is_graded(pack, scenario) else ("normal",)
        sizes = range(1, N_HEROES_MAX + 1)
        places += itertools.product([scenario], sizes, LEVELS, levels)
    random.shuffle(places)
    return [
        AgemoniaSetup(
            number, *place[:3], seeds, place[3], enemy_will=("card", "free")[(number - seed) % 2]
        )
        for number, place, seeds in spread(places, games, seed)
    ]


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
