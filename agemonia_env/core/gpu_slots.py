"""What a GPU runs: the slots of core/env_slots.py, each played by one thread.

The same kernels as on the CPU; only which slot a thread plays, and where the seed of the next game
comes from, is decided here. gpu/ptx.py compiles these functions, and calls them with the slot i and
the number of the thread t, whose rows of the scratch arrays nobody else touches.
"""

import numpy as np

from .control import control_kernels
from .env_slots import GOING_ON, Command, slot_kernels
from .jit import kernel
from .pcg64 import next_64

SEEDS = 2.0**63  # of games, all of them equally likely
UNDRAWN = -1  # `next_which` of a slot whose generator is new


@kernel
def queue_next(slot, generator, bounds):
    """Draw the seed of the slot's next game, and which scenario that is.

    bounds: float64 (k,), the shares of the scenarios summed up. As envs/batch.py draws them.
    """
    slot.next_seed = next_64(generator) >> np.uint64(1)
    share, which = np.float64(slot.next_seed) / SEEDS, 0
    while which < len(bounds) - 1 and bounds[which] <= share:
        which += 1
    slot.next_which = which


def gpu_entries(core):
    """The functions that a GPU runs of a ruleset, by name; core: entries.Core.

    scratch: SCRATCH (threads,); obs_scratch: int8 (threads, 1, N_OBS_INT8). games: states, raw,
    contents, slots, actions, episode, generators, bounds; outputs and rows: as in the entry
    `play_slots`. generators: uint64 (n, pcg64.N_WORDS).
    """
    masks, policies = core.masks, core.policies
    settle, take = control_kernels(core)
    _, play_slot, write_outputs = slot_kernels(core, settle, take)

    def play(i, t, games, commands, outputs, rows, scratch, obs_scratch):
        """Play a step in slot i."""
        if commands[i] != Command.SKIP:
            step(i, t, games, commands[i], outputs, rows, scratch, obs_scratch)

    def write(i, t, games, commands, outputs, obs_scratch):
        """Write mask and observation of slot i after a step."""
        states, raw, contents, slots = games[:4]
        if commands[i] != Command.SKIP:
            write_outputs(i, states, raw, contents, slots[i], commands[i], outputs, obs_scratch[t])

    def play_on(i, t, games, policy, steps, outputs, rows, scratch, obs_scratch):
        """Play steps of a policy in slot i (-1: of the action given), and write its outputs."""
        states, raw, contents, slots = games[:4]
        for _ in range(steps):
            if policy >= 0:
                choose_in(i, t, games, policy, outputs, scratch)
            step(i, t, games, Command.PLAY, outputs, rows, scratch, obs_scratch)
            write_outputs(i, states, raw, contents, slots[i], Command.PLAY, outputs, obs_scratch[t])

    def choose(i, t, games, policy, outputs, scratch):
        """Choose the action of a compiled policy in slot i."""
        choose_in(i, t, games, policy, outputs, scratch)

    def rollout(i, t, states, contents, which, policy, control_bits, limit, totals, legal, rows,
                scratch):  # fmt: skip
        """Play game i to its end, or for `limit` decisions; totals: int64 (n,), decisions."""
        s, c = states[i], contents[which[i]]
        n = masks.write_legal(s, c, legal[t])
        played = 0
        while n > 0 and played < limit:
            take(s, policies.choose(s, c, policy, scratch[t], legal[t], n))
            n = settle(s, c, control_bits, scratch[t], legal[t], rows)
            played += 1
        totals[i] = played

    @kernel
    def step(i, t, games, command, outputs, rows, scratch, obs_scratch):
        states, raw, contents, slots, actions, episode, generators, bounds = games
        slot = slots[i]
        if slot.next_which == UNDRAWN:
            queue_next(slot, generators[i], bounds)
        play_slot(
            *(i, i, states, raw, contents, slot, command, actions[i], episode[0], rows),
            *(outputs[3:], scratch[t], outputs[1][i], obs_scratch[t]),
        )
        if slot.began:
            queue_next(slot, generators[i], bounds)

    @kernel
    def choose_in(i, t, games, policy, outputs, scratch):
        states, _, contents, slots, actions = games[:5]
        s, c, legal = states[i], contents[slots[i].which], outputs[1][i]
        if s.ending == GOING_ON:
            n = masks.write_legal(s, c, legal)
            actions[i] = policies.choose(s, c, policy, scratch[t], legal, n)

    return {"play": play, "write": write, "play_on": play_on, "choose": choose, "rollout": rollout}
