"""Questions about a position, asked of the core."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agemonia_env.rulesets.case_runner import CaseError, first_arguments

from ..core import api
from ..core.commands import N_ANSWERS, N_ARGUMENTS, Query
from ..core.layout import MAX_CELLS
from ..core.terms import Mode, Op
from .case import Spot
from .schema import Area, Hex
from .world import Table, target_count

NOTHING = -1
Answer = Any  # a number, true or false, null, or a list of names, hexes or outcomes


def query(table: Table, question: Query, *values: int) -> list[int]:
    """The core's answer; it works on a copy of the state."""
    out = np.zeros(N_ANSWERS, np.int16)
    asked = int(question), first_arguments(values, N_ARGUMENTS)
    api.query(table.states.copy(), table.contents, *asked, table.plans, out)
    return [int(value) for value in out]


def placement(table: Table, by: str, hexes: Sequence[Hex]) -> tuple[int, int] | None:
    """The orientation of the template, and its red hex on the first of the hexes.

    None if no placement covers exactly these hexes. The template is that of the content.
    """
    numbers = [table.hex(place) for place in hexes]
    if not 0 < len({*numbers}) <= MAX_CELLS or min(numbers) < 0:
        return None
    found, orientation, cell, *_ = query(
        table, Query.PLACEMENT, table.slot(by), 0, len(numbers), *numbers
    )
    return (orientation, cell) if found else None


# ---- answers ------------------------------------------------------------------------------------
def distance(table: Table, given: Any) -> int | None:
    """The range between two places; None if there is no way."""
    away = query(table, Query.RANGE, *(spot(table, place) for place in given))[0]
    return None if away < 0 else away


def sees(table: Table, given: Any) -> bool:
    """Whether there is a line of sight between two places."""
    return bool(query(table, Query.SEES, *(spot(table, place) for place in given))[0])


def spot(table: Table, place: Spot) -> int:
    """The number of a hex, or of the hex of a figure; -1 = none."""
    if isinstance(place, str):
        return int(table.state["figure"][table.slot(place)]["at"])
    return table.hex(place)


def attackable(table: Table, given: Any) -> list[str]:
    """Names that an attack could hit."""
    row = attack_row(table, given.range, given.area)
    return flagged(table, query(table, Query.ATTACKABLE, table.slot(given.by), row))


def reachable(table: Table, given: Any) -> list[Hex]:
    """Hexes on which a move may end."""
    moves = query(table, Query.MAY_MOVE, table.slot(given.by))[0]
    points = given.move if moves else 0
    return [place for place, cost in costs_of(table, given).items() if 0 <= cost <= points]


def cost(table: Table, given: Any) -> int | None:
    """Fewest points for a move to a hex; None if it cannot end there."""
    points = costs_of(table, given).get(given.to, -1)
    return None if points < 0 else points


def flagged(table: Table, flags: list[int]) -> list[str]:
    """Names of the figures that are marked."""
    return [name for slot, name in table.names.items() if flags[slot]]


def attack_row(table: Table, reach: int, shape: Area | None) -> int:
    """A line with an attack for one target."""
    template = NOTHING if shape is None else table.write_template(shape)
    return table.write_row(op=Op.ATTACK, range=reach, targets=1, template=template)


def hits(table: Table, given: Any) -> list[str] | None:
    """Names attacked by a placement; None if it is none of the template."""
    row = attack_row(table, given.range, given.area)
    found = placement(table, given.by, given.hexes)
    if found is None:
        return None
    at = table.hex(given.hexes[0])
    return flagged(table, query(table, Query.HITS, table.slot(given.by), row, at, *found))


def mode_of(table: Table, name: str, mode: str | None) -> Mode:
    """How a figure moves: it flies if it can, unless the case says otherwise."""
    if mode is not None:
        return Mode[mode.upper()]
    return Mode.FLY if table.state["figure"][table.slot(name)]["flying"] else Mode.WALK


def costs_of(table: Table, given: Any) -> dict[Hex, int]:
    """Fewest points for a figure to end on each hex of the board; -1 = it cannot."""
    mode = mode_of(table, given.by, given.mode)
    costs = query(table, Query.COSTS, table.slot(given.by), mode)
    return {place: costs[table.grid.number(place)] for place in table.grid.hexes()}


def forced(table: Table, given: Any, pull: bool) -> list[Hex]:
    """Hexes to which a push or pull may lead next."""
    ends = query(table, Query.FORCED, table.slot(given.by), table.slot(given.target), int(pull))
    return [table.grid.place(end) for end in ends[:6] if end >= 0]


def turn_order(table: Table) -> list[str]:
    """Names of the figures that have a turn this round, in order."""
    n, *slots = query(table, Query.TURN_ORDER)
    return [table.names[slot] for slot in slots[:n]]


def monster_turn(table: Table, given: Any) -> list[dict[str, Any]]:
    """All allowed outcomes of a monster's turn."""
    slot, row = table.slot(given.by), NOTHING
    if given.attack is not None:
        shape = given.attack.area
        row = table.write_row(
            op=Op.ATTACK,
            range=given.attack.range,
            targets=target_count(given.attack.targets or 1),
            extra_targets=given.attack.extra_targets,
            template=NOTHING if shape is None else table.write_template(shape),
        )
    mode = mode_of(table, given.by, given.mode)
    n, *_ = query(table, Query.MONSTER_TURN, slot, given.move, mode, row)
    if n < 0:
        raise CaseError("more outcomes than the core can list")
    if n == 0:
        return [{"end": table.place(spot(table, given.by)), "attacks": []}]
    return [
        {
            "end": table.grid.place(int(outcome["end"])),
            "attacks": [name for k, name in table.names.items() if outcome["attacked"] >> k & 1],
        }
        for outcome in table.plans[0]["outcome"][:n]
    ]


ANSWERS: dict[str, Callable[[Table, Any], Answer]] = {
    "range": distance,
    "adjacent": lambda table, given: distance(table, given) == 1,
    "los": sees,
    "orientations": lambda table, given: query(
        table, Query.ORIENTATIONS, table.write_template(given)
    )[0],
    "hits": hits,
    "attackable": attackable,
    "reachable": reachable,
    "cost": cost,
    "push_steps": lambda table, given: forced(table, given, pull=False),
    "pull_steps": lambda table, given: forced(table, given, pull=True),
    "shield": lambda table, given: query(table, Query.SHIELD, table.slot(given))[0],
    "heal_targets": lambda table, given: flagged(
        table, query(table, Query.HEALED, table.slot(given.by), given.range)
    ),
    "turn_order": lambda table, _: turn_order(table),
    "monster_turn": monster_turn,
}
