"""Sources of damage: negations, cards lost in place of it, hit points (G7.13, G11.8 to G11.10)."""

from agemonia_env.core.counting import added
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from ..actions import Block
from ..terms import Decision, Denial, Event, Place, Proc, Side
from . import bonus
from .figures import is_present, kill, touch
from .hand import counts_as_discarded, discards, in_hand, is_in_hand, n_discards, n_in_hand, put

SUFFER, SECOND = 0, 1  # what an answer is about


@kernel
def begin(s, to, amount, source, by):
    """A figure is to suffer damage from one source (terms.Source), an attack or not (G12.12).

    by: who causes it, -1 = nobody.
    """
    if amount <= 0 or not is_present(s, to):
        return
    harm = s.harm
    harm.to = to
    harm.amount = amount
    harm.source = source
    harm.by = by
    harm.stage = SUFFER
    harm.first = -1
    push(s, Proc.HARM)


@kernel
def run_harm(s, c):
    """G11.10, then G7.13, then the damage is suffered."""
    harm = s.harm
    to = int(harm.to)
    if answered(s):
        if not take_choice(s, to):
            return
    elif not is_present(s, to) or bonus.negate(s, c, to):
        return
    if s.figure[to].side == Side.HERO and (n_in_hand(s, to) > 0 or n_discards(s, to) > 1):
        if harm.stage == SUFFER and harm.first == -1:
            ask(s, Proc.HARM, Decision.LOSE, to, harm.amount)
            return
    if harm.first >= 0:
        ask(s, Proc.HARM, Decision.LOSE_SECOND, to, harm.amount)
        return
    suffer(s, c, to)


@kernel
def take_choice(s, to):
    """G7.13 - the answer to LOSE or LOSE_SECOND -> whether the damage is still open."""
    harm = s.harm
    block, k = s.block, take_answer(s)
    if block == Block.ACTIVE:  # G11.13
        bonus.remove(s, k)
        return True
    if block == Block.NO:
        harm.stage = SECOND  # nothing is asked any more
        return True
    if harm.first < 0 and s.hero[to].place[k] != Place.HAND:
        harm.first = k
        return True
    if harm.first >= 0:
        put(s, to, int(harm.first), Place.LOST)
    put(s, to, k, Place.LOST)
    log(s, Event.NEGATED, to, -1, -1, 2)
    return False


@kernel
def lose_denial(s, card):
    """G7.13, G11.15 - why a card cannot be lost in place of the damage -> Denial."""
    h = int(s.harm.to)
    place = s.hero[h].place[card]
    if place == Place.NONE:
        return Denial.NO_SUCH_CARD
    if s.decision == Decision.LOSE and is_in_hand(s, h, card):
        return Denial.NONE
    if not counts_as_discarded(s, h, card) or card == s.harm.first:
        return Denial.NOT_DISCARDED
    return Denial.NONE if n_discards(s, h) > 1 else Denial.TOO_FEW_CARDS


@kernel
def losable(s):
    """G7.13, G11.15 - bits of the cards that can be lost in place of the damage."""
    h = int(s.harm.to)
    cards, discarded = 0, discards(s, h)
    if s.decision == Decision.LOSE:
        cards = in_hand(s, h)
    if discarded & (discarded - 1) == 0:
        return cards
    if s.harm.first >= 0:
        discarded &= ~(1 << int(s.harm.first))
    return cards | discarded


@kernel
def suffer(s, c, to):
    """Hit points go; a figure without any dies (G14.5)."""
    harm = s.harm
    figure = s.figure[to]
    suffered = min(int(harm.amount), int(figure.hp))
    figure.hp -= suffered
    touch(s, to)
    if figure.side == Side.MONSTER:
        s.damage_dealt = added(s.damage_dealt, suffered)
    elif figure.side == Side.HERO:
        s.damage_taken = added(s.damage_taken, suffered)
    log(s, Event.DAMAGE, to, harm.amount, harm.source, harm.by)
    if figure.hp <= 0:
        kill(s, to)
