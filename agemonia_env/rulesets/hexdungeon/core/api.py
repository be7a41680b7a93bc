"""Entry points of the core: those of core/entries.py, and single rules of HexDungeon.

boards, decks, turns: records of layout.py, (n,).
"""

import numpy as np

from agemonia_env.core.control import control_kernels
from agemonia_env.core.entries import NO_ROWS as NO_ROWS
from agemonia_env.core.entries import Core, entries_of
from agemonia_env.core.jit import COMPILED, entry, with_fields

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
from .heuristics import potential
from .heuristics.hero_value import WORK
from .layout import PLAN
from .rules import advantage, area, board, damage, deck, distance, figures, monster, setup, sight
from .terms import Effect

SCRATCH = np.dtype([("plan", PLAN), ("work", WORK), ("shared", SHARED_RECORD)], align=True)
CORE = Core(
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
)
CONTROL = control_kernels(CORE)
(
    reset, step, play_slots, write_masks, write_denials, write_observations, write_action_features,
    choose_actions, draw_random, write_sides, plan, rollout, status, set_chance, force_chance,
    clear, perform, answer,
) = entries_of(CORE, *CONTROL, __name__)  # fmt: skip


@entry
def find_figures(states):
    """Recompute who stands where, after figures were placed by hand."""
    for i in range(len(states)):
        figures.find(states[i])


# ---- single rules -------------------------------------------------------------------------------
@entry
def settle(boards):
    """Derive the tables that follow from the size, terrain and wall lines of every board."""
    for i in range(len(boards)):
        board.settle(boards[i])


@entry
def write_blocked(boards, i, out):
    """G4 - pairs of floor hexes of board i that do not see each other, into out, int16 (n, 2).

    -> (how many, how many pairs there are); out may hold fewer than there are.
    """
    n = pairs = 0
    rest = hexset.of(boards[i].floor)
    while not hexset.is_empty(rest):
        a = hexset.lowest(rest)
        rest = hexset.without(rest, hexset.only(a))
        others = rest
        while not hexset.is_empty(others):
            b = hexset.lowest(others)
            others = hexset.without(others, hexset.only(b))
            pairs += 1
            if not sight.sees(boards[i], a, b):
                if n < len(out):
                    out[n, 0], out[n, 1] = a, b
                n += 1
    return n, pairs


@entry
def ranges(boards, i, a, out):
    """G3.1 - range from hex a of board i to every hex, into out, int16 (MAX_HEXES,); -1 = none."""
    for b in range(len(out)):
        here = hexset.has(hexset.of(boards[i].floor), b)
        out[b] = distance.range_between(boards[i], a, b) if here else -1


@entry
def draw(decks, mode, value, counters, stream):
    """G2 - draw for an attack of this value (after step 2) from every deck; see rules.advantage."""
    for i in range(len(decks)):
        advantage.draw(decks[i], mode, value, counters, stream)


@entry
def shuffle(decks, counters, stream):
    """Shuffle the draw pile of every deck."""
    for i in range(len(decks)):
        deck.shuffle(decks[i], counters, stream)


@entry
def end_round(decks, counters, stream):
    """G1.6 - end the round for every deck."""
    for i in range(len(decks)):
        deck.end_round(decks[i], counters, stream)


@entry
def write_results(decks, value, out):
    """Attack value, at least 0, and Pierce of every deck's last draw, into out, int64 (n, 2)."""
    for i in range(len(decks)):
        out[i, 0] = max(0, deck.modified(decks[i], value))
        out[i, 1] = deck.applied_amount(decks[i], Effect.PIERCE)


@entry
def value_before_card(value, bonus, doublings, poisoned):
    """G7.2, G7.3 - the attack value that the modifier card meets."""
    return damage.value_before_card(value, bonus, doublings, poisoned)


@entry
def write_damages(results, shield, pierce, out):
    """G7.6 - damage of each (value, Pierce of the cards), int64 (n, 2), into out, int64 (n,)."""
    for i in range(len(results)):
        out[i] = damage.damage(results[i, 0], shield, pierce + results[i, 1])


@entry
def settle_templates(turns):
    """G5.3 - work out the orientations of the template of every turn."""
    for i in range(len(turns)):
        area.settle_template(turns[i].attack)


@entry
def plan_turn(boards, turns, i, plans):
    """G13 - every allowed outcome of monster turn i on board i, into plans[0]; see layout.PLAN."""
    monster.write_outcomes(boards[i], turns[i], plans[0])


@entry
def play_turns(boards, turns, plans, ends, attacked):
    """G13.18 - the outcome picked of every turn: hex, int16 (n,); bits of enemies, int64 (n,)."""
    for i in range(len(turns)):
        monster.write_outcomes(boards[i], turns[i], plans[0])
        ends[i] = plans[0].outcome[0].end
        attacked[i] = plans[0].outcome[0].attacked


@entry
def query(states, contents, question, arguments, plans, out):
    """Answer commands.Query about states[0], which is scratch, into out, int16 (N_ANSWERS,).

    plans: PLAN (1,); of a monster's turn it has the outcomes, their targets as bits of figures.
    """
    commands.query(states[0], contents[0], question, arguments, plans[0], out)
