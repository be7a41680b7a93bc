"""Games side by side, whatever they play: what a batch keeps for each lane beside its state.

An episode is one game as a learner sees it: it has rewards and may be truncated. Of a state only
its head is read here: ending, won, round, n_exhausted, damage_dealt, damage_taken, decisions.
"""

from enum import IntEnum

import numpy as np

from .jit import entry, kernel
from .rng import seed_streams
from .work_stealing import blocks_each, next_block, wait_for_others

GOING_ON = 0  # `ending` of a scenario that is played
LEGAL = 0  # `denial` of an action that may be taken


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


class Seating(IntEnum):
    """Who answers which questions, as bits; 0 = every decision with a choice is asked."""

    AUTO_TIES = 1  # ties that the players choose are settled by the first action
    HEROES_PLAYED = 2  # decisions of the Heroes are taken by a compiled policy
    ENEMIES_PLAYED = 4  # decisions of the enemy side are
    ENEMIES_SEATED = 8  # somebody plays the Enemies: their choices are no ties of the players
    POLICY = 16  # times the number of the policy that takes them


EPISODE = np.dtype(
    [  # the same for every lane of a batch
        ("gamma", np.float64),  # discount of the shaping
        ("seating", np.int32),  # bits of Seating
        ("max_decisions", np.int32),  # steps until an episode is truncated
        ("autoreset", np.int16),  # Autoreset
        ("illegal", np.int16),  # Illegal
        ("sign", np.int16),  # 1 = rewards are the Heroes', -1 = the enemy side's
        ("shaped", np.uint8),  # rewards are shaped by the potential
    ],
    align=True,
)

RESULT = np.dtype(
    [  # what a game amounted to
        ("win", np.bool_),
        ("ending", np.int16),  # terms.Ending of the ruleset
        ("rounds", np.int16),
        ("exhausted_heroes", np.int16),
        ("damage_dealt", np.int16),
        ("damage_taken", np.int16),
        ("decisions", np.int32),
    ],
    align=True,
)

LANE = np.dtype(
    [
        # the next game
        ("next_seed", np.uint64),
        ("next_which", np.int16),  # row of the contents
        # the game going on
        ("which", np.int16),  # row of the contents
        ("steps", np.int32),
        ("potential", np.float32),  # after the last step
        ("over", np.uint8),  # the episode has ended
        # the last step
        ("reward", np.float64),
        ("denial", np.int16),  # why its action was refused
        ("terminated", np.uint8),
        ("truncated", np.uint8),
        ("success", np.uint8),  # the scenario has ended as the side played wants it
        ("began", np.uint8),  # a game has begun
        ("final", np.int32),  # row of its last observation among those kept; -1 = none
        # decisions taken before the question its legal answers are of; whoever writes another
        # state of as many into the lane puts -1 here, or has it looked at (Call.STAY)
        ("asked", np.int32),
        ("last", RESULT),  # of its games that have ended
    ],
    align=True,
)


@kernel
def judge_step(s, lane, episode):
    """What the step just made brings to whoever learns from it, but for the shaping."""
    lane.steps += 1
    disqualified = lane.denial != LEGAL and episode.illegal == Illegal.TERMINATE
    lane.terminated = disqualified or s.ending != GOING_ON
    lane.truncated = not lane.terminated and lane.steps >= episode.max_decisions
    lane.over = lane.terminated or lane.truncated
    won = s.won if episode.sign > 0 else not s.won
    lane.success = s.ending != GOING_ON and not disqualified and won
    lane.reward = (1.0 if lane.success else -1.0) if lane.terminated else 0.0


@kernel
def shape_reward(lane, episode, potential):
    """Add the shaping: `potential` is that after the step, 0 where it ended the episode."""
    before = lane.potential
    lane.potential = potential
    lane.reward += episode.sign * (episode.gamma * lane.potential - before)


@kernel
def rest_lane(lane):
    """A step in which nothing is played: the game is over."""
    lane.reward = 0.0
    lane.denial = LEGAL
    lane.terminated = 0
    lane.truncated = 0
    lane.success = 0


@kernel
def conclude_lane(s, lane):
    """Keep what the game amounted to: its state will be that of the next one."""
    last = lane.last
    last.win = s.won != 0
    last.ending = s.ending
    last.rounds = s.round
    last.exhausted_heroes = s.n_exhausted
    last.damage_dealt = s.damage_dealt
    last.damage_taken = s.damage_taken
    last.decisions = s.decisions


@entry
def tell(lanes, rewards, flags, results, began, ended):
    """Gather what a step has brought to all lanes: one compiled call in place of ten of NumPy.

    rewards: float64 (n,); flags: bool (5, n): terminated, truncated, success, whether the action
    was refused, and whether an episode has ended; results: RESULT (n,), written where one has.
    began, ended: int64 (n,), get the numbers of the lanes in which a game has begun and an episode
    ended.
    -> (how many have begun, how many ended, how many actions were refused)
    """
    n_began = n_ended = n_illegal = 0
    for i in range(len(lanes)):
        lane = lanes[i]
        rewards[i] = lane.reward
        terminated, truncated = lane.terminated != 0, lane.truncated != 0
        flags[0, i] = terminated
        flags[1, i] = truncated
        flags[2, i] = lane.success != 0
        flags[3, i] = illegal = lane.denial != LEGAL
        n_illegal += illegal
        if lane.began:
            began[n_began] = i
            n_began += 1
        flags[4, i] = has_ended = terminated or truncated
        if has_ended:
            results[i] = lane.last
            ended[n_ended] = i
            n_ended += 1
    return n_began, n_ended, n_illegal


def lane_kernels(masks, observe, seating, setup, worth):
    """Compile lanes for a ruleset, whose modules these are -> its play_lanes.

    What both rulesets do with a lane is written here once; numba makes each its own machine code.
    scratch: what seating.settle of the ruleset works on beside the legal answers, a tuple.
    """

    @kernel
    def play_lanes(
        states, raw, contents, lanes, actions, episode, rows, blocks, thread, shown, scratch, fresh
    ):
        """What api.play_lanes does; here, and not in the entry, no references are counted.

        shown: masks, legal answers, what was seen, codes, observations.
        """
        legal, sheets = shown[1], shown[3:]
        whose, block = next_block(blocks, thread, -1)
        while block < blocks_each(blocks):
            begin, end = blocks[whose, block], blocks[whose, block + 1]
            kept = begin
            for i in range(begin, end):
                play_lane(
                    *(i, kept, states, raw, contents, lanes[i], actions[i], episode, rows),
                    *(sheets, scratch, legal[i], fresh),
                )
                kept += lanes[i].final >= 0
            for i in range(begin, end):
                show_lane(i, states, raw, contents, lanes[i], actions[i], shown, fresh)
            whose, block = next_block(blocks, thread, block)
        if thread == 0:
            wait_for_others(blocks)

    @kernel
    def play_lane(
        i, kept, states, raw, contents, lane, action, episode, rows, sheets, scratch, legal, fresh
    ):
        """A step of lane i; kept: where among the last observations its own is kept."""
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
            step_lane(s, c, lane, action, episode, scratch, legal, rows)
            if lane.over:
                conclude_lane(s, lane)
                if episode.autoreset == Autoreset.SAME_STEP:
                    lane.final = kept
                    row = len(states) + kept
                    observe.observe(s, c, row, observe.ALL_CHANGED, *sheets, fresh)
                    begins = True
        if begins:
            begin_lane(states, raw, contents, i, lane, episode, scratch, legal, rows)
        lane.asked = s.decisions

    @kernel
    def show_lane(i, states, raw, contents, lane, action, shown, fresh):
        """Write all that a learner reads of lane i after a step."""
        mask_rows, legal, seen, codes, observations = shown
        s = states[i]
        if lane.over and lane.terminated:  # by an illegal action, perhaps
            mask_rows[i, :] = 1
        else:
            masks.write_mask(s, legal[i], mask_rows[i])
        changed = observe.changed_blocks(s, raw[i], seen[i], lane.began or action == Call.STAY)
        observe.observe(s, contents[lane.which], i, changed, codes, observations, fresh)
        s.logging = 0

    @kernel
    def begin_lane(states, raw, contents, i, lane, episode, scratch, legal, rows):
        """The next game of lane i begins and runs to its first question."""
        raw[i, :] = 0
        lane.which = lane.next_which
        s, c = states[i], contents[lane.which]
        seed_streams(s.chance, lane.next_seed)
        s.logging = len(rows) > 0
        setup.set_up(s, c)
        seating.settle(s, c, episode.seating, *scratch, legal, rows)
        lane.steps = 0
        lane.over = 0
        lane.began = 1
        lane.potential = worth.potential(s, c) if episode.shaped else 0.0

    @kernel
    def step_lane(s, c, lane, action, episode, scratch, legal, rows):
        """Answer what is asked, and what the answer brings to whoever learns from it.

        A game that is over at its beginning ends its episode with the first step, whatever the
        action.
        """
        lane.denial = LEGAL
        if s.ending == GOING_ON:
            if lane.asked != s.decisions:  # the game went on outside the lane
                masks.write_legal(s, c, legal)
            if not masks.is_among(action, legal):
                lane.denial = masks.denial(s, c, action)
            if lane.denial == LEGAL:
                s.logging = len(rows) > 0
                seating.take(s, action)
                seating.settle(s, c, episode.seating, *scratch, legal, rows)
        judge_step(s, lane, episode)
        if episode.shaped:
            shape_reward(lane, episode, 0.0 if lane.terminated else worth.potential(s, c))

    @kernel
    def look_at_lane(s, c, lane, episode, legal):
        """Find out how a position stands that was put into the lane, or that was there before."""
        masks.write_legal(s, c, legal)
        if episode.shaped:
            lane.potential = 0.0 if lane.over else worth.potential(s, c)

    return play_lanes
