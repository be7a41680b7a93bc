"""Invariants of every state, for tests and fuzzing: broken ones as a bit set."""

import numpy as np

from agemonia_env.core.bitset import size
from agemonia_env.core.jit import allocating, kernel
from agemonia_env.core.task_stack import pending_tasks

from . import hexset
from .actions import N_WORDS
from .layout import (
    FIRST_MONSTER,
    MAX_CARDS,
    N_ACTIVE,
    N_DECKS,
    N_FIGURES,
    N_HAND,
    N_HEROES,
    SUPPLY,
)
from .masks import write_legal
from .rules.figures import is_present
from .rules.hand import active_slot
from .terms import Broken, Effect, Ending, Place, Proc, Side, Terrain, Worth


@kernel
def status(s, c):
    """Broken invariants, as bits of terms.Broken; 0 = none."""
    broken = status_of_figures(s, c) | status_of_cards(s, c) | status_of_active(s)
    broken |= status_of_places(s)
    return broken | status_of_decks(s, c) | status_of_types(s, c) | status_of_question(s, c)


@kernel
def flag(broken, bit):
    """A bit of terms.Broken, if something is broken."""
    return int(bit) if broken else 0


@kernel
def status_of_figures(s, c):
    """G12.2, G12.10 - every figure on the board has a hex of the floor for itself."""
    broken, taken = 0, hexset.EMPTY
    floor = hexset.of(s.board.floor)
    obstacles = hexset.of(s.board.terrain[Terrain.OBSTACLE])
    tasks = pending_tasks(s)
    walks = (tasks >> Proc.MOVE_STEP) & 1 or (tasks >> Proc.MONSTER_WALK) & 1
    walker = s.move.by if walks else -1
    pushed = s.force.target if (tasks >> Proc.FORCE_STEP) & 1 else -1
    for f in range(N_FIGURES):
        figure = s.figure[f]
        broken |= flag(figure.hp < 0 or figure.hp > figure.max_hp, Broken.HIT_POINTS)
        if not is_present(s, f):
            continue
        broken |= flag(figure.hp == 0, Broken.HIT_POINTS)
        for condition in range(Effect.STRENGTHEN + 1):
            most = 1 if condition == Effect.POISON or condition == Effect.WOUND else 2
            wrong = figure.condition[condition] > (most if condition else 0)
            wrong = wrong or ((figure.immune >> condition) & 1 and figure.condition[condition])
            broken |= flag(wrong, Broken.CONDITIONS)
        at = int(figure.at)
        broken |= flag(not hexset.has(floor, at), Broken.OFF_FLOOR)
        if f in (walker, pushed):
            continue  # on its way through others
        broken |= flag(hexset.has(taken, at), Broken.SHARED_HEX)
        taken = hexset.union(taken, hexset.only(at))
        wrong = not figure.flying and hexset.has(obstacles, at)
        broken |= flag(wrong, Broken.OBSTACLE)
    return broken


@kernel
def status_of_places(s):
    """The sets of who stands where are what the figures say."""
    party, monsters, present = hexset.EMPTY, hexset.EMPTY, 0
    for f in range(N_FIGURES):
        if s.figure[f].side != Side.NONE and s.figure[f].at >= 0:
            present |= 1 << f
            there = hexset.only(int(s.figure[f].at))
            if f >= FIRST_MONSTER:
                monsters = hexset.union(monsters, there)
            else:
                party = hexset.union(party, there)
    same = party == hexset.of(s.party) and monsters == hexset.of(s.monsters)
    return flag(not same or present != s.present, Broken.PLACES)


@kernel
def status_of_cards(s, c):
    """G14.1, G14.3 - every ability card of a character lies in one place."""
    broken = 0
    for h in range(N_HEROES):
        hero = s.hero[h]
        for card in range(N_HAND):
            has = s.figure[h].side == Side.HERO and card < c.hero[h].n_cards
            broken |= flag((hero.place[card] != Place.NONE) != has, Broken.CARDS)
            active = hero.place[card] == Place.ACTIVE
            broken |= flag((active_slot(s, h, card) >= 0) != active, Broken.ACTIVE)
        twice = hero.lead >= 0 and hero.lead == hero.second
        broken |= flag(twice or hero.lead >= N_HAND or hero.second >= N_HAND, Broken.CARDS)
    return broken


@kernel
def status_of_active(s):
    """G11.18, G11.20 - cards in active areas fill the slots from the first on; summons stand."""
    broken = 0
    for slot in range(N_ACTIVE):
        active = s.active[slot]
        broken |= flag((active.owner >= 0) != (slot < s.n_active), Broken.ACTIVE)
        if slot < s.n_active and active.summon >= 0:
            broken |= flag(not is_present(s, active.summon), Broken.ACTIVE)
            broken |= flag(s.figure[active.summon].owner != active.owner, Broken.ACTIVE)
    return broken


@kernel
def status_of_decks(s, c):
    """G1.1, G1.10, G1.12 - modifier decks have all their cards, and blesses and curses add up."""
    bless, curse_monster, curse_hero = int(s.bless), int(s.curse_monster), int(s.curse_hero)
    broken = 0
    for d in range(N_DECKS):
        deck = s.deck[d]
        seen, twice, n = hexset.EMPTY, False, 0
        for k in range(deck.n_pile + deck.n_discards):
            place = deck.pile[k] if k < deck.n_pile else deck.discards[k - deck.n_pile]
            twice = twice or hexset.has(seen, place)
            seen = hexset.union(seen, hexset.only(place))
            n += place < deck.n_own
            if not deck.card[place].supplied:
                twice = twice or place >= deck.n_own
            elif deck.card[place].worth == Worth.DOUBLE:
                bless += 1
            elif d == 0:
                curse_monster += 1
            else:
                curse_hero += 1
        whole = n == deck.n_own and deck.n_pile + deck.n_discards <= MAX_CARDS
        broken |= flag(twice or not whole, Broken.DECKS)
    wrong = bless != SUPPLY or curse_monster != SUPPLY or curse_hero != SUPPLY
    return broken | flag(wrong, Broken.SUPPLY)


@kernel
def status_of_types(s, c):
    """G13.1 - every ability card of a monster type is in its pile or its discards."""
    broken = 0
    for kind in range(c.n_types):
        pile = s.type[kind]
        cards, discarded = 0, 0
        for k in range(pile.n_pile):
            cards |= 1 << int(pile.pile[k])
        for k in range(pile.n_discards):
            discarded |= 1 << int(pile.discards[k])
        n = c.kind[kind].n_cards
        whole = pile.n_pile + pile.n_discards == n and size(cards | discarded) == n
        turned = pile.card < 0 or (discarded >> int(pile.card)) & 1 != 0
        broken |= flag(not whole or not turned, Broken.MONSTER_CARDS)
    return broken


@allocating
def status_of_question(s, c):
    """As long as the scenario goes on, something is asked that can be answered."""
    legal = np.zeros(N_WORDS, np.int64)
    empty = s.ending == Ending.NONE and write_legal(s, c, legal) == 0
    return flag(empty, Broken.EMPTY_MASK)
