"""Values of positions, attacks, actions and items for the Heroes, in points of damage."""

from agemonia_env.core.jit import kernel

from ..layout import FACE_EXTRA, FACE_SYMBOL, N_ALLIES, N_ENEMIES, N_FACES
from ..rules import action, aim, ally_attack, checks, enemy_pool, gear, items, lock, placing
from ..terms import Condition, Denial, Die, Ending, Kind, Objective, Op, Shape

KILL = 2.0  # value of defeating an Enemy, beside the damage
WANTED = 2.0  # factor on it for a type that the objective names
STAMINA = 0.5  # value of one stamina
LOCK = 2.5  # value of a running passive


@kernel
def potential(s, c):
    """How well the Heroes stand, in [-1, 1], 0 at a finished state: for potential-based shaping.

    Ng, Harada, Russell (ICML 1999): F = gamma * potential(s') - potential(s) keeps the best policy.
    Half of it is the share of Enemy health beaten, half the share of chips still blue.
    """
    if s.ending != Ending.NONE:
        return 0.0
    blue, chips = 0, 0
    for a in range(c.n_allies):
        ally = s.ally[a]
        if ally.kind == Kind.HERO:
            chips += 2 * c.sheet[a].blue
            if not ally.exhausted:
                blue += ally.disk + ally.spent + (0 if ally.wounded else c.sheet[a].blue)
    health, full = 0, 0
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            health += s.enemy[e].health
    for k in range(c.n_setup):
        full += enemy_pool.starting_health(c, c.setup_type[k])
    return 0.5 * blue / max(1, chips) + 0.5 * (1.0 - health / max(1, full)) - 0.5


@kernel
def die_mean(c):
    """Expected successes of one Action die with half of the S-symbols' stamina paid (A.6)."""
    plain, extra = 0.0, 0
    for k in range(N_FACES):
        face = c.action_die[k]
        if face == FACE_EXTRA:
            plain += 1.0
            extra += 1
        elif face == FACE_SYMBOL:
            plain += 1.0
        else:
            plain += face
    return plain / max(1, N_FACES - extra)


@kernel
def expected(s, c, a, row, attack_type):
    """Expected damage of an attack of ally a, before aim and shield."""
    card = c.attack[row]
    if card.effect_only:
        return 1.0
    if s.ally[a].kind != Kind.HERO:
        return 1.0 * ally_attack.fixed_damage(s, c, a, card.value, attack_type)
    dice = card.dice - ((s.ally[a].conditions >> Condition.WEAKENED) & 1)
    dice += s.ally[a].attack_dice[attack_type] + lock.attack_dice(s, c, a, attack_type)
    successes = die_mean(c) * max(0, dice) * (2.0 if card.double else 1.0)
    weapon = gear.best_weapon(s, c, a, attack_type)
    return successes + card.bonus + gear.bonus(s, c, a, attack_type, weapon)


@kernel
def gain_on(s, c, e, damage, pierce):
    """Value of this expected damage to enemy e."""
    enemy = s.enemy[e]
    dealt = damage - max(0, c.type[enemy.type].shield - pierce)
    if dealt <= 0:
        return 0.05
    wanted = c.objective == Objective.DEFEAT_TYPE and c.objective_subject == enemy.type
    kill = KILL * (WANTED if wanted else 1.0)
    if dealt >= enemy.health:
        return enemy.health + kill
    return dealt + kill * (dealt / enemy.health) ** 2


@kernel
def aim_loss(s, c, a, row, attack_type, e):
    """Damage lost to obstructed aim."""
    return 1.0 * ally_attack.aim_penalty(s, c, a, row, attack_type, s.enemy[e].area)


@kernel
def area_gain(s, c, a, row, attack_type, centre):
    """Value of an area attack around `centre`."""
    damage = expected(s, c, a, row, attack_type)
    gain = 0.0
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            if aim.in_area(c, centre, c.attack[row].radius, s.enemy[e].area):
                gain += gain_on(s, c, e, damage, c.attack[row].pierce)
    return gain


@kernel
def line_gain(s, c, a, row, attack_type):
    """Value of the best line from where ally a stands."""
    damage = expected(s, c, a, row, attack_type)
    here = s.ally[a].area
    best = 0.0
    for k in range(c.line_first[here], c.line_first[here + 1]):
        gain = 0.0
        for j in range(min(int(c.attack[row].length), int(c.line_length[k]))):
            gain += best_in_area(s, c, c.line[k, j], damage, c.attack[row].pierce)
        best = max(best, gain)
    return best


@kernel
def best_in_area(s, c, area, damage, pierce):
    """Value of one hit on the best Enemy of an area."""
    best = 0.0
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e) and s.enemy[e].area == area:
            best = max(best, gain_on(s, c, e, damage, pierce))
    return best


@kernel
def attack_gain_of_type(s, c, a, row, attack_type):
    """Value of an attack as one of its types, from where ally a stands."""
    attack = c.attack[row]
    if aim.weapon_denial(s, c, a, attack_type) != Denial.NONE:
        return 0.0
    if attack.shape == Shape.LINE:
        return line_gain(s, c, a, row, attack_type)
    if attack.shape == Shape.AREA:
        if not attack.has_centre:
            return area_gain(s, c, a, row, attack_type, s.ally[a].area)
        best = 0.0
        for centre in range(c.n_areas):
            if aim.area_denial(s, c, a, row, attack_type, centre) == Denial.NONE:
                best = max(best, area_gain(s, c, a, row, attack_type, centre))
        return best
    damage = expected(s, c, a, row, attack_type)
    first, second = 0.0, 0.0
    for e in range(N_ENEMIES):
        if aim.target_denial(s, c, a, row, attack_type, e) == Denial.NONE:
            gain = gain_on(s, c, e, damage - aim_loss(s, c, a, row, attack_type, e), attack.pierce)
            if gain > first:
                first, second = gain, first
            else:
                second = max(second, gain)
    if attack.shape == Shape.MULTI:
        return first + second
    return first + (0.5 if attack.shape == Shape.CLEAVE and second > 0 else 0.0)


@kernel
def action_gain(s, c, a, row):
    """Value of performing an action row from where ally a stands, its cost deducted."""
    token = c.token[row]
    if s.ally[a].disk < token.cost or s.ally[a].inspiration < token.gem:
        return 0.0
    gain = 0.0
    for k in range(token.first, token.first + token.n):
        gain += effect_gain(s, c, a, k)
    return gain - STAMINA * token.cost if gain > 0 else 0.0


@kernel
def effect_gain(s, c, a, k):
    """Value of one effect row of an action."""
    row = c.effect[k]
    match row.op:
        case Op.ATTACK:
            best = 0.0
            for attack_type in range(3):
                if (c.attack[row.a].types >> attack_type) & 1:
                    best = max(best, attack_gain_of_type(s, c, a, row.a, attack_type))
            return best
        case Op.HEAL | Op.RESTORE | Op.MIXED | Op.ROLL_HEAL | Op.ROLL_RESTORE:
            best = 0.0
            for b in range(N_ALLIES):
                if placing.ally_stands(s, b):
                    distance = c.range[s.ally[a].area, s.ally[b].area]
                    if 0 <= distance <= row.range:
                        best = max(best, min(1.0 * row.amount, missing(s, c, b)))
            return best if best >= 2.0 else 0.0
        case Op.LOCK:
            free = lock.find(s, a, row.a) < 0 and s.ally[a].disk >= c.passive[row.a].need + 3
            return LOCK if free and s.round <= 2 else 0.0
        case _:
            return 0.0


@kernel
def missing(s, c, b):
    """What ally b could have healed: red chips, half of what is spent on top."""
    ally = s.ally[b]
    if ally.kind != Kind.HERO:
        return 1.0 * (c.sheet[b].health - ally.health)
    room = c.sheet[b].red if ally.wounded else c.sheet[b].blue
    return min(1.0 * ally.wounds, 1.0 * (room - ally.disk))


@kernel
def gain_at(s, c, a, row, area):
    """Value of an action row if ally a stood in `area`. The state is left as it was."""
    here = s.ally[a].area
    s.ally[a].area = area
    gain = action_gain(s, c, a, row)
    s.ally[a].area = here
    return gain


@kernel
def best_gain(s, c, a, row, points):
    """Best value of an action row from an area with room within `points` steps, less 0.3 each."""
    here = s.ally[a].area
    best = action_gain(s, c, a, row)
    for area in range(c.n_areas):
        steps = c.range[here, area]
        if 0 < steps <= points and not placing.is_full(s, c, area):
            if c.level[area] <= c.level[here]:
                best = max(best, gain_at(s, c, a, row, area) - 0.3 * steps)
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
def use_gain(s, c, a, k):
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
                gain += effect_gain(s, c, a, j)
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
def boost_gain(s, c, k):
    """BOOST: successes that are likely to be lacking, less the value of the item."""
    mean = 0.67 if s.roll.die == Die.REACTION else die_mean(c)
    lacking = s.check.number - s.check.modifier - mean * s.roll.dice
    return min(1.0 * checks.boost(s, c, k), lacking) - 1.5
