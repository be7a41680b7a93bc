"""Expected damage of an attack, and its chance to defeat, from the cards left in a draw pile.

What the players can count is all that is used: how many cards of each sort are left, never their
order. An attack is taken to draw one card, with advantage or disadvantage two, of which the better
or the worse counts. A rolling card counts as the only one; effects of cards are left out.
"""

import numpy as np

from agemonia_env.core.jit import COMPILED, kernel, with_fields

from ..rules import bonus
from ..rules.advantage import mode_of
from ..rules.damage import damage, value_before_card
from ..rules.figures import deck_of, has
from ..terms import Draw, Effect, Trigger, Worth

MOST = 4  # larger numbers on cards count as this one
DOUBLE, NULL = 2 * MOST + 1, 2 * MOST + 2
N_SORTS = NULL + 1  # -MOST to +MOST, x2, null

RECORD = np.dtype(
    [  # attacks by one figure
        ("n", np.int64),  # cards that may come next
        ("count", np.int64, (N_SORTS,)),  # of each sort
        ("harm", np.int64, (N_SORTS,)),  # damage of the present attack with each
        # what the active cards and conditions of the figure add, by 1 = melee, 0 = ranged
        ("value", np.int64, (2,)),
        ("pierce", np.int64, (2,)),
        ("good", np.int64, (2,)),  # instances of advantage
        ("bad", np.int64, (2,)),
        ("conditions", np.int64, (2,)),  # bits of terms.Effect
    ],
    align=True,
)
ODDS = RECORD if COMPILED else with_fields(RECORD)


@kernel
def prepare(s, c, by, begun, odds):
    """Find once what all attacks by a figure share. begun: its attack ability has attacked once."""
    count_cards(s.deck[deck_of(s, by)], odds)
    odds.value[:] = 0
    odds.pierce[:] = 0
    odds.conditions[:] = 0
    odds.good[:] = has(s, by, Effect.STRENGTHEN)
    odds.bad[:] = has(s, by, Effect.MUDDLE)
    for slot in range(s.n_active):
        if bonus.serves(s, c, slot, by):
            add_bonus(c, int(s.active[slot].bonus), begun, odds)


@kernel
def count_cards(deck, odds):
    """Count the cards of the draw pile by sort; if it is empty the discards, which it becomes."""
    odds.count[:] = 0
    odds.n = deck.n_pile if deck.n_pile > 0 else deck.n_discards
    for k in range(odds.n):
        card = deck.card[deck.pile[k] if deck.n_pile > 0 else deck.discards[k]]
        if card.worth == Worth.PLUS:
            odds.count[MOST + max(-MOST, min(MOST, int(card.number)))] += 1
        elif card.worth == Worth.DOUBLE:
            odds.count[DOUBLE] += 1
        else:
            odds.count[NULL] += 1


@kernel
def add_bonus(c, k, begun, odds):
    """What an active bonus adds to the next attack."""
    added = c.bonus[k]
    if added.trigger == Trigger.ATTACKED or added.trigger == Trigger.DAMAGE:
        return
    if added.trigger == Trigger.ATTACK_ACTION and begun:  # it is part of the ability already
        return
    for melee in range(2):
        if bonus.counts(c, k, melee == 1):
            odds.value[melee] += added.attack
            odds.pierce[melee] += added.pierce
            odds.good[melee] += added.advantages
            odds.bad[melee] += added.disadvantages
            odds.conditions[melee] |= added.conditions


@kernel
def expect(s, c, e, value, doublings, pierce, good, bad, melee, odds):
    """Expected damage to figure e, and the chance that it is defeated -> (damage, chance).

    value: printed. pierce, good and bad: of the attack, instances of Pierce, advantage and
    disadvantage; what `prepare` found comes on top.
    """
    if odds.n == 0:
        return 0.0, 0.0
    k = int(melee)
    before = value_before_card(value, odds.value[k], doublings, has(s, e, Effect.POISON))
    shield = bonus.standing_shield(s, c, e)
    for sort in range(N_SORTS):
        drawn = before + sort - MOST
        if sort == DOUBLE:
            drawn = 2 * before
        elif sort == NULL:
            drawn = 0
        odds.harm[sort] = damage(drawn, shield, pierce + odds.pierce[k])
    mode = mode_of(good + odds.good[k], bad + odds.bad[k])
    if mode == Draw.NORMAL or odds.n < 2:
        return of_one_card(odds, int(s.figure[e].hp))
    return of_two_cards(odds, int(s.figure[e].hp), mode == Draw.ADVANTAGE)


@kernel
def of_one_card(odds, hp):
    """Mean of the damage, and the share of the cards that defeat -> (damage, chance)."""
    total = defeats = 0
    for sort in range(N_SORTS):
        total += odds.count[sort] * odds.harm[sort]
        defeats += odds.count[sort] * (odds.harm[sort] >= hp)
    return total / odds.n, defeats / odds.n


@kernel
def of_two_cards(odds, hp, better):
    """The same over all pairs, of which the better or the worse card counts."""
    total = defeats = 0
    for a in range(N_SORTS):
        for b in range(N_SORTS):
            pairs = odds.count[a] * (odds.count[b] - (a == b))
            harm = min(odds.harm[a], odds.harm[b])
            if better:
                harm = max(odds.harm[a], odds.harm[b])
            total += pairs * harm
            defeats += pairs * (harm >= hp)
    n = odds.n * (odds.n - 1)
    return total / n, defeats / n
