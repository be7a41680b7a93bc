"""Record a whole game, one task of the core after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agemonia_env.core.event_log import Row, clear_rows, empty_rows, read_rows
from agemonia_env.core.jit import zeros

from ..content.compile import Compiled
from ..core import api, layout
from ..core.actions import N_ACTIONS, SIZES, STARTS, Block
from ..core.policies import Policy
from ..core.terms import Decision, Ending, Event, Proc

Records = npt.NDArray[np.void]

Chooser = Callable[[Records, npt.NDArray[np.uint8]], int]  # state and mask -> action

MAX_STEPS = 200_000  # no game is longer


@dataclass(frozen=True, eq=False)
class EventStep:
    """One task: the state before and after it, and its rows of the event log.

    action: the answer with which it began; -1 = it asked nothing.
    """

    proc: Proc
    before: Records
    after: Records
    rows: tuple[Row, ...]
    action: int

    @property
    def decision(self) -> Decision:
        """The question that its answer belongs to."""
        return Decision(int(self.before[0]["decision"])) if self.action >= 0 else Decision.NONE

    @property
    def asked(self) -> int:
        """The ally slot that was asked; -1 = the players."""
        return int(self.before[0]["asked"])

    @property
    def subject(self) -> int:
        """What the question was about."""
        return int(self.before[0]["subject"])

    @property
    def block(self) -> Block:
        """The block of its answer."""
        return BLOCKS[self.action]

    @property
    def index(self) -> int:
        """What its answer names within its block."""
        return INDICES[self.action]

    @property
    def ends_lock(self) -> bool:
        """R14.4 - whether its answer ends a lock, instead of flipping a chip of one (R14.7)."""
        flips = self.decision == Decision.FLIP_LOCK and self.before[0]["flip_chips"] > 0
        return self.action >= 0 and self.block == Block.LOCK and not flips

    def events(self, *wanted: Event) -> list[Row]:
        """Its rows of certain events, in order."""
        return [row for row in self.rows if row.event in wanted]


def _blocks() -> tuple[tuple[Block, ...], tuple[int, ...]]:
    """Block and index of every action."""
    blocks = [block for block in Block for _ in range(SIZES[block])]
    return tuple(blocks), tuple(action - STARTS[block] for action, block in enumerate(blocks))


BLOCKS, INDICES = _blocks()


def play(
    compiled: Compiled, seed: int, policy: Policy | Chooser, limit: int = MAX_STEPS
) -> Iterator[EventStep]:
    """Every task of the game that `seed` fixes, from the first question to its end."""
    states, which = zeros(layout.STATE), np.zeros(1, np.int16)
    seeds, select = np.array([seed], np.uint64), np.ones(1, np.uint8)
    api.reset(states, compiled.content, which, seeds, select, 0, api.NO_ROWS)
    mask, actions = np.zeros((1, N_ACTIONS), np.uint8), np.zeros(1, np.int64)
    rows = empty_rows()
    for _ in range(limit):
        state = states[0]
        if state["ending"] != Ending.NONE or state["depth"] == 0:
            return
        before, action = kept(states), -1  # a policy draws from the state's chance
        if state["decision"] != Decision.NONE:
            api.write_masks(states, compiled.content, which, mask)
            action = int(mask[0].argmax())
            if mask[0].sum() > 1 and not isinstance(policy, Policy):
                action = policy(before, mask[0])
            elif mask[0].sum() > 1 and isinstance(policy, Policy):
                api.choose_actions(states, compiled.content, which, int(policy), actions)
                action = int(actions[0])
        proc = Proc(int(state["tasks"][int(state["depth"]) - 1]))
        clear_rows(rows)
        api.advance(states, compiled.content, action, rows)
        yield EventStep(proc, before, kept(states), tuple(read_rows(rows)), action)


def kept(states: Records) -> Records:
    """A read-only copy of a state, bytes between fields included."""
    return np.frombuffer(states.tobytes(), states.dtype)
