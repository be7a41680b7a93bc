"""G2 Advantage and disadvantage."""

import pytest

from agemonia_env.core.jit import entry
from agemonia_env.rulesets.hexdungeon.core.rules import advantage
from agemonia_env.rulesets.hexdungeon.core.terms import Draw
from tests.hexdungeon.modifier_deck import ModifierDeck


@entry
def mode_of(advantages, disadvantages):
    return advantage.mode_of(advantages, disadvantages)


@pytest.mark.parametrize(
    ("instances", "mode"),
    [
        ((0, 0), Draw.NORMAL),
        ((1, 0), Draw.ADVANTAGE),
        ((3, 0), Draw.ADVANTAGE),
        ((0, 2), Draw.DISADVANTAGE),
        ((1, 1), Draw.NORMAL),
        ((1, 2), Draw.NORMAL),
    ],
)
def test_g2_1_g2_2_instances(instances, mode):
    assert mode_of(*instances) == mode


def applied(first, second, mode, value=3):
    deck = ModifierDeck(first, second)
    deck.draw(value, mode)
    assert deck.drawn == [first, second]
    return deck.applied


def both(first, second, value=3):
    """What applies under advantage and under disadvantage."""
    return [applied(first, second, mode, value) for mode in ("advantage", "disadvantage")]


def test_g2_4_g2_7_the_better_and_the_worse():
    assert both("-1", "+1") == [["+1"], ["-1"]]
    assert both("+1", "-1") == [["+1"], ["-1"]]


def test_g2_5_g2_8_one_rolling_card():
    for cards in (("rolling fire", "-1"), ("-1", "rolling fire")):
        assert both(*cards) == [list(cards), ["-1"]]


def test_g2_6_g2_9_two_rolling_cards():
    cards = ("rolling +1", "rolling muddle", "+2", "+0")
    for mode, value, used in (("advantage", 6, list(cards[:3])), ("disadvantage", 5, ["+2"])):
        deck = ModifierDeck(*cards)
        assert deck.draw(3, mode) == value
        assert (deck.applied, deck.left) == (used, ["+0"])


@pytest.mark.parametrize(
    ("value", "one", "other"),
    [
        (3, "+0 stun", "+2"),
        (3, "+1 stun", "+1 fire"),
        (3, "+0 muddle", "+2 stun"),
        (3, "+1 push 1", "+1 push 2"),
        (3, "+1 fire fire", "+1 fire ice"),
        (2, "x2", "+2"),  # G2.12: equal
        (0, "null", "-1"),
    ],
)
def test_g2_11_g2_13_unclear_takes_the_first(value, one, other):
    assert both(one, other, value) == [[one]] * 2
    assert both(other, one, value) == [[other]] * 2


def test_g2_12_unclear_depends_on_both_number_and_effect():
    assert both("+0 muddle", "+2 stun muddle") == [["+2 stun muddle"], ["+0 muddle"]]


@pytest.mark.parametrize(
    ("value", "better", "worse"),
    [
        *((1, "+2", "x2"), (3, "x2", "+2"), (1, "-2 stun", "-1"), (0, "+1", "x2")),
        (2, "+0", "null"),
        *((3, "+1 stun", "+1"), (3, "+1 fire fire", "+1 fire"), (3, "+2 stun", "+1 stun")),
        (3, "+0 push 1", "+0"),  # G2.12, G2.13: an effect is worth something
    ],
)
def test_g2_14_cards_are_compared_through_this_attack(value, better, worse):
    for cards in ((better, worse), (worse, better)):
        assert both(*cards, value) == [[better], [worse]]
