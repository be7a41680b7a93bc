"""Expert iteration: targets move towards what a search with the learner's own network finds."""

import numpy as np
import pytest

from agemonia_env.policies import policy_of
from agemonia_env.policies.network import Network
from agemonia_env.policies.planner import Searched
from agemonia_env.rulesets.ruleset import ruleset_of
from agents import train_ppo
from agents.config import CONFIGS, read_config
from agents.train_expert import DOUBT, STEEPNESS, ExpertIteration, improved, main
from tests.agents.short_runs import arguments
from tests.agents.silence import Silence

SMALL = {
    "n_envs": "4",
    "n_steps": "16",
    "batch_size": "32",
    "net_arch": "[16]",
    "threads": "1",
    "teacher": "planner:12",
    "scenario_seed": "3",
    "mix": "null",
}


def learner(**changes):
    config = read_config(CONFIGS / "expert.yaml", SMALL | changes)
    return ExpertIteration(config, train_ppo.make_env(config), 3)


@pytest.mark.parametrize("side", ["hero", "enemy"])
def test_targets_are_shares_of_the_legal_actions_in_its_own_games(side):
    one = learner(side=side)
    one.play(Silence())
    assert one.targets.sum(axis=2) == pytest.approx(1, abs=1e-5)
    assert not one.targets[one.rollout.masks == 0].any()
    choices = one.rollout.masks.sum(axis=2) > 1
    assert (np.count_nonzero(one.targets, axis=2)[choices] > 1).any()
    assert not one.follows.any()


def test_targets_move_towards_what_wins():
    logits, masks = np.zeros((2, 3), np.float32), np.array([[1, 1, 1], [1, 0, 1]], np.int8)
    visits = np.array([[20, 10, 0], [0, 0, 0]], np.int32)
    wins = np.array([[15.0, 2.0, 0.0], [0.0, 0.0, 0.0]], np.float32)
    found = Searched(np.zeros(2, np.int64), visits, wins)
    heroes, enemies = (improved(logits, masks, found, sign) for sign in (1, -1))
    assert heroes[0, 0] > heroes[0, 2] > heroes[0, 1]  # an untried one is worth the mean
    assert enemies[0, 1] > enemies[0, 2] > enemies[0, 0]
    values = (wins[0] + DOUBT * 17 / 30) / (visits[0] + DOUBT)
    shares = np.exp(STEEPNESS * values)
    assert heroes[0] == pytest.approx(shares / shares.sum(), rel=1e-4)
    assert heroes[1].tolist() == [0.5, 0.0, 0.5]  # nothing was searched: its own probabilities


def test_every_rollout_is_searched_with_the_network_of_that_moment():
    one, weights = learner(learning_rate="0.05"), []
    for _ in range(2):
        one.play(Silence())
        assert one.teacher.trust == one.config.trust
        weights.append(one.teacher.network.policy.weights.copy())
        one.learn()
    assert not np.array_equal(*weights)


def test_its_model_plays_and_searches(tmp_path):
    assert main(arguments(tmp_path, small=SMALL, total_steps=128)) == 0
    path = tmp_path / "model.npz"
    record = Network.load(path).record
    assert (record["algorithm"], record["steps"]) == ("expert", 128)
    rules = ruleset_of("Agemonia-v0")
    assert policy_of(rules, f"planner:8:{path}").network.scorer


def test_a_teacher_that_is_no_planner_is_one_line(tmp_path, capsys):
    assert main(["--teacher", "greedy", "--out", str(tmp_path)]) == 2
    assert "teacher: greedy: must be a planner" in capsys.readouterr().err
