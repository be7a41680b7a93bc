"""Section 4: setting up a scenario."""

from ...kernel.jit import kernel
from .. import chance
from ..layout import N_ALLIES, N_AREAS, N_ENEMIES, N_ITEMS, N_LOCKS, N_TYPES
from ..terms import Kind, Phase, Proc, Stream
from . import enemies, placing, stamina


@kernel
def clear(s):
    """An empty table: no figures, no decks, nothing asked. Streams of chance stay as they are."""
    for a in range(N_ALLIES):
        clear_ally(s.ally[a])
    for e in range(N_ENEMIES):
        clear_enemy(s.enemy[e])
    for area in range(N_AREAS):
        s.used[area] = 0
        s.allies_in[area] = 0
        s.enemies_in[area] = 0
        s.trap[area] = 0
        s.rope[area] = 0
        for k in range(N_ITEMS):
            s.item[area, k] = -1
    for k in range(N_TYPES):
        s.defeated[k] = 0
    s.active_ally = -1
    s.active_enemy = -1
    s.last_ally = -1
    s.chosen_type = -1
    s.card = -1
    s.asked = -1
    s.subject = -1
    s.answer = -1
    s.fate_card = -1
    s.strike.enemy = -1
    s.attack.ally = -1
    s.spawn.slot = -1
    s.turn.enemy = -1


@kernel
def clear_ally(ally):
    """An ally slot that holds nobody."""
    ally.kind = Kind.NOBODY
    ally.area = -1
    ally.retreat = -1
    ally.token = -1
    ally.riposte_range = -1
    ally.riposte_type = -1
    for k in range(N_LOCKS):
        ally.lock_passive[k] = -1
    for k in range(N_ITEMS):
        ally.item[k] = -1


@kernel
def clear_enemy(enemy):
    """An enemy slot that holds nobody."""
    enemy.type = -1
    enemy.area = -1
    enemy.retreat = -1


@kernel
def set_up(s, c):
    """R4.1 to R4.11 - a fresh table [P11]; needs a zeroed state with seeded streams."""
    clear(s)
    for a in range(c.n_allies):
        place_ally(s, c, a)
    for k in range(c.n_setup):
        place_enemy(s, c, c.setup_type[k], c.setup_area[k])
    for area in range(c.n_areas):
        s.trap[area] = c.trap_at[area]
        s.rope[area] = c.rope[area]
    shuffle_decks(s, c)
    for a in range(c.n_allies):
        if s.ally[a].kind == Kind.HERO and c.bad_rest > 0:
            stamina.lose(s, c, a, c.bad_rest)  # R4.11
    s.phase = Phase.SELECT
    s.depth = 0
    s.agenda[0] = Proc.ROUND_START
    s.depth = 1


@kernel
def place_ally(s, c, a):
    """R4.2 - an Ally in its start area; who does not fit there stands in the nearest with room."""
    sheet = c.sheet[a]
    ally = s.ally[a]
    ally.kind = sheet.kind
    ally.order = a
    ally.disk = sheet.blue
    ally.health = sheet.health
    ally.colour = sheet.colour
    ally.fly = sheet.fly
    for k in range(3):
        ally.armed[k] = sheet.armed[k]
    placing.put_ally(s, c, a, nearest_room(s, c, c.start[a], sheet.size))


@kernel
def nearest_room(s, c, area, size):
    """R4.2, R10.46 - the nearest area with room, the lowest of equals; else `area` itself."""
    best = area
    nearest = N_AREAS
    for x in range(c.n_areas):
        distance = c.range[area, x]
        if 0 <= distance < nearest and placing.has_room(s, c, x, size):
            nearest = distance
            best = x
    return best


@kernel
def place_enemy(s, c, kind, area):
    """R4.1, R10.1 - an Enemy of the scenario."""
    slot = enemies.free_slot(s)
    number = enemies.free_number(s, c, kind)
    if slot >= 0 and number > 0:
        there = nearest_room(s, c, area, c.type[kind].size)
        enemies.place_new(s, c, slot, kind, number, there)


@kernel
def shuffle_decks(s, c):
    """R4.10 - Initiative and Fate decks."""
    for k in range(c.n_cards):
        s.initiative[k] = k
    s.n_initiative = c.n_cards
    chance.shuffle(s, Stream.INITIATIVE, s.initiative, s.n_initiative)
    for k in range(c.n_fate):
        s.fate[k] = c.fate[k]
    s.n_fate = c.n_fate
    chance.shuffle(s, Stream.FATE, s.fate, s.n_fate)
