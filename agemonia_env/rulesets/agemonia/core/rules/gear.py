"""R17.1 to R17.4, R17.7, R17.9: what Allies carry, what they have in use, and their weapons.

A thing is known by its owner and the place where the owner carries it. Gear in use that does
something lasting fills a lock slot with its passive row; of two of a kind one fills it.
"""

from agemonia_env.core.jit import kernel

from ..layout import N_CARRIED
from ..terms import AttackType, Denial, Kind, Wear
from . import lock

NATURAL, ANY = -1, -2  # weapons that are no item; whichever weapon serves


# ---- what is carried ----------------------------------------------------------------------------
@kernel
def find(s, a, item):
    """The place where ally a carries an item, or -1; item -1: a free place."""
    for k in range(N_CARRIED):
        if s.ally[a].item[k] == item:
            return k
    return -1


@kernel
def traits(s, c, a):
    """The traits of all items that ally a carries: N_CARRIED bits for each Trait."""
    bits = 0
    for k in range(N_CARRIED):  # no jump in it: 12 places in 50 instructions
        bits |= c.traits[1 + s.ally[a].item[k]] << k
    return bits


@kernel
def places(known, trait):
    """Bits of the places of those with a Trait, `known` being what `traits` has told."""
    return (known >> (N_CARRIED * trait)) & ((1 << N_CARRIED) - 1)


@kernel
def burden(s, c, a, active):
    """R17.3 - weight that ally a carries beyond what it may, with these places, bits, in use."""
    total = -int(c.sheet[a].carry)
    for k in range(N_CARRIED):  # without a jump
        item = int(s.ally[a].item[k])
        card = c.item[max(0, item)]
        used = (active >> k) & 1
        total += int(item >= 0) * (used * -int(card.carry) + (1 - used) * int(card.weight))
    return total


@kernel
def is_too_heavy(s, c, a, active, more):
    """R17.3 - would ally a, with these places in use, carry too much with `more` weight?

    Who does so already, as others took its backpack (R13.8), may do what makes it no worse.
    """
    now = int(s.ally[a].active)
    over = burden(s, c, a, active) + more
    return over > 0 and over > burden(s, c, a, now)


@kernel
def put(s, a, item):
    """Ally a carries an item from now on. -> its place"""
    k = find(s, a, -1)
    s.ally[a].item[k] = item
    return k


@kernel
def remove(s, c, a, k):
    """Place k of ally a is empty: what lay there is dropped, given, taken or discarded."""
    stop(s, c, a, k)
    ally = s.ally[a]
    ally.item[k] = -1
    ally.handled &= ~(1 << int(k))
    ally.worn_out &= ~(1 << int(k))


@kernel
def is_worn_out(s, a, k):
    """Whether the item in place k works once a scenario and has done so."""
    return (int(s.ally[a].worn_out) >> k) & 1 == 1


@kernel
def use_up(s, c, a, k):
    """R6.11, R17.6 - the item in place k has served: it is discarded, or kept and worn out."""
    if c.item[s.ally[a].item[k]].kept:
        s.ally[a].worn_out |= 1 << int(k)
    else:
        remove(s, c, a, k)


# ---- what is in use -----------------------------------------------------------------------------
@kernel
def is_in_use(s, a, k):
    """R17.1, R17.4 - whether the item in place k is active or worn."""
    return (int(s.ally[a].active) >> k) & 1 == 1


@kernel
def lacks_lock(s, c, a, k):
    """R14.8, R14.10 - whether the item in place k needs a lock slot, chips on it, and has none."""
    passive = c.item[s.ally[a].item[k]].passive
    return passive >= 0 and lock.find(s, a, passive) < 0


@kernel
def has_rune_slot(s, c, a):
    """R17.6 - has ally a armour in use with a slot for a rune? Heavy armour only while locked."""
    for k in range(N_CARRIED):
        item = s.ally[a].item[k]
        if item >= 0 and c.item[item].rune_slot and is_in_use(s, a, k):
            if not lacks_lock(s, c, a, k):
                return True
    return False


@kernel
def works(s, c, a, k):
    """R17.1, R14.3 - whether the item in place k serves: in use if it is worn, and locked on."""
    item = s.ally[a].item[k]
    if item < 0:
        return False
    if c.item[item].armour_rune:
        return has_rune_slot(s, c, a)
    if c.item[item].wear == Wear.NONE:
        return True
    return is_in_use(s, a, k) and not lacks_lock(s, c, a, k)


@kernel
def start(s, c, a, k):
    """R17.1, R14.10 [P36] - what the item in use in place k does begins, if the chips are there."""
    passive = c.item[s.ally[a].item[k]].passive
    if lacks_lock(s, c, a, k) and lock.lock_denial(s, c, a, passive) == Denial.NONE:
        lock.lock(s, c, a, passive)


@kernel
def resume(s, c, a, locks):
    """R4.8, R13.9, R20.3 [P32] - skills and gear in use work; with stamina only if `locks`."""
    skills = c.sheet[a].skills
    if skills >= 0 and lock.find(s, a, skills) < 0:
        lock.lock(s, c, a, skills)
    for k in range(N_CARRIED):
        if s.ally[a].item[k] >= 0 and is_in_use(s, a, k):
            passive = c.item[s.ally[a].item[k]].passive
            if passive >= 0 and (locks or c.passive[passive].need == 0):
                start(s, c, a, k)


@kernel
def stop(s, c, a, k):
    """R17.2, R14.4 - the item in place k is no longer in use; its chips are spent."""
    if not is_in_use(s, a, k):
        return
    ally = s.ally[a]
    item = ally.item[k]
    ally.active &= ~(1 << int(k))
    slot = -1
    if c.item[item].passive >= 0:
        slot = lock.find(s, a, c.item[item].passive)
    for other in range(N_CARRIED):
        if ally.item[other] == item and is_in_use(s, a, other):
            slot = -1  # another of its kind goes on
    if slot >= 0:
        lock.release(s, c, a, slot)
    pet = c.item[item].pet
    if pet >= 0 and s.figure[pet].owner == a:
        s.figure[pet].area = -1
        s.figure[pet].owner = -1
    count_arms(s, c, a)


@kernel
def hands_used(s, c, a):
    """R17.1 - hands that hold something."""
    hands = 0
    for k in range(N_CARRIED):
        if s.ally[a].item[k] >= 0 and is_in_use(s, a, k):
            hands += int(c.item[s.ally[a].item[k]].hands)
    return hands


@kernel
def giving_way(s, c, a, k):
    """R17.1, R17.4 [P31] - bits of the places put away if that in place k is put to use.

    One of each kind is worn; of what is in hand the lower places go until the hands suffice.
    """
    ally = s.ally[a]
    item = c.item[ally.item[k]]
    bits = 0
    hands = hands_used(s, c, a)
    for other in range(N_CARRIED):
        if ally.item[other] < 0 or not is_in_use(s, a, other):
            continue
        worn = c.item[ally.item[other]]
        if worn.wear != item.wear:
            continue
        if item.wear != Wear.HAND:
            bits |= 1 << other
        elif hands + item.hands > c.sheet[a].hands:
            bits |= 1 << other
            hands -= int(worn.hands)
    return bits


# ---- weapons ------------------------------------------------------------------------------------
@kernel
def count_arms(s, c, a):
    """R9.13, R9.17 - ally.armed: natural weapons, and those that are in use."""
    ally = s.ally[a]
    for attack_type in range(3):
        ally.armed[attack_type] = c.sheet[a].armed[attack_type]
    for k in range(N_CARRIED):
        if ally.item[k] >= 0 and is_in_use(s, a, k) and c.item[ally.item[k]].weapon >= 0:
            ally.armed[c.item[ally.item[k]].weapon] = 1


@kernel
def is_weapon(s, c, a, k, attack_type):
    """R9.13, R9.17, R9.18 - whether place k holds an active weapon for attacks of this type."""
    item = s.ally[a].item[k]
    return item >= 0 and c.item[item].weapon == attack_type and works(s, c, a, k)


@kernel
def weapons(s, c, a, attack_type):
    """Bits of the places with active weapons for attacks of this type."""
    bits = 0
    for k in range(N_CARRIED):
        bits |= int(is_weapon(s, c, a, k, attack_type)) << k
    return bits


@kernel
def has_natural(s, c, a, attack_type):
    """Whether ally a is armed for such attacks without an item."""
    return s.ally[a].armed[attack_type] != 0 and c.sheet[a].armed[attack_type] != 0


@kernel
def is_armed(s, c, a, attack_type):
    """R9.13, R9.16 to R9.18 - Heroes need an active weapon for melee and ranged attacks."""
    if s.ally[a].kind != Kind.HERO or attack_type == AttackType.MAGIC:
        return True
    if has_natural(s, c, a, attack_type):
        return True
    for k in range(N_CARRIED):
        if is_weapon(s, c, a, k, attack_type):
            return True
    return False


@kernel
def bonus(s, c, a, attack_type, weapon):
    """R17.7, R17.9 [P37] - modifier of the weapon; with the skill, that of a second one as well."""
    if weapon < 0:
        return int(c.sheet[a].weapon_bonus[attack_type])
    item = c.item[s.ally[a].item[weapon]]
    if attack_type != AttackType.MELEE or item.hands != 1 or not c.sheet[a].two_weapons:
        return int(item.bonus)
    second = 0
    for k in range(N_CARRIED):
        if k != weapon and is_weapon(s, c, a, k, attack_type):
            other = c.item[s.ally[a].item[k]]
            if other.hands == 1:
                second = max(second, int(other.bonus))
    return int(item.bonus) + second


@kernel
def best_weapon(s, c, a, attack_type):
    """R9.18 [P35] - the weapon with the best modifier: its place, or NATURAL."""
    best = NATURAL
    worth = bonus(s, c, a, attack_type, NATURAL)
    bare = attack_type != AttackType.MAGIC and not has_natural(s, c, a, attack_type)
    for k in range(N_CARRIED):
        if is_weapon(s, c, a, k, attack_type):
            more = bonus(s, c, a, attack_type, k)
            if more > worth or (best == NATURAL and (bare or more == worth)):
                best, worth = k, more
    return best
