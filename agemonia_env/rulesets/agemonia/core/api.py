"""Entry points of the core: those of core/entries.py, and Agemonia's own."""

from functools import partial

from agemonia_env.core.control import control_kernels
from agemonia_env.core.entries import NO_ROWS as NO_ROWS
from agemonia_env.core.entries import Core, entries_of, typed, types_of
from agemonia_env.core.event_log import flush

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
from .generator import draw
from .heuristics import potential
from .heuristics.attack_value import WORK
from .layout import CONTENT, STATE
from .rules import setup
from .terms import Decision, Denial, Ending

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
    generator=draw,
)
settle, take = control_kernels(CORE)
(
    reset, step, play_slots, write_masks, write_denials, write_observations, write_action_features,
    choose_actions, draw_random, write_sides, plan, rollout, status, set_chance, force_chance,
    clear, perform, answer, draw_scenarios,
) = entries_of(CORE, settle, take, __name__)  # fmt: skip
own = partial(typed, known=types_of(CORE))  # also entries


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
