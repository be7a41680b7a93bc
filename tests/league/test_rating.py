"""Ratings of players whose strength is known."""

from itertools import product

import numpy as np
import pytest

from agemonia_env.league.matches import Match, Player, Role
from agemonia_env.league.rating import MU, SIGMA, chance, expected, rated

POLICIES = {"weak": 18.0, "middling": 25.0, "strong": 31.0}
SCENARIOS = {"easy": 20.0, "even": 25.0, "hard": 29.0, "harder": 33.0}
ENEMY_POLICIES = {"mild": -2.0, "fierce": 3.0}
TRUE = POLICIES | SCENARIOS | ENEMY_POLICIES


def league(enemy_policies=()):
    """Every policy against every scenario, with its cards and with these enemy policies."""
    return [
        Match(
            Player(Role.POLICY, policy),
            Player(Role.SCENARIO, scenario),
            None if name is None else Player(Role.ENEMIES, name),
            plan=None,
        )
        for policy in POLICIES
        for scenario in SCENARIOS
        for name in (None, *enemy_policies)
    ]


def played(matches, games, seed):
    """Games won in each match by players of the strengths in TRUE."""
    random = np.random.default_rng(seed)
    found = []
    for match in matches:
        against = sum(TRUE[player.name] for player in match.defenders())
        won = random.binomial(games, chance(TRUE[match.policy.name] - against))
        found.append((int(won), games))
    return found


def errors(ratings, names):
    """Errors of all differences between these players, in units of their stated uncertainty."""
    found = [rating for player, rating in ratings.items() if player.name in names]
    return [
        (one.mu - other.mu - TRUE[one.player.name] + TRUE[other.player.name])
        / np.hypot(one.sigma, other.sigma)
        for k, one in enumerate(found)
        for other in found[:k]
    ]


@pytest.mark.parametrize("games", [30, 120])
def test_intervals_have_their_stated_coverage(games):
    matches = league(ENEMY_POLICIES)
    found = []
    for seed in range(4):
        ratings = rated(matches, played(matches, games, seed), seed=seed, orders=2)
        found += errors(ratings, {*POLICIES, *SCENARIOS}) + errors(ratings, ENEMY_POLICIES)
    assert np.mean(np.abs(found) < 1.96) > 0.9


def test_more_games_make_it_surer_and_win_rates_follow():
    matches = league()
    few, many = (rated(matches, played(matches, games, 1), seed=0, orders=2) for games in (40, 300))
    for player, rating in many.items():
        assert rating.sigma < few[player].sigma
        assert rating.games == 300 * (4 if player.role is Role.POLICY else 3)
    for match, (won, games) in zip(matches, played(matches, 300, 1), strict=True):
        assert expected(match, many) == pytest.approx(won / games, abs=0.07)


def test_the_order_of_games_matters_no_more_than_chance():
    matches = league()
    wins = played(matches, 120, 2)
    one, other = (rated(matches, wins, seed=seed, orders=5) for seed in (1, 2))
    for player, rating in one.items():
        assert abs(rating.mu - other[player].mu) < rating.sigma
        assert rating.spread < rating.sigma
    turned = rated(matches[::-1], wins[::-1], seed=1, orders=5)
    assert all(abs(turned[player].mu - rating.mu) < rating.sigma for player, rating in one.items())


def test_the_same_seed_makes_the_same_ratings():
    matches = league(ENEMY_POLICIES)
    wins = played(matches, 30, 3)
    assert rated(matches, wins, seed=5, orders=2) == rated(matches, wins, seed=5, orders=2)
    assert rated(matches, wins, seed=5, orders=2) != rated(matches, wins, seed=6, orders=2)


def test_a_policy_that_never_wins_is_weakest_and_least_certain():
    matches = league()
    wins = [
        (0 if match.policy.name == "weak" else won, games)
        for match, (won, games) in zip(matches, played(matches, 200, 4), strict=True)
    ]
    ratings = rated(matches, wins, seed=0, orders=4)
    by_name = {player.name: rating for player, rating in ratings.items()}
    assert by_name["weak"].interval[1] < by_name["middling"].interval[0]
    assert by_name["weak"].sigma > 2 * by_name["middling"].sigma


def test_an_enemy_policy_is_rated_by_the_difficulty_it_adds():
    matches = league(ENEMY_POLICIES)
    ratings = rated(matches, played(matches, 200, 7), seed=0, orders=2)
    for name, added in ENEMY_POLICIES.items():
        low, high = ratings[Player(Role.ENEMIES, name)].interval
        assert low - 0.5 < added < high + 0.5
    assert ratings[Player(Role.SCENARIO, "even")].mu == pytest.approx(MU, abs=3.0)


def test_chance():
    assert chance(0.0) == 0.5
    assert chance(3.97) == pytest.approx(0.75, abs=0.001)
    assert chance(-3.97) == pytest.approx(0.25, abs=0.001)


def test_intervals_cover_distances_to_the_league_mean():
    random, held = np.random.default_rng(2), []
    for league in range(24):
        names = [(Role.POLICY, f"p{k}") for k in range(3)]
        names += [(Role.SCENARIO, f"s{k}") for k in range(4)]
        true = {Player(*name): random.normal(MU, SIGMA) for name in names}
        pairs = product(list(true)[:3], list(true)[3:])
        matches = [Match(policy, scenario, None, plan=None) for policy, scenario in pairs]
        chances = [chance(true[one.policy] - true[one.scenario]) for one in matches]
        won = [(int(random.binomial(100, share)), 100) for share in chances]
        found = rated(matches, won, seed=league, orders=4)
        middle = np.mean([found[one].mu - true[one] for one in true])
        held += [
            found[one].interval[0] <= true[one] + middle <= found[one].interval[1] for one in true
        ]
    assert 0.9 < np.mean(held) < 0.98
