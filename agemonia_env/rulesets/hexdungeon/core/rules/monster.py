"""G13 Monster turn: focus, movement, targets."""

import numpy as np

from agemonia_env.core import bitset
from agemonia_env.core.jit import kernel

from .. import hexset
from ..hexset import EMPTY
from ..layout import MAX_OUTCOMES, MAX_SETS
from ..terms import Mode, Terrain
from .movement import FAR, may_end, may_enter, negative_hexes, write_jumps, write_ways
from .target_order import aimed_from, bit, rank_key, reached_from, seen_from, write_ranks
from .templates import (
    can_hit_all,
    enemy_hexes,
    further_targets,
    has_template,
    prepare_covers,
    write_reaches,
)


@kernel
def write_outcomes(board, turn, plan):
    """G13 - every outcome of a monster's turn that the rules allow; the first is the one taken.

    G13.18, H5 - focuses come in order of rank, their sets as found, then hexes by their number.
    """
    prepare(board, turn, plan)
    focuses = find_focus(board, turn, plan)
    if focuses == 0:  # G13.8
        add_outcome(turn, plan, turn.actor, 0)
    for k in range(turn.n_enemies):
        if focuses & bit(k):
            act_on(board, turn, plan, k)


@kernel
def prepare(board, turn, plan):
    """G13.6 - whom the monster can attack from where; no outcome yet."""
    plan.n_outcomes = 0
    plan.overflow = False
    hexset.keep(plan.looked, EMPTY)
    write_ranks(board, turn, plan)
    write_reaches(board, turn, plan)


@kernel
def add_outcome(turn, plan, end, members):
    """Note an outcome, unless it is there: where the monster ends, and which ranks it attacks."""
    attacked = 0
    for k in range(turn.n_enemies):
        if members & bit(k):
            attacked |= np.int64(1) << plan.ranked[k].enemy
    for n in range(plan.n_outcomes):
        if plan.outcome[n].end == end and plan.outcome[n].attacked == attacked:
            return
    if plan.n_outcomes == MAX_OUTCOMES:
        plan.overflow = True
        return
    plan.outcome[plan.n_outcomes].end = end
    plan.outcome[plan.n_outcomes].attacked = attacked
    plan.n_outcomes += 1


# ---- where it can go ----------------------------------------------------------------------------
@kernel
def barred(turn):
    """G12.2, G10.8 - hexes of all its enemies, invisible ones too."""
    return hexset.union(enemy_hexes(turn), hexset.of(turn.unseen))


@kernel
def write_own_ways(board, turn, plan, most):
    """G13.5 - hexes on which the monster may end, best first; most: see movement.write_ways."""
    negative = negative_hexes(board)
    difficult = hexset.of(board.terrain[Terrain.DIFFICULT])
    enemies = barred(turn)
    enter = may_enter(board, turn.mode, enemies)
    if turn.mode == Mode.JUMP:
        plan.n_layers = write_jumps(board, plan.layer, turn.actor, negative, difficult, most)
    elif turn.mode == Mode.FLY:
        plan.n_layers = write_ways(board, plan.layer, turn.actor, enter, EMPTY, EMPTY, most)
    else:
        plan.n_layers = write_ways(board, plan.layer, turn.actor, enter, negative, difficult, most)
    ends = may_end(board, turn.mode, hexset.union(enemies, hexset.of(turn.allies)))
    ends = hexset.union(ends, hexset.only(turn.actor))
    for n in range(plan.n_layers):
        hexes = plan.layer[n].hexes
        hexset.keep(hexes, hexset.common(hexset.of(hexes), ends))


# ---- focus --------------------------------------------------------------------------------------
@kernel
def find_focus(board, turn, plan):
    """G13.5 to G13.8 - the same as `focus`, looked for within this turn's movement first.

    An attack that is within reach and past no negative hex settles the turn: whatever lies farther
    comes after it in every order (G13.6, G13.9).
    """
    write_own_ways(board, turn, plan, turn.move)
    focuses = focus(board, turn, plan)
    if focuses == 0:
        write_own_ways(board, turn, plan, FAR)
        focuses = focus(board, turn, plan)
    return focuses


@kernel
def focus(board, turn, plan):
    """G13.6 to G13.8 - the enemies that may be the focus, as bits: equal in all that counts."""
    aims = EMPTY
    for k in range(turn.n_enemies):
        aims = hexset.union(aims, hexset.of(plan.ranked[k].aim))
    for n in range(plan.n_layers):
        hexes = hexset.common(hexset.of(plan.layer[n].hexes), aims)
        if hexset.is_empty(hexes):
            continue
        found, equals = 0, -1
        for k in range(turn.n_enemies):
            enemy = plan.ranked[k]
            if found and not equals & bit(k):
                break
            aim = hexset.common(hexes, hexset.of(enemy.aim))
            if any_sees(board, turn, plan, aim, k):
                found |= bit(k)
                equals = enemy.equals
        if found:
            return found
    return 0


@kernel
def any_sees(board, turn, plan, hexes, k):
    """Whether the enemy ranked k is seen from any of these hexes."""
    while not hexset.is_empty(hexes):
        h = hexset.lowest(hexes)
        hexes = hexset.without(hexes, hexset.only(h))
        if seen_from(board, turn, plan, h, bit(k)):
            return True
    return False


# ---- targets ------------------------------------------------------------------------------------
@kernel
def act_on(board, turn, plan, f):
    """G13.9 to G13.12 - the outcomes with one focus, given by its rank."""
    write_class(board, turn, plan, f)
    write_sets(board, turn, plan, f)
    first = write_hexes(board, turn, plan, f)
    for k in range(first, plan.n_sets):
        members = plan.set[k].members
        hexes = hexset.of(plan.set[k].hexes)
        while not hexset.is_empty(hexes):
            h = hexset.lowest(hexes)
            hexes = hexset.without(hexes, hexset.only(h))
            if plan.reachable:  # G13.11, and G13.4: no attack on the card
                add_outcome(turn, plan, h, members if turn.attacks else 0)
            else:
                approach(board, turn, plan, h)


@kernel
def can_hit(board, turn, plan, f, h):
    """G13.9, H4 - whether some use of the attack from hex h hits the enemy ranked f."""
    enemy = plan.ranked[f]
    aimed = hexset.has(hexset.of(enemy.aim), h)
    added = further_targets(turn) > 0 and hexset.has(hexset.of(enemy.reach), h)
    if not (aimed or added) or not seen_from(board, turn, plan, h, bit(f)):
        return False
    if aimed:
        return True
    # as an added target of a template with a grey hex, which has to hit somebody else
    return seen_from(board, turn, plan, h, aimed_from(turn, plan, h)) != 0


@kernel
def possible_hexes(turn, plan, f, n):
    """Hexes of layer n from which the enemy ranked f might be hit."""
    enemy = plan.ranked[f]
    hexes = hexset.of(enemy.aim)
    if further_targets(turn) > 0:
        hexes = hexset.union(hexes, hexset.of(enemy.reach))
    return hexset.common(hexes, hexset.of(plan.layer[n].hexes))


@kernel
def write_class(board, turn, plan, f):
    """G13.9 - the least (negative hexes, out of reach, disadvantage on the focus) of any hex."""
    found = False
    bad = hexset.of(plan.ranked[f].bad)
    for n in range(plan.n_layers):
        layer = plan.layer[n]
        here = layer.cost <= turn.move
        if found and (layer.negative > plan.negative or here != plan.reachable):
            return
        hexes = possible_hexes(turn, plan, f, n)
        while not hexset.is_empty(hexes):
            h = hexset.lowest(hexes)
            hexes = hexset.without(hexes, hexset.only(h))
            if can_hit(board, turn, plan, f, h):
                found = True
                plan.negative, plan.reachable = layer.negative, here
                plan.disadvantage = hexset.has(bad, h)
                if not plan.disadvantage:
                    return


@kernel
def hexes_of_class(turn, plan, f, n):
    """Hexes of layer n that are of the class, from which the enemy ranked f might be hit."""
    layer = plan.layer[n]
    if layer.negative != plan.negative or (layer.cost <= turn.move) != plan.reachable:
        return EMPTY
    hexes = possible_hexes(turn, plan, f, n)
    bad = hexset.of(plan.ranked[f].bad)
    if plan.disadvantage:
        return hexset.common(hexes, bad)
    return hexset.without(hexes, bad)


@kernel
def write_sets(board, turn, plan, f):
    """G13.9 - the best sets of targets with the focus, over all hexes of the class."""
    plan.n_sets = 0
    plan.best_size = 0
    most = most_targets(turn)
    for n in range(plan.n_layers):
        cost = plan.layer[n].cost
        hexes = hexes_of_class(turn, plan, f, n)
        while not hexset.is_empty(hexes) and not is_worse(plan, most, cost):
            h = hexset.lowest(hexes)
            hexes = hexset.without(hexes, hexset.only(h))
            write_sets_from(board, turn, plan, f, h, cost)


@kernel
def most_targets(turn):
    """No set of targets is larger."""
    covered = turn.attack.n_cells if has_template(turn) else 0
    return min(covered + further_targets(turn), turn.n_enemies)


@kernel
def write_sets_from(board, turn, plan, f, h, cost):
    """G5.6, G6.1, G6.5 - the sets with the focus that one use of the attack may hit from hex h."""
    reached = reached_from(turn, plan, h)
    further = further_targets(turn)
    if not has_template(turn):
        if min(bitset.size(reached), further) < plan.best_size:
            return
        seen = seen_from(board, turn, plan, h, reached)
        complete(turn, plan, f, 0, seen, further, cost)
        return
    seen = seen_from(board, turn, plan, h, reached | aimed_from(turn, plan, h))
    anchor = prepare_covers(board, turn, plan, h)
    for k in range(plan.n_covers):
        cover = plan.cover[k]
        covered = cover.enemies & seen
        if covered and not hexset.is_empty(hexset.common(hexset.of(cover.cells), anchor)):
            complete(turn, plan, f, covered, reached & seen & ~cover.enemies, further, cost)


@kernel
def complete(turn, plan, f, members, pool, further, cost):
    """G13.9, G13.15 - the focus, then as many further targets of the pool as may be, the best."""
    pool &= ~members
    size = bitset.size(members) + min(further, bitset.size(pool))
    if is_worse(plan, size, cost):
        return
    if not members & bit(f):
        if further == 0 or not pool & bit(f):
            return
        members |= bit(f)
        pool &= ~bit(f)
        further -= 1
    k = 0
    while k < turn.n_enemies and further > 0:
        equals = plan.ranked[k].equals
        rank = pool & equals
        if bitset.size(rank) > further:
            choose(turn, plan, members, rank, further, cost)
            return
        members |= rank
        further -= bitset.size(rank)
        k += bitset.size(equals)
    add_set(turn, plan, members, cost)


@kernel
def is_worse(plan, size, cost):
    """G13.9 - whether sets of so many targets, at this cost, are worse than those found."""
    return size < plan.best_size or (size == plan.best_size and cost > plan.best_cost)


@kernel
def choose(turn, plan, members, rank, n, cost):
    """Every way to take n more out of one rank."""
    some = rank
    while some != 0:
        if bitset.size(some) == n:
            add_set(turn, plan, members | some, cost)
        some = (some - 1) & rank


@kernel
def add_set(turn, plan, members, cost):
    """G13.9 - keep a set if none is better: more targets, smaller cost, better ranks."""
    size = bitset.size(members)
    if is_worse(plan, size, cost):
        return
    key = rank_key(plan, turn.n_enemies, members)
    if size > plan.best_size or cost < plan.best_cost or key > plan.best_key:
        plan.best_size, plan.best_cost, plan.best_key = size, cost, key
        plan.n_sets = 0
    elif key < plan.best_key:
        return
    for k in range(plan.n_sets):
        if plan.set[k].members == members:
            return
    if plan.n_sets == MAX_SETS:
        plan.overflow = True
        return
    plan.set[plan.n_sets].members = members
    plan.n_sets += 1


# ---- where it ends ------------------------------------------------------------------------------
@kernel
def write_hexes(board, turn, plan, f):
    """G13.10, H2 - for each set the hexes of the class to hit it from, the best for any of them.

    -> the first set that has some; after it those that are not as good have none.
    """
    first, fewest, cost = 0, turn.n_enemies + 1, 0
    for k in range(plan.n_sets):
        members = plan.set[k].members
        best, least, at_cost = best_hexes(board, turn, plan, f, members, fewest, cost)
        hexset.keep(plan.set[k].hexes, best)
        if least < fewest or at_cost < cost:
            first, fewest, cost = k, least, at_cost
    return first


@kernel
def best_hexes(board, turn, plan, f, members, fewest, best_cost):
    """G13.10 - hexes of the class to hit a set from: fewest disadvantages, then smallest cost.

    Only such as are no worse than (fewest, best_cost). -> (hexes, disadvantages, cost)
    """
    best = EMPTY
    for n in range(plan.n_layers):
        cost = plan.layer[n].cost
        if fewest == plan.disadvantage and cost > best_cost:
            continue  # nothing less than the one on the focus, if there is one
        hexes = hexes_of_class(turn, plan, f, n)
        while not hexset.is_empty(hexes):
            h = hexset.lowest(hexes)
            hexes = hexset.without(hexes, hexset.only(h))
            bad = disadvantages(turn, plan, h, members)
            if bad > fewest or (bad == fewest and cost > best_cost):
                continue
            if can_hit_all(board, turn, plan, h, members):
                if bad < fewest or cost < best_cost:
                    best, fewest, best_cost = EMPTY, bad, cost
                best = hexset.union(best, hexset.only(h))
    return best, fewest, best_cost


@kernel
def disadvantages(turn, plan, h, members):
    """G13.10, G13.13 - how many of the members are attacked with disadvantage from hex h."""
    n = 0
    for k in range(turn.n_enemies):
        if members & bit(k):
            n += hexset.has(hexset.of(plan.ranked[k].bad), h)
    return n


@kernel
def approach(board, turn, plan, destination):
    """G13.12, H3 - as near to a hex out of reach as this turn allows."""
    negative = negative_hexes(board)
    difficult = hexset.of(board.terrain[Terrain.DIFFICULT])
    if turn.mode != Mode.WALK:  # what lies on the last hex is the same wherever one comes from
        negative, difficult = EMPTY, EMPTY
    enter = may_enter(board, turn.mode, barred(turn))
    enter = hexset.union(enter, hexset.only(turn.actor))
    n_ways = write_ways(board, plan.way, destination, enter, negative, difficult, FAR)
    near = EMPTY  # most ways lead to none of these
    for n in range(plan.n_layers):
        if plan.layer[n].cost <= turn.move:
            near = hexset.union(near, hexset.of(plan.layer[n].hexes))
    best, best_total, best_rest, best_cost = EMPTY, -1, 0, 0
    for i in range(n_ways):
        way = plan.way[i]
        if hexset.is_empty(hexset.common(hexset.of(way.hexes), near)):
            continue
        for n in range(plan.n_layers):
            layer = plan.layer[n]
            if layer.cost > turn.move:
                continue
            hexes = hexset.common(hexset.of(layer.hexes), hexset.of(way.hexes))
            while not hexset.is_empty(hexes):
                h = hexset.lowest(hexes)
                hexes = hexset.without(hexes, hexset.only(h))
                # the way from the destination enters h, the way to it does not
                total = layer.negative + way.negative - hexset.has(negative, h)
                rest = way.cost - hexset.has(difficult, h)
                worse = total > best_total or (
                    total == best_total
                    and (rest > best_rest or (rest == best_rest and layer.cost > best_cost))
                )
                if best_total >= 0 and worse:
                    continue
                if total != best_total or rest != best_rest or layer.cost != best_cost:
                    best, best_total, best_rest, best_cost = EMPTY, total, rest, layer.cost
                best = hexset.union(best, hexset.only(h))
    while not hexset.is_empty(best):
        h = hexset.lowest(best)
        best = hexset.without(best, hexset.only(h))
        add_outcome(turn, plan, h, 0)
