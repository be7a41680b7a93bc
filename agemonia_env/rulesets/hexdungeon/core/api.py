"""Entry points of the core: those of core/entries.py, and single rules of HexDungeon.

boards, decks, turns: records of layout.py, (n,).
"""

from functools import partial

import numpy as np

from agemonia_env.core.control import control_kernels
from agemonia_env.core.entries import NO_ROWS as NO_ROWS
from agemonia_env.core.entries import Core, arguments, entries_of, typed, types_of
from agemonia_env.core.jit import COMPILED, with_fields

from . import (
    action_features,
    action_spec,
    actions,
    commands,
    flow,
    hexset,
    hidden,
    invariants,
    masks,
    obs_spec,
    observe,
    policies,
    sides,
    terms,
)
from .action_features import SHARED_RECORD
from .generator import draw as generator
from .heuristics import potential
from .heuristics.hero_value import WORK
from .layout import BOARD, CONTENT, DECK, PLAN, STATE, TURN
from .rules import advantage, area, board, damage, deck, distance, figures, monster, setup, sight
from .terms import Effect

SCRATCH = np.dtype([("plan", PLAN), ("work", WORK), ("shared", SHARED_RECORD)], align=True)
CORE = Core(
    STATE,
    CONTENT,
    SCRATCH if COMPILED else with_fields(SCRATCH),
    terms=terms,
    actions=actions,
    obs_spec=obs_spec,
    action_spec=action_spec,
    action_features=action_features,
    commands=commands,
    flow=flow,
    hidden=hidden,
    invariants=invariants,
    masks=masks,
    observe=observe,
    policies=policies,
    potential=potential,
    setup=setup,
    sides=sides,
    generator=generator,
)
CONTROL = control_kernels(CORE)
(
    reset, step, play_slots, write_masks, write_denials, write_observations, write_action_features,
    choose_actions, draw_random, write_sides, plan, rollout, status, set_chance, force_chance,
    clear, perform, answer, draw_scenarios,
) = entries_of(CORE, *CONTROL, __name__)  # fmt: skip
KNOWN = arguments(
    {"boards": BOARD, "decks": DECK, "turns": TURN, "plans": PLAN},
    {"int64": "attacked damages", "int16": "away ends", "uint64": "counters"},
    {"int64": "results", "int16": "pairs"},
    "a value bonus doublings poisoned shield pierce mode stream",
)
own = partial(typed, known=types_of(CORE) | KNOWN)  # also entries


@own
def find_figures(states):
    """Recompute who stands where, after figures were placed by hand."""
    for i in range(len(states)):
        figures.find(states[i])


# ---- single rules -------------------------------------------------------------------------------
@own
def settle(boards):
    """Derive the tables that follow from the size, terrain and wall lines of every board."""
    for i in range(len(boards)):
        board.settle(boards[i])


@own
def write_blocked(boards, i, pairs):
    """G4 - pairs of floor hexes of board i that do not see each other, into pairs, int16 (n, 2).

    -> (how many, how many pairs there are); pairs may hold fewer than there are.
    """
    n = total = 0
    rest = hexset.of(boards[i].floor)
    while not hexset.is_empty(rest):
        a = hexset.lowest(rest)
        rest = hexset.without(rest, hexset.only(a))
        others = rest
        while not hexset.is_empty(others):
            b = hexset.lowest(others)
            others = hexset.without(others, hexset.only(b))
            total += 1
            if not sight.sees(boards[i], a, b):
                if n < len(pairs):
                    pairs[n, 0], pairs[n, 1] = a, b
                n += 1
    return n, total


@own
def ranges(boards, i, a, away):
    """G3.1 - range from hex a of board i to every hex, into away, int16 (MAX_HEXES,); -1 = none."""
    for b in range(len(away)):
        here = hexset.has(hexset.of(boards[i].floor), b)
        away[b] = distance.range_between(boards[i], a, b) if here else -1


@own
def draw(decks, mode, value, counters, stream):
    """G2 - draw for an attack of this value (after step 2) from every deck; see rules.advantage."""
    for i in range(len(decks)):
        advantage.draw(decks[i], mode, value, counters, stream)


@own
def shuffle(decks, counters, stream):
    """Shuffle the draw pile of every deck."""
    for i in range(len(decks)):
        deck.shuffle(decks[i], counters, stream)


@own
def end_round(decks, counters, stream):
    """G1.6 - end the round for every deck."""
    for i in range(len(decks)):
        deck.end_round(decks[i], counters, stream)


@own
def write_results(decks, value, results):
    """Attack value, at least 0, and Pierce of every deck's last draw: results, int64 (n, 2)."""
    for i in range(len(decks)):
        results[i, 0] = max(0, deck.modified(decks[i], value))
        results[i, 1] = deck.applied_amount(decks[i], Effect.PIERCE)


@own
def value_before_card(value, bonus, doublings, poisoned):
    """G7.2, G7.3 - the attack value that the modifier card meets."""
    return damage.value_before_card(value, bonus, doublings, poisoned)


@own
def write_damages(results, shield, pierce, damages):
    """G7.6 - damage of each (value, Pierce of the cards), int64 (n, 2): damages, int64 (n,)."""
    for i in range(len(results)):
        damages[i] = damage.damage(results[i, 0], shield, pierce + results[i, 1])


@own
def settle_templates(turns):
    """G5.3 - work out the orientations of the template of every turn."""
    for i in range(len(turns)):
        area.settle_template(turns[i].attack)


@own
def plan_turn(boards, turns, i, plans):
    """G13 - every allowed outcome of monster turn i on board i, into plans[0]; see layout.PLAN."""
    monster.write_outcomes(boards[i], turns[i], plans[0])


@own
def play_turns(boards, turns, plans, ends, attacked):
    """G13.18 - the outcome picked of every turn: hex, int16 (n,); bits of enemies, int64 (n,)."""
    for i in range(len(turns)):
        monster.write_outcomes(boards[i], turns[i], plans[0])
        ends[i] = plans[0].outcome[0].end
        attacked[i] = plans[0].outcome[0].attacked


@own
def query(states, contents, question, arguments, plans, answers):
    """Answer commands.Query about states[0], which is scratch, into answers, int16 (N_ANSWERS,).

    plans: PLAN (1,); of a monster's turn it has the outcomes, their targets as bits of figures.
    """
    commands.query(states[0], contents[0], question, arguments, plans[0], answers)
