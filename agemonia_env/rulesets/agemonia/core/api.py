"""Entry points of the core: they take arrays and write into arrays of the caller.

states: STATE (n,); contents: CONTENT (k,); which: int16 (n,), env i plays contents[which[i]];
actions: int64 (n,); masks: uint8 (n, N_ACTIONS); observations: float32 (n, N_OBSERVATION).
rows: the event log of env 0, int16 (m, N_COLUMNS), see core/event_log.py; m = 0 keeps none.
control: who is asked, bits of `env_slots.Control`.
Python passes whole arrays and an index: 0.2 us a call, where a record costs 2 to 8.
"""

import numpy as np

from agemonia_env.core import mcts, scoring
from agemonia_env.core.event_log import N_COLUMNS, flush
from agemonia_env.core.jit import entry, kernel
from agemonia_env.core.legal_sets import first
from agemonia_env.core.rng import draw_below, force, seed_streams

from . import action_features, commands, flow, invariants, masks, observe, planner, policies
from . import env_slots as batch
from .action_spec import N_ACTION_FEATURES
from .actions import N_ACTIONS, N_BLOCKS, WORD_START
from .control import settle, take
from .heuristics.attack_value import WORK
from .layout import N_ALLIES, N_EFFECTS, N_ENEMIES, N_TYPES
from .obs_spec import N_OBS_INT8, N_OBSERVATION
from .rules import setup
from .sides import side_of
from .terms import Decision, Denial, Ending, Event, Stream

NO_ROWS = np.zeros((0, N_COLUMNS), np.int16)
N_COUNTED = 8192  # rows of the event log between two decisions that `count_events` has room for
N_WHO = N_ALLIES + N_TYPES + 2  # counts per event: see `whose`
N_AMOUNTS = N_EFFECTS + 1  # amounts counted separately


@entry
def reset(states, contents, which, seeds, select, control, rows):
    """Set up env i with seeds[i], uint64, if select[i], and run to the first decision.

    The caller zeroes the selected states first (`states[select] = zeros`).
    """
    legal, work = np.zeros(N_BLOCKS, np.int64), np.empty(1, WORK)
    for i in range(len(states)):
        if select[i]:
            s, c = states[i], contents[which[i]]
            seed_streams(s.chance, seeds[i])
            s.logging = len(rows) > 0
            setup.set_up(s, c)
            settle(s, c, control, work[0], legal, rows)
            s.logging = 0


@entry
def step(states, contents, which, actions, control, rows, denials):
    """Apply actions; denials, int16 (n,), says why an action was refused (then nothing changes)."""
    legal, work = np.zeros(N_BLOCKS, np.int64), np.empty(1, WORK)
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        denials[i] = masks.denial(s, c, actions[i])
        if denials[i] == Denial.NONE:
            s.logging = len(rows) > 0
            take(s, actions[i])
            settle(s, c, control, work[0], legal, rows)
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
    which slots these are, see core/work_stealing.py. legal: int64 (n, N_BLOCKS), legal answers as
    bits. The caller passes it back at every step, as well as cached, int16 (n, N_CACHED), obs_int8
    and observations (see observe.py). With Autoreset.SAME_STEP the last two have further rows for
    the last observations of finished games; `final` of a slot names its row.

    This is the only entry that both begins and plays games: each such entry costs 13 s of a cold
    compile.
    """
    work, scratch = np.empty(1, WORK), np.zeros(N_OBS_INT8, np.int8)
    batch.play_slots(
        *(states, raw, contents, slots, commands, actions, episode[0], rows, blocks, thread),
        *((mask_rows, legal, cached, obs_int8, observations), (work[0],), scratch),
    )


@entry
def write_masks(states, contents, which, out):
    """Write the masks; all ones at a finished state."""
    legal = np.zeros(N_BLOCKS, np.int64)
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
def write_action_features(states, contents, which, masks, firsts, rows):
    """Write the features of the legal actions of every env, those of env i from rows[firsts[i]] on.

    masks: uint8 (n, N_ACTIONS); firsts: int64 (n,); rows: int8 (m, N_ACTION_FEATURES), one for each
    1 of the masks.
    """
    legal, work = np.zeros(N_BLOCKS, np.int64), np.empty(1, WORK)
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        action_features.write_features(s, c, masks[i], legal, work[0], rows, firsts[i])


@entry
def write_catalogue(states, contents, books):
    """Write the catalogue of every scenario into books, BOOK (k,) of zeros.

    states: STATE (k,), a game of each scenario at its start.
    """
    work = np.empty(1, WORK)
    for i in range(len(states)):
        action_features.write_catalogue(states[i], contents[i], work[0], books[i])


@entry
def choose_actions(states, contents, which, policy, actions):
    """Write a compiled policy's action for every env that has not ended, int64 (n,)."""
    legal, work = np.zeros(N_BLOCKS, np.int64), np.empty(1, WORK)
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        if s.ending == Ending.NONE:
            n = masks.write_legal(s, c, legal)
            actions[i] = policies.choose(s, c, policy, work[0], legal, n)


@entry
def draw_random(states, out):
    """Draw a number in [0, 1) for every env from its stream for policies, float64 (n,)."""
    for i in range(len(states)):
        out[i] = draw_below(states[i].chance, Stream.POLICY, 1 << 31) / (1 << 31)


@entry
def write_sides(states, sides):
    """Write who is asked in every env, uint8 (n,): terms.Side."""
    for i in range(len(states)):
        sides[i] = side_of(states[i])


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
    legal, work = np.zeros(N_BLOCKS, np.int64), np.empty(1, WORK)
    listed = np.zeros(N_ACTIONS, np.int64)
    rows = np.zeros((0, N_COLUMNS), np.int16)
    listing = np.zeros((N_ACTIONS if network[0] else 0, N_ACTION_FEATURES), np.int8)
    net = scoring.scorer_of(
        network, N_ACTIONS, N_OBS_INT8, N_OBSERVATION, listing, listing, listing
    )
    c, root = contents[which[i]], len(copies) - 1
    if thread == 0:
        begin_plan(states[i], c, i, len(edges), nodes, counts, legal, actions)
        raw_copies[root, :] = raw[i]
        mcts.end_turn(counts)
    s = copies[thread]
    k = mcts.next_simulation(nodes, edges, counts)
    while k != mcts.NONE:
        flight = flights[k % len(flights)]
        mcts.back_up_landed(nodes, edges, flights, counts, k - len(flights))
        raw_copies[thread, :] = raw_copies[root]
        planner.redraw_hidden(s, c, mcts.seed_of(counts, k))
        n = planner.descend(s, c, work[0], legal, rows, listed, nodes, edges, counts, flight, net)
        mcts.end_turn(counts)
        mcts.land(flights, counts, k, planner.play_on(s, c, work[0], legal, rows, n, net))
        k = mcts.next_simulation(nodes, edges, counts)
    if thread > 0 or counts[mcts.LIMIT] == 0:
        return 0
    done = mcts.back_up_last(nodes, edges, flights, counts)
    actions[i] = mcts.best_action(nodes, edges, planner.sign_of(copies[root], c))
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
    legal, work = np.zeros(N_BLOCKS, np.int64), np.empty(1, WORK)
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
                    broken[i] |= 1 << 30
            take(s, policies.choose(s, c, policy, work[0], legal, n))
            n = settle(s, c, control, work[0], legal, rows)
            total += 1
    return total


@entry
def count_events(states, contents, which, seeds, policy, control, limit, events, choices):
    """Play a game from every seed, uint64 (n,), and count its events and choices.

    events: int64 (N_EVENTS, N_WHO, N_AMOUNTS), by terms.Event, `whose` and the row's amount (of
    Event.PROVOKE the Enemy's type); the last place is for amounts that are no index. choices: int64
    (N_DECISIONS, N_ACTIONS). Both are added to. The caller zeroes the states first.
    -> rows of the event log lost for lack of room
    """
    legal, work = np.zeros(N_BLOCKS, np.int64), np.empty(1, WORK)
    rows = np.zeros((N_COUNTED, N_COLUMNS), np.int16)
    kinds = np.zeros(N_ENEMIES, np.int16)
    lost = 0
    for i in range(len(states)):
        s, c = states[i], contents[which[i]]
        seed_streams(s.chance, seeds[i])
        s.logging = 1
        setup.set_up(s, c)
        for e in range(N_ENEMIES):
            kinds[e] = s.enemy[e].type
        for _ in range(limit):
            rows[0, 0] = 1
            rows[0, 1] = 0
            n = settle(s, c, control, work[0], legal, rows)
            lost += rows[0, 1]
            count_rows(rows, kinds, events, choices)
            if n == 0:
                break
            take(s, policies.choose(s, c, policy, work[0], legal, n))
        s.logging = 0
    return lost


@kernel
def count_rows(rows, kinds, events, choices):
    """Add the rows of the event log to the counts; kinds: the type that each Enemy slot holds."""
    for k in range(1, rows[0, 0]):
        event, figure, amount = rows[k, 0], rows[k, 1], rows[k, 2]
        if event == Event.CHOICE:
            choices[amount, rows[k, 5]] += 1
            continue
        if event == Event.SPAWN:
            kinds[figure - N_ALLIES] = amount
        if event == Event.PROVOKE:
            amount = kinds[amount]
        if rows[k, 4] == 0 and (event == Event.EFFECT or event == Event.WEAR):
            continue  # skipped; put away
        if not 0 <= amount < N_AMOUNTS - 1:
            amount = N_AMOUNTS - 1
        events[event, whose(figure, kinds), amount] += 1


@kernel
def whose(figure, kinds):
    """Place of a figure in the counts: ally slots, Enemy types, tokens and pets, nobody."""
    if figure < 0:
        return N_WHO - 1
    if figure < N_ALLIES:
        return figure
    if figure < N_ALLIES + N_ENEMIES:
        return N_ALLIES + kinds[figure - N_ALLIES]
    return N_WHO - 2


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
    planner.redraw_hidden(states[i], contents[which[i]], np.uint64(seed))


@entry
def force_chance(states, contents, which, scripts):
    """Let the chance of every env go as scripts says, uint64 (n,); see core.rng.force.

    Face-down cards are sorted, and whichever the script says is the top one.
    """
    for i in range(len(states)):
        force(states[i].chance, scripts[i])
        planner.reorder_hidden(states[i], contents[which[i]])


@entry
def clear(states):
    """Empty every state; for building positions by hand."""
    for i in range(len(states)):
        setup.clear(states[i])


@entry
def perform(states, contents, verb, arguments, rows):
    """Perform a verb on states[0] (commands.Verb) and run to the next question -> Denial."""
    s, c = states[0], contents[0]
    asked = s.decision
    s.logging = len(rows) > 0
    denial = commands.perform(s, c, verb, arguments)
    if denial == Denial.NONE:
        flow.run_until_decision(s, c, rows)
    else:
        s.decision = asked
    s.logging = 0
    return denial


@entry
def answer(states, contents, action, rows):
    """Answer the question of states[0] and run to the next one -> Denial; refused = no change."""
    s, c = states[0], contents[0]
    denial = masks.denial(s, c, action)
    if denial == Denial.NONE:
        s.logging = len(rows) > 0
        take(s, action)
        flow.run_until_decision(s, c, rows)
        s.logging = 0
    return denial


@entry
def advance(states, contents, action, rows):
    """Answer the question of states[0] if one is asked, and do one task -> Denial.

    For looking at a game between two questions.
    """
    s, c = states[0], contents[0]
    denial = Denial.NONE.value
    s.logging = len(rows) > 0
    if s.decision != Decision.NONE:
        denial = masks.denial(s, c, action)
        if denial == Denial.NONE:
            take(s, action)
    if flow.ends_lock(s):
        flow.end_lock(s, c)
    elif denial == Denial.NONE and s.ending == Ending.NONE and s.depth > 0:
        s.depth -= 1
        flow.run(s, c, s.tasks[s.depth])
    if s.n_log > 0:
        flush(s, rows)
    s.logging = 0
    return denial


@entry
def query(states, contents, question, arguments, out):
    """Answer commands.Query about states[0] into out, int16 (N_ANSWERS,)."""
    commands.query(states[0], contents[0], question, arguments, out)
