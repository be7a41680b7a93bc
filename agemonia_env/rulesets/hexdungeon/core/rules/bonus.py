"""G11 Active bonuses."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from ..layout import ACTIVES, N_ACTIVE, N_FIGURES
from ..terms import Decision, Denial, Event, Only, Place, Serve, Side, Trigger
from .figures import are_enemies, fell, is_present, take_out, touch, touch_hand


@kernel
def remove(s, slot):
    """G11.13, G11.18 - a card leaves the active area; the summon that it kept dies."""
    summon = take_out(s, slot)
    if summon >= 0 and is_present(s, summon):
        fell(s, summon)


@kernel
def remove_denial(s, slot):
    """G11.13, H16 - why a card cannot be moved from the active area to its pile -> Denial."""
    if not 0 <= slot < s.n_active or not is_removable(s, slot):
        return Denial.NOT_ACTIVE
    return Denial.NONE


@kernel
def is_removable(s, slot):
    """G11.13, H16, H21 - whether a card in the active areas can move to its pile at this question.

    The player asked moves its own cards, and in its turn summons of others make way for it; all
    players together move anybody's.
    """
    active = s.active[slot]
    makes_way = s.decision == Decision.TURN and active.summon >= 0
    return s.asked < 0 or active.owner == s.asked or makes_way


@kernel
def removable(s):
    """G11.13, H16, H21 - bits of the cards in the active areas that the player asked can move."""
    bits = 0
    for slot in range(s.n_active):
        bits |= int(is_removable(s, slot)) << slot
    return bits


@kernel
def served_by(s, c, h, bonus):
    """G11.1 - bits of the figures that a bonus of character h is for."""
    serves = c.bonus[bonus].serves
    bits = 0
    for f in range(N_FIGURES):
        if s.figure[f].side == Side.NONE or are_enemies(s, h, f):
            continue
        if f == h:
            bits |= (1 << f) if serves != Serve.ALLIES else 0
        elif serves != Serve.SELF:
            bits |= 1 << f
    return bits


@kernel
def start(s, c, h, card, bonus, loss, served, summon):
    """G11.1, G11.3, G11.7 - a card comes into the active area, its token on space 1.

    bonus: of the content, -1 for a card that keeps a summon only. A persistent card counts as
    lost with or without the symbol.
    """
    if s.n_active == N_ACTIVE:
        return
    persistent = bonus < 0 or c.bonus[bonus].round == 0
    active = s.active[s.n_active]
    active.owner = h
    active.card = card
    active.bonus = bonus
    active.token = 1 if bonus >= 0 and c.bonus[bonus].spaces > 0 else 0
    active.loss = loss or persistent
    active.served = served
    active.summon = summon
    s.n_active += 1
    touch(s, ACTIVES)
    s.hero[h].place[card] = Place.ACTIVE
    log(s, Event.BONUS, h, card, -1, active.token)


@kernel
def welcome(s, c, f):
    """G11.1 - a figure that has just come is served by what serves all allies."""
    bit = 1 << int(f)
    for slot in range(s.n_active):
        active = s.active[slot]
        active.served &= ~bit
        if active.bonus >= 0 and not are_enemies(s, active.owner, f):
            serves = c.bonus[active.bonus].serves
            if serves == Serve.ALLIES or serves == Serve.PARTY:
                active.served |= bit


@kernel
def serves(s, c, slot, f):
    """Whether an active card has a bonus for figure f."""
    active = s.active[slot]
    return active.bonus >= 0 and (active.served >> int(f)) & 1 != 0


@kernel
def counts(c, bonus, melee):
    """Whether a bonus is about such attacks."""
    only = c.bonus[bonus].only
    return only == Only.BOTH or (only == Only.MELEE) == melee


@kernel
def move_token(s, c, slot):
    """G11.3 to G11.6 - the token moves on -> whether it was on the last space, and the card went.

    Nothing moves without spaces.
    """
    active = s.active[slot]
    if active.token == 0:
        return False
    bonus = c.bonus[active.bonus]
    gain_xp(s, active.owner, bonus.xp[active.token - 1])
    if active.token < bonus.spaces:
        active.token += 1
        touch(s, ACTIVES)
        log(s, Event.BONUS, active.owner, active.card, -1, active.token)
        return False
    remove(s, slot)
    return True


@kernel
def gain_xp(s, f, xp):
    """Experience."""
    if xp != 0:
        s.figure[f].xp += xp
        touch_hand(s, f)
        log(s, Event.XP, f, xp, -1)


@kernel
def add_to_action(s, c):
    """G11.17, G5.9 - bonuses on "the next attack action" are used, once for the whole ability."""
    strike = s.strike
    melee = strike.range == 0
    slot = 0
    while slot < s.n_active:
        k = s.active[slot].bonus
        if not serves(s, c, slot, strike.by) or c.bonus[k].trigger != Trigger.ATTACK_ACTION:
            slot += 1
            continue
        if not counts(c, k, melee):
            slot += 1
            continue
        bonus = c.bonus[k]
        strike.bonus += bonus.attack
        strike.advantages += bonus.advantages
        strike.disadvantages += bonus.disadvantages
        strike.pierce += bonus.pierce
        strike.action_conditions |= bonus.conditions
        slot += not move_token(s, c, slot)


@kernel
def add_to_attack(s, c):
    """G7.2, G11.5, G11.17 - bonuses of one attack -> (value, advantages, disadvantages, pierce).

    All that apply are used, whether or not they gain anything.
    """
    strike = s.strike
    melee = strike.range == 0
    value, advantages, disadvantages, pierce = 0, 0, 0, 0
    slot = 0
    while slot < s.n_active:
        k = s.active[slot].bonus
        if not serves(s, c, slot, strike.by) or not counts(c, k, melee):
            slot += 1
            continue
        bonus = c.bonus[k]
        if bonus.trigger != Trigger.NONE and bonus.trigger != Trigger.ATTACKS:
            slot += 1
            continue
        value += bonus.attack
        advantages += bonus.advantages
        disadvantages += bonus.disadvantages
        pierce += bonus.pierce
        strike.conditions |= bonus.conditions
        used = bonus.trigger == Trigger.ATTACKS and move_token(s, c, slot)
        slot += not used
    return value, advantages, disadvantages, pierce


@kernel
def guard(s, c, f, melee):
    """G7.4, G8.2, G11.5 - bonuses of a figure that is attacked are used, for this attack.

    Their Shield, retaliate and negation are left in s.strike.
    """
    strike = s.strike
    strike.guard = 0
    strike.negated = 0
    for reach in range(len(strike.riposte)):
        strike.riposte[reach] = 0
    slot = 0
    while slot < s.n_active:
        k = s.active[slot].bonus
        if not serves(s, c, slot, f) or not counts(c, k, melee):
            slot += 1
            continue
        bonus = c.bonus[k]
        if bonus.trigger != Trigger.NONE and bonus.trigger != Trigger.ATTACKED:
            slot += 1
            continue
        strike.guard += bonus.shield
        if bonus.trigger == Trigger.ATTACKED:
            strike.riposte[max(1, bonus.retaliate_range)] += bonus.retaliate
            strike.negated |= bonus.negate
        used = bonus.trigger == Trigger.ATTACKED and move_token(s, c, slot)
        slot += not used


@kernel
def standing_shield(s, c, f):
    """G8.1, G8.2 - Shield of a figure now: its own, until the end of the round, and of cards.

    A card that says how many attacks it lasts counts, too, as it will be used in the next.
    """
    shield = s.figure[f].shield + s.figure[f].round_shield
    for slot in range(s.n_active):
        if serves(s, c, slot, f):
            bonus = c.bonus[s.active[slot].bonus]
            if bonus.trigger == Trigger.NONE or bonus.trigger == Trigger.ATTACKED:
                shield += bonus.shield
    return shield


@kernel
def standing_retaliate(s, c, f, distance, melee):
    """G8.8, G8.9 - retaliate of a figure against an attacker so far away, tracked cards apart."""
    total = 0
    figure = s.figure[f]
    for reach in range(max(0, distance), len(figure.retaliate)):
        total += figure.retaliate[reach] + figure.round_retaliate[reach]
    for slot in range(s.n_active):
        if serves(s, c, slot, f):
            bonus = c.bonus[s.active[slot].bonus]
            near = distance <= max(1, bonus.retaliate_range)
            if bonus.trigger == Trigger.NONE and near and counts(c, s.active[slot].bonus, melee):
                total += bonus.retaliate
    return total


@kernel
def negate(s, c, f):
    """G11.8 to G11.10, G11.16 - bonuses on a source of at least 1 damage -> whether it is negated.

    One after another in order of play; what comes after a negation is not triggered.
    """
    slot = 0
    while slot < s.n_active:
        k = s.active[slot].bonus
        if not serves(s, c, slot, f):
            slot += 1
            continue
        trigger, negates = c.bonus[k].trigger, c.bonus[k].negate != 0
        used = trigger == Trigger.DAMAGE and move_token(s, c, slot)
        if negates and (trigger == Trigger.DAMAGE or trigger == Trigger.NONE):
            log(s, Event.NEGATED, f, -1, -1, 1)
            return True
        slot += not used
    return False


@kernel
def end_round(s, c):
    """G11.2, G11.11 - round bonuses leave play."""
    slot = 0
    while slot < s.n_active:
        bonus = s.active[slot].bonus
        if bonus >= 0 and c.bonus[bonus].round:
            remove(s, slot)
        else:
            slot += 1
