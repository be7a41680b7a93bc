"""A whole game, one task of the core after another."""

from dataclasses import dataclass

import numpy as np

from agemonia_env.core.event_log import clear_rows, empty_rows, read_rows
from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.agemonia.core import api, layout
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS, SIZES, Block
from agemonia_env.rulesets.agemonia.core.terms import Decision, Ending, Proc

ANSWERS = [(block, index) for block in Block for index in range(SIZES[block])]  # of each action


@dataclass(frozen=True, eq=False)
class Step:
    """One task: the states before and after it, shape (1,), and its rows of the event log.

    action: the answer with which it began; -1 = it asked nothing. waiting: the task stack, the
    step's own task last.
    """

    proc: Proc
    before: np.ndarray
    after: np.ndarray
    rows: tuple
    action: int

    @property
    def decision(self):
        return Decision(int(self.before[0]["decision"])) if self.action >= 0 else Decision.NONE

    @property
    def answer(self):
        return ANSWERS[self.action]

    @property
    def waiting(self):
        return self.before[0]["tasks"][: int(self.before[0]["depth"])].tolist()

    def events(self, *wanted):
        return [row for row in self.rows if row.event in wanted]


def play(compiled, seed, policy):
    """Every task of the game that `seed` fixes, from the first question to its end."""
    states, which = zeros(layout.STATE), np.zeros(1, np.int16)
    seeds, select = np.array([seed], np.uint64), np.ones(1, np.uint8)
    api.reset(states, compiled.content, which, seeds, select, 0, api.NO_ROWS)
    mask, actions = np.zeros((1, N_ACTIONS), np.uint8), np.zeros(1, np.int64)
    rows, state = empty_rows(), states[0]

    def copy():  # bytes between fields included
        return np.frombuffer(states.tobytes(), states.dtype)

    while state["ending"] == Ending.NONE and state["depth"] > 0:
        before, action = copy(), -1  # a policy draws from the state's chance
        if state["decision"] != Decision.NONE:
            api.write_masks(states, compiled.content, which, mask)
            action = int(mask[0].argmax())
            if mask[0].sum() > 1:
                api.choose_actions(states, compiled.content, which, int(policy), actions)
                action = int(actions[0])
        proc = Proc(int(state["tasks"][int(state["depth"]) - 1]))
        clear_rows(rows)
        api.advance(states, compiled.content, action, rows)
        yield Step(proc, before, copy(), tuple(read_rows(rows)), action)
