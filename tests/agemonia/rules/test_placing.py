"""R7.2 to R7.8, R13.1: positions of figures, capacity, and being Hindered."""

import pytest

from agemonia_env.rulesets.agemonia.core.commands import Query, Verb
from agemonia_env.rulesets.agemonia.core.terms import Denial
from tests.agemonia.rules.table import Table


def test_r7_3_figures_use_capacity_by_size():
    table = Table(areas={"a": {"capacity": 7}})
    table.hero()
    table.companion()
    for size in ("normal", "large"):
        table.enemy(size=size)
    assert table.query(Query.CAPACITY, 0)[:3].tolist() == [5, 7, 0]
    table.hero(exhausted=1, disk=0, wounds=3)
    table.hero()
    table.perform(Verb.RECOUNT)
    assert table.query(Query.CAPACITY, 0)[0] == 6  # an exhausted figure uses none


def test_r7_4_full_means_at_maximum():
    table = Table(areas={"a": {"capacity": 3}})
    table.enemy(size="huge")
    assert table.query(Query.CAPACITY, 0)[2] == 1


@pytest.mark.parametrize(
    ("allies", "enemies", "hindered"), [(1, 0, 0), (1, 1, 1), (2, 1, 0), (2, 2, 1), (1, 3, 1)]
)
def test_r13_1_hindered_by_as_many_enemies_as_allies(allies, enemies, hindered):
    table = Table("a-b")
    hero = table.hero("a")
    for _ in range(allies - 1):
        table.companion("a")
    for _ in range(enemies):
        table.enemy("a", size="large")  # R13.3: it counts as one figure
    table.enemy("b")
    assert table.query(Query.HINDERED, hero)[0] == hindered


def test_r13_8_exhausted_figures_are_not_counted():
    table = Table()
    hero = table.hero()
    table.hero(exhausted=1, disk=0, wounds=3)
    table.enemy()
    assert table.query(Query.HINDERED, hero)[0] == 1


def test_r7_8_an_enemy_above_the_maximum_is_put_back():
    table = Table("a-b", areas={"b": {"capacity": 1}})
    table.enemy("b", kind="hound")
    second = table.enemy("b", kind="hound")
    second.record["retreat"] = 0
    idle = table.hero("a", blue=9)
    table.content["type"]["strike"][0] = -1
    table.content["type"]["move"][0] = 0
    assert table.perform(Verb.ENEMY_TURN, second.slot, 1, 0, 0) == Denial.NONE
    assert (second.area, idle.wounds) == (0, 0)
