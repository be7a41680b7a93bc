"""The Wilson interval, against a published figure and against its definition."""

import pytest

from agemonia_env.simulation.interval import Z, wilson


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
