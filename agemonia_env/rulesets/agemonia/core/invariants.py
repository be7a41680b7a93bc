"""Invariants of every state, for tests and fuzzing: broken ones as a bit set."""

import numpy as np

from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import mix

from .layout import N_ALLIES, N_AREAS, N_CARRIED, N_ENEMIES, N_LOCKS, N_TASKS
from .rules import checks, condition, gear, lock, placing
from .terms import Broken, Decision, Ending, Kind


@kernel
def status(s, c):
    """Broken invariants, as bits of terms.Broken; 0 = none."""
    broken = status_of_areas(s, c) | status_of_decks(s, c)
    for a in range(N_ALLIES):
        if s.ally[a].kind != Kind.NOBODY:
            broken |= status_of_ally(s, c, a)
    for e in range(N_ENEMIES):
        if s.enemy[e].type >= 0:
            broken |= status_of_enemy(s, c, e)
    if not 0 <= s.depth <= N_TASKS:
        broken |= Broken.TASKS.value
    if s.ending == Ending.NONE and (s.depth == 0 or s.decision == Decision.NONE):
        broken |= Broken.TASKS.value
    if s.actions < 0 or s.maneuvers < 0 or s.move.points < 0:
        broken |= Broken.COUNTS.value
    return broken


@kernel
def count_bits(bits):
    """Set bits among the conditions."""
    n = 0
    for number in range(16):
        n += (bits >> number) & 1
    return n


@kernel
def status_of_ally(s, c, a):
    """R1.3, R12.0, R13.5, R14.8, R16 for one Ally."""
    ally = s.ally[a]
    broken = 0
    if count_bits(ally.conditions) > condition.MAXIMUM or ally.conditions & 1:
        broken |= Broken.CONDITIONS.value
    waits = c.sheet[a].waiting and ally.area < 0
    if not (ally.exhausted or waits) and not 0 <= ally.area < c.n_areas:
        broken |= Broken.PLACE.value
    if not 0 <= ally.health <= max(0, c.sheet[a].health):
        broken |= Broken.HEALTH.value
    if ally.kind != Kind.HERO:
        return broken
    chips = ally.disk + ally.spent + ally.wounds + lock.locked_chips(s, a)
    if chips != c.sheet[a].blue or min(ally.disk, ally.spent, ally.wounds) < 0:
        broken |= Broken.CHIPS.value
    if ally.wounded and ally.disk > c.sheet[a].red:
        broken |= Broken.WOUNDED_DISK.value
    if s.flip_chips == 0:
        for slot in range(N_LOCKS):
            passive = ally.lock_passive[slot]
            if passive < 0 and ally.lock_chips[slot] != 0:
                broken |= Broken.LOCKS.value
            if passive >= 0 and ally.lock_chips[slot] < c.passive[passive].need:
                broken |= Broken.LOCKS.value
    if gear.hands_used(s, c, a) > c.sheet[a].hands:
        broken |= Broken.ITEMS.value
    for k in range(N_CARRIED):
        if ally.item[k] < 0 and ((ally.active | ally.handled | ally.worn_out) >> k) & 1:
            broken |= Broken.ITEMS.value
    if not 0 <= ally.inspiration <= checks.INSPIRATION_LIMIT:
        broken |= Broken.GEMS.value
    if not 0 <= ally.achievement <= checks.ACHIEVEMENT_LIMIT or ally.evade < 0:
        broken |= Broken.GEMS.value
    return broken


@kernel
def status_of_enemy(s, c, e):
    """R1.6, R2.8, R12.0a for one Enemy."""
    enemy = s.enemy[e]
    broken = 0
    if count_bits(enemy.conditions) > condition.MAXIMUM:
        broken |= Broken.CONDITIONS.value
    if enemy.conditions & ~condition.ENEMY_CAN_HAVE:
        broken |= Broken.CONDITIONS.value
    if not 0 <= enemy.health <= enemy.full or (enemy.area >= 0) != (enemy.health > 0):
        broken |= Broken.HEALTH.value
    if enemy.area >= c.n_areas:
        broken |= Broken.PLACE.value
    return broken


@kernel
def status_of_areas(s, c):
    """R7.3 - the cached figures of the areas add up."""
    for area in range(N_AREAS):
        used, allies, foes = 0, 0, 0
        for a in range(N_ALLIES):
            if placing.ally_stands(s, a) and s.ally[a].area == area:
                used += c.sheet[a].size
                allies += 1
        for e in range(N_ENEMIES):
            if placing.enemy_stands(s, e) and s.enemy[e].area == area:
                used += c.type[s.enemy[e].type].size
                foes += 1
        if used != s.used[area] or allies != s.allies_in[area] or foes != s.enemies_in[area]:
            return Broken.CAPACITY.value
    return 0


@kernel
def status_of_decks(s, c):
    """R5.7, R5.19, R19.5 - no card is lost or doubled."""
    seen = 0
    for k in range(s.n_initiative):
        seen += 1 << int(s.initiative[k])
    for k in range(s.n_initiative_discard):
        seen += 1 << int(s.initiative_discard[k])
    if seen != (1 << int(c.n_cards)) - 1:
        return Broken.DECKS.value
    there = hash_of(s.fate, s.n_fate) + hash_of(s.fate_discard, s.n_fate_discard)
    there += hash_of(s.timer, s.n_timer)
    return 0 if there == hash_of(c.fate, c.n_fate) else Broken.DECKS.value


@kernel
def hash_of(cards, n):
    """A number that tells the values of cards[:n] in any order, uint64; those of piles add up."""
    total = np.uint64(0)
    for k in range(n):
        total += mix(np.uint64(cards[k]))
    return total
