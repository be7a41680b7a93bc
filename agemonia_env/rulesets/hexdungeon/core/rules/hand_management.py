"""G14.1, G14.3 to G14.5 - choosing cards, resting, exhaustion."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import draw_below
from agemonia_env.core.task_stack import answered, ask, push, take_answer, take_if

from ..actions import Block
from ..layout import N_HAND, N_HEROES
from ..terms import Decision, Denial, Event, Place, Proc, Source, Stream
from . import bonus, figures, hand, harm, heal
from .figures import is_present, touch, touch_hand
from .order import REST

REST_HEAL = 2


# ---- choosing cards ------------------------------------------------------------------------------
@kernel
def may_rest(s, h):
    """G14.1, G11.12 - a rest needs two discards; active cards that count as such do."""
    return hand.n_discards(s, h) >= 2


@kernel
def rest_denial(s, h):
    """G14.1 - why character h cannot choose a long rest -> Denial."""
    return Denial.NONE if may_rest(s, h) else Denial.TOO_FEW_CARDS


@kernel
def lead_denial(s, h, card):
    """G14.1 - why character h cannot choose a card to lead -> Denial."""
    if not hand.is_in_hand(s, h, card):
        return Denial.NOT_IN_HAND if s.hero[h].place[card] else Denial.NO_SUCH_CARD
    return Denial.NONE if hand.holds_two(s, h) else Denial.TOO_FEW_CARDS


@kernel
def leads(s, h):
    """G14.1 - bits of the cards that character h can choose to lead."""
    cards = hand.in_hand(s, h)
    return cards if cards & (cards - 1) else 0


@kernel
def second_denial(s, h, card):
    """G14.1 - why character h cannot choose a card beside the one that leads -> Denial."""
    if card == s.hero[h].lead:
        return Denial.CARD_USED
    if not hand.is_in_hand(s, h, card):
        return Denial.NOT_IN_HAND if s.hero[h].place[card] else Denial.NO_SUCH_CARD
    return Denial.NONE


@kernel
def run_select(s):
    """G14.1, G11.13 - the characters choose one after another: the card that leads, or a rest."""
    if answered(s):
        h, block, answer = int(s.asked), s.block, take_answer(s)
        if block == Block.REST:
            s.hero[h].resting = 1
        elif block == Block.ACTIVE:
            bonus.remove(s, answer)
        else:
            s.hero[h].lead = answer
            ask(s, Proc.SELECT_SECOND, Decision.SECOND, h, answer)
            return
    for h in range(N_HEROES):
        if is_present(s, h) and s.hero[h].lead < 0 and not s.hero[h].resting:
            ask(s, Proc.SELECT_NEXT, Decision.LEAD, h, -1)
            return


@kernel
def run_second(s):
    """G14.1 - the second card; the next character chooses."""
    s.hero[s.asked].second = take_answer(s)
    push(s, Proc.SELECT_NEXT)


@kernel
def reveal(s, c, h):
    """G14.1, G13.1 - what character h has chosen gives its initiative."""
    figure, hero = s.figure[h], s.hero[h]
    touch(s, h)
    touch_hand(s, h)
    figure.initiative = REST
    figure.second = REST
    if not hero.resting:
        figure.initiative = c.hero[h].card[hero.lead].initiative
        figure.second = c.hero[h].card[hero.second].initiative
    log(s, Event.INITIATIVE, h, figure.initiative, -1)


@kernel
def exhaust(s):
    """G14.5 - at the start of a round: characters that can neither play two cards nor rest."""
    for h in range(N_HEROES):
        if is_present(s, h) and not hand.holds_two(s, h) and not may_rest(s, h):
            figures.exhaust(s, h)


# ---- resting -------------------------------------------------------------------------------------
@kernel
def lose_denial(s, h, card):
    """G14.4, G11.12 - why a card cannot be the one lost to a rest -> Denial."""
    if s.hero[h].place[card] == Place.NONE:
        return Denial.NO_SUCH_CARD
    return Denial.NONE if hand.counts_as_discarded(s, h, card) else Denial.NOT_DISCARDED


@kernel
def run_long_rest(s):
    """G14.4, H9 - one chosen discard is lost, the others come back, Heal 2.

    Whoever has lost discards to damage since the choice rests with a single one, too, and with
    none does not rest.
    """
    h = int(s.actor)
    if answered(s):
        long_rest(s, h, take_answer(s))
    elif hand.n_discards(s, h) > 0:
        ask(s, Proc.LONG_REST, Decision.REST_LOSE, h, -1)


@kernel
def long_rest(s, h, card):
    """G14.4 - character h rests and loses a card."""
    s.actor = h
    hand.put(s, h, card, Place.LOST)
    heal.heal(s, h, REST_HEAL)
    log(s, Event.REST, h, 1, -1)
    push(s, Proc.REST_BACK)


@kernel
def run_back(s):
    """G14.4, G11.14 - discards come back; of those that are active each on demand."""
    h, first = int(s.actor), 0
    if answered(s):
        card = int(s.subject)
        if take_if(s, Block.YES) < 0:
            hand.put(s, h, card, Place.HAND)
        first = card + 1
    if not is_present(s, h):
        return
    for card in range(first, N_HAND):
        if s.hero[h].place[card] == Place.DISCARD:
            s.hero[h].place[card] = Place.HAND
        elif hand.counts_as_discarded(s, h, card):
            ask(s, Proc.REST_BACK, Decision.REST_KEEP, h, card)
            return


@kernel
def run_short_rests(s):
    """G14.4 - the characters may rest one after another: a random card is lost, the others come
    back; once, for 1 damage, it is another one.
    """
    if answered(s):
        h, accepted = int(s.each), take_if(s, Block.YES) >= 0
        if s.lost_card < 0:
            if accepted:
                s.lost_card = random_discard(s, h, -1)
                ask(s, Proc.SHORT_RESTS, Decision.INSTEAD, h, s.lost_card)
                return
            s.each += 1
        else:
            card = random_discard(s, h, int(s.lost_card)) if accepted else int(s.lost_card)
            s.lost_card = -1
            push(s, Proc.REST_DONE)
            short_rest(s, h, card, accepted)
            return
    while s.each < N_HEROES:
        if is_present(s, s.each) and may_rest(s, s.each):
            ask(s, Proc.SHORT_RESTS, Decision.SHORT_REST, s.each, -1)
            return
        s.each += 1


@kernel
def short_rest(s, h, card, instead):
    """G14.4, H8 - character h rests and loses a card; instead: the second one, then 1 damage."""
    s.actor = h
    hand.put(s, h, card, Place.LOST)
    log(s, Event.REST, h, 0, -1)
    push(s, Proc.REST_BACK)
    if instead:
        harm.begin(s, h, 1, Source.SUFFER, -1)


@kernel
def run_rest_done(s):
    """The next character may rest."""
    s.each += 1
    push(s, Proc.SHORT_RESTS)


@kernel
def random_discard(s, h, other):
    """G14.4 - a random card of those that count as discarded, but for one. One draw."""
    n = hand.n_discards(s, h) - (other >= 0)
    left = draw_below(s.chance, Stream.REST, n)
    for card in range(N_HAND):
        if card != other and hand.counts_as_discarded(s, h, card):
            if left == 0:
                return card
            left -= 1
    return -1
