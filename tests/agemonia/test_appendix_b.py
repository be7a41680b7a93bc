"""Appendix B of the rulebook where a case cannot express it: offers to players, odd maps.

The numbers are those of the appendix; tests/cases/test_appendix_b.py has the others.
"""

import pytest

from agemonia_env.rulesets.agemonia.core.actions import Block, Turn
from agemonia_env.rulesets.agemonia.core.commands import Verb
from agemonia_env.rulesets.agemonia.core.layout import FOCUS
from agemonia_env.rulesets.agemonia.core.terms import Ability, Decision, Denial
from tests.agemonia.rules.table import Table

RETHINKS = [Turn.RETHINK_MOVE, Turn.RETHINK_RESTORE]
HIT = {"name": "hit", "effects": [{"attack": {}}]}


def offered(disk, *faces):
    """Amounts offered for the first S of these faces with this many chips on the disk."""
    table = Table()
    hero = table.hero(might=len(faces), disk=disk, spent=4)
    table.dice(*faces)
    table.perform(Verb.ACTIVE_CHECK, hero, Ability.MIGHT, 9)
    return table, table.legal(Block.AMOUNT)


@pytest.mark.parametrize(("disk", "amounts"), [(5, [0, 1, 2]), (2, [0, 1, 2]), (1, [0, 1])])
def test_b025_what_is_offered_for_a_stamina_face(disk, amounts):
    assert offered(disk, 1, "S")[1] == amounts


def test_b026_the_second_face_is_offered_the_rest_of_the_chips():
    table, amounts = offered(3, "S", "S")
    assert amounts == [0, 1, 2]
    table.answer(Block.AMOUNT, 2)
    assert table.legal(Block.AMOUNT) == [0, 1]


def test_b027_payment_is_asked_after_the_extra_die():
    table, _ = offered(4, "S", "X", 2)
    assert table.states["roll"]["successes"][0] == 3  # X and the 2 of its extra die
    assert table.unrolled == 0


@pytest.mark.parametrize(("faces", "rethinks"), [((1, 1), []), ((), RETHINKS)])
def test_b031_rethink_is_offered_until_the_focus_die_is_rolled(faces, rethinks):
    table = Table("a-b")
    hero = table.hero(might=1, blue=5, token=FOCUS)
    if faces:
        table.reaction_dice(*faces)
        table.perform(Verb.REACTIVE_CHECK, hero, Ability.MIGHT, 4)
    table.perform(Verb.START_TURN, hero, 0, 0)
    assert [choice for choice in RETHINKS if choice in table.legal(Block.TURN)] == rethinks


def test_b033_inspiration_is_asked_for_before_the_roll_and_never_after():
    table = Table()
    hero = table.hero(might=1, disk=3, inspiration=1)
    table.dice("S")
    table.perform(Verb.ACTIVE_CHECK, hero, Ability.MIGHT, 1)
    assert (table.asks[0], table.unrolled) == (Decision.INSPIRATION, 1)
    table.answer(Block.NO)
    assert (table.asks[0], table.unrolled) == (Decision.PAY, 0)
    assert table.denial(Block.YES) != Denial.NONE
    table.answer(Block.AMOUNT, 1)
    assert (table.asks[0], hero.inspiration) == (Decision.NONE, 1)


def test_b034_the_second_achievement_gem_is_never_asked_for():
    table = Table()
    hero = table.hero(might=1, achievement=2)
    table.dice(1)
    table.perform(Verb.ACTIVE_CHECK, hero, Ability.MIGHT, 9)
    assert (table.asks[0], table.unrolled) == (Decision.ACHIEVEMENT, 0)
    table.answer(Block.YES)
    assert (table.asks[0], hero.achievement) == (Decision.NONE, 1)
    assert table.states["check"]["total"][0] == 2


@pytest.mark.parametrize(("in_sight", "wounds"), [(1, 1), (0, 0)])
def test_b086_a_neighbour_within_range_that_does_not_see(in_sight, wounds):
    table = Table("c-a-b")
    hero = table.hero("a", blue=5)
    table.enemy("b", provoke=1, provoke_range=1)
    table.finish()
    for here, there in ((1, 2), (2, 1)):
        table.content["seen"][here] &= ~(1 << there) | in_sight << there
    table.perform(Verb.WALK, hero, 1)
    table.answer(Block.AREA, 0)
    assert (hero.area, hero.wounds) == (0, wounds)


@pytest.mark.parametrize(("weapons", "offers"), [([], RETHINKS), (None, [Turn.ACT, *RETHINKS])])
def test_b104_without_a_weapon_only_rethink_is_offered(weapons, offers):
    table = Table("a-b")
    hero = table.hero(blue=5, actions=[HIT], token=2, weapons=weapons)
    table.enemy("a", health=9)
    table.perform(Verb.START_TURN, hero, 0, 0)
    choices = (Turn.ACT, *RETHINKS)
    assert [choice for choice in choices if choice in table.legal(Block.TURN)] == offers
    expected = Denial.NONE if Turn.ACT in offers else Denial.NO_WEAPON
    assert table.denial(Block.TURN, Turn.ACT) == expected
