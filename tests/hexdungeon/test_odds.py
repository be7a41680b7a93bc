"""G1.17, G7 - exact odds: the rulebook's table, all orders of small decks, and sampling."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.rulesets.hexdungeon.content.modifier_cards import STANDARD, deck_of
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.terms import Draw
from agemonia_env.rulesets.hexdungeon.tools import odds
from agemonia_env.rulesets.hexdungeon.tools.odds import Attack, damage_of, mean
from tests.hexdungeon.modifier_deck import ModifierDeck


@pytest.mark.parametrize(
    ("value", "means"),
    [
        (1, ("21/20", "30/19", "99/190")),
        (2, ("2", "507/190", "253/190")),
        (3, ("3", "358/95", "212/95")),
        (4, ("4", "185/38", "119/38")),
        (5, ("5", "567/95", "383/95")),
    ],
)
def test_g1_17_means(value, means):
    for mode, expected in zip(Draw, means, strict=True):
        assert mean(damage_of(Attack(value), STANDARD, mode)) == Fraction(expected)


@pytest.mark.parametrize(
    ("mode", "of", "counts"),
    [
        (Draw.NORMAL, 20, {0: 1, 1: 1, 2: 5, 3: 6, 4: 5, 5: 1, 6: 1}),
        (Draw.ADVANTAGE, 380, {1: 2, 2: 40, 3: 114, 4: 150, 5: 36, 6: 38}),
        (Draw.DISADVANTAGE, 380, {0: 38, 1: 36, 2: 150, 3: 114, 4: 40, 5: 2}),
    ],
)
def test_g1_17_attack_3(mode, of, counts):
    expected = {damage: Fraction(n, of) for damage, n in counts.items()}
    assert damage_of(Attack(3), STANDARD, mode) == expected


DECKS = (
    ["+0"],
    ["rolling +1", "rolling +2"],
    ["+1", "-1", "x2", "null", "bless"],
    ["rolling +1", "rolling +1", "rolling fire", "+0", "x2", "curse"],
    ["rolling +1", "+0 stun", "+2", "+0", "x2", "-1"],
    ["rolling x2", "rolling +1", "rolling pierce 2", "-1", "+1 pierce 1", "null"],
)


@pytest.mark.parametrize("cards", DECKS)
@pytest.mark.parametrize("mode", list(Draw))
def test_all_orders_of_a_small_deck(cards, mode):
    attack = Attack(2, shield=2)
    counts = Counter()
    for order in itertools.permutations(cards):
        deck = ModifierDeck(*order)
        value = deck.draw(2, mode.name)
        pierce = sum(int(card.partition("pierce ")[2] or 0) for card in deck.applied)
        counts[max(0, value - max(0, 2 - pierce))] += 1
    n = math.factorial(len(cards))
    expected = {damage: Fraction(count, n) for damage, count in counts.items()}
    assert damage_of(attack, cards, mode) == expected


@pytest.mark.parametrize("mode", list(Draw))
def test_sampling_agrees(mode):
    cards = [*STANDARD, "rolling +1", "rolling +1", "bless", "+1 stun"]
    n = 100_000 if COMPILED else 2_000
    decks = np.repeat(deck_of(cards), n)
    counters, results = np.array([5], np.uint64), np.zeros((n, 2), np.int64)
    api.shuffle(decks, counters, 0)
    api.draw(decks, int(mode), 3, counters, 0)
    api.write_results(decks, 3, results)
    found = Counter(results[:, 0].tolist())
    expected = damage_of(Attack(3), cards, mode)
    assert found.keys() <= expected.keys()
    shares = [(found[value], float(n * share)) for value, share in expected.items()]
    # chi-square with at most 12 degrees, p = 0.001
    assert sum((seen - due) ** 2 / due for seen, due in shares) < 32.9


@pytest.mark.parametrize(
    ("attack", "damage"),
    [
        (Attack(3, bonus=2, doublings=1, shield=1), 8),  # G7.3, with the card -1
        (Attack(2, poisoned=True, doublings=1, shield=1), 4),
        (Attack(3, shield=3, pierce=2), 1),  # G7.7
        (Attack(3, shield=1, pierce=2), 2),  # G7.5
        (Attack(0, bonus=-4), 0),  # G7.6
    ],
)
def test_g7_numbers_of_an_attack(attack, damage):
    assert damage_of(attack, ["-1"], Draw.NORMAL) == {damage: 1}


def test_g7_2_poison_is_doubled_by_the_card():
    assert damage_of(Attack(2, poisoned=True, shield=1), ["x2"], Draw.NORMAL) == {5: 1}


def test_g7_6_a_negative_value_stays_negative_for_the_card():
    assert damage_of(Attack(0, bonus=-2), ["+1"], Draw.NORMAL) == {0: 1}
    assert damage_of(Attack(0, bonus=-2), ["+2"], Draw.NORMAL) == {0: 1}


@pytest.mark.parametrize("numbers", [(-1,), (100,), (1, 100), (1, 0, 6)])
def test_attacks_out_of_bounds(numbers):
    with pytest.raises(ValueError, match="is allowed"):
        Attack(*numbers)


def test_a_deck_beyond_counting(monkeypatch):
    monkeypatch.setattr(odds, "MAX_BEGINNINGS", 40)
    with pytest.raises(ValueError, match="more than 40"):
        damage_of(Attack(1), STANDARD, Draw.NORMAL)
    with pytest.raises(ValueError, match="without cards"):
        damage_of(Attack(1), [], Draw.NORMAL)
