"""The exact damage distribution of an attack.

Only the order of the draw pile is random. Orders that agree in all cards drawn are grouped as one
beginning; the core draws each beginning once, weighted by its share, a fraction.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from agemonia_env.core.jit import zeros

from ..content.modifier_cards import Records, deck_of
from ..core import api
from ..core.layout import DECK
from ..core.terms import Draw

Distribution = dict[int, Fraction]
MAX_BEGINNINGS = 20_000


@dataclass(frozen=True)
class Attack:
    """The numbers of an attack on one target (G7); shield: the sum of its Shields."""

    value: int
    bonus: int = 0
    doublings: int = 0
    poisoned: bool = False
    shield: int = 0
    pierce: int = 0

    def __post_init__(self) -> None:
        for name, least, most in (
            *(("value", 0, 99), ("bonus", -99, 99), ("doublings", 0, 5)),
            *(("shield", 0, 99), ("pierce", 0, 99)),
        ):
            if not least <= getattr(self, name) <= most:
                given = getattr(self, name)
                raise ValueError(f"{name} {given}; {least} to {most} is allowed")


def beginnings(cards: Sequence[str]) -> Iterator[tuple[list[str], Fraction]]:
    """The possible beginnings of a pile of these cards, and the share of orders of each.

    A beginning goes on to the first card that is not rolling, and has two cards at least; the order
    of the rolling ones before it is left open, since they apply together or not at all.
    """
    counts = Counter(cards)
    rolling = [card for card in counts if card.split()[:1] == ["rolling"]]
    others = [card for card in counts if card not in rolling]
    for chosen in itertools.product(*(range(counts[card] + 1) for card in rolling)):
        first = [card for card, k in zip(rolling, chosen, strict=True) for _ in range(k)]
        drawn = sum(chosen)
        ways = math.prod(
            math.comb(counts[card], k) for card, k in zip(rolling, chosen, strict=True)
        )
        share = Fraction(ways, math.comb(len(cards), drawn))
        if drawn == len(cards):
            yield first, share
        for card in others:
            then = share * Fraction(counts[card], len(cards) - drawn)
            if drawn > 0 or len(cards) == 1:
                yield [*first, card], then
                continue
            for second, n in counts.items():
                rest = n - (second == card)
                if rest:
                    yield [card, second], then * Fraction(rest, len(cards) - 1)


def drawn_from(piles: Sequence[Sequence[str]], mode: Draw, value: int) -> Records:
    """Attack value and Pierce after a draw from each pile, int64 (n, 2); value: after step 2."""
    decks = zeros(DECK, len(piles))
    for i, pile in enumerate(piles):
        decks[i : i + 1].view(np.uint8)[:] = deck_of(pile).view(np.uint8)
    results = np.zeros((len(decks), 2), np.int64)
    no_chance = np.zeros(1, np.uint64)  # nothing is shuffled: a pile lasts for a draw
    api.draw(decks, int(mode), value, no_chance, 0)
    api.write_results(decks, value, results)
    return results


def damage_of(attack: Attack, cards: Sequence[str], mode: Draw) -> Distribution:
    """Damage -> its probability (G1.17 for the standard deck), from a full pile of these cards.

    Raises ValueError if one of them is no card or the deck is beyond counting.
    """
    if not cards:
        raise ValueError("a deck without cards")
    deck_of(cards)
    begun = list(itertools.islice(beginnings(cards), MAX_BEGINNINGS))
    if len(begun) == MAX_BEGINNINGS:
        raise ValueError(f"so many rolling cards have more than {MAX_BEGINNINGS:,} outcomes")
    value = api.value_before_card(
        attack.value, attack.bonus, attack.doublings, int(attack.poisoned)
    )
    results = drawn_from([pile for pile, _ in begun], mode, value)
    damages = np.zeros(len(begun), np.int64)
    api.write_damages(results, attack.shield, attack.pierce, damages)
    shares: Distribution = {}
    for damage, (_, share) in zip(damages.tolist(), begun, strict=True):
        shares[damage] = shares.get(damage, Fraction(0)) + share
    return dict(sorted(shares.items()))


def mean(distribution: Mapping[int, Fraction]) -> Fraction:
    """The mean of a distribution."""
    return sum((damage * share for damage, share in distribution.items()), Fraction(0))
