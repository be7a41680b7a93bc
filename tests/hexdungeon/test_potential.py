"""The potential of shaped rewards: each step and each part of a goal raises it."""

from itertools import pairwise

from agemonia_env.core.jit import entry
from agemonia_env.rulesets.hexdungeon.content.board import fill
from agemonia_env.rulesets.hexdungeon.core.heuristics import potential
from agemonia_env.rulesets.hexdungeon.core.terms import Ending, Goal
from tests.hexdungeon.table import RAT, Content, Table

WALL = [(4, row) for row in range(-2, 5) if row != 1]
DOOR = (4, 1)


@entry
def value(states, contents):
    return potential.potential(states[0], contents[0])


def value_of(table):
    return value(table.states, table.content.records)


def assert_rising(*tables):
    values = [value_of(table) for table in tables]
    assert all(-1.0 <= value <= 1.0 for value in values)
    assert all(one < other for one, other in pairwise(values)), values


def table_of(goal, *heroes, monsters=(), amount=4, rooms=1, **content):
    """Characters and rats on a board; rooms: bits of the open ones."""
    made = Content(heroes=len(heroes), **content)
    made.c["goal"], made.c["goal_amount"] = goal, amount
    if "doors" in content:
        made.door(DOOR, 1)
        made.spawn(RAT, (6, 0), room=1)
    made.spawn(RAT, (2, 0))
    table = Table(made, begin=False)
    table.s["round"], table.s["rooms"] = 1, rooms
    for h, at in enumerate(heroes):
        table.hero(h, at)
    for k, (at, hp) in enumerate(monsters):
        table.rat(k, at, hp=hp)
    return table


def reach(*heroes, **content):
    table = table_of(Goal.REACH, *heroes, **content)
    fill(table.content.c["exit"], [table.case.number((7, 0))])
    return table


def test_characters_on_their_way_raise_it():
    assert_rising(reach((0, 0)), reach((1, 0)), reach((6, 0)), reach((7, 0)))
    assert_rising(reach((0, 0), (0, 1)), reach((0, 0), (1, 1)), reach((5, 0), (5, 1)))


def test_the_way_leads_around_walls_and_through_doors():
    direct, door = reach((3, 0)), reach((3, 0), wall=WALL, doors=[DOOR])
    assert_rising(door, direct)
    assert_rising(door, reach((3, 1), wall=WALL, doors=[DOOR]))


def loot(at, taken=0, tokens=((4, 0), (7, 0))):
    table = table_of(Goal.LOOT, at)
    table.tokens(*tokens)
    table.s["n_loot"] = taken
    return table


def test_loot_near_and_loot_taken_raise_it():
    assert_rising(
        loot((0, 0)),
        loot((2, 0)),
        loot((4, 0)),
        loot((4, 0), 1, [(7, 0)]),
        loot((6, 0), 1, [(7, 0)]),
    )


def defeat(at, *monsters, rooms=1):
    return table_of(
        *(Goal.DEFEAT, at), monsters=monsters, rooms=rooms, wall=WALL, doors=[DOOR] * (rooms == 1)
    )


def test_wounds_of_monsters_and_the_way_to_the_next_room_raise_it():
    behind = (6, 0), 4
    assert_rising(
        defeat((0, 0), ((2, 0), 4)),
        defeat((0, 0), ((2, 0), 1)),
        defeat((0, 0)),
        defeat((3, 1)),
    )
    table = defeat((3, 1), behind)
    table.s["rooms"] = 3
    assert_rising(defeat((3, 1)), table)


def test_rounds_survived_raise_it_and_it_is_0_at_the_end():
    tables = [table_of(Goal.SURVIVE, (0, 0)) for _ in range(3)]
    for k, table in enumerate(tables):
        table.s["round"] = k + 1
    assert_rising(*tables)
    hurt = table_of(Goal.SURVIVE, (0, 0))
    hurt.figure(0)["hp"] -= 1
    assert_rising(hurt, tables[0])
    hurt.s["ending"] = Ending.GOAL
    assert value_of(hurt) == 0.0
