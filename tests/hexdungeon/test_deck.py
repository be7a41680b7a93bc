"""G1 Attack modifier deck."""

from collections import Counter

import pytest

from agemonia_env.rulesets.hexdungeon.content.modifier_cards import STANDARD, deck_of
from tests.hexdungeon.modifier_deck import ModifierDeck

LESS = (3, "disadvantage")


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


@pytest.mark.parametrize(
    ("rule", "cards", "drawn", "value", "after"),
    [
        ("G1.4", ["+1"], (3,), 4, {}),
        ("G1.4", ["-2"], (3,), 1, {}),
        ("G1.4", ["x2"], (3,), 6, {}),
        ("G1.4", ["null"], (3,), 0, {}),
        ("G1.5", ["rolling +1", "null"], (5,), 0, {"applied": ["rolling +1", "null"]}),
        ("G1.6 drawn is enough", ["null", "+1"], (2, "advantage"), 3, {"shuffles": True}),
        ("G1.9", ["bless", "+0"], (3,), 6, {"left": ["+0"], "discards": []}),
        ("G1.10", ["curse", "+0"], (3,), 0, {"left": ["+0"], "discards": []}),
        ("G1.10 not applied", ["bless", "+0"], LESS, 3, {"left": [], "discards": ["+0"]}),
        ("G1.13", ["rolling +1", "rolling muddle", "+1", "+2"], (2,), 4, {"left": ["+2"]}),
        ("G1.14 before doubling", ["rolling +1", "x2"], (3,), 8, {}),
        ("no card is left", ["rolling +1", "rolling +1"], (3,), 5, {}),
        ("no card is left", ["+1"], LESS, 4, {}),
    ],
)
def test_what_a_draw_gives_and_leaves(rule, cards, drawn, value, after):
    deck = ModifierDeck(*cards)
    assert deck.draw(*drawn) == value
    assert {name: getattr(deck, name) for name in after} == after


def test_g1_6_g1_7_the_shuffle_waits_for_the_end_of_the_round():
    deck = ModifierDeck("x2", *["+0"] * 5)
    deck.draw()
    assert deck.shuffles
    deck.draw()
    assert (len(deck.left), len(deck.discards)) == (4, 2)
    deck.end_round()
    assert (len(deck.left), len(deck.discards), deck.shuffles) == (6, 0, False)


@pytest.mark.parametrize("card", ["+1", "x2 fire", "bless", "curse"])
def test_g1_6_g1_11_other_cards_do_not_shuffle(card):
    deck = ModifierDeck(card, "+0")
    deck.draw()
    assert not deck.shuffles
    deck.end_round()
    assert deck.left == ["+0"]


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
