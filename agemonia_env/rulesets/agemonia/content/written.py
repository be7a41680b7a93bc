"""A drawn scenario as a file of a pack: names and texts for what the generator has drawn."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from ..core.generator.plan import Line
from ..core.terms import Objective
from . import schema
from .difficulty import LEVELS, toughened
from .drawing import BLOCK_HEIGHT, BLOCK_WIDTH
from .pack import Pack

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
OUTSIDE = "."
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
PLACES = tuple(f"{a} {b}" for a in FIRST_WORDS for b in SECOND_WORDS)
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
CHECKED = "A gate, a winch, and a chain that has not moved for years. It will move now."
MORE_ENEMIES = "More of them come up from the water."
MORE_TRAPS = "A cord creeps back through the grass, and another."
ABILITIES = "might", "agility", "will"
BORDERS = {Line.HEIGHT: ["single", "height"], Line.DOUBLE: ["double"], Line.BARRIER: ["barrier"]}


def scenario_of(pack: Pack, plan: Any, seed: int, level: int, *, given: bool) -> schema.Scenario:
    """The scenario of a PLAN record.

    given: the Heroes are not those of the scenario, which then recommends all in order.
    """
    random = Random(seed)  # its floats are the same in every version of Python
    heroes, enemies = sorted(pack.heroes), sorted(pack.enemies)
    order = range(len(heroes)) if given else plan["hero"][: len(heroes)].tolist()
    placed = [
        schema.Placement(type=enemies[k], area=LETTERS[x])
        for k, x in zip(plan["setup_type"], plan["setup_area"], strict=True)
    ][: int(plan["n_setup"])]
    goal = _goal(pack, plan)
    return schema.Scenario(
        name=f"{PLACES[int(random.random() * len(PLACES))]} ({seed})",
        text=TEXTS[goal.kind],
        map=_map(pack, plan, random),
        start=LETTERS[plan["start"]],
        heroes=[heroes[k] for k in order],
        setup=placed,
        objective=goal,
        health={place.type: toughened(pack, place.type, level) for place in placed},
        last_round=int(plan["last_round"]),
        events=_events(plan, enemies),
        allies=[schema.Companion(ally=goal.ally)] if goal.ally else [],
        sections=dict(_gate(plan, k) for k in range(plan["n_gates"])),
        difficulty=LEVELS,
        level=level,
    )


def _map(pack: Pack, plan: Any, random: Random) -> schema.DrawnMap:
    """The map as a content file draws it."""
    columns, n = int(plan["columns"]), int(plan["n_areas"])
    drawn = [OUTSIDE if x < 0 else LETTERS[x] for x in plan["cell"]]
    rows = [
        "".join(symbol * BLOCK_WIDTH for symbol in drawn[y * columns : (y + 1) * columns])
        for y in range(plan["rows"])
        for _ in range(BLOCK_HEIGHT)
    ]
    left, items = list(PLACES), sorted(pack.items)
    areas: dict[str, Any] = {}
    for x in range(n):
        name = left.pop(int(random.random() * len(left)))
        area = {"name": name, "capacity": int(plan["capacity"][x]), "level": int(plan["level"][x])}
        area["trap"] = bool(plan["trap"][x])
        if plan["portal"][x]:
            area["teleport"] = {"colour": "blue"}
        area["items"] = [items[k] for k in plan["item_at"][x, : plan["n_at"][x]]]
        areas[LETTERS[x]] = area
    borders = [
        [LETTERS[a], LETTERS[b], *BORDERS[Line(plan["border"][a, b])]]
        for a in range(n)
        for b in range(n)
        if plan["border"][a, b] in BORDERS
    ]
    return schema.DrawnMap.model_validate({"rows": rows, "areas": areas, "borders": borders})


def _goal(pack: Pack, plan: Any) -> schema.Goal:
    """The objective."""
    kind, subject = Objective(plan["objective"]), int(plan["subject"])
    goal: dict[str, Any] = {"kind": kind.name.lower()}
    if plan["number"]:
        goal["number"] = int(plan["number"])
    if plan["goes_to"]:
        goal["areas"] = [LETTERS[plan["goal"]]]
    named: dict[Objective, tuple[str, Mapping[str, Any]]] = {
        Objective.DEFEAT_TYPE: ("type", pack.enemies),
        Objective.COLLECT: ("item", pack.items),
        Objective.ESCORT: ("ally", pack.allies),
    }
    if kind in named:
        field, cards = named[kind]
        goal[field] = sorted(cards)[subject]
    return schema.Goal.model_validate(goal)


def _events(plan: Any, enemies: list[str]) -> list[schema.EventCard]:
    """Reinforcements, and traps that are set again."""
    events = []
    for k in range(plan["n_events"]):
        effects: list[dict[str, Any]]
        enemy, places = plan["reinforces"][k], plan["place"][k, : plan["n_places"][k]]
        if enemy >= 0:
            new = {"type": enemies[enemy], "area": LETTERS[plan["goal"]]}
            new |= {"per_hero": bool(plan["per_hero"])}
            text, effects = MORE_ENEMIES, [{"reinforce": new}]
        else:
            text, effects = MORE_TRAPS, [{"trap": LETTERS[x]} for x in places]
        card = {"when": "round", "number": int(plan["round"][k]), "text": text, "effects": effects}
        events.append(schema.EventCard.model_validate(card))
    return events


def _gate(plan: Any, k: int) -> tuple[str, schema.Section]:
    """Gate k: a story section with a check, a step of the objective."""
    letter, bits = LETTERS[plan["gate"][k]], int(plan["gate_abilities"][k])
    abilities = [name for j, name in enumerate(ABILITIES) if bits >> j & 1]
    check = {"ability": abilities, "number": int(plan["gate_number"][k])}
    place = {"area": letter, "trigger": "choice", "range": 0, "maneuver": True}
    result = {"effects": [{"advance": 1}], "failed": [{"harm": 1}]}
    card = {"text": CHECKED, "check": check} | place | result
    return f"gate-{letter.lower()}", schema.Section.model_validate(card)
