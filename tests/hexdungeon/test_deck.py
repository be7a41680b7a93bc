"""G1 Attack modifier deck."""

from collections import Counter

import pytest

from agemonia_env.rulesets.hexdungeon.content.modifier_cards import STANDARD, deck_of
from tests.hexdungeon.piles import Pile


def test_g1_1_the_standard_deck():
    assert Counter(STANDARD) == {"+0": 6, "+1": 5, "-1": 5, "+2": 1, "-2": 1, "x2": 1, "null": 1}


def test_g1_8_twenty_draws_are_the_deck_and_the_next_one_refills_it():
    pile = Pile(*STANDARD)
    pile.shuffle()
    drawn = []
    for _ in range(20):
        pile.draw()
        drawn += pile.drawn
    assert Counter(drawn) == Counter(STANDARD)
    pile.draw()
    assert (len(pile.left), len(pile.discards)) == (19, 1)


def test_g1_8_cards_of_the_draw_going_on_are_not_part_of_the_refill():
    pile = Pile("rolling +1", "rolling +1", "+0")
    assert pile.draw() == 5
    pile = Pile("-1", "rolling +1")
    pile.draw()
    assert pile.draw() == 3  # the rolling card, then the -1 out of the discards
    assert pile.drawn == ["rolling +1", "-1"]


def test_a_draw_ends_when_no_card_is_left():
    pile = Pile("rolling +1", "rolling +1")
    assert pile.draw() == 5
    assert Pile("+1").draw(mode="disadvantage") == 4


def test_g1_4_cards_change_the_value():
    assert [Pile(card).draw() for card in ("+1", "-2", "x2", "null")] == [4, 1, 6, 0]


def test_g1_5_nothing_helps_against_a_null():
    pile = Pile("rolling +1", "null")
    assert pile.draw(5) == 0
    assert pile.applied == ["rolling +1", "null"]


def test_g1_6_g1_7_the_shuffle_waits_for_the_end_of_the_round():
    pile = Pile("x2", *["+0"] * 5)
    pile.draw()
    assert pile.shuffles
    pile.draw()
    assert (len(pile.left), len(pile.discards)) == (4, 2)
    pile.end_round()
    assert (len(pile.left), len(pile.discards), pile.shuffles) == (6, 0, False)


def test_g1_6_being_drawn_is_enough():
    pile = Pile("null", "+1")
    assert pile.draw(2, "advantage") == 3
    assert pile.shuffles


@pytest.mark.parametrize("card", ["+1", "x2 fire", "bless", "curse"])
def test_g1_6_g1_11_other_cards_do_not_shuffle(card):
    pile = Pile(card, "+0")
    pile.draw()
    assert not pile.shuffles
    pile.end_round()
    assert pile.left == ["+0"]


@pytest.mark.parametrize(("card", "value"), [("bless", 6), ("curse", 0)])
def test_g1_9_g1_10_a_bless_or_curse_leaves_the_deck(card, value):
    pile = Pile(card, "+0")
    assert pile.draw() == value
    assert (pile.left, pile.discards) == (["+0"], [])


def test_g1_10_also_when_it_is_not_applied():
    pile = Pile("bless", "+0")
    assert pile.draw(mode="disadvantage") == 3
    assert (pile.left, pile.discards) == ([], ["+0"])


def test_g1_13_rolling_cards_go_on():
    pile = Pile("rolling +1", "rolling muddle", "+1", "+2")
    assert pile.draw(2) == 4
    assert pile.left == ["+2"]


def test_g1_14_numbers_before_doubling():
    assert Pile("rolling +1", "x2").draw(3) == 8


def test_a_shuffle_leaves_every_order_as_likely():
    orders = Counter()
    for seed in range(6000):
        pile = Pile("+0", "+1", "+2", seed=seed)
        pile.shuffle()
        orders[tuple(pile.left)] += 1
    assert len(orders) == 6
    assert sum((n - 1000) ** 2 / 1000 for n in orders.values()) < 20.5  # 5 degrees, p = 0.001


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("+1 sutn", "'sutn' is none of"),
        ("push", "push needs an amount"),
        ("+1 push 0", "push needs an amount"),
        ("rolling", "needs a value"),
        ("", "needs a value"),
        ("+100", "is none of"),
        ("+0 fire ice air earth dark", "at most 4"),
    ],
)
def test_what_is_no_card_is_said_to_be_none(card, said):
    with pytest.raises(ValueError, match=said):
        deck_of([card])


def test_a_deck_has_an_end():
    with pytest.raises(ValueError, match="at most 64"):
        deck_of(["+0"] * 65)
