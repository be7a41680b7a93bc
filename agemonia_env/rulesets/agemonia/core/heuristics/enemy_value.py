"""Values of answers for the Enemies, in points of damage to Allies."""

from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES, N_AREAS, N_ENEMIES
from ..rules import aim, enemy_attack, initiative, placing
from ..terms import Decision, Denial

FELLED = 2.0  # value of the last chip of an Ally, beside the damage
EFFECT = 1.0  # value of an attack that only gives conditions
NEAR = 0.1  # value of being an area nearer to an Ally
CROWD = 0.05  # cost of every Ally in the area, who all strike back at close range


@kernel
def score_action(s, c, k):
    """Value of index k of the options of the question now asked."""
    match s.decision:
        case Decision.ENEMY_DESTINATION:
            return place_score(s, c, s.turn.enemy, k)
        case Decision.ENEMY_STOP | Decision.SPAWN_AREA | Decision.TRAP_AREA:
            return -NEAR * nearest_ally(s, c, k)
        case Decision.ENEMY_TARGET:
            return target_score(s, c, s.strike.enemy, k)
        case Decision.STRIKE_ORDER:
            return hit_score(s, c, k)
        case _:
            return type_score(s, c, k)


@kernel
def hit_score(s, c, a):
    """Value of the attack loaded on ally a: what it may take, much more near its end."""
    if s.strike.value < 0:
        return EFFECT
    left = max(1.0, 1.0 * enemy_attack.blue_chips(s, c, a) + 1.0)
    taken = min(1.0 * s.strike.value, left)
    return taken + FELLED * (taken / left) ** 2


@kernel
def target_score(s, c, e, a):
    """Value of choosing ally a as the target of enemy e: with an area, all who stand in it."""
    if s.strike.area < 0:
        return hit_score(s, c, a)
    own = enemy_attack.has_own_centre(s)
    return burst_score(s, c, s.enemy[e].area if own else s.ally[a].area)


@kernel
def burst_score(s, c, centre):
    """Value of the area attack loaded around `centre`."""
    score = 0.0
    for a in range(N_ALLIES):
        if placing.ally_stands(s, a) and aim.in_area(c, centre, s.strike.area, s.ally[a].area):
            score += hit_score(s, c, a)
    return score


@kernel
def attack_score(s, c, e, here):
    """Value of the attack loaded if enemy e made it from `here`; 0 if it cannot."""
    best, total, n = 0.0, 0.0, 0
    for a in range(N_ALLIES):
        if enemy_attack.reach_denial(s, c, e, here, a) == Denial.NONE:
            if s.strike.area >= 0:
                centre = here if enemy_attack.has_own_centre(s) else int(s.ally[a].area)
                best = max(best, burst_score(s, c, centre))
            else:
                best = max(best, hit_score(s, c, a))
                total += hit_score(s, c, a)
                n += 1
    if s.strike.limit > 1 and n > 0:
        return max(best, total * min(n, int(s.strike.limit)) / n)
    return best


@kernel
def place_score(s, c, e, here):
    """ENEMY_DESTINATION: the attack from there; without one, to be near Allies."""
    score = attack_score(s, c, e, here) if s.strike.row >= 0 else 0.0
    return score - NEAR * nearest_ally(s, c, here) - CROWD * s.allies_in[here]


@kernel
def nearest_ally(s, c, area):
    """Range from an area to the nearest Ally that can be targeted; N_AREAS without any."""
    nearest = N_AREAS
    for a in range(N_ALLIES):
        if not aim.is_hidden(s, a):
            distance = int(c.range[area, s.ally[a].area])
            if 0 <= distance < nearest:
                nearest = distance
    return nearest


@kernel
def type_score(s, c, kind):
    """NEXT_TYPE: the type first whose figures are nearest to Allies: who comes later follows."""
    nearest = N_AREAS
    ready = initiative.enemies_now(s, c)
    for e in range(N_ENEMIES):
        if s.enemy[e].type == kind and (ready >> e) & 1:
            nearest = min(nearest, nearest_ally(s, c, s.enemy[e].area))
    return -NEAR * nearest
