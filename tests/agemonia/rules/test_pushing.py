"""Section 7.10: the questions of pushing and pulling; cases test the verbs."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.terms import Decision, Denial, Event, Way
from tests.agemonia.rules.table import Table

STAR = (("a", "b"), ("a", "c"), ("b", "d"))


def push(table, target, distance, pulls=False, source=0, reach=-1):
    return table.perform(Verb.PUSH, source, distance, reach, int(pulls), 1, target)


def test_r7_54_the_players_choose_among_areas():
    table = Table("a", areas={"b": {}, "c": {}}, borders=STAR[:2])
    beast = table.enemy()
    push(table, beast, 1)
    assert (table.decision, table.asked, table.subject) == (Decision.PUSH_TO, -1, N_ALLIES)
    assert table.legal(Block.AREA) == [1, 2]
    table.answer(Block.AREA, 2)
    assert beast.area == 2


def test_q61_the_whole_distance_if_it_can_be_gone():
    table = Table("a", areas={"b": {}, "c": {}, "d": {}}, borders=STAR)
    beast = table.enemy()
    push(table, beast, 2)  # by way of b, for c is a dead end
    assert (table.decision, beast.area) == (Decision.NONE, 3)


def test_r7_56_a_push_ends_where_nothing_is_further_away():
    table = Table("a-b")
    beast = table.enemy()
    push(table, beast, 3)
    assert beast.area == 1
    assert table.log(Event.STEP) == [(Event.STEP, N_ALLIES, Way.PUSHED, 1)]


def test_r7_50_a_pull_reaches_as_far_as_its_range():
    table = Table("a-b-c")
    beast = table.enemy("c")
    assert push(table, beast, 1, pulls=True, reach=1) == Denial.OUT_OF_RANGE
    assert push(table, beast, 1, pulls=True, reach=2) == Denial.NONE
    assert beast.area == 1


def test_r7_55_large_figures_stand_fast():
    table = Table("a-b")
    beast, ally = table.enemy(size="large"), table.companion(size="large")
    push(table, beast, 1)
    push(table, ally, 1)
    assert (beast.area, ally.area) == (0, 0)


def test_r10_40_a_fall_defeats_and_its_box_is_resolved_once():
    table = Table("a-b", areas={"a": {"level": 1}}, borders=[("a", "b", "double")])
    beast = table.enemy(health=2)
    push(table, beast, 1)
    assert (beast.area, table.defeated[0], len(table.log(Event.DEFEAT))) == (-1, 1, 1)


def test_r7_15_an_ally_that_is_pushed_over_an_edge_checks():
    table = Table("a-b", areas={"a": {"level": 1}}, borders=[("a", "b", "double")])
    hero = table.hero(agility=1, blue=8)
    table.reaction_dice(1)
    push(table, hero, 1)
    assert (hero.area, hero.wounds) == (1, 3)


@pytest.mark.parametrize(("distance", "options"), [(3, []), (4, [2, 4])])
def test_p50_a_pull_that_ends_at_its_source_is_not_the_whole_distance(distance, options):
    """Two ways lead to the source, one of them over a full area."""
    borders = [("a", "b"), ("b", "c"), ("c", "f"), ("a", "d"), ("d", "e"), ("e", "f")]
    areas = {name: {} for name in "bc"} | {"d": {"capacity": 1}, "e": {}, "f": {}}
    table = Table("a", areas=areas, borders=borders)
    table.enemy("d")
    beast = table.enemy("f")
    push(table, beast, distance, pulls=True)
    assert table.legal(Block.AREA) == options
    if not options:  # it takes the only way with room for the whole distance
        assert beast.area == 0
        return
    table.answer(Block.AREA, 4)
    assert beast.area == 4
