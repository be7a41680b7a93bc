"""The core of a ruleset whose rules are one module: what it does not define is made here.

`api_of` takes the module and returns what a Ruleset needs of it. The module must define

    OWN_STATE          fields of its states beside HEAD, as NumPy lists them
    CONTENT            dtype of a compiled scenario, with the field n_heroes
    OBS                dtype of an observation: float32 fields, `scaled` and `numbered` if need be
    Block, SIZES       blocks of actions, an IntEnum, and the number of indices of each
    Decision, Denial, Ending, Event    IntEnums: questions; reasons of refusal; endings; events.
                       Their first members are NONE, Event's is CHOICE; Denial goes on with
                       SCENARIO_ENDED and NOT_ASKED
    set_up(s, c)       set a zeroed state up
    answer(s, c)       carry out the answer given: index s.answer of block s.block
    go_on(s, c)        play to the next question, or the end: set s.decision and s.asked, or
                       s.ending and s.won
    refusal(s, c, block, k)     why index k of a block does not answer the question -> Denial
    score(s, c, block, k)       what a legal answer is worth to the greedy policy
    write_observation(s, c, o)  write the observation as integers; all are 0 before

and may define, for what is otherwise empty:

    potential(s, c)    of shaped rewards, -1 to 1
    side_of(s)         who is asked: 0 the heroes, 1 the enemies
    hide(s, c)         reorder what is hidden, by random streams
    broken(s, c)       broken invariants, bits of an IntFlag Broken
    CHOICES            blocks whose indices are words: Block -> IntEnum

s is a state, c its content. Random numbers: `rng.draw_below(s.chance, Stream.DICE, n)`.
"""

from enum import IntEnum, IntFlag
from types import ModuleType
from typing import Any

import numpy as np

from .bitset import lowest
from .control import control_kernels
from .entries import NO_ROWS, Core, entries_of
from .env_slots import GOING_ON, LEGAL
from .event_log import N_COLUMNS, flush
from .jit import COMPILED, kernel, with_fields
from .legal_sets import nth
from .obs_encoding import numbered_of, scales_of, update_row, with_scalar_type, write_scaled
from .rng import draw_below

NOTHING = -1  # `block` of a state in which nothing is answered
WORD = 32  # actions of a word of legal answers


class Stream(IntEnum):
    """Random streams. No game draws from the first; scripts of chance need seven."""

    ORIGIN = 0
    DICE = 1
    SECRETS = 2
    POLICY = 3


class Policy(IntEnum):
    """Compiled policies."""

    RANDOM = 0  # any legal action, uniformly
    GREEDY = 1  # the action with the highest score


class Broken(IntFlag):
    """No invariants."""


HEAD = [  # what every state has
    *((name, np.int16) for name in ("ending", "won", "decision", "asked", "block", "answer")),
    *((name, np.int16) for name in ("round", "n_exhausted", "damage_dealt", "damage_taken")),
    *((name, np.int16) for name in ("logging", "n_log")),
    ("decisions", np.int32),
    ("log", np.int16, (32, N_COLUMNS)),
    ("chance", np.uint64, (7,)),
]


def core_of(game: ModuleType) -> Core:
    """The core of a ruleset, made of the module of its rules."""
    state = np.dtype([*HEAD, *game.OWN_STATE], align=True)
    actions, sides = _actions(game), _sides(game)
    terms = _module(
        **{name: getattr(game, name) for name in ("Decision", "Denial", "Ending", "Event")},
        Stream=Stream,
        TIES=(NOTHING,),
        Broken=getattr(game, "Broken", Broken),
    )
    masks = _masks(game, actions)
    policies = _policies(game, actions)
    action_spec, action_features = _features(game, actions, policies)
    obs_spec, observe = _observe(game)
    scratch = np.dtype([("unused", np.int64)])
    parts: Any = {
        **{"terms": terms, "actions": actions, "masks": masks, "sides": sides},
        **{"policies": policies, "action_spec": action_spec, "action_features": action_features},
        **{"obs_spec": obs_spec, "observe": observe, **_rules(game)},
    }
    return Core(state, game.CONTENT, scratch if COMPILED else with_fields(scratch), **parts)


def api_of(game: ModuleType) -> ModuleType:
    """The entry points of a ruleset, made of the module of its rules: a Ruleset's `api`."""
    core = core_of(game)
    entries = entries_of(core, *control_kernels(core), game.__name__)
    api = _module(CORE=core, NO_ROWS=NO_ROWS, **entries._asdict())
    api.__name__ = game.__name__
    return api


def _module(**parts: Any) -> ModuleType:
    """A module, whose attributes kernels may name."""
    module = ModuleType("made")
    vars(module).update(parts)
    return module


def _actions(game: ModuleType) -> ModuleType:
    """Actions, block after block."""
    sizes = game.SIZES
    starts = [sum(sizes[:block]) for block in range(len(sizes))]
    n = sum(sizes)
    blocks = np.repeat(np.arange(len(sizes), dtype=np.int16), sizes)
    indices = np.concatenate([np.arange(size, dtype=np.int16) for size in sizes])

    @kernel
    def decode_block(action):
        return int(blocks[action])

    @kernel
    def decode_index(action):
        return int(indices[action])

    return _module(
        **{"Block": game.Block, "SIZES": sizes, "STARTS": starts},
        CHOICES=getattr(game, "CHOICES", {}),
        **{"N_ACTIONS": n, "N_WORDS": -(-n // WORD), "WORD_START": np.arange(0, n, WORD)},
        **{"decode_block": decode_block, "decode_index": decode_index},
    )


def _masks(game: ModuleType, actions: ModuleType) -> ModuleType:
    """Legality: every action is asked why it is refused."""
    refusal, decode_block, decode_index = game.refusal, actions.decode_block, actions.decode_index
    Denial, n_actions = game.Denial, actions.N_ACTIONS

    @kernel
    def denial(s, c, action):
        if s.ending != GOING_ON:
            return Denial.SCENARIO_ENDED
        return refusal(s, c, decode_block(action), decode_index(action))

    @kernel
    def write_legal(s, c, legal):
        legal[:] = 0
        n = 0
        for action in range(n_actions):
            if denial(s, c, action) == LEGAL:
                legal[action // WORD] |= 1 << (action % WORD)
                n += 1
        return n

    @kernel
    def is_among(action, legal):
        return (legal[action // WORD] >> (action % WORD)) & 1 != 0

    @kernel
    def write_mask(s, legal, mask):
        for action in range(n_actions):
            mask[action] = s.ending != GOING_ON or is_among(action, legal)

    return _module(denial=denial, write_legal=write_legal, is_among=is_among, write_mask=write_mask)


def _policies(game: ModuleType, actions: ModuleType) -> ModuleType:
    """Random play, and the answer with the highest score."""
    score, decode_block, decode_index = game.score, actions.decode_block, actions.decode_index
    starts = actions.WORD_START

    @kernel
    def choose(s, c, policy, scratch, legal, n):
        if policy == Policy.RANDOM:
            return nth(legal, starts, draw_below(s.chance, Stream.POLICY, n))
        best, highest = NOTHING, 0.0
        for word in range(len(legal)):
            bits = int(legal[word])
            while bits != 0:
                action = word * WORD + lowest(bits)
                bits &= bits - 1
                worth = float(score(s, c, decode_block(action), decode_index(action)))
                if best < 0 or worth > highest:
                    best, highest = action, worth
        return best

    return _module(Policy=Policy, choose=choose)


def _features(
    game: ModuleType, actions: ModuleType, policies: ModuleType
) -> tuple[ModuleType, ModuleType]:
    """Features of a legal action: its block, and whether the greedy policy would choose it."""
    f32, n_actions = np.float32, actions.N_ACTIONS
    action = np.dtype([("greedy_choice", f32), ("block", f32, (len(game.SIZES),))])
    record = with_scalar_type(action, np.int8)
    row = record if COMPILED else with_fields(record)
    choose, decode_block = policies.choose, actions.decode_block

    @kernel
    def write_features(s, c, mask, legal, scratch, rows, first):
        chosen = NOTHING
        if s.ending == GOING_ON:
            for word in range(len(legal)):
                legal[word] = 0
            for one in range(n_actions):
                if mask[one]:
                    legal[one // WORD] |= 1 << (one % WORD)
            chosen = choose(s, c, Policy.GREEDY, scratch, legal, 1)
        n = first
        for one in range(n_actions):
            if mask[one]:
                rows[n].greedy_choice = one == chosen
                rows[n].block[:] = 0
                rows[n].block[decode_block(one)] = s.ending == GOING_ON
                n += 1

    size = action.itemsize // 4
    spec = _module(ACTION=action, ACTION_SCALES=np.ones(size, f32), N_ACTION_FEATURES=size)
    return spec, _module(ROW=row, write_features=write_features)


def _observe(game: ModuleType) -> tuple[ModuleType, ModuleType]:
    """Observations: all of one is written anew at every step."""
    scales = np.array(scales_of(game.OBS), np.float32)
    n = len(scales)
    integers = with_scalar_type(game.OBS, np.int8)
    record = integers if COMPILED else with_fields(integers)
    factors = (np.float32(1) / scales).astype(np.float32)
    write = game.write_observation

    @kernel
    def changed_blocks(s, c, raw, cached, all_new):
        return 1

    @kernel
    def observe(s, c, i, changed, obs_int8, observations, scratch):
        row = obs_int8[i] if len(observations) == 0 else scratch
        row[:] = 0
        write(s, c, row[:n].view(record)[0])
        if len(observations) == 0:
            return
        if len(obs_int8) == 0:
            write_scaled(row, observations[i], factors, 0, n)
        else:
            update_row(row, obs_int8[i], observations[i], factors, n)

    spec = _module(
        **{"OBS": with_scalar_type(game.OBS, np.float32), "SCALES": scales, "N_OBSERVATION": n},
        **{"NUMBERED": np.array(numbered_of(game.OBS)), "N_OBS_INT8": -(-n // 8) * 8},
    )
    made = {"changed_blocks": changed_blocks, "observe": observe}
    return spec, _module(ALL_CHANGED=1, N_CACHED=4, FACTORS=factors, **made)


def _sides(game: ModuleType) -> ModuleType:
    """Whose questions are; the enemies choose for themselves if the rules ask them."""
    asks_enemies = hasattr(game, "side_of")

    @kernel
    def side_of(s):
        return 0

    @kernel
    def enemies_choose(c):
        return asks_enemies

    return _module(side_of=getattr(game, "side_of", side_of), enemies_choose=enemies_choose)


def _rules(game: ModuleType) -> dict[str, ModuleType]:
    """How a game begins and goes on, and what a ruleset may leave out."""
    answer, go_on, set_up_game, Denial = game.answer, game.go_on, game.set_up, game.Denial

    @kernel
    def run_until_decision(s, c, scratch, rows):
        if s.block != NOTHING:
            answer(s, c)
            s.block = NOTHING
        if s.ending == GOING_ON:
            go_on(s, c)
        if len(rows) > 0:
            flush(s, rows)

    @kernel
    def clear(s):
        s.block = NOTHING
        s.asked = NOTHING

    @kernel
    def set_up(s, c):
        clear(s)
        set_up_game(s, c)

    @kernel
    def nothing(s, c):
        return 0

    @kernel
    def sort(s):
        return 0

    @kernel
    def perform(s, c, verb, arguments):
        return Denial.NOT_ASKED

    return {
        "commands": _module(perform=getattr(game, "perform", perform)),
        "flow": _module(run_until_decision=run_until_decision),
        "hidden": _module(reorder=getattr(game, "hide", nothing), sort=sort),
        "invariants": _module(status=getattr(game, "broken", nothing)),
        "potential": _module(potential=getattr(game, "potential", nothing)),
        "setup": _module(set_up=set_up, clear=clear),
    }
