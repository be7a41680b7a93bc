"""R10.20 to R10.39: an Enemy's attack, carried through Ally by Ally (Q47).

`s.strike` holds the attack as the card, horns and snake make it; arrays are indexed by ally slot.
"""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer, take_if

from ..actions import Block
from ..layout import N_ALLIES, N_ENEMIES, N_LOCKS
from ..sides import credit, credit_enemy
from ..terms import (
    AttackType,
    Condition,
    Decision,
    Denial,
    Event,
    Kind,
    Op,
    Proc,
    RiposteWhen,
    Will,
)
from . import aim, checks, condition, enemy_pool, lock, placing, pushing, stamina

WEAKENED_PENALTY = 2  # R12.5
AIM_PENALTY = 1  # R10.29


@kernel
def load(s, c, e, row):
    """Take an attack row of the card as enemy e's attack."""
    strike, card = s.strike, c.strike[row]
    strike.enemy = e
    strike.row = row
    strike.type = card.type
    strike.value = card.value
    strike.range = card.range
    strike.area = card.area
    strike.limit = card.targets
    strike.conditions = card.conditions
    strike.push = card.push
    strike.pull = card.pull
    strike.loss = card.loss
    strike.drain = card.drain
    strike.given = 0


@kernel
def load_melee(s, e):
    """R10.18 [Q13] - an action without an attack moves as for a melee attack."""
    strike = s.strike
    strike.enemy = e
    strike.row = -1
    strike.type = AttackType.MELEE
    strike.value = -1
    strike.range = -1
    strike.area = -1
    strike.limit = 1
    strike.conditions = 0
    strike.push = 0
    strike.pull = 0


@kernel
def add(s, op, amount, a):
    """R10.37 [P52] - an addition of horns or snake; +n only to a number that the attack has."""
    strike = s.strike
    match op:
        case Op.ADD_VALUE:
            strike.value += amount if strike.value >= 0 else 0
        case Op.ADD_RANGE:
            strike.range += amount if strike.range >= 0 else 0
        case Op.ADD_AREA:
            strike.area += amount if strike.area >= 0 else 0
        case Op.ADD_CONDITION:
            strike.conditions |= 1 << a
        case Op.ADD_DRAIN:
            strike.drain = 1
        case Op.ADD_PUSH:
            strike.push += amount
        case Op.ADD_PULL:
            strike.pull += amount
        case Op.ADD_TARGET:
            strike.limit = max(int(strike.limit), amount)
        case _:
            pass


@kernel
def has_own_centre(s):
    """R10.28 - an area attack without a range is centred on the Enemy's own area."""
    return s.strike.area >= 0 and s.strike.range < 0


@kernel
def room_beside(s, c, e, here, there):
    """R10.20, R10.21 - whether an adjacent area still has room for enemy e, standing at `here`."""
    size = c.type[s.enemy[e].type].size
    used = s.used[there]
    if s.enemy[e].area == there and here != there:
        used -= size  # it would have left
    return used + size <= c.capacity[there]


@kernel
def reach_denial(s, c, e, here, a):
    """R10.15, R10.20 to R10.25 [P44] - could enemy e, standing at `here`, attack ally a?"""
    if aim.is_hidden(s, a):
        return Denial.INVISIBLE
    return band_denial(s, c, e, here, s.ally[a].area)


@kernel
def band_denial(s, c, e, here, there):
    """R10.15, R10.20 to R10.23 [P44] - does the attack of enemy e, standing at `here`, reach area
    `there`?
    """
    strike = s.strike
    if has_own_centre(s):
        return Denial.NONE if aim.in_area(c, here, strike.area, there) else Denial.OUT_OF_RANGE
    if strike.type != AttackType.MELEE:
        return aim.sight_denial(c, here, there, 0, max(0, int(strike.range)))
    if strike.range >= 0:
        return aim.melee_range_denial(c, here, there, 0, strike.range)
    if here == there:
        return Denial.NONE
    if c.melee[here, there] != 1:
        return Denial.OUT_OF_RANGE
    return Denial.AREA_HAS_ROOM if room_beside(s, c, e, here, there) else Denial.NONE


@kernel
def is_better(s, c, here, a, b):
    """R10.20, R10.23 - 1 if ally a is preferred to ally b as target, -1 if b, 0 if tied."""
    if s.strike.type != AttackType.MELEE and not has_own_centre(s):
        near, far = c.range[here, s.ally[a].area], c.range[here, s.ally[b].area]
        if near != far:
            return 1 if near < far else -1
    taunt_a, taunt_b = c.sheet[a].taunt, c.sheet[b].taunt
    if taunt_a == taunt_b:
        return 0
    return 1 if taunt_a > taunt_b else -1


@kernel
def best_targets(s, c, e, here, without):
    """R10.20 to R10.24 - bits of the equally best targets of enemy e standing at `here`; with free
    will all legal ones are.

    Allies in the bit set `without` are left out.
    """
    best = 0
    first = -1
    for a in range(N_ALLIES):
        if (without >> a) & 1 or reach_denial(s, c, e, here, a) != Denial.NONE:
            continue
        order = 1 if first < 0 else is_better(s, c, here, a, first)
        if c.enemy_will == Will.FREE and first >= 0:
            order = 0
        if order > 0:
            best = 1 << a
            first = a
        elif order == 0:
            best |= 1 << a
    return best


@kernel
def begin(s, given):
    """R10.5, R10.20 - the attack loaded in s.strike begins.

    `given`: an effect says whom it hits, one `add_target` after another; else the rules choose.
    """
    strike = s.strike
    strike.n_targets = 0
    strike.next = 0
    strike.done = 0
    strike.ally = -1
    strike.centre = -1
    for a in range(N_ALLIES):
        strike.hit_value[a] = -1
        strike.remaining[a] = -1
    strike.given = given
    log(s, Event.STRIKE, N_ALLIES + strike.enemy, strike.row, -1)
    push(s, Proc.STRIKE_LINE_UP)
    push(s, Proc.STRIKE_STAND_IN)
    if not given:
        push(s, Proc.STRIKE_TARGET)


@kernel
def add_target(s, a):
    """Ally a is the next target, if it can be hit and is none yet."""
    if placing.ally_stands(s, a) and (chosen(s) >> a) & 1 == 0:
        s.strike.target[s.strike.n_targets] = a
        s.strike.n_targets += 1


@kernel
def chosen(s):
    """Bits of the targets named so far."""
    bits = 0
    for k in range(s.strike.n_targets):
        bits |= 1 << int(s.strike.target[k])
    return bits


@kernel
def run_target(s, c):
    """R10.20 to R10.28 - choose the targets, best first; the players choose among equals."""
    strike = s.strike
    e = strike.enemy
    here = s.enemy[e].area
    a = take_answer(s) if answered(s) else -1
    while True:
        if a < 0:
            best = best_targets(s, c, e, here, chosen(s))
            if best == 0:
                break
            a = lowest(best)
            if best != 1 << a and not has_own_centre(s):
                ask(s, Proc.STRIKE_TARGET, Decision.ENEMY_TARGET, -1, e)
                s.options = best
                return
        if s.strike.area >= 0:
            add_area_targets(s, c, here if has_own_centre(s) else s.ally[a].area)
            break
        add_target(s, a)
        a = -1
        if strike.n_targets >= strike.limit:
            break


@kernel
def is_attack_missed(s):
    """R12.8, R12.10 - a Confused or Dominated Enemy does not make its attack."""
    enemy = s.enemy[s.strike.enemy]
    confused = condition.holds(enemy, Condition.CONFUSED)
    return confused or condition.holds(enemy, Condition.DOMINATED)


@kernel
def add_area_targets(s, c, centre):
    """R10.28 [Q36, Q60] - every standing Ally in the affected areas is hit, Invisible ones too."""
    s.strike.centre = centre
    for a in range(N_ALLIES):
        if placing.ally_stands(s, a) and aim.in_area(c, centre, s.strike.area, s.ally[a].area):
            add_target(s, a)


@kernel
def stand_in_denial(s, target, a):
    """R10.26 [Q33] - may Hero a take the hit for `target`?"""
    if a == target or (chosen(s) >> a) & 1:
        return Denial.ALREADY_CHOSEN
    if s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if aim.is_hidden(s, a):
        return Denial.INVISIBLE
    same = s.ally[a].area == s.ally[target].area
    return Denial.NONE if same else Denial.OUT_OF_RANGE


@kernel
def run_stand_in(s, c):
    """R10.26 - for each target in turn: may another Hero of its area take the hit?

    Who is hit because of its area (R10.28) cannot be stood in for.
    """
    strike = s.strike
    if strike.area >= 0 or is_attack_missed(s):
        return
    if answered(s):
        a = take_if(s, Block.ALLY)
        if a >= 0:
            strike.target[strike.next] = a
        strike.next += 1
    while strike.next < strike.n_targets:
        target = strike.target[strike.next]
        for a in range(N_ALLIES):
            if stand_in_denial(s, target, a) == Denial.NONE:
                ask(s, Proc.STRIKE_STAND_IN, Decision.STAND_IN, target, target)
                return
        strike.next += 1
    strike.next = 0


@kernel
def may_backfire(s, c, a):
    """R14.4, R10.40 [P47] - may ally a be better off without a lock: does one strike back, by
    Mirror, Revenge or Riposte, at an attacker whose defeat has consequences?
    """
    if c.type[s.enemy[s.strike.enemy].type].defeat_n == 0:
        return False
    ally = s.ally[a]
    for slot in range(N_LOCKS):
        if ally.lock_chips[slot] > 0:
            row = c.passive[ally.lock_passive[slot]]
            if row.mirror or row.revenge or row.riposte > 0:
                return True
    return False


@kernel
def run_line_up(s, c):
    """R12.5, R12.8, R12.10 [Q51] - the attack is made, or missed if Confused or Dominated [P10].

    Owners of locks that may backfire are asked first [P47].
    """
    strike = s.strike
    e = strike.enemy
    enemy = s.enemy[e]
    if strike.n_targets == 0:
        return
    if is_attack_missed(s):
        strike.n_targets = 0
        if condition.holds(enemy, Condition.DOMINATED):
            push(s, Proc.DOMINATED_ENEMY)
        condition.discard_enemy(s, e, Condition.CONFUSED)
        condition.discard_enemy(s, e, Condition.DOMINATED)
        return
    if answered(s):
        take_answer(s)
        strike.next += 1
    while strike.next < strike.n_targets:
        a = strike.target[strike.next]
        if may_backfire(s, c, a):
            ask(s, Proc.STRIKE_LINE_UP, Decision.STAND_IN, a, a)
            return
        strike.next += 1
    if strike.value >= 0 and condition.holds(enemy, Condition.WEAKENED):
        strike.value = max(0, strike.value - WEAKENED_PENALTY)
        condition.discard_enemy(s, e, Condition.WEAKENED)
    strike.distance = 0
    push(s, Proc.STRIKE_NEXT)


@kernel
def order_options(s):
    """Bits of the targets that have not been dealt with."""
    return chosen(s) & ~int(s.strike.done)


@kernel
def run_next(s, c):
    """Q47 - the next Ally is dealt with, unless the attacker has fallen."""
    strike = s.strike
    if not placing.enemy_stands(s, strike.enemy):
        return
    options = order_options(s)
    if answered(s):
        a = take_answer(s)
    else:
        if options == 0:
            return
        a = first_target(s, options)
        if options != 1 << a:
            ask(s, Proc.STRIKE_NEXT, Decision.STRIKE_ORDER, -1, strike.enemy)
            s.options = options
            return
    strike.done |= 1 << a
    push(s, Proc.STRIKE_NEXT)
    if placing.ally_stands(s, a):
        begin_hit(s, c, a)


@kernel
def first_target(s, options):
    """The earliest named target among the options."""
    for k in range(s.strike.n_targets):
        if (options >> int(s.strike.target[k])) & 1:
            return int(s.strike.target[k])
    return -1


@kernel
def value_against(s, c, a):
    """R10.29 - value of the attack against ally a, with obstructed aim."""
    strike = s.strike
    if strike.type == AttackType.MELEE or strike.area >= 0:
        return int(strike.value)
    here = s.enemy[strike.enemy].area
    hidden = aim.is_obstructed(s, c, here, s.ally[a].area, s.allies_in[here])
    return max(0, strike.value - AIM_PENALTY * hidden)


@kernel
def begin_hit(s, c, a):
    """R10.30 - one Ally is dealt with: check, damage, riders, or-else [P51], push, Drain, R11."""
    strike = s.strike
    strike.ally = a
    strike.caused = 0
    strike.taken = 0
    strike.symbols = 0
    strike.distance = c.range[s.enemy[strike.enemy].area, s.ally[a].area]
    for slot in range(N_LOCKS):
        strike.passive[slot] = s.ally[a].lock_passive[slot]
    push(s, Proc.STRIKE_RIPOSTE)
    push(s, Proc.STRIKE_REVENGE)
    if strike.drain:
        push(s, Proc.STRIKE_DRAIN)
    strike.shoved = 0
    if strike.push != 0 or strike.pull != 0:
        push(s, Proc.STRIKE_PUSH)
    if strike.row >= 0 and c.strike[strike.row].or_else:
        push(s, Proc.STRIKE_OR_ELSE)
    if strike.conditions != 0:
        push(s, Proc.STRIKE_RIDERS)
    if strike.value < 0:
        log(s, Event.TARGET, a, -1, -1)
        return
    strike.hit_value[a] = value_against(s, c, a)
    log(s, Event.TARGET, a, strike.hit_value[a], -1)
    if has_mirror(s, c, a):
        strike.remaining[a] = 0
        return
    push(s, Proc.STRIKE_HIT)
    checks.begin_reactive_check(s, c, a, c.strike[strike.row].ability, strike.hit_value[a])


@kernel
def has_mirror(s, c, a):
    """R11.1 [Q35] - the attacked Ally has Mirror, of its own or by a passive: it rolls no check.

    What the attack breaks works against it all the same (R11.13) [P42], here and below; and what
    its owner ends meanwhile [P48].
    """
    if s.ally[a].mirror:
        return True
    for slot in range(N_LOCKS):
        passive = s.strike.passive[slot]
        if passive >= 0 and c.passive[passive].mirror:
            return True
    return False


@kernel
def has_revenge(s, c, a):
    """R11.5 - the attacked Ally has Revenge, of its own or by a passive."""
    if s.ally[a].revenge:
        return True
    for slot in range(N_LOCKS):
        passive = s.strike.passive[slot]
        if passive >= 0 and c.passive[passive].revenge:
            return True
    return False


@kernel
def blue_chips(s, c, a):
    """R1.4 - chips on their blue side, locked ones too; health of a Non-Hero Ally less 1."""
    ally = s.ally[a]
    if ally.kind == Kind.COMPANION:
        return ally.health - 1 - c.sheet[a].undying
    return ally.disk + ally.spent + lock.locked_chips(s, a)


@kernel
def run_hit(s, c):
    """R10.31, R11.9 [Q44] - what the check leaves is damage or lost stamina."""
    strike = s.strike
    a = strike.ally
    left = int(s.check.remaining)
    strike.remaining[a] = left
    if checks.h_worth(s, c) == 0:  # an H face serves one effect only (R3.7)
        strike.symbols = s.roll.symbols - s.roll.spoiled
    lost = min(left, int(s.ally[a].disk)) if strike.loss else 0  # chips lost are no damage (R2.2)
    strike.caused = min(left - lost, blue_chips(s, c, a) + 1)
    strike.taken = lost + strike.caused
    credit_enemy(s, strike.enemy, left)
    if strike.loss:
        stamina.lose(s, c, a, left)
    else:
        stamina.damage(s, c, a, left)


@kernel
def run_riders(s, c):
    """R10.32, R10.33, R11.3, R11.4 - conditions: after damage that got through, or alone."""
    strike = s.strike
    if strike.value < 0 or strike.remaining[strike.ally] > 0:
        condition.gain_ally_all(s, c, strike.ally, strike.conditions)


@kernel
def run_or_else(s, c):
    """R10.34 - an active check by the affected Ally, or else [P9]."""
    a = s.strike.ally
    if placing.ally_stands(s, a):
        row = c.strike[s.strike.row]
        push(s, Proc.STRIKE_OR_ELSE_DONE)
        checks.begin_offered_check(s, c, a, row.or_else_abilities, row.or_else_number)


@kernel
def run_or_else_done(s, c):
    """R10.34 - the check failed: damage, then the condition."""
    if not s.check.success:
        a, n = s.strike.ally, c.strike[s.strike.row].or_else_damage
        s.strike.caused += min(n, blue_chips(s, c, a) + 1)
        push(s, Proc.STRIKE_OR_ELSE_HIT)
        credit_enemy(s, s.strike.enemy, n)
        stamina.damage(s, c, a, n)


@kernel
def run_or_else_hit(s, c):
    """R10.34 - the condition of a failed check."""
    condition.gain_ally_all(s, c, s.strike.ally, c.strike[s.strike.row].or_else_conditions)


@kernel
def run_push(s, c):
    """R10.39 [Q16] - each attacked Ally is pushed, then pulled, hurt or not."""
    strike = s.strike
    pulls = strike.shoved == 1
    strike.shoved += 1
    if not pulls:
        push(s, Proc.STRIKE_PUSH)
    distance = strike.pull if pulls else strike.push
    if distance == 0 or not placing.enemy_stands(s, strike.enemy):
        return
    pushing.begin(s, s.enemy[strike.enemy].area, -1, distance, pulls, False)
    pushing.name(s, strike.ally)


@kernel
def run_drain(s, c):
    """R10.37, R2.8 - Drain heals the damage that the attack caused to this Ally."""
    enemy_pool.heal(s, s.strike.enemy, s.strike.caused)


@kernel
def run_revenge(s, c):
    """R11.1 to R11.9 - Mirror gives the value back, Revenge what was really taken; no shield.

    R11.14 to R11.17 [Q19]: it is no attack, and Mirror leaves nothing to be avenged.
    """
    strike = s.strike
    a = strike.ally
    if strike.value < 0:
        return
    if has_mirror(s, c, a):
        credit(s, a, enemy_pool.damage(s, c, strike.enemy, strike.hit_value[a]))
    elif has_revenge(s, c, a):
        credit(s, a, enemy_pool.damage(s, c, strike.enemy, strike.taken))


@kernel
def is_riposte(s, amount, reach, attack_type, when):
    """R11.10, R11.12 [Q48] - do the stated circumstances hold for the attack just made?"""
    strike = s.strike
    if amount <= 0 or (reach >= 0 and strike.distance > reach):
        return False
    if attack_type >= 0 and attack_type != strike.type:
        return False
    if when == RiposteWhen.ALWAYS:
        return True
    return (strike.remaining[strike.ally] > 0) == (when == RiposteWhen.DAMAGED)


@kernel
def run_riposte(s, c):
    """R11.10 to R11.13 [Q34] - Riposte ignores shield and comes last."""
    strike = s.strike
    ally = s.ally[strike.ally]
    amount = 0
    if is_riposte(s, ally.riposte, ally.riposte_range, ally.riposte_type, ally.riposte_when):
        amount += ally.riposte
    for slot in range(N_LOCKS):
        if strike.passive[slot] >= 0:
            row = c.passive[strike.passive[slot]]
            if is_riposte(s, row.riposte, row.riposte_range, row.riposte_type, row.riposte_when):
                amount += row.riposte
    end_used(s, c)
    taken = enemy_pool.damage(s, c, strike.enemy, amount + h_riposte(s, c))
    credit(s, strike.ally, taken)


@kernel
def h_riposte(s, c):
    """R18.5 [P45] - damage back for each H face that does not shield, within range 1."""
    strike = s.strike
    near = strike.distance <= 1
    return c.sheet[strike.ally].h_riposte * strike.symbols if near else 0


@kernel
def end_used(s, c):
    """R14.12 - passives that end once they have worked against the attack just made do so."""
    strike = s.strike
    a = int(strike.ally)
    for slot in range(N_LOCKS):
        passive = s.ally[a].lock_passive[slot]
        if passive < 0 or not c.passive[passive].ends:
            continue
        row = c.passive[passive]
        mirrored = row.mirror and strike.value >= 0
        avenged = row.revenge and strike.taken > 0
        struck = is_riposte(s, row.riposte, row.riposte_range, row.riposte_type, row.riposte_when)
        if mirrored or avenged or struck:
            lock.release(s, c, a, slot)


@kernel
def dominated_enemies(s, c, e):
    """R12.10 - bits of the closest other Enemies within the range of Dominated."""
    best = 0
    nearest = c.dominated_range
    for other in range(N_ENEMIES):
        if other == e or not placing.enemy_stands(s, other):
            continue
        distance = c.range[s.enemy[e].area, s.enemy[other].area]
        if 0 <= distance <= nearest:
            if distance < nearest:
                best = 0
            nearest = distance
            best |= 1 << other
    return best


@kernel
def run_dominated_enemy(s, c):
    """R12.10, R10.36 - a Dominated Enemy strikes another one instead of its attack; no shield."""
    e = s.strike.enemy
    if answered(s):
        victim = take_answer(s)
    else:
        best = dominated_enemies(s, c, e)
        victim = enemy_pool.pick(s, Proc.DOMINATED_ENEMY, Decision.DOMINATED_ENEMY, -1, e, best)
    if victim >= 0:
        enemy_pool.damage(s, c, victim, c.dominated_damage)
