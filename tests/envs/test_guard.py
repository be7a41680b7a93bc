"""Misused environments: several threads, forks, calls out of order, wrong arguments."""

import copy
import os
import pickle
import signal
import threading
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from agemonia_env.envs import batch, memory
from agemonia_env.envs.cores import available_cores
from agemonia_env.envs.guard import InUseError, OneThread
from agemonia_env.envs.wrappers import MaskInObservation
from agemonia_env.rulesets.agemonia import AgemoniaAECEnv, AgemoniaParallelEnv
from agemonia_env.rulesets.agemonia.envs.gauntlet import AgemoniaGauntletEnv
from agemonia_env.rulesets.agemonia.envs.sb3 import AgemoniaVecEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv
from agemonia_env.rulesets.hexdungeon import HexDungeonAECEnv, HexDungeonVecEnv, HexDungeonVectorEnv
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from agemonia_env.simulation import simulate
from tests.games import answer_of_a_fork, random_steps

N = 4
SINGLES = [AgemoniaEnv, HexDungeonEnv, AgemoniaGauntletEnv]
VECTORS = [AgemoniaVectorEnv, HexDungeonVectorEnv]
VEC_ENVS = [AgemoniaVecEnv, HexDungeonVecEnv]
needs_timers = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no timers that interrupt"
)


# ---- threads -------------------------------------------------------------------------------------
def step_single(env, random):
    action = int(random.choice(env.legal_actions()))
    _, _, terminated, truncated, info = env.step(action)
    assert info["action_mask"].any()
    if terminated or truncated:
        env.reset()


def step_many(env, random):
    masks = env.action_masks()
    actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks if mask.any()])
    if len(actions) == len(masks):  # otherwise another thread is writing them
        env.step(actions)


def step_agents(env, random):
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    if env.terminations[agent] or env.truncations[agent]:
        env.reset()
    else:
        env.step(int(random.choice(np.flatnonzero(mask))))


HAMMERED = [
    *((make, step_single) for make in SINGLES),
    *((lambda make=make: make(N), step_many) for make in (*VECTORS, *VEC_ENVS)),
    *((make, step_agents) for make in (AgemoniaAECEnv, HexDungeonAECEnv)),
]


@pytest.mark.parametrize(("make", "step"), HAMMERED)
def test_threads_that_share_an_environment_get_an_error_and_break_nothing(make, step):
    env, raised = make(), []
    env.reset()

    def hammer(seed):
        random = np.random.default_rng(seed)
        for _ in range(150):
            try:
                step(env, random)
            except (InUseError, ValueError) as error:  # an action of a position that is gone
                raised.append(type(error))
            except Exception as error:
                raised.append(error)

    threads = [threading.Thread(target=hammer, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not [error for error in raised if isinstance(error, Exception)]
    env.reset()
    for _ in range(50):
        step(env, np.random.default_rng(0))


class Curious:
    """An opponent that lets another thread try something while it chooses."""

    name, batch = "curious", 1

    def __init__(self):
        self.attempt, self.raised = None, []

    def choose(self, states, contents, which):
        if self.attempt is not None:
            thread = threading.Thread(target=self.try_it)
            thread.start()
            thread.join()
        actions = np.zeros(len(states), np.int64)
        AgemoniaEnv.ruleset.api.choose_actions(states, contents, which, 0, actions)
        return actions

    def try_it(self):
        try:
            self.attempt()
        except Exception as error:
            self.raised.append(error)


CALLS = {
    "step": lambda env: env.step(0),
    "get_state": lambda env: env.get_state(),
    "clone": lambda env: env.clone(),
    "choose": lambda env: env.choose(Curious()),
}
ATTEMPTS = CALLS | {"reset": lambda env: env.reset()}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_a_second_thread_gets_an_error_during_a_step(name):
    opponent = Curious()
    env = AgemoniaEnv(side="enemy", opponent=opponent)
    env.reset(seed=1)
    opponent.attempt = lambda: ATTEMPTS[name](env)
    while not opponent.raised:
        env.step(env.legal_actions()[0])
    assert isinstance(opponent.raised[0], InUseError)
    assert "another thread" in str(opponent.raised[0])


@pytest.mark.parametrize("make", [AgemoniaVectorEnv, AgemoniaVecEnv])
def test_a_second_thread_gets_an_error_while_a_batch_steps(make):
    opponent = Curious()
    env = make(2, side="enemy", opponent=opponent)
    env.reset()
    opponent.attempt = lambda: env.batch.step(np.zeros(2, np.int64))
    while not opponent.raised:
        env.step(env.action_masks().argmax(1))
    assert isinstance(opponent.raised[0], InUseError)


def test_an_environment_is_free_again_after_an_error():
    env = AgemoniaEnv(illegal="raise")
    env.reset(seed=1)
    for _ in range(2):
        with pytest.raises(ValueError, match="illegal"):
            env.step(env.action_masks().argmin())
    guard = OneThread()
    with pytest.raises(KeyError), guard():
        raise KeyError
    with guard(), pytest.raises(InUseError), guard():
        pass
    with pickle.loads(pickle.dumps(guard))():
        pass


class Stopped(BaseException):
    """Ctrl-C, in a form that does not end the tests if it escapes."""


@pytest.fixture
def interrupted():
    """A function that repeats a call until it is interrupted, at any moment."""

    def stop(number, frame):
        raise Stopped

    def repeat(call):
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, 1e-5, 0.1)  # again, as finalizers swallow it
            while True:
                call()
        except Stopped:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    before = signal.signal(signal.SIGVTALRM, stop)
    yield repeat
    signal.signal(signal.SIGVTALRM, before)


@needs_timers
def test_a_guard_is_free_again_after_an_interrupt_at_any_moment(interrupted):
    guard = OneThread()

    def enter():
        with guard():
            pass

    for _ in range(200):
        interrupted(enter)
        enter()


@needs_timers
@pytest.mark.parametrize("make", [AgemoniaEnv, partial(AgemoniaVectorEnv, N, threads=2)])
def test_an_environment_plays_on_after_an_interrupt_at_any_moment(make, interrupted):
    env = make()

    def step():
        env.step(env.action_masks().argmax(-1))

    for seed in range(100):
        env.reset(seed=seed)
        interrupted(step)
        env.reset(seed=seed)
        step()


@pytest.mark.parametrize("make", VEC_ENVS)
def test_actions_are_given_once_for_each_step(make):
    env = make(2, seed=1)
    env.reset()
    with pytest.raises(ValueError, match="step_async"):
        env.step_wait()
    actions = env.action_masks().argmax(1)
    env.step_async(actions)
    with pytest.raises(InUseError):
        env.step_async(actions)
    env.step_wait()
    env.step(env.action_masks().argmax(1))
    env.step_async(env.action_masks().argmax(1))
    env.reset()
    env.step(env.action_masks().argmax(1))


def step_in_child(env, pipe):
    for _ in range(4):
        env.step(env.action_masks().argmax(1))
    pipe.send(env.batch.states.tobytes())


def test_a_fork_of_a_batch_with_threads_plays_on():
    env, twin = (AgemoniaVectorEnv(64, threads=3) for _ in range(2))
    for one in (env, twin):
        one.reset(seed=1)
        one.step(one.action_masks().argmax(1))
    played = answer_of_a_fork(step_in_child, env)
    for _ in range(4):
        twin.step(twin.action_masks().argmax(1))
    assert played == twin.batch.states.tobytes()


@pytest.mark.parametrize("copied", [copy.deepcopy, pickle.dumps])
def test_batches_cannot_be_copied(copied):
    with pytest.raises(TypeError, match="make a new one"):
        copied(AgemoniaVectorEnv(2))


# ---- cores ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [*VECTORS, *VEC_ENVS])
def test_no_more_threads_are_used_than_there_are_cores(make, monkeypatch):
    for n, threads in ((1, 1), (2, 2), (3, 3), (64, 4)):
        monkeypatch.setattr(batch, "available_cores", lambda n=n: n)
        assert len(make(20, threads=4).batch._blocks) == threads + (threads > 1)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores can be set on Linux alone")
def test_cores_are_those_that_this_process_may_use():
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert available_cores() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert available_cores() == len(before)


# ---- memory --------------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [*VECTORS, *VEC_ENVS])
def test_more_games_than_fit_are_refused_before_any_memory_is_taken(make, monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 2**30)
    with pytest.raises(ValueError, match=r"num_envs=10000000: .* at most [\d,]+ fit"):
        make(10**7)
    with pytest.raises(ValueError, match="num_envs"):
        make(10**12)


def test_the_memory_of_a_game_is_not_underestimated():
    rules = AgemoniaEnv.ruleset
    n = 2000
    env = AgemoniaVectorEnv(n, autoreset_mode="SameStep")
    own = (*vars(env.batch).values(), *env.batch.arrays)
    arrays = {id(one): one for one in own if isinstance(one, np.ndarray) and one.base is None}
    taken = sum(array.nbytes for array in arrays.values()) / n
    assert taken < 1.5 * batch.bytes_per_game(rules, np.dtype(np.float32), finals=True)
    assert memory.free_memory() is None or memory.free_memory() > 2**20


# ---- out of order --------------------------------------------------------------------------------
BEFORE = CALLS | {
    "explain": lambda env: env.explain(0),
    "action_meaning": lambda env: env.action_meaning(0),
    "legal_actions": lambda env: env.legal_actions(),
    "action_masks": lambda env: env.action_masks(),
    "question": lambda env: env.question(),
    "render": lambda env: env.render(),
}


@pytest.mark.parametrize("name", BEFORE)
@pytest.mark.parametrize("make", SINGLES)
def test_before_reset_everything_says_what_is_missing(make, name):
    env = make()
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        BEFORE[name](env)
    copy.deepcopy(env).reset(seed=1)
    env.reset(seed=1)
    BEFORE["explain"](env)


@pytest.mark.parametrize("make", [*VECTORS, *VEC_ENVS])
def test_many_games_want_a_reset_first(make):
    env = make(2)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        env.step(np.zeros(2, np.int64))


def test_agents_want_a_reset_first():
    for env in (AgemoniaAECEnv(), AgemoniaParallelEnv()):
        for call in (env.state, env.render, lambda env=env: env.observe("hero_0")):
            with pytest.raises(ResetNeeded):
                call()
    with pytest.raises(ResetNeeded):
        AgemoniaAECEnv().last()
    with pytest.raises(ResetNeeded):
        AgemoniaAECEnv().step(0)
    with pytest.raises(ResetNeeded):
        AgemoniaParallelEnv().step({"hero_0": 0})


@pytest.mark.parametrize("make", SINGLES)
def test_a_game_that_is_over_answers_every_question(make):
    env = make()
    env.reset(seed=1)
    list(random_steps(env))
    assert env.action_masks().all()
    assert "ended" in env.explain(0)
    assert isinstance(env.action_meaning(0), str)
    assert env.clone().get_state() != b""
    env.set_state(bytes(env.get_state()))
    env.close()
    env.close()
    env.reset()
    env.step(env.legal_actions()[0])


# ---- wrong arguments -----------------------------------------------------------------------------
MADE = {
    "class": lambda **choices: AgemoniaEnv(**choices),
    "make": lambda **choices: gymnasium.make("agemonia_env:Agemonia-v0", **choices),
    "make_vec": lambda **choices: gymnasium.make_vec("agemonia_env:Agemonia-v0", 2, **choices),
    "vector": lambda **choices: AgemoniaVectorEnv(2, **choices),
    "VecEnv": lambda **choices: AgemoniaVecEnv(2, **choices),
    "gauntlet": lambda **choices: AgemoniaGauntletEnv(**choices),
    "AEC": lambda **choices: AgemoniaAECEnv(**choices),
    "simulate": lambda **choices: simulate(**choices),
}


@pytest.mark.parametrize("made", MADE)
def test_a_misspelt_argument_gets_a_suggestion(made):
    message = r"\(\) got an unexpected keyword argument 'difficult'; did you mean 'difficulty'"
    for kind in (TypeError, ValueError):  # as Python's functions, and as other wrong arguments
        with pytest.raises(kind, match=message):
            MADE[made](difficult="hard")
    with pytest.raises(TypeError, match=r"keyword argument 'xyzzy'; there are .*difficulty"):
        MADE[made](xyzzy=1)


def test_a_gauntlet_has_no_scenario_of_its_own():
    for name in ("scenario", "level", "side"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            AgemoniaGauntletEnv(**{name: "ford"})


LONG = "x" * 10_000
WRONG = [
    {"scenario": 5},
    {"scenario": LONG},
    {"pack": None},
    {"pack": "no-such-pack"},
    {"heroes": 0},
    {"heroes": True},
    {"heroes": []},
    {"heroes": 10**5000},
    {"heroes": 2.5},
    {"heroes": [5]},
    {"heroes": LONG},
    {"difficulty": ["hard"]},
    {"difficulty": "hrad"},
    {"ties": None},
    {"illegal": 1},
    {"reward": "shapd"},
    {"gamma": "0.9"},
    {"gamma": float("nan")},
    {"gamma": True},
    {"max_decisions": 0},
    {"max_decisions": 1e3},
    {"max_decisions": 10**30},
    {"side": b"hero"},
    {"opponent": 5},
    {"opponent": "planner:" + "9" * 5000},
    {"opponent": "planner:100000000000"},
    {"level": "1"},
    {"level": 2.0},
    {"scenario_seed": 3},
    {"log": "false"},
    {"render_mode": "ascii"},
    {"render_mode": 5},
]


@pytest.mark.parametrize("choices", WRONG, ids=lambda choices: next(iter(choices)))
def test_a_wrong_argument_is_named_in_one_short_line(choices):
    with pytest.raises(ValueError, match=next(iter(choices))) as raised:
        AgemoniaEnv(**choices)
    text = str(raised.value)
    assert len(text) < 1000
    assert "\n" not in text


@pytest.mark.parametrize(
    "choices",
    [
        {"num_envs": 0},
        {"num_envs": "4"},
        {"num_envs": 2.0},
        {"threads": 0},
        {"threads": 10**6},
        {"copy": 1},
        {"dtype": "float64"},
        {"dtype": np.float32},
        {"autoreset_mode": "never"},
        {"mix": 5},
        {"mix": []},
        {"mix": [5]},
        {"mix": [{"weight": 0}]},
        {"mix": {"scenario": "ford"}},
        {"mix": [{"scenaro": "ford"}]},
        {"mix": [{"weight": "2"}]},
        {"render_mode": "ansi"},
    ],
    ids=str,
)
def test_a_wrong_argument_of_a_vector_environment_is_named(choices):
    with pytest.raises(ValueError, match=next(iter(choices))):
        AgemoniaVectorEnv(**{"num_envs": 2} | choices)


@pytest.mark.parametrize("action", [None, 1.5, "3", [1], -1, 10**6, 10**30, np.array([1, 2]), True])
def test_a_wrong_action_is_refused(action):
    env = AgemoniaEnv()
    env.reset(seed=1)
    before = env.get_state()
    for method in (env.step, env.explain, env.action_meaning):
        with pytest.raises(ValueError, match="action="):
            method(action)
    assert env.get_state() == before


@pytest.mark.parametrize(
    "actions",
    [
        None,
        1,
        [1],
        [1, 2, 3],
        [1.0, 2.0],
        ["a", "b"],
        [[1], [2, 3]],
        [0, -1],
        [0, 10**6],
        [0, 2**70],
    ],
)
@pytest.mark.parametrize("make", [AgemoniaVectorEnv, AgemoniaVecEnv])
def test_wrong_actions_of_many_games_are_refused(make, actions):
    env = make(2)
    env.reset()
    with pytest.raises(ValueError, match="actions: must be"):
        env.step(actions)


@pytest.mark.parametrize("seed", [-1, 1.5, "3", b"12", True, [1.5, 2], [1], [1, 2, 3]])
def test_a_wrong_seed_is_refused(seed):
    vector = AgemoniaVectorEnv(2)
    with pytest.raises(ValueError, match="seed"):
        vector.reset(seed=seed)
    with pytest.raises(ValueError, match="seed"):
        AgemoniaEnv().reset(seed=seed)
    with pytest.raises(ValueError, match="seed"):
        AgemoniaVecEnv(2, seed=seed)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (5, "options=5: must be a mapping"),
        ([1], "options=.*must be a mapping"),
        ({"core_sed": 3}, "did you mean 'core_seed'"),
        ({"core_seed": -1}, "core_seed=-1"),
        ({"core_seed": "x"}, "core_seed='x'"),
        ({"reset_mask": 1}, "reset_mask.*no such option here"),
    ],
)
def test_wrong_options_of_reset_are_refused(options, message):
    env = AgemoniaEnv()
    with pytest.raises(ValueError, match=message):
        env.reset(options=options)
    with pytest.raises(ValueError, match=message):
        AgemoniaAECEnv().reset(options=options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (5, "options=5: must be a mapping"),
        (
            {"core_seed": 3},
            "core_seed.*no such option here; there is 'reset_mask', ",
        ),
        ({"reset_maks": np.ones(2, bool)}, "did you mean 'reset_mask'"),
        ({"reset_mask": [True]}, "reset_mask: must be 2 booleans"),
        ({"reset_mask": [[True], [1, 2]]}, "reset_mask: must be 2 booleans"),
    ],
)
def test_wrong_options_of_many_games_are_refused(options, message):
    env = AgemoniaVectorEnv(2)
    with pytest.raises(ValueError, match=message):
        env.reset(options=options)


def test_options_for_somebody_else_are_warned_of():
    env = AgemoniaEnv()
    with pytest.warns(UserWarning, match="'viewport' is not used"):
        env.reset(options={"viewport": 3})
    vec = AgemoniaVecEnv(2)
    vec.set_options({"core_seed": 3})
    with pytest.raises(ValueError, match="core_seed"):
        vec.reset()


@pytest.mark.parametrize("reseed", ["x", -1, 1.5, None])
def test_a_wrong_seed_of_a_clone_is_refused(reseed):
    env = AgemoniaEnv()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="reseed="):
        env.clone(reseed)


@pytest.mark.parametrize(
    "choices",
    [{"obs_key": 5}, {"obs_key": ""}, {"mask_dtype": "foo"}, {"mask_dtype": object}],
    ids=str,
)
def test_a_wrong_argument_of_a_wrapper_is_named(choices):
    with pytest.raises(ValueError, match=next(iter(choices))):
        MaskInObservation(AgemoniaEnv(), **choices)


def test_names_of_scenarios_and_heroes_are_suggested():
    with pytest.raises(ValueError, match="did you mean 'ford'"):
        AgemoniaEnv("frod")
    with pytest.raises(ValueError, match="did you mean 'orsa'"):
        AgemoniaEnv(heroes=["orso"])


def test_unknown_agents_are_refused():
    env = AgemoniaParallelEnv()
    env.reset(seed=1)
    asked = env.asked
    with pytest.raises(ValueError, match="'hero_9': no such agent"):
        env.step({asked: 0, "hero_9": 0})
    for actions in (5, [1], "hero_0"):
        with pytest.raises(ValueError, match="must be a mapping"):
            env.step(actions)
    aec = AgemoniaAECEnv()
    aec.reset(seed=1)
    with pytest.raises(ValueError, match="agent='hero_9'"):
        aec.observe("hero_9")
