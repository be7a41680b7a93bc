"""Section 14: locked stamina and passive actions."""

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import N_LOCKS
from agemonia_env.rulesets.agemonia.core.terms import Denial
from tests.agemonia.rules.table import Table

GUARD = {"name": "guard", "effects": [{"lock": {"need": 2, "reactive": {"might": 1}}}]}


def test_r14_1_locked_chips_come_from_the_disk():
    table = Table()
    hero = table.hero(disk=3, spent=4, actions=[GUARD], token=2)
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.answer(Block.TURN, Turn.ACT)
    assert (hero.disk, hero.spent, hero.lock_chips[0], hero.lock_passive[0]) == (1, 4, 2, 0)


def test_r14_2_only_chips_on_the_disk_count_and_after_the_cost():
    table = Table()
    hero = table.hero(disk=3, spent=4, actions=[GUARD | {"cost": 2}], token=2)
    other = table.hero(disk=1, spent=5)
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NOT_ENOUGH_STAMINA
    assert table.perform(Verb.LOCK, hero, 0) == Denial.NONE
    assert table.perform(Verb.LOCK, other, 0) == Denial.NOT_ENOUGH_STAMINA


def test_r14_4_an_ended_lock_returns_its_chips_to_the_spent_pool():
    table = Table()
    hero = table.hero(disk=1, locks=[{"need": 2}])
    assert table.perform(Verb.UNLOCK, hero, 0) == Denial.NONE
    assert (hero.disk, hero.spent, hero.lock_chips[0]) == (1, 2, 0)
    assert table.perform(Verb.UNLOCK, hero, 0) == Denial.NOT_RUNNING


def test_r14_5_starting_the_same_passive_again_ends_the_old_one():
    table = Table()
    hero = table.hero(disk=2, locks=[{"need": 2}])
    table.perform(Verb.LOCK, hero, 0)
    assert (hero.disk, hero.spent, hero.lock_chips) == (0, 2, [2] + [0] * (N_LOCKS - 1))


def test_r14_9_a_chip_set_free_by_a_hit_is_safe_from_that_hit():
    table = Table()
    hero = table.hero(disk=0, locks=[{"need": 3}])
    table.perform(Verb.DAMAGE, hero, 1)
    assert (hero.lock_chips[0], hero.spent, hero.wounds) == (0, 2, 1)
    table.perform(Verb.DAMAGE, hero, 1)
    assert (hero.spent, hero.wounds) == (1, 2)


def test_r3_17_a_running_passive_adds_successes_and_worth_of_h():
    table = Table()
    passive = {"need": 1, "reactive": {"might": 1}, "h_worth": {"might": 2}}
    hero = table.hero(blue=8, might=2, locks=[passive])
    table.reaction_dice(1, "H")
    table.perform(Verb.REACTIVE_CHECK, hero, 0, 9)
    assert table.states["check"]["remaining"][0] == 9 - (1 + 2 + 1)
    table.perform(Verb.UNLOCK, hero, 0)  # R14.10: it protects only while locked
    table.reaction_dice(1, "H")
    table.perform(Verb.REACTIVE_CHECK, hero, 0, 9)
    assert table.states["check"]["remaining"][0] == 8


def test_r8_9_a_running_passive_gives_evade_points_each_turn():
    table = Table()
    hero = table.hero(blue=8, evade=1, locks=[{"need": 1, "evade": 2}])
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert hero.evade == 3


def test_r7_18_a_running_passive_lets_its_owner_fly():
    table = Table("a-b", areas={"b": {"level": 1}}, borders=[("a", "b", "double")])
    hero, walker = table.hero(blue=8, locks=[{"need": 1, "fly": True}]), table.hero()
    table.perform(Verb.WALK, hero, 1)
    assert table.answer(Block.AREA, 1) == Denial.NONE
    table.perform(Verb.WALK, walker, 1)
    assert table.answer(Block.AREA, 1) == Denial.HEIGHT
