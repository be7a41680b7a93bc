"""G5, G6 - what one use of a monster's attack may hit: templates, added targets."""

from agemonia_env.core import bitset
from agemonia_env.core.jit import kernel

from .. import hexset
from ..hexset import EMPTY
from ..layout import MAX_COVERS
from .area import cell_at
from .board import column_of, hex_at
from .distance import anchored, anchors, within
from .target_order import aimed_from, bit, reached_from, seen_from


@kernel
def is_ranged(turn):
    """G3.3, G3.4, G3.9 - a template with a grey hex makes every attack melee."""
    return turn.attacks and turn.attack.range > 0 and not has_grey(turn)


@kernel
def has_grey(turn):
    """G5.1 - whether the attack has a template that counts from the figure's own hex."""
    return turn.attack.n_cells > 0 and turn.attack.grey != 0


@kernel
def has_template(turn):
    """Whether the attack has a template; without an attack there is none (G13.4)."""
    return turn.attacks and turn.attack.n_cells > 0


@kernel
def further_targets(turn):
    """G6.1, G6.6, G13.4 - targets beside those that a template covers."""
    if not turn.attacks:
        return 1
    return turn.attack.extra_targets if turn.attack.n_cells > 0 else turn.attack.targets


@kernel
def write_reaches(board, turn, plan):
    """G13.6, G13.13 - for every enemy the hexes from which it may be attacked, seen or not."""
    ranged = is_ranged(turn)
    for k in range(turn.n_enemies):
        enemy = plan.ranked[k]
        adjacent = within(board, hexset.only(enemy.at), 1)
        hexset.keep(enemy.bad, adjacent if ranged and not turn.muddled else EMPTY)
        reach = within(board, adjacent, turn.attack.range - 1) if ranged else adjacent
        hexset.keep(enemy.reach, reach)
        hexset.keep(enemy.aim, reach)
    plan.n_covers = 0
    if has_template(turn):
        if has_grey(turn):
            write_grey_aims(board, turn, plan)
        else:
            write_free_covers(board, turn, plan)


@kernel
def write_grey_aims(board, turn, plan):
    """G3.4, G5.6 - hexes from which a template with a grey hex covers each enemy."""
    attack = turn.attack
    for k in range(turn.n_enemies):
        aim = EMPTY
        at = int(plan.ranked[k].at)
        column = column_of(board, at)
        for orientation in range(attack.n_orientations):
            for cell in range(attack.n_cells):
                q = column - attack.orientation[orientation, cell, 0]
                r = at - column * board.stride - attack.orientation[orientation, cell, 1]
                h = hex_at(board, q, r)
                if h >= 0:
                    aim = hexset.union(aim, hexset.only(h))
        hexset.keep(plan.ranked[k].aim, aim)


@kernel
def write_free_covers(board, turn, plan):
    """G5.4, G5.5 - placements of a template without a grey hex that cover an enemy.

    From where each enemy may be covered follows: some red hex of such a placement is in range.
    """
    attack = turn.attack
    enemies = enemy_hexes(turn)
    for k in range(turn.n_enemies):
        cells = EMPTY
        for orientation in range(attack.n_orientations):
            for anchor in range(attack.n_cells):
                placed, covered = placement(
                    board, turn, plan, orientation, anchor, plan.ranked[k].at, enemies
                )
                cells = hexset.union(cells, placed)
                add_cover(plan, covered, placed)
        hexset.keep(plan.ranked[k].aim, anchored(board, cells, attack.range))


@kernel
def enemy_hexes(turn):
    """The hexes of all enemies that can be seen (G10.8)."""
    hexes = EMPTY
    for e in range(turn.n_enemies):
        hexes = hexset.union(hexes, hexset.only(turn.enemy[e].at))
    return hexes


@kernel
def placement(board, turn, plan, orientation, anchor, at, enemies):
    """Red hexes on the board, and enemies in them, if red hex `anchor` lies on hex `at`."""
    placed, covered = EMPTY, 0
    for cell in range(turn.attack.n_cells):
        h = cell_at(board, turn.attack, orientation, cell, at, anchor)
        if h >= 0:
            placed = hexset.union(placed, hexset.only(h))
            if hexset.has(enemies, h):
                covered |= enemy_at(turn, plan, h)
    return placed, covered


@kernel
def enemy_at(turn, plan, h):
    """The enemy on hex h, as a bit."""
    found = 0
    for k in range(turn.n_enemies):
        if plan.ranked[k].at == h:
            found = bit(k)
    return found


@kernel
def add_cover(plan, covered, cells):
    """Note a placement beside those that cover the same enemies."""
    for k in range(plan.n_covers):
        if plan.cover[k].enemies == covered:
            there = plan.cover[k].cells
            hexset.keep(there, hexset.union(hexset.of(there), cells))
            return
    if plan.n_covers == MAX_COVERS:
        plan.overflow = True
        return
    plan.cover[plan.n_covers].enemies = covered
    hexset.keep(plan.cover[plan.n_covers].cells, cells)
    plan.n_covers += 1


@kernel
def write_grey_covers(board, turn, plan, h):
    """G5.1 - what a template with a grey hex covers from hex h."""
    plan.n_covers = 0
    enemies = enemy_hexes(turn)
    for orientation in range(turn.attack.n_orientations):
        placed, covered = placement(board, turn, plan, orientation, -1, h, enemies)
        if covered:
            add_cover(plan, covered, placed)


@kernel
def prepare_covers(board, turn, plan, h):
    """What covers of the plan are about hex h -> hexes of which a cover needs one."""
    if has_grey(turn):
        write_grey_covers(board, turn, plan, h)
        return hexset.of(board.hexes)
    return anchors(board, h, turn.attack.range)


@kernel
def may_hit(plan, k, anchor, seen, members):
    """G5.6, G6.5 - whether cover k hits some of the members and nobody else that is seen."""
    covered = plan.cover[k].enemies & seen
    if covered == 0 or covered & ~members:
        return False
    return not hexset.is_empty(hexset.common(hexset.of(plan.cover[k].cells), anchor))


@kernel
def can_hit_all(board, turn, plan, h, members):
    """G13.10 - whether one use of the attack from hex h may hit exactly these enemies."""
    reached = reached_from(turn, plan, h)
    possible = reached | (aimed_from(turn, plan, h) if has_template(turn) else 0)
    if members & ~possible or seen_from(board, turn, plan, h, members) != members:
        return False
    if not has_template(turn):
        return True
    anchor = prepare_covers(board, turn, plan, h)
    seen = seen_from(board, turn, plan, h, possible)
    for k in range(plan.n_covers):
        if may_hit(plan, k, anchor, seen, members):
            added = members & ~plan.cover[k].enemies
            if added & ~reached == 0 and bitset.size(added) <= further_targets(turn):
                return True
    return False
