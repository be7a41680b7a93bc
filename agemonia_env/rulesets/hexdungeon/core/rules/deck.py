"""G1 Attack modifier deck."""

import numpy as np

from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import WEIGHT, draw, force_digit, is_forced, mix, sort

from ..terms import Effect, Worth


@kernel
def shuffle(deck, counters, stream):
    """Shuffle the draw pile.

    Every card draws a number by its place in the deck, and the numbers are put in order: what the
    pile's order was does not matter, and a pile with one card less keeps the order of the others.
    """
    if is_forced(counters):
        sort(deck.pile, deck.n_pile)
        return
    bits = draw(counters, stream)
    for k in range(1, deck.n_pile):
        card = deck.pile[k]
        number = mix(bits + np.uint64(card))
        j = k
        while j > 0 and mix(bits + np.uint64(deck.pile[j - 1])) > number:
            deck.pile[j] = deck.pile[j - 1]
            j -= 1
        deck.pile[j] = card


@kernel
def refill(deck, counters, stream):
    """G1.6, G1.8 - shuffle the discards back into the draw pile; cards just drawn stay aside."""
    for k in range(deck.n_discards):
        deck.pile[deck.n_pile + k] = deck.discards[k]
    deck.n_pile += deck.n_discards
    deck.n_discards = 0
    shuffle(deck, counters, stream)


@kernel
def next_card(deck, counters):
    """Where in the draw pile the card drawn next lies: on top; with forced chance, anywhere."""
    n = int(deck.n_pile)
    if not is_forced(counters):
        return n - 1
    digit, at = force_digit(counters, count_kinds(deck), n), 0
    while digit > 0 or not is_first(deck, at):
        digit -= is_first(deck, at)
        at += 1
    same = 0
    for k in range(at, n):
        same += do_the_same(deck.card[deck.pile[at]], deck.card[deck.pile[k]])
    counters[WEIGHT] *= np.uint64(same)
    return at


@kernel
def count_kinds(deck):
    """How many different cards the draw pile has."""
    kinds = 0
    for k in range(deck.n_pile):
        kinds += is_first(deck, k)
    return kinds


@kernel
def is_first(deck, k):
    """Whether a place of the draw pile has a card unlike all before it."""
    for j in range(k):
        if do_the_same(deck.card[deck.pile[j]], deck.card[deck.pile[k]]):
            return False
    return True


@kernel
def do_the_same(a, b):
    """Whether two cards are alike."""
    for k in range(len(a.effect)):
        if a.effect[k] != b.effect[k] or a.amount[k] != b.amount[k]:
            return False
    return (
        a.number == b.number
        and a.worth == b.worth
        and a.rolling == b.rolling
        and a.supplied == b.supplied
    )


@kernel
def take_card(deck, at):
    """Take the card at a place of the draw pile."""
    card = deck.pile[at]
    deck.n_pile -= 1
    for k in range(at, deck.n_pile):
        deck.pile[k] = deck.pile[k + 1]
    return card


@kernel
def draw_card(deck, counters, stream):
    """G1.8, H1 - lay the next card beside those of this draw -> its place; -1 = none is left."""
    if deck.n_pile == 0:
        refill(deck, counters, stream)
    if deck.n_pile == 0:
        return -1
    place = take_card(deck, next_card(deck, counters))
    deck.drawn[deck.n_drawn] = place
    deck.applied[deck.n_drawn] = False
    deck.n_drawn += 1
    return place


@kernel
def has_effects(card):
    """Whether the card adds any effect."""
    for k in range(len(card.effect)):
        if card.effect[k] != Effect.NONE:
            return True
    return False


@kernel
def discard_drawn(deck):
    """G1.6, G1.10, G1.11 - what becomes of the cards drawn, applied or not."""
    for k in range(deck.n_drawn):
        place = deck.drawn[k]
        card = deck.card[place]
        if card.supplied:
            continue
        deck.discards[deck.n_discards] = place
        deck.n_discards += 1
        if card.worth != Worth.PLUS and not has_effects(card):
            deck.shuffle = True


@kernel
def end_round(deck, counters, stream):
    """G1.6, G1.7 - the shuffle at the end of a round in which a standard x2 or null was drawn."""
    if deck.shuffle:
        refill(deck, counters, stream)
        deck.shuffle = False


@kernel
def modified(deck, value):
    """G1.4, G1.13, G1.14 - the attack value after all applied cards: numbers first, then doubling.

    A null makes it 0, whatever else was drawn; else it may be below 0 (G7.6).
    """
    doublings = 0
    for k in range(deck.n_drawn):
        card = deck.card[deck.drawn[k]]
        if not deck.applied[k]:
            continue
        if card.worth == Worth.NULL:
            return 0
        if card.worth == Worth.DOUBLE:
            doublings += 1
        else:
            value += card.number
    return value << doublings


@kernel
def applied_amount(deck, effect):
    """G1.15 - what the applied cards add up to of an effect with an amount."""
    total = 0
    for k in range(deck.n_drawn):
        card = deck.card[deck.drawn[k]]
        for i in range(len(card.effect)):
            if deck.applied[k] and card.effect[i] == effect:
                total += card.amount[i]
    return total
