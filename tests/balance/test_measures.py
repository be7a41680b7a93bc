"""Statistics that targets are about: values, honest intervals, distances to targets."""

from math import inf

import numpy as np
import polars as pl
import pytest

from agemonia_env.balance.measures import (
    EXHAUSTED,
    MEAN_ROUNDS,
    SPREAD,
    WON,
    Games,
    binomial,
    quantile_of,
    rounds_quantile,
)

ANY = (-inf, inf)


def games(label="", heroes=(), **columns):
    return Games(label, heroes, pl.DataFrame(columns))


def test_a_share_of_games_won():
    found = WON.estimate([games(won=[True] * 60 + [False] * 40)], (0.7, 0.8))
    assert found.value == 0.6
    assert found.low == pytest.approx(0.5020, abs=1e-4)
    assert found.high == pytest.approx(0.6906, abs=1e-4)
    assert found.apart == pytest.approx(0.1)
    assert found.missed == pytest.approx(0.1**2 - 0.6 * 0.4 / 100)


def test_a_distance_that_sampling_explains_is_no_miss():
    assert WON.estimate([games(won=[True] * 60 + [False] * 40)], (0.62, 1)).missed == 0
    assert WON.estimate([games(won=[True] * 60 + [False] * 40)], (0.5, 0.6)).missed == 0


def test_the_mean_length():
    found = MEAN_ROUNDS.estimate([games(rounds=[4, 6] * 200)], (-inf, 4.5))
    half = 1.96 * np.sqrt((1 + 2 / 400) / 400)
    assert (found.low, found.value, found.high) == pytest.approx((5 - half, 5, 5 + half), abs=1e-4)
    assert found.apart == pytest.approx(0.5)


def test_the_miss_of_a_quantile_is_a_share_of_games():
    rounds = [5] * 80 + [8] * 15 + [12] * 5
    measure = rounds_quantile(0.9)
    assert measure.estimate([games(rounds=rounds)], ANY).value == 8
    assert measure.estimate([games(rounds=rounds)], (-inf, 8)).apart == 0
    assert measure.estimate([games(rounds=rounds)], (-inf, 7)).apart == pytest.approx(0.1)
    assert measure.estimate([games(rounds=rounds)], (8, inf)).apart == 0
    assert measure.estimate([games(rounds=rounds)], (9, inf)).apart == pytest.approx(0.05)


def test_binomial_probabilities():
    assert binomial(2, 0.3) == pytest.approx([0.49, 0.42, 0.09])
    many = binomial(20_000, 0.9)
    assert many.sum() == pytest.approx(1)
    assert many @ np.arange(20_001) == pytest.approx(18_000)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.95])
def test_the_interval_of_a_quantile_holds_in_95_of_100_samples(share):
    random = np.random.default_rng(5)
    chances = np.array([0.02, 0.2, 0.3, 0.28, 0.12, 0.05, 0.02, 0.01])
    truth = int(np.searchsorted(np.cumsum(chances), share - 1e-12))
    held, smooth, n = 0, 0, 1000
    for _ in range(n):
        sample = np.sort(random.choice(len(chances), 200, p=chances))
        _, low, high = quantile_of(sample, share)
        held += low <= truth <= high
        _, low, high = quantile_of(np.sort(random.random(200)), share)
        smooth += low <= share <= high
    assert held / n >= 0.935
    assert 0.93 <= smooth / n <= 0.985  # no rounding of the values hides what is too wide


def parties(random, chances, n):
    """Games of parties on the same seeds: the harder the seed, the fewer of them win."""
    hard = random.random(n)
    return [games(f"party {k}", won=hard < chance) for k, chance in enumerate(chances)]


def test_the_spread_names_the_parties():
    found = SPREAD.estimate(parties(np.random.default_rng(1), (0.5, 0.7, 0.4), 2000), (0.0, 0.1))
    assert found.who == "party 1 above party 2"
    assert found.value == pytest.approx(0.3, abs=0.03)
    assert found.low < found.value < found.high
    assert found.apart == pytest.approx(found.value - 0.1)


@pytest.mark.parametrize("chances", [(0.5, 0.5), (0.5,) * 6, (0.4, 0.5, 0.6, 0.42)])
def test_the_interval_of_the_spread_holds_in_95_of_100_samples(chances):
    random, held, n = np.random.default_rng(2), 0, 1000
    truth = max(chances) - min(chances)
    for _ in range(n):
        rows = [games(won=random.random(300) < chance) for chance in chances]
        found = SPREAD.estimate(rows, ANY)
        held += found.low <= truth <= found.high
    assert held / n >= 0.935


def test_parties_that_are_alike_have_no_spread():
    one = games("this", won=[True, False] * 200)
    found = SPREAD.estimate([one, one, one], ANY)
    assert (found.value, found.low) == (0, 0)
    assert 0 < found.high < 0.02


def test_the_hero_exhausted_most_often():
    flags = [[True, False]] * 30 + [[False, True]] * 50 + [[False, False]] * 20
    found = EXHAUSTED.estimate([games(heroes=("Ann", "Bo"), hero_exhausted=flags)], (0, 0.4))
    assert (found.who, found.value) == ("Bo", 0.5)
    assert found.apart == pytest.approx(0.1)
    alone = WON.estimate([games(won=[True] * 50 + [False] * 50)], ANY)
    assert found.low < alone.low
    assert found.high > alone.high  # intervals of both heroes hold together
