"""R10.4 to R10.19: an Enemy's turn: snake, move, attack, horns."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from .. import chance
from ..layout import N_ALLIES, N_AREAS
from ..terms import Condition, Decision, Denial, Event, Op, Proc, Way, Will
from . import aim, condition, ending, enemy_attack, enemy_pool, entry, figures, placing, teleport

FAR = 1000  # more movement points than any way takes
BLEEDING_DAMAGE = 1  # R12.3


@kernel
def begin_turn(s, e, eye, horns, snake):
    """R10.4 to R10.9 - enemy e takes its turn with the eye, horns and snake of its bar."""
    turn = s.turn
    turn.enemy = e
    turn.eye = eye
    turn.horns = horns
    turn.snake = snake
    turn.acted = 0
    turn.moved = 0
    turn.fly = 0
    turn.n_path = 0
    turn.n_walked = 0
    turn.next = 0
    s.strike.n_targets = 0
    log(s, Event.TURN, N_ALLIES + e, eye + 4 * horns + 8 * snake, -1)
    s.active_enemy = e
    push(s, Proc.ENEMY_END)
    push(s, Proc.ENEMY_START)


@kernel
def run_start(s, c):
    """R10.9, R10.10, R10.11 [Q50] - who takes no turn; Bleeding."""
    e = s.turn.enemy
    enemy = s.enemy[e]
    if enemy.spawned or enemy.acted:
        return
    enemy.acted = 1
    chance.begin_turn(s, N_ALLIES + e)
    if condition.holds(enemy, Condition.STUNNED):
        condition.discard_enemy(s, e, Condition.STUNNED)
        return
    if condition.holds(enemy, Condition.BLEEDING):
        enemy_pool.damage(s, c, e, BLEEDING_DAMAGE)
        if not placing.enemy_stands(s, e):
            return
    s.turn.acted = 1
    log(s, Event.ENEMY_ACTS, N_ALLIES + e, s.turn.eye + 4 * s.turn.horns + 8 * s.turn.snake, -1)
    push(s, Proc.ENEMY_HORNS)
    push(s, Proc.ENEMY_STRIKE)
    push(s, Proc.ENEMY_PLAN)
    if s.turn.horns and horns_bring_snake(s, c):
        s.turn.snake = 1
    if s.turn.snake:
        push(s, Proc.ENEMY_SNAKE)


@kernel
def horns_bring_snake(s, c):
    """R10.37 [P41] - do the horns beside this turn's action say "its snake ability as well"?"""
    kind = c.type[s.enemy[s.turn.enemy].type]
    first = kind.horns_first[s.turn.eye]
    for k in range(first, first + kind.horns_n[s.turn.eye]):
        if c.effect[k].op == Op.SNAKE:
            return True
    return False


@kernel
def run_snake(s, c):
    """R10.6, R10.8 - the parts of the snake ability that come before the action."""
    turn = s.turn
    kind = c.type[s.enemy[turn.enemy].type]
    while turn.next < kind.snake_n and placing.enemy_stands(s, turn.enemy):
        row = c.effect[kind.snake_first + turn.next]
        turn.next += 1
        if row.op == Op.FLY:
            turn.fly = 1
        elif row.op == Op.STRIKE:
            push(s, Proc.ENEMY_SNAKE)
            enemy_attack.load(s, c, turn.enemy, row.a)
            enemy_attack.begin(s, False)
            return
        elif row.op == Op.SPAWN:
            push(s, Proc.ENEMY_SNAKE)
            enemy_pool.begin_spawn(s, row.a, s.enemy[turn.enemy].area, row.amount)
            return
        elif row.op == Op.SET_TRAP:
            push(s, Proc.ENEMY_SNAKE)
            set_trap(s, c, row.range)
            return
        else:
            do_self(s, c, row.op, row.amount)


@kernel
def do_self(s, c, op, amount):
    """R10.37 - what an Enemy does by itself: heal, heal to full, suffer, tokens."""
    e = s.turn.enemy
    if op == Op.ENEMY_HEAL:
        enemy_pool.heal(s, e, amount if amount >= 0 else s.enemy[e].full)
    elif op == Op.ENEMY_SELF:
        enemy_pool.damage(s, c, e, amount)
    elif op == Op.STORY_TOKEN and placing.enemy_stands(s, e):
        enemy_pool.put_story_tokens(s, c, e, amount)


@kernel
def set_trap(s, c, reach):
    """R10.38 - the Enemy sets a trap as near to an Ally as possible."""
    places = entry.trap_places(s, c, s.enemy[s.turn.enemy].area, reach)
    entry.begin_set(s, -1, entry.nearest_to_ally(s, c, places))


@kernel
def run_horns(s, c):
    """R10.7, R10.8 - the parts of horns that come after the action."""
    turn = s.turn
    if not turn.horns or not placing.enemy_stands(s, turn.enemy):
        return
    kind = c.type[s.enemy[turn.enemy].type]
    first = kind.horns_first[turn.eye]
    for k in range(first, first + kind.horns_n[turn.eye]):
        do_self(s, c, c.effect[k].op, c.effect[k].amount)
        if c.effect[k].op == Op.SPAWN and placing.enemy_stands(s, turn.enemy):
            enemy_pool.begin_spawn(s, c.effect[k].a, s.enemy[turn.enemy].area, c.effect[k].amount)
        if c.effect[k].op == Op.SET_TRAP and placing.enemy_stands(s, turn.enemy):
            set_trap(s, c, c.effect[k].range)


@kernel
def load_action(s, c):
    """R10.6, R10.7, R10.18 - this turn's attack and movement points, with horns and snake.

    -> movement points of the card
    """
    turn = s.turn
    kind = c.type[s.enemy[turn.enemy].type]
    row = kind.strike[turn.eye]
    if row >= 0:
        enemy_attack.load(s, c, turn.enemy, row)
    else:
        enemy_attack.load_melee(s, turn.enemy)
    points = int(kind.move[turn.eye])
    if turn.snake:
        points += add_rows(s, c, kind.snake_first, kind.snake_n)
    if turn.horns:
        points += add_rows(s, c, kind.horns_first[turn.eye], kind.horns_n[turn.eye])
    return points


@kernel
def add_rows(s, c, first, n):
    """Additions of effect rows to the attack loaded. -> movement points added"""
    points = 0
    for k in range(first, first + n):
        row = c.effect[k]
        if row.op == Op.ADD_MOVE:
            points += row.amount
        elif row.op == Op.FLY:
            s.turn.fly = 1
        else:
            enemy_attack.add(s, row.op, row.amount, row.a)
    return points


@kernel
def teleport_reach(s, c):
    """R10.37 - areas that this turn's snake and horns let the Enemy teleport; 0 = it does not."""
    turn = s.turn
    kind = c.type[s.enemy[turn.enemy].type]
    reach = 0
    if turn.snake:
        reach = longest(c, kind.snake_first, kind.snake_n)
    if turn.horns:
        reach = max(reach, longest(c, kind.horns_first[turn.eye], kind.horns_n[turn.eye]))
    return reach


@kernel
def longest(c, first, n):
    """The longest teleport among effect rows; 0 = none."""
    reach = 0
    for k in range(first, first + n):
        if c.effect[k].op == Op.ENEMY_TELEPORT:
            reach = max(reach, int(c.effect[k].range))
    return reach


# ---- ways ---------------------------------------------------------------------------------------
@kernel
def beside(c, areas, fly):
    """R7.12, R7.18 - bits of the areas a line away from any of these, for walkers or flyers."""
    found = 0
    while areas != 0:
        x = lowest(areas)
        areas &= areas - 1
        found |= int(c.single[x])
        if fly:
            found |= int(c.down[x]) | int(c.up[x])
    return found


@kernel
def open_areas(s, c, e, fly):
    """R7.5, R7.19 - bits of the areas that enemy e may enter as far as dots and size go."""
    bits = int(c.fits[c.type[s.enemy[e].type].size])
    return bits | int(c.fits[0]) & ~int(c.fits[1]) if fly else bits


@kernel
def rooms(s, c, e):
    """R7.6, R7.7, R10.16, R10.17 - bits of the areas that have room for enemy e, in which it may
    end, and of those that it may pass: these, and where no Ally is.

    Of all areas at once and without a jump: one after the other, nothing foresees them.
    """
    size, here = c.type[s.enemy[e].type].size, int(s.enemy[e].area)
    ends, empty = 0, 0
    for x in range(N_AREAS):
        used = s.used[x] - (size if x == here else 0)  # by others
        ends |= int(used + size <= c.capacity[x]) << x
        empty |= int(s.allies_in[x] == 0) << x
    return ends, ends | empty


@kernel
def in_reach(s, c, e, points, fly):
    """R10.13, R10.16 - bits of the areas that enemy e can go to with these points and end in."""
    ends, passes = rooms(s, c, e)
    inside = open_areas(s, c, e, fly) & passes
    front = 1 << int(s.enemy[e].area)
    seen = front
    for _ in range(points):
        front = beside(c, front, fly) & inside & ~seen
        seen |= front
        if front == 0:
            break
    return seen & ends


@kernel
def back(c, inside, passes, fly, goal, areas):
    """R10.17 - bits of the areas one step before any of these on ways to `goal`, over areas that
    are open (inside) and, but for the goal, may be passed.
    """
    return beside(c, areas & inside & (passes | 1 << goal), fly)


@kernel
def best_taunt(s, c, e, here):
    """R10.13 - highest Taunt of those that enemy e can attack from `here`; -1 = nobody."""
    return best_taunt_of(s, c, e, here, aim.visible_allies(s))


@kernel
def best_taunt_of(s, c, e, here, allies):
    """R10.13 - highest Taunt of those of these Allies, bits, that enemy e can attack; -1 = none."""
    best = -1
    while allies != 0:
        a = lowest(allies)
        allies &= allies - 1
        if enemy_attack.band_denial(s, c, e, here, s.ally[a].area) == Denial.NONE:
            best = max(best, int(c.sheet[a].taunt))
    return best


@kernel
def best_places(s, c, e, areas):
    """R10.13 [P5] - bits of these areas from which enemy e can attack the highest Taunt."""
    allies = aim.visible_allies(s)
    best, taunt = 0, -1
    while areas != 0:
        x = lowest(areas)
        areas &= areas - 1
        t = best_taunt_of(s, c, e, x, allies)
        if t > taunt:
            best, taunt = 0, t
        if t >= 0 and t == taunt:
            best |= 1 << x
    return best


@kernel
def destinations(s, c, e, fly):
    """R10.13 - bits of the best areas to attack from: fewest points, then highest Taunt [P5]."""
    ends, passes = rooms(s, c, e)
    inside = open_areas(s, c, e, fly) & passes
    front = 1 << int(s.enemy[e].area)
    seen = front
    while front != 0:
        best = best_places(s, c, e, front & ends)
        if best != 0:
            return best
        front = beside(c, front, fly) & inside & ~seen
        seen |= front
    return 0


@kernel
def stops(s, c, e, places, fly, goal):
    """R10.14 [Q49] - bits of these areas from which the goal is nearest; 0 = stay."""
    _, passes = rooms(s, c, e)
    inside = open_areas(s, c, e, fly)
    front = 1 << goal
    seen = front
    while front != 0 and (front >> int(s.enemy[e].area)) & 1 == 0:
        if front & places != 0:
            return front & places
        front = back(c, inside, passes, fly, goal, front) & ~seen
        seen |= front
    return 0


@kernel
def nearer_area(s, c, e, places, fly):
    """R10.19 [Q14, Q65] - the area of these bits that is nearest to an Ally, if nearer than where
    enemy e stands; else -1. Lines are counted that it could walk or fly over, whoever stands there,
    but not through areas too small for it [P49].
    """
    inside = open_areas(s, c, e, fly)
    here = 1 << int(s.enemy[e].area)
    best, distance, taunt, start = -1, FAR, -1, FAR
    for a in range(N_ALLIES):
        if aim.is_hidden(s, a):
            continue
        there = 1 << int(s.ally[a].area)
        front = seen = there
        steps = 0
        while front != 0 and front & (places | here) == 0:
            front = beside(c, front & (inside | there), fly) & ~seen
            seen |= front
            steps += 1
        if front & here != 0:
            start = min(start, steps)
        x, t = lowest(front & places), int(c.sheet[a].taunt)
        if x < 0 or steps > distance:
            continue
        if steps < distance or t > taunt or (t == taunt and x < best):
            best, distance, taunt = x, steps, t
    return best if distance < start else -1


@kernel
def landings(s, c, e, n):
    """R7.38, R7.42 - bits of the areas that enemy e can teleport to, n areas away, and end in."""
    here, size = s.enemy[e].area, c.type[s.enemy[e].type].size
    ends, _ = rooms(s, c, e)
    bits = 0
    for x in range(c.n_areas):
        if (ends >> x) & 1 and teleport.teleport_denial(c, here, x, size, n) == Denial.NONE:
            bits |= 1 << x
    return bits


@kernel
def best_landings(s, c, e, n):
    """R10.37 [P40] - bits of where enemy e would teleport: where it can attack the highest Taunt,
    else where it is nearer to an Ally; 0 = it does not teleport.
    """
    places = landings(s, c, e, n)
    best = best_places(s, c, e, places)
    if best == 0:
        area = nearer_area(s, c, e, places, s.turn.fly)
        best = 1 << area if area >= 0 else 0
    return best


@kernel
def run_plan(s, c):
    """R10.12 to R10.19b - decide where to go; the players choose among equals."""
    turn = s.turn
    e = turn.enemy
    if not placing.enemy_stands(s, e):
        return
    if answered(s):
        turn.destination = take_answer(s)
        head_for(s, c)
        return
    turn.points = load_action(s, c)
    turn.fly |= s.enemy[e].fly
    if aim.visible_allies(s) == 0:
        return  # Q31
    if c.enemy_will == Will.FREE:
        plan_freely(s, c)
        return
    if best_taunt(s, c, e, s.enemy[e].area) >= 0:
        return  # R10.12: in position [Q15, Q37]
    if teleports(s, c) or turn.points == 0 or is_held(s, e):
        return
    slow_down(s, e)
    best = destinations(s, c, e, turn.fly)
    if best == 0:
        places = in_reach(s, c, e, turn.points, turn.fly)
        turn.destination = nearer_area(s, c, e, places, turn.fly)
        go(s, c, turn.destination)
        return
    turn.destination = lowest(best)
    if best != 1 << int(turn.destination):
        ask(s, Proc.ENEMY_PLAN, Decision.ENEMY_DESTINATION, -1, e)
        s.options = best
        return
    head_for(s, c)


@kernel
def is_held(s, e):
    """R10.19b - is enemy e kept from moving? Then Held goes."""
    if not condition.holds(s.enemy[e], Condition.HELD):
        return False
    condition.discard_enemy(s, e, Condition.HELD)
    return True


@kernel
def slow_down(s, e):
    """R10.19b - Slowed takes a point of enemy e's move and goes."""
    if condition.holds(s.enemy[e], Condition.SLOWED):
        s.turn.points -= 1
        condition.discard_enemy(s, e, Condition.SLOWED)


@kernel
def teleports(s, c):
    """R10.37 [P40] - the Enemy teleports, instead of walking, if it gains by it -> does it?"""
    e = s.turn.enemy
    reach = teleport_reach(s, c)
    best = best_landings(s, c, e, reach) if reach > 0 else 0
    if best == 0:
        return False
    area = enemy_pool.pick(s, Proc.ENEMY_TELEPORT, Decision.ENEMY_DESTINATION, -1, e, best)
    if area >= 0:
        teleport.teleport_enemy(s, c, e, area)
    return True


@kernel
def run_teleport(s, c):
    """R10.37 - the area to teleport to is chosen."""
    teleport.teleport_enemy(s, c, s.turn.enemy, take_answer(s))


@kernel
def plan_freely(s, c):
    """Free will - any area that the Enemy can reach this turn and end in, its own included."""
    e = s.turn.enemy
    here = int(s.enemy[e].area)
    options = free_options(s, c, e) | 1 << here
    if options == 1 << here:
        stay(s, c)
    else:
        ask(s, Proc.ENEMY_ROAM, Decision.ENEMY_DESTINATION, -1, e)
        s.options = options


@kernel
def stay(s, c):
    """R10.19b - Held, else Slowed, goes from who would have had to move; not if it teleports."""
    e = s.turn.enemy
    if s.turn.points <= 0 or aim.visible_allies(s) == 0:
        return
    if best_taunt(s, c, e, s.enemy[e].area) < 0 and not is_held(s, e):
        slow_down(s, e)


@kernel
def free_options(s, c, e):
    """Free will - bits of the areas that enemy e can walk or teleport to and end in."""
    turn = s.turn
    points = turn.points - condition.holds(s.enemy[e], Condition.SLOWED)
    bits = 0
    if points > 0 and not condition.holds(s.enemy[e], Condition.HELD):
        bits = in_reach(s, c, e, points, turn.fly)
    reach = teleport_reach(s, c)
    return bits | (landings(s, c, e, reach) if reach > 0 else 0)


@kernel
def run_roam(s, c):
    """Free will - go where it was decided; who can teleport there does not walk."""
    turn = s.turn
    e = turn.enemy
    turn.destination = take_answer(s)
    reach = teleport_reach(s, c)
    if turn.destination == s.enemy[e].area:
        stay(s, c)
        return
    if reach > 0 and (landings(s, c, e, reach) >> int(turn.destination)) & 1:
        teleport.teleport_enemy(s, c, e, turn.destination)
        return
    slow_down(s, e)
    go(s, c, turn.destination)


@kernel
def head_for(s, c):
    """R10.14 - go to the destination, or as near as the points allow."""
    turn = s.turn
    e = turn.enemy
    goal = int(turn.destination)
    places = in_reach(s, c, e, turn.points, turn.fly)
    if (places >> goal) & 1:
        go(s, c, goal)
        return
    best = stops(s, c, e, places, turn.fly, goal)
    area = enemy_pool.pick(s, Proc.ENEMY_STOP, Decision.ENEMY_STOP, -1, e, best)
    if area >= 0:
        go(s, c, area)


@kernel
def run_stop(s, c):
    """Q49 - the players have chosen where a move that falls short ends."""
    go(s, c, take_answer(s))


@kernel
def next_areas(s, c, e, fly, here, goal):
    """R10.13 - bits of the areas with which enemy e goes from `here` to `goal` soonest."""
    _, passes = rooms(s, c, e)
    inside = open_areas(s, c, e, fly)
    front = 1 << goal
    seen = front
    while front != 0:
        before = back(c, inside, passes, fly, goal, front)
        if (before >> here) & 1:
            break
        front = before & ~seen
        seen |= front
    return front & beside(c, 1 << here, fly) & inside & (passes | 1 << goal)


@kernel
def go(s, c, area):
    """Lay the way to `area`: fewest points, each step over the lowest area number [P1].

    A position that was read from bytes may offer areas to which there is no way: it then stays.
    """
    turn = s.turn
    e = turn.enemy
    turn.n_path = 0
    turn.next = 0
    if area < 0 or area == s.enemy[e].area:
        return
    here = int(s.enemy[e].area)
    while here != area:
        here = lowest(next_areas(s, c, e, turn.fly, here, int(area)))
        if here < 0:
            turn.n_path = 0
            return
        turn.path[turn.n_path] = here
        turn.n_path += 1
    push(s, Proc.ENEMY_STEP)


@kernel
def is_way_free(s, c, e, area):
    """R10.16, R10.17 - may enemy e still go into the next area of its way? A section that it has
    set off may have filled that area.
    """
    last = s.turn.next + 1 == s.turn.n_path
    ends, passes = rooms(s, c, e)
    return ((ends if last else passes) >> area) & 1 == 1


@kernel
def run_step(s, c):
    """R10.4, Q54 - one step of the way: place, then story point and trap."""
    turn = s.turn
    e = turn.enemy
    if turn.next >= turn.n_path or not placing.enemy_stands(s, e):
        return
    area = int(turn.path[turn.next])
    if not is_way_free(s, c, e, area):
        return
    figures.harm_leaving(s, c, e)
    if not placing.enemy_stands(s, e):
        return
    turn.next += 1
    turn.n_walked = turn.next
    turn.moved = 1
    push(s, Proc.ENEMY_STEP)
    log(s, Event.STEP, N_ALLIES + e, Way.WALK, area)
    placing.lift_enemy(s, c, e)
    placing.put_enemy(s, c, e, area)
    entry.begin_enemy(s, e)


@kernel
def run_strike(s, c):
    """R10.4, Q66 - after the whole move the whole attack, its target chosen again."""
    e = s.turn.enemy
    if not placing.enemy_stands(s, e):
        return
    if c.type[s.enemy[e].type].strike[s.turn.eye] < 0:
        return
    load_action(s, c)
    enemy_attack.begin(s, False)


@kernel
def run_end(s, c):
    """R12.3, R7.8 - the turn is over: Bleeding goes if it did not move; put back if too many."""
    turn = s.turn
    e = turn.enemy
    s.active_enemy = -1
    log(s, Event.TURN_END, N_ALLIES + e, -1, -1)
    turn.fly = 0
    if not placing.enemy_stands(s, e):
        ending.end_if_objective_met(s, c)
        return
    if turn.acted and not turn.moved:
        condition.discard_enemy(s, e, Condition.BLEEDING)
    if not s.enemy[e].spawned:  # it had no turn that could end (R10.11)
        placing.put_back_enemy(s, c, e)
    ending.end_if_objective_met(s, c)


@kernel
def attack_denial(s, e):
    """R10.44 - may enemy e attack at all? Not in the round in which it was spawned."""
    if not placing.enemy_stands(s, e):
        return Denial.OUT_OF_ACTION
    return Denial.TURN_TAKEN if s.enemy[e].spawned else Denial.NONE
