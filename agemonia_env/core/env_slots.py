"""Env slots: the games of an environment side by side, and the one place that judges a step.

A slot stores what a game needs beside its state. An episode is one game as a learner sees it: it
has rewards and may be truncated. Of a state only the head is read here: ending, won, round,
n_exhausted, damage_dealt, damage_taken, decisions.
"""

from enum import IntEnum

import numpy as np

from .jit import entry, kernel
from .rng import seed_streams
from .work_stealing import blocks_each, next_block, wait_for_others

GOING_ON = 0  # `ending` of a scenario that is played
LEGAL = 0  # `denial` of an action that may be taken


class Autoreset(IntEnum):
    """When the next game of a slot begins."""

    DISABLED = 0  # when it is asked for
    NEXT_STEP = 1  # instead of the step after the last one
    SAME_STEP = 2  # in the last step


class Command(IntEnum):
    """What a slot does in a call of `play_slots`."""

    PLAY = 0  # its action is taken
    BEGIN = 1  # the next game begins
    LOOK = 2  # nothing is played; mask and observation of a position put there are written
    SKIP = 3  # nothing at all


class Waiting(IntEnum):
    """Whether an opponent outside the core is to answer before the slot goes on."""

    NO = 0
    IN_STEP = 1  # the step is judged when the opponent has answered all that it is asked
    AT_OPENING = 2  # the game has just begun


class Illegal(IntEnum):
    """What an illegal action does."""

    NOOP = 0  # nothing
    RAISE = 1  # nothing; whoever sent it is told
    TERMINATE = 2  # it ends the episode


class Control(IntEnum):
    """Who answers which questions, as bits; 0 = every decision with a choice is asked."""

    AUTO_TIES = 1  # ties that the players choose are settled by the first action
    HEROES_PLAYED = 2  # decisions of the Heroes are taken by a compiled policy
    ENEMIES_PLAYED = 4  # decisions of the enemy side are
    ENEMIES_ASKED = 8  # somebody plays the Enemies: their choices are no ties of the players
    POLICY = 16  # times the number of the policy that takes them


EPISODE = np.dtype(
    [  # the same for every slot of a batch
        ("gamma", np.float64),  # discount of the shaping
        ("control", np.int32),  # bits of Control
        ("max_decisions", np.int32),  # steps until an episode is truncated
        ("won", np.float64),  # reward of an end that the side played wants
        ("lost", np.float64),  # reward of any other end
        ("weight", np.float64),  # of the potential in shaped rewards
        ("autoreset", np.int16),  # Autoreset
        ("illegal", np.int16),  # Illegal
        ("sign", np.int16),  # 1 = rewards are the Heroes', -1 = the enemy side's
        ("opponent", np.int16),  # side that an opponent outside the core plays; -1 = none
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

SLOT = np.dtype(
    [
        # the next game
        ("next_seed", np.uint64),
        ("next_which", np.int16),  # row of the contents
        # the game going on
        ("which", np.int16),  # row of the contents
        ("steps", np.int32),
        ("potential", np.float32),  # after the last step
        ("over", np.uint8),  # the episode has ended
        ("waiting", np.uint8),  # Waiting
        # the last step
        ("reward", np.float64),
        ("denial", np.int16),  # why its action was refused
        ("opponent_denial", np.int16),  # why the last answer of an opponent outside was refused
        ("terminated", np.uint8),
        ("truncated", np.uint8),
        ("success", np.uint8),  # the scenario has ended as the side played wants it
        ("began", np.uint8),  # a game has begun
        ("final", np.int32),  # row of its last observation among those kept; -1 = none
        # decisions taken before the question its legal answers are of; whoever writes another
        # state of as many into the slot puts -1 here, or has it looked at (Command.LOOK)
        ("asked", np.int32),
        ("last", RESULT),  # of its games that have ended
    ],
    align=True,
)


@kernel
def judge_step(s, slot, episode):
    """Judge the step just made: reward without shaping, termination, truncation, success."""
    refused = slot.denial != LEGAL
    if not (refused and episode.illegal == Illegal.RAISE):
        slot.steps += 1
    disqualified = refused and episode.illegal == Illegal.TERMINATE
    slot.terminated = disqualified or s.ending != GOING_ON
    slot.truncated = not slot.terminated and slot.steps >= episode.max_decisions
    slot.over = slot.terminated or slot.truncated
    slot.success = not disqualified and is_success(s, episode)
    slot.reward = 0.0
    if slot.terminated:
        slot.reward = episode.won if slot.success else episode.lost


@kernel
def is_success(s, episode):
    """Whether the scenario has ended as the side played wants it."""
    return s.ending != GOING_ON and (s.won != 0) == (episode.sign > 0)


@kernel
def shape_reward(slot, episode, potential):
    """Add the shaping: `potential` is that after the step, 0 where it ended the episode."""
    before = slot.potential
    slot.potential = episode.weight * potential
    slot.reward += episode.sign * (episode.gamma * slot.potential - before)


@kernel
def rest_slot(slot):
    """A step in which nothing is played: the game is over."""
    slot.reward = 0.0
    slot.denial = LEGAL
    slot.terminated = 0
    slot.truncated = 0
    slot.success = 0


@kernel
def conclude_slot(s, slot):
    """Keep what the game amounted to: its state will be that of the next one."""
    last = slot.last
    last.win = s.won != 0
    last.ending = s.ending
    last.rounds = s.round
    last.exhausted_heroes = s.n_exhausted
    last.damage_dealt = s.damage_dealt
    last.damage_taken = s.damage_taken
    last.decisions = s.decisions


@entry
def tell(slots, rewards, flags, results, began, ended):
    """Gather what a step has brought to all slots: one compiled call in place of ten of NumPy.

    rewards: float64 (n,); flags: bool (5, n): terminated, truncated, success, whether the action
    was refused, and whether an episode has ended; results: RESULT (n,), written where one has.
    began, ended: int64 (n,), get the numbers of the slots in which a game has begun and an episode
    ended.
    -> (how many have begun, how many ended, how many actions were refused)
    """
    n_began = n_ended = n_illegal = 0
    for i in range(len(slots)):
        slot = slots[i]
        rewards[i] = slot.reward
        terminated, truncated = slot.terminated != 0, slot.truncated != 0
        flags[0, i] = terminated
        flags[1, i] = truncated
        flags[2, i] = slot.success != 0
        flags[3, i] = illegal = slot.denial != LEGAL
        n_illegal += illegal
        if slot.began:
            began[n_began] = i
            n_began += 1
        flags[4, i] = has_ended = terminated or truncated
        if has_ended:
            results[i] = slot.last
            ended[n_ended] = i
            n_ended += 1
    return n_began, n_ended, n_illegal


def slot_kernels(masks, observe, control, setup, hero_value):
    """The kernel `play_slots` of a ruleset, whose modules these are.

    The logic of a slot is written once; numba compiles it for each ruleset. scratch: what
    control.settle of the ruleset works on beside the legal answers, a tuple.
    """

    @kernel
    def play_slots(
        states, raw, contents, slots, commands, actions, episode, rows, blocks, thread, shown,
        scratch, fresh,
    ):  # fmt: skip
        """What api.play_slots does; here, and not in the entry, no references are counted.

        shown: masks, legal answers, what was seen, codes, observations.
        """
        legal, sheets = shown[1], shown[3:]
        whose, block = next_block(blocks, thread, -1)
        while block < blocks_each(blocks):
            begin, end = blocks[whose, block], blocks[whose, block + 1]
            kept = begin + kept_before(slots, commands, episode, begin, end)
            for i in range(begin, end):
                if commands[i] != Command.SKIP:
                    play_slot(
                        *(i, kept, states, raw, contents, slots[i], commands[i], actions[i]),
                        *(episode, rows, sheets, scratch, legal[i], fresh),
                    )
                    kept += slots[i].final == kept
            for i in range(begin, end):
                if commands[i] != Command.SKIP:
                    show_slot(i, states, raw, contents, slots[i], commands[i], shown, fresh)
            whose, block = next_block(blocks, thread, block)
        if thread == 0:
            wait_for_others(blocks)

    @kernel
    def kept_before(slots, commands, episode, begin, end):
        """How many last observations of this step the slots of a block have kept already."""
        n = 0
        if episode.opponent >= 0:  # only then does a step take several calls
            for i in range(begin, end):
                goes_on = commands[i] == Command.SKIP or slots[i].waiting != Waiting.NO
                n += goes_on and slots[i].final >= 0
        return n

    @kernel
    def play_slot(
        i, kept, states, raw, contents, slot, command, action, episode, rows, sheets, scratch,
        legal, fresh,
    ):  # fmt: skip
        """A step of slot i, or what is left of one; kept: the row for its last observation."""
        s = states[i]
        answered = command == Command.PLAY and slot.waiting != Waiting.NO
        if not answered:
            slot.began = 0
            slot.final = -1
        begins = command == Command.BEGIN or (
            command == Command.PLAY and slot.over and episode.autoreset == Autoreset.NEXT_STEP
        )
        if command == Command.LOOK:
            look_at_slot(s, contents[slot.which], slot, episode, legal)
        elif begins:
            rest_slot(slot)
        else:
            c = contents[slot.which]
            take_action(s, c, slot, action, episode, scratch, legal, rows)
            if slot.waiting == Waiting.AT_OPENING:
                open_slot(s, c, slot, episode)
            else:
                end_step(s, c, slot, episode)
                if slot.over and not slot.waiting:
                    conclude_slot(s, slot)
                    if episode.autoreset == Autoreset.SAME_STEP:
                        slot.final = kept
                        row = len(states) + kept
                        observe.observe(s, c, row, observe.ALL_CHANGED, *sheets, fresh)
                        begins = True
        if begins:
            begin_slot(states, raw, contents, i, slot, episode, scratch, legal, rows)
        slot.asked = s.decisions

    @kernel
    def show_slot(i, states, raw, contents, slot, command, shown, fresh):
        """Write all that a learner reads of slot i after a step."""
        s = states[i]
        s.logging = 0
        if slot.waiting:
            return
        mask_rows, legal, seen, codes, observations = shown
        if slot.over and slot.terminated:  # by an illegal action, perhaps
            mask_rows[i, :] = 1
        else:
            masks.write_mask(s, legal[i], mask_rows[i])
        every = slot.began or command == Command.LOOK
        changed = observe.changed_blocks(s, raw[i], seen[i], every)
        observe.observe(s, contents[slot.which], i, changed, codes, observations, fresh)

    @kernel
    def begin_slot(states, raw, contents, i, slot, episode, scratch, legal, rows):
        """The next game of slot i begins and runs to its first question."""
        raw[i, :] = 0
        slot.which = slot.next_which
        s, c = states[i], contents[slot.which]
        seed_streams(s.chance, slot.next_seed)
        s.logging = len(rows) > 0
        setup.set_up(s, c)
        control.settle(s, c, episode.control, *scratch, legal, rows)
        slot.steps = 0
        slot.over = 0
        slot.began = 1
        open_slot(s, c, slot, episode)

    @kernel
    def open_slot(s, c, slot, episode):
        """A game has begun; an opponent may be asked before the learner is."""
        slot.waiting = Waiting.AT_OPENING if waits(s, episode) else Waiting.NO
        slot.potential = weighted_potential(s, c, slot, episode)

    @kernel
    def waits(s, episode):
        """Whether an opponent outside the core is asked now."""
        return s.ending == GOING_ON and control.side_of(s) == episode.opponent

    @kernel
    def weighted_potential(s, c, slot, episode):
        """The potential of the position; 0 without shaping, and when the episode has ended."""
        if not episode.shaped or slot.over or slot.waiting:
            return 0.0
        return episode.weight * hero_value.potential(s, c)

    @kernel
    def take_action(s, c, slot, action, episode, scratch, legal, rows):
        """Answer what is asked, and run on to the next question; an illegal answer is denied.

        A game that is over at its beginning ends its episode with the first step, whatever the
        action.
        """
        slot.opponent_denial = LEGAL
        if not slot.waiting:
            slot.denial = LEGAL
        if s.ending == GOING_ON:
            if slot.asked != s.decisions:  # the game went on outside the slot
                masks.write_legal(s, c, legal)
            if masks.is_among(action, legal):
                s.logging = len(rows) > 0
                control.take(s, action)
                control.settle(s, c, episode.control, *scratch, legal, rows)
            elif slot.waiting:
                slot.opponent_denial = masks.denial(s, c, action)
            else:
                slot.denial = masks.denial(s, c, action)

    @kernel
    def end_step(s, c, slot, episode):
        """Judge the step, unless an opponent outside has to answer first."""
        slot.waiting = Waiting.IN_STEP if waits(s, episode) else Waiting.NO
        if not slot.waiting:
            judge_step(s, slot, episode)
            if episode.shaped:
                potential = 0.0 if slot.terminated else hero_value.potential(s, c)
                shape_reward(slot, episode, potential)

    @kernel
    def look_at_slot(s, c, slot, episode, legal):
        """Find out how a position stands that was put into the slot, or that was there before."""
        masks.write_legal(s, c, legal)
        slot.waiting = Waiting.NO
        disqualified = slot.terminated and s.ending == GOING_ON
        slot.success = not disqualified and is_success(s, episode)
        slot.potential = weighted_potential(s, c, slot, episode)

    return play_slots
