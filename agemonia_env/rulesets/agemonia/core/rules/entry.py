"""R7.53, R19.7 to R19.11: what entering an area triggers, and traps."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from .. import chance
from ..layout import N_ALLIES, N_ENEMIES
from ..terms import Ability, Decision, Event, Kind, Proc
from . import checks, condition, enemy_pool, lock, placing, stamina

KEYWORD_BONUS = 2  # R19.7
PLACES = 10_000  # past the last place in the order of figures


@kernel
def begin_ally(s, c, a):
    """Q54 - ally a has entered its area: story point, then trap."""
    s.entry.ally = a
    s.entry.enemy = -1
    s.entry.area = s.ally[a].area
    push(s, Proc.ENTER_TRAP)
    push(s, Proc.ENTER_STORY)


@kernel
def begin_on_trap(s, a):
    """Q38 - ally a starts its turn on a trap token: as if entering, but for the story point."""
    s.entry.ally = a
    s.entry.enemy = -1
    s.entry.area = s.ally[a].area
    push(s, Proc.ENTER_TRAP)


@kernel
def begin_enemy(s, e):
    """Q54, Q56 - enemy e has entered its area: story point if open to any, then trap."""
    s.entry.ally = -1
    s.entry.enemy = e
    s.entry.area = s.enemy[e].area
    push(s, Proc.ENTER_TRAP)
    push(s, Proc.ENTER_STORY)


@kernel
def is_entrant_there(s):
    """Whether the entering figure still stands in the area (a fall may have removed it)."""
    entry = s.entry
    if entry.ally >= 0:
        return placing.ally_stands(s, entry.ally) and s.ally[entry.ally].area == entry.area
    return placing.enemy_stands(s, entry.enemy) and s.enemy[entry.enemy].area == entry.area


@kernel
def run_trap(s, c):
    """R19.7, R7.20 [Q38, Q39, P54] - a trap token: a Hero may disarm it, a flyer may let it be."""
    entry = s.entry
    if not s.trap[entry.area] or not is_entrant_there(s):
        return
    if entry.ally < 0:
        if not s.enemy[entry.enemy].fly and not s.turn.fly:
            begin_trigger(s)
        return
    a = entry.ally
    yes = False
    if answered(s):
        yes = take_answer(s) == 1
        if not entry.hovering:
            try_disarm(s, c, yes)
            return
        entry.hovering = 0
    elif lock.flies(s, c, a):
        entry.hovering = 1
        ask(s, Proc.ENTER_TRAP, Decision.SPRING, a, entry.area)
        return
    else:
        yes = True
    if yes and s.ally[a].kind == Kind.HERO:
        entry.keyword = c.sheet[a].disarm
        ask(s, Proc.ENTER_TRAP, Decision.DISARM, a, entry.area)
    elif yes:
        begin_trigger(s)


@kernel
def try_disarm(s, c, tries):
    """R19.7 - a Hero's Agility check, or the trap goes off."""
    if not tries:
        begin_trigger(s)
        return
    push(s, Proc.TRAP_DISARMED)
    s.check.modifier = KEYWORD_BONUS * s.entry.keyword
    checks.begin_active_check(s, c, s.entry.ally, Ability.AGILITY, c.disarm_number)


@kernel
def run_disarmed(s, c):
    """R19.7 - success discards the token, failure triggers the trap."""
    if s.check.success:
        s.trap[s.entry.area] = 0
        s.disarmed += 1
        log(s, Event.DISARMED, s.entry.ally, -1, s.entry.area)
    else:
        begin_trigger(s)


@kernel
def trap_places(s, c, here, reach):
    """R19.9 - bits of the areas in which a trap may be set from `here`: in range, at its height."""
    bits = 0
    for x in range(c.n_areas):
        near = 0 <= c.range[here, x] <= reach and c.level[x] == c.level[here]
        if near and c.capacity[x] > 0 and not s.trap[x]:
            bits |= 1 << x
    return bits


@kernel
def nearest_to_ally(s, c, places):
    """R10.38 - of the areas, bits of those as near to a standing Ally as possible."""
    best, nearest = 0, -1
    for x in range(c.n_areas):
        if (places >> x) & 1 == 0:
            continue
        for a in range(N_ALLIES):
            if not placing.ally_stands(s, a):
                continue
            distance = c.range[x, s.ally[a].area]
            if distance < 0 or (nearest >= 0 and distance > nearest):
                continue
            if distance != nearest:
                best = 0
            nearest = distance
            best |= 1 << x
    return best


@kernel
def begin_set(s, setter, places):
    """R19.9, R10.38 - a trap is set in one of the areas by an Ally, or by an Enemy (-1)."""
    s.entry.setter = setter
    s.entry.places = places
    push(s, Proc.TRAP_SET)


@kernel
def run_set(s, c):
    """R19.9 - the player picks the area (R10.38: the players, of equally near ones)."""
    entry = s.entry
    if answered(s):
        area = take_answer(s)
    else:
        places = int(entry.places)
        area = enemy_pool.pick(s, Proc.TRAP_SET, Decision.TRAP_AREA, entry.setter, -1, places)
    if area >= 0:
        lay(s, entry.setter, area)


@kernel
def lay(s, figure, area):
    """R19.9 - a trap token lies in the area, set by ally `figure`; -1 = not by an Ally."""
    s.trap[area] = 1
    log(s, Event.TRAP_SET, figure, -1, area)


@kernel
def begin_trigger(s):
    """R19.7 - the token is discarded and the trap goes off."""
    s.trap[s.entry.area] = 0
    log(s, Event.TRAP, -1, -1, s.entry.area)
    push(s, Proc.TRAP_TRIGGER)


@kernel
def run_trigger(s, c):
    """R19.8 - the top Trap card is resolved in the area."""
    s.entry.card = chance.draw_trap(s, c)
    s.entry.victims = 0
    for figure in range(N_ALLIES + N_ENEMIES):
        if is_trapped(s, figure):
            s.entry.victims |= 1 << figure
    if s.entry.card >= 0:
        log(s, Event.TRAP_CARD, -1, s.entry.card, s.entry.area)
        push(s, Proc.TRAP_VICTIM)


@kernel
def is_trapped(s, figure):
    """Q45 - whether a figure, ally slot or N_ALLIES + enemy slot, stands in the trapped area."""
    e = figure - N_ALLIES
    if e < 0:
        return placing.ally_stands(s, figure) and s.ally[figure].area == s.entry.area
    return placing.enemy_stands(s, e) and s.enemy[e].area == s.entry.area


@kernel
def next_victim(s):
    """Q45 - the next figure in the order of figures of those that stood there as the trap went
    off, and still do; -1 = all have been dealt with. Who appears meanwhile is spared.
    """
    victim, place = -1, PLACES
    for figure in range(N_ALLIES + N_ENEMIES):
        if (s.entry.victims >> figure) & 1 and is_trapped(s, figure):
            here = place_of(s, figure)
            if here < place:
                victim, place = figure, here
    if victim >= 0:
        s.entry.victims &= ~(1 << victim)
    return victim


@kernel
def place_of(s, figure):
    """Place of a figure in the order of figures; of equal ones the lower slot goes first."""
    e = figure - N_ALLIES
    order = int(s.ally[figure].order) if e < 0 else int(s.enemy[e].order)
    return order * (N_ALLIES + N_ENEMIES) + figure


@kernel
def run_victim(s, c):
    """R19.8 [Q45] - every standing figure in the area is hit, one after another."""
    card = c.trap[s.entry.card]
    victim = next_victim(s)
    if victim < 0:
        return
    s.entry.victim = victim
    push(s, Proc.TRAP_VICTIM)
    if victim >= N_ALLIES:
        e = victim - N_ALLIES
        harm_enemy(s, c, e, card.damage)
        condition.gain_enemy_all(s, e, card.conditions)
    elif card.number > 0:
        push(s, Proc.TRAP_CHECK)
        checks.begin_offered_check(s, c, victim, card.abilities, card.number)
    else:
        hit_ally(s, c, victim)


@kernel
def harm_enemy(s, c, e, n):
    """Q45, Q47 - damage as printed; in the push of an attack the defeat box waits for its end."""
    enemy_pool.harm(s, c, e, n)
    if s.push.figure < 0 or not s.push.rides:
        enemy_pool.resolve_defeat(s, c, e)


@kernel
def run_trap_check(s, c):
    """R19.8 - some Trap cards act only on a failed check."""
    if not s.check.success:
        hit_ally(s, c, s.check.ally)


@kernel
def hit_ally(s, c, a):
    """Q45 - damage as printed, then the condition."""
    push(s, Proc.TRAP_CONDITION)
    stamina.damage(s, c, a, c.trap[s.entry.card].damage)


@kernel
def run_trap_condition(s, c):
    """Q45 - the condition of the Trap card, for the Ally dealt with last."""
    condition.gain_ally_all(s, c, s.entry.victim, c.trap[s.entry.card].conditions)
