"""R3.14, R6.11, R14.4, R17.5, R18.8, R19.11 [P43]: actions between the steps of a move."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import Decision, Denial, Op
from tests.agemonia.rules.table import Table

SWORD = {"wear": "hand", "hands": 1, "weapon": {"type": "melee"}}
SCROLL = {"effects": [{"heal": {"amount": 2}}]}
ADVANCE = (Op.ADVANCE, 1, -1, -1)
WALK = {"name": "walk", "effects": [{"move": 2}]}


def on_its_way(areas="a-b-c", **hero):
    """A Hero after the first step of the two that its maneuver has. -> (table, hero, go)"""
    table = Table(areas)
    card = {"blue": 8, "move": {"free": 2, "paid": 0, "cost": 0}}
    ally = table.hero("a", **(card | hero))

    def go():
        table.perform(Verb.START_TURN, ally, 0, 0)
        table.answer(Block.TURN, Turn.MOVE_FREE)
        table.answer(Block.AREA, 1)
        assert (table.asks, ally.area) == ((Decision.STEP, ally.slot), 1)

    return table, ally, go


def goes_on(table, hero):
    """The last step of the move can be made, and the turn goes on."""
    assert table.asks == (Decision.STEP, hero.slot)
    assert table.answer(Block.AREA, 2) == Denial.NONE
    assert (hero.area, table.asks[0], table.maneuvers) == (2, Decision.TURN, 0)


def test_r17_5_an_item_is_picked_up_on_the_way():
    table, hero, go = on_its_way()
    table.lay("b", "coin")
    go()
    table.answer(Block.TURN, Turn.TAKE_ITEM)
    table.answer(Block.GROUND, 0)
    assert hero.item[0] >= 0
    goes_on(table, hero)


def test_r6_11_an_item_is_used_on_the_way():
    table, hero, go = on_its_way(wounds=3)
    place = table.carry(hero, "scroll", **SCROLL)
    go()
    table.answer(Block.TURN, Turn.USE_ITEM)
    table.answer(Block.ITEM, place)
    table.answer(Block.ALLY, hero.slot)
    assert (hero.wounds, hero.item[place]) == (1, -1)
    goes_on(table, hero)


def test_r14_4_a_lock_is_ended_on_the_way():
    table, hero, go = on_its_way(locks=[{"name": "shell", "need": 2}])
    go()
    table.answer(Block.LOCK, 0)
    assert (hero.spent, hero.lock_chips[0]) == (2, 0)
    goes_on(table, hero)


def test_r3_14_a_section_is_used_on_the_way_and_checked():
    table, hero, go = on_its_way(might=1)
    check = {"ability": "might", "number": 1}
    table.section("b", ADVANCE, trigger="choice", range=0, check=check)
    go()
    table.dice(1)
    table.answer(Block.TURN, Turn.READ_STORY)
    table.answer(Block.STORY, 0)
    assert table.progress == 1
    goes_on(table, hero)


def test_r6_2_no_maneuver_begins_on_the_way():
    table, hero, go = on_its_way(wounds=2, spent=2)
    table.section("b", ADVANCE, trigger="choice", range=0, maneuver=True)
    go()
    first = Turn.ACT, Turn.MOVE_FREE, Turn.RECOVER_STAMINA, Turn.RECOVER_DAMAGE, Turn.END_TURN
    for choice in (*first, Turn.READ_STORY):
        assert table.denial(Block.TURN, choice) == Denial.MOVE_GOING_ON
    goes_on(table, hero)
    table.perform(Verb.WALK, hero, 0)  # outside turns nothing is left of that move
    assert table.answer(Block.DONE) == Denial.NOT_ASKED


def test_r17_2_the_free_change_serves_on_the_way_a_further_one_does_not():
    table, hero, go = on_its_way()
    places = [table.carry(hero, name, **SWORD) for name in ("sword", "knife")]
    go()
    table.answer(Block.TURN, Turn.WEAR_ITEM)
    table.answer(Block.ITEM, places[0])
    table.answer(Block.TURN, Turn.WEAR_ITEM)
    assert table.denial(Block.ITEM, places[1]) == Denial.MOVE_GOING_ON


@pytest.mark.parametrize(
    "effect", [{"move": 2}, {"jump": {"range": 1}}, {"teleport": {"range": 1}}]
)
def test_p43_no_second_move_within_a_move(effect):
    table, hero, go = on_its_way()
    table.carry(hero, "boots", effects=[effect])
    go()
    assert table.denial(Block.TURN, Turn.USE_ITEM) == Denial.MOVE_GOING_ON


def test_p43_the_move_of_an_action_leaves_no_time_for_items():
    table, hero, _ = on_its_way(actions=[WALK], token=2)
    table.carry(hero, "scroll", **SCROLL)
    table.lay("a", "coin")
    hero.record["wounds"], hero.record["disk"] = 2, hero.disk - 2
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.denial(Block.TURN, Turn.USE_ITEM) == Denial.NONE
    table.answer(Block.TURN, Turn.ACT)
    assert table.asks == (Decision.STEP, hero.slot)
    assert table.denial(Block.TURN, Turn.USE_ITEM) == Denial.MOVE_GOING_ON
    assert table.denial(Block.TURN, Turn.TAKE_ITEM) == Denial.NONE


def test_p43_an_exhausted_hero_stops_on_the_way():
    table, hero, go = on_its_way(blue=3, wounded=1)
    other = table.hero("a")
    table.section("b", (Op.HARM, 9, -1, -1), trigger="choice", range=0)
    go()
    table.answer(Block.TURN, Turn.READ_STORY)
    table.answer(Block.STORY, 0)
    assert (hero.exhausted, table.asks[0]) == (1, Decision.NONE)
    assert table.perform(Verb.START_TURN, other, 0, 0) == Denial.NONE
    assert table.denial(Block.TURN, Turn.MOVE_FREE) == Denial.NONE  # that move is over


def test_outside_its_own_turn_only_locks_are_ended_on_the_way():
    table = Table("a-b-c")
    hero = table.hero("a", locks=[{"name": "shell", "need": 2}])
    table.lay("a", "coin")
    table.perform(Verb.WALK, hero, 2)
    assert table.denial(Block.TURN, Turn.TAKE_ITEM) == Denial.NOT_ASKED
    assert table.denial(Block.LOCK, 0) == Denial.NONE  # at any time (R14.4)
