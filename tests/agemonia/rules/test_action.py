"""R6.1, R9.6 and effect rows: what the parts of an action do, and to whom."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial
from tests.agemonia.rules.table import Table


def actor(*effects, areas="a-b-c", **hero):
    """A Hero in its own turn that has chosen an action with these effects."""
    cost = hero.pop("cost", 0)
    table = Table(areas)
    action = {"cost": cost, "effects": list(effects)}
    if "disk" not in hero:
        hero = {"blue": 8} | hero
    ally = table.hero(actions=[action], token=2, **hero)
    return table, ally


def act(table, hero):
    """Begin the turn and perform the action -> Denial."""
    table.perform(Verb.START_TURN, hero, 0, 0)
    return table.answer(Block.TURN, Turn.ACT)


def refused(table, hero):
    table.perform(Verb.START_TURN, hero, 0, 0)
    return table.denial(Block.TURN, Turn.ACT)


# ---- helping --------------------------------------------------------------------------------
def test_an_ally_within_range_is_named():
    table, hero = actor({"heal": {"amount": 2, "range": 1}})
    near, far = table.companion("b", health=6), table.companion("c", health=6)
    near.record["health"] = 1
    act(table, hero)
    assert table.asks == (Decision.RECIPIENT, hero.slot)
    assert table.legal(Block.ALLY) == [hero.slot, near.slot]
    assert table.denial(Block.ALLY, far) == Denial.OUT_OF_RANGE
    assert table.denial(Block.ALLY, 5) == Denial.OUT_OF_ACTION
    table.answer(Block.ALLY, near)
    assert (near.health, table.actions, table.asks[0]) == (3, 0, Decision.TURN)


@pytest.mark.parametrize(
    ("effect", "after"),
    [({"heal": {"amount": 2}}, (3, 2, 1)), ({"restore": {"amount": 3}}, (3, 0, 3))],
)
def test_r2_9_heal_and_restore_do_one_thing_only(effect, after):
    table, hero = actor(effect, disk=1, spent=2, wounds=3)
    act(table, hero)
    table.answer(Block.ALLY, hero)
    assert (hero.disk, hero.spent, hero.wounds) == after


def test_r2_9_a_mixed_amount_is_split_by_its_player():
    table, hero = actor({"mixed": {"amount": 4}}, disk=1, spent=2, wounds=3)
    act(table, hero)
    table.answer(Block.ALLY, hero)
    assert table.asks == (Decision.AMOUNT, hero.slot)
    assert table.legal(Block.AMOUNT) == [0, 1, 2]  # no more than lie in the spent pool
    assert table.denial(Block.AMOUNT, 3) == Denial.TOO_MUCH
    table.answer(Block.AMOUNT, 1)
    assert (hero.disk, hero.spent, hero.wounds, table.result) == (5, 1, 0, 4)


def test_r2_9_a_mixed_amount_only_heals_a_non_hero_ally():
    table, hero = actor({"mixed": {"amount": 4}})
    friend = table.companion(health=6)
    friend.record["health"] = 1
    act(table, hero)
    table.answer(Block.ALLY, friend)
    assert (friend.health, table.asks[0]) == (5, Decision.TURN)


@pytest.mark.parametrize(
    ("effect", "after"), [("roll_heal", (3, 4, 1)), ("roll_restore", (3, 1, 4))]
)
def test_a_rolled_amount_counts_paid_symbols_but_no_gems(effect, after):
    gems = {"inspiration": 1, "achievement": 1}
    table, hero = actor({effect: {"amount": 2}}, disk=1, spent=3, wounds=4, **gems)
    table.dice("S", 2)
    act(table, hero)
    table.answer(Block.ALLY, hero)
    assert table.asks == (Decision.PAY, hero.slot)
    table.answer(Block.AMOUNT, 1)  # disk 0, spent 4, and 3 successes
    assert (table.asks[0], hero.disk, hero.spent, hero.wounds) == (Decision.TURN, *after)
    assert (hero.inspiration, hero.achievement) == (1, 1)


def test_gain_gives_a_condition_to_an_ally():
    table, hero = actor({"gain": {"condition": "blessed", "range": 1}})
    friend = table.companion("b")
    act(table, hero)
    table.answer(Block.ALLY, friend)
    assert (friend.holds(Condition.BLESSED), hero.conditions) == (True, 0)


def test_one_condition_of_an_ally_is_discarded():
    table, hero = actor({"discard_one": {"range": 1}})
    other = table.hero("b", conditions=[Condition.HELD, Condition.CURSED])
    act(table, hero)
    table.answer(Block.ALLY, other)
    assert table.asks == (Decision.DISCARD, hero.slot)
    assert table.legal(Block.CONDITION) == [Condition.HELD, Condition.CURSED]
    assert table.denial(Block.CONDITION, Condition.BLEEDING) == Denial.NOTHING_TO_DISCARD
    table.answer(Block.CONDITION, Condition.CURSED)
    assert (other.holds(Condition.HELD), other.holds(Condition.CURSED)) == (True, False)


def test_nothing_to_discard_asks_nothing():
    table, hero = actor({"discard_one": {}})
    act(table, hero)
    table.answer(Block.ALLY, hero)
    assert table.asks[0] == Decision.TURN


# ---- afflicting -----------------------------------------------------------------------------
def test_an_enemy_within_range_and_sight_is_afflicted():
    table, hero = actor({"afflict": {"condition": "held", "range": 1}})
    near, far = table.enemy("b"), table.enemy("c")
    act(table, hero)
    assert table.asks == (Decision.AFFLICTED, hero.slot)
    assert table.legal() == [(Block.ENEMY, near.slot)]
    assert table.denial(Block.ENEMY, far) == Denial.OUT_OF_RANGE
    assert table.denial(Block.ENEMY, 9) == Denial.NO_TARGET
    table.answer(Block.ENEMY, near)
    assert (near.holds(Condition.HELD), far.holds(Condition.HELD)) == (True, False)


def test_with_nobody_to_afflict_the_action_is_refused():
    table, hero = actor({"afflict": {"condition": "held", "range": 1}})
    table.enemy("c")
    assert refused(table, hero) == Denial.NO_TARGET


# ---- everything else ------------------------------------------------------------------------
def test_q4_movement_of_an_action_is_not_a_move_maneuver():
    table, hero = actor({"move": 2}, conditions=[Condition.HELD, Condition.SLOWED])
    act(table, hero)
    assert (table.asks[0], table.states["move"]["points"][0]) == (Decision.STEP, 2)
    table.answer(Block.AREA, 1)
    table.answer(Block.AREA, 2)
    assert (hero.area, table.maneuvers) == (2, 1)
    assert hero.holds(Condition.SLOWED)


def test_evade_and_gems():
    table, hero = actor({"evade": 2}, {"gem": 3}, evade=1, achievement=13)
    act(table, hero)
    assert (hero.evade, hero.achievement) == (3, 15)


def test_a_lock_starts_the_passive():
    table, hero = actor({"lock": {"need": 2, "evade": 1}}, cost=1)
    act(table, hero)
    assert (hero.disk, hero.spent, hero.lock_chips[0]) == (5, 1, 2)


def test_effects_go_in_the_order_of_their_rows():
    table, hero = actor({"evade": 1}, {"move": 1}, {"heal": {"amount": 1}}, wounds=1)
    asked = []
    act(table, hero)
    asked.append(table.asks[0])
    table.answer(Block.AREA, 1)
    asked.append(table.asks[0])
    table.answer(Block.ALLY, hero)
    assert asked == [Decision.STEP, Decision.RECIPIENT]
    assert (hero.evade, hero.wounds) == (1, 0)


def test_r9_6_the_cost_is_paid_before_the_effects():
    table, hero = actor({"restore": {"amount": 1}}, disk=3, spent=1, cost=2)
    act(table, hero)
    table.answer(Block.ALLY, hero)
    assert (hero.disk, hero.spent) == (2, 2)


def test_r6_13_one_effect_to_be_had_is_enough_and_the_others_are_skipped():
    table, hero = actor({"attack": {}}, {"evade": 1})
    act(table, hero)
    assert (hero.evade, table.asks[0]) == (1, Decision.TURN)


def test_an_action_ends_with_the_hero_that_is_exhausted_by_it():
    table, hero = actor({"move": 1}, {"heal": {"amount": 1}}, areas="a-b", blue=1, wounded=1, red=1)
    table.hero("b")
    table.enemy("a", provoke=9)
    act(table, hero)
    table.answer(Block.AREA, 1)
    assert (hero.exhausted, table.active_ally) == (1, -1)


# ---- Cursed ---------------------------------------------------------------------------------
def cursed(*effects, **hero):
    table, ally = actor(*effects, areas="a", conditions=[Condition.CURSED], cost=1, **hero)
    beast = table.enemy(health=20)
    return table, ally, beast


def test_r12_7_in_a_cursed_attack_action_stamina_turns_red():
    table, hero, beast = cursed({"attack": {"dice": 1}})
    table.dice("S")
    act(table, hero)
    table.answer(Block.ENEMY, beast)
    table.answer(Block.AMOUNT, 2)
    assert (hero.disk, hero.spent, hero.wounds) == (5, 0, 3)
    assert not hero.holds(Condition.CURSED)


def test_r12_7_cursed_lasts_through_both_attacks_of_an_action():
    table, hero, beast = cursed({"attack": {"dice": 1}}, {"attack": {"dice": 1}})
    table.dice("S", "S")
    act(table, hero)
    for _ in range(2):
        assert hero.holds(Condition.CURSED)
        table.answer(Block.ENEMY, beast)
        table.answer(Block.AMOUNT, 1)
    assert (hero.disk, hero.spent, hero.wounds, beast.health) == (5, 0, 3, 18)
    assert not hero.holds(Condition.CURSED)


def test_r12_7_an_action_without_attack_leaves_cursed_alone():
    table, hero, _ = cursed({"evade": 1})
    act(table, hero)
    assert (hero.disk, hero.spent, hero.wounds) == (7, 1, 0)
    assert hero.holds(Condition.CURSED)


def test_r9_7_a_further_attack_may_be_left_out():
    table, hero = actor({"attack": {"dice": 1}}, {"attack": {"dice": 1}}, areas="a")
    beast = table.enemy(health=9)
    table.dice(1)
    act(table, hero)
    assert table.denial(Block.DONE) == Denial.NO_TARGET  # the first one needs a target
    table.answer(Block.ENEMY, beast)
    assert table.asks[0] == Decision.TARGET
    assert table.answer(Block.DONE) == Denial.NONE
    assert (beast.health, table.asks[0]) == (8, Decision.TURN)


# ---- setting traps --------------------------------------------------------------------------
def test_r19_9_a_hero_sets_a_trap_within_range():
    table, hero = actor({"set_trap": {"range": 1}})
    assert act(table, hero) == Denial.NONE
    assert table.asks == (Decision.TRAP_AREA, hero.slot)
    assert table.legal() == [(Block.AREA, 0), (Block.AREA, 1)]
    table.answer(Block.AREA, 1)
    assert table.trap[:3] == [0, 1, 0]


def test_r19_9_no_area_for_a_trap_no_action():
    table, hero = actor({"set_trap": {"range": 0}})
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NONE
    table.states["trap"][0, 0] = 1
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NO_TARGET
