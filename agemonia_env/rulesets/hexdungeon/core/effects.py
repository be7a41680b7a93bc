"""What a line of a card does: the one place that turns an op into a rule."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer, take_if

from . import hexset
from .actions import Block
from .layout import (
    FIRST_MONSTER,
    FIRST_SUMMON,
    GROUND,
    MAX_LINE_EFFECTS,
    MOST_RETALIATE,
    N_HAND,
)
from .rules import attack, bonus, condition, force, harm, heal, travel
from .rules.board import beside, is_linked
from .rules.distance import is_within, within
from .rules.figures import (
    all_hexes,
    are_allies,
    are_enemies,
    asked_for,
    give_stats,
    has,
    is_present,
    put_on,
    touch,
    touch_hand,
)
from .rules.hand import counts_as_lost, put
from .rules.sight import sees
from .terms import Decision, Denial, Effect, Event, Op, Place, Proc, Serve, Side, Source, Terrain


@kernel
def denial(s, c, f, row):
    """G10.4 to G10.6 - why a figure cannot perform a line at all -> Denial."""
    op = c.row[row].op
    if op == Op.ATTACK:
        return attack.begin_denial(s, f)
    if op == Op.MOVE:
        return travel.begin_denial(s, f)
    return Denial.STUNNED if has(s, f, Effect.STUN) else Denial.NONE


@kernel
def begin(s, c, f, row):
    """A figure performs a line of a card; it is skipped if the figure may not.

    A monster adds its own numbers to moves and attacks (G13.3).
    """
    if not is_present(s, f) or denial(s, c, f, row) != Denial.NONE:
        return
    s.row = row
    s.actor = f
    line = c.row[row]
    match line.op:
        case Op.MOVE:
            points = int(line.amount)
            if s.figure[f].kind >= 0:
                points += c.kind[s.figure[f].kind].stats[s.figure[f].elite].move
            travel.begin(s, f, points, line.mode)
        case Op.ATTACK:
            attack.begin(s, c, f, row)
        case Op.SUMMON:
            push(s, Proc.SUMMON)
        case Op.RECOVER:
            push(s, Proc.RECOVER)
        case Op.INFUSE:
            affect(s, c, f)
            use(s, c)
        case Op.BONUS:
            begin_bonus(s, c, f)
        case Op.LOOT:
            loot(s, c, f)
        case _:
            begin_service(s, c, f)


@kernel
def use(s, c):
    """Something of the line was done: experience for it."""
    s.used_line = 1
    bonus.gain_xp(s, int(s.actor), c.row[s.row].xp)


# ---- whom it is for ------------------------------------------------------------------------------
@kernel
def begin_service(s, c, f):
    """H18 - a line for the figure itself, unasked, for one that is chosen, or for all there are."""
    line = c.row[s.row]
    if line.serves == Serve.SELF:
        serve(s, c, f)
        use(s, c)
    elif line.serves == Serve.ALLY or line.serves == Serve.ENEMY:
        push(s, Proc.LINE_CHOICE)
    else:
        s.affected = 0
        left = int(s.present)
        while left != 0:
            other = lowest(left)
            left &= left - 1
            if is_served(s, line.serves, f, other) and heal.is_near(s, f, other, reach_of(line)):
                s.affected |= 1 << other
        if s.affected:
            use(s, c)
        push(s, Proc.SUFFER_NEXT)


@kernel
def reach_of(line):
    """G3.3 - the range of a line; without one adjacent enemies, and all allies within it."""
    return max(1, int(line.range))


@kernel
def is_served(s, serves, f, other):
    """Whether a figure is of those that a line of figure f is for, wherever it stands."""
    if not is_present(s, other):
        return False
    if serves == Serve.ENEMIES or serves == Serve.ENEMY:
        return are_enemies(s, f, other)
    if serves == Serve.ALLIES:
        return are_allies(s, f, other)
    if serves == Serve.SELF:
        return f == other
    return not are_enemies(s, f, other)


@kernel
def recipient_denial(s, c, f):
    """G3.5 to G3.7, G6.7, G8.14 - why a figure cannot be chosen for the line -> Denial."""
    line = c.row[s.row]
    actor = int(s.actor)
    if not is_present(s, f):
        return Denial.NO_SUCH_FIGURE
    if not is_served(s, line.serves, actor, f):
        enemies = line.serves == Serve.ENEMY
        return Denial.NOT_AN_ENEMY if enemies else Denial.NOT_AN_ALLY
    if f == actor:
        return Denial.NONE
    if line.serves == Serve.ENEMY and has(s, f, Effect.INVISIBLE):
        return Denial.INVISIBLE
    a, b = s.figure[actor].at, s.figure[f].at
    if not is_within(s.board, a, b, reach_of(line)):
        return Denial.OUT_OF_RANGE
    return Denial.NONE if sees(s.board, a, b) else Denial.NOT_IN_SIGHT


@kernel
def tie_denial(s, c, f):
    """G8.17, G13.18 - why a figure cannot be named for a line of a monster's card -> Denial.

    A heal goes to one of those that have lost most.
    """
    actor, op = int(s.actor), c.row[s.row].op
    if op == Op.HEAL and (heal.most_hurt(s, actor, reach_of(c.row[s.row])) >> f) & 1 == 0:
        return Denial.NOT_AMONG_THEM
    return recipient_denial(s, c, f)


@kernel
def run_choice(s, c):
    """G3.7, G8.14, G13.18 - the figure that a line is for is chosen; or the line is not used.

    A monster or summon uses it always; which figure, of several as good, the players choose.
    """
    if answered(s):
        f = take_if(s, Block.FIGURE)
        if f >= 0:
            use(s, c)
            serve(s, c, f)
        return
    actor = int(s.actor)
    acts_alone = s.figure[actor].kind >= 0
    left = int(s.present)
    while left != 0:
        f = lowest(left)
        left &= left - 1
        denied = tie_denial(s, c, f) if acts_alone else recipient_denial(s, c, f)
        if denied == Denial.NONE:
            decision = Decision.MONSTER_CHOICE if acts_alone else Decision.RECIPIENT
            ask(s, Proc.LINE_CHOICE, decision, asked_for(s, actor), actor)
            return


@kernel
def run_affected(s, c):
    """The next of several figures that a line is for."""
    if s.affected:
        f = lowest(int(s.affected))
        s.affected &= s.affected - 1
        push(s, Proc.SUFFER_NEXT)
        serve(s, c, f)


@kernel
def serve(s, c, f):
    """What a line does to one figure."""
    line = c.row[s.row]
    figure = s.figure[f]
    actor = int(s.actor)
    touch(s, f)
    match line.op:
        case Op.HEAL:
            heal.heal(s, f, int(line.amount))
            affect(s, c, f)
        case Op.SHIELD:
            figure.round_shield += line.amount
            log(s, Event.SHIELD, f, line.amount, -1)
        case Op.RETALIATE:
            reach = max(1, int(line.range))
            amount = figure.round_retaliate[reach] + line.amount
            figure.round_retaliate[reach] = min(MOST_RETALIATE, amount)
            log(s, Event.RETALIATE, f, line.amount, -1)
        case Op.AFFECT:
            affect(s, c, f)
        case Op.SUFFER:
            affect(s, c, f)
            harm.begin(s, f, int(line.amount), Source.SUFFER, actor)
        case Op.PUSH | Op.PULL:
            force.begin(s, actor, f, int(line.amount), line.op == Op.PULL, False)


@kernel
def affect(s, c, f):
    """Conditions, blesses, curses and elements of a line."""
    line = c.row[s.row]
    for k in range(MAX_LINE_EFFECTS):
        effect = int(line.effect[k])
        if Effect.FIRE <= effect <= Effect.DARK:
            attack.infuse(s, effect)
        elif effect != Effect.NONE:
            condition.gain(s, f, effect)


# ---- cards ---------------------------------------------------------------------------------------
@kernel
def begin_bonus(s, c, h):
    """G11.1 - the card in play comes into the active area."""
    card = s.card
    if card >= 0:
        line = c.row[s.row]
        served = bonus.served_by(s, c, h, line.bonus)
        bonus.start(s, c, h, card, line.bonus, s.loss, served, -1)
        use(s, c)


@kernel
def recover_denial(s, card):
    """G11.14 - why a card cannot be taken back into the hand -> Denial."""
    h = int(s.actor)
    if not 0 <= card < N_HAND or s.hero[h].place[card] == Place.NONE:
        return Denial.NO_SUCH_CARD
    return Denial.NONE if counts_as_lost(s, h, card) else Denial.NOT_LOST


@kernel
def run_recover(s, c):
    """G11.14 - a lost card, active or not, comes back into the hand."""
    if answered(s):
        card = take_if(s, Block.CARD)
        if card >= 0:
            put(s, int(s.actor), card, Place.HAND)
            use(s, c)
        return
    for card in range(N_HAND):
        if recover_denial(s, card) == Denial.NONE:
            ask(s, Proc.RECOVER, Decision.RECOVER, int(s.actor), s.actor)
            return


@kernel
def loot(s, c, f):
    """G3.6, G12.13 - a character takes every loot token within the range and in sight."""
    tokens = hexset.common(
        hexset.of(s.loot),
        within(s.board, hexset.only(int(s.figure[f].at)), int(c.row[s.row].amount)),
    )
    while not hexset.is_empty(tokens):
        h = hexset.lowest(tokens)
        tokens = hexset.without(tokens, hexset.only(h))
        if sees(s.board, int(s.figure[f].at), h):
            take_token(s, f, h)
            s.used_line = 1
    if s.used_line:
        bonus.gain_xp(s, f, c.row[s.row].xp)


@kernel
def take_token(s, f, h):
    """G12.13 - a character takes the loot token on a hex."""
    hexset.keep(s.loot, hexset.without(hexset.of(s.loot), hexset.only(h)))
    s.figure[f].loot += 1
    touch_hand(s, f)
    touch(s, GROUND)
    s.n_loot += 1
    log(s, Event.LOOT, f, 1, h)


# ---- summons -------------------------------------------------------------------------------------
@kernel
def summon_denial(s, direction):
    """G11.18 - why a summon cannot come on the hex beside its summoner -> Denial."""
    h = int(s.figure[s.actor].at)
    if not is_linked(s.board, h, direction):
        return Denial.WALL
    there = beside(s.board, h, direction)
    free = hexset.without(hexset.of(s.board.floor), all_hexes(s))
    free = hexset.without(free, hexset.of(s.board.terrain[Terrain.OBSTACLE]))
    return Denial.NONE if hexset.has(free, there) else Denial.OCCUPIED


@kernel
def free_slot(s):
    """A slot for a summon; -1 = none is free."""
    for f in range(FIRST_SUMMON, FIRST_MONSTER):
        if s.figure[f].side == Side.NONE or s.figure[f].at < 0:
            return f
    return -1


@kernel
def run_summon(s, c):
    """G11.18, G13.2 - a summon comes on a hex beside its summoner; the card keeps it in play."""
    if answered(s):
        direction = take_answer(s)
        if s.block == Block.DIRECTION:
            at = beside(s.board, int(s.figure[s.actor].at), direction)
            call(s, c, int(s.actor), at)
            use(s, c)
        return
    if free_slot(s) < 0:
        return
    for direction in range(6):
        if summon_denial(s, direction) == Denial.NONE:
            ask(s, Proc.SUMMON, Decision.SUMMON, int(s.actor), s.actor)
            return


@kernel
def call(s, c, h, at):
    """G11.18 - the summon of the line appears; it does not act in this round (G13.2)."""
    f = free_slot(s)
    kind = int(c.row[s.row].kind)
    figure = s.figure[f]
    give_stats(figure, c.kind[kind].stats[0])
    figure.side = Side.SUMMON
    put_on(s, f, at)
    figure.kind = kind
    figure.elite = 0
    figure.owner = h
    figure.fresh = 1
    s.acted &= ~(1 << int(f))
    figure.standee = -1
    figure.initiative = 0
    s.n_summoned += 1
    figure.order = s.n_summoned
    if s.card >= 0:
        bonus.start(s, c, h, s.card, -1, True, 0, f)
    bonus.welcome(s, c, f)
    log(s, Event.SPAWN, f, kind, at)
