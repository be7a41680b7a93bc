"""What players do not see: the order of the face-down cards."""

from agemonia_env.core import rng
from agemonia_env.core.jit import kernel

from .layout import N_DECKS, N_TYPES
from .rules import deck
from .terms import Stream


@kernel
def reorder(s, c):
    """Shuffle the face-down cards; with forced chance they are sorted."""
    for d in range(N_DECKS):
        deck.shuffle(s.deck[d], s.chance, Stream.MODIFIERS + d)
    for kind in range(N_TYPES):
        deck.shuffle(s.type[kind], s.chance, Stream.MONSTER_CARDS)


@kernel
def sort(s):
    """Sort the face-down cards, so that no search can depend on their true order."""
    for d in range(N_DECKS):
        rng.sort(s.deck[d].pile, s.deck[d].n_pile)
    for kind in range(N_TYPES):
        rng.sort(s.type[kind].pile, s.type[kind].n_pile)
