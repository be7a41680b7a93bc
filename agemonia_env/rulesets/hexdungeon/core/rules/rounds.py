"""G14 - the round and the turns of characters."""

import numpy as np

from agemonia_env.core.bitset import lowest, size
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from .. import effects, hexset
from ..actions import Block
from ..layout import MAX_REACH, N_DECKS, N_ELEMENTS, N_HEROES, PILES, TYPES
from ..terms import Decision, Denial, Effect, Event, Half, Phase, Place, Proc, Side, Source, Stream
from . import (
    bonus,
    chance,
    condition,
    deck,
    hand,
    hand_management,
    harm,
    monster_actions,
    monster_cards,
    order,
)
from .ending import look_at_end_of_round, look_for_end
from .figures import has, is_present, touch

TOPS = 1 << Half.TOP | 1 << Half.BASIC_ATTACK
TOPS |= TOPS << 4  # of either card
BOTTOMS = 0xFF ^ TOPS
# For each half those that cannot be used after it: of the same card, and of the same kind (G14.2)
RULED_OUT = np.array(
    [(0xF << (half & 4)) | (TOPS if (TOPS >> half) & 1 else BOTTOMS) for half in range(8)], np.int16
)


# ---- the round -----------------------------------------------------------------------------------
@kernel
def run_round_start(s, c):
    """G14.1, G14.5 - a new round: characters without cards are exhausted, the others choose."""
    s.round += 1
    chance.begin_round(s)
    s.phase = Phase.SELECT
    log(s, Event.ROUND, -1, s.round, -1)
    hand_management.exhaust(s)
    look_for_end(s, c)
    push(s, Proc.TURNS_BEGIN)
    push(s, Proc.SELECT_NEXT)


@kernel
def run_turns_begin(s, c):
    """G13.1, G14.1 - initiatives are known: what characters chose, and a card for each type."""
    s.phase = Phase.TURNS
    for h in range(N_HEROES):
        if is_present(s, h):
            hand_management.reveal(s, c, h)
    monster_cards.turn_cards(s, c)
    push(s, Proc.NEXT_TURN)


@kernel
def run_round_end(s, c):
    """G14.6 - the round is over: its end may be that of the scenario; then short rests."""
    chance.finish_round(s)
    end_round(s, c)
    look_at_end_of_round(s, c)
    s.phase = Phase.REST
    s.each = 0
    s.lost_card = -1
    push(s, Proc.ROUND_START)
    push(s, Proc.SHORT_RESTS)


@kernel
def end_round(s, c):
    """G14.6, G1.6, G11.11, G8.4 - shuffles, elements wane, what lasts for the round ends."""
    for d in range(N_DECKS):
        if s.deck[d].shuffle:
            touch(s, PILES + d)
        deck.end_round(s.deck[d], s.chance, Stream.MODIFIERS + d)
    monster_cards.end_round(s)
    touch(s, TYPES)
    for k in range(N_ELEMENTS):
        s.element[k] = max(0, int(s.element[k]) - 1)
    bonus.end_round(s, c)
    s.touched |= s.present
    s.acted = 0
    left = int(s.present)
    while left != 0:
        figure = s.figure[lowest(left)]
        left &= left - 1
        figure.fresh = 0
        figure.round_shield = 0
        for reach in range(MAX_REACH + 1):
            figure.round_retaliate[reach] = 0
    for h in range(N_HEROES):
        s.hero[h].resting = 0
    s.turn = -1


# ---- turns ---------------------------------------------------------------------------------------
@kernel
def run_next_turn(s):
    """G13.1, G13.2 - the next figure takes its turn; after the last the round ends."""
    if answered(s):
        start_turn(s, take_answer(s))
        return
    f = order.next_figure(s)
    if f < 0:
        push(s, Proc.ROUND_END)
    elif order.is_open(s, f):
        ask(s, Proc.NEXT_TURN, Decision.NEXT_TYPE, -1, -1)
    else:
        start_turn(s, f)


@kernel
def start_turn(s, f):
    """G10.3 - figure f takes its turn, a wound first; then the order of turns goes on."""
    s.turn = f
    chance.begin_turn(s, f)
    s.acted |= 1 << int(f)
    touch(s, f)
    log(s, Event.TURN, f, -1, -1)
    push(s, Proc.NEXT_TURN)
    push(s, Proc.TURN_END)
    if s.figure[f].side == Side.HERO:
        push(s, Proc.HERO_TURN)
    else:
        monster_actions.begin(s)
    suffer_wound(s, f)


@kernel
def suffer_wound(s, f):
    """G10.3 - a wounded figure suffers 1 damage at the start of its turn."""
    if has(s, f, Effect.WOUND):
        harm.begin(s, f, 1, Source.WOUND, -1)


@kernel
def run_turn_end(s, c):
    """G14.3, G10.9, G12.13 - the end of a turn."""
    f = int(s.turn)
    if s.figure[f].side == Side.HERO:
        put_away(s, f)
    if is_present(s, f):
        end_turn(s, f)
    look_for_end(s, c)


@kernel
def end_turn(s, f):
    """G10.9, G12.13 - conditions run out; a character takes the loot on its hex."""
    condition.end_turn(s, f)
    if s.figure[f].side == Side.HERO:
        h = int(s.figure[f].at)
        if hexset.has(hexset.of(s.loot), h):
            effects.take_token(s, f, h)


@kernel
def put_away(s, h):
    """G14.3, G10.6 - cards of the turn that were not used are discarded."""
    hero = s.hero[h]
    for k in range(2):
        card = card_of(s, h, k)
        if card >= 0 and hero.place[card] == Place.HAND:
            hand.put(s, h, card, Place.DISCARD)
    hero.lead = -1
    hero.second = -1
    hero.used = 0


# ---- a character's turn --------------------------------------------------------------------------
@kernel
def card_of(s, h, k):
    """The first (k = 0) or second card of a turn."""
    return int(s.hero[h].second if k else s.hero[h].lead)


@kernel
def is_top(half):
    """Whether a half, 4 * card + terms.Half, is a top, or Attack 2 in its place."""
    kind = half & 3
    return kind == Half.TOP or kind == Half.BASIC_ATTACK


@kernel
def turn_denial(s, half):
    """G14.2 - why the character asked cannot use a half next -> Denial.

    A top of one card and a bottom of the other, in any order.
    """
    used = int(s.hero[s.asked].used)
    for other in range(8):
        if (used >> other) & 1:
            if other >> 2 == half >> 2:
                return Denial.CARD_USED
            if is_top(other) == is_top(half):
                return Denial.HALF_USED
    return Denial.NONE


@kernel
def halves_left(s):
    """G14.2 - bits of the halves that the character asked can use next."""
    left, used = (1 << 8) - 1, int(s.hero[s.asked].used)
    while used != 0:
        left &= ~int(RULED_OUT[lowest(used)])
        used &= used - 1
    return left


@kernel
def run_hero_turn(s, c):
    """G14.2, G10.6, G10.9 - a long rest, or one half after the other until both are used.

    A stunned character does nothing but rest; what is left of the turn is void.
    """
    h = int(s.turn)
    if not is_present(s, h):
        return
    if s.hero[h].resting:
        s.actor = h
        push(s, Proc.LONG_REST)
        return
    if answered(s):
        block, k = s.block, take_answer(s)
        if block == Block.DONE:
            return
        push(s, Proc.HERO_TURN)
        if block == Block.ACTIVE:
            bonus.remove(s, k)
        else:
            begin_half(s, c, h, k)
        return
    if not has(s, h, Effect.STUN) and n_used(s, h) < 2:
        ask(s, Proc.HERO_TURN, Decision.TURN, h, -1)


@kernel
def n_used(s, h):
    """How many halves character h has used in this turn."""
    return size(int(s.hero[h].used))


@kernel
def begin_half(s, c, h, half):
    """G14.2 - character h uses a half of one of its two cards, or Attack 2 or Move 2 for it."""
    s.half = half
    s.line = 0
    s.used_line = 0
    s.hero[h].used |= 1 << half
    card, kind = card_of(s, h, half >> 2), half & 3
    s.card, s.loss = -1, 0
    if kind < Half.BASIC_ATTACK:
        s.card, s.loss = card, c.hero[h].card[card].half[kind].loss
    log(s, Event.PLAY, h, card, -1, half)
    push(s, Proc.HALF_END)
    run_half(s, c)


@kernel
def run_half(s, c):
    """G14.2 - the lines of a half, one after another, as long as the character can act."""
    h = int(s.turn)
    if not is_present(s, h) or has(s, h, Effect.STUN):
        return
    row = row_of(s, c, h)
    if row >= 0:
        s.line += 1
        push(s, Proc.HALF_NEXT)
        effects.begin(s, c, h, row)


@kernel
def row_of(s, c, h):
    """The line that is next of the half used by character h; -1 = none is left."""
    kind = s.half & 3
    if kind == Half.BASIC_ATTACK:
        return int(c.basic_attack) if s.line == 0 else -1
    if kind == Half.BASIC_MOVE:
        return int(c.basic_move) if s.line == 0 else -1
    half = c.hero[h].card[s.card].half[kind]  # still the one played if it has been taken back
    return half.first + s.line if s.line < half.n_rows else -1


@kernel
def run_half_end(s, c):
    """G14.2, G14.3 - the card of a half goes to its pile, unless it is active.

    Its loss symbol and its experience count if a line of the printed action was used (H19).
    """
    h, kind = int(s.turn), s.half & 3
    card = card_of(s, h, s.half >> 2)  # -1 = it has been taken back into the hand
    lost = False
    if kind < Half.BASIC_ATTACK and s.used_line:
        half = c.hero[h].card[s.card].half[kind]
        lost = half.loss != 0
        bonus.gain_xp(s, h, half.xp)
    if card >= 0 and s.hero[h].place[card] == Place.HAND:
        hand.put(s, h, card, Place.LOST if lost else Place.DISCARD)
    s.half = -1
    s.row = -1
    s.card = -1
