"""Section 2: stamina, loss, damage and healing.

The model of a rule test: the least world, one verb, the fields that changed. A test is named after
its rule. Scripted dice that nobody rolls fail every test (conftest.py).
"""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import Decision, Denial
from tests.agemonia.rules.table import Table

LOCK, SOME = {"locks": [{"need": 2}]}, {"disk": 1, "spent": 2, "wounds": 3}
WOUND = {"wounded": 1, "disk": 1, "wounds": 1}


@pytest.mark.parametrize(
    ("rule", "chips", "verb", "amount", "left"),
    [
        ("R2.1", {"disk": 3}, Verb.SPEND, 2, {"disk": 1, "spent": 2}),
        ("R2.2", {"disk": 2, "spent": 4}, Verb.LOSE, 4, {"disk": 0, "spent": 4, "wounds": 2}),
        ("R2.6", SOME, Verb.RESTORE, 5, {"disk": 3, "spent": 0, "wounds": 3, "result": 2}),
        ("R2.7", SOME, Verb.HEAL, 2, {"disk": 3, "spent": 2, "wounds": 1, "result": 2}),
        ("Q25", {"disk": 1} | LOCK, Verb.RESTORE, 2, {"disk": 1, "locked": 2, "result": 0}),
        ("R14.6", {"disk": 0, "spent": 1} | LOCK, Verb.RESTORE, 3, {"spent": 0, "locked": 2}),
        ("R14.8", {"disk": 0, "red": 1} | LOCK, Verb.DAMAGE, 3, WOUND | {"passive": -1}),
        ("R14.11", {"disk": 2} | LOCK, Verb.LOSE, 2, {"disk": 0, "spent": 2, "locked": 2}),
    ],
)
def test_where_chips_go(rule, chips, verb, amount, left):
    table = Table()
    hero = table.hero(**chips)
    assert table.perform(verb, hero, amount) == Denial.NONE
    found = {name: getattr(hero, name) for name in ("disk", "spent", "wounds", "wounded")}
    found |= {"locked": hero.lock_chips[0], "passive": hero.lock_passive[0], "result": table.result}
    assert found == found | left


def test_r2_1_spend_needs_that_many_chips_on_the_disk():
    table = Table()
    hero = table.hero(disk=1, spent=5)
    assert table.perform(Verb.SPEND, hero, 2) == Denial.NOT_ENOUGH_STAMINA
    assert (hero.disk, hero.spent) == (1, 5)


def test_r2_3_loss_is_damage_to_figures_without_stamina():
    table = Table()
    friend, beast = table.companion(health=6), table.enemy(health=5)
    table.perform(Verb.LOSE, friend, 2)
    table.perform(Verb.LOSE, beast, 2)
    assert (friend.health, beast.health) == (4, 3)


def test_r2_4_damage_takes_disk_then_spent_then_locks():
    table = Table()
    hero = table.hero(disk=1, spent=1, locks=[{"need": 2}])
    seen = []
    for _ in range(3):
        table.perform(Verb.DAMAGE, hero, 1)
        seen.append((hero.disk, hero.spent, hero.lock_chips[0], hero.wounds))
    # the third hit takes a locked chip; the lock ends, and its other chip counts as spent (R14.8)
    assert seen == [(0, 1, 2, 1), (0, 0, 2, 2), (0, 1, 0, 3)]


def test_r2_5_all_chips_red_is_not_a_wound_yet():
    table = Table()
    hero = table.hero(disk=2, red=1)
    table.perform(Verb.DAMAGE, hero, 2)
    assert (hero.wounded, hero.wounds) == (0, 2)
    table.perform(Verb.DAMAGE, hero, 1)
    assert (hero.wounded, hero.disk, hero.wounds) == (1, 1, 1)


def test_r2_7_a_rolled_heal_heals_what_the_dice_show():
    table = Table()
    hero = table.hero(disk=1, wounds=5)
    table.dice(1, "X", 2)  # two dice, and the extra one of the second
    table.perform(Verb.ROLL, hero, 2, 1, hero)
    assert (hero.disk, hero.wounds) == (5, 1)


def test_r2_8_heal_stops_at_starting_health():
    table = Table()
    beast, friend = table.enemy(health=5, left=3), table.companion(health=6)
    friend.record["health"] = 1
    table.perform(Verb.HEAL, beast, 9)
    table.perform(Verb.HEAL, friend, 2)
    assert (beast.health, friend.health) == (5, 3)


def test_r2_9_mixed_is_split_freely_within_its_amount():
    table = Table()
    hero = table.hero(disk=0, spent=2, wounds=2)
    assert table.perform(Verb.MIXED, hero, 3, 2, 2) == Denial.TOO_MUCH
    assert table.perform(Verb.MIXED, hero, 3, 1, 2) == Denial.NONE
    assert (hero.disk, hero.spent, hero.wounds) == (3, 1, 0)


def test_r2_10_a_wounded_disk_holds_no_more_than_its_red_side():
    table = Table()
    hero = table.hero(disk=2, spent=2, wounds=2, red=3, wounded=1)
    table.perform(Verb.RESTORE, hero, 2)
    assert (hero.disk, hero.spent) == (3, 1)
    table.perform(Verb.HEAL, hero, 2)
    assert (hero.disk, hero.wounds) == (3, 2)  # what does not fit stays where it is


def test_r2_12_no_health_left_takes_figures_off_the_map():
    table = Table()
    table.hero()
    friend, beast = table.companion(health=2), table.enemy(health=2)
    table.perform(Verb.DAMAGE, friend, 3)
    table.perform(Verb.DAMAGE, beast, 3)
    assert (friend.exhausted, friend.area, beast.area) == (1, -1, -1)
    assert table.defeated[0] == 1


def test_r2_13_damage_from_no_attack_ignores_shield():
    table = Table()
    beast = table.enemy(health=5, shield=3)
    table.perform(Verb.DAMAGE, beast, 2)
    assert beast.health == 3


def test_r14_7_the_owner_chooses_among_locks():
    table = Table()
    hero = table.hero(disk=0, locks=[{"need": 2}, {"need": 1}])
    table.perform(Verb.DAMAGE, hero, 1)
    assert table.asks == (Decision.FLIP_LOCK, hero.slot)
    assert table.denial(Block.LOCK, 2) == Denial.NOT_RUNNING
    assert table.answer(Block.LOCK, 1) == Denial.NONE
    assert (hero.lock_chips[:2], hero.wounds) == ([2, 0], 1)


def test_r1_4_health_is_every_blue_chip_available_or_not():
    table = Table()
    hero = table.hero(disk=1, spent=2, wounds=4, locks=[{"need": 2}])
    table.perform(Verb.DAMAGE, hero, 5)  # chips of the lock count as well
    assert (hero.wounds, hero.wounded) == (9, 0)
    table.perform(Verb.DAMAGE, hero, 1)
    assert hero.wounded == 1
