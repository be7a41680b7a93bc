"""Values of an Ally's attacks, from all areas that it might attack from at once.

A question compares dozens of attacks: of every action and type, from every area in reach. `WORK`
holds what their scores share: how the Ally is armed, and for each Enemy the areas from which an
attack reaches it, as bits. The rules say the same of one area at a time (rules/aim.py).
"""

import numpy as np

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import COMPILED, kernel, with_fields

from ..layout import FACE_EXTRA, FACE_SYMBOL, N_AREAS, N_ENEMIES, N_FACES
from ..rules import aim, ally_attack, gear, lock, placing
from ..terms import AttackType, Condition, Kind, Objective, Shape

KILL = 2.0  # value of defeating an Enemy, beside the damage
NOT_KNOWN = -1
N_ODDS = 32  # more successes than any roll needs
WANTED = 2.0  # factor on it for a type that the objective names

ARMS = np.dtype(
    [
        ("known", np.uint8),  # the rest is up to date
        ("armed", np.uint8),  # aim.weapon_denial is NONE
        ("natural", np.uint8),  # attacks without an item are possible
        ("weapons", np.int32),  # bits of the places with other weapons that serve
        ("dice", np.int64),  # Action dice more than the attack has
        ("bonus", np.int64),  # of the best weapon
    ],
    align=True,
)
RECORD = np.dtype(
    [
        ("die_mean", np.float64),  # expected successes of one Action die
        ("standing", np.int32),  # bits of the Enemies on the map
        ("occupied", np.int32),  # bits of the areas with figures; NOT_KNOWN until aim is looked at
        ("room", np.int32),  # bits of the areas with room
        ("arms", ARMS, (3,)),  # of the Ally asked, by AttackType
        # of the attack looked at
        ("reached_from", np.int32, (N_ENEMIES,)),  # bits of the areas from which it reaches each
        ("obstructed_from", np.int32, (N_ENEMIES,)),  # those from which aim is obstructed
        ("clear", np.float64, (N_ENEMIES,)),  # value on each Enemy
        ("obstructed", np.float64, (N_ENEMIES,)),  # with obstructed aim
        ("by_centre", np.float64, (N_AREAS,)),  # value around each area, or on one Enemy in it
        ("attack", np.float64, (N_AREAS,)),  # value of the best type, from each area
        # of the action looked at
        ("gain", np.float64, (N_AREAS,)),  # value of the action, from each area
        # of a move
        ("place", np.float64, (N_AREAS,)),  # value of ending it in each area
        ("provoking", np.int32),  # bits of the Enemies that the next step provokes
        ("distance", np.int64, (N_AREAS,)),  # steps to the objective
        ("reach", np.int32),  # SELECT_ACTION: bits of the areas in reach
        ("now", np.float64),  # TURN: gain of the action from here
        ("later", np.float64),  # TURN: from the best area in reach
        # of features of actions
        ("strike", np.int64, (N_ENEMIES,)),  # largest value of the attacks of each Enemy
        ("strike_reach", np.int64, (N_ENEMIES,)),  # areas that it may move and attack over
        ("due", np.int64, (N_ENEMIES,)),  # value of the attack that is still to come this round
        ("due_reach", np.int64, (N_ENEMIES,)),  # the same for it; -1 = none is to come
        ("odds", np.float64, (2, N_ODDS)),  # of successes: on one die, in all
    ],
    align=True,
)
WORK = RECORD if COMPILED else with_fields(RECORD)


@kernel
def clear(c, work):
    """Begin a question: what a die brings is known, and not yet how the Ally asked is armed."""
    work.die_mean = die_mean(c)
    work.occupied = NOT_KNOWN
    for attack_type in range(3):
        work.arms[attack_type].known = 0


@kernel
def survey(s, c, work):
    """Write where figures stand."""
    standing, room = 0, 0
    for e in range(N_ENEMIES):
        standing |= int(placing.enemy_stands(s, e)) << e
    for area in range(c.n_areas):
        room |= int(not placing.is_full(s, c, area)) << area
    work.standing, work.room = standing, room


@kernel
def die_mean(c):
    """Expected successes of one Action die with half of the S-symbols' stamina paid (A.6)."""
    plain, extra = 0.0, 0
    for k in range(N_FACES):
        face = c.action_die[k]
        if face == FACE_EXTRA:
            plain += 1.0
            extra += 1
        elif face == FACE_SYMBOL:
            plain += 1.0
        else:
            plain += face
    return plain / max(1, N_FACES - extra)


@kernel
def know_arms(s, c, a, attack_type, work):
    """Write how ally a, the one asked, is armed for attacks of a type."""
    arms = work.arms[attack_type]
    if arms.known:
        return
    arms.known = 1
    natural = attack_type == AttackType.MAGIC or gear.has_natural(s, c, a, attack_type)
    weapons = gear.weapons(s, c, a, attack_type)
    arms.armed = natural or weapons != 0 or s.ally[a].kind != Kind.HERO
    arms.natural = natural or s.ally[a].active == 0
    arms.weapons = 0 if attack_type == AttackType.MAGIC or s.ally[a].active == 0 else weapons
    dice = int(s.ally[a].attack_dice[attack_type]) + lock.attack_dice(s, c, a, attack_type)
    arms.dice = dice - ((int(s.ally[a].conditions) >> Condition.WEAKENED) & 1)
    best = gear.best_weapon(s, c, a, attack_type)
    arms.bonus = gear.bonus(s, c, a, attack_type, best)


# ---- what an attack brings --------------------------------------------------------------------
@kernel
def expected(s, c, a, row, attack_type, work):
    """Expected damage of an attack of ally a, before aim and shield."""
    card = c.attack[row]
    if card.effect_only:
        return 1.0
    if s.ally[a].kind != Kind.HERO:
        return 1.0 * ally_attack.fixed_damage(s, c, a, card.value, attack_type)
    know_arms(s, c, a, attack_type, work)
    arms = work.arms[attack_type]
    successes = work.die_mean * max(0, card.dice + arms.dice) * (2.0 if card.double else 1.0)
    return successes + card.bonus + arms.bonus


@kernel
def gain_on(s, c, e, damage, pierce):
    """Value of this expected damage to enemy e."""
    enemy = s.enemy[e]
    dealt = damage - max(0, c.type[enemy.type].shield - pierce)
    if dealt <= 0:
        return 0.05
    wanted = c.objective == Objective.DEFEAT_TYPE and c.objective_subject == enemy.type
    kill = KILL * (WANTED if wanted else 1.0)
    if dealt >= enemy.health:
        return enemy.health + kill
    return dealt + kill * (dealt / enemy.health) ** 2


@kernel
def area_gain(s, c, a, row, attack_type, centre, work):
    """Value of an area attack around `centre`."""
    damage = expected(s, c, a, row, attack_type, work)
    gain = 0.0
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            if aim.in_area(c, centre, c.attack[row].radius, s.enemy[e].area):
                gain += gain_on(s, c, e, damage, c.attack[row].pierce)
    return gain


# ---- where it reaches from ----------------------------------------------------------------------
@kernel
def reaching(s, c, a, row, attack_type, there, work):
    """Bits of the areas from which an attack of ally a reaches an area (aim.armed_denial)."""
    arms = work.arms[attack_type]
    areas = 0
    if arms.natural:
        areas = in_band(s, c, a, row, attack_type, gear.NATURAL, there)
    weapons = int(arms.weapons)
    while weapons != 0:
        areas |= in_band(s, c, a, row, attack_type, lowest(weapons), there)
        weapons &= weapons - 1
    return areas


@kernel
def in_band(s, c, a, row, attack_type, weapon, there):
    """Bits of the areas from which an area is within the weapon's band (aim.band_denial)."""
    nearest, furthest = aim.band(s, c, a, row, attack_type, weapon)
    nearer, further = min(nearest, N_AREAS), min(furthest, N_AREAS - 1) + 1
    if attack_type != AttackType.MELEE:
        return within_and_seen(c, further, there) & ~within_and_seen(c, nearer, there)
    if furthest >= 0:
        return int(c.melee_within[further, there]) & ~int(c.melee_within[nearer, there])
    own = 1 << int(there)
    if placing.has_room(s, c, there, 1):
        return own
    return own | (int(c.melee_within[2, there]) & ~int(c.melee_within[1, there]))


# ---- values by area -----------------------------------------------------------------------------
@kernel
def write_attack_gains(s, c, a, row, areas, work):
    """Write the value of an attack as its best type, if ally a stood in each of these areas."""
    rest = areas
    while rest != 0:
        work.attack[lowest(rest)] = 0.0
        rest &= rest - 1
    if work.standing == 0:
        return
    for attack_type in range(3):
        if (c.attack[row].types >> attack_type) & 1:
            raise_gains(s, c, a, row, attack_type, areas, work)


@kernel
def raise_gains(s, c, a, row, attack_type, areas, work):
    """Raise the values of the attack to those that it has as one of its types."""
    know_arms(s, c, a, attack_type, work)
    if not work.arms[attack_type].armed:
        return
    match c.attack[row].shape:
        case Shape.LINE:
            raise_by_lines(s, c, a, row, attack_type, areas, work)
        case Shape.AREA:
            raise_by_centres(s, c, a, row, attack_type, areas, work)
        case _:
            raise_by_targets(s, c, a, row, attack_type, areas, work)


@kernel
def raise_by_lines(s, c, a, row, attack_type, areas, work):
    """The best line from each area: one hit in every area on it."""
    damage, attack = expected(s, c, a, row, attack_type, work), c.attack[row]
    work.by_centre[:] = 0.0
    enemies = int(work.standing)
    while enemies != 0:
        e = lowest(enemies)
        enemies &= enemies - 1
        there = s.enemy[e].area
        gain = gain_on(s, c, e, damage, attack.pierce)
        work.by_centre[there] = max(work.by_centre[there], gain)
    while areas != 0:
        here = lowest(areas)
        areas &= areas - 1
        for k in range(c.line_first[here], c.line_first[here + 1]):
            gain = 0.0
            for j in range(attack.length):
                beyond = ally_attack.on_line(c, k, j)
                if beyond >= 0:
                    gain += work.by_centre[beyond]
            work.attack[here] = max(work.attack[here], gain)


@kernel
def raise_by_centres(s, c, a, row, attack_type, areas, work):
    """The best centre that an attack reaches from each area; without one the area itself."""
    damage, attack = expected(s, c, a, row, attack_type, work), c.attack[row]
    work.by_centre[:] = 0.0
    centres, enemies = 0, int(work.standing)
    while enemies != 0:
        e = lowest(enemies)
        enemies &= enemies - 1
        gain = gain_on(s, c, e, damage, attack.pierce)
        hit = hit_from(c, attack.radius, s.enemy[e].area)
        centres |= hit
        while hit != 0:
            work.by_centre[lowest(hit)] += gain
            hit &= hit - 1
    while centres != 0:
        centre = lowest(centres)
        centres &= centres - 1
        here = 1 << centre
        if attack.has_centre:
            here = reaching(s, c, a, row, attack_type, centre, work)
        raise_in(here & areas, work.by_centre[centre], work)


@kernel
def hit_from(c, radius, area):
    """Bits of the centres around which an area attack hits an area (aim.in_area)."""
    return (1 << int(area)) | within_and_seen(c, min(int(radius), N_AREAS - 1) + 1, area)


@kernel
def within_and_seen(c, n, area):
    """Bits of the areas less than n areas from an area that see it."""
    return int(c.within[n, area]) & int(c.seen[area])


@kernel
def raise_in(areas, gain, work):
    """Raise the value of the attack to `gain` in these areas."""
    while areas != 0:
        here = lowest(areas)
        areas &= areas - 1
        work.attack[here] = max(work.attack[here], gain)


@kernel
def raise_by_targets(s, c, a, row, attack_type, areas, work):
    """The best target, or the best two, that the attack reaches from each area."""
    shape = c.attack[row].shape
    targets = aim_at_enemies(s, c, a, row, attack_type, areas, work)
    rest, areas = targets, 0
    while rest != 0:
        areas |= int(work.reached_from[lowest(rest)])
        rest &= rest - 1
    while areas != 0:
        here = lowest(areas)
        areas &= areas - 1
        first, second, rest = 0.0, 0.0, targets
        while rest != 0:
            e = lowest(rest)
            rest &= rest - 1
            if (work.reached_from[e] >> here) & 1:
                blocked = (work.obstructed_from[e] >> here) & 1
                gain = work.obstructed[e] if blocked else work.clear[e]
                if gain > first:
                    first, second = gain, first
                else:
                    second = max(second, gain)
        if shape == Shape.MULTI:
            first += second
        elif shape == Shape.CLEAVE and second > 0:
            first += 0.5
        work.attack[here] = max(work.attack[here], first)


@kernel
def aim_at_enemies(s, c, a, row, attack_type, areas, work):
    """Write from which of these areas an attack reaches each Enemy, and with which value.

    -> bits of the Enemies that it reaches
    """
    damage, pierce = expected(s, c, a, row, attack_type, work), c.attack[row].pierce
    obstructs = ally_attack.minds_aim(c, a, row, attack_type)
    targets, enemies = 0, int(work.standing)
    while enemies != 0:
        e = lowest(enemies)
        enemies &= enemies - 1
        there = s.enemy[e].area
        reached_from = areas & reaching(s, c, a, row, attack_type, there, work)
        if reached_from == 0:
            continue
        targets |= 1 << e
        work.reached_from[e] = reached_from
        work.clear[e] = gain_on(s, c, e, damage, pierce)
        work.obstructed_from[e] = 0
        if obstructs:
            work.obstructed_from[e] = obstructed(s, c, reached_from, there, work)
            work.obstructed[e] = gain_on(s, c, e, damage - ally_attack.AIM_PENALTY, pierce)
    return targets


@kernel
def obstructed(s, c, areas, there, work):
    """Bits of those of some areas from which aim at a figure is obstructed (aim.is_obstructed)."""
    if s.allies_in[there] + s.enemies_in[there] > 1:
        return areas
    if work.occupied == NOT_KNOWN:
        work.occupied = aim.occupied(s, c)
    found, rest = 0, areas
    while rest != 0:
        here = lowest(rest)
        rest &= rest - 1
        blocked = s.enemies_in[here] > 0 or aim.is_line_obstructed(c, here, there, work.occupied)
        found |= int(blocked) << here
    return found
