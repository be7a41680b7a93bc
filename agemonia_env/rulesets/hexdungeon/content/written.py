"""A drawn scenario as a file of a pack: a map as text, a name and a text for what was drawn."""

from __future__ import annotations

from random import Random
from typing import Any

from ..core.generator.shapes import PADDED, Cell, Rank
from ..core.layout import N_HEROES
from ..core.terms import Goal
from . import board, schema
from .load import Pack

LETTERS = "abcdefghijklmnopqrs"  # of monsters
SYMBOLS = {
    Cell.OUTSIDE: board.WALL,
    Cell.FLOOR: board.FLOOR,
    Cell.DOOR: board.DOOR,
    Cell.WALL: board.WALL,
    Cell.OBSTACLE: board.OBSTACLE,
    Cell.HAZARD: board.HAZARD,
    Cell.DIFFICULT: board.DIFFICULT,
    Cell.TRAP: board.TRAP,
    Cell.START: board.START,
    Cell.EXIT: board.EXIT,
    Cell.LOOT: board.LOOT,
}
FIRST_WORDS = (
    *("Amber", "Ashen", "Bent", "Blind", "Bricked", "Broken", "Burnt", "Clouded", "Cold"),
    *("Cracked", "Deep", "Dim", "Dripping", "Flooded", "Forgotten", "Green", "Hollow", "Lower"),
    *("Narrow", "Old", "Painted", "Quiet", "Red", "Rusted", "Salt", "Sealed", "Smoking"),
    *("Sooty", "Sunken", "Walled"),
)
SECOND_WORDS = (
    *("Annex", "Arcade", "Bellows", "Bunker", "Cistern", "Court", "Crucible", "Culvert"),
    *("Depot", "Drain", "Flue", "Foundry", "Gallery", "Grate", "Hearth", "Kitchens", "Landing"),
    *("Lockup", "Oven", "Passage", "Pits", "Quarter", "Ramp", "Shaft", "Storehouse", "Tunnels"),
    *("Undercroft", "Vats", "Wharf", "Workshop"),
)
PLACES = tuple(f"{a} {b}" for a in FIRST_WORDS for b in SECOND_WORDS)
GOALS: dict[Goal, schema.GoalName] = {
    Goal.DEFEAT: "defeat",
    Goal.SURVIVE: "survive",
    Goal.REACH: "reach",
    Goal.LOOT: "loot",
}
TEXTS = {
    Goal.DEFEAT: "Whatever moved in here has to move out again. Leave none of it behind.",
    Goal.SURVIVE: "The gates open at a fixed hour, and not before. Last until then.",
    Goal.REACH: "There is a way out at the far end. Everybody who is left has to stand on it.",
    Goal.LOOT: "What lies about here is worth more than it looks. Carry off enough of it.",
}


def scenario_of(pack: Pack, plan: Any, seed: int) -> schema.Scenario:
    """The scenario of a PLAN record, for any number of characters and any level."""
    random = Random(seed)  # its floats are the same in every version of Python
    goal = Goal(int(plan["goal"]))
    monsters = sorted(pack.monsters)
    n = int(plan["n_monsters"])
    letters = dict(zip(plan["at"].tolist(), LETTERS[:n], strict=False))
    legend = {
        letter: schema.Symbol(
            monster=monsters[plan["monster"][k]],
            heroes=[_rank(plan["rank"][k, heroes]) for heroes in range(N_HEROES)],
        )
        for k, letter in enumerate(LETTERS[:n])
    }
    return schema.Scenario(
        name=f"{PLACES[int(random.random() * len(PLACES))]} ({seed})",
        text=TEXTS[goal],
        map=_map(plan, letters),
        legend=legend,
        goal=schema.Goal(kind=GOALS[goal], number=int(plan["goal_amount"])),
        last_round=int(plan["last_round"]),
    )


def _rank(number: int) -> schema.RankName:
    names: tuple[schema.RankName, ...] = "none", "normal", "elite"
    return names[Rank(number)]


def _map(plan: Any, letters: dict[int, str]) -> str:
    """The map as docs/hexdungeon-packs.md describes it."""
    width, height = int(plan["width"]), int(plan["height"])
    lines = [" ".join(str(column % 10) for column in range(width))]
    for row in reversed(range(height)):
        for odd in (1, 0):
            symbols = [" "] * width
            for column in range(odd, width, 2):
                cell = (column + 1) * PADDED + row + 1
                what = Cell(plan["cell"][cell])
                symbols[column] = letters[cell] if what == Cell.MONSTER else SYMBOLS[what]
            lines.append(" ".join(symbols).rstrip())
    return "\n".join(lines) + "\n"
