"""Successive elimination on games drawn from known probabilities."""

import numpy as np
import pytest

from agemonia_env.balance.racing import FIRST, Race, Rule, next_look, scores_of

SHARES = (0.5, 0.52, 0.45, 0.6, 0.3)


def won(shares, games, seed=0):
    """Games of each variant on the same seeds: some seeds are harder, (variants, games)."""
    random = np.random.default_rng(seed)
    hard = random.random(games)
    own = random.random((len(shares), games))
    mixed = np.where(random.random((len(shares), games)) < 0.7, hard, own)
    return (mixed < np.array(shares)[:, None]).astype(float)


def run(goal, shares=SHARES, most=10_000, within=0.01, seed=0):
    games, race = won(shares, most, seed), Race(Rule(goal, len(shares), most / 10), most, within)
    while not race.over:
        race.look(games[race.alive, : race.wanted()])
    return race


@pytest.mark.parametrize(
    ("goal", "best", "gone"), [("highest", 3, 4), ("lowest", 4, 3), (0.53, 1, 4), (0.0, 4, 3)]
)
def test_the_best_is_left_and_the_worst_goes_first(goal, best, gone):
    race = run(goal)
    order = list(race.standings())
    assert order[0] == best
    assert best not in race.dropped
    assert race.dropped[gone].games == min(one.games for one in race.dropped.values())
    assert race.dropped[gone].by not in (None, gone)


def test_dropped_variants_stop_playing_and_the_rest_go_on():
    race = run("highest")
    games = race.played()
    assert games[4] < games[2] < games[1] <= race.games == games[3]
    looks = [left for _, left, _ in race.looks]
    assert looks == sorted(looks, reverse=True)
    assert race.looks[-1] == (race.games, len(race.alive), 3)


@pytest.mark.parametrize("goal", ["highest", "lowest", 0.5])
def test_the_best_is_hardly_ever_dropped(goal):
    """Of equal variants each is the best: none may be dropped in 95 of 100 races."""
    shares, n = (0.5,) * 4, 200
    wrong = sum(bool(run(goal, shares, most=1500, within=0, seed=k).dropped) for k in range(n))
    assert wrong / n <= 0.05 * 2  # four variants, each in at most five of a hundred races


def test_looking_without_correction_drops_the_best_too_often():
    """The race above would fail if its sequences were intervals of one look."""
    shares, n, dropped = (0.5,) * 4, 200, 0
    for k in range(n):
        games = won(shares, 1500, k)
        for end in range(FIRST, 1501, FIRST):
            scores = scores_of(games[:, :end])
            apart = scores.means[:, None] - scores.means
            if (np.abs(apart) > 1.96 * np.sqrt(scores.variance(-1) / end)).any():
                dropped += 1
                break
    assert dropped / n > 0.3


def test_a_target_needs_the_difference_and_the_side():
    """0.4 and 0.6 are both far from each other and as near to 0.5: neither is dropped."""
    race = run(0.5, (0.4, 0.6), most=20_000, within=0.0)
    assert race.dropped == {}
    assert run(0.45, (0.4, 0.6), most=20_000).dropped.keys() == {1}


def test_it_stops_when_nothing_can_be_much_better():
    race = run("highest", (0.5, 0.5, 0.3), most=100_000, within=0.05)
    assert race.games < 100_000
    assert race.short <= 0.05
    assert len(race.alive) == 2
    short = run("highest", (0.5, 0.5), most=500, within=0.001)
    assert short.games == 500
    assert short.short > 0.001


def test_pairing_is_used():
    """Equal seeds that decide alike: a small difference is found in few games."""
    hard = np.random.default_rng(0).random(2000)
    race = Race(Rule("highest", 2, 200), 2000, 0.0)
    games = np.array([hard < 0.5, hard < 0.53]).astype(float)
    while not race.over:
        race.look(games[race.alive, : race.wanted()])
    assert race.dropped[0].games < 2000


def test_looks_grow_with_the_games():
    looks = [FIRST]
    while looks[-1] < 10_000:
        looks.append(next_look(looks[-1]))
    assert looks[:5] == [100, 200, 300, 400, 500]
    assert len(looks) < 30
    assert all(look % FIRST == 0 for look in looks)


def test_sums_of_pairs():
    games = np.array([[1.0, 0, 1, 1], [1, 1, 0, 1]])
    scores = scores_of(games)
    assert scores.means.tolist() == [0.75, 0.75]
    assert scores.variance(-1)[0, 1] == pytest.approx(0.5 + 2 / 4)
    assert scores.variance(1)[0, 1] == pytest.approx(np.var([2, 1, 1, 2]) + 2 / 4)
