"""How well the Heroes stand, for shaped rewards (core/shaping.py).

It knows what everybody at the table sees: figures, health, items, traps, sections, rounds.
"""

from agemonia_env.core import shaping
from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES, N_ENEMIES
from ..rules import ending, enemy_pool, lock, placing
from ..terms import Ending, Kind, Objective
from .objective_routes import advancing, disarms, lying, steps_between, trapped

FAR = 8  # steps from which the way to the objective counts nothing
GATHERED = 0.75  # share of an objective for carrying all its items, if they must be delivered
ESCORTED = 0.9  # share of an objective for the way of the escorted Ally, beside the Heroes'


@kernel
def potential(s, c):
    """How well the Heroes stand, in [-1, 1], 0 at a finished state."""
    if s.ending != Ending.NONE:
        return 0.0
    beaten = health_beaten(s, c)
    progress = beaten if c.objective == Objective.DEFEAT_ALL else objective_progress(s, c)
    return shaping.weighted(health_left(s, c), progress, beaten)


@kernel
def objective_progress(s, c):
    """Share of the objective achieved; the way to its next part counts a little."""
    match c.objective:
        case Objective.DEFEAT_TYPE:
            kind = c.objective_subject
            return shaping.share(s.defeated[kind] + wounds_of(s, kind), 0.0, c.objective_number)
        case Objective.HOLD:
            return shaping.rounds_held(s, c.objective_number)
        case Objective.REACH:
            return heroes_gathered(s, c)
        case Objective.COLLECT:
            return items_collected(s, c)
        case Objective.ESCORT:
            return ally_escorted(s, c)
        case Objective.DISARM:
            near = nearness(s, c, deftest(s, c), trapped(s, c))
            return shaping.share(s.disarmed, near, c.objective_number)
        case Objective.ADVANCE:
            near = nearness(s, c, heroes(s), advancing(s, c))
            return shaping.share(s.progress, near, c.objective_number)
        case _:
            return 0.0


# ---- health -------------------------------------------------------------------------------------
@kernel
def health_left(s, c):
    """Share of the Heroes' chips still blue; an escorted Ally counts with its health."""
    left, full = 0, 0
    for a in range(c.n_allies):
        ally = s.ally[a]
        if ally.kind == Kind.HERO:
            full += 2 * c.sheet[a].blue
            if not ally.exhausted:
                left += ally.disk + ally.spent + (0 if ally.wounded else c.sheet[a].blue)
        elif ending.is_escorted(c, a):
            full += 2 * c.sheet[a].health
            left += 0 if ally.exhausted else 2 * ally.health
    return left / max(1, full)


@kernel
def health_beaten(s, c):
    """Share of the health of the Enemies at set-up that is beaten, at least -1."""
    health, full = 0, 0
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            health += s.enemy[e].health
    for k in range(c.n_setup):
        full += enemy_pool.starting_health(c, c.setup_type[k])
    return max(-1.0, 1.0 - health / max(1, full))


@kernel
def wounds_of(s, kind):
    """Health lost by the standing Enemies of a type, in figures."""
    lost = 0.0
    for e in range(N_ENEMIES):
        if s.enemy[e].type == kind and placing.enemy_stands(s, e):
            lost += max(0.0, 1.0 - s.enemy[e].health / max(1, s.enemy[e].full))
    return lost


# ---- ways ---------------------------------------------------------------------------------------
@kernel
def heroes(s):
    """The Heroes standing, as bits."""
    bits = 0
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO and placing.ally_stands(s, a):
            bits |= 1 << a
    return bits


@kernel
def deftest(s, c):
    """The Heroes that go for traps, as bits."""
    bits = 0
    for a in range(N_ALLIES):
        if placing.ally_stands(s, a) and disarms(s, c, a):
            bits |= 1 << a
    return bits


@kernel
def nearness(s, c, allies, goals):
    """How near the nearest of these allies is to the nearest of these areas, both as bits."""
    walkers, flyers = 0, 0
    for a in range(N_ALLIES):
        if (allies >> a) & 1:
            if lock.flies(s, c, a):
                flyers |= 1 << int(s.ally[a].area)
            else:
                walkers |= 1 << int(s.ally[a].area)
    steps = min(
        steps_between(s, c, walkers, goals, False), steps_between(s, c, flyers, goals, True)
    )
    return shaping.nearness(steps, FAR)


@kernel
def heroes_gathered(s, c):
    """Objective.REACH - how near the standing Heroes are to the goal, on average."""
    n, near = 0, 0.0
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO and placing.ally_stands(s, a):
            n += 1
            near += nearness(s, c, 1 << a, int(c.goal))
    return near / max(1, n)


@kernel
def items_collected(s, c):
    """Objective.COLLECT - first the items are gathered, then brought to the goal, if there is one.

    Only who carries everything still missing is on the way to the goal: before that, walking
    there and walking to the next item would cancel each other out.
    """
    n, near = 0, 0.0
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO and placing.ally_stands(s, a):
            n += ending.carried(s, a, c.objective_subject)
    gathered = GATHERED if c.goal != 0 else 1.0
    if n < c.objective_number:
        near = nearness(s, c, heroes(s), lying(s, c, c.objective_subject))
        return gathered * shaping.share(n, near, c.objective_number)
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO and placing.ally_stands(s, a):
            items = ending.carried(s, a, c.objective_subject)
            near += items * nearness(s, c, 1 << a, int(c.goal)) if items > 0 else 0.0
    return gathered + (1.0 - gathered) * near / n


@kernel
def ally_escorted(s, c):
    """Objective.ESCORT - how near the Ally is to the goal, and the Heroes to the Ally."""
    subject = int(c.objective_subject)
    if not placing.ally_stands(s, subject):
        return 0.0
    n, near = 0, 0.0
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO and placing.ally_stands(s, a):
            steps = c.range[s.ally[a].area, s.ally[subject].area]
            near += shaping.nearness(steps, FAR) if steps >= 0 else 0.0
            n += 1
    way = nearness(s, c, 1 << subject, int(c.goal))
    return ESCORTED * way + (1.0 - ESCORTED) * near / max(1, n)
