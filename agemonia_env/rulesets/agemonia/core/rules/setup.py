"""Section 4: setting up a scenario."""

from agemonia_env.core import bitset
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from .. import chance
from ..layout import (
    N_ALLIES,
    N_AREAS,
    N_CARRIED,
    N_ENEMIES,
    N_FIGURES,
    N_GROUND,
    N_INJURIES,
    N_LOCKS,
    N_TOKENS,
    N_TYPES,
)
from ..terms import Decision, Denial, Kind, Phase, Proc
from . import enemy_pool, gear, placing, stamina

FIRST_OWN = 2  # action tokens before it are printed on the board (R5.2)


@kernel
def clear(s):
    """An empty table: no figures, no decks, nothing asked. Streams of chance stay as they are."""
    for a in range(N_ALLIES):
        clear_ally(s.ally[a])
    for e in range(N_ENEMIES):
        clear_enemy(s.enemy[e])
    for k in range(N_FIGURES):
        s.figure[k].owner = -1
        s.figure[k].area = -1
    for area in range(N_AREAS):
        s.used[area] = 0
        s.allies_in[area] = 0
        s.enemies_in[area] = 0
        s.trap[area] = 0
        s.rope[area] = 0
        s.token_colour[area] = -1
        for k in range(N_GROUND):
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
    for slot in range(N_LOCKS):
        s.strike.passive[slot] = -1
    s.attack.ally = -1
    s.spawn.slot = -1
    s.turn.enemy = -1
    s.push.figure = -1
    s.reading.section = -1
    s.event = -1


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
    for k in range(N_CARRIED):
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
        s.token_colour[area] = c.token_colour[area]
        s.token_active[area] = c.token_active[area]
        s.token_range[area] = c.token_range[area]
        for k in range(N_GROUND):
            s.item[area, k] = c.item_at[area, k]
    shuffle_decks(s, c)
    s.phase = Phase.SELECT
    s.depth = 0
    push(s, Proc.ROUND_START)
    push(s, Proc.STORY_NEXT)  # R19.11: what is in sight from the start
    push(s, Proc.SET_UP_SLOT)


@kernel
def place_ally(s, c, a):
    """R4.2 - an Ally in its start area; who does not fit there stands in the nearest with room."""
    sheet = c.sheet[a]
    ally = s.ally[a]
    ally.kind = sheet.kind
    ally.order = a
    ally.wounds = min(int(sheet.wounds), int(sheet.blue))  # R4.7
    ally.disk = sheet.blue - ally.wounds
    ally.health = sheet.health
    ally.colour = sheet.colour
    ally.fly = sheet.fly
    ally.conditions = sheet.conditions
    ally.inspiration = sheet.inspiration
    ally.achievement = sheet.achievement
    ally.rerolls = sheet.rerolls
    ally.slot = sheet.slot
    ally.open_slots = sheet.open_slots
    for card in range(N_INJURIES):
        ally.injury[card] = (sheet.injury >> card) & 1
    for k in range(N_CARRIED):
        ally.item[k] = sheet.item[k]
    ally.active = sheet.active
    gear.count_arms(s, c, a)
    if not sheet.waiting:
        placing.put_ally(s, c, a, nearest_room(s, c, c.start[a], sheet.size))
    if ally.kind == Kind.HERO:
        lost = int(sheet.spent) + int(c.bad_rest)  # R4.7, R4.11
        stamina.lose(s, c, a, lost)  # before stamina is locked: nothing is asked
    gear.resume(s, c, a, True)  # R4.8


@kernel
def slots_left(s, c, a):
    """R4.3, R4.5 - ordinary slots of Hero a that are still to be filled."""
    filled = 0
    for k in range(FIRST_OWN, N_TOKENS):
        row = c.sheet[a].token[k]
        if row >= 0 and not c.token[row].maneuver:
            filled += (int(s.ally[a].slot) >> k) & 1
    return int(c.sheet[a].slots) - filled


@kernel
def slot_denial(s, c, a, token):
    """R4.3 - may this action token of Hero a fill an ordinary slot?"""
    row = c.sheet[a].token[token]
    if token < FIRST_OWN or row < 0 or c.token[row].maneuver:
        return Denial.NO_SUCH_ACTION
    return Denial.ALREADY_CHOSEN if (s.ally[a].slot >> token) & 1 else Denial.NONE


@kernel
def run_slots(s, c):
    """R4.3 - each Hero picks which tokens fill its slots; without a choice they are all in."""
    if answered(s):
        a = int(s.asked)
        s.ally[a].slot |= 1 << take_answer(s)
    for a in range(N_ALLIES):
        if s.ally[a].kind != Kind.HERO:
            continue
        unchosen = 0
        for k in range(N_TOKENS):
            if slot_denial(s, c, a, k) == Denial.NONE:
                unchosen |= 1 << k
        left = slots_left(s, c, a)
        if unchosen == 0 or left <= 0:
            continue
        if bitset.size(unchosen) > left:
            ask(s, Proc.SET_UP_SLOT, Decision.SLOT, a, left)
            return
        s.ally[a].slot |= unchosen


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
    slot = enemy_pool.free_slot(s)
    number = enemy_pool.free_number(s, c, kind)
    if slot >= 0 and number > 0:
        there = nearest_room(s, c, area, c.type[kind].size)
        enemy_pool.place_new(s, c, slot, kind, number, there)


@kernel
def shuffle_decks(s, c):
    """R4.10 - Initiative and Fate decks."""
    for k in range(c.n_cards):
        s.initiative[k] = k
    s.n_initiative = c.n_cards
    chance.shuffle_initiative(s, c)
    for k in range(c.n_fate):
        s.fate[k] = c.fate[k]
    s.n_fate = c.n_fate
    chance.shuffle_fate(s)
