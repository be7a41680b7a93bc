"""Values of positions, actions and items for the Heroes, in points of damage."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES, N_AREAS
from ..rules import action, checks, gear, items, lock, placing
from ..terms import Denial, Die, Kind, Op
from .attack_value import write_attack_gains

STAMINA = 0.5  # value of one stamina
LOCK = 2.5  # value of a running passive


@kernel
def action_gain(s, c, a, row, work):
    """Value of performing an action row from where ally a stands, its cost deducted."""
    here = max(0, int(s.ally[a].area))
    write_gains(s, c, a, row, 1 << here, work)
    return work.gain[here]


@kernel
def write_gains(s, c, a, row, areas, work):
    """Write the value of an action row if ally a stood in each of these areas, cost deducted."""
    token, rest = c.token[row], areas
    while rest != 0:
        work.gain[lowest(rest)] = 0.0
        rest &= rest - 1
    if s.ally[a].disk < token.cost or s.ally[a].inspiration < token.gem:
        return
    for k in range(token.first, token.first + token.n):
        add_effect_gains(s, c, a, k, areas, work)
    while areas != 0 and token.cost > 0:
        area = lowest(areas)
        areas &= areas - 1
        gain = work.gain[area]
        work.gain[area] = gain - STAMINA * token.cost if gain > 0 else 0.0


@kernel
def add_effect_gains(s, c, a, k, areas, work):
    """Add the value of an effect row of an action, if ally a stood in each of these areas."""
    row = c.effect[k]
    match row.op:
        case Op.ATTACK:
            write_attack_gains(s, c, a, row.a, areas, work)
            while areas != 0:
                area = lowest(areas)
                areas &= areas - 1
                work.gain[area] += work.attack[area]
        case Op.HEAL | Op.RESTORE | Op.MIXED | Op.ROLL_HEAL | Op.ROLL_RESTORE:
            while areas != 0:
                area = lowest(areas)
                areas &= areas - 1
                work.gain[area] += help_gain(s, c, a, k, area)
        case Op.LOCK:
            free = lock.find(s, a, row.a) < 0 and s.ally[a].disk >= c.passive[row.a].need + 3
            while areas != 0 and free and s.round <= 2:
                work.gain[lowest(areas)] += LOCK
                areas &= areas - 1
        case _:
            pass


@kernel
def help_gain(s, c, a, k, area):
    """Value of healing or restoring by effect row k, if ally a stood in an area."""
    row, best = c.effect[k], 0.0
    for b in range(N_ALLIES):
        if placing.ally_stands(s, b):
            distance = 0 if b == a else c.range[area, s.ally[b].area]
            if 0 <= distance <= row.range:
                best = max(best, min(1.0 * row.amount, missing(s, c, b)))
    return best if best >= 2.0 else 0.0


@kernel
def missing(s, c, b):
    """What ally b could have healed: red chips, half of what is spent on top."""
    ally = s.ally[b]
    if ally.kind != Kind.HERO:
        return 1.0 * (c.sheet[b].health - ally.health)
    room = c.sheet[b].red if ally.wounded else c.sheet[b].blue
    return min(1.0 * ally.wounds, 1.0 * (room - ally.disk))


@kernel
def in_reach(s, c, a, points, work):
    """Bits of the areas with room within `points` steps of ally a, none of them higher."""
    here = s.ally[a].area
    return near(c, here, points) & int(work.room) & ~(1 << int(here))


@kernel
def near(c, area, points):
    """Bits of the areas within `points` steps of an area, none of them higher; itself is one."""
    return int(c.within[min(int(points), N_AREAS - 1) + 1, area]) & int(c.not_above[area])


@kernel
def best_gain(s, c, a, row, areas, work):
    """Best value of an action row from here, or from one of these areas, less 0.3 for each step.

    Leaves the value from here in `work.gain`.
    """
    here = max(0, int(s.ally[a].area))
    write_gains(s, c, a, row, areas | (1 << here), work)
    best = work.gain[here]
    while areas != 0:
        area = lowest(areas)
        areas &= areas - 1
        best = max(best, work.gain[area] - 0.3 * c.range[here, area])
    return best


@kernel
def row_of(s, c, a):
    """The action row that ally a has chosen, or -1 for none that is performed.

    Of a Non-Hero Ally, which chooses in its turn (R18.1), the first one.
    """
    if s.ally[a].kind != Kind.HERO:
        return int(c.sheet[a].token[0])
    if s.ally[a].token < 0:
        return -1
    row = int(c.sheet[a].token[s.ally[a].token])
    return row if row >= 0 and c.token[row].n > 0 else -1


@kernel
def use_gain(s, c, a, k, work):
    """Value of using the item in place k: wounds mended, Enemies hurt."""
    item = c.item[s.ally[a].item[k]]
    gain = -1.0 if item.maneuver else 0.0
    for j in range(item.first, item.first + item.n):
        if action.effect_denial(s, c, a, j, 0) != Denial.NONE:
            continue
        row = c.effect[j]
        match row.op:
            case Op.HEAL | Op.RESTORE | Op.MIXED | Op.ROLL_HEAL | Op.ROLL_RESTORE:
                best = 0.0
                for b in range(N_ALLIES):
                    if action.help_denial(s, c, a, j, b) == Denial.NONE:
                        best = max(best, mended(s, c, b, row.op, row.amount))
                gain += best if best >= 0.6 * row.amount else 0.0
            case Op.DAMAGE | Op.DRAIN | Op.GEM | Op.INSPIRE:
                gain += 1.0 * row.amount
            case Op.DEFEAT | Op.UNWOUND | Op.REVIVE:
                gain += 4.0
            case Op.ATTACK:
                here = max(0, int(s.ally[a].area))
                write_attack_gains(s, c, a, row.a, 1 << here, work)
                gain += work.attack[here]
            case _:
                pass
    return gain


@kernel
def mended(s, c, b, op, amount):
    """How much of `amount` an effect would heal or restore for ally b."""
    ally = s.ally[b]
    if op == Op.RESTORE or op == Op.ROLL_RESTORE:
        room = c.sheet[b].red if ally.wounded else c.sheet[b].blue
        return max(0.0, min(1.0 * amount, min(1.0 * ally.spent, 1.0 * (room - ally.disk))))
    return min(1.0 * amount, missing(s, c, b))


@kernel
def wear_gain(s, c, a, k):
    """Value of putting the item in place k to use: a weapon one lacks, gear that displaces none."""
    item = c.item[s.ally[a].item[k]]
    if gear.is_in_use(s, a, k):
        return 1.0 if items.is_broken(s, c, a, k) and spare(s, c, a, item.passive) else -1.0
    if item.weapon >= 0:
        return 3.0 if is_wanted(s, c, a, item.weapon) else -1.0
    if gear.giving_way(s, c, a, k) != 0 or item.passive < 0:
        return -1.0
    return 2.0 if spare(s, c, a, item.passive) else -1.0


@kernel
def is_wanted(s, c, a, attack_type):
    """Whether the action that ally a has still to perform attacks so, and it is not armed."""
    row = row_of(s, c, a)
    if row < 0 or s.actions <= 0:
        return False
    for k in range(c.token[row].first, c.token[row].first + c.token[row].n):
        if c.effect[k].op == Op.ATTACK:
            types = c.attack[c.effect[k].a].types
            armed = False
            for kind in range(3):
                armed = armed or ((types >> kind) & 1 == 1 and gear.is_armed(s, c, a, kind))
            if (types >> attack_type) & 1 and not armed:
                return True
    return False


@kernel
def spare(s, c, a, passive):
    """Whether ally a can lock what a passive needs and keep some stamina."""
    need = c.passive[passive].need
    return need == 0 or s.ally[a].disk >= need + 3


@kernel
def boost_gain(s, c, k, work):
    """BOOST: successes that are likely to be lacking, less the value of the item."""
    mean = 0.67 if s.roll.die == Die.REACTION else work.die_mean
    lacking = s.check.number - s.check.modifier - mean * s.roll.dice
    return min(1.0 * checks.boost(s, c, k), lacking) - 1.5
