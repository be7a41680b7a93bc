"""G1 Attack modifier deck."""

from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import draw_below

from ..terms import Effect, Worth


@kernel
def shuffle(deck, counters, stream):
    """Shuffle the draw pile uniformly: one draw for every card except one."""
    for k in range(deck.n_pile - 1, 0, -1):
        other = draw_below(counters, stream, k + 1)
        deck.pile[k], deck.pile[other] = deck.pile[other], deck.pile[k]


@kernel
def refill(deck, counters, stream):
    """G1.6, G1.8 - shuffle the discards back into the draw pile; cards just drawn stay aside."""
    for k in range(deck.n_discards):
        deck.pile[deck.n_pile + k] = deck.discards[k]
    deck.n_pile += deck.n_discards
    deck.n_discards = 0
    shuffle(deck, counters, stream)


@kernel
def draw_card(deck, counters, stream):
    """G1.8, H1 - lay the next card beside those of this draw -> its place; -1 = none is left."""
    if deck.n_pile == 0:
        refill(deck, counters, stream)
    if deck.n_pile == 0:
        return -1
    deck.n_pile -= 1
    place = deck.pile[deck.n_pile]
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
