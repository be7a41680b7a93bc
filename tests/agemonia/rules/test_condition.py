"""Section 12: the ten conditions as cards; their effects are tested with the rules they change."""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.terms import Condition
from tests.agemonia.rules.table import Table

ENEMY = {
    Condition.BLEEDING,
    Condition.SLOWED,
    Condition.WEAKENED,
    Condition.HELD,
    Condition.CONFUSED,
    Condition.STUNNED,
    Condition.DOMINATED,
}


def held(figure):
    return {condition for condition in Condition if figure.holds(condition)}


@pytest.mark.parametrize("condition", list(Condition))
def test_r12_0a_which_figures_can_have_which(condition):
    table = Table("a-b-c")
    hero, beast = table.hero("a"), table.enemy("c")
    table.perform(Verb.GAIN, hero, condition)
    table.perform(Verb.GAIN, beast, condition)
    assert held(hero) == {condition}
    assert held(beast) == {condition} & ENEMY


def test_r12_0b_the_same_condition_is_held_once():
    table = Table()
    hero = table.hero(conditions=[Condition.SLOWED, Condition.HELD])
    table.perform(Verb.GAIN, hero, Condition.SLOWED)
    assert held(hero) == {Condition.SLOWED, Condition.HELD}


@pytest.mark.parametrize(
    ("gained", "left"),
    [
        (
            Condition.BLEEDING,
            {Condition.SLOWED, Condition.HELD},
        ),  # the new one itself is the lowest (Q20)
        (Condition.WEAKENED, {Condition.WEAKENED, Condition.HELD}),
        (Condition.STUNNED, {Condition.HELD, Condition.STUNNED}),
    ],
)
def test_r12_0c_of_three_the_lowest_number_goes(gained, left):
    table = Table()
    hero, beast = (
        table.hero(conditions=[Condition.SLOWED, Condition.HELD]),
        table.enemy(conditions=[Condition.SLOWED, Condition.HELD]),
    )
    table.perform(Verb.GAIN, hero, gained)
    table.perform(Verb.GAIN, beast, gained)
    assert held(hero) == held(beast) == left


def test_r12_1_invisible_ends_with_an_enemy_within_range_one():
    table = Table("a-b-c")
    hero, far = table.hero("a"), table.hero("c")
    table.enemy("b")
    other = table.hero("a")
    table.perform(Verb.GAIN, hero, Condition.INVISIBLE)
    assert not hero.holds(Condition.INVISIBLE)
    table.perform(Verb.GAIN, far, Condition.INVISIBLE)
    assert not far.holds(Condition.INVISIBLE)
    assert other.conditions == 0


def test_r12_1_invisible_lasts_with_enemies_further_away():
    table = Table("a-b-c")
    hero = table.hero("a")
    table.enemy("c")
    table.perform(Verb.GAIN, hero, Condition.INVISIBLE)
    assert hero.holds(Condition.INVISIBLE)


def test_r12_0d_a_condition_gained_in_the_own_turn_acts_at_once():
    table = Table()
    hero = table.hero()
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.perform(Verb.GAIN, hero, Condition.STUNNED)
    assert (table.actions, table.maneuvers) == (0, 0)


def test_r12_12_stunned_waits_for_what_it_has_not_taken_yet():
    table = Table()
    hero = table.hero(recover={"stamina": 1, "damage": 1})
    table.perform(Verb.START_TURN, hero, 0, 0)
    table.answer(Block.TURN, Turn.RECOVER_STAMINA)
    table.perform(
        Verb.GAIN, hero, Condition.STUNNED
    )  # the action goes, no maneuver was left to take
    assert (table.actions, table.maneuvers) == (0, 0)
    table.perform(Verb.END_TURN, hero)
    assert hero.holds(Condition.STUNNED)
    table.perform(Verb.NEXT_ROUND)
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert (table.actions, table.maneuvers) == (1, 0)
    table.perform(Verb.END_TURN, hero)
    assert not hero.holds(Condition.STUNNED)


def test_a_discarded_condition_is_gone():
    table = Table()
    hero, beast = (
        table.hero(conditions=[Condition.HELD, Condition.CURSED]),
        table.enemy(conditions=[Condition.HELD]),
    )
    table.perform(Verb.DISCARD, hero, Condition.HELD)
    table.perform(Verb.DISCARD, beast, 0)
    assert (held(hero), held(beast)) == ({Condition.CURSED}, set())
