"""Section 7 up to R7.29: how Allies move, fall and climb."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial
from tests.agemonia.rules.table import Table

STEEP = {"more": {"b": {"level": 1}}, "borders": [("a", "b", "double")]}


def walker(areas="a-b-c", points=2, more=None, borders=(), at="a", **hero):
    """A Hero that moves with so many points. -> (table, hero)"""
    table = Table(areas, areas=more, borders=borders)
    ally = table.hero(at, **hero)
    table.perform(Verb.WALK, ally, points)
    return table, ally


def points(table):
    return int(table.states["move"]["points"][0])


# ---- steps ----------------------------------------------------------------------------------
def test_r6_6_a_point_is_a_step_over_a_single_line():
    table, hero = walker()
    assert table.asks == (Decision.STEP, hero.slot)
    assert table.legal() == [(Block.DONE, 0), (Block.AREA, 1)]
    assert table.denial(Block.AREA, 2) == Denial.NOT_ADJACENT
    assert table.denial(Block.AREA, 9) == Denial.NOT_ADJACENT
    table.answer(Block.AREA, 1)
    assert (hero.area, points(table)) == (1, 1)
    table.answer(Block.AREA, 2)
    assert (hero.area, table.asks[0]) == (2, Decision.NONE)


def test_r7_1_a_barrier_lets_nobody_through():
    table, _ = walker(borders=[("a", "b", "barrier")], fly=True)
    assert table.denial(Block.AREA, 1) == Denial.BARRIER


def test_r7_12_a_double_line_upwards_needs_fly():
    table, _ = walker("a-b", **STEEP)
    assert table.denial(Block.AREA, 1) == Denial.HEIGHT
    table, hero = walker("a-b", **STEEP, fly=True)
    table.answer(Block.AREA, 1)
    assert hero.area == 1


@pytest.mark.parametrize(
    ("rule", "hero", "faces", "wounds", "conditions"),
    [
        ("R7.13, R7.15, Q5 a fall", {"agility": 2}, (1, 0), 3, 1 << Condition.SLOWED),
        ("Q43 without damage", {"agility": 2}, (2, 2), 0, 0),
        ("R7.18 a flyer", {"fly": True}, (), 0, 0),
    ],
)
def test_a_double_line_downwards(rule, hero, faces, wounds, conditions):
    table, ally = walker("a-b", **STEEP, at="b", blue=8, **hero)
    table.reaction_dice(*faces)
    table.answer(Block.AREA, 0)
    assert (ally.area, ally.wounds, ally.conditions) == (0, wounds, conditions)


# ---- capacity -------------------------------------------------------------------------------
def full(*figures, points=2, capacity=1, **hero):
    """a-b-c with these figures in b, and a Hero in a that moves."""
    table = Table("a-b-c", areas={"b": {"capacity": capacity}})
    ally = table.hero("a", **hero)
    for figure in figures:
        getattr(table, figure)("b")
    table.perform(Verb.WALK, ally, points)
    return table, ally


def test_r7_5_a_full_area_of_allies_may_be_passed_but_not_stayed_in():
    table, hero = full("companion")
    table.answer(Block.AREA, 1)
    assert table.denial(Block.DONE) == Denial.MUST_LEAVE
    table.answer(Block.AREA, 2)
    assert hero.area == 2


def test_r7_5_without_a_point_to_leave_it_must_not_be_entered():
    table, _ = full("companion", points=1)
    assert table.denial(Block.AREA, 1) == Denial.MUST_LEAVE


@pytest.mark.parametrize(
    ("figures", "capacity", "denial"),
    [
        (("enemy",), 1, Denial.AREA_FULL),
        (("enemy", "companion"), 2, Denial.AREA_FULL),
        (("enemy",), 2, Denial.NONE),
    ],
)
def test_r7_4_and_r7_5_a_full_area_with_an_enemy_is_closed(figures, capacity, denial):
    table, _ = full(*figures, capacity=capacity)
    assert table.denial(Block.AREA, 1) == denial


def test_r7_19_an_area_without_dots_is_only_flown_over():
    table, _ = full(capacity=0)
    assert table.denial(Block.AREA, 1) == Denial.NO_CAPACITY
    table, hero = full(capacity=0, fly=True)
    table.answer(Block.AREA, 1)
    assert table.denial(Block.DONE) == Denial.MUST_LEAVE
    table.answer(Block.AREA, 2)
    assert hero.area == 2


def test_q46_with_a_maneuver_left_the_own_turn_may_pause_in_a_full_area():
    table = Table("a-b-c", areas={"b": {"capacity": 1}})
    hero = table.hero("a")
    table.companion("b")
    table.perform(Verb.START_TURN, hero, 1, 0)
    table.perform(Verb.MOVE, hero, 0)
    table.answer(Block.AREA, 1)
    assert table.denial(Block.DONE) == Denial.NONE


# ---- maneuvers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "hero", "paid", "expected"),
    [
        ("R6.5 free", {"disk": 3}, 0, (2, 3, 0)),
        ("R6.5 paid", {"disk": 3}, 1, (4, 1, 0)),
        ("R12.4 goes", {"disk": 3, "conditions": [Condition.SLOWED]}, 0, (1, 3, 0)),
    ],
)
def test_points_of_a_move(rule, hero, paid, expected):
    table = Table("a-b")
    ally = table.hero(move={"free": 2, "paid": 4, "cost": 2}, **hero)
    table.perform(Verb.MOVE, ally, paid)
    assert (points(table), ally.disk, ally.conditions) == expected


def test_a_move_without_points_is_over_at_once():
    table = Table("a-b")
    hero = table.hero(conditions=[Condition.SLOWED], move={"free": 1})
    table.perform(Verb.MOVE, hero, 0)
    assert table.asks[0] == Decision.NONE


# ---- ropes ----------------------------------------------------------------------------------
def climber(face, **hero):
    table = Table("a-b", areas={"b": {"level": 1}}, borders=[("a", "b", "double")])
    table.states["rope"][0, :2] = [2, 1]
    ally = table.hero("a", agility=2, **hero)
    table.perform(Verb.WALK, ally, 2)
    table.dice(2, face)
    return table, ally


@pytest.mark.parametrize(("face", "area"), [(2, 1), (1, 0)])
def test_r7_17_a_rope_is_climbed_with_a_check_that_costs_its_point(face, area):
    table, hero = climber(face)
    assert table.legal(Block.CLIMB) == [1]
    table.answer(Block.CLIMB, 1)
    assert (hero.area, points(table), table.asks[0]) == (area, 1, Decision.STEP)


def test_r7_17_climbing_down_is_not_a_fall():
    table, hero = climber(2)
    table.answer(Block.CLIMB, 1)
    table.dice(2, 2)
    table.answer(Block.CLIMB, 0)
    assert (hero.area, hero.wounds, hero.conditions) == (0, 0, 0)


def test_r7_17_no_climb_without_a_rope():
    table, _ = walker("a-b", **STEEP)
    assert table.denial(Block.CLIMB, 1) == Denial.NO_ROPE
