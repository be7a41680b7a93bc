"""The potential of shaped rewards: each step and each part of an objective raises it."""

from itertools import pairwise

from agemonia_env.core.jit import entry
from agemonia_env.rulesets.agemonia.core.heuristics import potential
from agemonia_env.rulesets.agemonia.core.terms import Ending, Objective, Op
from tests.agemonia.rules.table import Table

PATH = "a-b-c-d-e"


@entry
def value(states, contents):
    return potential.potential(states[0], contents[0])


def value_of(table):
    table.finish()
    return value(table.states, table.contents)


def assert_rising(*tables):
    values = [value_of(table) for table in tables]
    assert all(-1.0 <= value <= 1.0 for value in values)
    assert all(one < other for one, other in pairwise(values)), values


def reach(*areas):
    table = Table(PATH)
    for area in areas:
        table.hero(area)
    table.builder.set_objective(Objective.REACH, goal=1 << table.area("e"))
    return table


def test_heroes_on_their_way_raise_it():
    assert_rising(reach("a"), reach("b"), reach("d"), reach("e"))
    assert_rising(reach("a", "a"), reach("a", "b"), reach("c", "b"), reach("e", "c"))


def test_the_way_counts_as_it_is_walked():
    table = Table(PATH, {"b": {"level": 2}}, [("a", "b", "double")])
    table.hero("a")
    table.builder.set_objective(Objective.REACH, goal=1 << table.area("e"))
    cut_off = value_of(table)
    assert cut_off < value_of(reach("a"))
    table.states["rope"][0, :2] = [2, 1]
    assert cut_off < value_of(table) < value_of(reach("a"))  # climbing takes longer than walking


def collect(hero, carried, lying, other=None):
    table = Table(PATH)
    figures = [table.hero(area) for area in (hero, other) if area is not None]
    for area in lying:
        table.lay(area, "coin")
    for _ in range(carried):
        table.carry(figures[0], "coin")
    coin = table.builder.items().index("coin")
    table.builder.set_objective(Objective.COLLECT, subject=coin, number=2, goal=1)
    return table


def test_items_sought_lifted_and_brought_home_raise_it():
    assert_rising(
        collect("a", 0, "ce"),
        collect("b", 0, "ce"),
        collect("c", 0, "ce"),
        collect("c", 1, "e"),
        collect("d", 1, "e"),
        collect("e", 2, ""),
        collect("d", 2, ""),
        collect("b", 2, ""),
    )


def escort(ally, hero, wounds=0):
    table = Table(PATH)
    table.hero(hero)
    guide = table.companion(ally, move=2, health=6)
    guide.record["health"] -= wounds
    goal = 1 << table.area("e")
    table.builder.set_objective(Objective.ESCORT, subject=guide.slot, goal=goal)
    return table


def test_the_escorted_ally_raises_it_by_its_way_its_health_and_company():
    assert_rising(escort("a", "a"), escort("b", "a"), escort("d", "c"))
    assert_rising(escort("a", "e"), escort("a", "b"))
    assert_rising(escort("b", "b", wounds=3), escort("b", "b"))


def disarm(deft, clumsy, done=0, traps="de"):
    table = Table(PATH)
    table.hero(clumsy, agility=1)
    table.hero(deft, agility=4)
    table.states["trap"][0, [table.area(area) for area in traps]] = 1
    table.states["disarmed"][0] = done
    table.builder.set_objective(Objective.DISARM, number=2)
    return table


def test_the_deftest_hero_near_a_trap_and_a_trap_disarmed_raise_it():
    assert_rising(disarm("a", "a"), disarm("c", "a"), disarm("d", "a"), disarm("d", "a", 1, "e"))
    assert value_of(disarm("a", "a")) == value_of(disarm("a", "d"))


def advance(area, done=0, read=0):
    table = Table(PATH)
    table.hero(area)
    for at in "ae":
        table.section(at, (Op.ADVANCE, 1, -1, -1), range=0, trigger="choice")
    table.states["progress"][0], table.states["read"][0] = done, read
    table.builder.set_objective(Objective.ADVANCE, number=2)
    return table


def test_a_step_done_raises_it_although_the_next_is_far():
    assert_rising(advance("b"), advance("a"), advance("a", 1, 0b01), advance("c", 1, 0b01))


def fight(objective, round_=1, wounds=(0, 0)):
    table = Table("a")
    table.hero()
    for k in range(2):
        table.enemy(kind=f"kind {k}", health=5, left=5 - wounds[k])
    table.states["round"][0] = round_
    table.builder.set_objective(objective, subject=1, number=4)
    return table


def test_wounds_of_enemies_raise_it_most_where_they_are_the_objective():
    hold, kind = Objective.HOLD, Objective.DEFEAT_TYPE
    for objective in (Objective.DEFEAT_ALL, hold):
        assert_rising(fight(objective), fight(objective, wounds=(2, 0)))
    assert_rising(fight(kind), fight(kind, wounds=(2, 0)), fight(kind, wounds=(0, 2)))


def test_rounds_held_raise_it():
    assert_rising(*(fight(Objective.HOLD, k) for k in range(1, 5)))


def test_health_raises_it_and_it_is_0_at_the_end():
    table = fight(Objective.HOLD)
    hero = table.states["ally"][0, 0]
    hero["disk"], hero["wounds"] = hero["disk"] - 1, 1
    assert_rising(table, fight(Objective.HOLD))
    table.states["ending"][0] = Ending.OBJECTIVE
    assert value_of(table) == 0.0
