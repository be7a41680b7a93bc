"""step_async and step_wait: the bytes of `step`, and errors in between."""

import time

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from agemonia_env.core.work_stealing import are_all_done
from agemonia_env.envs import vector_env_class
from agemonia_env.envs.guard import InUseError, PendingStepError
from agemonia_env.rulesets.agemonia.envs.sb3 import AgemoniaVecEnv
from agemonia_env.rulesets.agemonia.envs.vector import AgemoniaVectorEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests.games import answer_of_a_fork, same

N = 80  # more than a block for each of three threads
BOTH = pytest.mark.parametrize("make", [AgemoniaVectorEnv, AgemoniaVecEnv])
EVERY = pytest.mark.parametrize("ruleset", [AGEMONIA, HEXDUNGEON], ids=lambda rules: rules.env_id)


def legal(env, random):
    """A random legal action per game."""
    masks = env.action_masks()
    return (random.random(masks.shape) * masks).argmax(1)


class Scripted:
    """An opponent outside the core: random play."""

    name, batch = "scripted", 16

    def choose(self, states, contents, which):
        actions = np.zeros(len(states), np.int64)
        AGEMONIA.api.choose_actions(states, contents, which, 0, actions)
        return actions


# ---- the same bytes ------------------------------------------------------------------------------
def play_both(whole, halves, steps, random):
    """Step one env, and two halves of it in turn; compare all that they return."""
    first = len(halves[0].action_masks())
    parts = slice(0, first), slice(first, None)
    for _ in range(steps):
        actions = legal(whole, random)
        for env, part in zip(halves, parts, strict=True):
            env.step_async(actions[part])
        wanted = whole.step(actions)
        found = [env.step_wait() for env in halves]
        for k in range(3):
            both = np.concatenate([one[k] for one in found])
            assert same(both, wanted[k])
        assert same(np.concatenate([env.action_masks() for env in halves]), whole.action_masks())
    states = b"".join(env.batch.states.tobytes() for env in halves)
    assert states == whole.batch.states.tobytes()


@pytest.mark.parametrize("threads", [1, 2, 3])
@EVERY
def test_two_half_batches_in_turn_play_the_games_of_one(ruleset, threads):
    make, random = vector_env_class(ruleset.env_id), np.random.default_rng(0)
    choices = {"autoreset_mode": "SameStep", "max_decisions": 30, "dtype": "int8"}
    whole = make(N, **choices)
    halves = [make(N // 2, threads=threads, **choices) for _ in range(2)]
    whole.reset(seed=5)
    for k, env in enumerate(halves):
        env.reset(seed=5 + k * N // 2)
    play_both(whole, halves, 70, random)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    "arguments",
    [
        {"autoreset_mode": "SameStep", "max_decisions": 30},
        {"autoreset_mode": "NextStep", "max_decisions": 30, "copy": False},
        {"side": "enemy", "opponent": Scripted(), "autoreset_mode": "SameStep"},
        {"scenario": "random", "scenario_seed": "train", "max_decisions": 30},
    ],
    ids=["same_step", "next_step", "opponent", "drawn"],
)
def test_step_async_and_step_wait_return_what_step_does(arguments, threads):
    one, two = AgemoniaVectorEnv(N, **arguments), AgemoniaVectorEnv(N, threads=threads, **arguments)
    assert same(one.reset(seed=3), two.reset(seed=3))
    random = np.random.default_rng(0)
    for _ in range(50):
        actions = legal(one, random)
        two.step_async(actions)
        actions_given = actions.copy()
        actions[:] = -1  # the caller may use its array again
        assert same(one.step(actions_given), two.step_wait())
    assert one.batch.states.tobytes() == two.batch.states.tobytes()


def test_step_async_returns_before_the_games_are_played():
    env = AgemoniaVectorEnv(N, threads=1)
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    env.step_async(env.action_masks().argmax(1))
    assert env.batch.states.tobytes() == before  # no helper thread: step_wait plays
    env.step_wait()
    assert env.batch.states.tobytes() != before


def test_helper_threads_play_before_step_wait():
    env = AgemoniaVectorEnv(N, threads=2)
    env.reset(seed=1)
    env.step(env.action_masks().argmax(1))
    before = env.batch.states.tobytes()
    env.step_async(env.action_masks().argmax(1))
    until = time.monotonic() + 10
    while not are_all_done(env.batch._blocks) and time.monotonic() < until:
        time.sleep(0.01)
    assert are_all_done(env.batch._blocks)
    assert env.batch.states.tobytes() != before
    env.step_wait()


# ---- out of order --------------------------------------------------------------------------------
@BOTH
def test_step_wait_needs_step_async(make):
    env = make(4)
    env.reset()
    with pytest.raises(ResetNeeded, match="call step_async"):
        env.step_wait()
    env.step(env.action_masks().argmax(1))
    with pytest.raises(ValueError, match="call step_async"):
        env.step_wait()
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        make(4).step_async(np.zeros(4, np.int64))


IN_BETWEEN = {
    "step": lambda env, actions: env.step(actions),
    "step_async": lambda env, actions: env.step_async(actions),
    "action_masks": lambda env, actions: env.action_masks(),
    "render": lambda env, actions: env.render(),
}


@pytest.mark.parametrize("name", IN_BETWEEN)
@pytest.mark.parametrize("threads", [1, 2])
@BOTH
def test_a_pending_step_is_finished_first(make, threads, name):
    env, twin = (make(N, threads=threads, render_mode="rgb_array") for _ in range(2))
    for one in (env, twin):
        one.batch.reset(np.ones(N, np.bool_), range(N))
    actions = env.action_masks().argmax(1)
    env.step_async(actions)
    with pytest.raises(PendingStepError, match=r"pending; call step_wait\(\) first"):
        IN_BETWEEN[name](env, actions)
    assert issubclass(PendingStepError, InUseError)
    assert same(env.step_wait(), twin.step(actions))
    assert same(env.step(actions), twin.step(actions))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_reset_drops_a_pending_step(threads):
    """Without a seed the next games follow those of the dropped step, at any number of threads."""
    one, two = (
        AgemoniaVectorEnv(N, max_decisions=2),
        AgemoniaVectorEnv(N, max_decisions=2, threads=threads),
    )
    for env in (one, two):
        env.reset(seed=1)
    for _ in range(5):
        actions = one.action_masks().argmax(1)
        one.step(actions)
        two.step_async(actions)
        assert same(one.reset(), two.reset())
    with pytest.raises(ResetNeeded):
        two.step_wait()
    actions = one.action_masks().argmax(1)
    assert same(one.step(actions), two.step(actions))


def test_a_reset_of_some_games_does_not_drop_a_pending_step():
    env = AgemoniaVectorEnv(4, autoreset_mode="Disabled", threads=2)
    env.reset(seed=1)
    env.step_async(env.action_masks().argmax(1))
    with pytest.raises(PendingStepError):
        env.reset(options={"reset_mask": np.array([True, False, False, False])})
    env.step_wait()


@pytest.mark.parametrize("threads", [1, 2])
@BOTH
def test_close_drops_a_pending_step(make, threads):
    env = make(N, threads=threads)
    env.reset()
    actions = env.action_masks().argmax(1)
    env.step_async(actions)
    env.close()
    assert env.action_masks().any(1).all()


def test_wrong_actions_begin_no_step():
    env = AgemoniaVectorEnv(4, threads=2)
    env.reset(seed=1)
    for wrong in (np.zeros(3, np.int64), np.full(4, -1)):
        with pytest.raises(ValueError, match="actions"):
            env.step_async(wrong)
    env.step(env.action_masks().argmax(1))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_is_raised_by_step_wait(threads):
    env = AgemoniaVectorEnv(4, threads=threads, illegal="raise")
    env.reset(seed=1)
    actions = env.action_masks().argmax(1)
    actions[2] = env.action_masks()[2].argmin()
    env.step_async(actions)
    with pytest.raises(ValueError, match="env 2: action"):
        env.step_wait()
    env.step(env.action_masks().argmax(1))


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_step_leaves_the_env_usable(threads):
    env, twin = AgemoniaVectorEnv(N, threads=threads), AgemoniaVectorEnv(N)
    env.reset(seed=1)
    play = env.batch._play

    def interrupted(thread=0):
        play(thread)
        if thread == 0:
            raise KeyboardInterrupt

    env.step_async(env.action_masks().argmax(1))
    env.batch._play = interrupted
    with pytest.raises(KeyboardInterrupt):
        env.step_wait()
    env.batch._play = play
    assert same(env.reset(seed=2), twin.reset(seed=2))
    for _ in range(3):
        actions = twin.action_masks().argmax(1)
        assert same(env.step(actions), twin.step(actions))


def reset_in_child(env, pipe):
    with pytest.raises(ResetNeeded, match="forked"):
        env.step_wait()
    env.reset(seed=2)
    env.step(env.action_masks().argmax(1))
    pipe.send(env.batch.states.tobytes())


def test_a_fork_with_a_pending_step_can_be_reset():
    env, twin = (AgemoniaVectorEnv(N, threads=3) for _ in range(2))
    env.reset(seed=1)
    env.step_async(env.action_masks().argmax(1))
    played = answer_of_a_fork(reset_in_child, env)
    twin.reset(seed=2)
    twin.step(twin.action_masks().argmax(1))
    assert played == twin.batch.states.tobytes()
    env.step_wait()


def test_an_opponent_that_steps_the_env_gets_an_error():
    raised = []

    class Meddling(Scripted):
        def choose(self, states, contents, which):
            try:
                env.step_wait()
            except InUseError as error:
                raised.append(error)
            return super().choose(states, contents, which)

    env = AgemoniaVectorEnv(2, side="enemy", opponent=Meddling())
    env.reset(seed=1)
    raised.clear()
    while not raised:
        env.step_async(env.action_masks().argmax(1))
        env.step_wait()
    assert "another thread" in str(raised[0])
