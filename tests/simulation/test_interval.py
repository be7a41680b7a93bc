"""The Wilson interval, against a published figure and against its definition; and anytime-valid."""

from math import comb

import numpy as np
import pytest

from agemonia_env.simulation.interval import Z, at_any_time, wilson


def test_a_known_case():
    # 81 of 263: the worked example of Newcombe, Statistics in Medicine 17 (1998), table I
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


@pytest.mark.parametrize(("wins", "games"), [(0, 1), (0, 50), (50, 50), (7, 10), (700_000, 10**6)])
def test_its_ends_are_the_rates_that_are_just_not_rejected(wins, games):
    found = wins / games
    for rate in wilson(wins, games):
        if 0 < rate < 1:
            assert abs(found - rate) == pytest.approx(Z * (rate * (1 - rate) / games) ** 0.5)
    low, high = wilson(wins, games)
    assert 0 <= low <= found <= high <= 1


@pytest.mark.parametrize("games", [1, 7, 400, 2000, 10_000])
def test_the_rate_is_in_its_interval_even_if_all_or_nothing_is_won(games):
    for wins in (0, games):
        low, high = wilson(wins, games)
        assert low <= wins / games <= high


@pytest.mark.parametrize(("wins", "games"), [(0, 1), (0, 50), (50, 50), (7, 10), (3, 1000)])
def test_ends_of_the_anytime_interval_have_a_posterior_density_of_one_twentieth(wins, games):
    low, high = at_any_time(wins, games)
    assert 0 <= low <= wins / games <= high <= 1
    for rate in (low, high):
        if 0 < rate < 1:
            density = (games + 1) * comb(games, wins) * rate**wins * (1 - rate) ** (games - wins)
            assert density == pytest.approx(0.05)


@pytest.mark.parametrize("rate", [0.002, 0.05, 0.5, 0.97])
def test_the_anytime_interval_holds_at_every_look(rate):
    random, runs, left = np.random.default_rng(1), 300, 0
    looks = [*range(1, 30), *range(30, 1000, 25)]
    for _ in range(runs):
        wins = (random.random(1000) < rate).cumsum()
        ends = (at_any_time(int(wins[n - 1]), n) for n in looks)
        left += any(not low <= rate <= high for low, high in ends)
    assert left <= 0.05 * runs
