"""Draw a scenario from a seed: map, Enemies, objective, finds, reinforcements.

It is solvable because every area can be reached on foot over single lines, items lie in such areas,
and the goal has room for the whole party.
"""

from enum import IntEnum

from agemonia_env.core.jit import kernel
from agemonia_env.core.mersenne import seed_twister, skip, uniform

from ..terms import Objective
from .shapes import N_NAMES, Knob


class Line(IntEnum):
    """What lies between two areas that touch."""

    NONE = 0
    SINGLE = 1
    HEIGHT = 2  # a single line between two levels
    DOUBLE = 3
    BARRIER = 4


MAX_AREAS = 20
OPEN, OPEN_START = 3, 7  # least capacity of an area, and of the start, with the objective to hold
MIN_OF_ALL, MAX_OF_ALL = 0.07, 0.25  # of the strength in one Enemy, without the leader
LEAST = 16.0  # enough strength for any Enemy
PLACES = 3  # with an item to collect, a check to pass or a trap set again
MOST_MISSES = 12
FEWER = 2  # rounds, at the hardest difficulty
N_OBJECTIVES = len(Objective)


@kernel
def draw_plan(work, library, seed, knobs):
    """Draw the plan of a seed into work.plan -> whether there are Enemies for it."""
    seed_twister(work.twister, seed)
    draw_map(work, knobs)
    plan = work.plan
    objective = draw_objective(work, library, knobs)
    if objective == Objective.HOLD:
        open_up(plan)
    if not draw_enemies(work, library, objective, knobs):
        return False
    draw_goal(work, library, objective)
    draw_finds(work, library, knobs)
    draw_events(work)
    placed = plan.n_setup - (plan.objective == Objective.DEFEAT_TYPE)  # the leader aside
    plan.last_round = 9 + plan.distance[plan.goal] + placed // 2
    if plan.objective == Objective.HOLD:
        plan.last_round = max(plan.last_round, plan.number + FEWER)
    skip(work.twister, 2)  # its name
    plan.n_gates = 0
    if plan.objective == Objective.ADVANCE:
        draw_gates(work)
    return True


# ---- chance -------------------------------------------------------------------------------------
@kernel
def below(work, n):
    """A whole number from 0 to n - 1."""
    return int(uniform(work.twister) * n)


@kernel
def between(work, knobs, knob):
    """A whole number from the range of a knob."""
    return knobs[knob] + below(work, knobs[knob + 1] - knobs[knob] + 1)


@kernel
def chance(work, p):
    """True with probability p."""
    return uniform(work.twister) < p


@kernel
def happens(work, knobs, knob):
    """True as often as a knob says, in percent."""
    return chance(work, knobs[knob] / 100)


@kernel
def shuffle(work, n):
    """Put the first n of work.order into a random order."""
    order = work.order
    for k in range(n):
        at = below(work, n - k) + k
        picked = order[at]
        while at > k:
            order[at] = order[at - 1]
            at -= 1
        order[k] = picked


@kernel
def shuffle_numbers(work, n):
    """Write 0 to n - 1 in a random order into work.order."""
    for k in range(n):
        work.order[k] = k
    shuffle(work, n)


# ---- the map ------------------------------------------------------------------------------------
@kernel
def draw_map(work, knobs):
    """Blocks in a grid, a few missing, a few joined; a hill, walls, narrow places, traps."""
    plan = work.plan
    plan.columns = between(work, knobs, Knob.COLUMNS)
    plan.rows = between(work, knobs, Knob.ROWS)
    n = plan.columns * plan.rows
    for b in range(n):
        plan.cell[b] = b
    shuffle_numbers(work, n)
    left = n
    for k in range(n):
        b = work.order[k]
        plan.cell[b] = -1
        if left > 0.8 * n and is_whole(work, left - 1):
            left -= 1
        else:
            plan.cell[b] = b
    join(work, n)
    number_areas(work, n)
    plan.start = first_area(plan)
    raise_hill(work, knobs)
    wall_off(work, knobs)
    walk_steps(work, -1, -1)
    plan.goal = 0
    for x in range(plan.n_areas):
        plan.distance[x] = work.seen[x]
        if plan.distance[x] >= plan.distance[plan.goal]:
            plan.goal = x
    furnish(work, knobs)


@kernel
def beside(plan, b, direction):
    """The block to the right (0), left (1), below (2) or above (3); -1 = none."""
    columns = plan.columns
    x, y = b % columns, b // columns
    if direction == 0:
        return b + 1 if x + 1 < columns else -1
    if direction == 1:
        return b - 1 if x > 0 else -1
    if direction == 2:
        return b + columns if y + 1 < plan.rows else -1
    return b - columns if y > 0 else -1


@kernel
def is_whole(work, n):
    """Whether the n blocks that are there are connected."""
    plan, queue, seen = work.plan, work.queue, work.seen
    seen[:] = 0
    first = 0
    while plan.cell[first] < 0:
        first += 1
    queue[0], seen[first] = first, 1
    done, end = 0, 1
    while done < end:
        for direction in range(4):
            b = beside(plan, queue[done], direction)
            if b >= 0 and plan.cell[b] >= 0 and seen[b] == 0:
                seen[b] = 1
                queue[end] = b
                end += 1
        done += 1
    return end == n


@kernel
def join(work, n):
    """Join neighbouring blocks into larger areas, at least until there are few enough."""
    plan, joined = work.plan, 0
    areas = 0
    for b in range(n):
        if plan.cell[b] >= 0:
            work.order[areas] = b
            areas += 1
    blocks = areas
    shuffle(work, blocks)
    for k in range(blocks):
        b = work.order[k]
        to_the_right = chance(work, 0.5)
        other = beside(plan, b, 0 if to_the_right else 2)
        here, there = int(plan.cell[b]), -1
        if other >= 0:
            there = int(plan.cell[other])
        wanted = areas > MAX_AREAS or chance(work, 0.2)
        if wanted and there >= 0 and there != here and (joined >> here | joined >> there) & 1 == 0:
            joined |= 1 << here
            areas -= 1
            for c in range(n):
                if plan.cell[c] == there:
                    plan.cell[c] = here


@kernel
def number_areas(work, n):
    """Number the areas from 0 in the order of their first blocks' numbers, and list borders."""
    plan = work.plan
    areas = 0
    for number in range(n):
        there = False
        for b in range(n):
            if plan.cell[b] == number:
                plan.cell[b] = areas
                there = True
        areas += there
    plan.n_areas = areas
    plan.border[:] = 0
    for b in range(n):
        here = plan.cell[b]
        for direction in (0, 2):
            other = beside(plan, b, direction)
            if here >= 0 and other >= 0:
                there = plan.cell[other]
                if there >= 0 and there != here:
                    plan.border[min(here, there), max(here, there)] = Line.SINGLE
    pairs = 0
    for a in range(areas):
        for b in range(a + 1, areas):
            if plan.border[a, b] != Line.NONE:
                work.pair[pairs, 0], work.pair[pairs, 1] = a, b
                pairs += 1
    work.pair[pairs, 0] = -1


@kernel
def n_borders(work):
    """How many pairs of areas touch."""
    n = 0
    while work.pair[n, 0] >= 0:
        n += 1
    return n


@kernel
def first_area(plan):
    """The area of the leftmost block, of these the uppermost."""
    for x in range(plan.columns):
        for y in range(plan.rows):
            area = plan.cell[y * plan.columns + x]
            if area >= 0:
                return area
    return -1


@kernel
def walk_steps(work, a, b):
    """Write the steps from the start over single lines, but that of a and b, into work.seen.

    -1 = no way. -> areas that there is a way to
    """
    plan, queue, steps = work.plan, work.queue, work.seen
    steps[:] = -1
    queue[0], steps[plan.start] = plan.start, 0
    done, end = 0, 1
    while done < end:
        here = queue[done]
        for there in range(plan.n_areas):
            low, high = min(here, there), max(here, there)
            line = plan.border[low, high]
            is_open = line == Line.SINGLE or line == Line.HEIGHT
            if is_open and steps[there] < 0 and not (low == a and high == b):
                steps[there] = steps[here] + 1
                queue[end] = there
                end += 1
        done += 1
    return end


@kernel
def raise_hill(work, knobs):
    """One area and some of its neighbours are higher; most of the edge between is steep."""
    plan = work.plan
    plan.level[:] = 0
    if not happens(work, knobs, Knob.HILL):
        return
    top = below(work, plan.n_areas - 1)
    top += top >= plan.start
    plan.level[top] = 1
    pairs = n_borders(work)
    for k in range(pairs):
        a, b = work.pair[k, 0], work.pair[k, 1]
        if (a == top or b == top) and chance(work, 0.6):
            plan.level[b if a == top else a] = 1
    plan.level[plan.start] = 0
    shuffle_numbers(work, pairs)
    for k in range(pairs):
        a, b = work.pair[work.order[k], 0], work.pair[work.order[k], 1]
        if plan.level[a] != plan.level[b]:
            steep = happens(work, knobs, Knob.RIDGE) and walk_steps(work, a, b) == plan.n_areas
            plan.border[a, b] = Line.DOUBLE if steep else Line.HEIGHT


@kernel
def wall_off(work, knobs):
    """Solid barriers, where every area can still be walked to."""
    plan = work.plan
    pairs = n_borders(work)
    shuffle_numbers(work, pairs)
    for k in range(pairs):
        a, b = work.pair[work.order[k], 0], work.pair[work.order[k], 1]
        walled = plan.border[a, b] == Line.SINGLE and happens(work, knobs, Knob.WALLS)
        if walled and walk_steps(work, a, b) == plan.n_areas:
            plan.border[a, b] = Line.BARRIER


@kernel
def furnish(work, knobs):
    """Names, capacities, traps and a pair of teleport tokens."""
    plan = work.plan
    skip(work.twister, N_NAMES)
    plan.trap[:] = 0
    plan.portal[:] = 0
    plan.filled[:] = 0
    plan.n_at[:] = 0
    for x in range(plan.n_areas):
        plan.capacity[x] = 1 if happens(work, knobs, Knob.NARROW) else 2 + below(work, 3)
        if x == plan.start or x == plan.goal:
            plan.capacity[x] = 4
        elif happens(work, knobs, Knob.TRAPS):
            plan.trap[x] = 1
    if happens(work, knobs, Knob.PORTALS):
        shuffle_numbers(work, plan.n_areas)
        for k in range(min(2, plan.n_areas)):
            plan.portal[work.order[k]] = 1


@kernel
def open_up(plan):
    """Widen narrow places and the start, so that Enemies can reach the heroes."""
    for x in range(plan.n_areas):
        plan.capacity[x] = OPEN_START if x == plan.start else max(OPEN, plan.capacity[x])


# ---- Enemies, objective, finds ------------------------------------------------------------------
@kernel
def draw_objective(work, library, knobs):
    """The kind of objective, and the order in which heroes are recommended -> terms.Objective."""
    plan, n, any_order = work.plan, library.n_heroes, knobs[Knob.ANY_HEROES]
    shuffle_numbers(work, n if any_order else 0)
    for k in range(n):
        plan.hero[k] = work.order[k] if any_order else k
    weights = knobs[Knob.OBJECTIVES : Knob.OBJECTIVES + N_OBJECTIVES]
    left, objective = below(work, weights.sum()), 0
    while left >= weights[objective]:
        left -= weights[objective]
        objective += 1
    if objective == Objective.DISARM:
        sort_by_agility(plan.hero, library)
    if library.fixed:
        for k in range(library.n_party):
            plan.hero[k] = k
    return objective


@kernel
def sort_by_agility(heroes, library):
    """The most agile heroes first; of equals as they were."""
    for k in range(1, library.n_heroes):
        hero, j = heroes[k], k
        while j > 0 and library.agility[heroes[j - 1]] < library.agility[hero]:
            heroes[j] = heroes[j - 1]
            j -= 1
        heroes[j] = hero


@kernel
def strength_of(library, objective, knobs):
    """How strong the Enemies may be together."""
    n = library.n_party
    strength = (32 + 10 * n) * n * (1 + 0.15 * (library.level - 1))
    strength *= knobs[Knob.STRENGTH] / 100
    match objective:
        case Objective.DEFEAT_TYPE:
            return strength * 0.7
        case Objective.REACH | Objective.ESCORT:
            return strength * 0.55
        case Objective.DISARM | Objective.ADVANCE:
            return strength * 0.8
        case _:
            return strength * 1.0


@kernel
def draw_enemies(work, library, objective, knobs):
    """Enemies of a few types up to the strength, where there is room, none beside the start.

    -> whether there are any types
    """
    plan, strength = work.plan, strength_of(library, objective, knobs)
    n = list_types(work, library, objective, strength)
    if n == 0:
        return False
    shuffle(work, n)
    n = min(n, between(work, knobs, Knob.TYPES))
    for k in range(n):
        work.type[k] = work.order[k]
    plan.n_setup, misses, left = 0, 0, strength
    while misses < MOST_MISSES and plan.n_setup < knobs[Knob.ENEMIES]:
        enemy = work.type[below(work, n)]
        area = take_room(work, library.size[enemy])
        if area < 0 or (library.cost[enemy] > left and plan.n_setup > 0):
            misses += 1
            continue
        left -= library.cost[enemy]
        place(plan, enemy, area)
    if plan.n_setup == 0:  # a map without an area two steps away
        place(plan, work.type[0], plan.goal)
    return True


@kernel
def list_types(work, library, objective, strength):
    """Write Enemies of fair strength, or all if these are few, into work.order -> how many."""
    least, most = min(MIN_OF_ALL * strength, LEAST), MAX_OF_ALL * strength
    n = 0
    for narrow in range(2):
        if narrow == 1 and n > 2:
            return n
        n = 0
        for enemy in range(library.n_enemies):
            fair = narrow == 1 or least <= library.cost[enemy] <= most
            common = not library.is_boss[enemy]
            if objective == Objective.HOLD and not library.moves[enemy]:
                common = False
            if common and fair:
                work.order[n] = enemy
                n += 1
    return n


@kernel
def place(plan, enemy, area):
    """Place an Enemy at set-up."""
    plan.setup_type[plan.n_setup] = enemy
    plan.setup_area[plan.n_setup] = area
    plan.n_setup += 1


@kernel
def take_room(work, size):
    """An area with room for a figure, two steps or more from the start, -1 = none; it takes it."""
    plan = work.plan
    shuffle_numbers(work, plan.n_areas)
    for k in range(plan.n_areas):
        x = work.order[k]
        fits = plan.filled[x] + size <= min(3, plan.capacity[x])
        if plan.distance[x] >= 2 and fits:
            plan.filled[x] += size
            return x
    return -1


@kernel
def draw_goal(work, library, objective):
    """The objective, and the leader that it may name."""
    plan = work.plan
    plan.objective, plan.subject, plan.number, plan.goes_to = Objective.DEFEAT_ALL, -1, 0, 0
    match objective:
        case Objective.DEFEAT_TYPE:
            draw_leader(work, library)
        case Objective.HOLD:
            plan.objective = Objective.HOLD
            plan.number = 7 + 5 * library.n_party // 2 + below(work, 3)
        case Objective.REACH:
            plan.objective, plan.goes_to = Objective.REACH, 1
        case Objective.COLLECT:
            draw_collected(work, library)
        case Objective.ESCORT:
            if library.n_allies > 0:
                plan.objective, plan.goes_to = Objective.ESCORT, 1
                plan.subject = below(work, library.n_allies)
                plan.capacity[plan.start] = OPEN_START  # the Ally needs room, too
        case Objective.DISARM:
            n = list_places(work)
            for k in range(min(n, MAX_AREAS)):
                plan.trap[work.order[k]] = 1
            plan.objective, plan.number = Objective.DISARM, min(2, n)
        case Objective.ADVANCE:
            plan.objective = Objective.ADVANCE


@kernel
def draw_leader(work, library):
    """An Elite Enemy to defeat, of a type that is not there yet, if there is one with room."""
    plan, n = work.plan, 0
    for enemy in range(library.n_enemies):
        there = False
        for k in range(plan.n_setup):
            there = there or plan.setup_type[k] == enemy
        if library.is_elite[enemy] and not there:
            work.order[n] = enemy
            n += 1
    if n == 0:
        return
    leader = work.order[below(work, n)]
    area = take_room(work, library.size[leader])
    if area >= 0:
        plan.objective, plan.subject, plan.number = Objective.DEFEAT_TYPE, leader, 1
        place(plan, leader, area)


@kernel
def draw_collected(work, library):
    """Light items of one kind to collect."""
    plan = work.plan
    n = list_items(work, library.is_light, library.n_items)
    if n == 0:
        return
    item = work.order[below(work, n)]
    n = min(PLACES, list_places(work))
    for k in range(n):
        lay(plan, item, work.order[k])
    plan.objective, plan.subject, plan.number = Objective.COLLECT, item, n


@kernel
def list_items(work, wanted, n_items):
    """Write the wanted items into work.order -> how many."""
    n = 0
    for item in range(n_items):
        if wanted[item]:
            work.order[n] = item
            n += 1
    return n


@kernel
def list_places(work):
    """Write areas two steps or more from the start into work.order, shuffled -> how many.

    The goal alone if there are none.
    """
    plan, n = work.plan, 0
    shuffle_numbers(work, plan.n_areas)
    for k in range(plan.n_areas):
        x = work.order[k]
        if plan.distance[x] >= 2:
            work.order[n] = x
            n += 1
    if n == 0:
        work.order[0] = plan.goal
        n = 1
    return n


@kernel
def lay(plan, item, area):
    """Lay an item into an area."""
    plan.item_at[area, plan.n_at[area]] = item
    plan.n_at[area] += 1


@kernel
def draw_finds(work, library, knobs):
    """Useful items on the map."""
    plan, useful = work.plan, 0
    for item in range(library.n_items):
        useful += library.is_useful[item]
    if useful == 0:
        return
    shuffle_numbers(work, plan.n_areas)
    n = min(below(work, knobs[Knob.FINDS] + 1), plan.n_areas)
    for k in range(n):
        work.queue[k] = work.order[k]
    list_items(work, library.is_useful, library.n_items)
    for k in range(n):
        lay(plan, work.order[below(work, useful)], work.queue[k])


@kernel
def draw_events(work):
    """Reinforcements at the far end, for objectives about time; new traps, which checks use up."""
    plan = work.plan
    plan.n_events, plan.per_hero = 0, plan.objective == Objective.HOLD
    match plan.objective:
        case Objective.HOLD:
            for number in range(3, plan.number, 3):
                draw_reinforcement(work, number)
        case Objective.REACH | Objective.ESCORT:
            for number in range(2, 9, 3):
                draw_reinforcement(work, number)
        case Objective.DISARM:
            for number in range(3, 13, 3):
                draw_traps(work, number)


@kernel
def draw_reinforcement(work, number):
    """An Enemy of a type placed comes to the goal in a round."""
    plan = work.plan
    if plan.n_setup > 0:
        plan.round[plan.n_events] = number
        plan.reinforces[plan.n_events] = plan.setup_type[below(work, plan.n_setup)]
        plan.n_events += 1


@kernel
def draw_traps(work, number):
    """Traps are set in a round."""
    plan, event = work.plan, work.plan.n_events
    plan.round[event], plan.reinforces[event] = number, -1
    plan.n_places[event] = min(PLACES, list_places(work))
    for k in range(plan.n_places[event]):
        plan.place[event, k] = work.order[k]
    plan.n_events += 1


@kernel
def draw_gates(work):
    """Story sections with a check, each a step of the objective."""
    plan = work.plan
    plan.n_gates = min(PLACES, list_places(work))
    plan.number = plan.n_gates
    for k in range(plan.n_gates):
        plan.gate[k] = work.order[k]
    for k in range(plan.n_gates):
        shuffle_numbers(work, 3)  # abilities
        plan.gate_abilities[k] = 0
        for j in range(1 + below(work, 2)):
            plan.gate_abilities[k] |= 1 << work.order[j]
        plan.gate_number[k] = 3 + below(work, 2)
