"""G14.3, G11.12 - the ability cards of a character, wherever they lie."""

import numpy as np

from agemonia_env.core.bitset import size, where_equal
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from ..layout import N_HAND
from ..terms import Event, Place
from .figures import fell, is_present, take_out


@kernel
def active_slot(s, h, card):
    """The place of a card in the active areas; -1 = it is not there."""
    for slot in range(s.n_active):
        if s.active[slot].owner == h and s.active[slot].card == card:
            return slot
    return -1


@kernel
def counts_as_discarded(s, h, card):
    """G11.12 - whether a card lies in the discards, or is active and counts as if it did."""
    place = s.hero[h].place[card]
    if place == Place.ACTIVE:
        return s.active[active_slot(s, h, card)].loss == 0
    return place == Place.DISCARD


@kernel
def counts_as_lost(s, h, card):
    """G11.12 - whether a card is lost, or is active and counts as lost."""
    place = s.hero[h].place[card]
    if place == Place.ACTIVE:
        return s.active[active_slot(s, h, card)].loss != 0
    return place == Place.LOST


@kernel
def n_discards(s, h):
    """How many cards count as discarded."""
    return size(discards(s, h))


@kernel
def is_in_hand(s, h, card):
    """Whether a card is in hand: the two chosen for the round are not (G14.1)."""
    hero = s.hero[h]
    return hero.place[card] == Place.HAND and card != hero.lead and card != hero.second


@kernel
def lying(s, h, place):
    """Bits of the cards of character h in a terms.Place."""
    return where_equal(s.hero[h].place.view(np.uint64), place)


@kernel
def discards(s, h):
    """G11.12 - bits of the cards that count as discarded."""
    bits = lying(s, h, Place.DISCARD)
    for slot in range(s.n_active):
        active = s.active[slot]
        if active.owner == h and active.loss == 0:
            bits |= 1 << int(active.card)
    return bits


@kernel
def owned(s, h):
    """Bits of the cards that character h has."""
    return ((1 << N_HAND) - 1) & ~lying(s, h, Place.NONE)


@kernel
def in_hand(s, h):
    """Bits of the cards in hand: the two chosen for the round are not (G14.1)."""
    hero, bits = s.hero[h], lying(s, h, Place.HAND)
    for chosen in (int(hero.lead), int(hero.second)):
        if chosen >= 0:
            bits &= ~(1 << chosen)
    return bits


@kernel
def n_in_hand(s, h):
    """How many cards are in hand."""
    return size(in_hand(s, h))


@kernel
def holds_two(s, h):
    """G14.1 - whether two cards are in hand."""
    cards = in_hand(s, h)
    return cards & (cards - 1) != 0


@kernel
def leave_play(s, h, card):
    """G11.13 - a card that is active leaves for its pile; its bonus ends, its summon dies."""
    slot = active_slot(s, h, card)
    if slot >= 0:
        summon = take_out(s, slot)
        if summon >= 0 and is_present(s, summon):
            fell(s, summon)


@kernel
def put(s, h, card, place):
    """A card goes to a pile or to the hand; one that is active leaves play (G11.15).

    In the hand it is none of the two of this round any more, so the turn's end leaves it there.
    """
    leave_play(s, h, card)
    hero = s.hero[h]
    hero.place[card] = place
    if place == Place.HAND and hero.lead == card:
        hero.lead = -1
    if place == Place.HAND and hero.second == card:
        hero.second = -1
    if place == Place.LOST:
        log(s, Event.LOST, h, card, -1)
