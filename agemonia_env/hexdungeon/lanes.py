"""One lane of a batch by the rules: its game begins, and a step of it (see kernel/lanes.py)."""

from ..kernel.chance import seed_streams
from ..kernel.jit import kernel
from ..kernel.lanes import (
    TOGETHER,
    Autoreset,
    Call,
    conclude_lane,
    judge_step,
    rest_lane,
    shape_reward,
)
from . import masks, observe, seating
from .rules import setup
from .terms import Denial, Ending
from .worth import potential


@kernel
def play_lanes(
    states,
    raw,
    contents,
    lanes,
    actions,
    episode,
    rows,
    mask_rows,
    seen,
    codes,
    observations,
    final_codes,
    finals,
    plan,
    legal,
    fresh,
):
    """What api.play_lanes does; here, and not in the entry, no references are counted.

    plan: scratch. legal: scratch, int64 (k, N_WORDS) for k lanes, TOGETHER at most.
    """
    kept = 0
    for first in range(0, len(states), TOGETHER):
        last = min(len(states), first + TOGETHER)
        for i in range(first, last):
            play_lane(
                *(i, kept, states, raw, contents, lanes[i], actions[i], episode, rows),
                *(final_codes, finals, plan, legal[i - first], fresh),
            )
            kept += lanes[i].final >= 0
        for i in range(first, last):
            show_lane(
                *(i, states, raw, contents, lanes[i], actions[i], mask_rows),
                *(seen, codes, observations, legal[i - first], fresh),
            )
    return kept


@kernel
def play_lane(
    i,
    kept,
    states,
    raw,
    contents,
    lane,
    action,
    episode,
    rows,
    final_codes,
    finals,
    plan,
    legal,
    fresh,
):
    """A step of lane i; kept: rows of last observations so far."""
    s = states[i]
    lane.began = 0
    lane.final = -1
    begins = action == Call.BEGIN or (lane.over and episode.autoreset == Autoreset.NEXT_STEP)
    if action == Call.STAY:
        look_at_lane(s, contents[lane.which], lane, episode, legal)
    elif begins:
        rest_lane(lane)
    else:
        c = contents[lane.which]
        step_lane(s, c, lane, action, episode, plan, legal, rows)
        if lane.over:
            conclude_lane(s, lane)
            if episode.autoreset == Autoreset.SAME_STEP:
                lane.final = kept
                observe.observe(s, c, kept, observe.ALL_CHANGED, final_codes, finals, fresh)
                begins = True
    if begins:
        begin_lane(states, raw, contents, i, lane, episode, plan, legal, rows)


@kernel
def show_lane(
    i,
    states,
    raw,
    contents,
    lane,
    action,
    mask_rows,
    seen,
    codes,
    observations,
    legal,
    fresh,
):
    """Write all that a learner reads of lane i after a step."""
    s = states[i]
    if lane.over and lane.terminated:  # by an illegal action, perhaps
        mask_rows[i, :] = 1
    else:
        masks.write_mask(s, legal, mask_rows[i])
    changed = observe.changed_records(s, raw[i], seen[i], lane.began or action == Call.STAY)
    observe.observe(s, contents[lane.which], i, changed, codes, observations, fresh)
    s.logging = 0


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
