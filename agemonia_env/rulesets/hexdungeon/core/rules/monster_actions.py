"""G13 in play: the turn of a monster or a summon, line by line of its card."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from .. import effects, hexset
from ..actions import Block
from ..hexset import EMPTY
from ..layout import ALL_TARGETS, MAX_TIES
from ..terms import Decision, Denial, Effect, Mode, Op, Proc, Side, Terrain
from . import attack, monster, travel
from .board import neighbours
from .figures import enemies_of, has, hexes_of_enemies, hexes_of_others, is_present
from .movement import FAR, may_enter, negative_hexes, write_ways
from .order import initiative_of
from .target_order import bit

SHORT = 4  # points: few moves of monsters are longer


# ---- what a turn depends on ----------------------------------------------------------------------
@kernel
def write_turn(s, f, move, mode, attacks, turn):
    """G13.2, G13.4, G10.8 - what the turn of figure f depends on, its attack apart.

    attacks: whether its card lets it. Enemies are those it sees, in the order of their slots.
    """
    turn.actor = s.figure[f].at
    turn.move = 0 if has(s, f, Effect.IMMOBILIZE) else max(0, move)
    turn.mode = Mode.FLY if s.figure[f].flying else mode
    turn.muddled = has(s, f, Effect.MUDDLE)
    turn.attacks = attacks and not has(s, f, Effect.DISARM)
    turn.n_enemies = 0
    unseen = EMPTY
    left = enemies_of(s, f)
    while left != 0:
        other = lowest(left)
        left &= left - 1
        if has(s, other, Effect.INVISIBLE):
            unseen = hexset.union(unseen, hexset.only(int(s.figure[other].at)))
            continue
        foe = turn.enemy[turn.n_enemies]
        foe.figure = other
        foe.at = s.figure[other].at
        # G13.7: summons right before their owner
        foe.initiative = 2 * initiative_of(s, other) - (s.figure[other].side == Side.SUMMON)
        turn.n_enemies += 1
    hexset.keep(turn.allies, hexset.without(hexes_of_others(s, f), hexes_of_enemies(s, f)))
    hexset.keep(turn.unseen, unseen)


@kernel
def write_attack(s, c, f, row, ability):
    """G3.9, G13.2 - the attack of a line of figure f's card, with what its stat card says."""
    printed, stats = c.row[row], c.kind[s.figure[f].kind].stats[s.figure[f].elite]
    targets = printed.targets if printed.targets > 0 else max(1, int(stats.targets))
    ability.range = printed.range if printed.range > 0 else stats.range
    ability.targets = min(ALL_TARGETS, targets + printed.extra_targets)
    ability.extra_targets = printed.extra_targets
    ability.grey = 0
    ability.n_cells = 0
    ability.n_orientations = 0
    if printed.template >= 0:
        template = c.template[printed.template]
        ability.grey = template.grey
        ability.n_cells = template.n_cells
        ability.cell = template.cell
        ability.n_orientations = template.n_orientations
        ability.orientation = template.orientation


@kernel
def figures_of(turn, enemies):
    """Bits of figures, for bits of the enemies in a turn."""
    bits = 0
    while enemies != 0:
        bits |= 1 << int(turn.enemy[lowest(enemies)].figure)
        enemies &= enemies - 1
    return bits


# ---- what it may do ------------------------------------------------------------------------------
@kernel
def write_ties(s, c, f, move, mode, row, keep, plan):
    """G13.5 to G13.18 - the allowed outcomes of a move and an attack by figure f, into s.tie.

    row: the line of the attack; -1 = none. keep: the focus stays the one it has (G13.16).
    """
    turn = plan.turn
    write_turn(s, f, move, mode, row >= 0, turn)
    if row >= 0:
        write_attack(s, c, f, row, turn.attack)
    monster.prepare(s.board, turn, plan)
    focuses = rank_of_focus(s, plan) if keep else 0
    if focuses:
        monster.write_own_ways(s.board, turn, plan, FAR)
    elif not keep:
        focuses = monster.find_focus(s.board, turn, plan)
    s.n_ties = 0
    for k in range(turn.n_enemies):
        if focuses & bit(k):
            first = int(plan.n_outcomes)
            monster.act_on(s.board, turn, plan, k)
            keep_ties(s, plan, first, turn.enemy[plan.ranked[k].enemy].figure)
    if s.n_ties == 0:  # G13.8, or nothing can be done to the focus
        add_tie(s, turn.actor, 0, s.focus if keep else -1)


@kernel
def rank_of_focus(s, plan):
    """The focus among the enemies by rank, as a bit; 0 = it is not seen any more."""
    for k in range(plan.turn.n_enemies):
        if plan.turn.enemy[plan.ranked[k].enemy].figure == s.focus:
            return bit(k)
    return 0


@kernel
def keep_ties(s, plan, first, focus):
    """G13.18 - the outcomes of the plan from the first on, which have one focus."""
    for n in range(first, plan.n_outcomes):
        outcome = plan.outcome[n]
        add_tie(s, outcome.end, figures_of(plan.turn, int(outcome.attacked)), focus)


@kernel
def add_tie(s, end, attacked, focus):
    """H13 - one more outcome, as long as there is room for it."""
    if s.n_ties < MAX_TIES:
        tie = s.tie[s.n_ties]
        tie.end = end
        tie.attacked = attacked
        tie.focus = focus
        s.n_ties += 1


# ---- what the players choose of it ---------------------------------------------------------------
@kernel
def ends_differ(s):
    """Whether the outcomes left end on different hexes."""
    for k in range(s.n_ties):
        if s.tie[k].end != s.tie[0].end:
            return True
    return False


@kernel
def focuses_differ(s):
    """Whether the outcomes left have different focuses."""
    for k in range(s.n_ties):
        if s.tie[k].focus != s.tie[0].focus:
            return True
    return False


@kernel
def agrees(s, k, block, index):
    """Whether an outcome is one of those that an answer means: a hex, a focus, or a target."""
    tie = s.tie[k]
    if block == Block.HEX:
        return tie.end == index
    if focuses_differ(s):
        return tie.focus == index
    return (tie.attacked >> index) & 1 != 0


@kernel
def n_agreeing(s, block, index):
    """How many of the outcomes left an answer means."""
    n = 0
    for k in range(s.n_ties):
        n += agrees(s, k, block, index)
    return n


@kernel
def end_hex_denial(s, h):
    """G13.18 - why the turn cannot end on a hex -> Denial."""
    return Denial.NONE if n_agreeing(s, Block.HEX, h) > 0 else Denial.NOT_AMONG_THEM


@kernel
def focus_denial(s, f):
    """G13.18 - why figure f cannot be named as focus, or as a target by which sets differ."""
    n = n_agreeing(s, Block.FIGURE, f)
    return Denial.NONE if 0 < n < s.n_ties else Denial.NOT_AMONG_THEM


@kernel
def narrow(s, block, index):
    """Only the outcomes that an answer means are left."""
    kept = 0
    for k in range(s.n_ties):
        if agrees(s, k, block, index):
            kept |= 1 << k
    n = 0
    while kept != 0:
        tie, chosen = s.tie[n], s.tie[lowest(kept)]
        kept &= kept - 1
        tie.end = chosen.end
        tie.attacked = chosen.attacked
        tie.focus = chosen.focus
        n += 1
    s.n_ties = n


@kernel
def run_plan(s, c):
    """G13.18 - what is open is asked, until one outcome is left; then it happens."""
    if answered(s):
        block = s.block
        narrow(s, block, take_answer(s))
    if s.n_ties > 1:
        open_hex = ends_differ(s)
        ask(s, Proc.MONSTER_PLAN, Decision.END_HEX if open_hex else Decision.FOCUS, -1, s.turn)
        return
    s.focus = s.tie[0].focus
    s.wanted = s.tie[0].attacked
    if c.row[s.row].op == Op.MOVE:
        push(s, Proc.MONSTER_WALK)
    else:
        strike(s, c)


# ---- what it does --------------------------------------------------------------------------------
@kernel
def begin(s):
    """G13.2, G13.3 - a monster or summon takes its turn."""
    s.line = 0
    s.focus = -1
    s.wanted = 0
    push(s, Proc.MONSTER_NEXT)


@kernel
def lines_of(s, c, f):
    """G13.1, G13.2 - the card that a monster or summon acts by: (first line, line after the last).

    A summon has a card of its own, always the same.
    """
    kind, place = int(s.figure[f].kind), 0
    if s.figure[f].side == Side.MONSTER:
        place = int(s.type[kind].card)
        if place < 0:
            return 0, 0
    card = c.kind[kind].card[place]
    return int(card.first), card.first + card.n_rows


@kernel
def run_next(s, c, plan):
    """G13.3, G13.4 - the next line of its card, as long as the figure can act."""
    f = int(s.turn)
    if not is_present(s, f) or has(s, f, Effect.STUN):
        return
    first, end = lines_of(s, c, f)
    row = first + int(s.line)
    if row >= end:
        return
    s.line += 1
    s.row = row
    s.card = -1
    push(s, Proc.MONSTER_NEXT)
    if c.row[row].op == Op.MOVE:
        begin_move(s, c, f, row, end, plan)
    elif c.row[row].op == Op.ATTACK:
        begin_attack(s, c, f, row, plan)
    else:
        effects.begin(s, c, f, row)


@kernel
def begin_move(s, c, f, row, end, plan):
    """G13.3, G13.4 - a move for the sake of the first attack after it on the card."""
    attack_row = row + 1
    while attack_row < end and c.row[attack_row].op != Op.ATTACK:
        attack_row += 1
    if attack_row == end:
        attack_row = -1
    move = c.kind[s.figure[f].kind].stats[s.figure[f].elite].move + c.row[row].amount
    write_ties(s, c, f, move, c.row[row].mode, attack_row, False, plan)
    s.move.by = f
    s.move.points = 0
    s.move.mode = plan.turn.mode
    s.move.entered = 0
    run_plan(s, c)


@kernel
def begin_attack(s, c, f, row, plan):
    """G13.15, G13.16 - an attack on the targets chosen with the move; else from where it stands,
    on the focus while it lives, then on a new one.
    """
    if has(s, f, Effect.DISARM):
        return
    if s.wanted:
        strike(s, c)
        return
    write_ties(s, c, f, 0, Mode.WALK, row, is_present(s, s.focus), plan)
    run_plan(s, c)


@kernel
def run_walk(s, c, plan):
    """G13.11, G13.12, G12.4 - on to the hex chosen; without the attack if it is stopped before.

    H12: stopped on the hex of an ally, it goes on to the next that is free.
    """
    f, end = int(s.turn), int(s.tie[0].end)
    if not is_present(s, f):
        return
    here = int(s.figure[f].at)
    if here == end:
        travel.land(s, c, f)
        return
    there = end
    if s.move.mode == Mode.WALK:
        there = next_hex(s, f, end, plan)
    stopped = s.move.entered and travel.begin_denial(s, f) != Denial.NONE
    if there < 0 or (stopped and hexset.has(travel.places_to_end(s, f, s.move.mode), here)):
        s.wanted = 0
        return
    push(s, Proc.MONSTER_WALK)
    travel.enter(s, c, f, there)


@kernel
def next_hex(s, f, end, plan):
    """G13.5 - the next hex on a way with fewest negative hexes, then fewest points; -1 = none."""
    enter = may_enter(s.board, Mode.WALK, hexes_of_enemies(s, f))
    difficult = hexset.of(s.board.terrain[Terrain.DIFFICULT])
    negative = negative_hexes(s.board)
    around = neighbours(s.board, hexset.only(int(s.figure[f].at)))
    if hexset.has(around, end):
        return end
    for most in (SHORT, FAR):  # what is found near the end is the best of all
        n = write_ways(s.board, plan.way, end, enter, negative, difficult, most)
        for k in range(n):
            nearest = hexset.common(hexset.of(plan.way[k].hexes), around)
            if not hexset.is_empty(nearest):
                return hexset.lowest(nearest)
    return -1


@kernel
def strike(s, c):
    """G13.11, G5.13 - the attack: the focus first, then the others in the order of their slots."""
    if s.wanted:
        s.actor = s.turn
        attack.begin(s, c, int(s.turn), int(s.row))
        attack.aim_at(s, int(s.wanted))
        s.wanted = 0
