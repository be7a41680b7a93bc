"""Figures on the board, and how they leave it."""

import numpy as np

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from .. import hexset
from ..hexset import EMPTY
from ..layout import ACTIVES, FIRST_MONSTER, HANDS, MONSTERS, N_FIGURES, N_HEROES
from ..terms import Effect, Event, Place, Side


@kernel
def is_present(s, f):
    """Whether a slot holds a figure that stands on the board."""
    return 0 <= f < N_FIGURES and (s.present >> f) & 1 != 0


@kernel
def monsters(s):
    """Bits of the monsters on the board."""
    return int(s.present) & MONSTERS


@kernel
def are_enemies(s, a, b):
    """Whether two figures are of different sides: characters and summons, and monsters."""
    return (a >= FIRST_MONSTER) != (b >= FIRST_MONSTER)


@kernel
def enemies_of(s, f):
    """Bits of the enemies of a figure that are on the board."""
    theirs = monsters(s)
    return int(s.present) & ~theirs if f >= FIRST_MONSTER else theirs


@kernel
def are_allies(s, a, b):
    """Whether two different figures are of one side."""
    return a != b and not are_enemies(s, a, b)


@kernel
def has(s, f, condition):
    """G10.1 - whether a figure has a condition, terms.Effect."""
    return s.figure[f].condition[condition] != 0


@kernel
def figure_at(s, h):
    """The figure on a hex; -1 = none."""
    left = int(s.present)
    while left != 0:
        f = lowest(left)
        left &= left - 1
        if s.figure[f].at == h:
            return f
    return -1


@kernel
def all_hexes(s):
    """Hexes of all figures."""
    return hexset.union(hexset.of(s.party), hexset.of(s.monsters))


@kernel
def hexes_of_others(s, f):
    """Hexes of all figures but one, which may be passing another one."""
    if not is_present(s, f):
        return all_hexes(s)
    h = int(s.figure[f].at)
    if h == s.shared or hexset.has(hexes_of_enemies(s, f), h):
        return all_hexes(s)
    return hexset.without(all_hexes(s), hexset.only(h))


@kernel
def hexes_of_enemies(s, f):
    """Hexes of the enemies of a figure, invisible ones too."""
    return hexset.of(s.party) if f >= FIRST_MONSTER else hexset.of(s.monsters)


@kernel
def touch(s, f):
    """Note that the record of a figure, or what else has a bit (layout.TYPES), is written to."""
    s.touched |= np.int64(1) << int(f)


@kernel
def touch_hand(s, f):
    """Note the same of what sheet.HAND shows of a character; of others it shows nothing."""
    if f < N_HEROES:
        touch(s, HANDS + f)


@kernel
def put_on(s, f, h):
    """A figure comes to a hex; -1 = it leaves the board."""
    touch(s, f)
    figure = s.figure[f]
    before = int(figure.at)
    there = s.monsters if f >= FIRST_MONSTER else s.party
    if is_present(s, f):
        if before == s.shared:
            s.shared = -1
        else:
            hexset.keep(there, hexset.without(hexset.of(there), hexset.only(before)))
    figure.at = h
    if h < 0:
        s.present &= ~(1 << int(f))
        return
    s.present |= 1 << int(f)
    if hexset.has(hexset.of(there), h):
        s.shared = h
    hexset.keep(there, hexset.union(hexset.of(there), hexset.only(h)))


@kernel
def find(s):
    """Find out who stands where, of a position built by hand."""
    s.present = 0
    s.shared = -1
    hexset.keep(s.party, EMPTY)
    hexset.keep(s.monsters, EMPTY)
    for f in range(N_FIGURES):
        if s.figure[f].side != Side.NONE and s.figure[f].at >= 0:
            put_on(s, f, int(s.figure[f].at))


@kernel
def deck_of(s, f):
    """G1.2 - the modifier deck that a figure draws from."""
    figure = s.figure[f]
    if figure.side == Side.MONSTER:
        return 0
    return 1 + (figure.owner if figure.side == Side.SUMMON else f)


@kernel
def asked_for(s, f):
    """Whose player decides for a figure: a character's, its summoner's, or all of them (-1)."""
    if f < N_HEROES:
        return f
    return int(s.figure[f].owner) if s.figure[f].side == Side.SUMMON else -1


@kernel
def leave(s, f):
    """A figure leaves the board for good."""
    put_on(s, f, -1)
    for condition in range(Effect.STRENGTHEN + 1):
        s.figure[f].condition[condition] = 0


@kernel
def fell(s, f):
    """A figure dies."""
    leave(s, f)
    s.figure[f].hp = 0
    s.figure[f].dead = 1
    log(s, Event.DEATH, f, -1, -1)


@kernel
def take_out(s, slot):
    """G11.12, G11.13 - a card leaves the active area for its pile -> the summon it kept; -1."""
    active = s.active[slot]
    summon, owner, card = int(active.summon), int(active.owner), int(active.card)
    s.hero[owner].place[card] = Place.LOST if active.loss else Place.DISCARD
    s.n_active -= 1
    touch(s, ACTIVES)
    for k in range(slot, s.n_active):
        to, source = s.active[k], s.active[k + 1]
        to.owner = source.owner
        to.card = source.card
        to.bonus = source.bonus
        to.token = source.token
        to.loss = source.loss
        to.served = source.served
        to.summon = source.summon
    last = s.active[s.n_active]
    last.owner = -1
    last.card = -1
    last.bonus = -1
    last.token = 0
    last.loss = 0
    last.served = 0
    last.summon = -1
    log(s, Event.BONUS, owner, card, -1)
    return summon


@kernel
def kill(s, f):
    """G14.5 - a figure dies; a character is exhausted by it."""
    fell(s, f)
    if s.figure[f].side == Side.HERO:
        exhaust(s, f)
    else:
        take_along(s, f)


@kernel
def exhaust(s, h):
    """G14.5 - a character takes no part any more, dead or not."""
    leave(s, h)
    s.figure[h].exhausted = 1
    touch_hand(s, h)
    s.n_exhausted += 1
    log(s, Event.EXHAUSTED, h, -1, -1)
    take_along(s, h)


@kernel
def take_along(s, f):
    """G11.18, G11.20 - bonuses and summons of a figure that has gone, and the card that kept it."""
    slot = 0
    while slot < s.n_active:
        active = s.active[slot]
        if active.owner == f:
            summon = take_out(s, slot)
            if summon >= 0 and is_present(s, summon):
                fell(s, summon)
        elif active.summon == f:
            take_out(s, slot)
        else:
            slot += 1
    for other in range(N_HEROES, N_FIGURES):  # a summon that no card keeps
        if s.figure[other].owner == f and is_present(s, other):
            fell(s, other)


@kernel
def give_stats(figure, stats):
    """The numbers of a monster or summon that has just come."""
    figure.hp = stats.hp
    figure.max_hp = stats.hp
    figure.flying = stats.flying
    figure.immune = stats.immune
    figure.dead = 0
    figure.exhausted = 0
    figure.shield = stats.shield
    figure.round_shield = 0
    for reach in range(len(figure.retaliate)):
        figure.retaliate[reach] = 0
        figure.round_retaliate[reach] = 0
    if stats.retaliate:
        figure.retaliate[max(1, stats.retaliate_range)] = stats.retaliate
    for k in range(len(figure.condition)):
        figure.condition[k] = 0
    figure.xp = 0
    figure.loot = 0
