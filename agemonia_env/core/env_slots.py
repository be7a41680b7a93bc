"""Env slots: the games of an environment side by side, and the one place that judges a step.

A slot stores what a game needs beside its state. An episode is one game as a learner sees it: it
has rewards and may be truncated. Only the head of a state is read here: ending, won, round,
n_exhausted, damage_dealt, damage_taken, decisions.
"""

from enum import IntEnum

import numpy as np

from .fitted import take_columns
from .jit import kernel, typed
from .pcg64 import N_WORDS, POOL, integer_of
from .prefetching import MOST, prefetch_row
from .rng import seed_streams
from .work_stealing import blocks_each, next_block, wait_for_others

N_KNOBS = 32  # of a generator
IN_ROW, DRAWN, UNDRAWABLE = range(3)  # a scenario: in its row, drawn into it, too large for it
GOING_ON = 0  # `ending` of a scenario still being played
DRAW = np.uint64(0x5CE7A210)  # keeps scenario draws apart from other uses of the game's seed
LEGAL = 0  # `denial` of a legal action


class Autoreset(IntEnum):
    """When the next game of a slot begins."""

    DISABLED = 0  # on request
    NEXT_STEP = 1  # in place of the step after the last one
    SAME_STEP = 2  # in the last step


class Command(IntEnum):
    """What a slot does in a call of `play_slots`."""

    PLAY = 0  # take its action
    BEGIN = 1  # begin the next game
    LOOK = 2  # play nothing; write mask and observation of the position put there
    SKIP = 3  # do nothing


class Waiting(IntEnum):
    """Whether an opponent outside the core must answer before the slot goes on."""

    NO = 0
    IN_STEP = 1  # the step is judged once the opponent has answered all its questions
    AT_OPENING = 2  # the game has just begun


class Illegal(IntEnum):
    """What an illegal action does."""

    NOOP = 0  # nothing
    RAISE = 1  # nothing, and the env raises
    TERMINATE = 2  # it ends the episode


class Control(IntEnum):
    """Who answers which questions, as bits; 0 = every decision with a choice is asked outside."""

    AUTO_TIES = 1  # the first action settles ties that the players would choose
    HEROES_PLAYED = 2  # a compiled policy takes the decisions of the Heroes
    ENEMIES_PLAYED = 4  # a compiled policy takes those of the enemy side
    ENEMIES_ASKED = 8  # the enemy side is an agent: its choices are not the players' ties
    POLICY = 16  # multiplied by the number of that policy


EPISODE = np.dtype(
    [  # shared by all slots of a batch
        ("gamma", np.float64),  # discount of the shaping
        ("control", np.int32),  # bits of Control
        ("max_decisions", np.int32),  # steps until an episode is truncated
        ("won", np.float64),  # reward when the side played wins
        ("lost", np.float64),  # reward of any other ending
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
    [  # the result of a game
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
        ("next_drawing", np.int16),  # from which thread 0 draws its scenario into that row
        ("next_scenario", np.int64),  # seed of that scenario
        ("next_is", np.uint8),  # IN_ROW, DRAWN or UNDRAWABLE
        ("next_knobs", np.int16, (N_KNOBS,)),  # of its generator
        # the game going on
        ("which", np.int16),  # row of the contents
        ("steps", np.int32),
        ("potential", np.float32),  # weighted, after the last step
        ("over", np.uint8),  # the episode has ended
        ("waiting", np.uint8),  # Waiting
        # the last step
        ("reward", np.float64),
        ("denial", np.int16),  # why its action was refused
        ("opponent_denial", np.int16),  # why the last answer of an opponent outside was refused
        ("terminated", np.uint8),
        ("truncated", np.uint8),
        ("success", np.uint8),  # the scenario has ended, and the side played has won
        ("began", np.uint8),  # a game has begun
        ("final", np.int32),  # row of its last observation among the final ones; -1 = none
        # s.decisions at the question that the cached legal answers belong to; code that puts
        # another state into the slot sets it to -1, or sends Command.LOOK
        ("legal_at", np.int32),
        ("last", RESULT),  # of its last finished game
    ],
    align=True,
)


@kernel
def judge_step(s, slot, episode):
    """Judge the step just made: unshaped reward, termination, truncation, success."""
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
    """Whether the scenario has ended and the side played has won."""
    return s.ending != GOING_ON and (s.won != 0) == (episode.sign > 0)


@kernel
def shape_reward(slot, episode, potential):
    """Add the shaping; potential: after the step, 0 if the episode has ended."""
    before = slot.potential
    slot.potential = episode.weight * potential
    slot.reward += episode.sign * (episode.gamma * slot.potential - before)


@kernel
def clear_step(slot):
    """Clear the outcome of the last step: nothing was played in this one."""
    slot.reward = 0.0
    slot.denial = LEGAL
    slot.terminated = 0
    slot.truncated = 0
    slot.success = 0


@kernel
def store_result(s, slot):
    """Store the result of the game before its state is overwritten."""
    last = slot.last
    last.win = s.won != 0
    last.ending = s.ending
    last.rounds = s.round
    last.exhausted_heroes = s.n_exhausted
    last.damage_dealt = s.damage_dealt
    last.damage_taken = s.damage_taken
    last.decisions = s.decisions


@typed(
    *((SLOT, 1), (np.float64, 1), (np.bool_, 2), (RESULT, 1), (np.int64, 1), (np.int64, 1)),
)
def collect_results(slots, rewards, flags, results, began, ended):
    """Collect the results of a step from all slots, in one compiled call instead of ten of NumPy.

    rewards: float64 (n,); flags: bool (5, n): terminated, truncated, success, action refused,
    episode ended; results: RESULT (n,), written where an episode has ended. began, ended: int64
    (n,), filled with the numbers of the slots in which a game began or an episode ended.
    -> (how many began, how many ended, how many actions were refused)
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


@typed(int, int)
def drawn_seed(core_seed, n):
    """Which of n scenario seeds the game of a core seed has, n at most 2**32.

    `numpy.random.default_rng([DRAW, core_seed]).integers(n)`, which takes 16 us.
    """
    pool, generator = np.zeros(POOL, np.uint64), np.zeros(N_WORDS, np.uint64)
    return integer_of(DRAW, np.uint64(core_seed), np.uint64(n), pool, generator)


def slot_kernels(core, settle, take):
    """The kernels `play_slots`, `play_slot` and `write_outputs` of a ruleset.

    core: entries.Core; settle, take: control.control_kernels.
    """
    generator, masks, observe, setup = core.generator, core.masks, core.observe, core.setup
    potential, sides = core.potential, core.sides
    before_log = min(MOST, core.STATE.fields["log"][1])

    @kernel
    def play_slots(
        states, raw, contents, slots, commands, actions, episode, rows, blocks, thread, drawing,
        outputs, scratch, obs_scratch,
    ):  # fmt: skip
        """The body of the entry `play_slots`, in a kernel so that no references are counted.

        outputs: masks, legal answers, cached words, int8 and float32 observations, and their fit
        (fitted.py); scratch: (1,).
        """
        legal, cached, obs_int8 = outputs[1:4]
        observed = outputs[3:]
        owner, block = next_block(blocks, thread, -1)
        while block < blocks_each(blocks):
            begin, end = blocks[owner, block], blocks[owner, block + 1]
            final_row = begin + finals_written(slots, commands, episode, begin, end)
            for i in range(begin, end):
                prefetch_row(raw, i + 1, before_log)
                prefetch_row(legal, i + 1)
                if i + 1 < end and slots[i + 1].which != slots[i].which:
                    prefetch_row(contents, slots[i + 1].which)
                if commands[i] != Command.SKIP:
                    begins = advance_slot(
                        *(i, final_row, states, contents, slots[i], commands[i], actions[i]),
                        *(episode, rows, observed, scratch[0], legal[i], obs_scratch),
                    )
                    if begins:
                        draw_next(contents, slots[i], drawing, thread)
                        begin_slot(
                            states, raw, contents, i, slots[i], episode, scratch[0], legal[i], rows
                        )
                    slots[i].legal_at = states[i].decisions
                    final_row += slots[i].final == final_row
            for i in range(begin, end):
                prefetch_row(cached, i + 1)
                prefetch_row(obs_int8, i + 1)
                if commands[i] != Command.SKIP:
                    write_outputs(
                        i, states, raw, contents, slots[i], commands[i], outputs, obs_scratch
                    )
            owner, block = next_block(blocks, thread, block)
        if thread == 0:
            wait_for_others(blocks)

    @kernel
    def finals_written(slots, commands, episode, begin, end):
        """How many final observations earlier calls of this step have written for a block."""
        n = 0
        if episode.opponent >= 0:  # only then does a step take several calls
            for i in range(begin, end):
                continues = commands[i] == Command.SKIP or slots[i].waiting != Waiting.NO
                n += continues and slots[i].final >= 0
        return n

    @kernel
    def draw_next(contents, slot, drawing, thread):
        """Draw the next scenario of a slot into its row, if it is drawn."""
        if slot.next_is == DRAWN:
            own = drawing[slot.next_drawing + thread]
            row, seed = slot.next_which, slot.next_scenario
            if not generator.draw(contents, row, seed, slot.next_knobs, own):
                slot.next_is = UNDRAWABLE

    @kernel
    def play_slot(
        i, final_row, states, raw, contents, slot, command, action, episode, rows, observed,
        scratch, legal, obs_scratch,
    ):  # fmt: skip
        """Play a step of slot i, and begin its next game; for a GPU, where nothing is drawn."""
        begins = advance_slot(
            *(i, final_row, states, contents, slot, command, action),
            *(episode, rows, observed, scratch, legal, obs_scratch),
        )
        if begins:
            begin_slot(states, raw, contents, i, slot, episode, scratch, legal, rows)
        slot.legal_at = states[i].decisions

    @kernel
    def advance_slot(
        i, final_row, states, contents, slot, command, action, episode, rows, observed, scratch,
        legal, obs_scratch,
    ):  # fmt: skip
        """Play a step of slot i, or the rest of one -> whether its next game begins.

        final_row: for its last observation.
        """
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
            clear_step(slot)
        else:
            c = contents[slot.which]
            take_action(s, c, slot, action, episode, scratch, legal, rows)
            if slot.waiting == Waiting.AT_OPENING:
                open_slot(s, c, slot, episode)
            else:
                end_step(s, c, slot, episode)
                if slot.over and not slot.waiting:
                    store_result(s, slot)
                    if episode.autoreset == Autoreset.SAME_STEP:
                        slot.final = final_row
                        row = len(states) + final_row
                        write_observation(s, c, row, observe.ALL_CHANGED, observed, obs_scratch)
                        begins = True
        return begins

    @kernel
    def write_outputs(i, states, raw, contents, slot, command, outputs, obs_scratch):
        """Write the mask and the observation of slot i after a step."""
        s = states[i]
        s.logging = 0
        if slot.waiting:
            return
        mask_rows, legal, cached = outputs[:3]
        if slot.over and slot.terminated:  # the scenario itself may go on
            mask_rows[i, :] = 1
        else:
            masks.write_mask(s, legal[i], mask_rows[i])
        all_new = slot.began or command == Command.LOOK
        c = contents[slot.which]
        changed = observe.changed_blocks(s, c, raw[i], cached[i], all_new)
        write_observation(s, c, i, changed, outputs[3:], obs_scratch)

    @kernel
    def write_observation(s, c, i, changed, observed, scratch):
        """Write observation i, all of it or what fits; scratch: int8 (1, N_OBS_INT8)."""
        obs_int8, observations = observed[:2]
        if len(observed[2]) == 0:
            observe.observe(s, c, i, changed, obs_int8, observations, scratch[0])
        else:
            observe.observe(s, c, 0, changed, scratch, observations[:0], scratch[0])
            take_columns(scratch[0], changed, i, observe.FACTORS, *observed)

    @kernel
    def begin_slot(states, raw, contents, i, slot, episode, scratch, legal, rows):
        """Begin the next game of slot i and run it to its first question."""
        raw[i, :] = 0
        slot.which = slot.next_which
        s, c = states[i], contents[slot.which]
        seed_streams(s.chance, slot.next_seed)
        s.logging = len(rows) > 0
        setup.set_up(s, c)
        settle(s, c, episode.control, scratch, legal, rows)
        slot.steps = 0
        slot.over = 0
        slot.began = 1
        open_slot(s, c, slot, episode)

    @kernel
    def open_slot(s, c, slot, episode):
        """Set a slot up for a new game; an opponent may be asked before the learner."""
        slot.waiting = Waiting.AT_OPENING if waits(s, episode) else Waiting.NO
        slot.potential = weighted_potential(s, c, slot, episode)

    @kernel
    def waits(s, episode):
        """Whether an opponent outside the core is asked now."""
        return s.ending == GOING_ON and sides.side_of(s) == episode.opponent

    @kernel
    def weighted_potential(s, c, slot, episode):
        """The weighted potential; 0 without shaping, and when the episode has ended."""
        if not episode.shaped or slot.over or slot.waiting:
            return 0.0
        return episode.weight * potential.potential(s, c)

    @kernel
    def take_action(s, c, slot, action, episode, scratch, legal, rows):
        """Answer the question and run on to the next one; refuse an illegal answer.

        In a game that is over from the start, any action ends the episode.
        """
        slot.opponent_denial = LEGAL
        if not slot.waiting:
            slot.denial = LEGAL
        if s.ending == GOING_ON:
            if slot.legal_at != s.decisions:  # the game went on outside the slot
                masks.write_legal(s, c, legal)
            if masks.is_among(action, legal):
                s.logging = len(rows) > 0
                take(s, action)
                settle(s, c, episode.control, scratch, legal, rows)
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
                after = 0.0 if slot.terminated else potential.potential(s, c)
                shape_reward(slot, episode, after)

    @kernel
    def look_at_slot(s, c, slot, episode, legal):
        """Refresh the slot for the position in it, which may have been put there."""
        masks.write_legal(s, c, legal)
        slot.waiting = Waiting.NO
        disqualified = slot.terminated and s.ending == GOING_ON
        slot.success = not disqualified and is_success(s, episode)
        slot.potential = weighted_potential(s, c, slot, episode)

    return play_slots, play_slot, write_outputs
