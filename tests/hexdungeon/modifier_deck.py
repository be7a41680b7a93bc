"""Modifier decks for tests."""

import numpy as np

from agemonia_env.rulesets.hexdungeon.content.modifier_cards import deck_of
from agemonia_env.rulesets.hexdungeon.core import api
from agemonia_env.rulesets.hexdungeon.core.terms import Draw


class ModifierDeck:
    """A deck whose top cards are known, and the results of draws."""

    def __init__(self, *cards, seed=0):
        self.cards = cards
        self.decks = deck_of(cards)
        self.counters = np.array([seed], np.uint64)

    def draw(self, value=3, mode="normal"):
        """Draw for an attack -> its value, at least 0."""
        api.draw(self.decks, int(Draw[mode.upper()]), value, self.counters, 0)
        out = np.zeros((1, 2), np.int64)
        api.write_results(self.decks, value, out)
        return int(out[0, 0])

    def shuffle(self):
        api.shuffle(self.decks, self.counters, 0)

    def end_round(self):
        api.end_round(self.decks, self.counters, 0)

    def names(self, pile, n):
        return [self.cards[place] for place in self.decks[0][pile][: self.decks[0][n]].tolist()]

    @property
    def left(self):
        """The draw pile, top card first."""
        return self.names("pile", "n_pile")[::-1]

    @property
    def discards(self):
        return self.names("discards", "n_discards")

    @property
    def drawn(self):
        return self.names("drawn", "n_drawn")

    @property
    def applied(self):
        marks = self.decks[0]["applied"].tolist()
        return [card for card, mark in zip(self.drawn, marks, strict=False) if mark]

    @property
    def shuffles(self):
        return bool(self.decks[0]["shuffle"])
