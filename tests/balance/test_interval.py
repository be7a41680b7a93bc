"""Intervals have the stated coverage: pairs of games drawn from known probabilities."""

import numpy as np
import pytest

from agemonia_env.balance.accumulator import SUMS, Accumulator, Difference, empty
from agemonia_env.simulation.interval import any_look, one_look

# How often b alone is won, and how often a alone
CHANCES = [(0.05, 0.05), (0.12, 0.02), (0.0, 0.3), (0.006, 0.002)]


def draw(chances, experiments, looks, pairs):
    """Wins of b alone and of a alone (experiments, looks) after so many pairs at each look."""
    random = np.random.default_rng(7)
    alone = random.multinomial(pairs, [*chances, 1 - sum(chances)], (experiments, looks))
    return np.cumsum(alone[..., :2], axis=1)


def found(b_alone, a_alone, pairs):
    """The sums after these pairs; pairs with equal results change nothing."""
    sums = np.array([a_alone, b_alone, a_alone, b_alone, a_alone + b_alone])
    return Accumulator(pairs, {"won": sums}).difference("won")


def misses(known, half, truth):
    return abs(known.difference - truth) > half


@pytest.mark.parametrize("chances", CHANCES)
def test_a_number_of_games_fixed_before_holds_in_95_of_100_runs(chances):
    truth, wrong, n = chances[0] - chances[1], 0, 2000
    for b_alone, a_alone in draw(chances, n, 1, 1000)[:, 0]:
        known = found(b_alone, a_alone, 1000)
        wrong += misses(known, one_look(1000, known.variance), truth)
    assert 0.03 <= wrong / n <= 0.065


@pytest.mark.parametrize("chances", CHANCES)
def test_forty_looks_are_all_right_in_95_of_100_runs(chances):
    truth, n, looks, step = chances[0] - chances[1], 1000, 40, 500
    wrong = naive = 0
    for run in draw(chances, n, looks, step):
        seen = [(step * (i + 1), found(*alone, step * (i + 1))) for i, alone in enumerate(run)]
        halves = [any_look(pairs, known.variance, 5000) for pairs, known in seen]
        wrong += any(misses(k, half, truth) for (_, k), half in zip(seen, halves, strict=True))
        naive += any(misses(k, one_look(pairs, k.variance), truth) for pairs, k in seen)
    assert wrong / n <= 0.05
    assert naive / n >= 0.15  # as it would be with the interval of one look


@pytest.mark.parametrize("chances", CHANCES)
def test_stopping_once_the_interval_is_narrow_keeps_its_promise(chances):
    truth, n, looks, step = chances[0] - chances[1], 1000, 40, 500
    stopped = wrong = 0
    for run in draw(chances, n, looks, step):
        for i, alone in enumerate(run):
            known = found(*alone, step * (i + 1))
            half = any_look(known.pairs, known.variance, 5000)
            if half <= 0.02:
                stopped += 1
                wrong += misses(known, half, truth)
                break
    assert stopped >= 0.99 * n
    assert wrong / n <= 0.05


def test_the_anytime_interval_is_narrowest_where_tuned():
    ratios = {n: any_look(n, 1.0, 10_000) / one_look(n, 1.0) for n in (100, 10_000, 1_000_000)}
    assert ratios[10_000] == pytest.approx(1.55, abs=0.01)
    assert min(ratios[100], ratios[1_000_000]) > ratios[10_000]


def test_a_known_value():
    """t = 1000, rho2 = 0.01, alpha = 0.05: sqrt(2 * 11 * log(sqrt(11) / 0.05) / (1000^2 * 0.01))"""
    tightest = 7.9365 / 0.01
    assert any_look(1000, 1.0, tightest) == pytest.approx(0.096064, rel=1e-4)


def test_pairs_that_never_differed_leave_a_doubt_unless_they_cannot_differ():
    nothing = empty(["won"]) + Accumulator(1000, {"won": np.zeros(SUMS, np.int64)})
    assert nothing.difference("won").variance == 0.002
    assert 0.002 < one_look(1000, nothing.difference("won").variance) < 0.004  # the rule of three
    alike = nothing.difference("won", alike=True)
    assert alike == Difference(1000, 0.0, 0.0, 0.0, 0.0, None)


def test_the_gain_of_pairing():
    """Independent games gain nothing, games that differ in one pair of hundred a lot."""
    random = np.random.default_rng(3)
    one, other = random.random((2, 100_000)) < 0.5
    for b, low, high in ((other, 0.97, 1.03), (one ^ (random.random(100_000) < 0.01), 45, 55)):
        apart = b.astype(int) - one
        sums = np.array([one.sum(), b.sum(), one.sum(), b.sum(), (apart**2).sum()])
        assert low < Accumulator(100_000, {"won": sums}).difference("won").gain < high


def test_several_sequences_that_hold_together_are_wider():
    assert any_look(1000, 1.0, 5000, 0.05) == any_look(1000, 1.0, 5000)
    assert any_look(1000, 1.0, 5000, 0.05 / 20) > 1.2 * any_look(1000, 1.0, 5000)
