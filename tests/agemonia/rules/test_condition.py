"""Section 12: the ten conditions as cards; what they do is tested where it happens."""

import pytest

from agemonia_env.agemonia.actions import Block, Turn
from agemonia_env.agemonia.terms import Condition as C
from agemonia_env.agemonia.verbs import Verb
from tests.agemonia.rules.table import Table

ENEMY = {C.BLEEDING, C.SLOWED, C.WEAKENED, C.HELD, C.CONFUSED, C.STUNNED, C.DOMINATED}


def held(figure):
    return {condition for condition in C if figure.holds(condition)}


@pytest.mark.parametrize("condition", list(C))
def test_r12_0a_which_figures_can_have_which(condition):
    table = Table("a-b-c")
    hero, beast = table.hero("a"), table.enemy("c")
    table.perform(Verb.GAIN, hero, condition)
    table.perform(Verb.GAIN, beast, condition)
    assert held(hero) == {condition}
    assert held(beast) == {condition} & ENEMY


def test_r12_0b_the_same_condition_is_held_once():
    table = Table()
    hero = table.hero(conditions=[C.SLOWED, C.HELD])
    table.perform(Verb.GAIN, hero, C.SLOWED)
    assert held(hero) == {C.SLOWED, C.HELD}


@pytest.mark.parametrize(
    ("gained", "left"),
    [
        (C.BLEEDING, {C.SLOWED, C.HELD}),  # the new one itself is the lowest (Q20)
        (C.WEAKENED, {C.WEAKENED, C.HELD}),
        (C.STUNNED, {C.HELD, C.STUNNED}),
    ],
)
def test_r12_0c_of_three_the_lowest_number_goes(gained, left):
    table = Table()
    hero, beast = (
        table.hero(conditions=[C.SLOWED, C.HELD]),
        table.enemy(conditions=[C.SLOWED, C.HELD]),
    )
    table.perform(Verb.GAIN, hero, gained)
    table.perform(Verb.GAIN, beast, gained)
    assert held(hero) == held(beast) == left


def test_r12_1_invisible_ends_with_an_enemy_within_range_one():
    table = Table("a-b-c")
    hero, far = table.hero("a"), table.hero("c")
    table.enemy("b")
    other = table.hero("a")
    table.perform(Verb.GAIN, hero, C.INVISIBLE)
    assert not hero.holds(C.INVISIBLE)
    table.perform(Verb.GAIN, far, C.INVISIBLE)
    assert not far.holds(C.INVISIBLE)
    assert other.conditions == 0


def test_r12_1_invisible_lasts_with_enemies_further_away():
    table = Table("a-b-c")
    hero = table.hero("a")
    table.enemy("c")
    table.perform(Verb.GAIN, hero, C.INVISIBLE)
    assert hero.holds(C.INVISIBLE)


def test_r12_0d_a_condition_gained_in_the_own_turn_acts_at_once():
    table = Table()
    hero = table.hero()
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.perform(Verb.GAIN, hero, C.STUNNED)
    assert (table.actions, table.maneuvers) == (0, 0)


def test_r12_12_stunned_waits_for_what_it_has_not_taken_yet():
    table = Table()
    hero = table.hero(recover={"stamina": 1, "damage": 1})
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.answer(Block.TURN, Turn.RECOVER_STAMINA)
    table.perform(Verb.GAIN, hero, C.STUNNED)  # the action goes, no maneuver was left to take
    assert (table.actions, table.maneuvers) == (0, 0)
    table.perform(Verb.END_TURN, hero)
    assert hero.holds(C.STUNNED)
    table.perform(Verb.NEXT_ROUND)
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert (table.actions, table.maneuvers) == (1, 0)
    table.perform(Verb.END_TURN, hero)
    assert not hero.holds(C.STUNNED)


def test_a_discarded_condition_is_gone():
    table = Table()
    hero, beast = table.hero(conditions=[C.HELD, C.CURSED]), table.enemy(conditions=[C.HELD])
    table.perform(Verb.DISCARD, hero, C.HELD)
    table.perform(Verb.DISCARD, beast, 0)
    assert (held(hero), held(beast)) == ({C.CURSED}, set())
