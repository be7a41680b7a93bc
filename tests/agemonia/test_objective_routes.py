"""What greedy play does for the objective (go there, lift, escort, disarm), and in a fight."""

import numpy as np
import pytest

from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.actions import STARTS, Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.policies import Policy
from agemonia_env.rulesets.agemonia.core.terms import Ending, Kind, Objective, Op
from tests.agemonia.rules.table import IDLE, Table

ROUNDS = 8


def quiet(areas="a-b-c-d-e", borders=(), more=None):
    """A map with nobody near to fight: one Enemy that never moves, behind a barrier."""
    far = {"z": {"capacity": 1}}
    table = Table(areas, areas={**far, **(more or {})}, borders=[*borders, ("a", "z", "barrier")])
    table.enemy("z", actions=IDLE)
    return table


def chosen(table):
    """(block, index) that the greedy policy takes."""
    actions = np.zeros(1, np.int64)
    api.choose_actions(table.states, table.contents, table.which, int(Policy.GREEDY), actions)
    block = max(block for block in Block if STARTS[block] <= actions[0])
    return block, int(actions[0]) - STARTS[block]


def play(table, rounds=ROUNDS):
    """Greedy play for some rounds -> the ending."""
    table.begin()
    while table.ending == Ending.NONE and table.round <= rounds:
        table.step(*chosen(table))
    return Ending(table.ending)


def test_heroes_go_to_the_goal():
    table = quiet()
    table.hero("a")
    table.hero("a")
    table.builder.set_objective(Objective.REACH, goal=1 << table.area("e"))
    assert play(table) == Ending.OBJECTIVE
    assert table.round <= 2


def test_a_way_round_is_taken_where_a_cliff_bars_the_short_one():
    high = {"d": {"level": 1}, "c": {"level": 1}, "b": {"level": 1}}
    borders = [("a", "b", "single", "height"), ("a", "d", "double"), ("d", "e", "double")]
    table = quiet("a-b-c-d-e", borders, high)
    table.hero("a")
    table.builder.set_objective(Objective.REACH, goal=1 << table.area("d"))
    assert play(table) == Ending.OBJECTIVE


@pytest.mark.parametrize("trigger", ["choice", "entry"])
def test_sections_that_advance_the_objective_are_sought_out(trigger):
    table = quiet()
    table.hero("b", might=3)
    price = {"trigger": trigger} | ({"maneuver": True, "range": 0} if trigger == "choice" else {})
    for area in ("a", "e"):
        table.section(area, (Op.ADVANCE, 1, -1, -1), **price)
    table.section("c", (Op.HARM, 2, -1, -1), trigger="choice")
    table.builder.set_objective(Objective.ADVANCE, number=2)
    assert play(table) == Ending.OBJECTIVE
    assert table.read == 0b011


def test_items_are_lifted_and_brought_to_the_goal():
    table = quiet()
    table.hero("a")
    coin = table.builder.add_item("coin")
    table.content["item_at"][table.area("d"), 0] = coin
    goal = 1 << table.area("b")
    table.builder.set_objective(Objective.COLLECT, subject=coin, number=1, goal=goal)
    assert play(table) == Ending.OBJECTIVE


def test_the_escorted_ally_walks_to_the_goal_and_heroes_keep_near():
    table = quiet()
    hero = table.hero("b")
    guide = table.companion("a", move=2)
    goal = 1 << table.area("e")
    table.builder.set_objective(Objective.ESCORT, subject=guide.slot, goal=goal)
    assert play(table) == Ending.OBJECTIVE
    assert hero.area >= table.area("c")


def test_the_deftest_hero_goes_for_the_traps():
    table = quiet()
    clumsy = table.hero("a", agility=1)
    deft = table.hero("a", agility=4, blue=9)
    table.content["trap_at"][[table.area("c"), table.area("d")]] = 1
    table.builder.set_objective(Objective.DISARM, number=1)
    table.dice(2, 2, 2, 2)
    assert play(table, 1) == Ending.OBJECTIVE
    assert (clumsy.area, deft.area) == (table.area("a"), table.area("c"))


def test_of_two_enemies_the_type_that_the_objective_names_is_struck():
    table = Table("a-b")
    attack = {"type": "melee", "dice": 0, "bonus": 5}
    hero = table.hero("a", actions=[{"effects": [{"attack": attack}]}])
    for kind in ("hound", "boar"):
        table.enemy("a", kind=kind, health=5, actions=IDLE)
    table.builder.set_objective(Objective.DEFEAT_TYPE, subject=1, number=1)
    assert play(table, 1) == Ending.OBJECTIVE
    assert (hero.kind, table.defeated[:2]) == (Kind.HERO, [0, 1])


def test_a_section_that_only_hurts_is_left_alone():
    table = quiet("a-b")
    table.hero("a")
    table.section("a", (Op.HARM, 1, -1, -1), trigger="choice")
    table.begin()
    table.step(Block.TOKEN, FOCUS)
    while table.ending == Ending.NONE and table.round == 1:
        choice = chosen(table)
        assert choice != (Block.TURN, Turn.READ_STORY)
        table.step(*choice)


# ---- in a fight ---------------------------------------------------------------------------------
def test_every_die_of_an_attack_counts():
    table, attacks = Table(), ({"dice": 1}, {"dice": 0, "bonus": 1})  # a die is worth 1.4
    table.hero(blue=8, actions=[{"effects": [{"attack": one}]} for one in attacks])
    table.enemy(health=9, actions=IDLE)
    assert chosen(table.begin()) == (Block.TOKEN, 2)


def test_a_non_hero_ally_makes_its_best_attack():
    table = Table()
    friend = table.companion()
    for value in (1, 4, 2):
        table.action(friend, effects=[{"attack": {"value": value}}])
    table.enemy(health=9)
    table.perform(Verb.START_TURN, friend, 0, 0)
    assert chosen(table) == (Block.TOKEN, 1)


@pytest.mark.parametrize(("number", "block"), [(3, Block.DONE), (5, Block.ITEM)])
def test_items_boost_a_check_that_its_dice_are_likely_to_fail(number, block):
    table = Table()
    hero = table.hero(might=3, blue=8)  # 3 dice: 2.0
    table.carry(hero, "charm", boost={"might": 3})
    table.perform(Verb.REACTIVE_CHECK, hero, 0, number)
    assert chosen(table)[0] == block
