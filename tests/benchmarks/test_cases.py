"""Every case runs, and batches of games are as described."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from benchmarks import stepping, table, training
from benchmarks.cases import COLD, Scale, cases, vector_name

OPTIONAL = ("polars", "stable_baselines3", "torch")  # of extras
NAMES = [case.name for case in cases(Scale(sizes=(1, 2), some=2))]


@pytest.mark.parametrize("name", NAMES)
def test_every_case_runs(name, small, monkeypatch):
    if name.startswith("start: "):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # of processes begun here: no compiling
    (case,) = [case for case in cases(small) if case.name == name]
    figure = table.run([case], 1, 0.0, lambda _: None)[name]
    if figure.missing:
        assert figure.missing in {f"not installed: {name}" for name in OPTIONAL}
    else:
        assert [value > 0 for value in figure.values] == [True]


def test_names_are_unlike_and_the_sweep_is_among_them(small):
    assert len(set(NAMES)) == len(NAMES)
    assert {vector_name(1), vector_name(2), vector_name(2, 2), COLD} <= set(NAMES)
    assert vector_name(1, 2) not in NAMES


def test_games_of_a_fleet_stand_at_different_stages_of_all_scenarios():
    games = stepping.fleet(AGEMONIA, 24, pool=12, span=36)
    assert len(set(games.batch.slots["which"].tolist())) > 5
    actions = games.choose()
    games.step(actions)
    assert not games.batch.slots["denial"].any()
    assert len(set(games.states["decisions"].tolist())) > 5
    assert len(np.unique(games.states["chance"], axis=0)) == 24


def test_shares_and_speed_of_an_iteration_are_about_the_same_seconds(monkeypatch):
    class Model:
        """A second passes in the environment, two in the policy, three while learning."""

        n_envs, n_steps = 4, 5

        def __init__(self):
            self.env = self.policy = self
            self.learned = 0

        def pass_time(self, seconds):
            now[0] += seconds

        def reset(self):
            self.pass_time(0.25)

        def env_method(self, name):
            self.pass_time(0.5)

        def step(self, actions):
            self.pass_time(0.25)

        def forward(self):
            self.pass_time(2)

        def train(self):
            self.pass_time(3)

        def action_masks(self):
            return np.ones((4, 2))

        def set_logger(self, logger):
            pass

        def learn(self, samples, reset_num_timesteps):
            assert samples == 20
            assert not reset_num_timesteps
            self.learned += 1
            for part in (self.reset, self.forward, self.train):
                part()
            self.env_method("action_masks")
            self.step(None)
            self.pass_time(4)

    now = [0.0]
    monkeypatch.setattr(training, "processor", lambda: now[0])
    model = Model()
    trained = training.stable(model)
    measures = [trained.per_second(), *(trained.share(part) for part in training.PARTS)]
    for turn in (1, 2):
        assert [measure(0.0) for measure in measures] == [2, 10, 20, 30]
        assert model.learned == turn


def test_trainers_side_by_side_are_compared_iteration_by_iteration(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(training, "processor", lambda: now[0])

    def learner(seconds, samples):
        def learn():
            now[0] += seconds.pop(0)

        return training.Training(samples, learn, [])

    quick, slow = learner([1, 2], 10), learner([4, 4], 20)
    measure = quick.times(slow)
    assert [measure(0.0), measure(0.0)] == [2, 1]
