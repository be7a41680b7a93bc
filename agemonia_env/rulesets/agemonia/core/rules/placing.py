"""Sections 7.1, 7.2 and R13.1: who stands where, capacity, and being Hindered."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES, N_AREAS, N_ENEMIES
from ..terms import Event, Kind, Way
from . import condition


@kernel
def ally_stands(s, a):
    """Whether ally slot a holds an Ally that is on the map and not exhausted."""
    ally = s.ally[a]
    return (ally.kind != Kind.NOBODY) & (ally.exhausted == 0) & (ally.area >= 0)


@kernel
def enemy_stands(s, e):
    """Whether enemy slot e holds an Enemy that is on the map."""
    return (s.enemy[e].type >= 0) & (s.enemy[e].area >= 0)


@kernel
def sees(c, here, there):
    """R7.24 - whether an area sees another one, or itself (R7.26)."""
    return (int(c.seen[here]) >> int(there)) & 1 != 0


@kernel
def is_full(s, c, area):
    """R7.4 - at maximum capacity."""
    return s.used[area] >= c.capacity[area]


@kernel
def has_room(s, c, area, size):
    """R7.3, Q52 - whether a figure of `size` can stand in the area besides those there."""
    return s.used[area] + size <= c.capacity[area]


@kernel
def put_ally(s, c, a, area):
    """Ally a stands in `area` from now on, with the capacity of its size (R7.3)."""
    ally = s.ally[a]
    size = c.sheet[a].size
    left = ally.area
    if left >= 0 and left != area and s.used[left] + size <= c.capacity[left]:
        ally.retreat = left  # R7.8: it was not above its maximum
    ally.area = area
    s.used[area] += size
    s.allies_in[area] += 1
    condition.reveal(s, c)


@kernel
def lift_ally(s, c, a):
    """Ally a no longer uses capacity where it stands."""
    area = s.ally[a].area
    s.used[area] -= c.sheet[a].size
    s.allies_in[area] -= 1


@kernel
def put_enemy(s, c, e, area):
    """Enemy e stands in `area` from now on, with the capacity of its size (R7.3)."""
    enemy = s.enemy[e]
    left, size = enemy.area, c.type[enemy.type].size
    if left >= 0 and left != area and s.used[left] + size <= c.capacity[left]:
        enemy.retreat = left  # R7.8: it was not above its maximum
    enemy.area = area
    s.used[area] += size
    s.enemies_in[area] += 1
    condition.reveal(s, c)


@kernel
def lift_enemy(s, c, e):
    """Enemy e no longer uses capacity where it stands."""
    enemy = s.enemy[e]
    s.used[enemy.area] -= c.type[enemy.type].size
    s.enemies_in[enemy.area] -= 1


@kernel
def put_back_ally(s, c, a):
    """R7.8 - at the end of its turn ally a leaves an area above maximum for its retreat."""
    ally = s.ally[a]
    if s.used[ally.area] > c.capacity[ally.area] and ally.retreat >= 0:
        log(s, Event.STEP, a, Way.PUT_BACK, ally.retreat)
        lift_ally(s, c, a)
        put_ally(s, c, a, ally.retreat)


@kernel
def put_back_enemy(s, c, e):
    """R7.8 - at the end of its turn enemy e leaves an area above maximum for its retreat."""
    enemy = s.enemy[e]
    if s.used[enemy.area] > c.capacity[enemy.area] and enemy.retreat >= 0:
        log(s, Event.STEP, N_ALLIES + e, Way.PUT_BACK, enemy.retreat)
        lift_enemy(s, c, e)
        put_enemy(s, c, e, enemy.retreat)


@kernel
def is_hindered(s, c, a):
    """R13.1, R13.3 - in the area of a standing Ally stand at least as many Enemies as Allies."""
    area = max(0, int(s.ally[a].area))
    crowded = s.enemies_in[area] >= s.allies_in[area]
    return ally_stands(s, a) & crowded & (c.sheet[a].never_hindered == 0)


@kernel
def recount(s, c):
    """Set the cached figures of every area from the figures themselves."""
    for area in range(N_AREAS):
        s.used[area] = 0
        s.allies_in[area] = 0
        s.enemies_in[area] = 0
    for a in range(N_ALLIES):
        if ally_stands(s, a):
            s.used[s.ally[a].area] += c.sheet[a].size
            s.allies_in[s.ally[a].area] += 1
    for e in range(N_ENEMIES):
        if enemy_stands(s, e):
            s.used[s.enemy[e].area] += c.type[s.enemy[e].type].size
            s.enemies_in[s.enemy[e].area] += 1
