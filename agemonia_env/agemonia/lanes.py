"""Games side by side: what a batch keeps for each lane beside its state, and a step of one lane.

An episode is one game as a learner sees it: it has rewards and may be truncated.
"""

from enum import IntEnum

import numpy as np

from ..kernel.chance import seed_streams
from ..kernel.jit import kernel
from . import masks, observe, seating
from .layout import F32, I16, I32, U8
from .rules import setup
from .terms import Denial, Ending


class Autoreset(IntEnum):
    """When the next game of a lane begins."""

    DISABLED = 0  # when it is asked for
    NEXT_STEP = 1  # instead of the step after the last one
    SAME_STEP = 2  # in the last step


class Call(IntEnum):
    """What a lane is told to do in place of an action."""

    BEGIN = -1  # the next game
    STAY = -2  # nothing; the masks and observations of a position put there are written


class Illegal(IntEnum):
    """What an illegal action does."""

    NOOP = 0  # nothing
    RAISE = 1  # nothing; whoever sent it is told
    TERMINATE = 2  # it ends the episode


EPISODE = np.dtype(
    [  # the same for every lane of a batch
        ("gamma", np.float64),  # discount of the shaping
        ("seating", I32),  # bits of Seating
        ("max_decisions", I32),  # steps until an episode is truncated
        ("autoreset", I16),  # Autoreset
        ("illegal", I16),  # Illegal
        ("sign", I16),  # 1 = rewards are the Heroes', -1 = the enemy side's
        ("shaped", U8),  # rewards are shaped by the potential
    ],
    align=True,
)

LANE = np.dtype(
    [
        # the next game
        ("next_seed", np.uint64),
        ("next_which", I16),  # row of the contents
        # the game going on
        ("which", I16),  # row of the contents
        ("steps", I32),
        ("potential", F32),  # after the last step
        ("over", U8),  # the episode has ended
        # the last step
        ("reward", np.float64),
        ("denial", I16),  # why its action was refused
        ("terminated", U8),
        ("truncated", U8),
        ("success", U8),  # the scenario has ended as the side played wants it
        ("began", U8),  # a game has begun
        ("final", I32),  # row of its last observation among those kept; -1 = none
        # the last game that has ended
        ("decisions", I32),
        ("ending", I16),  # terms.Ending
        ("rounds", I16),
        ("exhausted_heroes", I16),
        ("damage_dealt", I16),
        ("damage_taken", I16),
        ("win", U8),
    ],
    align=True,
)


@kernel
def begin_lane(states, raw, contents, i, lane, episode, legal, rows):
    """The next game of lane i begins and runs to its first question; raw: bytes of the states."""
    raw[i, :] = 0
    lane.which = lane.next_which
    s, c = states[i], contents[lane.which]
    seed_streams(s.chance, lane.next_seed)
    s.logging = len(rows) > 0
    setup.set_up(s, c)
    seating.settle(s, c, episode.seating, legal, rows)
    lane.steps = 0
    lane.over = 0
    lane.began = 1
    lane.potential = observe.potential(s, c) if episode.shaped else 0.0


@kernel
def step_lane(s, c, lane, action, episode, legal, rows):
    """Answer what is asked in a lane, and what the answer brings to whoever learns from it.

    A game that is over at its beginning ends its episode with the first step, whatever the action.
    """
    lane.denial = Denial.NONE
    if s.ending == Ending.NONE:
        lane.denial = masks.denial(s, c, action)
        if lane.denial == Denial.NONE:
            s.logging = len(rows) > 0
            seating.take(s, action)
            seating.settle(s, c, episode.seating, legal, rows)
        else:
            masks.write_legal(s, c, legal)
    lane.steps += 1
    disqualified = lane.denial != Denial.NONE and episode.illegal == Illegal.TERMINATE
    lane.terminated = disqualified or s.ending != Ending.NONE
    lane.truncated = not lane.terminated and lane.steps >= episode.max_decisions
    lane.over = lane.terminated or lane.truncated
    won = s.won if episode.sign > 0 else not s.won
    lane.success = s.ending != Ending.NONE and not disqualified and won
    lane.reward = (1.0 if lane.success else -1.0) if lane.terminated else 0.0
    if episode.shaped:
        before = lane.potential
        lane.potential = 0.0 if lane.terminated else observe.potential(s, c)
        lane.reward += episode.sign * (episode.gamma * lane.potential - before)


@kernel
def look_at_lane(s, c, lane, episode, legal):
    """Find out how a position stands that was put into the lane, or that was there before."""
    masks.write_legal(s, c, legal)
    if episode.shaped:
        lane.potential = 0.0 if lane.over else observe.potential(s, c)


@kernel
def rest_lane(lane):
    """A step in which nothing is played: the game is over."""
    lane.reward = 0.0
    lane.denial = Denial.NONE
    lane.terminated = 0
    lane.truncated = 0
    lane.success = 0


@kernel
def conclude_lane(s, lane):
    """Keep what the game amounted to: its state will be that of the next one."""
    lane.win = s.won
    lane.ending = s.ending
    lane.rounds = s.round
    lane.exhausted_heroes = s.n_exhausted
    lane.damage_dealt = s.damage_dealt
    lane.damage_taken = s.damage_taken
    lane.decisions = s.decisions
