"""The side played: its questions, its reward, and the opponent."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from agemonia_env.rulesets.agemonia.core.terms import ENEMY_CHOICES, Decision
from agemonia_env.rulesets.agemonia.envs.sb3 import AgemoniaVecEnv
from agemonia_env.rulesets.agemonia.envs.single import AgemoniaEnv
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import random_steps

SIDES = [
    {"side": "hero", "enemy_will": "free"},
    {"side": "enemy"},
    {"side": "enemy", "enemy_will": "free", "reward": "shaped", "ties": "auto"},
    {"side": "both", "enemy_will": "free", "opponent": "random"},
]
THEIRS = {AGEMONIA.DECISIONS[decision] for decision in (*ENEMY_CHOICES, Decision.TRAP_AREA)}


def play(env, seed, limit=400):
    """Random legal play of one episode: infos of its decisions, rewards, the last info."""
    infos, rewards = [env.reset(seed=seed)[1]], []
    for _, reward, *_, info in random_steps(env, limit, seed):
        infos.append(info)
        rewards.append(reward)
    return infos[:-1], rewards, infos[-1]


@pytest.mark.parametrize(
    ("choices", "will"),
    [
        ({}, "card"),
        ({"side": "enemy"}, "free"),
        ({"side": "both"}, "free"),
        ({"side": "enemy", "enemy_will": "card"}, "card"),
        ({"enemy_will": "free"}, "free"),
    ],
)
def test_the_enemy_side_has_free_will_by_default(choices, will):
    env = AgemoniaEnv(**choices)
    assert env.arguments.enemy_will == will
    assert env.compiled.content["enemy_will"] == (will == "free")


def test_the_enemy_side_is_asked_more_than_ties_by_default():
    free, ties = (
        sum(len(play(AgemoniaEnv(side="enemy", enemy_will=will), seed)[0]) for seed in range(6))
        for will in (None, "card")
    )
    assert free > 2 * ties


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("keys", SIDES)
def test_gymnasium_checker_passes_with_warnings_as_errors(keys):
    check_env(gymnasium.make("Agemonia-v0", **keys).unwrapped)


@pytest.mark.parametrize("will", ["card", "free"])
def test_the_enemy_side_is_asked_its_own_choices_only(will):
    env = AgemoniaEnv(side="enemy", enemy_will=will)
    infos, rewards, last = play(env, 1)
    asked = {info["decision"] for info in infos}
    assert asked <= THEIRS
    assert {info["side"] for info in infos} == {"enemy"}
    assert all(info["action_mask"].sum() > 1 for info in infos)
    win = last["episode_statistics"]["win"]
    assert last["is_success"] is not win
    assert rewards == [0.0] * (len(rewards) - 1) + [-1.0 if win else 1.0]


def test_with_free_will_the_opponent_decides_for_the_enemies():
    infos, *_ = play(AgemoniaEnv(enemy_will="free"), 2)
    assert {info["decision"] for info in infos}.isdisjoint(THEIRS)
    assert {info["side"] for info in infos} == {"hero"}


def test_both_sides_are_asked_and_rewards_are_the_heroes():
    infos, rewards, last = play(AgemoniaEnv(side="both", enemy_will="free", ties="auto"), 3)
    for info in infos:
        assert info["side"] == ("enemy" if info["decision"] in THEIRS else "hero")
    assert {info["side"] for info in infos} == {"hero", "enemy"}
    assert last["is_success"] is last["episode_statistics"]["win"]
    assert rewards[-1] == (1.0 if last["is_success"] else -1.0)


def test_the_observation_says_whose_decision_it_is():
    from agemonia_env.rulesets.agemonia.core.obs_spec import OBS

    env = AgemoniaEnv(side="both", enemy_will="free")
    env.reset(seed=4)
    seen = set()
    for observation, *_, info in random_steps(env, 60, seed=4):
        assert observation.view(OBS)["enemy_side"][0] == (info["side"] == "enemy")
        seen.add(info["side"])
    assert seen == {"hero", "enemy"}


def test_shaped_rewards_of_the_two_sides_are_opposite():
    keys = {"enemy_will": "free", "reward": "shaped", "gamma": 1.0}
    enemy = AgemoniaEnv(side="enemy", **keys)
    enemy.reset(seed=5)
    start = float(enemy._slots["potential"][0])
    _, rewards, last = play(enemy, 5)
    assert sum(rewards) == pytest.approx((1.0 if last["is_success"] else -1.0) + start)


class Unasked(AgemoniaEnv):
    """A game that is over before anybody is asked."""

    def _set_up(self, compiled, core_seed):
        super()._set_up(compiled, core_seed)
        self._states["ending"] = 2  # all exhausted
        self._observe_position(steps=0, disqualified=False)


@pytest.mark.parametrize("illegal", ["noop", "raise", "terminate"])
def test_a_game_without_a_decision_ends_at_the_first_step(illegal):
    env = Unasked(side="enemy", illegal=illegal)
    _, info = env.reset(seed=1)
    assert info["action_mask"].all()
    _, reward, over, truncated, info = env.step(0)
    assert (reward, over, truncated) == (1.0, True, False)
    assert info["is_success"] is True
    assert info["illegal_action"] is False


@pytest.mark.parametrize("illegal", ["noop", "raise", "terminate"])
def test_a_batch_continues_after_a_game_without_a_decision(illegal):
    vec = AgemoniaVecEnv(2, seed=1, side="enemy", enemy_will="free", illegal=illegal)
    vec.reset()
    vec.batch.states["ending"][1] = 2
    actions = np.argmax(vec.action_masks(), axis=1)
    _, rewards, dones, infos = vec.step(actions)
    assert (rewards[1], bool(dones[1]), infos[1]["is_success"]) == (1.0, True, True)
    assert "illegal_action" not in infos[1]
    assert (vec.batch.slots["steps"].tolist(), int(vec.batch.states["ending"][1])) == ([1, 0], 0)


def test_a_disqualified_enemy_does_not_win():
    env = AgemoniaEnv(side="enemy", enemy_will="free", illegal="terminate")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert (reward, over, info["is_success"]) == (-1.0, True, False)
