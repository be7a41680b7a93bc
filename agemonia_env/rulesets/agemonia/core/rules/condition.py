"""Section 12: the ten conditions."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES, N_ENEMIES
from ..terms import Condition, Event, Kind

MAXIMUM = 2  # R12.0c
N_NUMBERS = 11  # conditions are numbered 1 to 10
ENEMY_CAN_HAVE = (  # R12.0a
    (1 << Condition.BLEEDING)
    | (1 << Condition.SLOWED)
    | (1 << Condition.WEAKENED)
    | (1 << Condition.HELD)
    | (1 << Condition.CONFUSED)
    | (1 << Condition.STUNNED)
    | (1 << Condition.DOMINATED)
)
MISSED_ACTION, MISSED_MANEUVER = 1, 2  # bits of ALLY.missed


@kernel
def holds(figure, condition):
    """Whether an Ally or Enemy record has the condition."""
    return (figure.conditions >> condition) & 1 == 1


@kernel
def add(held, condition):
    """R12.0b, R12.0c [Q20] - conditions held after gaining one more: of three the lowest goes."""
    bits = held | (1 << condition)
    count = 0
    lowest = 0
    for number in range(N_NUMBERS - 1, 0, -1):
        if (bits >> number) & 1:
            count += 1
            lowest = number
    if count > MAXIMUM:
        bits &= ~(1 << lowest)
    return bits


@kernel
def log_change(s, figure, before, after):
    """Note the conditions that a figure has gained and lost."""
    if s.logging and before != after:
        for number in range(1, N_NUMBERS):
            if ((before ^ after) >> number) & 1:
                event = Event.GAIN if (after >> number) & 1 else Event.DISCARD
                log(s, event, figure, number, -1)


@kernel
def gain_ally(s, c, a, condition):
    """R12.0 - ally a gains a condition; one gained in its own turn acts at once (R12.0d)."""
    ally = s.ally[a]
    if ally.kind == Kind.NOBODY or ally.exhausted or holds(ally, condition):
        return
    held = int(ally.conditions)
    ally.conditions = add(ally.conditions, condition)
    log_change(s, a, held, int(ally.conditions))
    ally.lapsing &= ally.conditions
    if not holds(ally, Condition.STUNNED):
        ally.missed = 0
    reveal(s, c)
    if s.active_ally == a:
        miss(s, a)


@kernel
def gain_enemy(s, e, condition):
    """R12.0a to R12.0c - enemy e gains a condition that it can have."""
    enemy = s.enemy[e]
    if enemy.type >= 0 and enemy.area >= 0 and (ENEMY_CAN_HAVE >> condition) & 1:
        held = int(enemy.conditions)
        enemy.conditions = add(enemy.conditions, condition)
        log_change(s, N_ALLIES + e, held, int(enemy.conditions))


@kernel
def gain_ally_all(s, c, a, conditions):
    """Ally a gains every condition of a bit set, by ascending number."""
    if conditions != 0:
        for number in range(1, N_NUMBERS):
            if (conditions >> number) & 1:
                gain_ally(s, c, a, number)


@kernel
def gain_enemy_all(s, e, conditions):
    """Enemy e gains every condition of a bit set, by ascending number."""
    if conditions != 0:
        for number in range(1, N_NUMBERS):
            if (conditions >> number) & 1:
                gain_enemy(s, e, number)


@kernel
def discard_ally(s, a, condition):
    """Ally a loses one condition."""
    ally = s.ally[a]
    if holds(ally, condition):
        log(s, Event.DISCARD, a, condition, -1)
    ally.conditions &= ~(1 << condition)
    ally.lapsing &= ally.conditions
    if condition == Condition.STUNNED:
        ally.missed = 0


@kernel
def discard_enemy(s, e, condition):
    """Enemy e loses one condition."""
    if holds(s.enemy[e], condition):
        log(s, Event.DISCARD, N_ALLIES + e, condition, -1)
    s.enemy[e].conditions &= ~(1 << condition)


@kernel
def reveal(s, c):
    """R12.1, R12.17 - Invisible ends for every Ally with an Enemy within range 1."""
    for a in range(N_ALLIES):
        if holds(s.ally[a], Condition.INVISIBLE) and is_enemy_near(s, c, s.ally[a].area):
            discard_ally(s, a, Condition.INVISIBLE)


@kernel
def is_enemy_near(s, c, area):
    """Whether an Enemy stands within range 1 of an area."""
    for e in range(N_ENEMIES):
        there = s.enemy[e].area
        if s.enemy[e].type >= 0 and there >= 0 and 0 <= c.range[area, there] <= 1:
            return True
    return False


@kernel
def miss(s, a):
    """R12.8 to R12.10, R12.12 [Q57] - conditions take the action and maneuver left to ally a."""
    ally = s.ally[a]
    stunned = holds(ally, Condition.STUNNED)
    waiting = ((1 << Condition.CONFUSED) | (1 << Condition.DOMINATED)) & ally.conditions
    waiting &= ~ally.lapsing
    if s.actions > 0 and (waiting != 0 or (stunned and ally.missed & MISSED_ACTION == 0)):
        s.actions -= 1
        ally.lapsing |= waiting
        if stunned:
            ally.missed |= MISSED_ACTION
    if stunned and s.maneuvers > 0 and ally.missed & MISSED_MANEUVER == 0:
        s.maneuvers -= 1
        ally.missed |= MISSED_MANEUVER


@kernel
def lapse(s, a):
    """R12.8 to R12.10 [Q57] - at the end of the turn what has been missed for goes."""
    ally = s.ally[a]
    if ally.missed == MISSED_ACTION | MISSED_MANEUVER:
        ally.lapsing |= 1 << Condition.STUNNED
        ally.missed = 0
    held = int(ally.conditions)
    ally.conditions &= ~ally.lapsing
    log_change(s, a, held, int(ally.conditions))
    ally.lapsing = 0
