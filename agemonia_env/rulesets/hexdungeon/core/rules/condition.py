"""G10 Conditions, and blesses and curses, which are cards (G1.9 to G1.12, G10.13)."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import draw_below, is_forced

from ..layout import MAX_CARDS, PILES
from ..terms import Effect, Event, Side, Stream, Worth
from .figures import deck_of, has, is_present, touch

ANYWHERE = -1  # place of a bless or curse in the pile


@kernel
def is_immune(s, f, effect):
    """G10.14 - whether a condition, bless or curse has no effect on a figure."""
    return (s.figure[f].immune >> int(effect)) & 1 != 0


@kernel
def gain(s, f, effect):
    """G10.9 to G10.12 - a figure on the board gains a condition, or its deck a bless or curse."""
    if not is_present(s, f) or is_immune(s, f, effect):
        return
    if effect == Effect.BLESS or effect == Effect.CURSE:
        add_card(s, deck_of(s, f), effect, s.figure[f].side == Side.MONSTER, ANYWHERE)
        return
    lasting = effect == Effect.POISON or effect == Effect.WOUND
    touch(s, f)
    s.figure[f].condition[effect] = 2 if s.turn == f and not lasting else 1
    log(s, Event.CONDITION, f, effect, -1)


@kernel
def gain_all(s, f, conditions):
    """A figure gains every condition of some bits of terms.Effect."""
    for effect in range(Effect.POISON, Effect.STRENGTHEN + 1):
        if (int(conditions) >> effect) & 1:
            gain(s, f, effect)


@kernel
def lose(s, f, effect):
    """A condition ends."""
    if has(s, f, effect):
        s.figure[f].condition[effect] = 0
        touch(s, f)
        log(s, Event.CURED, f, effect, -1)


@kernel
def end_turn(s, f):
    """G10.9, G10.11 - one turn end less; poison and wound stay until healed (G10.3)."""
    touch(s, f)
    condition = s.figure[f].condition
    for effect in range(Effect.IMMOBILIZE, Effect.STRENGTHEN + 1):
        if condition[effect] == 1:
            lose(s, f, effect)
        elif condition[effect] > 1:
            condition[effect] -= 1


@kernel
def free_place(deck):
    """Where a card that is not of the deck may be kept in its record; -1 = nowhere."""
    for place in range(deck.n_own, MAX_CARDS):
        taken = False
        for k in range(deck.n_pile):
            taken |= deck.pile[k] == place
        if not taken:
            return place
    return -1


@kernel
def add_card(s, d, effect, monster, position):
    """G1.9, G1.12 - a bless or curse comes into the draw pile of deck d, anywhere in it.

    monster: it is cursed as the monsters' deck. position: fixed, 0 = on top, or ANYWHERE. Nothing
    happens if the supply is empty.
    """
    deck = s.deck[d]
    place = free_place(deck)
    if effect == Effect.BLESS:
        supply = s.bless
    else:
        supply = s.curse_monster if monster else s.curse_hero
    if supply == 0 or place < 0:
        return
    take_from_supply(s, effect, monster, 1)
    touch(s, PILES + d)
    card = deck.card[place]
    card.number = 0
    card.worth = Worth.DOUBLE if effect == Effect.BLESS else Worth.NULL
    card.rolling = 0
    card.supplied = 1
    for k in range(len(card.effect)):
        card.effect[k] = 0
        card.amount[k] = 0
    n = int(deck.n_pile)
    below = n - position if position >= 0 else place_below(s, n)
    for k in range(n, below, -1):
        deck.pile[k] = deck.pile[k - 1]
    deck.pile[below] = place
    deck.n_pile += 1
    log(s, Event.BLESS, d, effect, -1)


@kernel
def place_below(s, n):
    """A place in a draw pile of n cards; with forced chance, where all are sorted, the lowest."""
    return 0 if is_forced(s.chance) else draw_below(s.chance, Stream.BLESS, n + 1)


@kernel
def take_from_supply(s, effect, monster, n):
    """G1.12 - n cards leave a supply; n < 0: they come back."""
    if effect == Effect.BLESS:
        s.bless -= n
    elif monster:
        s.curse_monster -= n
    else:
        s.curse_hero -= n


@kernel
def return_revealed(s, d):
    """G1.10 - blesses and curses of the last draw go back to their supplies."""
    deck = s.deck[d]
    for k in range(deck.n_drawn):
        card = deck.card[deck.drawn[k]]
        if card.supplied:
            bless = card.worth == Worth.DOUBLE
            take_from_supply(s, Effect.BLESS if bless else Effect.CURSE, d == 0, -1)
