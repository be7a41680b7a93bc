"""Section 8: Provoke and Evade."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial, Event
from tests.agemonia.rules.table import Table


def leave(*enemies, **hero):
    """A Hero walks from a to b, away from these Enemies. -> (table, hero)"""
    table = Table("a-b-c")
    ally = table.hero("a", **({"blue": 9} | hero))
    for enemy in enemies:
        table.enemy(**({"at": "a", "provoke": 1} | enemy))
    table.perform(Verb.WALK, ally, 2)
    table.answer(Block.AREA, 1)
    return table, ally


@pytest.mark.parametrize(
    ("rule", "enemies", "spent", "wounds"),
    [
        ("R8.1 every one in the area left", [{}, {"provoke": 2}, {"provoke": 0}], 0, 3),
        ("R8.4 a loss", [{"provoke": 2, "provoke_loss": True}], 2, 0),
        ("R8.2 out of range", [{"at": "b", "provoke_range": 0}], 0, 0),
        ("R8.2 within range", [{"at": "b", "provoke_range": 1}], 0, 1),
        ("R8.6 stunned", [{"conditions": [Condition.STUNNED]}], 0, 1),
    ],
)
def test_who_provokes(rule, enemies, spent, wounds):
    _, hero = leave(*enemies)
    assert (hero.area, hero.spent, hero.wounds) == (1, spent, wounds)


def test_r8_3_an_enemy_provokes_once_a_turn():
    table, hero = leave({"provoke_range": 1})
    table.answer(Block.AREA, 2)  # b is within its range too
    assert hero.wounds == 1


def test_r8_9_evade_points_are_asked_for_one_enemy_after_another():
    table, hero = leave({"provoke": 2}, {"provoke": 2}, evade=3)
    # on a table without a turn the points come from the record
    assert hero.wounds == 4
    table = Table("a-b")
    hero = table.hero("a", blue=9, evade=3)
    for _ in range(2):
        table.enemy("a", provoke=2)
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.perform(Verb.MOVE, hero, 0)
    table.answer(Block.AREA, 1)
    assert table.asks == (Decision.EVADE, hero.slot)
    assert table.legal() == [(Block.AMOUNT, 0), (Block.AMOUNT, 1), (Block.AMOUNT, 2)]
    assert table.denial(Block.AMOUNT, 3) == Denial.TOO_MUCH
    table.answer(Block.AMOUNT, 2)
    assert table.legal(Block.AMOUNT) == [0, 1]  # one point is left
    table.answer(Block.AMOUNT, 1)
    assert (hero.area, hero.wounds, hero.evade) == (1, 1, 0)


def test_r8_11_an_exhausted_hero_stays_where_it_was():
    _, hero = leave({"provoke": 5}, blue=1, wounded=1, red=1)
    assert (hero.exhausted, hero.area) == (1, 0)


def test_q6_and_r8_10_provoke_is_not_checked_and_evade_is_not_for_attacks():
    table, hero = leave({"provoke": 2}, evade=1, might=3, agility=3)
    assert (hero.wounds, table.log(Event.DIE)) == (2, [])
    table = Table("a-b")
    hero = table.hero(blue=9, might=0, evade=3)
    action = {"attack": {"type": "melee", "value": 3}}
    beast = table.enemy("a", actions=dict.fromkeys(("staring", "open", "closed"), action))
    table.perform(Verb.ENEMY_TURN, beast.slot, 0, 0, 0)
    assert hero.wounds == 3
