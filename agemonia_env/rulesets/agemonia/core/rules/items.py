"""Section 17, R6.11, R7.17, R15.9: what Heroes do with items, by choice of their own turn.

Heroes take, drop and give items, put them to use or away, use them, and fix ropes. In a game an
item is handled once a turn, so that nothing goes to and fro for ever; single rules ask for no such
thing.
"""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import ask, take_answer

from ..actions import Turn
from ..layout import N_ALLIES, N_CARRIED, N_GROUND
from ..terms import Decision, Denial, Event, Kind, Movement, Proc, Trait, Wear
from . import action, figures, gear, initiative, lock, movement, placing, stamina

TAKE_ROPE, FIX_ROPE = 0, 1  # what Decision.ROPE is about
OF_PETS = 1 << Turn.PLACE_PET | 1 << Turn.MOVE_PET | 1 << Turn.RECALL_PET  # bits of Turn


# ---- taking, dropping, giving -------------------------------------------------------------------
@kernel
def hero_denial(s, a):
    """R17.5, R18.2, R13.8 - is ally a a standing Hero, in its own turn or outside turns?"""
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    if s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    return Denial.NONE if s.active_ally < 0 or s.active_ally == a else Denial.NOT_ASKED


@kernel
def leave_denial(s, c, a, k):
    """R17.5 [P34] - may the item in place k leave Hero a? A pet is called back first (R18.8)."""
    item = s.ally[a].item[k]
    if item < 0:
        return Denial.NO_SUCH_ITEM
    if c.item[item].own:
        return Denial.NOT_TO_GIVE
    if gear.is_worn_out(s, a, k):
        return Denial.USED_UP
    return pet_denial(s, c, a, k)


@kernel
def pet_denial(s, c, a, k):
    """R18.8 - is the pet of the item in place k with its Hero, if it is on the map?"""
    pet = c.item[s.ally[a].item[k]].pet
    if pet >= 0 and s.figure[pet].owner == a and s.figure[pet].area != s.ally[a].area:
        return Denial.OUT_OF_RANGE
    return Denial.NONE


@kernel
def without_denial(s, c, a, k):
    """R17.3 - can Hero a carry the rest without the item in place k, a backpack perhaps?"""
    active = int(s.ally[a].active)
    item = c.item[s.ally[a].item[k]]
    if (active >> k) & 1 == 0 or item.carry == 0:
        return Denial.NONE
    rest = active & ~(1 << int(k))
    heavy = gear.is_too_heavy(s, c, a, rest, -int(item.weight))
    return Denial.TOO_HEAVY if heavy else Denial.NONE


@kernel
def receive_denial(s, c, a, item):
    """R17.3 - can Hero a carry one more item?"""
    if gear.find(s, a, -1) < 0:
        return Denial.TOO_MUCH
    heavy = gear.is_too_heavy(s, c, a, int(s.ally[a].active), int(c.item[item].weight))
    return Denial.TOO_HEAVY if heavy else Denial.NONE


@kernel
def lying(s, c, a, k):
    """R17.5, R13.8 - what place k of the ground shows Hero a: (item, owner, place); item -1 = none.

    Places without an item show, in order, what exhausted Heroes carry there; owner -1 = nobody.
    """
    area = s.ally[a].area
    if s.item[area, k] >= 0:
        return int(s.item[area, k]), -1, int(k)
    if not is_anybody_down(s, area):
        return -1, -1, -1
    before = 0
    for j in range(k):
        if s.item[area, j] < 0:
            before += 1
    for b in range(N_ALLIES):
        if not s.ally[b].exhausted or s.ally[b].kind != Kind.HERO or s.ally[b].area != area:
            continue
        for place in range(N_CARRIED):
            item = int(s.ally[b].item[place])
            if item < 0 or c.item[item].own or gear.is_worn_out(s, b, place):
                continue
            if before == 0:
                return item, b, place
            before -= 1
    return -1, -1, -1


@kernel
def is_anybody_down(s, area):
    """R13.8 - whether somebody exhausted lies in the area."""
    found = False
    for b in range(N_ALLIES):
        found |= (s.ally[b].exhausted != 0) & (s.ally[b].area == area)
    return found


@kernel
def candidate_ground(s, area):
    """R17.5 - candidate places of the ground for an item, as bits.

    With somebody exhausted there it may be any of them.
    """
    bits = 0
    for k in range(N_GROUND):
        bits |= (s.item[area, k] >= 0) << k
    return (1 << N_GROUND) - 1 if is_anybody_down(s, area) else bits


@kernel
def take_denial(s, c, a, k):
    """R17.5, R13.2 - may Hero a pick up what place k of the ground shows?"""
    denial = hero_denial(s, a)
    if denial != Denial.NONE:
        return denial
    item, _, _ = lying(s, c, a, k)
    if item < 0:
        return Denial.NO_SUCH_ITEM
    if placing.is_hindered(s, c, a):
        return Denial.HINDERED
    return receive_denial(s, c, a, item)


@kernel
def place_lying(s, c, a, item):
    """The place of the ground that shows Hero a this item, or -1."""
    for k in range(N_GROUND):
        found, _, _ = lying(s, c, a, k)
        if found == item:
            return k
    return -1


@kernel
def item_lying_denial(s, c, a, item):
    """R17.5 - may Hero a pick up an item by its name?"""
    if s.ally[a].area < 0:
        return Denial.OUT_OF_ACTION
    k = place_lying(s, c, a, item)
    return take_denial(s, c, a, k) if k >= 0 else Denial.NO_SUCH_ITEM


@kernel
def take(s, c, a, k):
    """R17.5 - Hero a picks it up. Needs take_denial NONE."""
    item, owner, place = lying(s, c, a, k)
    if owner < 0:
        s.item[s.ally[a].area, place] = -1
    else:
        gear.remove(s, c, owner, place)
    s.ally[a].handled |= 1 << gear.put(s, a, item)
    log(s, Event.TAKE, a, item, s.ally[a].area)


@kernel
def free_ground(s, area):
    """A free place on the ground of an area, or -1."""
    for k in range(N_GROUND):
        if s.item[area, k] < 0:
            return k
    return -1


@kernel
def drop_denial(s, c, a, k):
    """R17.5 - may Hero a drop the item in place k? Hindered Heroes may."""
    denial = hero_denial(s, a)
    if denial == Denial.NONE:
        denial = leave_denial(s, c, a, k)
    if denial == Denial.NONE:
        denial = without_denial(s, c, a, k)
    if denial == Denial.NONE and free_ground(s, s.ally[a].area) < 0:
        return Denial.TOO_MUCH
    return denial


@kernel
def drop(s, c, a, k):
    """R17.5 - the item lies in the Hero's area. Needs drop_denial NONE."""
    area = s.ally[a].area
    item = s.ally[a].item[k]
    s.item[area, free_ground(s, area)] = item
    log(s, Event.DROP, a, item, area)
    gear.remove(s, c, a, k)


@kernel
def give_denial(s, c, a, k, b):
    """R17.5, R13.2 - may Hero a give the item in place k to Hero b, in the turn of any Hero?"""
    if not placing.ally_stands(s, a) or not placing.ally_stands(s, b):
        return Denial.OUT_OF_ACTION
    if s.ally[a].kind != Kind.HERO or s.ally[b].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if s.active_ally >= 0 and s.ally[s.active_ally].kind != Kind.HERO:
        return Denial.NOT_ASKED
    denial = leave_denial(s, c, a, k)
    if denial != Denial.NONE:
        return denial
    if a == b:
        return Denial.NO_TARGET
    if s.ally[a].area != s.ally[b].area:
        return Denial.OUT_OF_RANGE
    if placing.is_hindered(s, c, a) or placing.is_hindered(s, c, b):
        return Denial.HINDERED
    denial = without_denial(s, c, a, k)
    return denial if denial != Denial.NONE else receive_denial(s, c, b, s.ally[a].item[k])


@kernel
def any_receiver_denial(s, c, a, k):
    """R17.5 - may Hero a give the item in place k to anybody?"""
    denial = leave_denial(s, c, a, k)
    if denial != Denial.NONE:
        return denial
    denial = Denial.NO_TARGET
    for b in range(N_ALLIES):
        if b != a and s.ally[b].kind == Kind.HERO:
            near = s.ally[b].area == s.ally[a].area
            denial = give_denial(s, c, a, k, b) if near else Denial.OUT_OF_RANGE
            if denial == Denial.NONE:
                return denial
    return denial


@kernel
def give(s, c, a, k, b):
    """R17.5 - Hero b carries the item from now on. Needs give_denial NONE."""
    item = s.ally[a].item[k]
    gear.remove(s, c, a, k)
    gear.put(s, b, item)
    log(s, Event.GIVE, b, item, a)


# ---- putting to use and away --------------------------------------------------------------------
@kernel
def change_denial(s, c, a, k):
    """R17.2, R17.4 [P30] - may Hero a change what is in use? In hand once a turn for free."""
    free = c.item[s.ally[a].item[k]].wear == Wear.HAND and not s.ally[a].changed
    return Denial.NONE if free else movement.maneuver_denial(s, a)


@kernel
def pay_change(s, c, a, k):
    """R17.2, R17.4 - the free change of the turn, or a maneuver."""
    if c.item[s.ally[a].item[k]].wear == Wear.HAND and not s.ally[a].changed:
        s.ally[a].changed = 1
    else:
        movement.use_maneuver(s, a)


@kernel
def lock_denial(s, c, a, k):
    """R14.2 - can what the item in place k does begin: are the chips on the disk?"""
    if not gear.lacks_lock(s, c, a, k):
        return Denial.NONE
    return lock.lock_denial(s, c, a, c.item[s.ally[a].item[k]].passive)


@kernel
def is_broken(s, c, a, k):
    """R14.8 - whether the lock of the item in use in place k has ended and could begin again."""
    if not gear.is_in_use(s, a, k) or not gear.lacks_lock(s, c, a, k):
        return False
    if lock_denial(s, c, a, k) != Denial.NONE:
        return False
    return change_denial(s, c, a, k) == Denial.NONE


@kernel
def wear_denial(s, c, a, k):
    """R17.1 to R17.4 - may Hero a put the item in place k to use, lock it again, or put it away?"""
    if s.ally[a].item[k] < 0:
        return Denial.NO_SUCH_ITEM
    item = c.item[s.ally[a].item[k]]
    if item.wear == Wear.NONE:
        return Denial.NO_USE
    if is_broken(s, c, a, k):
        return Denial.NONE
    active = int(s.ally[a].active)
    if gear.is_in_use(s, a, k):
        heavy = gear.is_too_heavy(s, c, a, active & ~(1 << int(k)), 0)
        return Denial.TOO_HEAVY if heavy else pet_denial(s, c, a, k)
    if item.hands > c.sheet[a].hands:
        return Denial.HANDS_FULL
    denial = change_denial(s, c, a, k)
    if denial == Denial.NONE:
        denial = lock_denial(s, c, a, k)
    if denial != Denial.NONE:
        return denial
    away = gear.giving_way(s, c, a, k)
    for other in range(N_CARRIED):
        if (away >> other) & 1 and pet_denial(s, c, a, other) != Denial.NONE:
            return Denial.OUT_OF_RANGE
    after = (active & ~away) | (1 << int(k))
    return Denial.TOO_HEAVY if gear.is_too_heavy(s, c, a, after, 0) else Denial.NONE


@kernel
def wear(s, c, a, k):
    """R17.2, R17.4 - the item is put to use, and what is in its way put away.

    In use already it is put away, for nothing, unless its ended lock can begin again. Needs
    wear_denial NONE.
    """
    item = s.ally[a].item[k]
    if is_broken(s, c, a, k):
        pay_change(s, c, a, k)
        gear.start(s, c, a, k)
    elif gear.is_in_use(s, a, k):
        log(s, Event.WEAR, a, item, -1, 0)
        gear.stop(s, c, a, k)
    else:
        pay_change(s, c, a, k)
        away = gear.giving_way(s, c, a, k)
        for other in range(N_CARRIED):
            if (away >> other) & 1:
                gear.stop(s, c, a, other)
        log(s, Event.WEAR, a, item, -1, 1)
        s.ally[a].active |= 1 << int(k)
        gear.start(s, c, a, k)
        gear.count_arms(s, c, a)


# ---- using --------------------------------------------------------------------------------------
@kernel
def use_denial(s, c, a, k):
    """R6.11, R6.4 - may Hero a use the item in place k: does it do anything it can have now?"""
    if s.ally[a].item[k] < 0:
        return Denial.NO_SUCH_ITEM
    item = c.item[s.ally[a].item[k]]
    if item.n == 0 or not gear.works(s, c, a, k):
        return Denial.NO_USE
    if gear.is_worn_out(s, a, k):
        return Denial.USED_UP
    if s.move.going_on and s.move.kind == Movement.EFFECT:
        return Denial.MOVE_GOING_ON  # of an action, which comes first [P43]
    denial = Denial.NONE
    if item.maneuver:
        denial = movement.maneuver_denial(s, a)
    if denial != Denial.NONE:
        return denial
    for row in range(item.first, item.first + item.n):
        denial = action.effect_denial(s, c, a, row, 0)
        if denial == Denial.NONE:
            return denial
    return denial


@kernel
def use(s, c, a, k):
    """R6.11 - the item is used up, and does what it says. Needs use_denial NONE."""
    item = int(s.ally[a].item[k])
    log(s, Event.USE, a, item, -1)
    if c.item[item].maneuver:
        movement.use_maneuver(s, a)
    gear.use_up(s, c, a, k)
    action.begin_item(s, c, a, item)


@kernel
def opening_denial(s, c, a, k):
    """R15.9 - may the item in place k give Hero a a special initiative it has not got?"""
    if s.ally[a].item[k] < 0:
        return Denial.NO_SUCH_ITEM
    item = c.item[s.ally[a].item[k]]
    if item.special == 0 or not gear.works(s, c, a, k):
        return Denial.NO_USE
    if gear.is_worn_out(s, a, k):
        return Denial.USED_UP
    if (s.ally[a].special | item.special) == s.ally[a].special:
        return Denial.ALREADY_CHOSEN
    return stamina.spend_denial(s, a, item.special_cost)


@kernel
def open_with(s, c, a, k):
    """R15.9 - the item gives its special initiative for this round. Needs opening_denial NONE."""
    ally = s.ally[a]
    item = c.item[ally.item[k]]
    log(s, Event.USE, a, ally.item[k], -1)
    stamina.spend(s, a, item.special_cost)
    ally.special |= item.special
    ally.uses = initiative.default_use(ally.special)
    gear.use_up(s, c, a, k)


@kernel
def may_open(s, c, a):
    """R15.9, R5.5 - whether Hero a, which is to act this round, has an item for its start."""
    if s.ally[a].kind != Kind.HERO or not placing.ally_stands(s, a) or s.ally[a].revived:
        return False
    places = candidate_places(s, a, Decision.OPENING, gear.traits(s, c, a))
    return any_denial(s, c, a, Decision.OPENING, places, Denial.NO_SUCH_ITEM) == Denial.NONE


# ---- ropes --------------------------------------------------------------------------------------
@kernel
def rope_carried(s, c, a):
    """R7.17 - the Hook & Rope that ally a carries, or -1."""
    for k in range(N_CARRIED):
        item = int(s.ally[a].item[k])
        if item >= 0 and c.item[item].rope:
            return item
    return -1


@kernel
def rope_made(c):
    """R7.17 - the item that a rope taken back is, or -1."""
    for item in range(c.n_items):
        if c.item[item].rope:
            return item
    return -1


@kernel
def rope_areas(s, c, a, fixes):
    """R7.17 - bits of the areas to which Hero a may fix its rope, or from which it may take one."""
    here = s.ally[a].area
    ropes = int(s.rope[here])
    areas = (int(c.down[here]) | int(c.up[here])) & ~ropes if fixes else ropes
    if areas == 0:
        return 0
    item = rope_carried(s, c, a) if fixes else rope_made(c)
    if item < 0 or (not fixes and receive_denial(s, c, a, item) != Denial.NONE):
        return 0
    bits = 0
    while areas != 0:
        to = lowest(areas)
        areas &= areas - 1
        if fixes:
            denial = movement.fix_rope_denial(s, c, a, to, item)
        else:
            denial = movement.take_rope_denial(s, c, a, to)
        if denial == Denial.NONE:
            bits |= 1 << to
    return bits


@kernel
def rope_denial(s, c, a, fixes):
    """R7.17 - may Hero a fix or take a rope anywhere?"""
    if fixes:
        denial = movement.maneuver_denial(s, a)
        if denial != Denial.NONE:
            return denial
    return Denial.NONE if rope_areas(s, c, a, fixes) != 0 else Denial.NO_ROPE


@kernel
def run_rope(s, c):
    """R7.17 - the player names the area, s.subject says which of the two is done."""
    a = int(s.asked)
    to = take_answer(s)
    if s.subject == FIX_ROPE:
        movement.begin_fix_rope(s, c, a, to, rope_carried(s, c, a))
    else:
        movement.take_rope(s, a, to, rope_made(c))


# ---- choices of the own turn --------------------------------------------------------------------
@kernel
def item_denial(s, c, a, decision, k):
    """May place k of Hero a answer the decision? Handled items are not dropped or given [P33]."""
    if (decision == Decision.DROP or decision == Decision.GIVE) and s.ally[a].item[k] >= 0:
        if (int(s.ally[a].handled) >> k) & 1:
            return Denial.HANDLED
    match decision:
        case Decision.USE:
            return use_denial(s, c, a, k)
        case Decision.DROP:
            return drop_denial(s, c, a, k)
        case Decision.GIVE:
            return any_receiver_denial(s, c, a, k)
        case Decision.WEAR:
            return wear_denial(s, c, a, k)
        case _:
            return opening_denial(s, c, a, k)


@kernel
def decision_of(choice):
    """The question that a choice of the own turn asks."""
    match choice:
        case Turn.USE_ITEM:
            return Decision.USE.value
        case Turn.DROP_ITEM:
            return Decision.DROP.value
        case Turn.GIVE_ITEM:
            return Decision.GIVE.value
        case Turn.WEAR_ITEM:
            return Decision.WEAR.value
        case _:
            return Decision.TAKE.value


@kernel
def menu_denial(s, c, a, choice):
    """R6.11, R7.17, R17.2, R17.5 - is there anything for this choice of Hero a's turn?"""
    if s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if choice == Turn.FIX_ROPE or choice == Turn.TAKE_ROPE:
        return rope_denial(s, c, a, choice == Turn.FIX_ROPE)
    decision = decision_of(choice)
    if decision == Decision.TAKE:
        places = candidate_ground(s, s.ally[a].area)
        return any_denial(s, c, a, decision, places, Denial.NO_SUCH_ITEM)
    known = gear.traits(s, c, a)
    places = candidate_places(s, a, decision, known)
    reason = any_denial(s, c, a, decision, places, Denial.NO_SUCH_ITEM)
    if reason != Denial.NO_SUCH_ITEM and reason != Denial.NO_USE:
        return reason
    return any_denial(s, c, a, decision, gear.places(known, Trait.ITEM) & ~places, reason)


@kernel
def any_denial(s, c, a, decision, places, reason):
    """NONE if one of the places answers; otherwise `reason`, or if that says only that there is
    nothing of use, why not the first place that has something.
    """
    while places != 0:
        k = lowest(places)
        places &= places - 1
        if decision == Decision.TAKE:
            denial = take_denial(s, c, a, k)
        else:
            denial = item_denial(s, c, a, decision, k)
        if denial == Denial.NONE:
            return denial
        plain = reason == Denial.NO_SUCH_ITEM or reason == Denial.NO_USE
        if plain and denial != Denial.NO_SUCH_ITEM:
            reason = denial
    return reason


@kernel
def candidate_places(s, a, decision, known):
    """R6.11, R15.9, R17.1, R17.5 - candidate places for a question about items, as bits.

    known: the traits of the items, from gear.traits.
    """
    ally = s.ally[a]
    match decision:
        case Decision.USE:
            return gear.places(known, Trait.USED)
        case Decision.WEAR:
            return gear.places(known, Trait.WORN)
        case Decision.OPENING:
            return gear.places(known, Trait.RARE)
        case _:  # DROP and GIVE
            kept = gear.places(known, Trait.OWN) | int(ally.handled) | int(ally.worn_out)
            return gear.places(known, Trait.ITEM) & ~kept


@kernel
def candidate_choices(s, c, a):
    """R6.11, R7.17, R17.2, R17.5, R18.8 - candidates among the item choices of Turn, as bits."""
    known = gear.traits(s, c, a)
    area = s.ally[a].area
    free = not placing.is_hindered(s, c, a)
    leaving = candidate_places(s, a, Decision.DROP, known) != 0
    bits = (gear.places(known, Trait.USED) != 0) << Turn.USE_ITEM
    bits |= (gear.places(known, Trait.WORN) != 0) << Turn.WEAR_ITEM
    bits |= leaving << Turn.DROP_ITEM
    bits |= (leaving & free & (s.allies_in[area] > 1)) << Turn.GIVE_ITEM
    bits |= (free & (candidate_ground(s, area) != 0)) << Turn.TAKE_ITEM
    bits |= (s.rope[area] != 0) << Turn.TAKE_ROPE
    if gear.places(known, Trait.RARE) != 0:
        bits |= 1 << Turn.FIX_ROPE
        bits |= OF_PETS if figures.pet_of(s, c, a) >= 0 else 0
    return bits


@kernel
def begin_menu(s, c, choice):
    """Ask which item, or where the rope. Needs menu_denial NONE."""
    a = s.active_ally
    match choice:
        case Turn.USE_ITEM:
            ask(s, Proc.ITEM_USE, Decision.USE, a, -1)
        case Turn.DROP_ITEM:
            ask(s, Proc.ITEM_DROP, Decision.DROP, a, -1)
        case Turn.TAKE_ITEM:
            ask(s, Proc.ITEM_TAKE, Decision.TAKE, a, -1)
        case Turn.GIVE_ITEM:
            ask(s, Proc.ITEM_GIVE, Decision.GIVE, a, -1)
        case Turn.WEAR_ITEM:
            ask(s, Proc.ITEM_WEAR, Decision.WEAR, a, -1)
        case _:
            fixes = choice == Turn.FIX_ROPE
            ask(s, Proc.ROPE_TO, Decision.ROPE, a, FIX_ROPE if fixes else TAKE_ROPE)
            s.options = rope_areas(s, c, a, fixes)


@kernel
def run_choice(s, c, proc):
    """The player has named the item."""
    a = int(s.asked)
    k = take_answer(s)
    match proc:
        case Proc.ITEM_USE:
            use(s, c, a, k)
        case Proc.ITEM_DROP:
            drop(s, c, a, k)
        case Proc.ITEM_TAKE:
            take(s, c, a, k)
        case Proc.ITEM_WEAR:
            wear(s, c, a, k)
        case _:
            ask(s, Proc.ITEM_GIVE_TO, Decision.GIVE_TO, a, k)


@kernel
def run_give_to(s, c):
    """R17.5 - the player has named who receives the item."""
    give(s, c, int(s.asked), int(s.subject), take_answer(s))
