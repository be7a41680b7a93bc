"""Calls every entry point that cases, odds and the solver use, so that they are compiled."""

from __future__ import annotations

import numpy as np

from agemonia_env.core.event_log import empty_rows
from agemonia_env.core.jit import zeros

from ..core import api
from ..core.commands import N_ANSWERS, Query, Verb
from ..core.hexset import MAX_HEXES
from ..core.layout import BOARD, CONTENT, DECK, PLAN, STATE, TURN
from ..core.terms import Draw
from ..tools import odds
from .queries import arguments


def call_tools() -> None:
    """Call each with a minimal task; results are discarded."""
    _call_rules()
    states, contents, rows, plans = zeros(STATE), zeros(CONTENT), empty_rows(8), zeros(PLAN)
    api.clear(states)
    api.find_figures(states)
    given = arguments(())
    api.query(states, contents, Query.RANGE, given, plans, np.zeros(N_ANSWERS, np.int16))
    api.perform(states, contents, Verb.START_ROUND, given, rows)
    api.answer(states, contents, 0, rows)


def _call_rules() -> None:
    """Single rules: boards, decks, monster turns."""
    boards, turns, plans, decks = zeros(BOARD), zeros(TURN), zeros(PLAN), zeros(DECK)
    api.settle(boards)
    api.write_blocked(boards, 0, np.zeros((1, 2), np.int16))
    api.ranges(boards, 0, 0, np.zeros(MAX_HEXES, np.int16))
    api.settle_templates(turns)
    api.plan_turn(boards, turns, 0, plans)
    api.play_turns(boards, turns, plans, np.zeros(1, np.int16), np.zeros(1, np.int64))
    counters = np.zeros(1, np.uint64)
    api.shuffle(decks, counters, 0)
    api.end_round(decks, counters, 0)
    odds.damage_of(odds.Attack(2), ["+0", "+1"], Draw.NORMAL)
