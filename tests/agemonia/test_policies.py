"""Compiled policies: always legal, blind to what is hidden, and greedy play beats random play."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Ending

SCENARIOS = ["ford", "watchtower", "beacon"]
GAMES = 200
STEPS = 150
LIMIT = 100_000


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("policy", list(Policy))
def test_a_policy_takes_legal_actions(table, scenario, policy):
    games = table(scenario, 3, range(4), auto_ties=0)
    mover = Policy.RANDOM if policy == Policy.GREEDY else Policy.GREEDY
    for k in range(STEPS):
        running = games.states["ending"] == Ending.NONE
        actions, masks = games.chosen(policy), games.masks()
        assert masks[np.arange(4), actions][running].all()
        games.step(games.chosen(mover) if k % 2 else actions)  # also off the policy's own path


def results(table, scenario, policy):
    """(share of games won, mean of won games and of damage dealt less taken)."""
    games = table(scenario, 2, range(GAMES))
    games.play(policy, LIMIT)
    assert (games.states["ending"] != Ending.NONE).all()
    dealt, taken = games.states["damage_dealt"], games.states["damage_taken"]
    return games.states["won"].mean(), (dealt - taken).mean()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_greedy_play_beats_random_play(table, scenario):
    won, margin = results(table, scenario, Policy.GREEDY)
    won_by_luck, margin_of_luck = results(table, scenario, Policy.RANDOM)
    assert won >= won_by_luck + 0.2
    assert margin > margin_of_luck


@pytest.mark.parametrize("policy", list(Policy))
def test_damage_is_counted_where_it_is_dealt_and_suffered(table, policy):
    games = table("beacon", 4, range(GAMES))
    games.play(policy, LIMIT)
    dealt, taken = games.states["dealt"], games.states["taken"]
    np.testing.assert_array_equal(taken[:, N_ALLIES:].sum(1), games.states["damage_dealt"])
    assert (taken[:, :N_ALLIES].sum(1) >= games.states["damage_taken"]).all()  # other Allies too
    assert (dealt[:, :N_ALLIES].sum(1) <= games.states["damage_dealt"]).all()  # some is nobody's
    assert (dealt[:, :4].sum(0) > 0).all()
    assert dealt[:, N_ALLIES:].sum() > 0


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_greedy_play_never_reads_what_is_hidden(table, scenario):
    """Other decks and streams, the same open position: the same action and observation."""
    games = table(scenario, 4, range(3), auto_ties=0)
    for k in range(STEPS):
        actions, sight = games.chosen(Policy.GREEDY), games.observations()
        for i in range(games.n):
            api.set_chance(games.states, games.contents, games.which, i, np.uint64(1000 * k + i))
        np.testing.assert_array_equal(games.chosen(Policy.GREEDY), actions)
        np.testing.assert_array_equal(games.observations(), sight)
        games.step(actions)
