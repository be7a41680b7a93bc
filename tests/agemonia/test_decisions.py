"""Every question has an owner, and every refused answer a reason; ties are settled alike."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.agemonia.core.actions import SIZES, STARTS, Block
from agemonia_env.rulesets.agemonia.core.terms import TIES, Decision, Denial, Ending, Kind

STEPS = 400 if COMPILED else 60
SCENARIOS = [("ford", 4), ("watchtower", 3), ("beacon", 4)]
TOGETHER = {*TIES, Decision.NEXT_ALLY, Decision.AFTER_ALLY}  # "the players choose"


def some_legal(masks, i, dice):
    return int(dice.choice(np.flatnonzero(masks[i])))


@pytest.mark.parametrize(("scenario", "heroes"), SCENARIOS)
def test_questions_have_owners_and_refusals_have_reasons(table, scenario, heroes):
    game, dice = table(scenario, heroes, [3], auto_ties=0), np.random.default_rng(5)
    for ally in range(heroes):  # gems and conditions bring up more questions
        game.states["ally"]["inspiration"][0, ally] = game.states["ally"]["achievement"][
            0, ally
        ] = 3
    for _ in range(STEPS):
        if game.states["ending"][0] != Ending.NONE:
            break
        decision, asked = Decision(int(game.states["decision"][0])), int(game.states["asked"][0])
        if decision in TOGETHER:
            assert asked == -1, decision
        else:
            assert game.states["ally"]["kind"][0, asked] == Kind.HERO, decision
        masks, denials = game.masks(), game.all_denials()
        assert ((denials == Denial.NONE) == (masks[0] == 1)).all()
        for block in Block:  # a question is answered by whole blocks of actions
            asked_for = denials[STARTS[block] :][: SIZES[block]] != Denial.NOT_ASKED
            assert asked_for.all() or not asked_for.any(), (decision, block)
        assert (denials == Denial.NOT_ASKED).any()
        game.step([some_legal(masks, 0, dice)])


@pytest.mark.parametrize(("scenario", "heroes"), SCENARIOS)
def test_auto_ties_take_the_lowest_choice_and_change_nothing_else(table, scenario, heroes):
    auto = table(scenario, heroes, [11], auto_ties=1)
    ask = table(scenario, heroes, [11], auto_ties=0)
    dice, ties = np.random.default_rng(2), 0
    for _ in range(STEPS):
        while ask.states["decision"][0] in TIES:
            ask.step([int(np.flatnonzero(ask.masks()[0])[0])])
            ties += 1
        assert auto.states["decision"][0] not in TIES
        if auto.states["ending"][0] != Ending.NONE:
            break
        np.testing.assert_array_equal(auto.masks(), ask.masks())
        np.testing.assert_array_equal(auto.observations(), ask.observations())
        action = [some_legal(auto.masks(), 0, dice)]
        assert auto.step(action)[0] == ask.step(action)[0] == Denial.NONE
    assert ties > 0
