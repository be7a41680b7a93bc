"""G13.7, G13.9 - the enemies of a monster in order of rank, and sets of them as bits.

The enemy ranked first has the highest bit. So of two sets of one size the one with more members
of rank 1, then of rank 2, ... is the larger number, once members of equal rank have been moved to
the highest bits of their rank.
"""

from agemonia_env.core import bitset
from agemonia_env.core.jit import kernel

from .. import hexset
from ..hexset import EMPTY
from ..layout import MAX_ENEMIES
from .board import neighbours
from .sight import sees

FAR = 9999  # stands for no way at all: behind every range


@kernel
def bit(k):
    """The set of the enemy ranked k, from 0 on."""
    return 1 << (MAX_ENEMIES - 1 - k)


@kernel
def comes_before(one, other):
    """G13.7 - whether an enemy ranks before another: nearer, or as near and earlier."""
    near = one.range if one.range >= 0 else FAR
    far = other.range if other.range >= 0 else FAR
    return near < far or (near == far and one.initiative < other.initiative)


@kernel
def write_ranks(board, turn, plan):
    """G13.7, G13.9 - the enemies in order of rank, by insertion; those of equal rank as they come.

    Their sets of hexes are not written.
    """
    write_ranges(board, turn, plan)
    spare = plan.ranked[MAX_ENEMIES]
    for e in range(1, turn.n_enemies):
        move_rank(plan.ranked[e], spare)
        k = e
        while k > 0 and comes_before(spare, plan.ranked[k - 1]):
            move_rank(plan.ranked[k - 1], plan.ranked[k])
            k -= 1
        move_rank(spare, plan.ranked[k])
    first, equals = 0, 0
    for k in range(turn.n_enemies):
        equals |= bit(k)
        if k + 1 == turn.n_enemies or comes_before(plan.ranked[k], plan.ranked[k + 1]):
            for one in range(first, k + 1):
                plan.ranked[one].equals = equals
            first, equals = k + 1, 0


@kernel
def write_ranges(board, turn, plan):
    """G3.1, G3.8 - the enemies and their ranges from the monster's hex, in one search for all."""
    left = EMPTY
    for e in range(turn.n_enemies):
        enemy = plan.ranked[e]
        enemy.enemy = e
        enemy.at = turn.enemy[e].at
        enemy.initiative = turn.enemy[e].initiative
        enemy.range = -1
        left = hexset.union(left, hexset.only(enemy.at))
    floor = hexset.of(board.floor)
    reached, n = hexset.only(turn.actor), 0
    while not hexset.is_empty(left):
        found = hexset.common(reached, left)
        if not hexset.is_empty(found):
            left = hexset.without(left, found)
            for e in range(turn.n_enemies):
                enemy = plan.ranked[e]
                if hexset.has(found, enemy.at):
                    enemy.range = n
        further = hexset.union(reached, hexset.common(neighbours(board, reached), floor))
        if hexset.is_empty(hexset.without(further, reached)):
            return
        reached = further
        n += 1


@kernel
def move_rank(source, target):
    """Copy who is ranked."""
    target.enemy = source.enemy
    target.at = source.at
    target.initiative = source.initiative
    target.range = source.range


@kernel
def rank_key(plan, n_enemies, members):
    """A number that is larger for the set to be preferred, among sets of one size (G13.9)."""
    key = 0
    k = 0
    while k < n_enemies:
        equals = plan.ranked[k].equals
        for i in range(bitset.size(members & equals)):
            key |= bit(k + i)
        k += bitset.size(equals)
    return key


@kernel
def seen_from(board, turn, plan, h, wanted):
    """G4.1 - those of the wanted enemies that are seen from hex h; each is looked for once."""
    if not hexset.has(hexset.of(plan.looked), h):
        hexset.keep(plan.looked, hexset.union(hexset.of(plan.looked), hexset.only(h)))
        plan.asked[h] = 0
        plan.seen[h] = 0
    unknown = wanted & ~plan.asked[h]
    if unknown:
        seen = plan.seen[h]
        for k in range(turn.n_enemies):
            if unknown & bit(k) and sees(board, h, plan.ranked[k].at):
                seen |= bit(k)
        plan.seen[h] = seen
        plan.asked[h] |= unknown
    return plan.seen[h] & wanted


@kernel
def reached_from(turn, plan, h):
    """G3.3, G3.5 - enemies within the attack's range of hex h, seen or not."""
    reached = 0
    for k in range(turn.n_enemies):
        if hexset.has(hexset.of(plan.ranked[k].reach), h):
            reached |= bit(k)
    return reached


@kernel
def aimed_from(turn, plan, h):
    """G13.6 - enemies that a template may cover from hex h, seen or not."""
    aimed = 0
    for k in range(turn.n_enemies):
        if hexset.has(hexset.of(plan.ranked[k].aim), h):
            aimed |= bit(k)
    return aimed
