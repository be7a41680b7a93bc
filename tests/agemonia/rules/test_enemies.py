"""R10.1, R10.40 to R10.47: health, defeat and spawning of Enemies."""

import pytest

from agemonia_env.agemonia.actions import Block
from agemonia_env.agemonia.layout import N_ENEMIES, N_ITEMS
from agemonia_env.agemonia.terms import Condition, Decision, Denial, Event
from agemonia_env.agemonia.verbs import Query, Verb
from tests.agemonia.rules.table import Figure, Table


def spawned(table):
    """(number, area) of the Enemies that appeared this round."""
    enemies = table.states["enemy"][0]
    return [(int(e["number"]), int(e["area"])) for e in enemies if e["spawned"]]


# ---- defeat ---------------------------------------------------------------------------------
def test_r10_40_an_enemy_without_health_leaves_the_map():
    table = Table()
    table.hero()
    beast = table.enemy(health=3, size="large", conditions=[Condition.HELD])
    table.perform(Verb.DAMAGE, beast, 3)
    assert (beast.area, beast.conditions, table.used[0], table.enemies_in[0]) == (-1, 0, 1, 0)
    assert (table.defeated[0], table.damage_dealt, table.log_event[0]) == (1, 3, Event.DEFEAT)


def test_r10_42_direct_defeat_ignores_health_and_shield():
    table = Table()
    beast = table.enemy(health=9, shield=5, mirror=True)
    table.perform(Verb.DEFEAT, beast.slot)
    assert (beast.area, table.defeated[0]) == (-1, 1)
    table.perform(Verb.DEFEAT, beast.slot)
    assert table.defeated[0] == 1  # only once


def test_r10_41_the_defeat_box_leaves_its_token_where_it_fell():
    table = Table("a-b")
    beast = table.enemy("b", defeat={"leave": "crystal"})
    table.perform(Verb.DEFEAT, beast.slot)
    assert table.item[1] == [0] + [-1] * (N_ITEMS - 1)
    assert table.item[0] == [-1] * N_ITEMS


def test_damage_beyond_the_health_is_not_counted_as_dealt():
    table = Table()
    beast = table.enemy(health=3)
    table.perform(Verb.DAMAGE, beast, 7)
    assert table.damage_dealt == 3


# ---- spawning -------------------------------------------------------------------------------
def test_r10_46_a_figure_appears_in_the_area_named():
    table = Table("a-b")
    table.hero("a")
    row = table.kind("hound", health={"base": 1, "per_hero": 2})
    table.perform(Verb.SPAWN, row, 1)
    assert spawned(table) == [(1, 1)]
    assert table.states["enemy"]["health"][0, 0] == 3
    assert table.log_event[0] == Event.SPAWN


def test_r10_44_and_r10_45_a_spawned_enemy_waits_but_hinders():
    table = Table()
    hero = table.hero()
    row = table.kind("hound")
    table.perform(Verb.SPAWN, row, 0)
    hound = Figure(table, "enemy", 0)
    assert table.query(Query.HINDERED, hero)[0] == 1
    assert table.perform(Verb.ENEMY_ATTACK, hound.slot, 0, 0) == Denial.TURN_TAKEN
    table.perform(Verb.ENEMY_TURN, hound.slot, 1, 0, 0)
    assert (hound.acted, hero.wounds) == (0, 0)
    table.perform(Verb.NEXT_ROUND)
    assert hound.spawned == 0


def test_r10_46_new_figures_get_the_lowest_free_number():
    table = Table()
    first, third = table.enemy(kind="hound", number=1), table.enemy(kind="hound", number=3)
    table.perform(Verb.SPAWN, 0, 0)
    assert spawned(table) == [(2, 0)]
    table.perform(Verb.DEFEAT, first.slot)
    table.perform(Verb.SPAWN, 0, 0)
    assert spawned(table) == [(2, 0), (1, 0)]
    assert third.number == 3


def test_r10_46_types_that_share_figures_share_numbers():
    table = Table()
    table.enemy(kind="hound")
    brood = table.kind("brood")
    table.content["type"]["figures"][brood] = 0
    table.perform(Verb.SPAWN, brood, 0)
    assert spawned(table) == [(2, 0)]


def test_r10_46_with_the_supply_used_up_nothing_appears():
    table = Table()
    table.kind("hound", supply=2)
    for _ in range(2):
        table.enemy(kind="hound")
    assert table.perform(Verb.SPAWN, 0, 0) == Denial.NONE
    assert spawned(table) == []


def test_r10_46_more_figures_than_slots_do_not_appear():
    table = Table(areas={"a": {"capacity": 99}})
    table.kind("hound", supply=16)
    for _ in range(N_ENEMIES - 1):
        table.enemy(kind="hound")
    row = table.kind("boar")
    table.perform(Verb.SPAWN, row, 0)
    table.perform(Verb.SPAWN, row, 0)
    assert spawned(table) == [(1, 0)]


def test_a_defeated_enemys_slot_is_taken_once_no_fresh_one_is_left():
    table = Table(areas={"a": {"capacity": 99}})
    table.kind("hound", supply=16)
    hounds = [table.enemy(kind="hound") for _ in range(N_ENEMIES)]
    table.perform(Verb.DEFEAT, hounds[5].slot)
    table.perform(Verb.SPAWN, 0, 0)
    assert (hounds[5].area, hounds[5].number, hounds[5].spawned) == (0, 6, 1)


def full_middle():
    """a-b-c with b full of its one hound."""
    table = Table("a-b-c", areas={"b": {"capacity": 1}})
    table.enemy("b", kind="hound")
    return table


def test_r10_46_a_full_area_sends_it_to_the_nearest_the_players_choose_among_equals():
    table = full_middle()
    table.perform(Verb.SPAWN, 0, 1)
    assert table.asks == (Decision.SPAWN_AREA, -1)
    assert table.legal() == [(Block.AREA, 0), (Block.AREA, 2)]
    assert table.denial(Block.AREA, 1) == Denial.NOT_TIED_BEST
    table.answer(Block.AREA, 2)
    assert spawned(table) == [(2, 2)]


def test_r10_46_one_nearest_area_is_taken_without_asking():
    table = Table("a-b-c", areas={"a": {"capacity": 1}})
    table.enemy("a", kind="hound")
    table.perform(Verb.SPAWN, 0, 0)
    assert (table.asks[0], spawned(table)) == (Decision.NONE, [(2, 1)])


@pytest.mark.parametrize(("size", "area"), [("normal", 1), ("large", 2), ("huge", -1)])
def test_r10_46_room_is_that_of_its_size(size, area):
    table = Table("a-b-c", areas={name: {"capacity": n} for n, name in enumerate("abc", 0)})
    row = table.kind("beast", size=size)
    table.perform(Verb.SPAWN, row, 0)
    assert spawned(table) == ([(1, area)] if area >= 0 else [])


def test_r10_46_no_room_anywhere_skips_the_spawn():
    table = Table("a-b", areas={"a": {"capacity": 1}, "b": {"capacity": 1}})
    table.enemy("a", kind="hound")
    table.enemy("b", kind="hound")
    table.perform(Verb.SPAWN, 0, 0)
    assert spawned(table) == []
