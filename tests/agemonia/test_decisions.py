"""Every question has an owner, and every refused answer a reason; ties are settled alike."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.agemonia.core.actions import STARTS, Block, Turn
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import TIES, Decision, Denial, Ending, Kind
from tests.agemonia.rules.table import Table

STEPS = 400 if COMPILED else 60
SCENARIOS = [("ford", 4), ("watchtower", 3), ("beacon", 4)]
TOGETHER = {*TIES, Decision.NEXT_ALLY, Decision.AFTER_ALLY}  # "the players choose"

BLOCKS = {  # that answer a question (terms.Decision); all other actions are NOT_ASKED
    Decision.SELECT_ACTION: {Block.TOKEN},
    Decision.NEXT_ALLY: {Block.ALLY, Block.NO},
    Decision.NEXT_TYPE: {Block.TYPE},
    Decision.TURN: {Block.TURN, Block.LOCK, Block.TOKEN},
    Decision.STEP: {
        *(Block.AREA, Block.CLIMB, Block.PORTAL, Block.DONE, Block.YES),
        *(Block.TURN, Block.LOCK),
    },
    Decision.EVADE: {Block.AMOUNT},
    Decision.DISARM: {Block.YES, Block.NO},
    Decision.SPRING: {Block.YES, Block.NO, Block.LOCK},
    Decision.TRAP_AREA: {Block.AREA},
    Decision.ATTACK_TYPE: {Block.ATTACK_TYPE},
    Decision.TARGET: {Block.ENEMY, Block.DONE},
    Decision.CENTRE: {Block.AREA},
    Decision.LINE: {Block.AREA, Block.DONE},
    Decision.SHARE: {Block.AMOUNT},
    Decision.INSPIRATION: {Block.YES, Block.NO, Block.LOCK},
    Decision.BLESSED: {Block.YES, Block.NO, Block.LOCK},
    Decision.PAY: {Block.AMOUNT},
    Decision.ACHIEVEMENT: {Block.YES, Block.NO, Block.LOCK},
    Decision.FLIP_LOCK: {Block.LOCK, Block.DONE},
    Decision.STAND_IN: {Block.ALLY, Block.NO, Block.LOCK},
    Decision.ENEMY_DESTINATION: {Block.AREA},
    Decision.ENEMY_STOP: {Block.AREA},
    Decision.ENEMY_TARGET: {Block.ALLY},
    Decision.STRIKE_ORDER: {Block.ALLY},
    Decision.DOMINATED_ENEMY: {Block.ENEMY},
    Decision.DOMINATED_ALLY: {Block.ALLY},
    Decision.SPAWN_AREA: {Block.AREA},
    Decision.RECIPIENT: {Block.ALLY},
    Decision.AFFLICTED: {Block.ENEMY},
    Decision.AMOUNT: {Block.AMOUNT},
    Decision.ABILITY: {Block.ABILITY},
    Decision.DISCARD: {Block.CONDITION},
    Decision.JUMP: {Block.AREA, Block.DONE},
    Decision.TELEPORT: {Block.AREA, Block.DONE},
    Decision.PUSH_TO: {Block.AREA},
    Decision.VICTIM: {Block.ENEMY},
    Decision.AFTER_ALLY: {Block.ALLY, Block.NO},
    Decision.SPECIAL: {Block.SPECIAL},
    Decision.TACTICS: {Block.ALLY, Block.NO},
    Decision.SLOT: {Block.TOKEN},
    Decision.SUMMON_AREA: {Block.AREA},
    Decision.TOKEN_STEP: {Block.AREA, Block.DONE},
    Decision.TOKEN_HARM: {Block.ENEMY, Block.DONE},
    Decision.ABILITY_BONUS: {Block.ABILITY},
    Decision.REROLL: {Block.YES, Block.NO, Block.LOCK},
    Decision.BOOST: {Block.ITEM, Block.DONE, Block.LOCK},
    Decision.RIDER: {Block.ITEM, Block.DONE},
    Decision.WEAPON: {Block.ITEM, Block.DONE},
    Decision.OPENING: {Block.ITEM, Block.DONE},
    Decision.USE: {Block.ITEM},
    Decision.DROP: {Block.ITEM},
    Decision.TAKE: {Block.GROUND},
    Decision.GIVE: {Block.ITEM},
    Decision.GIVE_TO: {Block.ALLY},
    Decision.WEAR: {Block.ITEM},
    Decision.ROPE: {Block.AREA},
    Decision.STORY: {Block.STORY},
}


def block_of(action):
    return max(block for block in Block if STARTS[block] <= action)


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
        for action, denial in enumerate(denials):
            if block_of(action) not in BLOCKS[decision]:
                assert denial == Denial.NOT_ASKED, (decision, action)
            else:
                assert denial != Denial.NOT_ASKED, (decision, action)
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


def test_a_finished_game_refuses_everything():
    table = Table("a-b")
    table.hero()
    table.enemy("b", actions={eye: {} for eye in ("staring", "open", "closed")})
    table.content["last_round"] = 1
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    table.step(Block.TURN, Turn.END_TURN)
    assert table.ending == Ending.OUT_OF_TIME
    assert set(table.denials(Block.TURN)) == {Denial.SCENARIO_ENDED}


def test_every_decision_is_in_the_list():
    assert set(BLOCKS) == set(Decision) - {Decision.NONE}
