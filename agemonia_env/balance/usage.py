"""What Heroes use: actions and items, counted in games that are played a decision at a time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ..agemonia.layout import N_ALLIES
from ..agemonia.terms import Event
from ..kernel.agenda import Row, clear_rows, empty_rows, written
from ..simulation.games import start_games
from ..simulation.plan import Kind, Plan, player, scene, shelf

ROWS = 8192  # of the event log between two decisions
USES = (Event.USE, Event.BOOST, Event.RIDE)  # of an item
Use = tuple[str, str, str]  # `action` or `item`, Hero, name


def uses(plan: Plan, games: int) -> Counter[Use]:
    """How often each action is performed, and each item used, in the first games of a plan."""
    (kind,) = plan.kinds
    found: Counter[Use] = Counter()
    for seed in plan.seeds(range(min(games, plan.games))):
        found += uses_in_game(kind, plan.policy, int(seed))
    return found


def uses_in_game(kind: Kind, policy: str, seed: int) -> Counter[Use]:
    """The same for one game; the Enemies' policy, where they have one, is the compiled one."""
    rules, chosen, seating = kind.rules(), player(kind.env, policy), kind.arguments().seating()
    drawn = None if kind.scenario_seed is None else shelf(kind).draw(seed)
    compiled = scene(kind, drawn)
    which, denials = np.zeros(1, np.int16), np.zeros(1, np.int16)
    seeds, rows = np.array([seed], np.uint64), empty_rows(ROWS)
    states = start_games(rules, compiled.content, which, seeds, seating=seating)
    found: Counter[Use] = Counter()
    for _ in range(kind.max_decisions):
        if states["ending"][0]:
            break
        actions = chosen.choose(states, compiled.content, which)
        clear_rows(rows)
        rules.api.step(states, compiled.content, which, actions, seating, rows, denials)
        found.update(use for row in written(rows) if (use := use_of(compiled, row)) is not None)
    return found


def use_of(compiled: Any, row: Row) -> Use | None:
    """What a row of the event log says a Hero has used."""
    if not 0 <= row.figure < N_ALLIES or row.figure >= len(compiled.names.allies):
        return None
    who = compiled.names.allies[row.figure]
    if row.event in USES:
        return "item", who, compiled.names.items[row.amount]
    if row.event == Event.ACT:
        slots = compiled.content[0]["sheet"][row.figure]["token"].tolist()
        names = compiled.names.tokens[row.figure]
        if row.amount in slots:
            return "action", who, names[slots.index(row.amount)]
    return None
