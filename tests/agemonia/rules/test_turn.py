"""Section 6: what an Ally may do in its own turn, and the costs."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import EXTRA_MANEUVER, FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Condition, Decision, Denial, Special
from tests.agemonia.rules.table import Table

MOVES = [Turn.MOVE_FREE, Turn.MOVE_PAID]
RECOVERS = [Turn.RECOVER_STAMINA, Turn.RECOVER_DAMAGE]
RETHINKS = [Turn.RETHINK_MOVE, Turn.RETHINK_RESTORE]
SPENT_MANEUVER = Turn.MOVE_FREE, Turn.RECOVER_DAMAGE
SPENT_ACTION = Turn.ACT, Turn.RETHINK_MOVE
EVADE = {"name": "dodge", "effects": [{"evade": 1}]}


def turn(bonus=0, jewels=0, areas="a-b", **hero):
    """A Hero alone, in its own turn; it has chosen the action that gives an Evade point."""
    table = Table(areas)
    ally = table.hero(**({"actions": [EVADE], "token": 2} | hero))
    assert table.perform(Verb.START_TURN, ally, bonus, jewels) == Denial.NONE
    return table, ally


# ---- the legal list in typical situations ---------------------------------------------------
def test_r6_1_a_fresh_turn_offers_action_rethink_and_maneuvers():
    table, _ = turn()
    assert table.asks == (Decision.TURN, 0)
    assert table.legal() == [
        (Block.TURN, choice) for choice in (Turn.ACT, *RETHINKS, *MOVES, *RECOVERS, Turn.END_TURN)
    ]


@pytest.mark.parametrize(
    ("choice", "left", "gone", "denial"),
    [
        (Turn.RECOVER_STAMINA, [Turn.ACT, *RETHINKS], SPENT_MANEUVER, Denial.NO_MANEUVER_LEFT),
        (Turn.ACT, [*MOVES, *RECOVERS], SPENT_ACTION, Denial.NO_ACTION_LEFT),
        (Turn.RETHINK_RESTORE, [*MOVES, *RECOVERS], SPENT_ACTION, Denial.NO_ACTION_LEFT),
    ],
)
def test_r6_1_after_one_of_them_only_the_other_is_left(choice, left, gone, denial):
    table, _ = turn()
    table.answer(Block.TURN, choice)
    assert table.legal(Block.TURN) == [*left, Turn.END_TURN]
    assert [table.denial(Block.TURN, one) for one in gone] == [denial, denial]


def test_r6_2_action_and_maneuver_may_be_forfeited():
    table, hero = turn()
    table.answer(Block.TURN, Turn.END_TURN)
    assert (hero.acted, table.active_ally, table.asks[0]) == (1, -1, Decision.NONE)
    assert table.perform(Verb.START_TURN, hero, 0, 0) == Denial.TURN_TAKEN  # R5.16


@pytest.mark.parametrize(
    ("token", "bonus", "jewels", "special", "expected"),
    [
        (2, 0, 0, 0, 1),
        (2, 1, 0, 0, 2),
        (2, 0, 1, 0, 2),
        (2, 1, 1, Special.FIRST, 2),  # R15.2: no bonus of the card
        (EXTRA_MANEUVER, 0, 0, 0, 2),
        (EXTRA_MANEUVER, 1, 1, 0, 4),
    ],
)
def test_r6_3_extra_maneuvers_stack(token, bonus, jewels, special, expected):
    table, _ = turn(token=token, bonus=bonus, jewels=jewels, special=special)
    assert (table.actions, table.maneuvers) == (1, expected)


# ---- maneuvers ------------------------------------------------------------------------------
def test_r6_5_the_paid_version_costs_stamina_and_gives_more_points():
    table, hero = turn(areas="a-b-c-d", move={"free": 1, "paid": 3, "cost": 2}, blue=4)
    table.answer(Block.TURN, Turn.MOVE_PAID)
    assert (table.states["move"]["points"][0], hero.disk, hero.spent) == (3, 2, 2)


def test_r6_5_the_paid_version_needs_the_stamina():
    table, _ = turn(disk=1, spent=4, move={"free": 1, "paid": 3, "cost": 2})
    assert table.denial(Block.TURN, Turn.MOVE_PAID) == Denial.NOT_ENOUGH_STAMINA
    assert table.denial(Block.TURN, Turn.MOVE_FREE) == Denial.NONE


def test_r6_6_points_not_used_are_lost():
    table, _ = turn(areas="a-b-c", bonus=1, move={"free": 2})
    table.answer(Block.TURN, Turn.MOVE_FREE)
    table.answer(Block.AREA, 1)
    table.answer(Block.DONE)
    assert table.asks[0] == Decision.TURN
    table.answer(Block.TURN, Turn.MOVE_FREE)
    assert table.states["move"]["points"][0] == 2


@pytest.mark.parametrize(
    ("choice", "after"),
    [(Turn.RECOVER_STAMINA, (5, 0, 3)), (Turn.RECOVER_DAMAGE, (4, 3, 1))],
)
def test_r6_7_and_r6_7a_recover_restores_or_heals_but_not_both(choice, after):
    table, hero = turn(disk=2, spent=3, wounds=3, recover={"stamina": 4, "damage": 2})
    table.answer(Block.TURN, choice)
    assert (hero.disk, hero.spent, hero.wounds) == after


def test_r13_2_hindered_recovers_one_less():
    table = Table()
    hero = table.hero(disk=2, spent=4, recover={"stamina": 3, "damage": 2})
    table.enemy()
    table.perform(Verb.RECOVER, hero, 0)
    assert (hero.disk, hero.spent) == (4, 2)


def test_r6_7_non_hero_allies_only_heal():
    table = Table()
    friend = table.companion(health=6, recover=2)
    friend.record["health"] = 1
    assert table.perform(Verb.RECOVER, friend, 0) == Denial.NOT_A_HERO
    assert table.perform(Verb.RECOVER, friend, 1) == Denial.NONE
    assert friend.health == 3


@pytest.mark.parametrize(
    ("condition", "choice"),
    [(Condition.HELD, Turn.DISCARD_HELD), (Condition.BLEEDING, Turn.DISCARD_BLEEDING)],
)
def test_r6_4_a_maneuver_discards_bleeding_or_held(condition, choice):
    table, hero = turn(conditions=[condition, Condition.CURSED])
    assert table.answer(Block.TURN, choice) == Denial.NONE
    assert (hero.holds(condition), hero.holds(Condition.CURSED)) == (False, True)
    assert table.maneuvers == 0


def test_r6_4_nothing_to_discard():
    table, _ = turn()
    assert table.denial(Block.TURN, Turn.DISCARD_HELD) == Denial.NOTHING_TO_DISCARD
    assert table.denial(Block.TURN, Turn.DISCARD_BLEEDING) == Denial.NOTHING_TO_DISCARD


def test_r12_6_held_forbids_moving_but_not_rethink():
    table, _ = turn(conditions=[Condition.HELD])
    assert [table.denial(Block.TURN, move) for move in MOVES] == [Denial.HELD, Denial.HELD]
    table.answer(Block.TURN, Turn.RETHINK_MOVE)
    assert table.legal(Block.AREA) == [1]  # R6.10


# ---- the action -----------------------------------------------------------------------------
def test_r6_13_an_action_that_cannot_be_paid_or_has_no_target_is_refused():
    attack = {"name": "hit", "effects": [{"attack": {}}]}
    table, _ = turn(actions=[attack])
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NO_TARGET
    table, _ = turn(disk=1, spent=3, actions=[EVADE | {"cost": 2}])
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NOT_ENOUGH_STAMINA
    assert set(RETHINKS) <= set(table.legal(Block.TURN))


def test_r16_3_a_gem_action_needs_the_gem_and_takes_it():
    table, _ = turn(actions=[EVADE | {"gem": 1}])
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NO_GEM
    table, hero = turn(actions=[EVADE | {"gem": 1}], inspiration=2)
    table.answer(Block.TURN, Turn.ACT)
    assert (hero.inspiration, hero.evade) == (1, 1)


@pytest.mark.parametrize("token", [FOCUS, EXTRA_MANEUVER])
def test_r5_2_the_printed_actions_work_from_their_selection_on(token):
    table, _ = turn(token=token)
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NO_SUCH_ACTION


# ---- Rethink --------------------------------------------------------------------------------
def test_r6_8_rethink_restores_one_stamina():
    table, hero = turn(disk=1, spent=2)
    table.answer(Block.TURN, Turn.RETHINK_RESTORE)
    assert (hero.disk, hero.spent, hero.flipped) == (2, 1, 1)


def test_r6_8_rethink_moves_one_area():
    table, hero = turn(areas="a-b-c")
    table.answer(Block.TURN, Turn.RETHINK_MOVE)
    table.answer(Block.AREA, 1)
    assert (hero.area, table.asks[0], table.maneuvers) == (1, Decision.TURN, 1)


def test_r6_10_slowed_does_not_touch_rethink():
    table, hero = turn(conditions=[Condition.SLOWED])
    table.answer(Block.TURN, Turn.RETHINK_MOVE)
    assert (table.states["move"]["points"][0], hero.holds(Condition.SLOWED)) == (1, True)


def test_r6_8_rethink_is_not_for_non_hero_allies():
    table = Table("a-b")
    friend = table.companion()
    table.perform(Verb.START_TURN, friend, 0, 0)
    assert table.legal(Block.TURN) == [Turn.MOVE_FREE, Turn.RECOVER_DAMAGE, Turn.END_TURN]
    assert table.denial(Block.TURN, Turn.RETHINK_MOVE) == Denial.NOT_A_HERO
    assert table.denial(Block.TURN, Turn.ACT) == Denial.NOTHING_CHOSEN


def test_r3_22_no_rethink_once_the_focus_die_was_rolled():
    table, hero = turn(token=FOCUS)
    assert table.denial(Block.TURN, Turn.RETHINK_MOVE) == Denial.NONE
    hero.record["focus_rolled"] = 1
    assert table.denial(Block.TURN, Turn.RETHINK_MOVE) == Denial.FOCUS_USED


def test_r6_3_extra_maneuver_comes_from_choosing_and_survives_rethink():
    table, _ = turn(token=EXTRA_MANEUVER)
    table.answer(Block.TURN, Turn.RECOVER_STAMINA)
    table.answer(Block.TURN, Turn.RETHINK_RESTORE)
    assert (table.actions, table.maneuvers) == (0, 1)


# ---- start and end of the turn --------------------------------------------------------------
def test_r6_12_bleeding_hurts_before_the_first_choice():
    table, hero = turn(blue=5, conditions=[Condition.BLEEDING])
    assert (hero.disk, hero.wounds, table.asks[0]) == (4, 1, Decision.TURN)
    assert hero.holds(Condition.BLEEDING)


def test_r12_8_confused_misses_the_action_and_rethink():
    table, hero = turn(conditions=[Condition.CONFUSED])
    assert table.legal(Block.TURN) == [*MOVES, *RECOVERS, Turn.END_TURN]
    table.answer(Block.TURN, Turn.END_TURN)
    assert not hero.holds(Condition.CONFUSED)


def test_r12_9_stunned_misses_action_and_one_maneuver():
    table, hero = turn(conditions=[Condition.STUNNED], bonus=1)
    assert (table.actions, table.maneuvers) == (0, 1)
    table.answer(Block.TURN, Turn.END_TURN)
    assert not hero.holds(Condition.STUNNED)


def test_r19_7_a_turn_that_starts_on_a_trap_token_asks_about_it():
    table = Table(areas={"a": {"trap": True}})
    hero = table.hero()
    table.states["trap"][0, 0] = 1
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert table.asks == (Decision.DISARM, hero.slot)


def test_r7_8_a_figure_above_the_maximum_is_put_back():
    table = Table("a-b", areas={"b": {"capacity": 1}})
    other, hero = table.hero("b"), table.hero("b", retreat=0)
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.answer(Block.TURN, Turn.END_TURN)
    assert (table.areas[hero.area], table.areas[other.area]) == ("a", "b")


def test_r14_4_the_owner_ends_a_passive_in_its_turn_at_no_cost():
    table, hero = turn(disk=2, locks=[{"need": 2}, {"need": 1}])
    assert table.legal(Block.LOCK) == [0, 1]
    assert table.denial(Block.LOCK, 2) == Denial.NOT_RUNNING
    table.answer(Block.LOCK, 0)
    assert (hero.spent, hero.lock_passive[0], hero.lock_chips[:2]) == (2, -1, [0, 1])
    assert (table.actions, table.maneuvers, table.asks[0]) == (1, 1, Decision.TURN)
    assert table.legal(Block.LOCK) == [1]


def test_r2_11_a_hero_without_stamina_acts_but_cannot_pay():
    table = Table("a-b")
    hero = table.hero(disk=0, spent=5, token=2, actions=[{"effects": [{"evade": 1}]}])
    table.perform(Verb.START_TURN, hero, 0, 0)
    turns = table.legal(Block.TURN)
    assert {Turn.ACT, Turn.MOVE_FREE, Turn.RECOVER_STAMINA} <= set(turns)
    assert table.denial(Block.TURN, Turn.MOVE_PAID) == Denial.NOT_ENOUGH_STAMINA
