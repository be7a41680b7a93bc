"""The report of a verb, and the fields of a state, in the words of the format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agemonia_env.core.event_log import read_rows

from ..core.terms import Colour, Ending, Event
from . import queries
from .schema import Ally, Pet, listed
from .world import World, condition_name

N_CONDITIONS = 10

Report = dict[str, Any]


# ---- results ------------------------------------------------------------------------------------
def result(world: World, verb: str, given: Any) -> Report:
    """The report of the verb just done."""
    return RESULTS[verb](world, given) if verb in RESULTS else {}


def _recovered(world: World, stamina: bool) -> Report:
    amount = int(world.state["result"])
    return {"restored": amount if stamina else 0, "healed": 0 if stamina else amount}


def _check(world: World, given: Any) -> Report:
    check = world.state["check"]
    return {"total": int(check["total"]), "success": bool(check["success"])}


def _attack(world: World, given: Any) -> Report:
    attack = world.state["attack"]
    targets = attack["target"][: int(attack["n_targets"])].tolist()
    report: Report = {"overkill": int(attack["overkill"]), "healed": int(attack["healed"])}
    for key in ("damage", "dealt"):
        report[key] = {world.enemy_name(e): int(attack[key][e]) for e in targets}
    return report


def _strike(world: World, given: Any) -> Report:
    strike = world.state["strike"]
    targets = strike["target"][: int(strike["n_targets"])].tolist()
    report: Report = {"targets": [world.ally_name(a) for a in targets]}
    for key, field in (("value", "hit_value"), ("remaining", "remaining")):
        report[key] = {
            world.ally_name(a): int(strike[field][a]) for a in targets if strike[field][a] >= 0
        }
    return report


def _enemy_turn(world: World, given: Any) -> Report:
    turn = world.state["turn"]
    acted = bool(turn["acted"])
    report: Report = {"acted": acted, "path": [], "targets": [], "value": {}, "remaining": {}}
    if acted:
        path = turn["path"][: int(turn["n_walked"])].tolist()
        report["path"] = [world.names.areas[area] for area in path]
        report |= _strike(world, given)
    return report


def _spawn(world: World, given: Any) -> Report:
    slot = int(world.state["spawn"]["slot"])
    if slot < 0:
        return {"spawned": False, "area": None, "number": None}
    world.enter(given.name, slot)
    enemy = world.state["enemy"][slot]
    area = world.names.areas[int(enemy["area"])]
    return {"spawned": True, "area": area, "number": int(enemy["number"])}


def _moved(world: World, given: Any) -> Report:
    """Areas that each figure named was moved."""
    moved = world.state["push"]["moved"]
    codes = {name: world.figure(name) for name in listed(given.targets)}
    return {"moved": {name: int(moved[k]) if k < len(moved) else 0 for name, k in codes.items()}}


def _reveal(world: World, given: Any) -> Report:
    state = world.state
    return {
        "reshuffled": bool(state["reshuffled"]),
        "from": int(state["result"]),
        "card": world.initiative_cards()[int(state["card"])],
    }


def _fate(world: World, given: Any) -> Report:
    state = world.state
    return {
        "card": int(state["fate_card"]) if state["fate_card"] >= 0 else None,
        "event": Event.TIMER in {row.event for row in read_rows(world.log)},
        "sum": sum(_pile(world, "timer")),
        "reshuffled": bool(state["reshuffled"]),
    }


RESULTS: dict[str, Callable[[World, Any], Report]] = {
    "recover": lambda world, given: _recovered(world, given.choice == "stamina"),
    "restore": lambda world, _: _recovered(world, stamina=True),
    "heal": lambda world, _: _recovered(world, stamina=False),
    "active_check": _check,
    "reactive_check": lambda world, _: _values(world.state["check"], int, "total", "remaining"),
    "roll": lambda world, _: {"total": int(world.state["roll"]["successes"])},
    "attack": _attack,
    "drain": lambda world, _: {"healed": int(world.state["result"])},
    "enemy_attack": _strike,
    "enemy_turn": _enemy_turn,
    "spawn": _spawn,
    "push": _moved,
    "pull": _moved,
    "fix_rope": lambda world, _: {"success": bool(world.state["result"])},
    "start_turn": lambda world, _: _values(world.state, int, "actions", "maneuvers"),
    "reveal": _reveal,
    "fate": _fate,
}


# ---- the state ----------------------------------------------------------------------------------
def figure(world: World, name: str) -> Report:
    """All assertable fields of a figure."""
    if name in world.allies:
        return _ally(world, name)
    if name in world.enemies:
        return _enemy(world, name)
    if name in world.figures:
        return _token(world, name)
    # a name that a step should have brought in
    return {"area": None, "conditions": [], "acted": False, "spawned": False}


def _common(world: World, record: Any) -> Report:
    """Fields that every figure has; tokens have no conditions."""
    bits = int(record["conditions"]) if "conditions" in record.dtype.names else 0
    area = int(record["area"])
    return {
        "area": world.names.areas[area] if area >= 0 else None,
        "conditions": [condition_name(n) for n in range(1, N_CONDITIONS + 1) if bits >> n & 1],
        "acted": bool(record["acted"]),
    }


def _values(record: Any, kind: Callable[[Any], Any], *names: str) -> Report:
    """Fields of a record as they are, each as a `kind` of value."""
    return {name: kind(record[name]) for name in names}


def _token(world: World, name: str) -> Report:
    """A summoned token or pet."""
    record = world.state["figure"][world.figures[name]]
    pet = isinstance(world.case.figures.get(name), Pet)
    return _common(world, record) | ({} if pet else _values(record, bool, "spawned"))


def _ally(world: World, name: str) -> Report:
    """A Hero or Non-Hero Ally."""
    state, slot = world.state, world.allies[name]
    record = state["ally"][slot]
    own_turn = int(state["active_ally"]) == slot
    report = _common(world, record)
    report |= {"exhausted": bool(record["exhausted"]), "evade": int(record["evade"])}
    report |= {key: int(state[key]) if own_turn else None for key in ("actions", "maneuvers")}
    if isinstance(world.case.figures[name], Ally):
        return report | _values(record, int, "health")
    rows = zip(record["lock_passive"], record["lock_chips"], strict=True)
    actions = {token: action for action, token in world.tokens[slot].items()}
    return (
        report
        | _values(record, int, "disk", "spent", "wounds", "inspiration", "achievement")
        | {
            "locked": int(record["lock_chips"].sum()),
            "locks": {world.names.passives[row]: int(n) for row, n in rows if row >= 0},
            "wounded": bool(record["wounded"]),
            "injuries": int(record["injury"].sum()),
            "items": _items(world, record["item"]),
            "chosen": actions.get(int(record["token"])),
            "colour": Colour(int(record["colour"])).name.lower(),
        }
    )


def _enemy(world: World, name: str) -> Report:
    """An Enemy; one whose slot another took is defeated."""
    record = world.state["enemy"][world.enemies[name]]
    if name in world.gone:
        gone: Report = {"area": None, "conditions": [], "acted": False}
        return gone | {"health": 0, "defeated": True, "number": None, "spawned": False}
    report = _common(world, record) | _values(record, int, "health", "number")
    return report | {"defeated": report["health"] <= 0, "spawned": bool(record["spawned"])}


def _items(world: World, slots: Any) -> list[str]:
    """Names of the items in slots."""
    return [world.names.items[int(item)] for item in slots if item >= 0]


def events(world: World) -> list[str]:
    """The events of the last verb that the format has words for, in order."""
    return [
        EVENTS[Event(row.event)](world, row.figure, row.place)
        for row in read_rows(world.log)
        if row.event in EVENTS
    ]


EVENTS: dict[Event, Callable[[World, int, int], str]] = {
    Event.STORY: lambda world, _, area: (
        f"story:{world.names.stories[int(world.contents[0]['story'][area])]}"
    ),
    Event.TRAP: lambda world, _, area: f"trap:{world.names.areas[area]}",
    Event.INJURY: lambda world, figure, _: f"injury:{world.ally_name(figure)}",
    Event.EXHAUSTED: lambda world, figure, _: f"exhausted:{world.ally_name(figure)}",
    Event.DEFEAT: lambda world, figure, _: f"defeat:{world.figure_name(figure)}",
    Event.TIMER: lambda *_: "timer",
    Event.FAILURE: lambda *_: "end:failure",
}


def area(world: World, name: str) -> Report:
    """All assertable fields of an area."""
    state, index = world.state, world.area(name)
    capacity = queries.capacity(world, index)
    found = {"trap": bool(state["trap"][index]), "items": _items(world, state["item"][index])}
    return found | {key: capacity[key] for key in ("full", "used")}


def _pile(world: World, name: str) -> list[int]:
    """The cards of a pile, by index or value."""
    cards: list[int] = world.state[name][: int(world.state[f"n_{name}"])].tolist()
    return cards


def fate(world: World) -> Report:
    """The Fate cards."""
    piles = {"deck": "fate", "discard": "fate_discard", "timer": "timer"}
    return {key: _pile(world, name) for key, name in piles.items()}


def initiative(world: World) -> Report:
    """The Initiative cards."""
    names, piles = world.initiative_cards(), {"deck": "initiative", "discard": "initiative_discard"}
    return {key: [names[card] for card in _pile(world, name)] for key, name in piles.items()}


def ended(world: World) -> str | None:
    """How the scenario ended: null or failure."""
    ending = Ending(int(world.state["ending"]))
    return None if ending == Ending.NONE else "failure"
