"""Masks match denials, there is always an answer, and refused actions change nothing."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.hexdungeon.core.actions import N_ACTIONS, STARTS, Block
from agemonia_env.rulesets.hexdungeon.core.layout import STATE
from agemonia_env.rulesets.hexdungeon.core.masks import ANSWERS
from agemonia_env.rulesets.hexdungeon.core.policies import Policy
from agemonia_env.rulesets.hexdungeon.core.terms import Decision, Denial
from tests.hexdungeon.games import Games

SCENARIOS = ["counting-vault", "under-the-weir", "slag-market"]
STEPS = 400 if COMPILED else 60


def test_every_question_has_answers_once():
    asked = [decision for _, decisions in ANSWERS for decision in decisions]
    assert sorted(asked) == [decision for decision in Decision if decision != Decision.NONE]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_masks_match_denials(scenario):
    games = Games(scenario, 3, [1, 2], auto_ties=0)
    for k in range(STEPS):
        masks = games.masks()
        for i in np.flatnonzero(games.running):
            np.testing.assert_array_equal(masks[i] == 1, games.all_denials(i) == Denial.NONE)
            assert masks[i].sum() > 1  # what is forced is played at once
        games.step(games.chosen(Policy.GREEDY if k % 3 else Policy.RANDOM))


def test_a_refused_action_changes_nothing():
    games = Games("warm-cellar", 2, [3], auto_ties=0)
    raw = games.states.view(np.uint8).reshape(STATE.itemsize)
    refused = set()
    for _ in range(STEPS):
        if not games.running[0]:
            break
        denials, before = games.all_denials(), raw.copy()
        for action in np.flatnonzero(denials)[::7]:
            assert games.step([action])[0] == denials[action]
            refused.add(Denial(denials[action]))
        np.testing.assert_array_equal(raw, before)
        games.step(games.chosen())
    assert {Denial.NOT_ASKED, Denial.NOT_IN_HAND, Denial.NO_SUCH_CARD} <= refused


def test_a_finished_game_takes_any_action_and_answers_none():
    games = Games("warm-cellar", 1, [1])
    games.play(Policy.RANDOM, 100_000)
    assert games.masks().all()
    assert (games.all_denials() == Denial.SCENARIO_ENDED).all()


def test_the_first_question_is_for_a_card_to_lead():
    games = Games("warm-cellar", 2, [1])
    legal = np.flatnonzero(games.masks()[0])
    n = int(games.contents["hero"]["n_cards"][0, 0])
    assert games.states["decision"][0] == Decision.LEAD
    assert legal.tolist() == [STARTS[Block.CARD] + card for card in range(n)]
    assert games.masks().shape[1] == N_ACTIONS
