"""R10.1, R10.35 to R10.47: health, harm, defeat and spawning of Enemies."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.counting import added
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from ..layout import N_ALLIES, N_AREAS, N_ENEMIES, N_GROUND
from ..terms import Decision, Denial, Event, Proc, When
from . import placing


@kernel
def starting_health(c, kind):
    """R10.1, R10.2 - base + per-Hero amount x Heroes in the party."""
    return c.type[kind].base + c.type[kind].per_hero * c.n_heroes


@kernel
def harm(s, c, e, n):
    """R2.3, R2.12, R10.40 - enemy e takes n; at 0 it leaves the map. -> points taken.

    Its defeat box waits for `resolve_defeat` (Q47).
    """
    enemy = s.enemy[e]
    if not placing.enemy_stands(s, e) or n <= 0:
        return 0
    taken = min(n, int(enemy.health))
    enemy.health -= taken
    s.damage_dealt = added(s.damage_dealt, taken)
    kind = N_ALLIES + enemy.type
    s.taken[kind] = added(s.taken[kind], taken)
    log(s, Event.DAMAGE, N_ALLIES + e, taken, -1)
    if enemy.health == 0:
        fall(s, c, e)
    return taken


@kernel
def fall(s, c, e):
    """R10.40, R10.43 - enemy e is defeated: off the map, conditions gone."""
    enemy = s.enemy[e]
    waiting = 0
    for other in range(N_ENEMIES):
        waiting = max(waiting, int(s.enemy[other].fallen))
    placing.lift_enemy(s, c, e)
    enemy.retreat = enemy.area  # where its defeat box leaves a token
    enemy.area = -1
    enemy.health = 0
    enemy.conditions = 0
    enemy.fallen = waiting + 1


@kernel
def first_fallen(s):
    """The Enemy that fell first of those whose defeat boxes are still to be resolved; or -1."""
    first = -1
    for e in range(N_ENEMIES):
        fallen = s.enemy[e].fallen
        if fallen and (first < 0 or fallen < s.enemy[first].fallen):
            first = e
    return first


@kernel
def resolve_defeat(s, c, e):
    """R10.40, R10.41 [Q17] - the defeat box of an Enemy that has fallen; otherwise nothing."""
    enemy = s.enemy[e]
    if not enemy.fallen:
        return
    enemy.fallen = 0
    log(s, Event.DEFEAT, N_ALLIES + e, -1, enemy.retreat)
    s.defeated[enemy.type] += 1
    leave_item(s, enemy.retreat, c.type[enemy.type].leave)
    if c.type[enemy.type].defeat_n > 0:
        if s.box_due == 0:
            push(s, Proc.DEFEAT_BOX)
        s.box_due |= 1 << int(e)
    for k in range(c.n_events):
        event = c.event[k]
        if event.when == When.DEFEAT and event.subject == enemy.type:
            if event.number == s.defeated[enemy.type]:
                s.event_due |= 1 << k


@kernel
def put_story_tokens(s, c, e, amount):
    """R10.37 - Enemy e puts tokens on the Story card; what the scenario makes of them is due."""
    log(s, Event.STORY_TOKEN, N_ALLIES + e, amount, -1)
    before = int(s.story_tokens)
    s.story_tokens += amount
    for k in range(c.n_events):
        if c.event[k].when == When.TOKENS and before < c.event[k].number <= s.story_tokens:
            s.event_due |= 1 << k


@kernel
def leave_item(s, area, item):
    """R10.41 - an item or token lies in an area; with no place left there it is lost."""
    if item < 0:
        return
    for k in range(N_GROUND):
        if s.item[area, k] < 0:
            s.item[area, k] = item
            return


@kernel
def damage(s, c, e, n):
    """R2.13, R10.36 - damage that is not from an Ally's attack: as printed, no shield."""
    taken = harm(s, c, e, n)
    resolve_defeat(s, c, e)
    return taken


@kernel
def defeat(s, c, e):
    """R10.42 - an effect defeats the Enemy directly."""
    if placing.enemy_stands(s, e):
        fall(s, c, e)
        resolve_defeat(s, c, e)


@kernel
def heal(s, e, n):
    """R2.8 - enemy e is healed by n, at most to its starting health. -> points healed."""
    enemy = s.enemy[e]
    if not placing.enemy_stands(s, e):
        return 0
    points = max(0, min(n, enemy.full - enemy.health))
    enemy.health += points
    if points > 0:
        log(s, Event.HEAL, N_ALLIES + e, points, -1)
    return points


@kernel
def free_number(s, c, kind):
    """R10.46 [Q18] - the lowest free figure number of a type; 0 if the supply is used up."""
    for number in range(1, c.type[kind].supply + 1):
        taken = False
        for e in range(N_ENEMIES):
            if placing.enemy_stands(s, e) and s.enemy[e].number == number:
                taken = taken or c.type[s.enemy[e].type].figures == c.type[kind].figures
        if not taken:
            return number
    return 0


@kernel
def free_slot(s):
    """An enemy slot that no Enemy on the map uses, a fresh one if possible; or -1.

    Who has fallen keeps its slot until its defeat box is done.
    """
    for e in range(N_ENEMIES):
        if s.enemy[e].type < 0:
            return e
    for e in range(N_ENEMIES):
        boxed = s.enemy[e].fallen or (s.box_due >> e) & 1
        if not placing.enemy_stands(s, e) and not boxed:
            return e
    return -1


@kernel
def spawn_options(s, c, kind, area):
    """R10.46 - bits of the areas nearest to `area` with room for a figure of the type."""
    options = 0
    nearest = N_AREAS
    for x in range(c.n_areas):
        distance = c.range[area, x]
        if distance >= 0 and placing.has_room(s, c, x, c.type[kind].size):
            if distance < nearest:
                nearest = distance
                options = 0
            if distance == nearest:
                options |= 1 << x
    return options


@kernel
def begin_spawn(s, kind, area, n):
    """R10.44 to R10.47 - n figures of a type are placed in or near an area."""
    s.spawn.type = kind
    s.spawn.area = area
    s.spawn.left = n
    s.spawn.slot = -1
    push(s, Proc.SPAWN)


@kernel
def run_spawn(s, c):
    """R10.46 - place the next figure; the players choose among equally near areas."""
    spawn = s.spawn
    area = -1
    if answered(s):
        area = take_answer(s)
    while spawn.left > 0:
        number = free_number(s, c, spawn.type)
        slot = free_slot(s)
        if number == 0 or slot < 0:
            break
        if area < 0:
            options = spawn_options(s, c, spawn.type, spawn.area)
            area = pick(s, Proc.SPAWN, Decision.SPAWN_AREA, -1, spawn.type, options)
            if area < 0:
                return
        place_new(s, c, slot, spawn.type, number, area)
        log(s, Event.SPAWN, N_ALLIES + slot, spawn.type, area)
        s.enemy[slot].spawned = 1
        spawn.slot = slot
        spawn.left -= 1
        area = -1


@kernel
def place_new(s, c, slot, kind, number, area):
    """A new figure of a type with full health in `area`."""
    enemy = s.enemy[slot]
    enemy.type = kind
    enemy.number = number
    enemy.order = N_ALLIES + slot
    for a in range(N_ALLIES):
        s.ally[a].provoked &= ~(1 << slot)  # R8.3: this one has not provoked anybody
    enemy.full = starting_health(c, kind)
    enemy.health = enemy.full
    enemy.conditions = 0
    enemy.acted = 0
    enemy.spawned = 0
    enemy.last = 0
    enemy.fly = c.type[kind].fly
    enemy.mirror = c.type[kind].mirror
    enemy.revenge = c.type[kind].revenge
    enemy.retreat = -1
    placing.put_enemy(s, c, slot, area)


@kernel
def pick(s, proc, decision, ally, subject, options):
    """The only option among the bits, or -1: there is none, or several, and `ally` is asked."""
    first = lowest(options)
    if options == 0 or options == 1 << first:
        return first
    ask(s, proc, decision, ally, subject)
    s.options = options
    return -1


@kernel
def option_denial(s, k):
    """Whether index k is among the options that the question now asked lists."""
    return Denial.NONE if (s.options >> k) & 1 else Denial.NOT_TIED_BEST
