"""Section 8: Provoke and Evade."""

from agemonia_env.core.jit import kernel

from ..layout import N_ENEMIES
from ..sides import credit_enemy
from . import placing, stamina


@kernel
def provokes(s, c, a, e):
    """R8.1 to R8.3, R8.6 - does enemy e provoke ally a when it leaves its area?"""
    if not placing.enemy_stands(s, e) or (s.ally[a].provoked >> e) & 1:
        return False
    kind = c.type[s.enemy[e].type]
    there, here = s.enemy[e].area, s.ally[a].area
    distance = c.range[there, here]
    near = 0 <= distance <= kind.provoke_range and placing.sees(c, there, here)
    return kind.provoke > 0 and near


@kernel
def next_provoker(s, c, a):
    """The first Enemy that provokes ally a now, or -1."""
    for e in range(N_ENEMIES):
        if provokes(s, c, a, e):
            return e
    return -1


@kernel
def evade_limit(s, c, a, e):
    """R8.9 - Evade points that ally a may use against enemy e."""
    return max(0, min(int(s.ally[a].evade), int(c.type[s.enemy[e].type].provoke)))


@kernel
def suffer(s, c, a, e, evaded):
    """R8.4, R8.5 [Q6], R8.9 - damage or stamina loss without a reactive check."""
    kind = c.type[s.enemy[e].type]
    points = kind.provoke - evaded
    credit_enemy(s, e, points)
    if kind.provoke_loss:
        stamina.lose(s, c, a, points)
    else:
        stamina.damage(s, c, a, points)
