"""G1 Attack modifier deck."""

from collections import Counter

import pytest

from agemonia_env.rulesets.hexdungeon.content.modifier_cards import STANDARD, deck_of
from tests.hexdungeon.modifier_deck import ModifierDeck


def test_g1_1_the_standard_deck():
    assert Counter(STANDARD) == {"+0": 6, "+1": 5, "-1": 5, "+2": 1, "-2": 1, "x2": 1, "null": 1}


def test_g1_8_twenty_draws_are_the_deck_and_the_next_one_refills_it():
    deck = ModifierDeck(*STANDARD)
    deck.shuffle()
    drawn = []
    for _ in range(20):
        deck.draw()
        drawn += deck.drawn
    assert Counter(drawn) == Counter(STANDARD)
    deck.draw()
    assert (len(deck.left), len(deck.discards)) == (19, 1)


def test_g1_8_cards_of_the_current_draw_are_not_refilled():
    deck = ModifierDeck("rolling +1", "rolling +1", "+0")
    assert deck.draw() == 5
    deck = ModifierDeck("-1", "rolling +1")
    deck.draw()
    assert deck.draw() == 3  # the rolling card, then the -1 out of the discards
    assert deck.drawn == ["rolling +1", "-1"]


def test_a_draw_ends_when_no_card_is_left():
    deck = ModifierDeck("rolling +1", "rolling +1")
    assert deck.draw() == 5
    assert ModifierDeck("+1").draw(mode="disadvantage") == 4


def test_g1_4_cards_change_the_value():
    assert [ModifierDeck(card).draw() for card in ("+1", "-2", "x2", "null")] == [4, 1, 6, 0]


def test_g1_5_nothing_helps_against_a_null():
    deck = ModifierDeck("rolling +1", "null")
    assert deck.draw(5) == 0
    assert deck.applied == ["rolling +1", "null"]


def test_g1_6_g1_7_the_shuffle_waits_for_the_end_of_the_round():
    deck = ModifierDeck("x2", *["+0"] * 5)
    deck.draw()
    assert deck.shuffles
    deck.draw()
    assert (len(deck.left), len(deck.discards)) == (4, 2)
    deck.end_round()
    assert (len(deck.left), len(deck.discards), deck.shuffles) == (6, 0, False)


def test_g1_6_being_drawn_is_enough():
    deck = ModifierDeck("null", "+1")
    assert deck.draw(2, "advantage") == 3
    assert deck.shuffles


@pytest.mark.parametrize("card", ["+1", "x2 fire", "bless", "curse"])
def test_g1_6_g1_11_other_cards_do_not_shuffle(card):
    deck = ModifierDeck(card, "+0")
    deck.draw()
    assert not deck.shuffles
    deck.end_round()
    assert deck.left == ["+0"]


@pytest.mark.parametrize(("card", "value"), [("bless", 6), ("curse", 0)])
def test_g1_9_g1_10_a_bless_or_curse_leaves_the_deck(card, value):
    deck = ModifierDeck(card, "+0")
    assert deck.draw() == value
    assert (deck.left, deck.discards) == (["+0"], [])


def test_g1_10_also_when_it_is_not_applied():
    deck = ModifierDeck("bless", "+0")
    assert deck.draw(mode="disadvantage") == 3
    assert (deck.left, deck.discards) == ([], ["+0"])


def test_g1_13_rolling_cards_go_on():
    deck = ModifierDeck("rolling +1", "rolling muddle", "+1", "+2")
    assert deck.draw(2) == 4
    assert deck.left == ["+2"]


def test_g1_14_numbers_before_doubling():
    assert ModifierDeck("rolling +1", "x2").draw(3) == 8


def test_a_shuffle_leaves_every_order_as_likely():
    orders = Counter()
    for seed in range(6000):
        deck = ModifierDeck("+0", "+1", "+2", seed=seed)
        deck.shuffle()
        orders[tuple(deck.left)] += 1
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
def test_an_invalid_card_is_named(card, said):
    with pytest.raises(ValueError, match=said):
        deck_of([card])


def test_a_deck_has_an_end():
    with pytest.raises(ValueError, match="at most 64"):
        deck_of(["+0"] * 65)
