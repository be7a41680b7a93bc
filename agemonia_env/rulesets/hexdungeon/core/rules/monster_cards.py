"""G13.1, G14.6 - the ability decks of monster types in play."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import draw_forced, is_forced

from ..layout import TYPES
from ..terms import Event, Stream
from .deck import refill, take_card
from .figures import monsters, touch


@kernel
def is_in_play(s, kind):
    """Whether a monster of a type stands on the board."""
    left = monsters(s)
    while left != 0:
        if s.figure[lowest(left)].kind == kind:
            return True
        left &= left - 1
    return False


@kernel
def turn_card(s, c, kind):
    """G13.1 - a type that has no card this round turns one; it gives its monsters' initiative."""
    deck = s.type[kind]
    if deck.card < 0:
        touch(s, TYPES)
        if deck.n_pile == 0:
            refill(deck, s.chance, Stream.MONSTER_CARDS)
        n = int(deck.n_pile)
        at = draw_forced(s.chance, deck.pile, n) if is_forced(s.chance) else n - 1
        deck.card = take_card(deck, at)
        deck.discards[deck.n_discards] = deck.card
        deck.n_discards += 1
        deck.shuffle = c.kind[kind].card[deck.card].shuffle
        log(s, Event.MONSTER_CARD, -1, kind, -1, deck.card)
    left = monsters(s)
    while left != 0:
        f = lowest(left)
        left &= left - 1
        if s.figure[f].kind == kind:
            touch(s, f)
            s.figure[f].initiative = c.kind[kind].card[deck.card].initiative


@kernel
def turn_cards(s, c):
    """G13.1 - every type in play turns a card."""
    for kind in range(c.n_types):
        if is_in_play(s, kind):
            turn_card(s, c, kind)


@kernel
def end_round(s):
    """G14.6 - the cards of the round are done; a deck whose card has the symbol is shuffled."""
    for kind in range(len(s.type)):
        deck = s.type[kind]
        deck.card = -1
        if deck.shuffle:
            refill(deck, s.chance, Stream.MONSTER_CARDS)
            deck.shuffle = False
