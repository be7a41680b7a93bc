"""The single Gymnasium env: conventions, masks, denial texts, positions and copies."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils import seeding
from gymnasium.utils.env_checker import check_env

from agemonia_env.envs.single import RulesetEnv
from agemonia_env.rulesets.agemonia.core.actions import STARTS, Block
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.view import labels
from agemonia_env.rulesets.arguments import draw_core_seed
from agemonia_env.rulesets.hexdungeon.envs.single import HexDungeonEnv
from tests.games import random_steps, same

EVERY = (AgemoniaEnv, HexDungeonEnv)
EVERY_ENV = pytest.mark.parametrize("make", EVERY, ids=lambda make: make.ruleset.env_id)


@pytest.fixture(params=EVERY, ids=lambda make: make.ruleset.env_id)
def env(request: pytest.FixtureRequest) -> RulesetEnv:
    env = request.param()
    env.reset(seed=5)
    return env


def play(env: RulesetEnv, limit: int, seed: int = 0) -> list[Any]:
    """Random legal play: what each step returns."""
    return list(random_steps(env, limit, seed))


def an_illegal_action(env: RulesetEnv) -> int:
    return int(np.flatnonzero(~env.action_masks())[0])


# ---- conventions ----------------------------------------------------------------------------


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("arguments", [{}, {"heroes": 4, "reward": "shaped", "ties": "auto"}])
@EVERY_ENV
def test_gymnasium_checker_passes_with_warnings_as_errors(make, arguments):
    env = gymnasium.make(make.ruleset.env_id, **arguments).unwrapped
    assert type(env) is make
    check_env(env)


@pytest.mark.usefixtures("strict")
@EVERY_ENV
def test_sb3_checker_passes_with_warnings_as_errors(make):
    from stable_baselines3.common.env_checker import check_env as check_for_sb3

    check_for_sb3(make())


@EVERY_ENV
def test_spec_survives_json(make):
    env = gymnasium.make(make.ruleset.env_id, heroes=3, ties="auto", gamma=0.9)
    spec = gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json())
    assert json.loads(env.spec.to_json())["kwargs"] == spec.kwargs
    assert gymnasium.make(spec).unwrapped.arguments.heroes == 3


def test_types_of_what_step_returns(env):
    observation, reward, terminated, truncated, info = env.step(env.legal_actions()[0])
    assert observation.dtype == np.float32
    assert env.observation_space.contains(observation)
    assert type(reward) is float
    assert type(terminated) is bool
    assert type(truncated) is bool
    assert info["action_mask"].dtype == np.int8
    assert info["action_mask"].shape == (env.ruleset.N_ACTIONS,)
    assert info["decision"] in env.ruleset.DECISIONS
    assert info["ruleset"] == env.compiled.fingerprint


def test_a_game_starts_from_its_core_seed():
    env = AgemoniaEnv(scenario="random", scenario_seed=[0, 9])
    observation, info = env.reset(seed=3)
    number = draw_core_seed(seeding.np_random(3)[0])
    again, new_info = env.reset(options={"core_seed": number})
    assert np.array_equal(observation, again)
    assert new_info["scenario_seed"] == info["scenario_seed"]
    other, _ = env.reset(options={"core_seed": number + 1})
    assert not np.array_equal(observation, other)
    for wrong in (-1, 2**63, 0.5, "1"):
        with pytest.raises(ValueError, match=r"core_seed=.*: must be a whole number"):
            env.reset(options={"core_seed": wrong})


@EVERY_ENV
def test_same_seed_same_game_and_unseeded_reset_continues(make):
    one, two = make(), make()
    assert same(one.reset(seed=3), two.reset(seed=3))
    assert same(play(one, 60), play(two, 60))
    assert one.get_state() == two.get_state()
    assert same(one.reset(), two.reset())
    first = one.get_state()
    one.reset()
    assert one.get_state() != first


def test_an_episode_ends_with_its_statistics(env):
    *before, last = play(env, 5000)
    going_on = [info["episode_statistics"] for *_, info in before]
    assert {(so_far["win"], so_far["ending"]) for so_far in going_on} == {(False, "none")}
    assert not any(info["is_success"] for *_, info in before)
    assert [so_far["rounds"] for so_far in going_on] == sorted(s["rounds"] for s in going_on)
    _, reward, terminated, truncated, info = last
    statistics = info["episode_statistics"]
    assert terminated
    assert not truncated
    assert reward == (1.0 if statistics["win"] else -1.0)
    assert info["is_success"] is statistics["win"]
    assert statistics["ending"] != "none"
    assert statistics["rounds"] >= 1
    assert statistics["decisions"] >= len(before) + 1
    assert all(reward == 0.0 for _, reward, *_ in before)
    assert info["action_mask"].all()
    assert env.step(0)[1:4] == (0.0, True, False)


@EVERY_ENV
def test_truncation_after_max_decisions(make):
    env = make(max_decisions=7)
    env.reset(seed=1)
    ends = [(terminated, truncated) for _, _, terminated, truncated, _ in play(env, 20)]
    assert ends == [(False, False)] * 6 + [(False, True)]


# ---- legality -------------------------------------------------------------------------------
def test_masks_agree_in_all_three_ways_and_with_explain(env):
    for _, _, terminated, _, info in random_steps(env, 30):
        if terminated:
            break
        mask = env.action_masks()
        assert mask.dtype == np.bool_
        assert mask.any()
        assert np.array_equal(mask, info["action_mask"])
        assert np.array_equal(np.flatnonzero(mask), env.legal_actions())
        explained = [env.explain(action) == labels.LEGAL for action in range(len(mask))]
        assert np.array_equal(mask, explained)


def test_what_is_returned_shares_no_memory(env):
    info = env.step(env.legal_actions()[0])[-1]
    info["action_mask"][:] = 0
    env.action_masks()[:] = False
    assert env.action_masks().any()


def test_noop_leaves_the_state_and_says_so(env):
    action = an_illegal_action(env)
    size = env.ruleset.STATE.itemsize
    before = env.get_state()[:size]
    _, reward, terminated, _, info = env.step(action)
    assert env.get_state()[:size] == before
    assert (reward, terminated, info["illegal_action"]) == (0.0, False, True)
    assert info["denial"] in env.ruleset.DENIALS
    assert info["denial"] != "none"
    info = env.step(env.legal_actions()[0])[-1]
    assert (info["illegal_action"], info["denial"]) == (False, "none")


@EVERY_ENV
def test_raise_names_action_and_reason(make):
    env = make(illegal="raise")
    env.reset(seed=5)
    action = an_illegal_action(env)
    with pytest.raises(ValueError, match=f"action {action} .* is illegal: ") as error:
        env.step(action)
    assert env.explain(action) in str(error.value)
    env.step(env.legal_actions()[0])


@EVERY_ENV
def test_terminate_loses_the_game(make):
    env = make(illegal="terminate")
    env.reset(seed=5)
    _, reward, terminated, truncated, info = env.step(an_illegal_action(env))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["is_success"] is False
    assert info["action_mask"].all()
    env.reset(seed=5)
    assert not env.step(env.legal_actions()[0])[2]


def test_every_action_has_a_meaning_at_every_decision(env):
    seen = set()
    for _, _, terminated, _, info in random_steps(env, 400):
        if terminated:
            break
        seen.add(info["decision"])
        texts = [env.action_meaning(action) for action in range(env.ruleset.N_ACTIONS)]
        assert all(texts)
        assert not any("{" in text for text in texts)
        assert env.question()
        assert "{" not in env.question()
        legal = [texts[action] for action in env.legal_actions()]
        assert len(set(legal)) == len(legal), legal
    assert {"turn", "step"} <= seen


def test_meanings_use_the_names_of_the_scenario():
    env = AgemoniaEnv()
    env.reset(seed=5)
    names = env.compiled.names
    assert env.action_meaning(STARTS[Block.AREA]).endswith(names.areas[0])
    assert env.action_meaning(STARTS[Block.TOKEN]) == "choose Focus"
    assert env.action_meaning(STARTS[Block.ENEMY]).split(" ", 1)[1]


# ---- positions and copies -------------------------------------------------------------------
def test_set_state_restores_position_and_streams(env):
    play(env, 20)
    position = env.get_state()
    first = play(env, 40, seed=1)
    env.set_state(position)
    assert env.get_state() == position
    assert same(play(env, 40, seed=1), first)


def test_a_clone_with_the_same_streams_plays_alike_and_independently(env):
    play(env, 20)
    position = env.get_state()
    clone = env.clone(reseed=False)
    ahead = play(clone, 40, seed=2)
    assert env.get_state() == position
    assert same(play(env, 40, seed=2), ahead)


def test_a_reseeded_clone_has_its_own_streams_and_leaves_the_game_alone(env):
    play(env, 20)
    position = env.get_state()
    clones = [env.clone() for _ in range(3)] + [env.clone(reseed=7)]
    assert env.get_state() == position
    boards = {env.ruleset.write_board(clone.states[0], clone.compiled, []) for clone in clones}
    assert len({clone.get_state() for clone in clones}) == 4
    assert len(boards) == 1
    for clone in clones:
        assert same(clone._observe(), env._observe())
        assert np.array_equal(clone.action_masks(), env.action_masks())
    assert env.clone(reseed=7).get_state() == clones[-1].get_state()
    futures = [[info["action_mask"] for *_, info in play(clone, 60)] for clone in clones]
    assert not all(same(futures[0], future) for future in futures[1:])


def test_clones_are_the_same_ones_in_a_game_played_again(env):
    first = env.clone().get_state()
    env.reset(seed=5)
    assert env.clone().get_state() == first
