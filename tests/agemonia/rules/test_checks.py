"""Section 3 and 16: dice, active and reactive checks, Focus and gems."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Ability, Condition, Decision, Denial
from tests.agemonia.rules.table import Table

MIGHT = Ability.MIGHT


def check(table):
    """(total, success) of the active check just made."""
    record = table.states["check"][0]
    return int(record["total"]), bool(record["success"])


def remaining(table):
    return int(table.states["check"]["remaining"][0])


# ---- active checks --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rule", "hero", "enemies", "faces", "number", "found"),
    [
        ("R3.9, R3.11 reached", {"might": 2}, 0, (1, 2), (3,), (3, True)),
        ("R3.9, R3.11 missed", {"might": 2}, 0, (1, 2), (4,), (3, False)),
        ("R3.3 nothing to pay", {"might": 2, "disk": 0, "spent": 3}, 0, ("S", 1), (1,), (1, True)),
        ("R3.4 outside scenarios", {"might": 2}, 1, ("S", "S"), (4, 0, 0, 1), (4, True)),
        ("R3.13 Hindered", {"might": 1}, 1, (2,), (2,), (1, False)),
        ("R3.21 after Rethink", {"token": FOCUS, "flipped": 1}, 0, (1,), (2,), (1, False)),
    ],
)
def test_what_the_dice_of_an_active_check_give(rule, hero, enemies, faces, number, found):
    table = Table()
    ally = table.hero(**({"might": 1} | hero))
    for _ in range(enemies):
        table.enemy()
    table.dice(*faces)
    table.perform(Verb.ACTIVE_CHECK, ally, MIGHT, *number)
    assert (table.asks[0], check(table), ally.focus_rolled) == (Decision.NONE, found, 0)


def test_r3_2_extra_dice_chain_and_come_before_payment():
    table = Table()
    hero = table.hero(might=1, disk=3)
    table.dice("X", "X", "S")
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 4)
    assert table.asks == (Decision.PAY, hero.slot)
    table.answer(Block.AMOUNT, 2)
    assert check(table) == (4, True)
    assert (hero.disk, hero.spent) == (1, 2)


def test_r3_3_every_symbol_takes_up_to_two_stamina():
    table = Table()
    hero = table.hero(might=2, disk=3)
    table.dice("S", "S")
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 9)
    assert table.legal(Block.AMOUNT) == [0, 1, 2]
    assert table.denial(Block.AMOUNT, 3) == Denial.TOO_MUCH
    table.answer(Block.AMOUNT, 2)
    assert table.legal(Block.AMOUNT) == [0, 1]
    table.answer(Block.AMOUNT, 1)
    assert check(table) == (3, False)


def test_r3_11_modifiers_and_added_dice():
    table = Table()
    hero = table.hero(might=1)
    table.dice(1, 1)
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 4, 2, 1)
    assert check(table) == (4, True)
    table.dice(1)
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 4)  # they served one check only
    assert check(table) == (1, False)


# ---- reactive checks ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rule", "faces", "damage", "left"),
    [
        ("R3.15", (0, 0), (3,), 3),
        ("R3.15", (1, 1), (3,), 1),
        ("R3.15", (2, 2), (3,), 0),
        ("R3.16", ("H", 1), (3,), 2),
        ("R3.17 two successes and a die", (1, 1, 1), (9, 2, 1), 4),
    ],
)
def test_each_success_prevents_one(rule, faces, damage, left):
    table = Table()
    hero = table.hero(might=2)
    table.enemy()  # R3.19: Hindered changes nothing
    table.reaction_dice(*faces)
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, *damage)
    assert remaining(table) == left


def test_r3_6_and_r3_7_an_h_is_worth_what_one_effect_gives_it():
    table = Table()
    hero = table.hero(might=2, reactive_h=1)
    table.content["sheet"]["h_worth"][hero.slot] = [1, 0, 0]
    table.reaction_dice("H", "H")
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 9, 0, 0, 2)
    assert remaining(table) == 9 - 2 * 2


# ---- Focus and conditions -------------------------------------------------------------------
def test_r3_21_focus_adds_a_die_to_both_kinds_of_check():
    table = Table()
    hero = table.hero(might=1, token=FOCUS)
    table.dice(1, 1)
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 2)
    assert check(table) == (2, True)
    table.reaction_dice(1, 1)
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 2)
    assert (remaining(table), hero.focus_rolled) == (0, 1)


def test_r12_11_weakened_takes_an_action_die_and_goes():
    table = Table()
    hero = table.hero(might=2, conditions=[Condition.WEAKENED])
    table.reaction_dice(1, 1)
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 2)  # no Action die: it stays
    assert (remaining(table), hero.holds(Condition.WEAKENED)) == (0, True)
    table.dice(1)
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 2)
    assert (check(table), hero.holds(Condition.WEAKENED)) == ((1, False), False)


def test_r12_2_blessed_gives_one_more_die_after_the_roll():
    table = Table()
    hero = table.hero(might=1, conditions=[Condition.BLESSED])
    table.dice(1)
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 2)
    assert table.asks == (Decision.BLESSED, hero.slot)
    table.answer(Block.NO)
    assert (check(table), hero.holds(Condition.BLESSED)) == ((1, False), True)
    table.reaction_dice(0, 2)
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 2)
    table.answer(Block.YES)
    assert (remaining(table), hero.holds(Condition.BLESSED)) == (0, False)


# ---- gems -----------------------------------------------------------------------------------
def test_r3_23_an_inspiration_gem_before_the_roll_gives_two_dice():
    table = Table()
    hero = table.hero(might=1, inspiration=2)
    table.dice(1, 1, 1)
    table.perform(Verb.ACTIVE_CHECK, hero, MIGHT, 3)
    assert table.asks == (Decision.INSPIRATION, hero.slot)
    table.answer(Block.YES)
    assert (check(table), hero.inspiration) == ((3, True), 1)  # at most one: nobody asks again


def test_r3_24_an_achievement_gem_after_the_roll_gives_a_success():
    table = Table()
    hero = table.hero(might=1, achievement=2)
    table.reaction_dice(1)
    table.perform(Verb.REACTIVE_CHECK, hero, MIGHT, 3)
    assert table.asks == (Decision.ACHIEVEMENT, hero.slot)
    table.answer(Block.YES)
    assert (remaining(table), hero.achievement) == (1, 1)


def test_r3_24_an_achievement_gem_serves_a_recover_maneuver():
    table = Table()
    hero = table.hero(disk=0, spent=5, achievement=1, recover={"stamina": 2, "damage": 1})
    table.perform(Verb.RECOVER, hero, 0)
    assert table.asks == (Decision.ACHIEVEMENT, hero.slot)
    table.answer(Block.YES)
    assert (hero.disk, hero.achievement) == (3, 0)


def test_r3_24_an_achievement_gem_serves_rethink_and_moves():
    table = Table("a-b-c-d")
    hero = table.hero(disk=0, spent=5, achievement=3)
    table.perform(Verb.RETHINK, hero, 1)
    table.answer(Block.YES)
    assert (hero.disk, hero.achievement) == (2, 2)
    table.perform(Verb.MOVE, hero, 0)
    table.answer(Block.YES)
    assert (table.states["move"]["points"][0], hero.achievement) == (3, 1)
    assert table.denial(Block.YES) == Denial.ALREADY_CHOSEN
    table.answer(Block.DONE)
    table.perform(Verb.WALK, hero, 1)  # movement of an effect takes no gem
    assert table.denial(Block.YES) == Denial.ALREADY_CHOSEN


def test_r16_1_a_sixth_inspiration_gem_is_an_achievement_gem():
    table = Table()
    hero = table.hero(inspiration=4)
    seen = []
    for _ in range(3):
        table.perform(Verb.GAIN_GEM, hero, 0)
        seen.append((hero.inspiration, hero.achievement))
    assert seen == [(5, 0), (5, 1), (5, 2)]


def test_r16_4_no_more_than_fifteen_achievement_gems():
    table = Table()
    hero = table.hero(inspiration=5, achievement=14)
    for kind in (1, 1, 0):
        table.perform(Verb.GAIN_GEM, hero, kind)
        assert (hero.inspiration, hero.achievement) == (5, 15)


def test_r18_2_non_hero_allies_take_no_gems():
    table = Table()
    friend = table.companion()
    table.perform(Verb.GAIN_GEM, friend, 0)
    table.perform(Verb.GAIN_GEM, friend, 1)
    assert (friend.inspiration, friend.achievement) == (0, 0)
