"""Imitation: its gradient against torch's, and growing agreement with its teacher."""

import numpy as np
import pytest
import torch as th

from agemonia_env.policies.network import Network
from agents import train_ppo
from agents.config import FLAT, read_config
from agents.train_imitation import Imitation, imitation_gradient, main, teacher_of
from tests.agents.short_runs import arguments
from tests.agents.silence import Silence

N, ACTIONS = 32, 19
SMALL = {"n_envs": "32", "n_steps": "32", "batch_size": "128", "net_arch": "[32]", "n_epochs": "2"}


def learner(**changes):
    config = read_config(FLAT, SMALL | {"learning_rate": "0.003", "threads": "1"} | changes)
    return Imitation(config, train_ppo.make_env(config), 3)


def test_the_gradient_is_that_of_the_loss():
    random = np.random.default_rng(0)
    masks = (random.random((2 * N, ACTIONS)) < 0.3).astype(np.int8)
    masks[np.arange(2 * N), np.arange(2 * N) % ACTIONS] = 1
    targets = (masks * random.random(masks.shape)).astype(np.float32)
    targets /= targets.sum(axis=1, keepdims=True)
    outputs = random.normal(size=(N, ACTIONS + 1)).astype(np.float32)
    returns = random.normal(size=2 * N).astype(np.float32)
    part, gradient, sums = random.permutation(2 * N)[:N], np.empty_like(outputs), np.zeros(3)
    weight = np.array([0.5], np.float32)
    imitation_gradient(outputs, part, masks, targets, returns, weight, gradient, sums)
    leaf = th.tensor(outputs, requires_grad=True)
    logits = leaf[:, :-1].masked_fill(th.as_tensor(masks[part]) == 0, -1e9)
    entropy = th.nn.functional.cross_entropy(logits, th.as_tensor(targets[part]))
    error = ((leaf[:, -1] - th.as_tensor(returns[part])) ** 2).mean()
    (entropy + 0.5 * error).backward()
    th.testing.assert_close(th.from_numpy(gradient), leaf.grad, rtol=1e-4, atol=1e-6)
    agreed = logits.argmax(dim=1) == th.as_tensor(targets[part].argmax(axis=1))
    parts = [entropy, agreed.float().mean(), error]
    assert sums / N == pytest.approx([one.item() for one in parts], rel=1e-4)


@pytest.mark.parametrize("scores", ["false", "true"])
def test_it_comes_to_agree_with_its_teacher(scores):
    chosen = {"action_features": scores, "greedy_prior": "0"}
    one = learner(n_epochs="4", total_steps="100_000", **chosen)
    reports = []
    for _ in range(8):
        one.play(Silence())
        reports.append(one.learn())
    assert reports[-1]["cross_entropy"] < 0.8 * reports[0]["cross_entropy"]
    assert reports[-1]["agreement"] > min(reports[0]["agreement"] + 0.05, 0.99)


def test_the_teacher_plays_all_but_the_learners_own_games():
    one = learner(own_share="0.5")
    one.play(Silence())
    taught = one.targets.argmax(axis=2)
    same = (one.rollout.actions == taught).mean(axis=0)
    assert (same[16:] == 1).all()
    assert (same[:16] < 1).all()
    masks = one.rollout.masks
    assert np.take_along_axis(masks, taught[:, :, None], axis=2).all()


def test_half_batches_are_taught_like_one():
    config = read_config(FLAT, SMALL | {"half_batches": "true", "threads": "2"})
    env, second = train_ppo.make_envs(config)
    whole, both = learner(own_share="0"), Imitation(config, env, 3, second=second)
    both.follows[:] = True
    for one in (whole, both):
        one.play(Silence())
    assert np.array_equal(whole.targets, both.targets)
    assert np.array_equal(whole.rollout.codes, both.rollout.codes)


def test_a_teacher_of_the_enemies():
    config = read_config(FLAT, SMALL | {"side": "enemy", "enemy_will": "free"})
    rules = train_ppo.ruleset_of(config.env)
    assert teacher_of(config, rules).number == int(rules.ENEMY_POLICIES["greedy"])


def test_ppo_starts_from_it(tmp_path):
    small = {"small": SMALL, "total_steps": 1024, "threads": 1}
    assert main(arguments(tmp_path / "clone", **small)) == 0
    model = tmp_path / "clone" / "model.npz"
    assert Network.load(model).record["config"]["teacher"] == "greedy"
    assert train_ppo.main(arguments(tmp_path / "ppo", "--from", str(model), **small)) == 0
    assert Network.load(tmp_path / "ppo" / "model.npz").record["steps"] == 1024


def test_the_planner_may_be_the_teacher(tmp_path):
    small = {"small": SMALL, "total_steps": 64, "threads": 1, "n_envs": 4, "n_steps": 16}
    assert main(arguments(tmp_path, "--teacher", "planner:3", **small)) == 0
    assert Network.load(tmp_path / "model.npz").record["config"]["teacher"] == "planner:3"


def test_an_unknown_teacher_is_one_line(tmp_path, capsys):
    assert main(["--teacher", "nobody", "--out", str(tmp_path)]) == 2
    assert "teacher='nobody': must be one of" in capsys.readouterr().err
