"""The clock counts the work and nothing else."""

import numpy as np
import pytest

from benchmarks import play


def test_choosing_is_not_counted():
    now = [0.0]

    def pass_time(seconds, result):
        now[0] += seconds
        return result

    played = play.Play(
        work=lambda action: pass_time(2.0, action),
        choose=lambda: pass_time(100.0, 6),
        clock=lambda: now[0],
    )
    assert played.per_second(0.0) == 3.0


def test_the_time_of_reading_the_clock_is_subtracted():
    now = [0.0]

    def clock():
        now[0] += 0.5
        return now[0]

    def work(_):
        now[0] += 4.0
        return 8

    assert play.reading_seconds(clock) == 0.5
    assert play.Play(work, clock=clock).per_second(0.0) == 2.0


def test_random_legal_actions_are_legal_and_all_of_them_occur():
    masks = np.tile(np.array([0, 1, 0, 1, 1], np.uint8), (500, 1))
    actions = play.random_legal(masks, np.random.default_rng(0))
    assert set(actions.tolist()) == {1, 3, 4}


class Corridor:
    """Ends after three steps; action 1 alone is legal at first, then 0."""

    def reset(self, seed=None):
        self.steps = 0
        return 0, {"mask": np.array([0, 1])}

    def step(self, action):
        assert action == (1 if self.steps == 0 else 0)
        self.steps += 1
        return 0, 0.0, self.steps == 3, False, {"mask": np.array([1, 0])}


def test_a_single_environment_is_played_legally_and_starts_again():
    env = Corridor()
    played = play.single(env, lambda info: info["mask"])
    for steps in (1, 2, 0, 1):
        assert played.work(played.choose()) == 1
        assert env.steps == steps


def test_an_episode_is_measured_with_the_actions_of_its_first_time():
    env = Corridor()
    played = play.episodes(env, lambda info: info["mask"])
    assert played.choose() == (0, [1, 0, 0])
    assert played.work((0, [1, 0, 0])) == env.steps == 3
    assert play.episodes(env, lambda info: info["mask"], most=2).choose() == (0, [1, 0])


@pytest.mark.parametrize("clock", [play.wall, play.processor])
def test_both_clocks_go_forward(clock):
    assert play.Play(lambda _: 1, clock=clock).per_second(0.001) > 0
