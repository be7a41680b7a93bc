"""Compiled policies: always legal, blind to what is hidden, and greedy play beats random play."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.policies import Policy as AgemoniaPolicy
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.hexdungeon.core.policies import Policy as HexPolicy
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests.games import Games

PLAYED = [
    *((AGEMONIA, AgemoniaPolicy, name) for name in ("ford", "watchtower", "beacon")),
    *((HEXDUNGEON, HexPolicy, name) for name in ("warm-cellar", "counting-vault", "slag-market")),
]
EACH = pytest.mark.parametrize(("rules", "policies", "scenario"), PLAYED)
STEPS = 150 if COMPILED else 15
GAMES, AHEAD = (200, 0.1) if COMPILED else (2, 0.0)  # games, by how much of them greedy play leads
LIMIT = 100_000


@EACH
def test_a_policy_takes_legal_actions(rules, policies, scenario):
    for policy in policies:
        games = Games(rules, scenario, 3, range(4), auto_ties=0)
        mover = policies.RANDOM if policy == policies.GREEDY else policies.GREEDY
        for k in range(STEPS):
            actions, masks = games.chosen(policy), games.masks()
            assert masks[np.arange(4), actions][games.running].all()
            games.step(games.chosen(mover) if k % 2 else actions)  # also off the policy's own path


def results(rules, scenario, policy):
    """(share of games won, mean of damage dealt less taken)."""
    games = Games(rules, scenario, 2, range(GAMES))
    games.play(policy, LIMIT)
    assert not games.running.any()
    dealt, taken = games.states["damage_dealt"], games.states["damage_taken"]
    return games.states["won"].mean(), (dealt - taken).mean()


@EACH
def test_greedy_play_beats_random_play(rules, policies, scenario):
    won, margin = results(rules, scenario, policies.GREEDY)
    for policy in policies:
        if policy < policies.GREEDY:  # weakest first
            won_otherwise, margin_otherwise = results(rules, scenario, policy)
            assert won >= won_otherwise + AHEAD
            assert margin > margin_otherwise


@EACH
def test_greedy_play_never_reads_what_is_hidden(rules, policies, scenario):
    """Other decks and streams, the same open position: the same action and observation."""
    games = Games(rules, scenario, 4, range(3), auto_ties=0)
    for k in range(STEPS):
        actions, sight = games.chosen(policies.GREEDY), games.observations()
        for i in range(games.n):
            games.api.set_chance(*games.records, i, np.uint64(1000 * k + i))
        np.testing.assert_array_equal(games.chosen(policies.GREEDY), actions)
        np.testing.assert_array_equal(games.observations(), sight)
        games.step(actions)


@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@pytest.mark.parametrize("policy", AgemoniaPolicy)
def test_damage_is_counted_where_it_is_dealt_and_suffered(policy):
    games = Games(AGEMONIA, "beacon", 4, range(GAMES))
    games.play(policy, LIMIT)
    dealt, taken = games.states["dealt"], games.states["taken"]
    np.testing.assert_array_equal(taken[:, N_ALLIES:].sum(1), games.states["damage_dealt"])
    assert (taken[:, :N_ALLIES].sum(1) >= games.states["damage_taken"]).all()  # other Allies too
    assert (dealt[:, :N_ALLIES].sum(1) <= games.states["damage_dealt"]).all()  # some is nobody's
    assert (dealt[:, :4].sum(0) > 0).all()
    assert dealt[:, N_ALLIES:].sum() > 0


def test_random_play_is_uniform_over_legal_actions():
    games = Games(HEXDUNGEON, "warm-cellar", 1, [1])
    legal = np.flatnonzero(games.masks()[0])
    counts = dict.fromkeys(legal.tolist(), 0)
    rounds = 300 * len(legal) if COMPILED else 30 * len(legal)
    for _ in range(rounds):
        counts[int(games.chosen(HexPolicy.RANDOM)[0])] += 1  # the POLICY stream goes on
    expected = rounds / len(legal)
    assert max(abs(n - expected) for n in counts.values()) < 6 * expected**0.5
