"""Section 14: locked stamina and passive actions."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from ..layout import N_LOCKS
from ..terms import Decision, Denial, Event, Kind, Proc, Roll

# Questions about a roll; where it is a reactive check, locks have a part in what comes of it
OF_A_ROLL = (
    Decision.BOOST,
    Decision.INSPIRATION,
    Decision.REROLL,
    Decision.BLESSED,
    Decision.ACHIEVEMENT,
)


@kernel
def find(s, a, passive):
    """The lock slot of a running passive, or -1."""
    for k in range(N_LOCKS):
        if s.ally[a].lock_passive[k] == passive:
            return k
    return -1


@kernel
def running(s, a):
    """Bits of the lock slots of ally a with chips on them."""
    bits = 0
    for k in range(N_LOCKS):
        bits |= (s.ally[a].lock_chips[k] > 0) << k
    return bits


@kernel
def locked_chips(s, a):
    """Chips of ally a that lie on actions and items."""
    chips = 0
    for k in range(N_LOCKS):
        chips += s.ally[a].lock_chips[k]
    return chips


@kernel
def lock_denial(s, c, a, passive):
    """R14.1, R14.2 [Q59] - may ally a lock stamina on `passive`? Only chips on the disk count."""
    ally = s.ally[a]
    if ally.kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if ally.exhausted:
        return Denial.OUT_OF_ACTION
    if ally.disk < c.passive[passive].need:
        return Denial.NOT_ENOUGH_STAMINA
    if find(s, a, passive) < 0 and find(s, a, -1) < 0:
        return Denial.TOO_MUCH
    return Denial.NONE


@kernel
def lock(s, c, a, passive):
    """R14.1, R14.5 - start a passive; a running one is ended first. Needs lock_denial NONE."""
    ally = s.ally[a]
    slot = find(s, a, passive)
    evade, evaded = int(ally.evade), int(ally.evaded)
    if slot >= 0:
        release(s, c, a, slot)
    elif s.active_ally == a:
        evade += c.passive[passive].evade  # R14.3: in force at once
    ally.evade, ally.evaded = evade, evaded
    slot = find(s, a, -1)
    ally.disk -= c.passive[passive].need
    ally.lock_passive[slot] = passive
    ally.lock_chips[slot] = c.passive[passive].need
    if ally.lock_chips[slot] > 0:
        log(s, Event.LOCK, a, passive, -1)


@kernel
def unlock_denial(s, a, slot):
    """R14.4 - may ally a end what lies in this lock slot?"""
    if s.ally[a].exhausted:
        return Denial.OUT_OF_ACTION
    return Denial.NONE if s.ally[a].lock_chips[slot] > 0 else Denial.NOT_RUNNING


@kernel
def aside_denial(s, slot):
    """R14.4 [P3] - may the Ally asked end this lock before it answers?

    A gem for a recover maneuver may be worth more then; other rolls than reactive checks are not
    touched by locks.
    """
    touches = s.roll.use == Roll.REACTIVE or s.tasks[s.depth - 1] == Proc.RECOVER
    if s.decision in OF_A_ROLL and not touches:
        return Denial.NO_USE
    return unlock_denial(s, s.asked, slot)


@kernel
def release(s, c, a, slot):
    """R14.4, R14.8 - a passive ends; its chips go to the spent pool, its Evade points with it."""
    ally = s.ally[a]
    passive = c.passive[ally.lock_passive[slot]]
    if passive.need > 0:
        log(s, Event.UNLOCK, a, ally.lock_passive[slot], -1)
    if s.active_ally == a:
        used = min(int(ally.evaded), int(passive.evade))
        ally.evaded -= used
        ally.evade = max(0, int(ally.evade) - int(passive.evade) + used)
    ally.spent += ally.lock_chips[slot]
    ally.lock_chips[slot] = 0
    ally.lock_passive[slot] = -1


@kernel
def dissolve(s, c, a):
    """R14.8, R14.9 - after a hit, locks with fewer chips than they need end."""
    for slot in range(N_LOCKS):
        passive = s.ally[a].lock_passive[slot]
        if passive >= 0 and s.ally[a].lock_chips[slot] < c.passive[passive].need:
            release(s, c, a, slot)


@kernel
def reactive_bonus(s, c, a, ability):
    """R3.17, R14.10 - successes that running passives and armour add to a reactive check."""
    bonus = 0
    for slot in range(N_LOCKS):
        if s.ally[a].lock_passive[slot] >= 0:
            bonus += c.passive[s.ally[a].lock_passive[slot]].reactive[ability]
    return bonus


@kernel
def h_worth(s, c, a, ability):
    """R3.6, R3.7 - successes that a running passive or armour gives to each H face: the best."""
    worth = 0
    for slot in range(N_LOCKS):
        if s.ally[a].lock_passive[slot] >= 0:
            worth = max(worth, int(c.passive[s.ally[a].lock_passive[slot]].h_worth[ability]))
    return worth


@kernel
def evade(s, c, a):
    """R8.9 - Evade points that running passives give each turn."""
    points = 0
    for slot in range(N_LOCKS):
        if s.ally[a].lock_passive[slot] >= 0:
            points += c.passive[s.ally[a].lock_passive[slot]].evade
    return points


@kernel
def flies(s, c, a):
    """R7.18 - whether ally a flies, by itself or by a running passive."""
    if s.ally[a].fly:
        return True
    for slot in range(N_LOCKS):
        if s.ally[a].lock_passive[slot] >= 0 and c.passive[s.ally[a].lock_passive[slot]].fly:
            return True
    return False


@kernel
def reroll_h(s, c, a):
    """R3.8 - ability bits of the reactive checks whose H faces running passives roll again."""
    bits = 0
    for slot in range(N_LOCKS):
        if s.ally[a].lock_passive[slot] >= 0:
            bits |= int(c.passive[s.ally[a].lock_passive[slot]].reroll_h)
    return bits


@kernel
def move(s, c, a):
    """R6.5 - movement points that running passives add to move maneuvers."""
    points = 0
    for slot in range(N_LOCKS):
        if s.ally[a].lock_passive[slot] >= 0:
            points += c.passive[s.ally[a].lock_passive[slot]].move
    return points


@kernel
def attack_dice(s, c, a, attack_type):
    """R9.3 - Action dice that running passives add to attacks of this type."""
    dice = 0
    for slot in range(N_LOCKS):
        if s.ally[a].lock_passive[slot] >= 0:
            dice += c.passive[s.ally[a].lock_passive[slot]].dice[attack_type]
    return dice
