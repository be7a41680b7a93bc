"""Compiled policies: always legal, blind to what is hidden, and greedy play beats random play."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from tests.hexdungeon.games import Games

SCENARIOS = ["warm-cellar", "counting-vault", "slag-market"]
STEPS = 150 if COMPILED else 15
GAMES, AHEAD = (60, 0.1) if COMPILED else (2, 0.0)  # games, by how much of them greedy play leads
LIMIT = 100_000


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("policy", list(Policy))
def test_a_policy_takes_legal_actions(scenario, policy):
    games = Games(scenario, 3, range(2), auto_ties=0)
    mover = Policy.RANDOM if policy == Policy.GREEDY else Policy.GREEDY
    for k in range(STEPS):
        actions, masks = games.chosen(policy), games.masks()
        assert masks[np.arange(2), actions][games.running].all()
        games.step(games.chosen(mover) if k % 2 else actions)  # also off the policy's own path


def results(scenario, policy):
    """(share of games won, mean of damage dealt less taken)."""
    games = Games(scenario, 2, range(GAMES))
    games.play(policy, LIMIT)
    assert not games.running.any()
    dealt, taken = games.states["damage_dealt"], games.states["damage_taken"]
    return games.states["won"].mean(), (dealt - taken).mean()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_greedy_play_beats_random_play(scenario):
    won, margin = results(scenario, Policy.GREEDY)
    for policy in (Policy.RANDOM, Policy.FIRST):
        won_otherwise, margin_otherwise = results(scenario, policy)
        assert won >= won_otherwise + AHEAD
        assert margin > margin_otherwise


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_greedy_play_never_reads_what_is_hidden(scenario):
    """Other decks and streams, the same open position: the same action and observation."""
    games, others = Games(scenario, 2, range(4)), Games(scenario, 2, range(4))
    for k in range(STEPS):
        others.states[:] = games.states
        for i in range(4):
            api.set_chance(others.states, others.contents, others.which, i, 1000 * k + i)
        np.testing.assert_array_equal(games.chosen(Policy.GREEDY), others.chosen(Policy.GREEDY))
        np.testing.assert_array_equal(games.observations(), others.observations())
        games.step(games.chosen(Policy.GREEDY))


def test_random_play_is_uniform_over_legal_actions():
    games = Games("warm-cellar", 1, [1])
    legal = np.flatnonzero(games.masks()[0])
    counts = dict.fromkeys(legal.tolist(), 0)
    rounds = 300 * len(legal) if COMPILED else 30 * len(legal)
    for _ in range(rounds):
        counts[int(games.chosen(Policy.RANDOM)[0])] += 1  # the POLICY stream goes on
    expected = rounds / len(legal)
    assert max(abs(n - expected) for n in counts.values()) < 6 * expected**0.5
