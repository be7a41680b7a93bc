"""Section 7 up to R7.29, R6.5, R6.6, R6.10: how Allies move, fall and climb.

The tasks of a step (Q54): Provoke in the area left, the figure is placed, the fall, the story
point, the trap.
"""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from ..actions import Block
from ..layout import N_ALLIES
from ..terms import Ability, Border, Condition, Decision, Denial, Event, Kind, Movement, Proc, Way
from . import (
    checks,
    condition,
    enemy_pool,
    entry,
    gear,
    lock,
    placing,
    provoke,
    stamina,
    teleport,
    wound,
)


@kernel
def in_turn(s, a):
    """Whether ally a is in its own turn, so that actions and maneuvers are counted (R6.1)."""
    return s.active_ally == a


@kernel
def maneuver_denial(s, a):
    """R6.1, R6.2 - may ally a begin a maneuver? None begins in the middle of a move."""
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    if s.move.going_on:
        return Denial.MOVE_GOING_ON
    if in_turn(s, a) and s.maneuvers <= 0:
        return Denial.NO_MANEUVER_LEFT
    return Denial.NONE


@kernel
def use_maneuver(s, a):
    """R6.1 - one maneuver of the turn is used."""
    if in_turn(s, a):
        s.maneuvers -= 1


@kernel
def move_denial(s, c, a, paid):
    """R6.5, R12.6 - may ally a begin a move maneuver, in its free or its paid version?"""
    denial = maneuver_denial(s, a)
    if denial != Denial.NONE:
        return denial
    if condition.holds(s.ally[a], Condition.HELD):
        return Denial.HELD
    if not paid:
        return Denial.NONE
    if s.ally[a].kind != Kind.HERO or c.sheet[a].move_paid <= 0:
        return Denial.NO_SUCH_ACTION  # R18.1: a Non-Hero Ally has one move
    return stamina.spend_denial(s, a, c.sheet[a].move_cost)


@kernel
def begin_maneuver_move(s, c, a, paid):
    """R6.5, R12.4 - pay, and move with the points of the version chosen. Needs move_denial NONE."""
    use_maneuver(s, a)
    sheet = c.sheet[a]
    points = sheet.move_free
    if paid:
        stamina.spend(s, a, sheet.move_cost)
        points = sheet.move_paid
    points += lock.move(s, c, a)
    if condition.holds(s.ally[a], Condition.SLOWED):
        points -= 1
        condition.discard_ally(s, a, Condition.SLOWED)
    begin_move(s, a, Movement.MANEUVER, max(0, points - wound.injury_move(s, c, a)))


@kernel
def begin_move(s, a, kind, points):
    """R6.6 - ally a moves with so many points, step by step."""
    move = s.move
    move.ally = a
    move.kind = kind
    move.points = points
    move.going_on = 1
    move.gem_used = 0
    move.stopped = 0
    log(s, Event.MOVE, a, points, kind)
    push(s, Proc.MOVE_NEXT)


@kernel
def run_move_next(s, c):
    """R6.6, R3.24 - ask for the next step until points or will are used up [P6]."""
    move = s.move
    if answered(s):
        if choose_step(s):
            return
    goes_on = not move.stopped and placing.ally_stands(s, move.ally)
    if goes_on and (move.points > 0 or gem_denial(s) == Denial.NONE):
        ask(s, Proc.MOVE_NEXT, Decision.STEP, move.ally, -1)
    else:
        move.going_on = 0


@kernel
def choose_step(s):
    """Take the answer to STEP. -> whether nothing is to be asked now."""
    move = s.move
    block = s.block
    index = take_answer(s)
    if block == Block.DONE:
        move.going_on = 0
        return True
    if block == Block.YES:
        checks.use_achievement(s, move.ally)
        move.gem_used = 1
        move.points += 1
        return False
    push(s, Proc.MOVE_NEXT)
    move.points -= 1
    if block == Block.CLIMB:
        begin_climb(s, index)
    elif block == Block.PORTAL:
        begin_step(s, index, Way.TOKEN)
    else:
        begin_step(s, index, Way.WALK)
    return True


@kernel
def gem_denial(s):
    """R3.24 - may an Achievement gem add a movement point to this maneuver or Rethink?"""
    if s.move.kind == Movement.EFFECT or s.move.gem_used:
        return Denial.ALREADY_CHOSEN
    return Denial.NONE if s.ally[s.move.ally].achievement > 0 else Denial.NO_GEM


@kernel
def ways(c, here, fly):
    """R7.1, R7.12, R7.18, R7.21 - bits of the areas into which a walker or flyer may step."""
    bits = int(c.single[here]) | int(c.down[here])
    return bits | int(c.up[here]) if fly else bits


@kernel
def border_denial(c, here, to, fly):
    """R7.1, R7.12, R7.18, R7.21 - does the border let a walker or flyer through?"""
    if (ways(c, here, fly) >> to) & 1:
        return Denial.NONE
    if c.border[here, to] == Border.BARRIER:
        return Denial.BARRIER
    return Denial.HEIGHT if c.border[here, to] == Border.DOUBLE_UP else Denial.NOT_ADJACENT


@kernel
def step_denial(s, c, to):
    """R7.1 to R7.19 - may the moving Ally step into area `to`?"""
    a = s.move.ally
    if s.move.points <= 0:
        return Denial.NO_POINTS
    if to >= c.n_areas:
        return Denial.NOT_ADJACENT
    fly = lock.flies(s, c, a)
    denial = border_denial(c, s.ally[a].area, to, fly)
    if denial != Denial.NONE:
        return denial
    return room_denial(s, c, a, to, fly)


@kernel
def room_denial(s, c, a, to, fly):
    """R7.5, R7.19 [Q46] - has the area room, or may it be passed through?"""
    if c.capacity[to] == 0 and not fly:
        return Denial.NO_CAPACITY
    size = int(c.sheet[a].size)
    if placing.has_room(s, c, to, size):
        return Denial.NONE
    if s.enemies_in[to] > 0:
        return Denial.AREA_FULL
    if can_leave(s, c, a, to, s.move.points - 1, fly):
        return Denial.NONE
    if c.capacity[to] > 0 and may_move_again(s, a):
        return Denial.NONE
    return Denial.MUST_LEAVE


@kernel
def may_move_again(s, a):
    """Q46 - in its own turn the Ally still has a maneuver or an unused action."""
    return in_turn(s, a) and (s.maneuvers > 0 or s.actions > 0)


@kernel
def can_leave(s, c, a, area, points, fly):
    """R7.5 - from `area`, do so many points lead ally a to an area with room?

    On foot, falling, flying or by teleport token; a rope is too uncertain.
    """
    here = s.ally[a].area
    size = int(c.sheet[a].size)
    seen = 1 << int(area)
    front = seen
    for _ in range(points):
        reached = 0
        while front != 0:
            x = lowest(front)
            front &= front - 1
            walks = ways(c, x, fly)
            next_to = (walks | teleport.led_to(s, c, x)) & ~seen
            while next_to != 0:
                y = lowest(next_to)
                next_to &= next_to - 1
                if s.used[y] + (0 if y == here else size) <= c.capacity[y]:
                    return True
                empty = s.enemies_in[y] == 0 and (c.capacity[y] > 0 or fly)
                if empty if (walks >> y) & 1 else c.capacity[y] >= size:
                    reached |= 1 << y
        seen |= reached
        front = reached
    return False


@kernel
def token_denial(s, c, to):
    """R7.46 to R7.48 [Q46] - may the moving Ally go by teleport token to area `to` for 1 point?"""
    move = s.move
    a = move.ally
    if move.points <= 0:
        return Denial.NO_POINTS
    if to >= c.n_areas or not teleport.leads_to(s, c, s.ally[a].area, to):
        return Denial.NO_TELEPORT_TOKEN
    size = int(c.sheet[a].size)
    denial = teleport.fits_denial(c, to, size)
    if denial != Denial.NONE or placing.has_room(s, c, to, size):
        return denial
    if can_leave(s, c, a, to, move.points - 1, lock.flies(s, c, a)):
        return Denial.NONE
    return Denial.NONE if may_move_again(s, a) else Denial.MUST_LEAVE


@kernel
def stop_denial(s, c):
    """R7.5, R7.19 [Q46] - may the moving Ally end its movement where it is?"""
    a = s.move.ally
    here = s.ally[a].area
    if s.used[here] <= c.capacity[here]:
        return Denial.NONE
    if c.capacity[here] > 0 and may_move_again(s, a):
        return Denial.NONE
    for to in range(c.n_areas):
        if step_denial(s, c, to) == Denial.NONE or climb_denial(s, c, to) == Denial.NONE:
            return Denial.MUST_LEAVE
        if token_denial(s, c, to) == Denial.NONE:
            return Denial.MUST_LEAVE
    return Denial.NONE  # it cannot go on: R7.8 puts it back at the end of its turn


@kernel
def climb_denial(s, c, to):
    """R7.17 - may the moving Ally try to climb a fixed rope to area `to`?"""
    here = s.ally[s.move.ally].area
    if s.move.points <= 0:
        return Denial.NO_POINTS
    if to >= c.n_areas or (s.rope[here] >> to) & 1 == 0:
        return Denial.NO_ROPE
    return room_denial(s, c, s.move.ally, to, False)


@kernel
def begin_climb(s, to):
    """R7.17 - an Agility check for each attempt; a failed one costs its point and stays."""
    s.move.to = to
    s.move.way = Way.CLIMB_CHECK
    push(s, Proc.STEP_CLIMB)


@kernel
def run_climb(s, c):
    """R7.17 - after the check: climb, or stay."""
    move = s.move
    if move.way == Way.CLIMB_CHECK:
        move.way = Way.CLIMB
        push(s, Proc.STEP_CLIMB)
        checks.begin_active_check(s, c, move.ally, Ability.AGILITY, c.climb_number)
    elif s.check.success:
        begin_step(s, move.to, Way.CLIMB)
    else:
        move.way = Way.WALK


@kernel
def fix_rope_denial(s, c, a, to, item):
    """R7.17 - may Hero a begin to fix Hook & Rope, its item, at the double line to area `to`?"""
    denial = maneuver_denial(s, a)
    if denial != Denial.NONE:
        return denial
    if s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    border = c.border[s.ally[a].area, to]
    if border != Border.DOUBLE_DOWN and border != Border.DOUBLE_UP:
        return Denial.NOT_ADJACENT
    return Denial.NONE if item >= 0 and gear.find(s, a, item) >= 0 else Denial.NO_ROPE


@kernel
def begin_fix_rope(s, c, a, to, item):
    """R7.17 - a maneuver; from the low side an Agility check comes first."""
    use_maneuver(s, a)
    move = s.move
    move.ally = a
    move.to = to
    move.item = item
    if c.border[s.ally[a].area, to] == Border.DOUBLE_UP:
        push(s, Proc.ROPE_FIXED)
        checks.begin_active_check(s, c, a, Ability.AGILITY, c.rope_number)
    else:
        fix_rope(s, c, a, to, item)


@kernel
def run_rope_fixed(s, c):
    """R7.17 - after the check: the rope is fixed, or the item stays for another try."""
    move = s.move
    s.result = 0
    if s.check.success:
        fix_rope(s, c, move.ally, move.to, move.item)


@kernel
def fix_rope(s, c, a, to, item):
    """R7.17 - the item is discarded, the rope hangs between the two areas; s.result is 1."""
    here = int(s.ally[a].area)
    gear.remove(s, c, a, gear.find(s, a, item))
    s.rope[here] |= 1 << int(to)
    s.rope[to] |= 1 << here
    s.result = 1
    log(s, Event.ROPE, a, 1, to)


@kernel
def take_rope_denial(s, c, a, to):
    """R7.17, R13.2 - may Hero a take back the rope between its area and `to` as an item?"""
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    if s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if (s.rope[s.ally[a].area] >> to) & 1 == 0:
        return Denial.NO_ROPE
    if placing.is_hindered(s, c, a):
        return Denial.HINDERED
    return Denial.NONE if gear.find(s, a, -1) >= 0 else Denial.TOO_MUCH


@kernel
def take_rope(s, a, to, item):
    """R7.17 - the rope becomes an item of Hero a. Needs take_rope_denial NONE."""
    here = int(s.ally[a].area)
    s.rope[here] &= ~(1 << int(to))
    s.rope[to] &= ~(1 << here)
    gear.put(s, a, item)
    log(s, Event.ROPE, a, 0, to)


@kernel
def begin_leap(s, a, to, way):
    """R7.30, R7.38 - ally a jumps or teleports; what follows is that of a step (Q53)."""
    move = s.move
    move.ally = a
    move.kind = Movement.EFFECT
    move.points = 0
    move.stopped = 0
    begin_step(s, to, way)


@kernel
def begin_step(s, to, way):
    """Q54 - one step into area `to`: Provoke, place, fall, story point, trap.

    Who teleports draws no Provoke (R7.41).
    """
    s.move.to = to
    s.move.way = way
    push(s, Proc.STEP_FALL)
    push(s, Proc.STEP_PLACE)
    if way != Way.TELEPORT and way != Way.TOKEN:
        push(s, Proc.STEP_PROVOKE)


@kernel
def run_step_provoke(s, c):
    """R8.1 to R8.11 - each Enemy that covers the area left provokes, one after another."""
    move = s.move
    a = move.ally
    if not placing.ally_stands(s, a):
        return
    if answered(s):
        points = take_answer(s)
        s.ally[a].evade -= points
        s.ally[a].evaded += points
        push(s, Proc.STEP_PROVOKE)
        provoke.suffer(s, c, a, move.provoker, points)
        return
    e = provoke.next_provoker(s, c, a)
    if e < 0:
        return
    s.ally[a].provoked |= 1 << e
    log(s, Event.PROVOKE, a, e, -1)
    move.provoker = e
    limit = provoke.evade_limit(s, c, a, e)
    if limit > 0:
        ask(s, Proc.STEP_PROVOKE, Decision.EVADE, a, e)
        s.limit = limit
    else:
        push(s, Proc.STEP_PROVOKE)
        provoke.suffer(s, c, a, e, 0)


@kernel
def run_step_place(s, c):
    """R8.11 [Q7], R8.12, R7.13 - the figure is placed, unless Provoke exhausted it.

    Nor is it if Provoke has broken the lock that let it fly there (R14.8).
    """
    move = s.move
    a = move.ally
    move.fall = 0
    fly = lock.flies(s, c, a)
    here = s.ally[a].area
    if not placing.ally_stands(s, a) or (not fly and needs_fly(c, here, move.to, move.way)):
        move.stopped = 1
        return
    move.fall = is_fall(c, here, move.to, move.way) and not fly
    log(s, Event.STEP, a, move.way, move.to)
    placing.lift_ally(s, c, a)
    placing.put_ally(s, c, a, move.to)


@kernel
def needs_fly(c, here, to, way):
    """R7.12, R7.19, R7.35 - does this way lead only flyers from one area into the other?"""
    if way == Way.WALK:
        return c.border[here, to] == Border.DOUBLE_UP or c.capacity[to] == 0
    return way == Way.JUMP and c.level[to] > c.level[here]


@kernel
def is_fall(c, here, to, way):
    """R7.13, R7.16, R7.36, R7.44 - does this way from one area to another end in a fall?"""
    if way == Way.WALK:
        return c.border[here, to] == Border.DOUBLE_DOWN
    return way == Way.JUMP and c.level[to] < c.level[here]


@kernel
def run_step_fall(s, c):
    """R7.15, then R7.53: the fall effect, and what the area does to whoever enters."""
    a = s.move.ally
    if s.move.stopped:
        return
    s.move.way = Way.WALK
    entry.begin_ally(s, c, a)
    if s.move.fall:
        begin_fall(s, c, a)


@kernel
def begin_fall(s, c, a):
    """R7.15 [Q5, Q43] - an Ally falls: a reactive check against the fall's value."""
    log(s, Event.FALL, a, -1, -1)
    push(s, Proc.FALL_HIT)
    checks.begin_reactive_check(s, c, a, c.fall_ability, c.fall_value)


@kernel
def run_fall_hit(s, c):
    """R7.15 - what the check leaves is damage."""
    push(s, Proc.FALL_CONDITION)
    stamina.damage(s, c, s.check.ally, s.check.remaining)


@kernel
def run_fall_condition(s, c):
    """R7.15 [Q43] - the condition of a fall needs damage that got through."""
    if s.check.remaining > 0:
        condition.gain_ally(s, c, s.check.ally, c.fall_condition)


@kernel
def fall_enemy(s, c, e):
    """R7.15 [Q43] - an Enemy falls: damage without shield, and the condition.

    The defeat box of one that falls to its end waits for whoever pushed it (Q47).
    """
    if not s.enemy[e].fly:
        log(s, Event.FALL, N_ALLIES + e, -1, -1)
        enemy_pool.harm(s, c, e, c.fall_damage_enemy)
        condition.gain_enemy(s, e, c.fall_condition)
