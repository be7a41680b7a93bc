"""Policies that run inside the compiled loop: an action for the question now asked.

The greedy policy gives every legal action a score of its own decision and takes the best. Scores
are in points of damage: dealt, prevented or healed. What the Enemies gain is in hostility.py.
"""

from enum import IntEnum

import numpy as np

from ..kernel.chance import draw_below
from ..kernel.jit import kernel
from . import errands, hostility
from .actions import Block, Turn, decode_block, decode_index
from .agenda import side_of
from .layout import (
    EXTRA_MANEUVER,
    FACE_EXTRA,
    FACE_SYMBOL,
    N_ALLIES,
    N_AREAS,
    N_CARRIED,
    N_ENEMIES,
    N_FACES,
)
from .rules import action, aim, checks, gear, items, lock, placing, provoke
from .terms import (
    AttackType,
    Border,
    Condition,
    Decision,
    Denial,
    Die,
    Kind,
    Objective,
    Op,
    Roll,
    Shape,
    Side,
    Stream,
    Wear,
    Will,
)


class Policy(IntEnum):
    """Compiled policies, weakest first."""

    RANDOM = 0  # any legal action, uniformly
    GREEDY = 1  # for the Heroes, whose players settle the Enemies' ties
    RIVAL = 2  # greedy as well, each side for itself


NEVER = -1000.0
KILL = 2.0  # worth of defeating an Enemy, beside the damage
WANTED = 2.0  # times that, where the objective asks for its type
ERRAND = 1.5  # worth of being a step nearer to where the objective sends an Ally
STAMINA = 0.5  # worth of one stamina
FALL = 3.0  # cost of a fall, of a trap, of a climb that may fail
TRAP = 2.0
CLIMB = 0.6


@kernel
def choose(s, c, policy, mask, legal):
    """The action of a policy, given the mask, uint8 (N_ACTIONS,), and its `legal` > 0 actions.

    Draws from the state's POLICY stream only.
    """
    if policy == Policy.RANDOM:
        return random(s, mask, legal)
    own = policy == Policy.RIVAL or c.enemy_will == Will.FREE
    if own and side_of(s) == Side.ENEMIES:
        return greedy_enemy(s, c, mask)
    return greedy(s, c, mask)


@kernel
def random(s, mask, legal):
    """A legal action, uniformly. 1 draw."""
    k = draw_below(s.chance, Stream.POLICY, legal)
    for a in range(len(mask)):
        if mask[a]:
            if k == 0:
                return a
            k -= 1
    return 0


@kernel
def greedy(s, c, mask):
    """The legal action with the highest score; the lowest of equals."""
    best, best_score = 0, NEVER - 1.0
    for a in range(len(mask)):
        if mask[a]:
            score = score_action(s, c, decode_block(a), decode_index(a))
            if score > best_score:
                best, best_score = a, score
    return best


@kernel
def greedy_enemy(s, c, mask):
    """The legal action with the highest score for the Enemies; the lowest of equals."""
    best, best_score = 0, NEVER - 1.0
    for a in range(len(mask)):
        if mask[a]:
            score = hostility.score_action(s, c, decode_index(a))
            if score > best_score:
                best, best_score = a, score
    return best


@kernel
def score_action(s, c, block, k):
    """What an answer to the question now asked is worth to the Heroes."""
    match s.decision:
        case Decision.SELECT_ACTION:
            return score_token(s, c, s.asked, k)
        case Decision.TURN:
            return score_turn(s, c, k) if block == Block.TURN else own_score(s, c, block, k)
        case Decision.STORY:
            return errands.story_gain(s, c, s.asked, k, die_mean(c))
        case Decision.STEP:
            return score_step(s, c, block, k)
        case Decision.TARGET:
            return score_target(s, c, k) if block == Block.ENEMY else 0.0
        case Decision.CENTRE:
            return area_gain(s, c, s.attack.ally, s.attack.row, s.attack.type, k)
        case Decision.LINE:
            return line_score(s, c, block, k)
        case Decision.SHARE:
            return share_score(s, c, k)
        case Decision.PAY:
            return pay_score(s, c, k)
        case Decision.ATTACK_TYPE:
            return attack_gain_of_type(s, c, s.attack.ally, s.attack.row, k)
        case Decision.STAND_IN | Decision.ENEMY_TARGET | Decision.DOMINATED_ALLY:
            return stand_in_score(s, c, block, k)
        case Decision.RECIPIENT:
            return missing(s, c, k)
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
            return reroll_score(s, c) if block == Block.YES else 0.0
        case Decision.USE | Decision.WEAR | Decision.WEAPON | Decision.RIDER | Decision.BOOST:
            return item_score(s, c, k) if block == Block.ITEM else done_score(s, c)
        case _:
            return 1.0 if block == Block.YES else 0.0


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
def expected(s, c, a, row, attack_type):
    """Expected damage of an attack of ally a, before aim and shield."""
    attack = c.attack[row]
    if attack.effect_only:
        return 1.0
    if s.ally[a].kind != Kind.HERO:
        return 1.0 * attack.value
    dice = attack.dice - ((s.ally[a].conditions >> Condition.WEAKENED) & 1)
    dice += s.ally[a].attack_dice[attack_type] + lock.attack_dice(s, c, a, attack_type)
    successes = die_mean(c) * max(0, dice) * (2.0 if attack.double else 1.0)
    weapon = gear.best_weapon(s, c, a, attack_type)
    return successes + attack.bonus + gear.bonus(s, c, a, attack_type, weapon)


@kernel
def gain_on(s, c, e, damage, pierce):
    """Worth of so much expected damage to enemy e."""
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
def aim_loss(s, c, a, row, attack_type, e):
    """Damage lost to obstructed aim."""
    shape = c.attack[row].shape
    if attack_type == AttackType.MELEE or shape == Shape.AREA or shape == Shape.LINE:
        return 0.0
    if c.attack[row].ignore_aim or (c.sheet[a].ignore_aim >> attack_type) & 1:
        return 0.0
    here = s.ally[a].area
    return 1.0 * aim.is_obstructed(s, c, here, s.enemy[e].area, s.enemies_in[here])


@kernel
def area_gain(s, c, a, row, attack_type, centre):
    """Worth of an area attack around `centre`."""
    damage = expected(s, c, a, row, attack_type)
    gain = 0.0
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            if aim.in_area(c, centre, c.attack[row].radius, s.enemy[e].area):
                gain += gain_on(s, c, e, damage, c.attack[row].pierce)
    return gain


@kernel
def line_gain(s, c, a, row, attack_type):
    """Worth of the best line from where ally a stands."""
    damage = expected(s, c, a, row, attack_type)
    here = s.ally[a].area
    best = 0.0
    for k in range(c.line_first[here], c.line_first[here + 1]):
        gain = 0.0
        for j in range(min(int(c.attack[row].length), int(c.line_length[k]))):
            gain += best_in_area(s, c, c.line[k, j], damage, c.attack[row].pierce)
        best = max(best, gain)
    return best


@kernel
def best_in_area(s, c, area, damage, pierce):
    """Worth of one hit on the best Enemy of an area."""
    best = 0.0
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e) and s.enemy[e].area == area:
            best = max(best, gain_on(s, c, e, damage, pierce))
    return best


@kernel
def attack_gain_of_type(s, c, a, row, attack_type):
    """Worth of an attack as one of its types, from where ally a stands."""
    attack = c.attack[row]
    if aim.weapon_denial(s, c, a, attack_type) != Denial.NONE:
        return 0.0
    if attack.shape == Shape.LINE:
        return line_gain(s, c, a, row, attack_type)
    if attack.shape == Shape.AREA:
        if not attack.has_centre:
            return area_gain(s, c, a, row, attack_type, s.ally[a].area)
        best = 0.0
        for centre in range(c.n_areas):
            if aim.area_denial(s, c, a, row, attack_type, centre) == Denial.NONE:
                best = max(best, area_gain(s, c, a, row, attack_type, centre))
        return best
    damage = expected(s, c, a, row, attack_type)
    first, second = 0.0, 0.0
    for e in range(N_ENEMIES):
        if aim.target_denial(s, c, a, row, attack_type, e) == Denial.NONE:
            gain = gain_on(s, c, e, damage - aim_loss(s, c, a, row, attack_type, e), attack.pierce)
            if gain > first:
                first, second = gain, first
            else:
                second = max(second, gain)
    if attack.shape == Shape.MULTI:
        return first + second
    return first + (0.5 if attack.shape == Shape.CLEAVE and second > 0 else 0.0)


@kernel
def action_gain(s, c, a, row):
    """Worth of performing an action row from where ally a stands, its cost deducted."""
    token = c.token[row]
    if s.ally[a].disk < token.cost or s.ally[a].inspiration < token.gem:
        return 0.0
    gain = 0.0
    for k in range(token.first, token.first + token.n):
        gain += effect_gain(s, c, a, k)
    return gain - STAMINA * token.cost if gain > 0 else 0.0


@kernel
def effect_gain(s, c, a, k):
    """Worth of one effect row of an action."""
    row = c.effect[k]
    match row.op:
        case Op.ATTACK:
            best = 0.0
            for attack_type in range(3):
                if (c.attack[row.a].types >> attack_type) & 1:
                    best = max(best, attack_gain_of_type(s, c, a, row.a, attack_type))
            return best
        case Op.HEAL | Op.RESTORE | Op.MIXED | Op.ROLL_HEAL | Op.ROLL_RESTORE:
            best = 0.0
            for b in range(N_ALLIES):
                if placing.ally_stands(s, b):
                    distance = c.range[s.ally[a].area, s.ally[b].area]
                    if 0 <= distance <= row.range:
                        best = max(best, min(1.0 * row.amount, missing(s, c, b)))
            return best if best >= 2.0 else 0.0
        case Op.LOCK:
            free = lock.find(s, a, row.a) < 0 and s.ally[a].disk >= c.passive[row.a].need + 3
            return 2.5 if free and s.round <= 2 else 0.0
        case _:
            return 0.0


@kernel
def missing(s, c, b):
    """What ally b could have healed: red chips, half of what is spent on top."""
    ally = s.ally[b]
    if ally.kind != Kind.HERO:
        return 1.0 * (c.sheet[b].health - ally.health)
    room = c.sheet[b].red if ally.wounded else c.sheet[b].blue
    return min(1.0 * ally.wounds, 1.0 * (room - ally.disk))


@kernel
def gain_at(s, c, a, row, area):
    """Worth of an action row if ally a stood in `area`. The state is left as it was."""
    here = s.ally[a].area
    s.ally[a].area = area
    gain = action_gain(s, c, a, row)
    s.ally[a].area = here
    return gain


@kernel
def best_gain(s, c, a, row, points):
    """Best worth of an action row from any area with room within so many steps, less 0.3 a step."""
    here = s.ally[a].area
    best = action_gain(s, c, a, row)
    for area in range(c.n_areas):
        steps = c.range[here, area]
        if 0 < steps <= points and not placing.is_full(s, c, area):
            if c.level[area] <= c.level[here]:
                best = max(best, gain_at(s, c, a, row, area) - 0.3 * steps)
    return best


@kernel
def row_of(s, c, a):
    """The action row that ally a has chosen, or -1 for none that is performed.

    Of a Non-Hero Ally, which chooses in its turn (R18.1), the first one.
    """
    if s.ally[a].kind != Kind.HERO:
        return int(c.sheet[a].token[0])
    if s.ally[a].token < 0:
        return -1
    row = int(c.sheet[a].token[s.ally[a].token])
    return row if row >= 0 and c.token[row].n > 0 else -1


@kernel
def score_token(s, c, a, k):
    """SELECT_ACTION: what the action may bring within a free move."""
    row = int(c.sheet[a].token[k])
    if k == EXTRA_MANEUVER:
        return 1.0
    if c.token[row].n == 0:
        return 0.5
    early = 0.1 * (2 - c.token[row].colour)
    return best_gain(s, c, a, row, c.sheet[a].move_free) + early


@kernel
def score_turn(s, c, choice):
    """TURN: act from the best place in reach, then mend."""
    a = s.active_ally
    ally = s.ally[a]
    row = row_of(s, c, a)
    now, later = 0.0, 0.0
    if row >= 0 and s.actions > 0:
        now = action_gain(s, c, a, row)
        later = best_gain(s, c, a, row, c.sheet[a].move_free)
    match choice:
        case Turn.ACT:
            return 10.0 + now if now > 0 and now >= later - 0.2 else 0.5 * now
        case Turn.MOVE_FREE:
            if s.actions > 0 and later > now + 0.2:
                return 9.0
            return 1.5 + approach(s, c, a)
        case Turn.MOVE_PAID:
            longer = 0.0
            if row >= 0 and s.actions > 0 and later <= 0 and ally.disk > c.sheet[a].move_cost + 2:
                longer = best_gain(s, c, a, row, c.sheet[a].move_paid)
            return 8.0 if longer > 1.5 else hurry_score(s, c, a)
        case Turn.RECOVER_DAMAGE:
            room = min(missing(s, c, a), 1.0 * c.sheet[a].recover_damage)
            return 1.5 + room if room >= 1 and now <= later + 0.2 else 0.0
        case Turn.RECOVER_STAMINA:
            room = min(1.0 * ally.spent, 1.0 * c.sheet[a].recover_stamina)
            return 1.0 + 0.6 * room if ally.disk <= 4 and room >= 1 else 0.1 * room
        case Turn.DISCARD_BLEEDING:
            return 3.2
        case Turn.DISCARD_HELD:
            return 2.5 if later <= 0 else 0.5
        case Turn.RETHINK_MOVE:
            return 1.2 + approach(s, c, a) if now <= 0 and s.maneuvers == 0 else NEVER
        case Turn.RETHINK_RESTORE:
            return 0.8 if now <= 0 and ally.spent > 0 and s.maneuvers == 0 else NEVER
        case Turn.END_TURN:
            return 0.3
        case _:
            return menu_score(s, c, a, choice)


@kernel
def hurry_score(s, c, a):
    """TURN: pay for the longer move on an errand that the free one does not finish."""
    if s.ally[a].disk <= c.sheet[a].move_cost + 3:
        return NEVER
    ways = np.zeros(N_AREAS, np.int64)
    errands.write_ways(s, c, a, ways)
    return 2.6 if ways[s.ally[a].area] > c.sheet[a].move_free else NEVER


@kernel
def own_score(s, c, block, k):
    """TURN: actions that Non-Hero Allies choose, what Heroes do as a maneuver; locks run on."""
    if block != Block.TOKEN:
        return -1.0
    a = s.active_ally
    row = c.sheet[a].token[k]
    gain = action_gain(s, c, a, row)
    if gain <= 0:
        return -1.0
    return (1.5 if c.token[row].maneuver else 10.0) + gain


@kernel
def read_score(s, c, a):
    """TURN: use a story section; one that serves the objective comes before the fight."""
    k = errands.best_story(s, c, a, die_mean(c))
    if k < 0:
        return NEVER
    gain = errands.story_gain(s, c, a, k, die_mean(c))
    first = gain >= errands.ENOUGH or not c.section[k].maneuver
    return (10.0 if first else 1.5) + gain


@kernel
def menu_score(s, c, a, choice):
    """TURN: pick up what lies there, use and put on what helps, stories; nothing else."""
    if choice == Turn.TAKE_ITEM:
        return 12.0
    if choice == Turn.READ_STORY:
        return read_score(s, c, a)
    if choice != Turn.USE_ITEM and choice != Turn.WEAR_ITEM:
        return NEVER
    best = NEVER
    for k in range(N_CARRIED):
        if choice == Turn.USE_ITEM:
            if items.use_denial(s, c, a, k) == Denial.NONE:
                gain = use_gain(s, c, a, k)
                best = max(best, 11.0 + gain if gain > 0.5 else NEVER)
        elif items.wear_denial(s, c, a, k) == Denial.NONE:
            free = c.item[s.ally[a].item[k]].wear == Wear.HAND and not s.ally[a].changed
            gain = wear_gain(s, c, a, k)
            best = max(best, (11.0 if free else 1.4) + gain if gain > 0.0 else NEVER)
    return best


@kernel
def item_score(s, c, k):
    """USE, WEAR, WEAPON, RIDER, BOOST: what the item in place k is worth now."""
    a = int(s.asked)
    match s.decision:
        case Decision.USE:
            return use_gain(s, c, a, k)
        case Decision.WEAR:
            return wear_gain(s, c, a, k)
        case Decision.WEAPON:
            return 1.0 * gear.bonus(s, c, a, s.attack.type, k)
        case Decision.RIDER:
            tough = s.attack.n_targets > 0 and s.enemy[s.attack.target[0]].health >= 3
            return 1.0 if tough else -1.0
        case _:
            return boost_gain(s, c, k)


@kernel
def done_score(s, c):
    """WEAPON: the natural weapon; RIDER, BOOST: to keep the items."""
    if s.decision == Decision.WEAPON:
        return 1.0 * gear.bonus(s, c, s.asked, s.attack.type, gear.NATURAL)
    return 0.0


@kernel
def use_gain(s, c, a, k):
    """Worth of using the item in place k: wounds mended, Enemies hurt."""
    item = c.item[s.ally[a].item[k]]
    gain = -1.0 if item.maneuver else 0.0
    for j in range(item.first, item.first + item.n):
        if action.effect_denial(s, c, a, j, 0) != Denial.NONE:
            continue
        row = c.effect[j]
        match row.op:
            case Op.HEAL | Op.RESTORE | Op.MIXED | Op.ROLL_HEAL | Op.ROLL_RESTORE:
                best = 0.0
                for b in range(N_ALLIES):
                    if action.help_denial(s, c, a, j, b) == Denial.NONE:
                        best = max(best, mended(s, c, b, row.op, row.amount))
                gain += best if best >= 0.6 * row.amount else 0.0
            case Op.DAMAGE | Op.DRAIN | Op.GEM | Op.INSPIRE:
                gain += 1.0 * row.amount
            case Op.DEFEAT | Op.UNWOUND | Op.REVIVE:
                gain += 4.0
            case Op.ATTACK:
                gain += effect_gain(s, c, a, j)
            case _:
                pass
    return gain


@kernel
def mended(s, c, b, op, amount):
    """What an effect of so much would heal or restore of ally b."""
    ally = s.ally[b]
    if op == Op.RESTORE or op == Op.ROLL_RESTORE:
        room = c.sheet[b].red if ally.wounded else c.sheet[b].blue
        return max(0.0, min(1.0 * amount, min(1.0 * ally.spent, 1.0 * (room - ally.disk))))
    return min(1.0 * amount, missing(s, c, b))


@kernel
def wear_gain(s, c, a, k):
    """Worth of putting the item in place k to use: a weapon one lacks, gear that displaces none."""
    item = c.item[s.ally[a].item[k]]
    if gear.is_in_use(s, a, k):
        return 1.0 if items.is_broken(s, c, a, k) and spare(s, c, a, item.passive) else -1.0
    if item.weapon >= 0:
        return 3.0 if is_wanted(s, c, a, item.weapon) else -1.0
    if gear.giving_way(s, c, a, k) != 0 or item.passive < 0:
        return -1.0
    return 2.0 if spare(s, c, a, item.passive) else -1.0


@kernel
def is_wanted(s, c, a, attack_type):
    """Whether the action that ally a has still to perform attacks so, and it is not armed."""
    row = row_of(s, c, a)
    if row < 0 or s.actions <= 0:
        return False
    for k in range(c.token[row].first, c.token[row].first + c.token[row].n):
        if c.effect[k].op == Op.ATTACK:
            types = c.attack[c.effect[k].a].types
            armed = False
            for kind in range(3):
                armed = armed or ((types >> kind) & 1 == 1 and gear.is_armed(s, c, a, kind))
            if (types >> attack_type) & 1 and not armed:
                return True
    return False


@kernel
def spare(s, c, a, passive):
    """Whether ally a can lock what a passive needs and keep some stamina."""
    need = c.passive[passive].need
    return need == 0 or s.ally[a].disk >= need + 3


@kernel
def boost_gain(s, c, k):
    """BOOST: successes that are likely to be lacking, less the worth of the item."""
    mean = 0.67 if s.roll.die == Die.REACTION else die_mean(c)
    lacking = s.check.number - s.check.modifier - mean * s.roll.dice
    return min(1.0 * checks.boost(s, c, k), lacking) - 1.5


@kernel
def reroll_score(s, c):
    """REROLL: H faces that are worth less than a die; a roll that is worse than expected."""
    roll = s.roll
    check = s.check
    if s.subject == checks.H_FACES:
        return 1.0 if checks.h_worth(s, c) < 1 else -1.0
    if roll.use == Roll.REACTIVE:
        return check.number - check.modifier - roll.successes - 2.5
    if roll.use == Roll.ACTIVE:
        lacking = check.number - check.modifier - roll.successes
        return 1.0 if lacking > 2 * roll.symbols else -1.0
    return 0.6 * die_mean(c) * roll.dice - roll.successes - roll.symbols


@kernel
def approach(s, c, a):
    """Whether to close in: 1 if healthy and nobody to fight is near, negative if hurt."""
    ally = s.ally[a]
    errand = errands.places(s, c, a)
    if errand != 0:
        return -2.0 if (errand >> int(ally.area)) & 1 else 1.0
    blue = ally.disk + ally.spent
    if 2 * blue < c.sheet[a].blue:
        return -2.0
    return 0.5 if nearest_enemy(s, c, ally.area) > 1 else -2.0


@kernel
def nearest_enemy(s, c, area):
    """Range from an area to the nearest Enemy; N_AREAS without any."""
    nearest = N_AREAS
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            distance = c.range[area, s.enemy[e].area]
            if 0 <= distance < nearest:
                nearest = int(distance)
    return nearest


@kernel
def place_score(s, c, a, area, ways):
    """Worth of ending a move in `area`, so many steps from an errand (errands.write_ways)."""
    if errands.is_escorted(c, a):
        return -ERRAND * ways[area] - 0.5 * s.enemies_in[area]
    row = row_of(s, c, a) if s.actions > 0 else -1
    score = gain_at(s, c, a, row, area) if row >= 0 else 0.0
    score -= ERRAND * ways[area]
    if score > 0:
        return score - 0.4 * s.enemies_in[area]
    return score - 0.3 * abs(nearest_enemy(s, c, area) - 2)


@kernel
def best_place(s, c, a, area, points, ways):
    """Best worth of ending a move within so many steps of `area`."""
    best = NEVER
    for y in range(c.n_areas):
        steps = c.range[area, y]
        if 0 <= steps <= points and (y == s.ally[a].area or not placing.is_full(s, c, y)):
            if c.level[y] <= c.level[area]:
                best = max(best, place_score(s, c, a, y, ways) - 0.1 * steps)
    return best


@kernel
def score_step(s, c, block, k):
    """STEP: towards the best place that the points left can reach."""
    a = s.move.ally
    here = s.ally[a].area
    if block == Block.YES:
        return NEVER
    ways = np.zeros(N_AREAS, np.int64)
    errands.write_ways(s, c, a, ways)
    if block == Block.DONE:
        return place_score(s, c, a, here, ways) + 0.05
    cost = CLIMB if block == Block.CLIMB else 0.0
    for e in range(N_ENEMIES):
        if provoke.provokes(s, c, a, e):
            cost += c.type[s.enemy[e].type].provoke
    if block == Block.AREA and c.border[here, k] == Border.DOUBLE_DOWN and not lock.flies(s, c, a):
        cost += FALL
    if s.trap[k] and not errands.disarms(s, c, a):
        cost += TRAP
    return best_place(s, c, a, k, s.move.points - 1, ways) - cost - 0.1


@kernel
def score_target(s, c, e):
    """TARGET: the Enemy whom the expected damage serves best."""
    attack = s.attack
    damage = expected(s, c, attack.ally, attack.row, attack.type)
    if c.attack[attack.row].shape == Shape.CLEAVE:
        damage = 1.0 * attack.left
    damage -= aim_loss(s, c, attack.ally, attack.row, attack.type, e)
    return 0.1 + gain_on(s, c, e, damage, c.attack[attack.row].pierce + attack.pierce)


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
        return enemy.health + KILL - 0.1 * k
    return 1.0 * dealt


@kernel
def pay_score(s, c, n):
    """PAY: stamina for successes that defeat, or matter, less its worth."""
    a = s.roll.ally
    price = STAMINA * n + (1.0 * n if s.ally[a].disk - n < 2 else 0.0)
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
    more = gain_on(s, c, e, 1.0 * (damage + n), pierce) - gain_on(s, c, e, 1.0 * damage, pierce)
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
