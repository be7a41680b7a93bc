"""Entry points of the core: they take arrays and write into arrays of the caller.

states: STATE (n,); contents: CONTENT (k,); which: int16 (n,), env i plays contents[which[i]];
actions: int64 (n,); masks: uint8 (n, N_ACTIONS); observations: float32 (n, N_OBSERVATION).
rows: the event log of env 0, int16 (m, N_COLUMNS), see core/event_log.py; m = 0 keeps none.
control: who is asked, bits of `env_slots.Control`. Besides games there are single rules: boards,
decks, monster turns.
"""

import numpy as np

from agemonia_env.core import mcts, scoring
from agemonia_env.core.event_log import N_COLUMNS
from agemonia_env.core.jit import COMPILED, entry, kernel, with_fields
from agemonia_env.core.legal_sets import first
from agemonia_env.core.rng import draw_below, force, seed_streams

from . import (
    action_features,
    commands,
    flow,
    hexset,
    invariants,
    masks,
    observe,
    planner,
    policies,
)
from . import env_slots as batch
from .action_features import ROW, SHARED
from .action_spec import N_ACTION_FEATURES
from .actions import N_ACTIONS, N_WORDS, WORD_START
from .control import settle as run_on
from .control import take
from .heuristics.hero_value import WORK
from .layout import PLAN
from .obs_spec import N_OBS_INT8, N_OBSERVATION
from .rules import advantage, area, board, damage, deck, distance, figures, monster, setup, sight
from .terms import Denial, Effect, Ending, Stream

NO_ROWS = np.zeros((0, N_COLUMNS), np.int16)
SCRATCH = PLAN if COMPILED else with_fields(PLAN)


# ---- games --------------------------------------------------------------------------------------
@entry
def reset(states, contents, which, seeds, select, control, rows):
    """Set up env i with seeds[i], uint64, if select[i], and run to the first decision.

    The caller zeroes the selected states first (`states[select] = zeros`).
    """
    legal, plan = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
    work = np.empty(1, WORK)
    for i in range(len(states)):
        if select[i]:
            s, c = states[i], contents[which[i]]
            seed_streams(s.chance, seeds[i])
            s.logging = len(rows) > 0
            setup.set_up(s, c)
            run_on(s, c, control, plan[0], work[0], legal, rows)
            s.logging = 0


@entry
def step(states, contents, which, actions, control, rows, denials):
    """Apply actions; denials, int16 (n,), says why an action was refused (then nothing changes)."""
    legal, plan = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
    work = np.empty(1, WORK)
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        denials[i] = masks.denial(s, c, actions[i])
        if denials[i] == Denial.NONE:
            s.logging = len(rows) > 0
            take(s, actions[i])
            run_on(s, c, control, plan[0], work[0], legal, rows)
            s.logging = 0


@entry
def play_slots(
    states,
    raw,
    contents,
    slots,
    commands,
    actions,
    episode,
    rows,
    blocks,
    thread,
    mask_rows,
    legal,
    cached,
    obs_int8,
    observations,
):
    """Play a step in a thread's slots, and write masks and observations.

    Games restart as `episode` says; thread 0 waits a while for the others.

    raw: the bytes of the states, uint8 (n, STATE.itemsize); slots: SLOT (n,); commands: uint8 (n,),
    Command; actions: int64 (n,); episode: EPISODE (1,); rows: event log of slot 0; blocks, thread:
    which slots these are, see core/work_stealing.py. legal: int64 (n, N_WORDS), legal answers as
    bits. The caller passes it back at every step, as well as cached, int16 (n, N_CACHED), obs_int8
    and observations (see observe.py). With Autoreset.SAME_STEP the last two have further rows for
    the last observations of finished games; `final` of a slot names its row.
    """
    plan, work = np.empty(1, SCRATCH), np.empty(1, WORK)
    scratch = np.zeros(N_OBS_INT8, np.int8)
    batch.play_slots(
        *(states, raw, contents, slots, commands, actions, episode[0], rows, blocks, thread),
        *((mask_rows, legal, cached, obs_int8, observations), (plan[0], work[0]), scratch),
    )


@entry
def write_masks(states, contents, which, out):
    """Write the masks; all ones at a finished state."""
    legal = np.zeros(N_WORDS, np.int64)
    for i in range(len(states)):
        masks.write_legal(states[i], contents[which[i]], legal)
        masks.write_mask(states[i], legal, out[i])


@entry
def write_denials(states, contents, which, i, denials):
    """Write why each action of env i is refused now, int16 (N_ACTIONS,); 0 = legal."""
    for a in range(N_ACTIONS):
        denials[a] = masks.denial(states[i], contents[which[i]], a)


@entry
def write_observations(states, contents, which, observations):
    """Write the observations, float32 (n, N_OBSERVATION), C-contiguous."""
    none, scratch = np.zeros((0, N_OBS_INT8), np.int8), np.zeros(N_OBS_INT8, np.int8)
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        observe.observe(s, c, i, observe.ALL_CHANGED, none, observations, scratch)


@entry
def choose_actions(states, contents, which, policy, actions):
    """Write a compiled policy's action for every env that has not ended, int64 (n,)."""
    legal, work = np.zeros(N_WORDS, np.int64), np.empty(1, WORK)
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        if s.ending == Ending.NONE:
            n = masks.write_legal(s, c, legal)
            actions[i] = policies.choose(s, c, policy, work[0], legal, n)


@entry
def write_action_features(states, contents, which, masks, firsts, rows):
    """Write the features of the legal actions of every env, those of env i from rows[firsts[i]] on.

    masks: uint8 (n, N_ACTIONS); firsts: int64 (n,); rows: int8 (m, N_ACTION_FEATURES), one for each
    1 of the masks.
    """
    work, shared = np.empty(1, WORK), np.zeros(1, SHARED)
    records = rows.reshape(rows.size).view(ROW)
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        action_features.write_features(s, c, masks[i], work[0], shared[0], records, firsts[i])


@entry
def write_catalogue(states, contents, books):
    """Write the catalogue of every scenario into books, BOOK (k,) of zeros.

    states: STATE (k,), a game of each scenario at its start.
    """
    work, shared = np.empty(1, WORK), np.zeros(1, SHARED)
    for i in range(len(states)):
        action_features.write_catalogue(states[i], contents[i], work[0], shared[0], books[i])


@entry
def draw_random(states, out):
    """Draw a number in [0, 1) for every env from its stream for policies, float64 (n,)."""
    for i in range(len(states)):
        out[i] = draw_below(states[i].chance, Stream.POLICY, 1 << 31) / (1 << 31)


@entry
def write_sides(states, sides):
    """Write who is asked in every env, uint8 (n,): always 0, the characters."""
    sides[: len(states)] = 0


@entry
def plan(
    states,
    raw,
    contents,
    which,
    i,
    copies,
    raw_copies,
    nodes,
    edges,
    flights,
    counts,
    network,
    actions,
    thread,
):
    """Search for the action of env i, with all threads that call this; thread 0 writes it.

    raw: the bytes of the states, uint8 (n, STATE.itemsize); copies: STATE (threads + 1,) to play
    in, the last one for the root, with their bytes raw_copies; nodes, edges, flights, counts: the
    tree, see core/mcts.py, whose counts are 0, but TURN NOT_READY. network: side, weight, trust,
    sizes and weights, see core/scoring.py. Draws once from the state's stream for policies. The
    search stops once the simulations left cannot change its answer.
    actions: int64 (n,), unchanged where the game has ended. -> simulations done, on thread 0
    """
    legal, turn = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
    work, listed = np.empty(1, WORK), np.zeros(N_ACTIONS, np.int64)
    rows = np.zeros((0, N_COLUMNS), np.int16)
    listing = np.zeros((N_ACTIONS if network[0] else 0, N_ACTION_FEATURES), np.int8)
    records = listing.reshape(listing.size).view(ROW)
    net = scoring.scorer_of(
        network, N_ACTIONS, N_OBS_INT8, N_OBSERVATION, listing, records, np.zeros(1, SHARED)
    )
    c, root = contents[which[i]], len(copies) - 1
    if thread == 0:
        begin_plan(states[i], c, i, len(edges), nodes, counts, legal, actions)
        raw_copies[root, :] = raw[i]
        planner.sort_hidden(copies[root])
        mcts.end_turn(counts)
    s = copies[thread]
    k = mcts.next_simulation(nodes, edges, counts)
    while k != mcts.NONE:
        flight = flights[k % len(flights)]
        mcts.back_up_landed(nodes, edges, flights, counts, k - len(flights))
        raw_copies[thread, :] = raw_copies[root]
        planner.redraw_hidden(s, mcts.seed_of(counts, k))
        n = planner.descend(
            s, c, turn[0], work[0], legal, rows, listed, nodes, edges, counts, flight, net
        )
        mcts.end_turn(counts)
        won = planner.play_on(s, c, turn[0], work[0], legal, rows, n, net)
        mcts.land(flights, counts, k, won)
        k = mcts.next_simulation(nodes, edges, counts)
    if thread > 0 or counts[mcts.LIMIT] == 0:
        return 0
    done = mcts.back_up_last(nodes, edges, flights, counts)
    actions[i] = mcts.best_action(nodes, edges, 1)
    return done


@kernel
def begin_plan(s, c, i, most, nodes, counts, legal, actions):
    """Begin a search of `most` simulations, or of none where there is nothing to choose."""
    if s.ending != Ending.NONE:
        return
    n = masks.write_legal(s, c, legal)
    seed = draw_below(s.chance, Stream.POLICY, 1 << 31)
    actions[i] = first(legal, WORD_START)
    if n > 1:
        mcts.begin(nodes, counts, seed, most)


@entry
def rollout(states, contents, which, policy, control, limit, broken):
    """Play every env to its end, or for `limit` decisions; broken, int64 (n,): bits of invariants.

    With broken of length 0 invariants are not checked. -> decisions played
    """
    legal, plan = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
    work = np.empty(1, WORK)
    rows = np.zeros((0, N_COLUMNS), np.int16)
    total = 0
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        n = masks.write_legal(s, c, legal)
        for _ in range(limit):
            if s.ending != Ending.NONE:
                break
            if len(broken) > 0:
                broken[i] |= invariants.status(s, c)
            if n == 0:
                break
            take(s, policies.choose(s, c, policy, work[0], legal, n))
            n = run_on(s, c, control, plan[0], work[0], legal, rows)
            total += 1
    return total


@entry
def status(states, contents, which, out):
    """Write the broken invariants of every env, int64 (n,): bits of terms.Broken."""
    for i in range(len(states)):
        out[i] = invariants.status(states[i], contents[which[i]])


@entry
def set_chance(states, contents, which, i, seed):
    """Reseed env i: its random streams, and the order of its face-down cards.

    A planner's copy thus cannot peek at what is coming.
    """
    planner.redraw_hidden(states[i], np.uint64(seed))


@entry
def force_chance(states, contents, which, scripts):
    """Let the chance of every env go as scripts says, uint64 (n,); see core.rng.force.

    Face-down cards are sorted, and whichever the script says is the top one.
    """
    for i in range(len(states)):
        force(states[i].chance, scripts[i])
        planner.reorder_hidden(states[i])


@entry
def clear(states):
    """Empty every state; for building positions by hand."""
    for i in range(len(states)):
        setup.clear(states[i])


@entry
def find_figures(states):
    """Recompute who stands where, after figures were placed by hand."""
    for i in range(len(states)):
        figures.find(states[i])


# ---- single rules -------------------------------------------------------------------------------
@entry
def settle(boards):
    """Derive the tables that follow from the size, terrain and wall lines of every board."""
    for i in range(len(boards)):
        board.settle(boards[i])


@entry
def write_blocked(boards, i, out):
    """G4 - pairs of floor hexes of board i that do not see each other, into out, int16 (n, 2).

    -> (how many, how many pairs there are); out may hold fewer than there are.
    """
    n = pairs = 0
    rest = hexset.of(boards[i].floor)
    while not hexset.is_empty(rest):
        a = hexset.lowest(rest)
        rest = hexset.without(rest, hexset.only(a))
        others = rest
        while not hexset.is_empty(others):
            b = hexset.lowest(others)
            others = hexset.without(others, hexset.only(b))
            pairs += 1
            if not sight.sees(boards[i], a, b):
                if n < len(out):
                    out[n, 0], out[n, 1] = a, b
                n += 1
    return n, pairs


@entry
def ranges(boards, i, a, out):
    """G3.1 - range from hex a of board i to every hex, into out, int16 (MAX_HEXES,); -1 = none."""
    for b in range(len(out)):
        here = hexset.has(hexset.of(boards[i].floor), b)
        out[b] = distance.range_between(boards[i], a, b) if here else -1


@entry
def draw(decks, mode, value, counters, stream):
    """G2 - draw for an attack of this value (after step 2) from every deck; see rules.advantage."""
    for i in range(len(decks)):
        advantage.draw(decks[i], mode, value, counters, stream)


@entry
def shuffle(decks, counters, stream):
    """Shuffle the draw pile of every deck."""
    for i in range(len(decks)):
        deck.shuffle(decks[i], counters, stream)


@entry
def end_round(decks, counters, stream):
    """G1.6 - end the round for every deck."""
    for i in range(len(decks)):
        deck.end_round(decks[i], counters, stream)


@entry
def write_results(decks, value, out):
    """Attack value, at least 0, and Pierce of every deck's last draw, into out, int64 (n, 2)."""
    for i in range(len(decks)):
        out[i, 0] = max(0, deck.modified(decks[i], value))
        out[i, 1] = deck.applied_amount(decks[i], Effect.PIERCE)


@entry
def value_before_card(value, bonus, doublings, poisoned):
    """G7.2, G7.3 - the attack value that the modifier card meets."""
    return damage.value_before_card(value, bonus, doublings, poisoned)


@entry
def write_damages(results, shield, pierce, out):
    """G7.6 - damage of each (value, Pierce of the cards), int64 (n, 2), into out, int64 (n,)."""
    for i in range(len(results)):
        out[i] = damage.damage(results[i, 0], shield, pierce + results[i, 1])


@entry
def settle_templates(turns):
    """G5.3 - work out the orientations of the template of every turn."""
    for i in range(len(turns)):
        area.settle_template(turns[i].attack)


@entry
def plan_turn(boards, turns, i, plans):
    """G13 - every allowed outcome of monster turn i on board i, into plans[0]; see layout.PLAN."""
    monster.write_outcomes(boards[i], turns[i], plans[0])


@entry
def play_turns(boards, turns, plans, ends, attacked):
    """G13.18 - the outcome picked of every turn: hex, int16 (n,); bits of enemies, int64 (n,)."""
    for i in range(len(turns)):
        monster.write_outcomes(boards[i], turns[i], plans[0])
        ends[i] = plans[0].outcome[0].end
        attacked[i] = plans[0].outcome[0].attacked


# ---- positions built by hand --------------------------------------------------------------------
@entry
def perform(states, contents, verb, arguments, rows):
    """Perform a verb on states[0] (commands.Verb) and run to the next question -> Denial."""
    s, c = states[0], contents[0]
    plan = np.empty(1, SCRATCH)
    s.logging = len(rows) > 0
    denial = commands.perform(s, c, verb, arguments)
    if denial == Denial.NONE:
        flow.run_until_decision(s, c, plan[0], rows)
    s.logging = 0
    return denial


@entry
def answer(states, contents, action, rows):
    """Answer the question of states[0] and run to the next one -> Denial; refused = no change."""
    s, c = states[0], contents[0]
    plan = np.empty(1, SCRATCH)
    denial = masks.denial(s, c, action)
    if denial == Denial.NONE:
        s.logging = len(rows) > 0
        take(s, action)
        flow.run_until_decision(s, c, plan[0], rows)
        s.logging = 0
    return denial


@entry
def query(states, contents, question, arguments, plans, out):
    """Answer commands.Query about states[0], which is scratch, into out, int16 (N_ANSWERS,).

    plans: PLAN (1,); of a monster's turn it has the outcomes, their targets as bits of figures.
    """
    commands.query(states[0], contents[0], question, arguments, plans[0], out)
