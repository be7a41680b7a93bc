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


def test_r9_25_as_many_targets_as_the_howhas_and_all_take_the_roll():
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
SHOT, HOLD = {"type": "ranged", "dice": 1, "bonus": 2}, {"dice": 1, "condition": "held"}
BLOW = {"dice": 2, "bonus": 1, "hero": {"weapons": [{"type": "melee", "bonus": 1}]}}
HELD, NOTHING = {"conditions": 1 << Condition.HELD}, {"conditions": 0}
WHOLE, FREE = {"health": 9}, {"own": 0}
ONLY = {"effect_only": True, "condition": "held"}


def who(condition):
    return {"hero": {"conditions": [condition]}}


BACK = {"health": 9, "own": 0, "wounds": 2}
WEAK = {"dice": 1, "bonus": 1} | who(Condition.WEAKENED)


@pytest.mark.parametrize(
    ("rule", "how", "at", "enemy", "faces", "expected"),
    [
        ("R9.4", BLOW, "a", {}, (1, 1), {"health": 5}),
        ("R9.4", BLOW, "a", {"shield": 1}, (1, 1), {"health": 6}),
        ("R9.5", BLOW | {"pierce": 1}, "a", {"shield": 2}, (1, 1), {"health": 6}),
        ("R9.5", BLOW | {"pierce": 3}, "a", {"shield": 1}, (1, 1), {"health": 5}),
        ("R9.5", BLOW, "a", {"shield": 9}, (1, 1), {"health": 9}),
        ("R9.38", {"dice": 1, "bonus": 1, "double": True}, "a", {}, (2,), {"health": 4}),
        ("R9.34", {"dice": 2}, "a", {"health": 1}, (2, 2), {"overkill": 3, "dealt": 1}),
        ("R9.10 through", HOLD, "a", {"shield": 1}, (2,), HELD),
        ("R9.10 not through", HOLD, "a", {"shield": 2}, (2,), NOTHING),
        ("R9.8", ONLY, "a", {"shield": 9}, (), HELD | WHOLE),
        ("R9.37", HOLD | {"non_elite": True}, "a", {"tags": ["Elite"]}, (2,), NOTHING),
        ("R11.1", HOLD, "a", {"mirror": True, "shield": 1}, (2,), NOTHING | BACK),
        ("R12.1", {"type": "ranged"} | who(Condition.INVISIBLE), "c", {}, (0, 0), FREE),
        ("R12.5", WEAK, "a", {}, (), {"own": 0, "health": 8}),
    ],
)
def test_what_an_howdoes(rule, how, at, enemy, faces, expected):
    table, hero, row = fight(**how)
    beast = table.enemy(at, **{"health": 9} | enemy)
    table.dice(*faces)
    attack(table, hero, row, beast)
    seen = {"health": beast.health, "conditions": beast.conditions, "wounds": hero.wounds}
    seen |= {"own": hero.conditions, "dealt": table.damage_dealt}
    seen |= {"overkill": table.states["attack"]["overkill"][0]}
    assert seen == seen | expected


@pytest.mark.parametrize(
    ("how", "at", "others", "hit"),
    [
        (SHOT, "b", {}, 3),
        (SHOT, "b", {"enemy": "a"}, 2),
        (SHOT, "b", {"enemy": "b"}, 2),
        (SHOT, "b", {"enemy": "ab"}, 2),
        (SHOT | {"type": "magic"}, "b", {"enemy": "a"}, 2),
        (SHOT, "c", {"companion": "b"}, 2),  # on the only line
        (SHOT | {"ignore_aim": True}, "b", {"enemy": "b"}, 3),  # R9.22
    ],
)
def test_r9_20_obstructed_aim_costs_one(how, at, others, hit):
    table, hero, row = fight(**how)
    beast = table.enemy(at, health=9)
    for figure, areas in others.items():
        for area in areas:
            getattr(table, figure)(area)
    table.dice(1)
    attack(table, hero, row, beast)
    assert beast.health == 9 - hit


def test_r9_9_a_non_hero_ally_has_a_fixed_value():
    table = Table()
    friend, beast = table.companion(), table.enemy(health=9)
    table.action(friend, effects=[{"attack": {"value": 3}}])
    row = int(table.content["sheet"]["token"][friend.slot, 0])
    attack(table, friend, row, beast)
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


def test_r9_26_an_area_howhits_every_enemy_round_its_centre():
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


def test_r9_31_drain_heals_the_health_that_was_taken():
    table, hero, row = fight(dice=1, bonus=3, drain=True, hero={"disk": 1, "wounds": 5})
    beast = table.enemy("a", health=2)
    table.dice(2)
    attack(table, hero, row, beast)
    assert (hero.disk, hero.wounds) == (3, 3)
    assert (table.dealt[0], table.taken[N_ALLIES], table.damage_dealt) == (2, 2, 2)


def test_r11_5_revenge_gives_back_what_was_suffered():
    table, hero, row = fight(dice=1, bonus=3)
    beast = table.enemy("a", revenge=True, health=2)
    table.dice(2)
    attack(table, hero, row, beast)
    assert (beast.area, hero.wounds) == (-1, 2)
    assert (table.dealt[N_ALLIES], table.taken[0], table.damage_taken) == (2, 2, 2)


def test_r9_19_a_stamina_face_is_paid_for_in_a_magic_howtoo():
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
