"""One lane of a batch by the rules: its game begins, and a step of it (see kernel/lanes.py)."""

from ..kernel.chance import seed_streams
from ..kernel.jit import kernel
from ..kernel.lanes import judge_step, shape_reward
from . import masks, seating
from .rules import setup
from .terms import Denial, Ending
from .worth import potential


@kernel
def begin_lane(states, raw, contents, i, lane, episode, plan, legal, rows):
    """The next game of lane i begins and runs to its first question; raw: bytes of the states."""
    raw[i, :] = 0
    lane.which = lane.next_which
    s, c = states[i], contents[lane.which]
    seed_streams(s.chance, lane.next_seed)
    s.logging = len(rows) > 0
    setup.set_up(s, c)
    seating.settle(s, c, episode.seating, plan, legal, rows)
    lane.steps = 0
    lane.over = 0
    lane.began = 1
    lane.potential = potential(s, c) if episode.shaped else 0.0


@kernel
def step_lane(s, c, lane, action, episode, plan, legal, rows):
    """Answer what is asked in a lane, and what the answer brings to whoever learns from it.

    A game that is over at its beginning ends its episode with the first step, whatever the action.
    """
    lane.denial = Denial.NONE
    if s.ending == Ending.NONE:
        lane.denial = masks.denial(s, c, action)
        if lane.denial == Denial.NONE:
            s.logging = len(rows) > 0
            s.touched = 0
            s.dealt = 0
            s.reshaped = 0
            seating.take(s, action)
            seating.settle(s, c, episode.seating, plan, legal, rows)
        else:
            masks.write_legal(s, c, legal)
    judge_step(s, lane, episode)
    if episode.shaped:
        shape_reward(lane, episode, 0.0 if lane.terminated else potential(s, c))


@kernel
def look_at_lane(s, c, lane, episode, legal):
    """Find out how a position stands that was put into the lane, or that was there before."""
    masks.write_legal(s, c, legal)
    if episode.shaped:
        lane.potential = 0.0 if lane.over else potential(s, c)
