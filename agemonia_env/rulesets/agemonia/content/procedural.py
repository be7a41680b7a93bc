"""Procedural scenarios: map, Enemies and objective drawn from a seed, solvable by construction.

The seed is independent of the game's dice: it gives the same scenario for any number of games. A
scenario is solvable because every area can be reached on foot over single lines, items lie in such
areas, and the goal has room for the whole party.

Only `random.Random.random` is used, whose sequence Python guarantees for every version.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from . import schema
from .drawing import BLOCK_HEIGHT, BLOCK_WIDTH
from .pack import Pack
from .words import SIZES

TRAIN_SEEDS = range(100_000)
"""Seeds to train on; a policy may memorise their maps."""
TEST_SEEDS = range(1_000_000, 1_001_000)
"""Seeds to test on: never train on these."""
VARIED_SEEDS = range(2_000_000, 2_100_000)
"""Seeds to train on with more variety: any heroes, and any kind of objective, equally likely."""

Thing = TypeVar("Thing")
Cell = tuple[int, int]  # column, row of a block of the map
Pair = tuple[str, str]

MAX_AREAS = 20
MAX_TYPES = 5
OPEN, OPEN_START = (
    3,
    7,
)  # least capacity of an area, and of the start, with the objective to hold out
MIN_OF_ALL, MAX_OF_ALL = 0.07, 0.25  # of the strength in one Enemy, without the leader
LEAST = 16.0  # enough strength for any Enemy
TOUGHER = 1  # health per Hero of every Enemy for each level of the Heroes above the first
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
FIRST_WORDS = (
    *("Alder", "Amber", "Ash", "Barrow", "Bitter", "Black", "Cold", "Crooked", "Drowned", "Eel"),
    *("Far", "Fallow", "Gravel", "Grey", "Heron", "Hollow", "Long", "Low", "Marl", "Mill"),
    *("Moss", "Narrow", "Old", "Otter", "Peat", "Quiet", "Reed", "Salt", "Sunken", "Willow"),
)
SECOND_WORDS = (
    *("Bank", "Bend", "Bridge", "Carr", "Croft", "Dike", "Eyot", "Fen", "Ferry", "Ford"),
    *("Garth", "Gate", "Hythe", "Island", "Landing", "Lock", "Mere", "Path", "Pool", "Quay"),
    *("Reach", "Shallows", "Sluice", "Stair", "Stones", "Strand", "Wall", "Weir", "Wharf", "Yard"),
)
PLACES_NAMED = tuple(f"{a} {b}" for a in FIRST_WORDS for b in SECOND_WORDS)
HILL, RIDGE, WALL, TRAP, PORTAL, NARROW = 0.7, 0.5, 0.12, 0.12, 0.35, 0.1  # how often
FINDS = 2  # items on the map, at most
OBJECTIVES: tuple[str, ...] = (
    *("defeat_all", "defeat_all", "defeat_all", "defeat_type", "defeat_type"),
    *("hold", "reach", "reach", "collect"),
)
EVERY_OBJECTIVE = tuple(schema.OBJECTIVES)  # with VARIED_SEEDS
# Share of the Enemies' strength placed at the start
SHARE = {"defeat_type": 0.7, "reach": 0.55, "escort": 0.55, "disarm": 0.8, "advance": 0.8}
PLACES = 3  # with an item to collect, a check to pass or a trap set again
LEVELS: dict[schema.DifficultyName, schema.Difficulty] = {
    "easy": schema.Difficulty(target=0.85, health=-2, rounds=2, gems=2),
    "normal": schema.Difficulty(target=0.6),
    "hard": schema.Difficulty(target=0.4, per_hero=1, rounds=-1),
    "brutal": schema.Difficulty(target=0.2, health=1, per_hero=1, value=1, rounds=-2),
}
FEWER = -min(change.rounds for change in LEVELS.values())  # rounds, at the hardest


def draw_scenario(pack: Pack, seed: int, heroes: int, level: int = 1) -> schema.Scenario:
    """The scenario of a seed for a number of heroes of a level.

    The map and the kind of objective depend on the seed alone; Enemies and rounds on the party too.
    """
    draw = _Draw(Random(seed))
    board = _draw_map(draw)
    party, objectives = sorted(pack.heroes), OBJECTIVES
    if seed in VARIED_SEEDS:
        party, objectives = draw.some(party), EVERY_OBJECTIVE
    objective = draw.one(objectives)
    if objective == "disarm":
        party.sort(key=lambda hero: pack.heroes[hero].agility, reverse=True)
    if objective == "hold":
        _open_up(board)
    strength = (32 + 10 * heroes) * heroes * (1 + 0.15 * (level - 1))
    common, needed = common_enemies(pack), "without the tag boss"
    if objective == "hold":
        common = [x for x in common if any(one.move for one in _actions(pack.enemies[x].card))]
        needed += " that move"
    if not common:
        raise ValueError(f"pack {pack.name}: scenarios are drawn from enemies {needed}")
    strength *= SHARE.get(objective, 1.0)
    setup = _draw_enemies(draw, pack, board, heroes, strength, common)
    goal, boss = _draw_goal(draw, pack, board, setup, objective, heroes)
    _draw_finds(draw, pack, board)
    events = _reinforcements(draw, board, setup, goal) + _traps_set_again(draw, board, goal)
    rounds = 9 + board.distance[board.goal] + len(setup) // 2
    name = f"{draw.one(FIRST_WORDS)} {draw.one(SECOND_WORDS)}"
    return schema.Scenario(
        name=f"{name} ({seed})",
        text=TEXTS[goal.kind],
        map=board.card(),
        start=board.start,
        heroes=party,
        setup=[*setup, *boss],
        objective=goal,
        health={place.type: toughened(pack, place.type, level) for place in [*setup, *boss]},
        last_round=max(rounds, goal.number + FEWER if goal.kind == "hold" else 0),
        events=events,
        allies=[schema.Companion(ally=goal.ally)] if goal.ally else [],
        sections=_draw_checks(draw, board) if goal.kind == "advance" else {},
        difficulty=LEVELS,
        level=level,
    )


TEXTS = {
    "defeat_all": "They came out of the water in the night. Clear the shore of every one.",
    "defeat_type": "One of them leads the others. Find it, and see that it leads nobody any more.",
    "hold": "The boats cannot sail before the tide turns. Keep the landing until then.",
    "reach": "The way back is cut off. Bring everybody through to the far side, and leave.",
    "collect": "The tolls of a whole year lie scattered here. Gather what you can carry home.",
    "escort": "One of you knows the way, and nobody else does. Bring that one to the far side.",
    "disarm": "Nobody can live here while the traps are set. Make the place safe again.",
    "advance": "The gates of the dike stand open. Close every one before the water rises.",
}
ABILITIES = "might", "agility", "will"
CHECKED = "A gate, a winch, and a chain that has not moved for years. It will move now."


class _Draw:
    """Random choices from one stream of numbers in [0, 1)."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        return int(self.random.random() * n)

    def chance(self, p: float) -> bool:
        """True with probability p."""
        return self.random.random() < p

    def one(self, things: Sequence[Thing]) -> Thing:
        """One of several things."""
        return things[self.below(len(things))]

    def some(self, things: Iterable[Thing]) -> list[Thing]:
        """The things in a random order."""
        left, random = list(things), self.random.random
        return [left.pop(int(random() * n)) for n in range(len(left), 0, -1)]


# ---- the map ------------------------------------------------------------------------------------
@dataclass
class _Board:
    """A map being drawn. Areas are letters."""

    cells: dict[Cell, str]  # area of each block
    start: str
    goal: str = ""
    level: dict[str, int] = field(default_factory=dict)
    kind: dict[Pair, str] = field(default_factory=dict)  # of borders that are not plain single
    area: dict[str, dict[str, Any]] = field(default_factory=dict)
    distance: dict[str, int] = field(default_factory=dict)  # steps on foot from the start
    filled: dict[str, int] = field(default_factory=dict)  # capacity used by Enemies

    @property
    def letters(self) -> list[str]:
        """All areas, in the order of the alphabet."""
        return sorted(set(self.cells.values()))

    def borders(self) -> list[Pair]:
        """Pairs of areas that touch, each once."""
        pairs = set()
        for (x, y), here in self.cells.items():
            for cell in ((x + 1, y), (x, y + 1)):
                there = self.cells.get(cell, here)
                if there != here:
                    pairs.add((min(here, there), max(here, there)))
        return sorted(pairs)

    def steps(self, without: Pair | None = None) -> dict[str, int]:
        """Steps over single lines from the start to every area that they lead to."""
        seen, queue = {self.start: 0}, deque([self.start])
        open_ = [p for p in self.borders() if self.kind.get(p) in (None, "height") and p != without]
        while queue:
            here = queue.popleft()
            for pair in open_:
                there = pair[1] if pair[0] == here else pair[0] if pair[1] == here else here
                if there not in seen:
                    seen[there] = seen[here] + 1
                    queue.append(there)
        return seen

    def card(self) -> schema.DrawnMap:
        """The map as a content file draws it."""
        width = max(x for x, _ in self.cells) + 1
        height = max(y for _, y in self.cells) + 1
        rows = [
            "".join(self.cells.get((x, y), ".") * BLOCK_WIDTH for x in range(width))
            for y in range(height)
            for _ in range(BLOCK_HEIGHT)
        ]
        borders: list[Any] = []
        for (a, b), kind in sorted(self.kind.items()):
            borders.append([a, b, "single", "height"] if kind == "height" else [a, b, kind])
        areas = {x: self.area[x] | {"level": self.level[x]} for x in self.letters}
        return schema.DrawnMap.model_validate({"rows": rows, "areas": areas, "borders": borders})


def _draw_map(draw: _Draw) -> _Board:
    """Blocks in a grid, a few missing, a few joined; a hill, walls, narrow places, traps."""
    columns, rows = 4 + draw.below(3), 3 + draw.below(2)
    blocks = [(x, y) for y in range(rows) for x in range(columns)]
    cells = dict(zip(blocks, range(len(blocks)), strict=True))
    for block in draw.some(blocks):
        missing = {b: n for b, n in cells.items() if b != block}
        if len(cells) > 0.8 * len(blocks) and _is_whole(missing):
            cells = missing
    _join(draw, cells)
    numbers = sorted(set(cells.values()))
    names = dict(zip(numbers, LETTERS, strict=False))
    board = _Board({cell: names[n] for cell, n in cells.items()}, start="")
    board.start = board.cells[min(board.cells)]
    _raise_hill(draw, board)
    _wall_off(draw, board)
    board.distance = board.steps()
    board.goal = max(board.letters, key=lambda x: (board.distance[x], x))
    _furnish(draw, board)
    return board


def _is_whole(cells: dict[Cell, int]) -> bool:
    """Whether all blocks are connected."""
    queue = deque([next(iter(cells))])
    seen = set(queue)
    while queue:
        x, y = queue.popleft()
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if cell in cells and cell not in seen:
                seen.add(cell)
                queue.append(cell)
    return len(seen) == len(cells)


def _join(draw: _Draw, cells: dict[Cell, int]) -> None:
    """Join neighbouring blocks into larger areas, at least until there are few enough."""
    joined: set[int] = set()
    for x, y in draw.some(cells):
        beside = cells.get((x + 1, y) if draw.chance(0.5) else (x, y + 1))
        here = cells[x, y]
        wanted = len(set(cells.values())) > MAX_AREAS or draw.chance(0.2)
        if wanted and beside is not None and beside != here and not {here, beside} & joined:
            joined.add(here)
            for cell, n in cells.items():
                if n == beside:
                    cells[cell] = here


def _raise_hill(draw: _Draw, board: _Board) -> None:
    """One area and some of its neighbours are higher; most of the edge between is steep."""
    board.level = dict.fromkeys(board.letters, 0)
    if not draw.chance(HILL):
        return
    top = draw.one([x for x in board.letters if x != board.start])
    board.level[top] = 1
    for a, b in board.borders():
        if top in (a, b) and draw.chance(0.6):
            board.level[b if a == top else a] = 1
    board.level[board.start] = 0
    for pair in draw.some(board.borders()):
        if board.level[pair[0]] != board.level[pair[1]]:
            steep = draw.chance(RIDGE) and len(board.steps(without=pair)) == len(board.level)
            board.kind[pair] = "double" if steep else "height"


def _wall_off(draw: _Draw, board: _Board) -> None:
    """Solid barriers, where every area can still be walked to."""
    for pair in draw.some(board.borders()):
        walled = pair not in board.kind and draw.chance(WALL)
        if walled and len(board.steps(without=pair)) == len(board.letters):
            board.kind[pair] = "barrier"


def _furnish(draw: _Draw, board: _Board) -> None:
    """Names, capacities, traps and a pair of teleport tokens."""
    names = draw.some(PLACES_NAMED)
    for letter in board.letters:
        capacity = 1 if draw.chance(NARROW) else 2 + draw.below(3)
        board.area[letter] = {"name": names.pop(), "capacity": capacity}
        if letter in (board.start, board.goal):
            board.area[letter]["capacity"] = 4
        elif draw.chance(TRAP):
            board.area[letter]["trap"] = True
    if draw.chance(PORTAL):
        for letter in draw.some(board.letters)[:2]:
            board.area[letter]["teleport"] = {"colour": "blue"}


def _open_up(board: _Board) -> None:
    """Widen narrow places and the start, so that Enemies can reach the heroes."""
    for letter, area in board.area.items():
        area["capacity"] = OPEN_START if letter == board.start else max(OPEN, area["capacity"])


# ---- Enemies, objective, finds ------------------------------------------------------------------
def cost(card: schema.EnemySheet, heroes: int) -> float:
    """Strength of one Enemy: its health against a number of heroes, and its abilities."""
    health = card.health.base + card.health.per_hero * heroes
    attacks = [action.attack for action in _actions(card)]
    values = [attack.value or 1 for attack in attacks if attack is not None]
    return health * (1 + 0.35 * card.shield) + sum(values) / 1.5


def _draw_enemies(
    draw: _Draw, pack: Pack, board: _Board, heroes: int, strength: float, common: list[str]
) -> list[schema.Placement]:
    """Enemies of a few types up to the strength, where there is room, none beside the start."""
    least, most = min(MIN_OF_ALL * strength, LEAST), MAX_OF_ALL * strength
    fair = [x for x in common if least <= cost(pack.enemies[x].card, heroes) <= most]
    types = draw.some(fair if len(fair) > 2 else common)[: 2 + draw.below(MAX_TYPES - 2)]
    setup: list[schema.Placement] = []
    left, misses = strength, 0
    while misses < 12 and len(setup) < 14:
        name = draw.one(types)
        price = cost(pack.enemies[name].card, heroes)
        area = _room(draw, board, SIZES[pack.enemies[name].card.size])
        if area is None or (price > left and setup):
            misses += 1
            continue
        left -= price
        setup.append(schema.Placement(type=name, area=area))
    return setup


def toughened(pack: Pack, name: str, level: int) -> schema.Health:
    """R10.3 - health of an Enemy against Heroes of a level."""
    health = pack.enemies[name].card.health
    return health.model_copy(update={"per_hero": health.per_hero + TOUGHER * (level - 1)})


def _actions(card: schema.EnemySheet) -> Sequence[schema.EnemyAction]:
    return card.actions.staring, card.actions.open, card.actions.closed


def tags_of(pack: Pack, name: str) -> set[str]:
    """Tags of an Enemy, in small letters."""
    return {tag.lower() for tag in pack.enemies[name].card.tags}


def _room(draw: _Draw, board: _Board, size: int) -> str | None:
    """An area with room for a figure, two steps or more from the start; it takes it."""
    for letter in draw.some(board.letters):
        used = board.filled.get(letter, 0)
        fits = used + size <= min(3, board.area[letter]["capacity"])
        if board.distance[letter] >= 2 and fits:
            board.filled[letter] = used + size
            return letter
    return None


def _draw_goal(
    draw: _Draw,
    pack: Pack,
    board: _Board,
    setup: list[schema.Placement],
    objective: str,
    heroes: int,
) -> tuple[schema.Goal, list[schema.Placement]]:
    """The objective, and the leader that it may name."""
    if objective == "defeat_type":
        leaders = [x for x in sorted(pack.enemies) if "elite" in tags_of(pack, x)]
        leaders = [x for x in leaders if x not in {p.type for p in setup}]
        area = None
        if leaders:
            name = draw.one(leaders)
            area = _room(draw, board, SIZES[pack.enemies[name].card.size])
        if area is not None:
            boss = schema.Placement(type=name, area=area)
            return schema.Goal(kind="defeat_type", type=name, number=1), [boss]
        return schema.Goal(kind="defeat_all"), []
    if objective == "hold":
        return schema.Goal(kind="hold", number=7 + 5 * heroes // 2 + draw.below(3)), []
    if objective == "reach":
        return schema.Goal(kind="reach", areas=[board.goal]), []
    if objective == "collect":
        light = [x for x in sorted(pack.items) if pack.items[x].weight == 0]
        if not light:
            return schema.Goal(kind="defeat_all"), []
        item = draw.one(light)
        places = _places(draw, board)
        for letter in places:
            board.area[letter]["items"] = [item]
        return schema.Goal(kind="collect", item=item, number=len(places)), []
    if objective == "escort" and pack.allies:
        ally = draw.one(sorted(pack.allies))
        board.area[board.start]["capacity"] = OPEN_START  # the Ally needs room, too
        return schema.Goal(kind="escort", ally=ally, areas=[board.goal]), []
    if objective == "disarm":
        for letter in _places(draw, board, MAX_AREAS):
            board.area[letter]["trap"] = True
        return schema.Goal(kind="disarm", number=2), []
    if objective == "advance":
        return schema.Goal(kind="advance", number=PLACES), []
    return schema.Goal(kind="defeat_all"), []


def common_enemies(pack: Pack) -> list[str]:
    """Enemies that scenarios have; a boss is none."""
    return [x for x in sorted(pack.enemies) if "boss" not in tags_of(pack, x)]


def useful_items(pack: Pack) -> list[str]:
    """Items that lie on maps."""
    return [x for x in sorted(pack.items) if pack.items[x].effects and not pack.items[x].own]


def _places(draw: _Draw, board: _Board, most: int = PLACES) -> list[str]:
    """Areas for the objective, two steps or more from the start."""
    return [x for x in draw.some(board.letters) if board.distance[x] >= 2][:most]


def _draw_checks(draw: _Draw, board: _Board) -> dict[str, schema.Section]:
    """Story sections with a check, each a step of the objective."""
    sections = {}
    for letter in _places(draw, board):
        abilities = draw.some(ABILITIES)[: 1 + draw.below(2)]
        check = {"ability": abilities, "number": 3 + draw.below(2)}
        place = {"area": letter, "trigger": "choice", "range": 0, "maneuver": True}
        result = {"effects": [{"advance": 1}], "failed": [{"harm": 1}]}
        card = {"text": CHECKED, "check": check} | place | result
        sections[f"gate-{letter.lower()}"] = schema.Section.model_validate(card)
    return sections


def _draw_finds(draw: _Draw, pack: Pack, board: _Board) -> None:
    """Useful items on the map."""
    useful = useful_items(pack)
    for letter in draw.some(board.letters)[: draw.below(FINDS + 1)] if useful else ():
        board.area[letter].setdefault("items", []).append(draw.one(useful))


def _reinforcements(
    draw: _Draw, board: _Board, setup: list[schema.Placement], goal: schema.Goal
) -> list[schema.EventCard]:
    """Reinforcements at the far end, for objectives about time."""
    if goal.kind not in ("hold", "reach", "escort") or not setup:
        return []
    events, hold = [], goal.kind == "hold"
    for round_ in range(3, goal.number, 3) if hold else range(2, 9, 3):
        new = schema.Reinforce(type=draw.one(setup).type, area=board.goal, per_hero=hold)
        text = "More of them come up from the water."
        effect = schema.Consequence(reinforce=new)
        events.append(schema.EventCard(when="round", number=round_, text=text, effects=[effect]))
    return events


def _traps_set_again(draw: _Draw, board: _Board, goal: schema.Goal) -> list[schema.EventCard]:
    """New traps, since a check that fails uses a trap up."""
    if goal.kind != "disarm":
        return []
    return [
        schema.EventCard(
            when="round",
            number=round_,
            text="A cord creeps back through the grass, and another.",
            effects=[schema.Consequence(trap=letter) for letter in _places(draw, board)],
        )
        for round_ in range(3, 13, 3)
    ]
