"""Where in a game chance begins anew.

A round, a turn and the end of a round each begin at a place of their own in every stream, and with
fresh orders of the face-down cards that are likely to be drawn. Two games that differ by one card
thus draw the same cards again in the next turn, which makes comparisons of variants on the same
seeds sharper (`python -m benchmarks.pairing --env HexDungeon-v0`). Nobody knows the order of
face-down cards, so another one changes no game's odds. A position built by hand keeps its decks.
"""

from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import align_streams

from ..layout import N_TYPES
from ..terms import Side, Stream
from . import deck
from .figures import deck_of

SIDES = len(Side)
SPAN = 1 << 12  # of the numbers of figures of a side, and more than there are
START, END = 0, 1


@kernel
def begin_round(s):
    """G14.1 - align the streams for a round, and the cards that monsters turn."""
    align(s, Side.NONE, START)
    if not s.plain:
        for kind in range(N_TYPES):
            deck.shuffle(s.type[kind], s.chance, Stream.MONSTER_CARDS)


@kernel
def begin_turn(s, f):
    """G13.2 - align the streams for the turn of figure f, and the deck that it draws from.

    A slot may serve two figures in a round, so they are told apart by what is never given twice.
    """
    figure = s.figure[f]
    number = int(f)
    if figure.side == Side.SUMMON:
        number = int(figure.order)
    elif figure.side == Side.MONSTER:
        number = N_TYPES * int(figure.standee) + int(figure.kind)
    align(s, int(figure.side), number)
    if not s.plain:
        d = deck_of(s, f)
        deck.shuffle(s.deck[d], s.chance, Stream.MODIFIERS + d)


@kernel
def finish_round(s):
    """G14.6 - align the streams for what comes after the last turn."""
    align(s, Side.NONE, END)


@kernel
def align(s, side, number):
    """Move the streams to a place of this round: of a side's figure, or NONE's START or END."""
    align_streams(s.chance, (SIDES * int(s.round) + side) * SPAN + number)
