"""Policies that run inside the compiled loop: an action for the question now asked.

The greedy policy gives every legal action a score of its own decision and takes the best. Scores
are in points of damage: dealt, prevented or healed. heuristics/ values attacks (attack_value),
actions and items (hero_value), distances to the objective (objective_routes) and the Enemies'
choices (enemy_value).
"""

from enum import IntEnum

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import nth
from agemonia_env.core.rng import draw_below

from .actions import N_BLOCKS, WORD_START, Block, Turn, encode
from .heuristics import attack_value, enemy_value, hero_value, objective_routes
from .layout import EXTRA_MANEUVER, N_AREAS
from .rules import ally_attack, checks, ending, gear, items, lock, provoke
from .sides import side_of
from .terms import Border, Condition, Decision, Denial, Kind, Roll, Shape, Side, Stream, Wear, Will


class Policy(IntEnum):
    """Compiled policies, weakest first."""

    RANDOM = 0  # any legal action, uniformly
    GREEDY = 1  # always for the Heroes, also in ties of the Enemies
    RIVAL = 2  # greedy, each side for itself


NEVER = -1000.0
OBJECTIVE_STEP = 1.5  # value of being a step nearer to the Ally's objective
FALL = 3.0  # cost of a fall, of a trap, of a climb that may fail
TRAP = 2.0
CLIMB = 0.6


@kernel
def choose(s, c, policy, work, legal, n):
    """The action of a policy, given the n > 0 legal answers (masks.write_legal).

    work: attack_value.WORK, scratch. Draws from the state's POLICY stream only.
    """
    if policy == Policy.RANDOM:
        return nth(legal, WORD_START, draw_below(s.chance, Stream.POLICY, n))
    own = policy == Policy.RIVAL or c.enemy_will == Will.FREE
    return greedy(s, c, work, legal, own and side_of(s) == Side.ENEMIES)


@kernel
def greedy(s, c, work, legal, for_enemies):
    """The legal action with the highest score for its own side; the lowest one breaks ties."""
    if not for_enemies:
        prepare(s, c, legal, work)
    best, best_score = 0, NEVER - 1.0
    for block in range(N_BLOCKS):
        indices = int(legal[block])
        while indices != 0:
            k = lowest(indices)
            indices &= indices - 1
            if for_enemies:
                score = enemy_value.score_action(s, c, k)
            else:
                score = score_action(s, c, block, k, work)
            if score > best_score:
                best, best_score = encode(block, k), score
    return best


@kernel
def prepare(s, c, legal, work):
    """Find once what the scores of all answers share."""
    attack_value.clear(c, work)
    match s.decision:
        case Decision.SELECT_ACTION:
            a = s.asked
            attack_value.survey(s, c, work)
            work.reach = hero_value.in_reach(s, c, a, c.sheet[a].move_free, work)
        case Decision.TURN:
            a = s.active_ally
            attack_value.survey(s, c, work)
            work.now = work.later = 0.0
            row = hero_value.row_of(s, c, a)
            if row >= 0 and s.actions > 0:
                areas = hero_value.in_reach(s, c, a, c.sheet[a].move_free, work)
                work.later = hero_value.best_gain(s, c, a, row, areas, work)
                work.now = work.gain[s.ally[a].area]
        case Decision.ATTACK_TYPE | Decision.USE:
            attack_value.survey(s, c, work)
        case Decision.STEP:
            attack_value.survey(s, c, work)
            prepare_step(s, c, legal, work)
        case _:
            pass


@kernel
def prepare_step(s, c, legal, work):
    """STEP: the value of every area in which the move may end."""
    a = s.move.ally
    here = s.ally[a].area
    ends = 1 << int(here)
    nexts = int(legal[Block.AREA]) | int(legal[Block.CLIMB]) | int(legal[Block.PORTAL])
    while nexts != 0:
        ends |= ends_from(s, c, a, lowest(nexts), s.move.points - 1, work)
        nexts &= nexts - 1
    work.provoking = 0
    enemies = int(work.standing)
    while enemies != 0:
        e = lowest(enemies)
        enemies &= enemies - 1
        work.provoking |= int(provoke.provokes(s, c, a, e)) << e
    objective_routes.write_distances(s, c, a, work.distance)
    row = hero_value.row_of(s, c, a) if s.actions > 0 else -1
    work.gain[:] = 0.0
    if row >= 0 and not ending.is_escorted(c, a):
        hero_value.write_gains(s, c, a, row, ends, work)
    while ends != 0:
        y = lowest(ends)
        ends &= ends - 1
        work.place[y] = place_score(s, c, a, y, work)


@kernel
def score_action(s, c, block, k, work):
    """Value of an answer for the Heroes."""
    if block == Block.LOCK:
        return lock_score(s, k)
    match s.decision:
        case Decision.SELECT_ACTION:
            return score_token(s, c, s.asked, k, work)
        case Decision.TURN:
            return score_turn(s, c, k, work) if block == Block.TURN else own_score(s, c, k, work)
        case Decision.STORY:
            return objective_routes.story_gain(s, c, s.asked, k)
        case Decision.STEP:
            return score_step(s, c, block, k, work)
        case Decision.TARGET:
            return score_target(s, c, k, work) if block == Block.ENEMY else 0.0
        case Decision.CENTRE:
            attack = s.attack
            return attack_value.area_gain(s, c, attack.ally, attack.row, attack.type, k, work)
        case Decision.LINE:
            return line_score(s, c, block, k)
        case Decision.SHARE:
            return share_score(s, c, k)
        case Decision.PAY:
            return pay_score(s, c, k)
        case Decision.ATTACK_TYPE:
            return type_score(s, c, k, work)
        case Decision.STAND_IN | Decision.ENEMY_TARGET | Decision.DOMINATED_ALLY:
            return stand_in_score(s, c, block, k)
        case Decision.RECIPIENT:
            return hero_value.missing(s, c, k)
        case Decision.EVADE | Decision.AMOUNT:
            return 1.0 * k
        case Decision.AFFLICTED | Decision.DOMINATED_ENEMY:
            return 1.0 * s.enemy[k].health
        case Decision.SPRING:
            return 1.0 if block == Block.NO else 0.0
        case Decision.ABILITY:
            return 1.0 * c.sheet[s.asked].ability[k]
        case Decision.DISCARD:
            return 0.0 if k <= Condition.BLESSED else 1.0 * k
        case Decision.REROLL:
            return reroll_score(s, c, work) if block == Block.YES else 0.0
        case Decision.USE | Decision.WEAR | Decision.WEAPON | Decision.RIDER | Decision.BOOST:
            return item_score(s, c, k, work) if block == Block.ITEM else done_score(s, c)
        case _:
            return 1.0 if block == Block.YES else 0.0


@kernel
def score_token(s, c, a, k, work):
    """SELECT_ACTION: what the action may bring within a free move."""
    row = int(c.sheet[a].token[k])
    if k == EXTRA_MANEUVER:
        return 1.0
    if c.token[row].n == 0:
        return 0.5
    early = 0.1 * (2 - c.token[row].colour)
    return hero_value.best_gain(s, c, a, row, int(work.reach), work) + early


@kernel
def score_turn(s, c, choice, work):
    """TURN: act from the best place in reach, then mend."""
    a = s.active_ally
    ally = s.ally[a]
    row = hero_value.row_of(s, c, a)
    now, later = work.now, work.later
    match choice:
        case Turn.ACT:
            return 10.0 + now if now > 0 and now >= later - 0.2 else 0.5 * now
        case Turn.MOVE_FREE:
            if s.actions > 0 and later > now + 0.2:
                return 9.0
            return 1.5 + approach(s, c, a, work)
        case Turn.MOVE_PAID:
            longer = 0.0
            if row >= 0 and s.actions > 0 and later <= 0 and ally.disk > c.sheet[a].move_cost + 2:
                areas = hero_value.in_reach(s, c, a, c.sheet[a].move_paid, work)
                longer = hero_value.best_gain(s, c, a, row, areas, work)
            return 8.0 if longer > 1.5 else hurry_score(s, c, a, work)
        case Turn.RECOVER_DAMAGE:
            room = min(hero_value.missing(s, c, a), 1.0 * c.sheet[a].recover_damage)
            return 1.5 + room if room >= 1 and now <= later + 0.2 else 0.0
        case Turn.RECOVER_STAMINA:
            room = min(1.0 * ally.spent, 1.0 * c.sheet[a].recover_stamina)
            return 1.0 + 0.6 * room if ally.disk <= 4 and room >= 1 else 0.1 * room
        case Turn.DISCARD_BLEEDING:
            return 3.2
        case Turn.DISCARD_HELD:
            return 2.5 if later <= 0 else 0.5
        case Turn.RETHINK_MOVE:
            return 1.2 + approach(s, c, a, work) if now <= 0 and s.maneuvers == 0 else NEVER
        case Turn.RETHINK_RESTORE:
            return 0.8 if now <= 0 and ally.spent > 0 and s.maneuvers == 0 else NEVER
        case Turn.END_TURN:
            return 0.3
        case _:
            return menu_score(s, c, a, choice, work)


@kernel
def hurry_score(s, c, a, work):
    """TURN: pay for the longer move if the objective is out of reach of the free one."""
    if s.ally[a].disk <= c.sheet[a].move_cost + 3:
        return NEVER
    objective_routes.write_distances(s, c, a, work.distance)
    return 2.6 if work.distance[s.ally[a].area] > c.sheet[a].move_free else NEVER


@kernel
def lock_score(s, k):
    """A lock stays, unless ending it restores more stamina than it is worth (P46).

    From which lock a chip flips (R14.7) makes no difference.
    """
    if s.decision != Decision.FLIP_LOCK:
        return NEVER
    if s.flip_chips > 0:
        return 0.0
    a = s.asked
    lacking = s.limit - s.ally[a].spent
    return hero_value.STAMINA * min(lacking, int(s.ally[a].lock_chips[k])) - hero_value.LOCK


@kernel
def own_score(s, c, k, work):
    """TURN: actions that Non-Hero Allies choose, what Heroes do as a maneuver."""
    a = s.active_ally
    row = c.sheet[a].token[k]
    gain = hero_value.action_gain(s, c, a, row, work)
    if gain <= 0:
        return -1.0
    return (1.5 if c.token[row].maneuver else 10.0) + gain


@kernel
def read_score(s, c, a):
    """TURN: use a story section; one that serves the objective comes before the fight."""
    k = objective_routes.best_story(s, c, a)
    if k < 0:
        return NEVER
    gain = objective_routes.story_gain(s, c, a, k)
    first = gain >= objective_routes.ENOUGH or not c.section[k].maneuver
    return (10.0 if first else 1.5) + gain


@kernel
def menu_score(s, c, a, choice, work):
    """TURN: pick up what lies there, use and put on what helps, stories; nothing else."""
    if choice == Turn.TAKE_ITEM:
        return 12.0
    if choice == Turn.READ_STORY:
        return read_score(s, c, a)
    if choice != Turn.USE_ITEM and choice != Turn.WEAR_ITEM:
        return NEVER
    best, uses = NEVER, choice == Turn.USE_ITEM
    decision = Decision.USE if uses else Decision.WEAR
    places = items.candidate_places(s, a, decision, gear.traits(s, c, a))
    while places != 0:
        k = lowest(places)
        places &= places - 1
        if uses:
            if items.use_denial(s, c, a, k) == Denial.NONE:
                gain = hero_value.use_gain(s, c, a, k, work)
                best = max(best, 11.0 + gain if gain > 0.5 else NEVER)
            continue
        gain = hero_value.wear_gain(s, c, a, k)
        if gain > 0.0 and items.wear_denial(s, c, a, k) == Denial.NONE:
            free = c.item[s.ally[a].item[k]].wear == Wear.HAND and not s.ally[a].changed
            best = max(best, (11.0 if free else 1.4) + gain)
    return best


@kernel
def item_score(s, c, k, work):
    """USE, WEAR, WEAPON, RIDER, BOOST: value of the item in place k now."""
    a = int(s.asked)
    match s.decision:
        case Decision.USE:
            return hero_value.use_gain(s, c, a, k, work)
        case Decision.WEAR:
            return hero_value.wear_gain(s, c, a, k)
        case Decision.WEAPON:
            return 1.0 * gear.bonus(s, c, a, s.attack.type, k)
        case Decision.RIDER:
            tough = s.attack.n_targets > 0 and s.enemy[s.attack.target[0]].health >= 3
            return 1.0 if tough else -1.0
        case _:
            return hero_value.boost_gain(s, c, k, work)


@kernel
def done_score(s, c):
    """WEAPON: the natural weapon; RIDER, BOOST: to keep the items."""
    if s.decision == Decision.WEAPON:
        return 1.0 * gear.bonus(s, c, s.asked, s.attack.type, gear.NATURAL)
    return 0.0


@kernel
def reroll_score(s, c, work):
    """REROLL: H faces of less value than a die; a roll that is worse than expected."""
    roll = s.roll
    check = s.check
    if s.subject == checks.H_FACES:
        return 1.0 if checks.h_worth(s, c) < 1 else -1.0
    if roll.use == Roll.REACTIVE:
        return check.number - check.modifier - roll.successes - 2.5
    if roll.use == Roll.ACTIVE:
        lacking = check.number - check.modifier - roll.successes
        return 1.0 if lacking > 2 * roll.symbols else -1.0
    return 0.6 * work.die_mean * roll.dice - roll.successes - roll.symbols


@kernel
def approach(s, c, a, work):
    """Whether to close in: 1 if healthy and nobody to fight is near, negative if hurt."""
    ally = s.ally[a]
    goals = objective_routes.places(s, c, a)
    if goals != 0:
        return -2.0 if (goals >> int(ally.area)) & 1 else 1.0
    blue = ally.disk + ally.spent
    if 2 * blue < c.sheet[a].blue:
        return -2.0
    return 0.5 if nearest_enemy(s, c, ally.area, work) > 1 else -2.0


@kernel
def nearest_enemy(s, c, area, work):
    """Range from an area to the nearest Enemy; N_AREAS without any."""
    nearest, enemies = N_AREAS, int(work.standing)
    while enemies != 0:
        distance = c.range[area, s.enemy[lowest(enemies)].area]
        enemies &= enemies - 1
        if 0 <= distance < nearest:
            nearest = int(distance)
    return nearest


@kernel
def place_score(s, c, a, area, work):
    """Value of ending a move in `area`, given the distances and the gains from there."""
    if ending.is_escorted(c, a):
        return -OBJECTIVE_STEP * work.distance[area] - 0.5 * s.enemies_in[area]
    score = work.gain[area] - OBJECTIVE_STEP * work.distance[area]
    if score > 0:
        return score - 0.4 * s.enemies_in[area]
    return score - 0.3 * abs(nearest_enemy(s, c, area, work) - 2)


@kernel
def ends_from(s, c, a, area, points, work):
    """Bits of the areas with room within `points` steps of `area`, none of them higher."""
    return hero_value.near(c, area, points) & (int(work.room) | (1 << int(s.ally[a].area)))


@kernel
def best_place(s, c, a, area, points, work):
    """Best value of ending a move within `points` steps of `area`."""
    best, ends = NEVER, ends_from(s, c, a, area, points, work)
    while ends != 0:
        y = lowest(ends)
        ends &= ends - 1
        best = max(best, work.place[y] - 0.1 * c.range[area, y])
    return best


@kernel
def score_step(s, c, block, k, work):
    """STEP: towards the best place that the points left can reach; the rest waits for the end."""
    a = s.move.ally
    here = s.ally[a].area
    if block == Block.YES or block == Block.TURN:
        return NEVER
    if block == Block.DONE:
        return work.place[here] + 0.05
    cost = CLIMB if block == Block.CLIMB else 0.0
    provoking = int(work.provoking)
    while provoking != 0:
        cost += c.type[s.enemy[lowest(provoking)].type].provoke
        provoking &= provoking - 1
    if block == Block.AREA and c.border[here, k] == Border.DOUBLE_DOWN and not lock.flies(s, c, a):
        cost += FALL
    if s.trap[k] and not objective_routes.disarms(s, c, a):
        cost += TRAP
    return best_place(s, c, a, k, s.move.points - 1, work) - cost - 0.1


@kernel
def type_score(s, c, attack_type, work):
    """ATTACK_TYPE: the best target as this type."""
    a = s.attack.ally
    here = max(0, int(s.ally[a].area))
    work.attack[here] = 0.0
    attack_value.raise_gains(s, c, a, s.attack.row, attack_type, 1 << here, work)
    return work.attack[here]


@kernel
def score_target(s, c, e, work):
    """TARGET: the Enemy whom the expected damage serves best."""
    attack = s.attack
    damage = attack_value.expected(s, c, attack.ally, attack.row, attack.type, work)
    if c.attack[attack.row].shape == Shape.CLEAVE:
        damage = 1.0 * attack.left
    there = s.enemy[e].area
    damage -= ally_attack.aim_penalty(s, c, attack.ally, attack.row, attack.type, there)
    return 0.1 + attack_value.gain_on(s, c, e, damage, c.attack[attack.row].pierce + attack.pierce)


@kernel
def line_score(s, c, block, k):
    """LINE: on towards the area with the best target; stop when none is left."""
    if block == Block.DONE:
        return 0.5
    return 0.2 + 2.0 * s.enemies_in[k] + (1.0 if s.attack.n_line == 0 else 0.0)


@kernel
def share_score(s, c, k):
    """SHARE: what defeats the Enemy, no more."""
    enemy = s.enemy[s.subject]
    pierce = c.attack[s.attack.row].pierce + s.attack.pierce
    shield = max(0, c.type[enemy.type].shield - pierce)
    dealt = max(0, k - shield)
    if dealt >= enemy.health:
        return enemy.health + attack_value.KILL - 0.1 * k
    return 1.0 * dealt


@kernel
def pay_score(s, c, n):
    """PAY: stamina for successes that defeat, or matter, less their price."""
    a = s.roll.ally
    price = hero_value.STAMINA * n + (1.0 * n if s.ally[a].disk - n < 2 else 0.0)
    if s.roll.use != Roll.ATTACK:
        lacking = s.check.number - s.check.modifier - s.roll.successes
        return (2.5 if 0 < lacking <= n else 0.0) - price
    attack = s.attack
    if attack.n_targets == 0:
        return 0.9 * n - price
    e = attack.target[0]
    damage = s.roll.successes + c.attack[attack.row].bonus + attack.bonus
    damage += gear.bonus(s, c, a, attack.type, attack.weapon)
    pierce = c.attack[attack.row].pierce + attack.pierce
    before = attack_value.gain_on(s, c, e, 1.0 * damage, pierce)
    more = attack_value.gain_on(s, c, e, 1.0 * (damage + n), pierce) - before
    return more * (1.0 + 0.5 * (attack.n_targets - 1)) - price


@kernel
def stand_in_score(s, c, block, k):
    """STAND_IN, ENEMY_TARGET: the sturdiest takes the hit."""
    if block == Block.ALLY:
        return sturdiness(s, c, k)
    return sturdiness(s, c, s.subject) + 1.0


@kernel
def sturdiness(s, c, a):
    """How much ally a can still take, unwounded counts double."""
    ally = s.ally[a]
    if ally.kind != Kind.HERO:
        return 1.0 * ally.health
    blue = ally.disk + ally.spent
    return 1.0 * blue + (0.0 if ally.wounded else 1.0 * c.sheet[a].red)
