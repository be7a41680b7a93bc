"""Positions as bytes: genuine ones are accepted, others refused by naming a wrong field."""

import copy
import json
import pickle

import numpy as np
import pytest

from agemonia_env.envs import positions
from agemonia_env.rulesets.agemonia.envs.gauntlet import POSITION, AgemoniaGauntletEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.states import tasks as agemonia_stack
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.rulesets.hexdungeon.states import tasks as hexdungeon_stack
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.rulesets.state_ranges import ANY, Ranges, fields, layout_hash
from tests.agemonia import fuzz as agemonia_fuzz
from tests.envs.task_order import BOTTOM, order_of
from tests.hexdungeon import fuzz as hexdungeon_fuzz

MAKERS = [AgemoniaEnv, HexDungeonEnv]
FUZZ = {"Agemonia-v0": agemonia_fuzz, "HexDungeon-v0": hexdungeon_fuzz}


@pytest.fixture(params=MAKERS, ids=lambda make: make.ruleset.env_id)
def env(request):
    env = request.param()
    env.reset(seed=3)
    random = np.random.default_rng(0)
    for _ in range(12):
        env.step(random.choice(env.legal_actions()))
    return env


def changed(env, **values):
    """The position of `env` with other values in fields of the state, as it comes from a file."""
    position = bytes(env.get_state())
    states = positions.states_in(env.ruleset, position)
    for name, value in values.items():
        states[name] = value
    return states.tobytes() + position[states.itemsize :]


# Pairs that `Decision.A if proc == Proc.X else Decision.B` only seems to allow
NEVER = {
    ("JUMP", "TELEPORT_TO"),
    ("TELEPORT", "JUMP_TO"),
    ("AFFLICTED", "EFFECT_VICTIM"),
    ("VICTIM", "EFFECT_AFFLICTED"),
}


# ---- what is declared ----------------------------------------------------------------------------
@pytest.mark.parametrize("env_id", RULESETS)
def test_every_field_has_bounds_and_no_bound_lacks_its_field(env_id):
    rules = ruleset_of(env_id)
    table = rules.ranges(rules.check_arguments().compile().content[0])

    def compare(dtype, given):
        assert set(dtype.names) == set(given)
        for name in dtype.names:
            item = dtype[name].base
            if item.names is not None:
                compare(item, given[name])
            else:
                assert (given[name] is ANY) == (item == np.uint64), name

    compare(rules.STATE, table)


@pytest.mark.parametrize(
    ("ruleset", "stack"), [("agemonia", agemonia_stack), ("hexdungeon", hexdungeon_stack)]
)
def test_declared_task_order_is_that_of_the_rules(ruleset, stack):
    order, asked = order_of(ruleset)
    first = order.pop(BOTTOM) - {"FLIP_LOCK"}  # a loss at set-up has no lock to come from
    order.pop("FLIP_LOCK", None)
    declared = {
        stack.P(below).name: {stack.P(one).name for one in above}
        for below, above in stack.TASK_RULES.above.items()
    }
    assert declared == order
    assert {stack.P(one).name for one in stack.TASK_RULES.first} == first
    asking = {
        (stack.D(decision).name, stack.P(one).name)
        for decision, question in stack.TASK_RULES.questions.items()
        for one in question.tasks
    }
    asked = {(decision, one) for decision, work in asked.items() for one in work}
    assert asking <= asked
    assert asked - asking <= NEVER


# ---- genuine positions ---------------------------------------------------------------------------
@pytest.mark.parametrize("env_id", RULESETS)
def test_every_position_of_every_game_is_taken(env_id):
    rules, random = ruleset_of(env_id), np.random.default_rng(1)
    for _ in range(12):
        game = FUZZ[env_id].draw(random, 24)
        content, n = game.compiled().content, len(game.seeds)
        check = positions.Checker(rules, content).check
        states, which = np.zeros(n, rules.STATE), np.zeros(n, np.int16)
        seeds, select = np.array(game.seeds, np.uint64), np.ones(n, np.uint8)
        api, policy = rules.api, int(rules.POLICIES[game.policy])
        api.reset(states, content, which, seeds, select, game.control, api.NO_ROWS)
        for _ in range(20):
            for i in random.integers(n, size=6):
                check(states[i : i + 1])
            steps = int(random.integers(1, 20))
            api.rollout(states, content, which, policy, game.control, steps, np.zeros(0, np.int64))


def test_positions_of_a_gauntlet_are_taken_from_bytes():
    env, random = AgemoniaGauntletEnv(), np.random.default_rng(2)
    env.reset(seed=4)
    over = False
    while not over:
        _, _, over, _, _ = env.step(random.choice(env.legal_actions()))
        position = env.get_state()
        env.set_state(bytes(position))
        assert env.get_state() == position


@pytest.mark.parametrize(
    "way",
    [
        {"stage": -1},
        {"stage": 9},
        {"stage": True},
        {"stage": "1"},
        {"party": 5},
        {"party": []},
        {"party": [{"hero": "nobody"}]},
        {"party": [[1]]},
        {"behind": {"rounds": "many"}},
        {"behind": [1]},
        {"origin": None},
    ],
)
def test_a_damaged_gauntlet_trailer_is_refused(way):
    env = AgemoniaGauntletEnv()
    env.reset(seed=4)
    position = env.get_state()
    trailer = json.loads(position[POSITION:])
    with pytest.raises(ValueError, match="position"):
        env.set_state(position[:POSITION] + json.dumps(trailer | way).encode())
    assert env.get_state() == position


@pytest.mark.parametrize("tail", [b"[" * 100_000, b"{}", b"5", b"\xff", b" " * 2_000_000])
def test_an_invalid_gauntlet_trailer_is_refused(tail):
    env = AgemoniaGauntletEnv()
    env.reset(seed=4)
    with pytest.raises(ValueError, match="not a position"):
        env.set_state(bytes(env.get_state())[:POSITION] + tail)


# ---- others --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"depth": 99}, r"depth=99: must be from 0 to \d+"),
        ({"decision": 200}, r"decision=200: must be from 0 to \d+"),
        ({"asked": 7}, r"asked=7: must be from -1 to \d"),
        ({"round": -1}, r"round=-1: must be from 0 to \d+"),
        ({"logging": 1}, r"logging=1: must be from 0 to 0"),
        ({"decisions": -5}, r"decisions=-5: must be from 0 to \d+"),
        ({"won": 1}, "won=1: must be 1 with ending=1"),
        ({"decision": 0}, "decision=0: must be a question while the scenario goes on"),
    ],
)
def test_a_field_out_of_range_is_named_with_its_range(env, values, message):
    before = env.get_state()
    with pytest.raises(ValueError, match=message):
        env.set_state(changed(env, **values))
    assert env.get_state() == before


def test_fields_within_records_are_named():
    env = AgemoniaEnv()
    env.reset(seed=3)
    enemies = env.states["enemy"].copy()
    enemies["area"][0, 2] = 99
    with pytest.raises(ValueError, match=r"enemy\[2\].area=99: must be from -1 to \d+"):
        env.set_state(changed(env, enemy=enemies))


def test_pending_work_that_nothing_leads_to_is_refused(env):
    stack = env.states["tasks"].copy()
    stack[0, 0] = 0
    with pytest.raises(ValueError, match=r"tasks\[0\]=0: must be \d+ or \d+"):
        env.set_state(changed(env, tasks=stack))


def test_other_layouts_environments_and_scenarios_have_their_own_messages(env):
    position = bytes(env.get_state())
    at = len(position) - positions.TRAILER.size
    older = position[: at + 8] + b"x" * 8 + position[at + 16 :]
    with pytest.raises(ValueError, match="another version"):
        env.set_state(older)
    with pytest.raises(ValueError, match="not a position"):
        env.set_state(position[:-1])
    other = next(make for make in MAKERS if not isinstance(env, make))()
    other.reset(seed=1)
    with pytest.raises(ValueError, match="of another environment"):
        env.set_state(bytes(other.get_state()))
    third = type(env)(heroes=3)
    third.reset(seed=1)
    with pytest.raises(ValueError, match="another scenario"):
        env.set_state(third.get_state())


def test_layouts_differ_if_two_fields_are_swapped():
    state = ruleset_of("Agemonia-v0").STATE
    names = list(state.names)
    names[3], names[4] = names[4], names[3]
    swapped = np.dtype(
        {
            "names": names,
            "formats": [state[name] for name in state.names],
            "offsets": [state.fields[name][1] for name in state.names],
            "itemsize": state.itemsize,
        }
    )
    assert layout_hash("Agemonia-v0", swapped) != layout_hash("Agemonia-v0", state)


def test_only_positions_of_this_process_skip_the_check(env, monkeypatch):
    position, checked = env.get_state(), []
    monkeypatch.setattr(positions.Checker, "check", lambda self, states: checked.append(1))
    env.set_state(position)
    assert not checked
    restored = pickle.loads(pickle.dumps(position))
    assert type(restored) is bytes
    assert restored == position
    env.set_state(restored)
    assert checked


def test_a_copy_from_a_file_is_checked_and_a_clone_is_not(env, monkeypatch):
    kept = env.__getstate__()
    damaged = changed(env, depth=99)[: env.ruleset.STATE.itemsize]
    with pytest.raises(ValueError, match="depth=99"):
        type(env).__new__(type(env)).__setstate__(kept | {"_position": damaged})
    with pytest.raises(ValueError, match="another version"):
        type(env).__new__(type(env)).__setstate__(kept | {"_position": damaged[:-8]})
    assert copy.deepcopy(env).get_state() == env.get_state()
    monkeypatch.setattr(positions.Checker, "check", lambda self, states: 1 / 0)
    assert env.clone(reseed=False).get_state() == env.get_state()


def test_bounds_are_those_of_the_scenario():
    rules = ruleset_of("Agemonia-v0")
    few, many = (
        Ranges(rules.STATE, rules.ranges(rules.check_arguments(heroes=n).compile().content[0]))
        for n in (1, 4)
    )
    assert few.most["asked"] < many.most["asked"]
    names = [name for name, _, _ in fields(rules.STATE)]
    assert len(names) == len(set(names))
