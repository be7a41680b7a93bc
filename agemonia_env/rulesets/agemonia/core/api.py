"""Entry points of the core: those of core/entries.py, and Agemonia's own."""

from functools import partial

import numpy as np

from agemonia_env.core.control import control_kernels
from agemonia_env.core.entries import NO_ROWS as NO_ROWS
from agemonia_env.core.entries import Core, entries_of, typed, types_of
from agemonia_env.core.event_log import N_COLUMNS, flush
from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import seed_streams

from . import (
    action_features,
    action_spec,
    actions,
    commands,
    flow,
    hidden,
    invariants,
    masks,
    obs_spec,
    observe,
    policies,
    sides,
    terms,
)
from .actions import N_WORDS
from .heuristics import potential
from .heuristics.attack_value import WORK
from .layout import CONTENT, N_ALLIES, N_EFFECTS, N_ENEMIES, N_TYPES, STATE
from .rules import setup
from .terms import Decision, Denial, Ending, Event

N_COUNTED = 8192  # rows of the event log between two decisions that `count_events` has room for
N_WHO = N_ALLIES + N_TYPES + 2  # counts per event: see `whose`
N_AMOUNTS = N_EFFECTS + 1  # amounts counted separately

CORE = Core(
    STATE,
    CONTENT,
    WORK,
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
settle, take = control_kernels(CORE)
(
    reset, step, play_slots, write_masks, write_denials, write_observations, write_action_features,
    choose_actions, draw_random, write_sides, plan, rollout, status, set_chance, force_chance,
    clear, perform, answer,
) = entries_of(CORE, settle, take, __name__)  # fmt: skip
own = partial(typed, known=types_of(CORE))  # also entries


@own
def count_events(states, contents, which, seeds, policy, control, limit, events, choices):
    """Play a game from every seed, uint64 (n,), and count its events and choices.

    events: int64 (N_EVENTS, N_WHO, N_AMOUNTS), by terms.Event, `whose` and the row's amount (of
    Event.PROVOKE the Enemy's type); the last place is for amounts that are no index. choices: int64
    (N_DECISIONS, N_ACTIONS). Both are added to. The caller zeroes the states first.
    -> rows of the event log lost for lack of room
    """
    legal, work = np.zeros(N_WORDS, np.int64), np.empty(1, WORK)
    rows = np.zeros((N_COUNTED, N_COLUMNS), np.int16)
    kinds = np.zeros(N_ENEMIES, np.int16)
    lost = 0
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        seed_streams(s.chance, seeds[i])
        s.logging = 1
        setup.set_up(s, c)
        for e in range(N_ENEMIES):
            kinds[e] = s.enemy[e].type
        for _ in range(limit):
            rows[0, 0] = 1
            rows[0, 1] = 0
            n = settle(s, c, control, work[0], legal, rows)
            lost += rows[0, 1]
            count_rows(rows, kinds, events, choices)
            if n == 0:
                break
            take(s, policies.choose(s, c, policy, work[0], legal, n))
        s.logging = 0
    return lost


@kernel
def count_rows(rows, kinds, events, choices):
    """Add the rows of the event log to the counts; kinds: the type that each Enemy slot holds."""
    for k in range(1, rows[0, 0]):
        event, figure, amount = rows[k, 0], rows[k, 1], rows[k, 2]
        if event == Event.CHOICE:
            choices[amount, rows[k, 5]] += 1
            continue
        if event == Event.SPAWN:
            kinds[figure - N_ALLIES] = amount
        if event == Event.PROVOKE:
            amount = kinds[amount]
        if rows[k, 4] == 0 and (event == Event.EFFECT or event == Event.WEAR):
            continue  # skipped; put away
        if not 0 <= amount < N_AMOUNTS - 1:
            amount = N_AMOUNTS - 1
        events[event, whose(figure, kinds), amount] += 1


@kernel
def whose(figure, kinds):
    """Place of a figure in the counts: ally slots, Enemy types, tokens and pets, nobody."""
    if figure < 0:
        return N_WHO - 1
    if figure < N_ALLIES:
        return figure
    if figure < N_ALLIES + N_ENEMIES:
        return N_ALLIES + kinds[figure - N_ALLIES]
    return N_WHO - 2


@own
def advance(states, contents, action, rows):
    """Answer the question of states[0] if one is asked, and do one task -> Denial.

    For looking at a game between two questions.
    """
    s, c = states[0], contents[0]
    denial = Denial.NONE.value
    s.logging = len(rows) > 0
    if s.decision != Decision.NONE:
        denial = masks.denial(s, c, action)
        if denial == Denial.NONE:
            take(s, action)
    if flow.ends_lock(s):
        flow.end_lock(s, c)
    elif denial == Denial.NONE and s.ending == Ending.NONE and s.depth > 0:
        s.depth -= 1
        flow.run(s, c, s.tasks[s.depth])
    if s.n_log > 0:
        flush(s, rows)
    s.logging = 0
    return denial


@own
def query(states, contents, question, arguments, answers):
    """Answer commands.Query about states[0] into answers, int16 (N_ANSWERS,)."""
    commands.query(states[0], contents[0], question, arguments, answers)
