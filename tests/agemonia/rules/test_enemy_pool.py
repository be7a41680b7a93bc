"""R10.1, R10.40 to R10.47: health, defeat and spawning of Enemies."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Query, Verb
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES, N_ENEMIES, N_GROUND
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial, Event
from tests.agemonia.rules.table import Figure, Table


def spawned(table):
    """(number, area) of the Enemies that appeared this round."""
    enemies = table.states["enemy"][0]
    return [(int(e["number"]), int(e["area"])) for e in enemies if e["spawned"]]


# ---- defeat ---------------------------------------------------------------------------------
def test_r10_40_and_r10_43_an_enemy_without_health_leaves_the_map():
    table = Table()
    table.hero()
    beast = table.enemy(health=3, size="large", conditions=[Condition.HELD])
    table.perform(Verb.DAMAGE, beast, 3)
    assert (beast.area, beast.conditions, table.used[0], table.enemies_in[0]) == (-1, 0, 1, 0)
    assert (table.defeated[0], table.damage_dealt, table.log(Event.DEFEAT)) == (
        1,
        3,
        [(Event.DEFEAT, N_ALLIES + beast.slot, -1, 0)],
    )


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
    assert table.item[1] == [0] + [-1] * (N_GROUND - 1)
    assert table.item[0] == [-1] * N_GROUND


def test_damage_beyond_the_health_is_not_counted_as_dealt():
    table = Table()
    beast = table.enemy(health=3)
    table.perform(Verb.DAMAGE, beast, 7)
    assert table.damage_dealt == 3


# ---- defeat boxes ---------------------------------------------------------------------------
BURST = {"burst": {"damage": 2, "range": 1, "condition": "slowed"}}


def test_r10_40_a_burst_meets_every_ally_in_range_as_printed():
    table = Table("a-b-c-d", areas={"b": {"capacity": 4}})
    shell = {"name": "shell", "need": 0, "reactive": {"might": 9, "agility": 9, "will": 9}}
    near, beside = table.hero("a", disk=6, locks=[shell]), table.companion("b", health=5)
    far = table.hero("d", disk=6)
    down = table.hero("b", exhausted=1)
    beast = table.enemy("b", defeat=BURST)
    table.perform(Verb.DEFEAT, beast.slot)
    assert [(ally.wounds, ally.conditions) for ally in (near, far, down)] == [
        (2, 1 << Condition.SLOWED),
        (0, 0),
        (0, 0),
    ]
    assert (beside.health, beside.holds(Condition.SLOWED)) == (3, True)


def test_r14_7_a_burst_hits_one_ally_after_another():
    table = Table()
    locks = [{"name": name, "need": 1} for name in ("shell", "roots")]
    heroes = [table.hero(disk=1, locks=locks) for _ in range(2)]
    beast = table.enemy(defeat=BURST)
    table.perform(Verb.DEFEAT, beast.slot)
    for hero, lock in zip(heroes, (0, 1), strict=True):
        assert table.asks == (Decision.FLIP_LOCK, hero.slot)
        assert not hero.holds(Condition.SLOWED)
        table.answer(Block.LOCK, lock)
        assert (hero.lock_chips[lock], hero.wounds, hero.conditions) == (0, 2, 1 << 4)
    assert table.box_due == 0


def test_r10_40_what_a_defeat_box_spawns_appears_where_it_fell():
    table = Table("a-b-c", areas={"b": {"capacity": 2}})
    table.hero("a")
    leech = table.kind("leech")
    sac = table.enemy("b", kind="sac", defeat={"spawn": {"type": "leech", "amount": 2}, **BURST})
    table.perform(Verb.DEFEAT, sac.slot)
    assert spawned(table) == [(1, 1), (2, 1)]
    assert {e["type"] for e in table.states["enemy"][0] if e["spawned"]} == {leech}


def test_r10_40_a_defeat_box_sets_a_trap_where_it_fell():
    table = Table("a-b-c")
    table.hero("a")
    beast = table.enemy("c", defeat={"set_trap": {"range": 0}})
    table.perform(Verb.DEFEAT, beast.slot)
    assert table.trap[:3] == [0, 0, 1]


def test_q47_all_boxes_of_an_attack_are_played_out_one_after_another():
    table = Table("a-b-c-d", areas={"c": {"capacity": 2}})
    attack = {"shape": "area", "type": "magic", "range": [0, 3], "radius": 1, "bonus": 9}
    action = {"effects": [{"attack": {**attack, "dice": 0}}]}
    hero = table.hero("a", disk=9, actions=[action])
    row = int(table.content["sheet"]["token"][hero.slot, 2])
    sacs = [
        table.enemy(area, kind="sac", defeat={"burst": {"damage": 1, "range": 3}})
        for area in ("b", "c", "d")
    ]
    table.kind("leech")
    last = table.enemy("c", kind="nest", defeat={"spawn": {"type": "leech"}})
    table.perform(Verb.ATTACK, hero, row, 0)
    table.answer(Block.AREA, 2)
    assert [enemy.area for enemy in (*sacs, last)] == [-1] * 4
    assert (hero.wounds, spawned(table), table.box_due) == (3, [(1, 2)], 0)


@pytest.mark.parametrize("cause", ["damage", "bleeding", "trap", "push"])
def test_r10_40_the_cause_of_a_defeat_does_not_matter(cause):
    borders = [("b", "c", "double")]
    table = Table("a-b-c", areas={"b": {"level": 1}, "a": {"level": 1}}, borders=borders)
    hero = table.hero("a", disk=6)
    bleeding = [Condition.BLEEDING] if cause == "bleeding" else []
    burst = {"burst": {"damage": 1, "range": 9}}
    beast = table.enemy("b", health=1, defeat=burst, conditions=bleeding)
    if cause == "damage":
        table.perform(Verb.DAMAGE, beast, 1)
    elif cause == "bleeding":
        table.perform(Verb.ENEMY_TURN, beast.slot, 1, 0, 0)
    elif cause == "trap":
        table.builder.add_trap(schema.TrapCard(name="spikes", damage=1))
        table.states["trap"][0, 0] = 1
        table.perform(Verb.PUSH, 2, 1, -1, 0, 1, beast)
    else:
        table.perform(Verb.PUSH, 0, 1, -1, 0, 1, beast)
    assert (beast.area, table.defeated[0]) == (-1, 1)
    assert hero.wounds == 1 + (cause == "trap")


def test_an_enemy_keeps_its_slot_until_its_box_is_done():
    table = Table(areas={"a": {"capacity": 99}})
    locks = [{"name": name, "need": 1} for name in ("shell", "roots")]
    hero = table.hero(disk=1, locks=locks)
    leech = table.kind("leech", supply=16)
    sac = table.enemy(kind="sac", defeat={"spawn": {"type": "leech", "amount": 2}, **BURST})
    others = [table.enemy(kind="leech") for _ in range(N_ENEMIES - 2)]
    table.perform(Verb.DEFEAT, sac.slot)
    table.answer(Block.LOCK, 0)
    assert hero.holds(Condition.SLOWED)
    assert (sac.area, spawned(table)) == (-1, [(N_ENEMIES - 1, 0)])  # one slot was left
    table.perform(Verb.DEFEAT, others[0].slot)
    table.perform(Verb.SPAWN, leech, 0)
    table.perform(Verb.SPAWN, leech, 0)
    assert len(spawned(table)) == 3  # now its slot is free again


# ---- spawning -------------------------------------------------------------------------------
def test_r10_46_a_figure_appears_in_the_area_named():
    table = Table("a-b")
    table.hero("a")
    row = table.kind("hound", health={"base": 1, "per_hero": 2})
    table.perform(Verb.SPAWN, row, 1)
    assert spawned(table) == [(1, 1)]
    assert table.states["enemy"]["health"][0, 0] == 3
    assert table.log(Event.SPAWN) == [(Event.SPAWN, N_ALLIES, 0, 1)]


def test_r5_13_and_r10_44_and_r10_45_a_spawned_enemy_waits_but_hinders():
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
