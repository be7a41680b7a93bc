"""Section 9: attacks by Allies.

The tasks of an attack: the declaration (type, targets), the roll, and then one step after another
over all targets (Q47): damage, conditions, push and pull, Drain, Mirror and Revenge, defeat boxes.
`s.attack` holds it; arrays are indexed by enemy slot.
"""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer, take_if

from ..actions import Block
from ..layout import AMOUNT_MAX, LINE_BITS, LINE_MAX, N_ALLIES, N_CARRIED, N_ENEMIES
from ..sides import credit, credit_enemy
from ..terms import (
    AttackType,
    Condition,
    Decision,
    Denial,
    Die,
    Event,
    Kind,
    Proc,
    Rider,
    Roll,
    Shape,
)
from . import aim, checks, condition, enemy_pool, gear, lock, placing, pushing, stamina

AIM_PENALTY = 1  # R9.20
DOUBLING = 2  # R9.38


@kernel
def type_denial(s, c, a, row, attack_type):
    """R9.1, R9.2 - may ally a make this attack as the given type? It needs a target."""
    attack = c.attack[row]
    if (attack.types >> attack_type) & 1 == 0:
        return Denial.NO_SUCH_ACTION
    denial = aim.weapon_denial(s, c, a, attack_type)
    if denial != Denial.NONE:
        return denial
    return aim_denial(s, c, a, row, attack_type, gear.ANY)


@kernel
def aim_denial(s, c, a, row, attack_type, weapon):
    """R9.2 - has the attack a target with this weapon: its place, NATURAL or ANY?"""
    attack = c.attack[row]
    here = s.ally[a].area
    if attack.shape == Shape.AREA:
        if not attack.has_centre:
            found = aim.is_any_enemy_in(s, c, here, attack.radius)
            return Denial.NONE if found else Denial.NO_TARGET
        for centre in range(c.n_areas):
            if centre_denial(s, c, a, row, attack_type, weapon, centre) == Denial.NONE:
                return Denial.NONE
        return Denial.NO_TARGET
    if attack.shape == Shape.LINE:
        return Denial.NONE if is_any_on_lines(s, c, here, attack.length) else Denial.NO_TARGET
    for e in range(N_ENEMIES):
        if aim.armed_target_denial(s, c, a, row, attack_type, weapon, e) == Denial.NONE:
            return Denial.NONE
    return Denial.NO_TARGET


@kernel
def attack_denial(s, c, a, row):
    """R9.1 - may ally a make this attack at all, as any of its types?"""
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    reason = Denial.NO_TARGET
    for attack_type in range(3):
        if (c.attack[row].types >> attack_type) & 1:
            reason = type_denial(s, c, a, row, attack_type)
            if reason == Denial.NONE:
                return Denial.NONE
    return reason


@kernel
def begin(s, a, row):
    """R9.2 - ally a begins an attack. Needs attack_denial NONE."""
    log(s, Event.ATTACK, a, row, -1)
    attack = s.attack
    attack.ally = a
    attack.row = row
    attack.type = -1
    attack.centre = -1
    attack.n_targets = 0
    attack.next = -1
    attack.n_line = 0
    attack.total = 0
    attack.left = 0
    attack.overkill = 0
    attack.healed = 0
    attack.weapon = gear.NATURAL
    attack.dice = 0
    attack.bonus = 0
    attack.pierce = 0
    attack.conditions = 0
    attack.ridden = 0
    for e in range(N_ENEMIES):
        attack.share[e] = 0
        attack.damage[e] = 0
        attack.dealt[e] = 0
        attack.before[e] = 0
    push(s, Proc.ATTACK_ROLL)
    push(s, Proc.ATTACK_RIDER)
    push(s, Proc.ATTACK_TYPE)


@kernel
def run_type(s, c):
    """R9.1 - the player picks the type if the action leaves a choice; then weapon and targets."""
    attack = s.attack
    if answered(s):
        attack.type = take_answer(s)
    else:
        legal = 0
        for attack_type in range(3):
            if type_denial(s, c, attack.ally, attack.row, attack_type) == Denial.NONE:
                legal += 1
                attack.type = attack_type
        if legal > 1:
            ask(s, Proc.ATTACK_TYPE, Decision.ATTACK_TYPE, attack.ally, -1)
            return
    if attack.type < 0:
        return
    push(s, Proc.ATTACK_AIM)
    push(s, Proc.ATTACK_WEAPON)


@kernel
def weapon_denial(s, c, weapon):
    """R9.2 - may the attack going on be made with the weapon: its place, or NATURAL?

    Of two of a kind the first stands for both.
    """
    attack = s.attack
    a = attack.ally
    if weapon < 0:
        if not gear.has_natural(s, c, a, attack.type):
            return Denial.NO_WEAPON
    elif not gear.is_weapon(s, c, a, weapon, attack.type):
        return Denial.NO_WEAPON
    for k in range(max(0, weapon)):
        if s.ally[a].item[k] == s.ally[a].item[weapon]:
            if gear.is_weapon(s, c, a, k, attack.type):
                return Denial.ALREADY_CHOSEN
    return aim_denial(s, c, a, attack.row, attack.type, weapon)


@kernel
def run_weapon(s, c):
    """R9.2, R9.18 - the player names the active weapon; of magic ones the best serves by itself."""
    attack = s.attack
    a = int(attack.ally)
    if answered(s):
        k = take_if(s, Block.ITEM)
        attack.weapon = k if k >= 0 else gear.NATURAL
        return
    if s.ally[a].active == 0 or s.ally[a].kind != Kind.HERO:
        return
    if attack.type == AttackType.MAGIC:
        attack.weapon = gear.best_weapon(s, c, a, attack.type)
        return
    usable = 0
    for k in range(gear.NATURAL, N_CARRIED):
        if weapon_denial(s, c, k) == Denial.NONE:
            attack.weapon = k
            usable += 1
    if usable > 1:
        attack.weapon = gear.NATURAL
        ask(s, Proc.ATTACK_WEAPON, Decision.WEAPON, a, attack.type)


@kernel
def run_aim(s, c):
    """R9.2 - targets are named as the shape of the attack asks for."""
    match c.attack[s.attack.row].shape:
        case Shape.AREA:
            push(s, Proc.ATTACK_CENTRE)
        case Shape.LINE:
            push(s, Proc.ATTACK_LINE)
        case Shape.CLEAVE:
            pass  # R9.29: targets are named after the roll
        case _:
            push(s, Proc.ATTACK_TARGET)


@kernel
def add_target(s, e):
    """Enemy e is the next target."""
    s.attack.target[s.attack.n_targets] = e
    s.attack.n_targets += 1


@kernel
def is_target(s, e):
    """Whether enemy e has been named."""
    for k in range(s.attack.n_targets):
        if s.attack.target[k] == e:
            return True
    return False


@kernel
def target_limit(s, c):
    """R9.25, R9.27 - how many targets this attack may name."""
    if c.attack[s.attack.row].shape == Shape.LINE:
        return int(s.attack.n_line)
    return max(1, int(c.attack[s.attack.row].targets))


@kernel
def choice_denial(s, c, e):
    """R9.2, R9.25, R9.27, R9.29 - may enemy e be named as (next) target of the attack going on?"""
    attack = s.attack
    if not placing.enemy_stands(s, e):
        return Denial.NO_TARGET
    shape = c.attack[attack.row].shape
    if shape == Shape.CLEAVE:
        if attack.share[e] > 0:
            return Denial.ALREADY_CHOSEN
    elif is_target(s, e):
        return Denial.ALREADY_CHOSEN
    if shape == Shape.LINE:
        return line_target_denial(s, e)
    a, weapon = attack.ally, attack.weapon
    return aim.armed_target_denial(s, c, a, attack.row, attack.type, weapon, e)


@kernel
def line_target_denial(s, e):
    """R9.27 - on the line chosen, at most one Enemy in each area."""
    on_line = False
    for k in range(s.attack.n_line):
        on_line = on_line or s.attack.line[k] == s.enemy[e].area
    if not on_line:
        return Denial.NOT_ON_LINE
    for k in range(s.attack.n_targets):
        if s.enemy[s.attack.target[k]].area == s.enemy[e].area:
            return Denial.ALREADY_CHOSEN
    return Denial.NONE


@kernel
def is_any_choice(s, c):
    """Whether some Enemy may be named as next target."""
    for e in range(N_ENEMIES):
        if choice_denial(s, c, e) == Denial.NONE:
            return True
    return False


@kernel
def run_target(s, c):
    """R9.2, R9.25 - name targets, up to the attack's number."""
    if answered(s):
        e = take_if(s, Block.ENEMY)
        if e < 0:
            return
        add_target(s, e)
    if s.attack.n_targets < target_limit(s, c) and is_any_choice(s, c):
        ask(s, Proc.ATTACK_TARGET, Decision.TARGET, s.attack.ally, s.attack.row)


@kernel
def done_denial(s):
    """R9.2 - an attack needs a target, unless it is a further one of its action (R9.7)."""
    if s.attack.n_targets > 0 or s.act.row > s.act.opening:
        return Denial.NONE
    return Denial.NO_TARGET


@kernel
def centre_choice_denial(s, c, centre):
    """R9.26 - may the area be the centre of the attack going on?"""
    attack = s.attack
    return centre_denial(s, c, attack.ally, attack.row, attack.type, attack.weapon, centre)


@kernel
def centre_denial(s, c, a, row, attack_type, weapon, centre):
    """R9.26 - may the area be the centre of the attack? It must meet an Enemy."""
    denial = aim.armed_denial(s, c, a, row, attack_type, weapon, centre)
    if denial != Denial.NONE:
        return denial
    found = aim.is_any_enemy_in(s, c, centre, c.attack[row].radius)
    return Denial.NONE if found else Denial.NO_TARGET


@kernel
def run_centre(s, c):
    """R9.26 - every Enemy in the centre, and in areas near it that it sees, is a target."""
    attack = s.attack
    row = c.attack[attack.row]
    if answered(s):
        attack.centre = take_answer(s)
    elif row.has_centre:
        ask(s, Proc.ATTACK_CENTRE, Decision.CENTRE, attack.ally, attack.row)
        return
    else:
        attack.centre = s.ally[attack.ally].area
    for e in range(N_ENEMIES):
        area = s.enemy[e].area
        if placing.enemy_stands(s, e) and aim.in_area(c, attack.centre, row.radius, area):
            add_target(s, e)


@kernel
def is_any_on_lines(s, c, here, length):
    """R9.27 - whether an Enemy stands among the first areas of some line from `here`."""
    for k in range(c.line_first[here], c.line_first[here + 1]):
        if is_any_on_line(s, c, k, length):
            return True
    return False


@kernel
def is_any_on_line(s, c, k, length):
    """R9.27 - whether an Enemy stands among the first areas of listed line k."""
    for j in range(length):
        area = on_line(c, k, j)
        if area >= 0 and s.enemies_in[area] > 0:
            return True
    return False


@kernel
def on_line(c, k, j):
    """Area j of listed line k after the own one; -1 past its end."""
    return ((int(c.line[k]) >> (LINE_BITS * j)) & ((1 << LINE_BITS) - 1)) - 1


@kernel
def fits_line(s, c, k):
    """Whether listed line k begins with the areas chosen so far."""
    for j in range(s.attack.n_line):
        if on_line(c, k, j) != s.attack.line[j]:
            return False
    return True


@kernel
def line_denial(s, c, area):
    """R9.27, R9.2 [Q10] - may the line attack go on into `area`? It must meet an Enemy."""
    here = s.ally[s.attack.ally].area
    n = s.attack.n_line
    length = min(LINE_MAX, int(c.attack[s.attack.row].length))
    if n >= length:
        return Denial.NOT_ON_LINE
    denial = Denial.NOT_ON_LINE
    for k in range(c.line_first[here], c.line_first[here + 1]):
        if on_line(c, k, n) == area and fits_line(s, c, k):
            if is_any_on_line(s, c, k, length):
                return Denial.NONE
            denial = Denial.NO_TARGET
    return denial


@kernel
def is_line_occupied(s):
    """Whether an Enemy stands on the line chosen so far."""
    for k in range(s.attack.n_line):
        if s.enemies_in[s.attack.line[k]] > 0:
            return True
    return False


@kernel
def line_done_denial(s):
    """R9.2, R9.27 - a line may end once an Enemy stands on it."""
    return Denial.NONE if is_line_occupied(s) else Denial.NO_TARGET


@kernel
def run_line(s, c):
    """R9.27 - choose the line area by area, then its targets."""
    attack = s.attack
    if answered(s):
        area = take_if(s, Block.AREA)
        if area < 0:
            push(s, Proc.ATTACK_TARGET)
            return
        attack.line[attack.n_line] = area
        attack.n_line += 1
    for area in range(c.n_areas):
        if line_denial(s, c, area) == Denial.NONE:
            ask(s, Proc.ATTACK_LINE, Decision.LINE, attack.ally, attack.row)
            return
    push(s, Proc.ATTACK_TARGET)


@kernel
def is_declared(s, c):
    """R9.2, R9.29 - whether the attack has its targets, or is a Cleave that names them later."""
    attack = s.attack
    named = attack.n_targets > 0 or c.attack[attack.row].shape == Shape.CLEAVE
    return named and attack.type >= 0


@kernel
def rider_denial(s, c, k):
    """R17.6 - may what lies in place k serve the attack? At most one of a kind on each attack."""
    attack = s.attack
    ally = s.ally[attack.ally]
    if ally.item[k] < 0:
        return Denial.NO_SUCH_ITEM
    rider = int(c.item[ally.item[k]].rider)
    if rider == Rider.NONE or not gear.works(s, c, attack.ally, k):
        return Denial.NO_USE
    if gear.is_worn_out(s, attack.ally, k):
        return Denial.USED_UP
    if (attack.ridden >> rider) & 1:
        return Denial.ALREADY_CHOSEN
    if attack.weapon < 0 or (c.item[ally.item[attack.weapon]].takes >> rider) & 1 == 0:
        return Denial.NO_WEAPON
    return Denial.NONE


@kernel
def run_rider(s, c):
    """R9.2, R17.6 - poison, arrows and runes are named before the roll."""
    attack = s.attack
    if answered(s):
        k = take_if(s, Block.ITEM)
        if k < 0:
            return
        ride(s, c, k)
    if attack.weapon < 0 or not is_declared(s, c) or c.attack[attack.row].effect_only:
        return
    for k in range(N_CARRIED):
        if rider_denial(s, c, k) == Denial.NONE:
            ask(s, Proc.ATTACK_RIDER, Decision.RIDER, attack.ally, attack.row)
            return


@kernel
def ride(s, c, k):
    """R17.6 - what lies in place k serves the attack: it adds what it says, and is used up."""
    attack = s.attack
    item = c.item[s.ally[attack.ally].item[k]]
    log(s, Event.RIDE, attack.ally, s.ally[attack.ally].item[k], -1)
    attack.dice += item.rider_dice
    attack.bonus += item.rider_bonus
    attack.pierce += item.rider_pierce
    attack.conditions |= item.rider_conditions
    attack.ridden |= 1 << int(item.rider)
    gear.use_up(s, c, attack.ally, k)


@kernel
def dice(s, c):
    """R9.3, R6.4, R17.6 - Action dice of the attack: its own, of riders, passives and effects."""
    attack = s.attack
    a = attack.ally
    more = attack.dice + s.ally[a].attack_dice[attack.type]
    more += lock.attack_dice(s, c, a, attack.type)
    return max(0, int(c.attack[attack.row].dice + more))


@kernel
def run_roll(s, c):
    """R9.2, R9.3, R9.11, R12.1 - the attack is declared: Invisible ends, the dice are rolled."""
    attack = s.attack
    row = c.attack[attack.row]
    if not is_declared(s, c):
        return
    condition.discard_ally(s, attack.ally, Condition.INVISIBLE)
    push(s, Proc.ATTACK_TOTAL)
    if not row.effect_only and s.ally[attack.ally].kind == Kind.HERO:
        checks.begin_roll(s, attack.ally, Die.ACTION, Roll.ATTACK, dice(s, c))


@kernel
def fixed_damage(s, c, a, value, attack_type):
    """R9.9, R18.5 [P45] - what a Non-Hero Ally deals: more this turn, and when it is low itself."""
    more = s.ally[a].attack_dice[attack_type]
    low = 2 * s.ally[a].health <= c.sheet[a].health
    return value + more + (c.sheet[a].fury if low else 0)


@kernel
def run_total(s, c):
    """R9.4, R9.9, R9.38 [Q55] - damage before aim; then step by step over all targets (Q47)."""
    attack = s.attack
    row = c.attack[attack.row]
    a = attack.ally
    if s.ally[a].kind == Kind.HERO:
        successes = s.roll.successes * (DOUBLING if row.double else 1)
        modifiers = row.bonus + attack.bonus + gear.bonus(s, c, a, attack.type, attack.weapon)
        attack.total = max(0, successes + modifiers)
    else:
        attack.total = fixed_damage(s, c, a, row.value, attack.type)
    if row.effect_only:
        attack.total = 0
    attack.left = attack.total
    attack.next = -1
    push(s, Proc.ATTACK_DEFEATS)
    push(s, Proc.ATTACK_REVENGE)
    push(s, Proc.ATTACK_DRAIN)
    push(s, Proc.ATTACK_PUSH)
    push(s, Proc.ATTACK_RIDERS)
    push(s, Proc.ATTACK_DAMAGE)
    if row.shape == Shape.CLEAVE:
        push(s, Proc.ATTACK_SHARE)


@kernel
def run_share(s, c):
    """R9.29 - split the damage of a Cleave: an Enemy, its share, and again."""
    attack = s.attack
    if answered(s):
        if s.block == Block.AMOUNT:
            e = attack.next
            attack.next = -1
            attack.share[e] = take_answer(s)
            attack.left -= attack.share[e]
            if attack.share[e] > 0:
                add_target(s, e)
        elif s.block == Block.DONE:
            take_answer(s)
            return
        else:
            attack.next = take_answer(s)
            ask(s, Proc.ATTACK_SHARE, Decision.SHARE, attack.ally, attack.next)
            s.limit = min(int(attack.left), AMOUNT_MAX)
            return
    if attack.left > 0 and is_any_choice(s, c):
        ask(s, Proc.ATTACK_SHARE, Decision.TARGET, attack.ally, attack.row)


@kernel
def minds_aim(c, a, row, attack_type):
    """R9.20 to R9.22 - whether obstructed aim makes this attack of ally a weaker."""
    shape = c.attack[row].shape
    if attack_type == AttackType.MELEE or shape == Shape.AREA or shape == Shape.LINE:
        return False
    return not (c.attack[row].ignore_aim or (c.sheet[a].ignore_aim >> attack_type) & 1)


@kernel
def aim_penalty(s, c, a, row, attack_type, area):
    """R9.20 to R9.22 - damage less for obstructed aim [P4]."""
    if not minds_aim(c, a, row, attack_type):
        return 0
    here = s.ally[a].area
    return AIM_PENALTY * aim.is_obstructed(s, c, here, area, s.enemies_in[here])


@kernel
def run_damage(s, c):
    """R9.4, R9.5, R9.25, R9.30, R9.34 [Q12], R9.35, R11.1 - damage per target, less aim, shield."""
    attack = s.attack
    row = c.attack[attack.row]
    for k in range(attack.n_targets):  # aim is taken before anybody falls
        e = attack.target[k]
        share = attack.share[e] if row.shape == Shape.CLEAVE else attack.total
        penalty = aim_penalty(s, c, attack.ally, attack.row, attack.type, s.enemy[e].area)
        attack.damage[e] = max(0, share - penalty)
        log(s, Event.TARGET, N_ALLIES + e, attack.damage[e], -1)
    for k in range(attack.n_targets):
        e = attack.target[k]
        enemy = s.enemy[e]
        attack.before[e] = enemy.health
        if enemy.mirror:
            continue
        shield = max(0, c.type[enemy.type].shield - row.pierce - attack.pierce)
        attack.dealt[e] = max(0, attack.damage[e] - shield)
        credit(s, attack.ally, enemy_pool.harm(s, c, e, attack.dealt[e]))
        if enemy.health == 0:
            attack.overkill += attack.dealt[e] - attack.before[e]


@kernel
def run_riders(s, c):
    """R9.8, R9.10, R9.37, R11.3 - conditions on the targets that damage got through to."""
    attack = s.attack
    row = c.attack[attack.row]
    if (row.conditions | attack.conditions) == 0:
        return
    for k in range(attack.n_targets):
        e = attack.target[k]
        if attack.dealt[e] > 0 or row.effect_only:
            spared = row.non_elite and c.type[s.enemy[e].type].elite
            own = 0 if spared else int(row.conditions)
            condition.gain_enemy_all(s, e, own | int(attack.conditions))


@kernel
def run_push(s, c):
    """Q47, Q58, R9.37 - surviving targets are pushed, then pulled, damaged or not."""
    attack = s.attack
    row = c.attack[attack.row]
    attack.next += 1
    pulls = attack.next == 1
    distance = row.pull if pulls else row.push
    if pulls:
        attack.next = -1
    else:
        push(s, Proc.ATTACK_PUSH)
    if distance == 0:
        return
    pushing.begin(s, s.ally[attack.ally].area, attack.ally, distance, pulls, True)
    for k in range(attack.n_targets):
        e = attack.target[k]
        if placing.enemy_stands(s, e) and not (row.non_elite and c.type[s.enemy[e].type].elite):
            pushing.name(s, N_ALLIES + e)


@kernel
def run_drain(s, c):
    """R9.31, R9.32 [Q11] - the attacker is healed what got through, at most what defeat needed."""
    attack = s.attack
    if not c.attack[attack.row].drain:
        return
    points = 0
    for k in range(attack.n_targets):
        e = attack.target[k]
        points += min(attack.dealt[e], attack.before[e])
    attack.healed = stamina.heal(s, c, attack.ally, points)


@kernel
def run_revenge(s, c):
    """R9.36, R11.1 to R11.9, R11.14 - Mirror and Revenge of the targets, one after another."""
    attack = s.attack
    if c.attack[attack.row].effect_only:
        return
    attack.next += 1
    if attack.next >= attack.n_targets:
        return
    push(s, Proc.ATTACK_REVENGE)
    e = attack.target[attack.next]
    points = 0
    if s.enemy[e].mirror:
        points = int(attack.damage[e])
    elif s.enemy[e].revenge:
        points = min(attack.dealt[e], attack.before[e])
    credit_enemy(s, e, points)
    stamina.damage(s, c, attack.ally, points)


@kernel
def run_defeats(s, c):
    """Q47, R10.40 - defeat boxes come last, also of Enemies that a trap has taken [P53]."""
    e = enemy_pool.first_fallen(s)
    while e >= 0:
        enemy_pool.resolve_defeat(s, c, e)
        e = enemy_pool.first_fallen(s)


@kernel
def drain(s, c, a, e, n):
    """R9.31, R9.33 [Q11] - Drain that is no attack: no shield. -> damage healed."""
    taken = enemy_pool.harm(s, c, e, n)
    credit(s, a, taken)
    healed = stamina.heal(s, c, a, taken)
    enemy_pool.resolve_defeat(s, c, e)
    return healed
