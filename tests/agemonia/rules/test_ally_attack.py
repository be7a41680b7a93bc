"""Section 9: attacks by Allies."""

import pytest

from agemonia_env.rulesets.agemonia.content import schema
from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import N_ALLIES
from agemonia_env.rulesets.agemonia.core.terms import (
    AttackType,
    Condition,
    Decision,
    Denial,
    Die,
    Event,
)
from tests.agemonia.rules.table import Table


def fight(areas="a-b-c", more=None, borders=(), hero=None, **attack):
    """A Hero in the first area with one attack. -> (table, hero, its action row)"""
    table = Table(areas, areas=more, borders=borders)
    action = {"effects": [{"attack": attack}]}
    chips = {} if hero and "disk" in hero else {"blue": 8}
    ally = table.hero(actions=[action], **chips, **(hero or {}))
    return table, ally, int(table.content["sheet"]["token"][ally.slot, 2])


def attack(table, hero, row, *targets):
    denial = table.perform(Verb.ATTACK, hero, row, 0)
    for target in targets:
        assert table.answer(Block.ENEMY, target) == Denial.NONE
    return denial


# ---- declaring ------------------------------------------------------------------------------
def test_r9_1_the_player_picks_among_types_that_have_a_target():
    table, hero, row = fight(type=["melee", "ranged", "magic"])
    table.enemy("b")
    table.perform(Verb.ATTACK, hero, row, 0)
    assert table.asks == (Decision.ATTACK_TYPE, hero.slot)
    assert table.legal(Block.ATTACK_TYPE) == [AttackType.RANGED, AttackType.MAGIC]
    assert table.denial(Block.ATTACK_TYPE, AttackType.MELEE) == Denial.NO_TARGET
    table.dice(1, 1)
    table.answer(Block.ATTACK_TYPE, AttackType.MAGIC)
    table.answer(Block.ENEMY, 0)
    assert table.states["attack"]["type"][0] == AttackType.MAGIC


@pytest.mark.parametrize(("kind", "denial"), [("melee", Denial.NO_WEAPON), ("magic", Denial.NONE)])
def test_r9_13_melee_and_ranged_attacks_need_a_weapon(kind, denial):
    table, hero, row = fight(type=kind, hero={"weapons": []})
    table.content["sheet"]["weapon_max"][0, AttackType.MAGIC] = 3
    table.enemy("a")
    assert table.perform(Verb.ATTACK, hero, row, 0) == denial


def test_r9_2_targets_and_why_others_are_not():
    table, hero, row = fight("a-b-c-d-e", type="ranged")
    near, far, own = table.enemy("b"), table.enemy("e"), table.enemy("a")
    gone = table.enemy("b")
    gone.record["area"], gone.record["health"] = -1, 0
    table.perform(Verb.ATTACK, hero, row, 0)
    assert table.asks == (Decision.TARGET, hero.slot)
    assert table.legal() == [(Block.ENEMY, near.slot)]
    assert table.denial(Block.ENEMY, far) == Denial.OUT_OF_RANGE
    assert table.denial(Block.ENEMY, own) == Denial.OUT_OF_RANGE  # R9.17: no bow at range 0
    assert table.denial(Block.ENEMY, gone) == Denial.NO_TARGET
    assert table.denial(Block.DONE) == Denial.NO_TARGET
    table.dice(1, 1)
    table.answer(Block.ENEMY, near)


def test_r9_25_as_many_targets_as_the_attack_has_and_all_take_the_roll():
    table, hero, row = fight(shape="multi", targets=2, dice=1)
    beasts = [table.enemy("a", health=9) for _ in range(3)]
    table.dice(2)
    table.perform(Verb.ATTACK, hero, row, 0)
    table.answer(Block.ENEMY, beasts[2])
    assert table.denial(Block.ENEMY, beasts[2]) == Denial.ALREADY_CHOSEN
    assert table.denial(Block.DONE) == Denial.NONE
    table.answer(Block.ENEMY, beasts[0])
    assert [beast.health for beast in beasts] == [7, 9, 7]


# ---- damage ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("shield", "pierce", "left"), [(0, 0, 5), (1, 0, 6), (2, 1, 6), (1, 3, 5), (9, 0, 9)]
)
def test_r9_4_and_r9_5_successes_bonus_and_weapon_less_shield(shield, pierce, left):
    weapons = [{"type": "melee", "bonus": 1}]
    table, hero, row = fight(dice=2, bonus=1, pierce=pierce, hero={"weapons": weapons})
    beast = table.enemy("a", health=9, shield=shield)
    table.dice(1, 1)
    attack(table, hero, row, beast)
    assert beast.health == left


def test_r9_38_double_doubles_successes_not_the_bonus():
    table, hero, row = fight(dice=1, bonus=1, double=True)
    beast = table.enemy("a", health=9)
    table.dice(2)
    attack(table, hero, row, beast)
    assert beast.health == 9 - 5


def test_r9_9_a_non_hero_ally_has_a_fixed_value():
    table = Table()
    friend, beast = table.companion(), table.enemy(health=9)
    table.action(friend, effects=[{"attack": {"value": 3}}])
    row = int(table.content["sheet"]["token"][friend.slot, 0])
    attack(table, friend, row, beast)
    assert beast.health == 6


def test_r9_34_overkill_is_damage_beyond_the_health():
    table, hero, row = fight(dice=2)
    beast = table.enemy("a", health=1)
    table.dice(2, 2)
    attack(table, hero, row, beast)
    assert (table.states["attack"]["overkill"][0], table.damage_dealt) == (3, 1)


@pytest.mark.parametrize(
    ("kind", "others", "hit"),
    [
        ("ranged", [], 3),
        ("ranged", ["a"], 2),
        ("ranged", ["b"], 2),
        ("ranged", ["a", "b"], 2),
        ("magic", ["a"], 2),
    ],
)
def test_r9_20_obstructed_aim_costs_one(kind, others, hit):
    table, hero, row = fight(type=kind, dice=1, bonus=2)
    beast = table.enemy("b", health=9)
    for area in others:
        table.enemy(area)
    table.dice(1)
    attack(table, hero, row, beast)
    assert beast.health == 9 - hit


def test_r9_20_figures_on_the_only_line_obstruct():
    table, hero, row = fight(type="ranged", dice=1, bonus=2)
    table.companion("b")
    beast = table.enemy("c", health=9)
    table.dice(1)
    attack(table, hero, row, beast)
    assert beast.health == 7


def test_r9_22_ignoring_aim():
    table, hero, row = fight(type="ranged", dice=1, bonus=2, ignore_aim=True)
    beast = table.enemy("b", health=9)
    table.enemy("b")
    table.dice(1)
    attack(table, hero, row, beast)
    assert beast.health == 6


# ---- shapes ---------------------------------------------------------------------------------
def test_r9_29_a_cleave_is_shared_out_after_the_roll():
    table, hero, row = fight(shape="cleave", dice=2, bonus=1)
    beasts = [table.enemy("a", health=9) for _ in range(3)]
    table.dice(2, 2)
    table.perform(Verb.ATTACK, hero, row, 0)
    assert table.denial(Block.DONE) == Denial.NO_TARGET
    table.answer(Block.ENEMY, beasts[1])
    assert table.asks == (Decision.SHARE, hero.slot)
    assert table.legal(Block.AMOUNT) == [1, 2, 3, 4, 5]
    assert table.denial(Block.AMOUNT, 0) == Denial.NO_TARGET
    assert table.denial(Block.AMOUNT, 6) == Denial.TOO_MUCH
    table.answer(Block.AMOUNT, 2)
    assert table.denial(Block.ENEMY, beasts[1]) == Denial.ALREADY_CHOSEN
    table.answer(Block.ENEMY, beasts[0])
    table.answer(Block.AMOUNT, 3)
    assert [beast.health for beast in beasts] == [6, 7, 9]


def test_r9_26_an_area_attack_hits_every_enemy_round_its_centre():
    table, hero, row = fight(
        "a-b-c-d", shape="area", type="magic", range=[0, 3], radius=1, dice=1, bonus=1
    )
    beasts = [table.enemy(area, health=9) for area in ("b", "c", "c", "d")]
    table.dice(1)
    table.perform(Verb.ATTACK, hero, row, 0)
    assert table.asks == (Decision.CENTRE, hero.slot)
    assert table.legal(Block.AREA) == [0, 1, 2, 3]
    table.answer(Block.AREA, 1)
    assert [beast.health for beast in beasts] == [7, 7, 7, 9]  # R9.22: no obstructed aim


def test_r9_26_a_centre_must_meet_an_enemy():
    table, hero, row = fight("a-b-c-d-e", shape="area", type="magic", range=[0, 3], radius=0)
    table.enemy("b")
    table.perform(Verb.ATTACK, hero, row, 0)
    assert table.legal(Block.AREA) == [1]
    assert table.denial(Block.AREA, 2) == Denial.NO_TARGET
    assert table.denial(Block.AREA, 4) == Denial.OUT_OF_RANGE
    table.dice(1, 1)
    table.answer(Block.AREA, 1)


def test_r9_27_a_line_is_chosen_area_by_area_with_one_target_in_each():
    table, hero, row = fight("a-b-c-d", shape="line", type="magic", length=2, dice=1)
    first, second, next_ = table.enemy("b"), table.enemy("b"), table.enemy("c")
    beyond = table.enemy("d")
    table.perform(Verb.ATTACK, hero, row, 0)
    assert table.asks == (Decision.LINE, hero.slot)
    assert table.legal() == [(Block.AREA, 1)]
    assert table.denial(Block.AREA, 2) == Denial.NOT_ON_LINE
    assert table.denial(Block.DONE) == Denial.NO_TARGET
    table.answer(Block.AREA, 1)
    assert table.denial(Block.DONE) == Denial.NONE
    table.answer(Block.AREA, 2)
    assert table.asks[0] == Decision.TARGET
    assert table.denial(Block.ENEMY, beyond) == Denial.NOT_ON_LINE
    table.dice(2)
    table.answer(Block.ENEMY, second)
    assert table.denial(Block.ENEMY, first) == Denial.ALREADY_CHOSEN
    table.answer(Block.ENEMY, next_)
    assert [beast.health for beast in (first, second, next_, beyond)] == [5, 3, 3, 5]


# ---- riders ---------------------------------------------------------------------------------
@pytest.mark.parametrize(("shield", "held"), [(1, True), (2, False)])
def test_r9_10_conditions_need_damage_that_got_through(shield, held):
    table, hero, row = fight(dice=1, condition="held")
    beast = table.enemy("a", shield=shield)
    table.dice(2)
    attack(table, hero, row, beast)
    assert beast.holds(Condition.HELD) == held


def test_r9_8_an_effect_only_attack_rolls_nothing_and_needs_no_damage():
    table, hero, row = fight(effect_only=True, condition="held")
    beast = table.enemy("a", shield=9)
    attack(table, hero, row, beast)
    assert (beast.holds(Condition.HELD), beast.health) == (True, 5)


def test_r9_37_riders_may_spare_elite_enemies():
    table, hero, row = fight(dice=1, condition="held", non_elite=True)
    beast = table.enemy("a", tags=["Elite"])
    table.dice(2)
    attack(table, hero, row, beast)
    assert (beast.holds(Condition.HELD), beast.health) == (False, 3)


def test_r9_31_drain_heals_the_health_that_was_taken():
    table, hero, row = fight(dice=1, bonus=3, drain=True, hero={"disk": 1, "wounds": 5})
    beast = table.enemy("a", health=2)
    table.dice(2)
    attack(table, hero, row, beast)
    assert (hero.disk, hero.wounds) == (3, 3)
    assert (table.dealt[0], table.taken[N_ALLIES], table.damage_dealt) == (2, 2, 2)


def test_r11_1_mirror_gives_the_damage_back():
    table, hero, row = fight(dice=1, condition="held")
    beast = table.enemy("a", mirror=True, shield=1)
    table.dice(2)
    attack(table, hero, row, beast)
    assert (beast.health, hero.wounds, beast.conditions, hero.conditions) == (5, 2, 0, 0)


def test_r11_5_revenge_gives_back_what_was_suffered():
    table, hero, row = fight(dice=1, bonus=3)
    beast = table.enemy("a", revenge=True, health=2)
    table.dice(2)
    attack(table, hero, row, beast)
    assert (beast.area, hero.wounds) == (-1, 2)
    assert (table.dealt[N_ALLIES], table.taken[0], table.damage_taken) == (2, 2, 2)


def test_r12_1_an_attack_ends_invisible():
    table, hero, row = fight(type="ranged", hero={"conditions": [Condition.INVISIBLE]})
    beast = table.enemy("c")
    table.dice(0, 0)
    attack(table, hero, row, beast)
    assert not hero.holds(Condition.INVISIBLE)


def test_r12_5_weakened_takes_a_die_of_an_attack():
    table, hero, row = fight(dice=1, bonus=1, hero={"conditions": [Condition.WEAKENED]})
    beast = table.enemy("a")
    attack(table, hero, row, beast)
    assert (beast.health, hero.conditions) == (4, 0)


def test_r9_19_a_stamina_face_is_paid_for_in_a_magic_attack_too():
    table, hero, row = fight(type=["magic"], dice=1)
    beast = table.enemy("b", health=9)
    table.dice("S")
    attack(table, hero, row, beast)
    assert table.asks == (Decision.PAY, hero.slot)
    table.answer(Block.AMOUNT, 2)
    assert (beast.health, hero.spent) == (7, 2)


def test_r3_18_an_enemy_rolls_nothing_against_an_attack():
    table, hero, row = fight(dice=1)
    beast = table.enemy("a", health=9, shield=1)
    table.dice(2)
    attack(table, hero, row, beast)
    assert beast.health == 8
    assert [amount for _, _, amount, _ in table.log(Event.DIE)] == [Die.ACTION]


def test_p53_figures_defeated_by_a_trap_fall_in_figure_order():
    """The target is pushed into a trap, which defeats it and another that stands there."""
    table, hero, row = fight("a-b", more={"b": {"trap": True}}, type="melee", push=1)
    table.states["trap"][0, 1] = 1
    table.builder.add_trap(schema.TrapCard.model_validate({"damage": 2}))
    other, target = table.enemy("b", left=1), table.enemy("a", left=2)
    table.dice(0, 0)
    attack(table, hero, row, target)
    fallen = [row[1] for row in table.log(Event.DEFEAT)]
    assert fallen == [N_ALLIES + other.slot, N_ALLIES + target.slot]


@pytest.mark.parametrize("named", [(0, 1), (1, 0)])
def test_p53_defeated_targets_fall_in_target_order(named):
    table, hero, row = fight("a-b", type="melee", shape="multi", targets=2)
    beasts = [table.enemy("a", left=1), table.enemy("a", left=1)]
    table.dice(2, 2)
    attack(table, hero, row, *(beasts[k] for k in named))
    assert [row[1] for row in table.log(Event.DEFEAT)] == [N_ALLIES + k for k in named]
