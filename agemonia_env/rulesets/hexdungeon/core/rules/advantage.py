"""G2 Advantage and disadvantage."""

from agemonia_env.core.jit import kernel

from ..terms import Draw, Effect, Worth
from .deck import discard_drawn, draw_card


@kernel
def mode_of(advantages, disadvantages):
    """G2.1, G2.2 - how to draw with so many instances of each kind."""
    if (advantages > 0) == (disadvantages > 0):
        return Draw.NORMAL.value
    return Draw.ADVANTAGE.value if advantages > 0 else Draw.DISADVANTAGE.value


@kernel
def alone(card, value):
    """G2.14 - the number that a card is compared by: this attack with it alone, at least 0."""
    if card.worth == Worth.NULL:
        return 0
    if card.worth == Worth.DOUBLE:
        return max(0, 2 * value)
    return max(0, value + card.number)


@kernel
def count_effect(card, effect, amount):
    """How often a card has an effect of this amount."""
    n = 0
    for k in range(len(card.effect)):
        n += card.effect[k] == effect and card.amount[k] == amount
    return n


@kernel
def includes(a, b):
    """G2.12 - whether card a has all effects of card b; those of unequal amounts are unequal."""
    for k in range(len(b.effect)):
        effect, amount = b.effect[k], b.amount[k]
        if effect != Effect.NONE and count_effect(a, effect, amount) < count_effect(
            b, effect, amount
        ):
            return False
    return True


@kernel
def beats(a, b, value):
    """G2.12 - whether card a is better than card b for an attack of this value."""
    if alone(a, value) < alone(b, value) or not includes(a, b):
        return False
    return alone(a, value) > alone(b, value) or not includes(b, a)


@kernel
def draw(deck, mode, value, counters, stream):
    """G1.3, G1.13, G2.4 to G2.9 - the modifier cards of one attack of this value after step 2.

    They lie in deck.drawn, those that apply are marked, and all have gone where they go. A draw
    ends, too, when no card is left. `stream` of `counters` shuffles, if the pile runs out.
    """
    deck.n_drawn = 0
    rolling = True
    for _ in range(1 if mode == Draw.NORMAL else 2):
        place = draw_card(deck, counters, stream)
        rolling &= place >= 0 and deck.card[place].rolling != 0
    while rolling:
        place = draw_card(deck, counters, stream)
        rolling = place >= 0 and deck.card[place].rolling != 0
    mark_applied(deck, mode, value)
    discard_drawn(deck)


@kernel
def mark_applied(deck, mode, value):
    """G2.4 to G2.9, G2.11 - which of the cards drawn apply."""
    n, n_rolling = deck.n_drawn, 0
    for k in range(n):
        n_rolling += deck.card[deck.drawn[k]].rolling != 0
    if n_rolling == 0 and n == 2:
        first, second = deck.card[deck.drawn[0]], deck.card[deck.drawn[1]]
        later = beats(second, first, value)
        if mode == Draw.DISADVANTAGE:
            later = beats(first, second, value)
        deck.applied[1 if later else 0] = True
        return
    for k in range(n):
        is_rolling = deck.card[deck.drawn[k]].rolling != 0
        deck.applied[k] = mode != Draw.DISADVANTAGE or not is_rolling
