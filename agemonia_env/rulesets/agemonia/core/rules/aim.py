"""R9.13 to R9.24: reach, range, sight and obstructed aim, for both sides."""

from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES, N_CARRIED, N_ENEMIES
from ..terms import AttackType, Condition, Denial
from . import condition, gear, placing


@kernel
def reach_denial(s, c, here, there, size):
    """R9.13, R10.20, R10.21 - melee without a range: the own area, or an adjacent one at maximum.

    `size` 1 asks for an area at maximum capacity; a large figure also reaches into areas that it
    cannot enter because of capacity.
    """
    if here == there:
        return Denial.NONE
    if c.melee[here, there] != 1:
        return Denial.OUT_OF_RANGE if c.range[here, there] != 1 else Denial.HEIGHT
    return Denial.AREA_HAS_ROOM if placing.has_room(s, c, there, size) else Denial.NONE


@kernel
def melee_range_denial(c, here, there, nearest, furthest):
    """R9.14, R10.22 [Q8, Q42] - melee with a range: single lines at one height, within the band."""
    steps = c.melee[here, there]
    return Denial.NONE if steps >= 0 and nearest <= steps <= furthest else Denial.OUT_OF_RANGE


@kernel
def sight_denial(c, here, there, nearest, furthest):
    """R9.17, R9.18, R10.23 - within the range band and in line of sight."""
    distance = c.range[here, there]
    if distance < 0 or distance < nearest or distance > furthest:
        return Denial.OUT_OF_RANGE
    return Denial.NONE if placing.sees(c, here, there) else Denial.NO_SIGHT


@kernel
def is_hidden(s, a):
    """R10.25, R12.1 - an Ally that no Enemy can target: off the map, exhausted or Invisible."""
    invisible = condition.holds(s.ally[a], Condition.INVISIBLE)
    return (not placing.ally_stands(s, a)) | invisible


@kernel
def visible_allies(s):
    """R10.25 [Q31] - bits of the Allies that an Enemy can target at all."""
    bits = 0
    for a in range(N_ALLIES):
        bits |= (not is_hidden(s, a)) << a
    return bits


@kernel
def occupied(s, c):
    """Bits of the areas with figures."""
    bits = 0
    for area in range(c.n_areas):
        bits |= int(s.allies_in[area] + s.enemies_in[area] > 0) << area
    return bits


@kernel
def is_line_obstructed(c, here, there, figures):
    """R9.20 c, R9.24 [Q9] - figures, area bits, stand on every sight line between two areas."""
    low, high = min(here, there), max(here, there)
    pair = high * (high + 1) // 2 + low
    for k in range(c.crossing_first[pair], c.crossing_first[pair + 1]):
        if c.crossing[k] & figures == 0:
            return False
    return c.crossing_first[pair] < c.crossing_first[pair + 1]


@kernel
def is_obstructed(s, c, here, there, opponents_here):
    """R9.20, R9.21, R9.23 - aim is obstructed: by opponents beside the attacker, by another figure
    in the target's area, or by figures on the way.
    """
    if opponents_here > 0 or s.allies_in[there] + s.enemies_in[there] > 1:
        return True
    return is_line_obstructed(c, here, there, occupied(s, c))


@kernel
def in_area(c, centre, radius, area):
    """R9.26, R10.28 - is `area` the centre, or within `radius` of it and seen from it?"""
    if area == centre:
        return True
    return 0 <= c.range[centre, area] <= radius and placing.sees(c, centre, area)


@kernel
def weapon_denial(s, c, a, attack_type):
    """R9.13, R9.16 to R9.18 - is ally a armed for attacks of this type?"""
    return Denial.NONE if gear.is_armed(s, c, a, attack_type) else Denial.NO_WEAPON


@kernel
def band(s, c, a, row, attack_type, weapon):
    """R9.14, R9.17, R9.18, R7.23 - the range band of an attack: its own, else the weapon's.

    A magic weapon has none (R9.18). -> (nearest, furthest); furthest -1 = melee without a range.
    """
    attack = c.attack[row]
    if attack.range_max >= 0:
        return max(0, int(attack.range_min)), int(attack.range_max)
    if weapon >= 0 and attack_type != AttackType.MAGIC:
        item = c.item[s.ally[a].item[weapon]]
        return max(0, int(item.range_min)), int(item.range_max)
    sheet = c.sheet[a]
    return max(0, int(sheet.weapon_min[attack_type])), int(sheet.weapon_max[attack_type])


@kernel
def armed_denial(s, c, a, row, attack_type, weapon, area):
    """R9.13 to R9.18 - may ally a attack an area with the weapon: its place, NATURAL or ANY?

    ANY needs weapon_denial NONE.
    """
    if weapon != gear.ANY:
        return band_denial(s, c, a, row, attack_type, weapon, area)
    denial = Denial.OUT_OF_RANGE.value
    natural = attack_type == AttackType.MAGIC or gear.has_natural(s, c, a, attack_type)
    if natural or s.ally[a].active == 0:
        denial = band_denial(s, c, a, row, attack_type, gear.NATURAL, area)
        if denial == Denial.NONE or attack_type == AttackType.MAGIC or s.ally[a].active == 0:
            return denial
    for k in range(N_CARRIED):
        if gear.is_weapon(s, c, a, k, attack_type):
            denial = band_denial(s, c, a, row, attack_type, k, area)
            if denial == Denial.NONE:
                return denial
    return denial


@kernel
def band_denial(s, c, a, row, attack_type, weapon, area):
    """R9.13 to R9.18 - is the area within the weapon's reach or range, and in sight?"""
    here = s.ally[a].area
    nearest, furthest = band(s, c, a, row, attack_type, weapon)
    if attack_type != AttackType.MELEE:
        return sight_denial(c, here, area, nearest, furthest)
    if furthest < 0:
        return reach_denial(s, c, here, area, 1)
    return melee_range_denial(c, here, area, nearest, furthest)


@kernel
def target_denial(s, c, a, row, attack_type, e):
    """R9.13 to R9.18 - may ally a attack enemy e with this attack row and type?"""
    denial = weapon_denial(s, c, a, attack_type)
    if denial != Denial.NONE:
        return denial
    return armed_target_denial(s, c, a, row, attack_type, gear.ANY, e)


@kernel
def armed_target_denial(s, c, a, row, attack_type, weapon, e):
    """R9.13 to R9.18 - may ally a attack enemy e with the weapon: its place, NATURAL or ANY?

    ANY needs weapon_denial NONE.
    """
    if not placing.enemy_stands(s, e):
        return Denial.NO_TARGET
    return armed_denial(s, c, a, row, attack_type, weapon, s.enemy[e].area)


@kernel
def is_any_enemy_in(s, c, centre, radius):
    """Whether an area attack around `centre` would meet an Enemy (R9.26)."""
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e) and in_area(c, centre, radius, s.enemy[e].area):
            return True
    return False
