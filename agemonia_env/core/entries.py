"""The entry points that every ruleset has, made of its kernels.

Entries take arrays and write into arrays of the caller. states: STATE (n,); contents: CONTENT (k,);
which: int16 (n,), env i plays contents[which[i]]; actions: int64 (n,); masks: uint8 (n, N_ACTIONS);
observations: float32 (n, N_OBSERVATION). rows: the event log of env 0, int16 (m, N_COLUMNS), see
event_log.py; m = 0 keeps none. control: who is asked, bits of env_slots.Control.

Python passes whole arrays and an index: 0.2 us a call, where a record costs 2 to 8.
"""

from collections.abc import Callable, Mapping
from inspect import signature
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

from . import mcts, no_generator, scoring
from .env_slots import EPISODE, GOING_ON, LEGAL, SLOT, slot_kernels
from .event_log import N_COLUMNS
from .jit import COMPILED, entry, kernel
from .legal_sets import first
from .planning import planning_kernels
from .rng import draw_below, force, seed_streams

NO_ROWS = np.zeros((0, N_COLUMNS), np.int16)


class Core(NamedTuple):
    """The modules of a ruleset's core. In their kernels s is a state, c its compiled scenario.

    scratch: one record of SCRATCH, which only the ruleset reads; legal: int64 (N_WORDS,), the legal
    answers as bits, see legal_sets.py.
    """

    STATE: Any  # dtypes
    CONTENT: Any
    SCRATCH: Any
    terms: ModuleType  # Decision, Event, Stream, TIES
    actions: ModuleType  # N_ACTIONS, N_WORDS, WORD_START, Block, decode_block, decode_index
    obs_spec: ModuleType  # N_OBS_INT8, N_OBSERVATION
    action_spec: ModuleType  # N_ACTION_FEATURES
    action_features: ModuleType  # ROW, write_features(s, c, mask, legal, scratch, rows, first)
    commands: ModuleType  # perform(s, c, verb, arguments)
    flow: ModuleType  # run_until_decision(s, c, scratch, rows)
    hidden: ModuleType  # reorder(s, c), sort(s): the face-down cards
    invariants: ModuleType  # status(s, c)
    masks: ModuleType  # denial(s, c, action), write_legal(s, c, legal), write_mask(s, legal, mask)
    observe: ModuleType  # changed_blocks, observe
    policies: ModuleType  # Policy.GREEDY, choose(s, c, policy, scratch, legal, n)
    potential: ModuleType  # potential(s, c)
    setup: ModuleType  # set_up(s, c), clear(s)
    sides: ModuleType  # side_of(s), 1 = the enemies'; enemies_choose(c)
    generator: ModuleType = no_generator  # NO_DRAWING, PLAN, draw, keep_plan


class Entries(NamedTuple):
    """The entries, as rulesets' `api` modules name them."""

    reset: Any
    step: Any
    play_slots: Any
    write_masks: Any
    write_denials: Any
    write_observations: Any
    write_action_features: Any
    choose_actions: Any
    draw_random: Any
    write_sides: Any
    plan: Any
    rollout: Any
    status: Any
    set_chance: Any
    force_chance: Any
    clear: Any
    perform: Any
    answer: Any
    draw_scenarios: Any


def entries_of(core: Core, settle: Any, take: Any, module: str) -> Entries:
    """Make the entries of a ruleset.

    settle, take: control.control_kernels. module: the name of its `api`, in whose cache they are.
    """
    made = _of_games(core, settle, take) | _of_plans(core, settle, take)
    made |= _of_positions(core, take) | _of_scenarios(core)
    known = types_of(core)
    for function in made.values():
        function.__module__ = module
    return Entries(**{name: typed(function, known) for name, function in made.items()})


def types_of(core: Core) -> dict[str, Any]:
    """The types of the arguments of entries, by name; none in plain Python."""
    records = {
        **{"states": core.STATE, "copies": core.STATE, "contents": core.CONTENT, "slots": SLOT},
        **{"drawing": core.generator.NO_DRAWING.dtype, "plans": core.generator.PLAN},
        **{"episode": EPISODE, "nodes": mcts.NODE, "edges": mcts.EDGE, "flights": mcts.FLIGHT},
    }
    numbers = {
        "int64": "actions firsts counts broken drawn",
        "int32": "arguments",
        "int16": "which denials answers",
        "uint16": "columns",
        "uint64": "seeds scripts",
        "uint8": "select commands asked",
        "float64": "numbers",
    }
    tables = {
        "int64": "blocks legal choices",
        "int16": "rows cached knobs ranges",
        "int8": "obs_int8 features",
        "uint8": "raw raw_copies mask_rows",
        "float32": "observations",
    }
    known = arguments(
        records, numbers, tables, "i control policy limit thread verb action question"
    )
    if COMPILED:
        network = types.int64, types.float64, types.float64, types.int64[::1], types.float32[::1]
        known |= {"seed": types.uint64, "events": types.int64[:, :, ::1]}
        known["network"] = types.Tuple(network)
    return known


def arguments(
    records: Mapping[str, Any], numbers: Mapping[str, str], tables: Mapping[str, str], whole: str
) -> dict[str, Any]:
    """Types by name: arrays of records, of numbers, and of rows of numbers, and whole numbers."""
    if not COMPILED:
        return {}
    known = {name: from_dtype(np.dtype(record))[::1] for name, record in records.items()}
    known |= {name: getattr(types, of)[::1] for of in numbers for name in numbers[of].split()}
    known |= {name: getattr(types, of)[:, ::1] for of in tables for name in tables[of].split()}
    return known | dict.fromkeys(whole.split(), types.int64)


def typed(function: Callable[..., Any], known: Mapping[str, Any]) -> Any:
    """An entry, its arguments typed by their names."""
    names = signature(function).parameters
    return entry(function, tuple(known[name] for name in names) if known else None)


def _of_games(core: Core, settle: Any, take: Any) -> dict[str, Any]:
    """Begin games, play them, and write what is seen of them."""
    SCRATCH, N_OBS_INT8 = core.SCRATCH, core.obs_spec.N_OBS_INT8
    N_ACTIONS, N_WORDS = core.actions.N_ACTIONS, core.actions.N_WORDS
    POLICY = core.terms.Stream.POLICY
    action_features, invariants, masks = core.action_features, core.invariants, core.masks
    ROW = action_features.ROW
    observe, policies, setup, sides = core.observe, core.policies, core.setup, core.sides
    play, *_ = slot_kernels(core, settle, take)

    def reset(states, contents, which, seeds, select, control, rows):
        """Set up env i with seeds[i], uint64, if select[i], and run to the first decision.

        The caller zeroes the selected states first (`states[select] = zeros`).
        """
        legal, scratch = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
        for i in range(len(states)):
            if select[i]:
                s, c = states[i], contents[which[i]]
                seed_streams(s.chance, seeds[i])
                s.logging = len(rows) > 0
                setup.set_up(s, c)
                settle(s, c, control, scratch[0], legal, rows)
                s.logging = 0

    def step(states, contents, which, actions, control, rows, denials):
        """Apply actions; denials, int16 (n,): why one was refused (then nothing changes)."""
        legal, scratch = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
        for i in range(len(states)):
            s, c = states[i], contents[which[i]]
            denials[i] = masks.denial(s, c, actions[i])
            if denials[i] == LEGAL:
                s.logging = len(rows) > 0
                take(s, actions[i])
                settle(s, c, control, scratch[0], legal, rows)
                s.logging = 0

    def play_slots(
        states, raw, contents, slots, commands, actions, episode, rows, blocks, thread, drawing,
        mask_rows, legal, cached, obs_int8, observations, columns, ranges,
    ):  # fmt: skip
        """Play a step in a thread's slots, and write masks and observations.

        Games restart as `episode` says; thread 0 waits a while for the others.

        raw: the bytes of the states, uint8 (n, STATE.itemsize); slots: SLOT (n,); commands: uint8
        (n,), Command; episode: EPISODE (1,); rows: event log of slot 0; blocks, thread: which slots
        these are, see work_stealing.py; drawing: what scenarios are drawn from, NO_DRAWING of the
        ruleset's core.generator if they are not. legal: int64 (n, N_WORDS), legal answers as bits.
        The caller passes it back at every step, as well as cached, int16 (n, N_CACHED), obs_int8
        and observations (see the ruleset's observe.py; columns, ranges: fitted.py). With
        Autoreset.SAME_STEP these two have further rows for the last observations of finished games;
        `final` of a slot names its row.

        This is the only entry that both begins and plays games: each such entry costs 13 s of a
        cold compile.
        """
        scratch, obs_scratch = np.empty(1, SCRATCH), np.zeros((1, N_OBS_INT8), np.int8)
        outputs = mask_rows, legal, cached, obs_int8, observations, columns, ranges
        play(
            *(states, raw, contents, slots, commands, actions, episode[0], rows, blocks, thread),
            *(drawing, outputs, scratch, obs_scratch),
        )

    def write_masks(states, contents, which, mask_rows):
        """Write the masks; all ones at a finished state."""
        legal = np.zeros(N_WORDS, np.int64)
        for i in range(len(states)):
            masks.write_legal(states[i], contents[which[i]], legal)
            masks.write_mask(states[i], legal, mask_rows[i])

    def write_denials(states, contents, which, i, denials):
        """Write why each action of env i is refused now, int16 (N_ACTIONS,); 0 = legal."""
        for a in range(N_ACTIONS):
            denials[a] = masks.denial(states[i], contents[which[i]], a)

    def write_observations(states, contents, which, observations):
        """Write the observations, float32 (n, N_OBSERVATION), C-contiguous."""
        none, scratch = np.zeros((0, N_OBS_INT8), np.int8), np.zeros(N_OBS_INT8, np.int8)
        for i in range(len(states)):
            s, c = states[i], contents[which[i]]
            observe.observe(s, c, i, observe.ALL_CHANGED, none, observations, scratch)

    def write_action_features(states, contents, which, mask_rows, firsts, features):
        """Write the features of every env's legal actions, of env i from features[firsts[i]] on.

        mask_rows: uint8 (n, N_ACTIONS); firsts: int64 (n,); features: int8 (m, N_ACTION_FEATURES),
        a row for each 1 of the masks.
        """
        legal, scratch = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
        rows = features.reshape(features.size).view(ROW)
        for i in range(len(states)):
            s, c = states[i], contents[which[i]]
            mask = mask_rows[i]
            action_features.write_features(s, c, mask, legal, scratch[0], rows, firsts[i])

    def choose_actions(states, contents, which, policy, actions):
        """Write a compiled policy's action for every env that has not ended, int64 (n,)."""
        legal, scratch = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
        for i in range(len(states)):
            s, c = states[i], contents[which[i]]
            if s.ending == GOING_ON:
                n = masks.write_legal(s, c, legal)
                actions[i] = policies.choose(s, c, policy, scratch[0], legal, n)

    def draw_random(states, numbers):
        """Draw a number in [0, 1) for every env from its stream for policies, float64 (n,)."""
        for i in range(len(states)):
            numbers[i] = draw_below(states[i].chance, POLICY, 1 << 31) / (1 << 31)

    def write_sides(states, asked):
        """Write who is asked in every env, uint8 (n,): 0 the heroes, 1 the enemies."""
        for i in range(len(states)):
            asked[i] = sides.side_of(states[i])

    def rollout(states, contents, which, policy, control, limit, broken):
        """Play every env to its end, or for `limit` decisions; broken, int64 (n,): invariants.

        broken gets the bits of broken invariants, and bit 30 where nothing is legal; with length 0
        they are not checked. -> decisions played
        """
        legal, scratch = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
        rows = np.zeros((0, N_COLUMNS), np.int16)
        total = 0
        for i in range(len(states)):
            s, c = states[i], contents[which[i]]
            n = masks.write_legal(s, c, legal)
            for _ in range(limit):
                if s.ending != GOING_ON:
                    break
                if len(broken) > 0:
                    broken[i] |= invariants.status(s, c)
                    if n == 0:
                        broken[i] |= 1 << 30
                if n == 0:
                    break
                take(s, policies.choose(s, c, policy, scratch[0], legal, n))
                n = settle(s, c, control, scratch[0], legal, rows)
                total += 1
        return total

    made = (reset, step, play_slots, write_masks, write_denials, write_observations)
    made += (write_action_features, choose_actions, draw_random, write_sides, rollout)
    return {function.__name__: function for function in made}


def _of_plans(core: Core, settle: Any, take: Any) -> dict[str, Any]:
    """Search for an action, and redraw what is hidden."""
    SCRATCH, POLICY = core.SCRATCH, core.terms.Stream.POLICY
    N_ACTIONS, N_WORDS = core.actions.N_ACTIONS, core.actions.N_WORDS
    WORD_START = core.actions.WORD_START
    N_OBS_INT8, N_OBSERVATION = core.obs_spec.N_OBS_INT8, core.obs_spec.N_OBSERVATION
    N_ACTION_FEATURES = core.action_spec.N_ACTION_FEATURES
    ROW, hidden, masks = core.action_features.ROW, core.hidden, core.masks
    redraw_hidden, sign_of, descend, play_on = planning_kernels(core, settle, take)

    def plan(
        states, raw, contents, which, i, copies, raw_copies, nodes, edges, flights, counts, network,
        actions, thread,
    ):  # fmt: skip
        """Search for the action of env i, with all threads that call this; thread 0 writes it.

        raw: the bytes of the states, uint8 (n, STATE.itemsize); copies: STATE (threads + 1,) to
        play in, the last one for the root, with their bytes raw_copies; nodes, edges, flights,
        counts: the tree, see mcts.py, whose counts are 0, but TURN NOT_READY. network: side,
        weight, trust, sizes and weights, see scoring.py. Draws once from the state's stream for
        policies. The search stops once the simulations left cannot change its answer. actions:
        int64 (n,), unchanged where the game has ended. -> simulations done, on thread 0
        """
        legal, scratch = np.zeros(N_WORDS, np.int64), np.empty(1, SCRATCH)
        listed = np.zeros(N_ACTIONS, np.int64)
        rows = np.zeros((0, N_COLUMNS), np.int16)
        listing = np.zeros((N_ACTIONS if network[0] else 0, N_ACTION_FEATURES), np.int8)
        into = listing.reshape(listing.size).view(ROW)
        net = scoring.scorer_of(network, N_ACTIONS, N_OBS_INT8, N_OBSERVATION, listing, into)
        c, root = contents[which[i]], len(copies) - 1
        if thread == 0:
            begin_plan(states[i], c, i, len(edges), nodes, counts, legal, actions)
            raw_copies[root, :] = raw[i]
            hidden.sort(copies[root])
            mcts.end_turn(counts)
        s = copies[thread]
        k = mcts.next_simulation(nodes, edges, counts)
        while k != mcts.NONE:
            flight = flights[k % len(flights)]
            mcts.back_up_landed(nodes, edges, flights, counts, k - len(flights))
            raw_copies[thread, :] = raw_copies[root]
            redraw_hidden(s, c, mcts.seed_of(counts, k))
            tree = nodes, edges, counts
            n = descend(s, c, scratch[0], legal, rows, listed, *tree, flight, net)
            mcts.end_turn(counts)
            mcts.land(flights, counts, k, play_on(s, c, scratch[0], legal, rows, n, net))
            k = mcts.next_simulation(nodes, edges, counts)
        if thread > 0 or counts[mcts.LIMIT] == 0:
            return 0
        done = mcts.back_up_last(nodes, edges, flights, counts)
        actions[i] = mcts.best_action(nodes, edges, sign_of(copies[root], c))
        return done

    @kernel
    def begin_plan(s, c, i, most, nodes, counts, legal, actions):
        """Begin a search of `most` simulations, or of none where there is nothing to choose."""
        if s.ending != GOING_ON:
            return
        n = masks.write_legal(s, c, legal)
        seed = draw_below(s.chance, POLICY, 1 << 31)
        actions[i] = first(legal, WORD_START)
        if n > 1:
            mcts.begin(nodes, counts, seed, most)

    def set_chance(states, contents, which, i, seed):
        """Reseed env i: its random streams, and the order of its face-down cards.

        A planner's copy thus cannot peek at what is coming.
        """
        redraw_hidden(states[i], contents[which[i]], np.uint64(seed))

    def force_chance(states, contents, which, scripts):
        """Let the chance of every env go as scripts says, uint64 (n,); see rng.force.

        Face-down cards are sorted, and whichever the script says is the top one.
        """
        for i in range(len(states)):
            force(states[i].chance, scripts[i])
            hidden.reorder(states[i], contents[which[i]])

    return {function.__name__: function for function in (plan, set_chance, force_chance)}


def _of_positions(core: Core, take: Any) -> dict[str, Any]:
    """Build and check positions, and play on from them."""
    SCRATCH, commands, flow, masks = core.SCRATCH, core.commands, core.flow, core.masks
    invariants, setup = core.invariants, core.setup

    def status(states, contents, which, broken):
        """Write the broken invariants of every env, int64 (n,): bits of terms.Broken."""
        for i in range(len(states)):
            broken[i] = invariants.status(states[i], contents[which[i]])

    def clear(states):
        """Empty every state; for building positions by hand."""
        for i in range(len(states)):
            setup.clear(states[i])

    @kernel
    def run_on(s, c, scratch, rows):
        """Run to the next question. An entry frees an array before a call that only has a row."""
        flow.run_until_decision(s, c, scratch[0], rows)

    def perform(states, contents, verb, arguments, rows):
        """Perform a verb on states[0] (commands.Verb), run to the next question -> Denial."""
        s, c = states[0], contents[0]
        asked = s.decision
        s.logging = len(rows) > 0
        denial = commands.perform(s, c, verb, arguments)
        if denial == LEGAL:
            run_on(s, c, np.empty(1, SCRATCH), rows)
        else:
            s.decision = asked
        s.logging = 0
        return denial

    def answer(states, contents, action, rows):
        """Answer the question of states[0], run to the next -> Denial; refused = no change."""
        s, c = states[0], contents[0]
        denial = masks.denial(s, c, action)
        if denial == LEGAL:
            s.logging = len(rows) > 0
            take(s, action)
            run_on(s, c, np.empty(1, SCRATCH), rows)
            s.logging = 0
        return denial

    return {function.__name__: function for function in (status, clear, perform, answer)}


def _of_scenarios(core: Core) -> dict[str, Any]:
    """Draw scenarios."""
    generator = core.generator

    def draw_scenarios(contents, which, drawn, knobs, drawing, plans):
        """Draw scenarios into rows of contents -> how many fit, in order.

        which: int16 (n,), the rows; drawn: int64 (n,), the seeds; knobs: int16 (n, N_KNOBS);
        drawing: as in play_slots, of which the first is used; plans: PLAN (n,) of the generator,
        what was drawn.
        """
        for k in range(len(which)):
            if not generator.draw(contents, which[k], drawn[k], knobs[k], drawing[0]):
                return k
            generator.keep_plan(drawing[0], plans, k)
        return len(which)

    return {"draw_scenarios": draw_scenarios}
