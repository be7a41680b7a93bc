"""The features of actions: a row of action_spec.ACTION for every legal answer.

One writer for each part of a row: what is answered, whom it names, where it leads, what it does.
Like the observation, rows hold what is open on the table, for either side.
"""

import numpy as np

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import COMPILED, kernel, with_fields
from agemonia_env.core.obs_encoding import clipped, write_flags

from . import policies
from .action_spec import ACTION_INT8, PLACE_OF_OP, STEPS
from .actions import N_ACTIONS, N_BLOCKS, Block, Turn, decode_block, decode_index
from .heuristics import attack_value, enemy_value, hero_value, objective_routes, threats
from .heuristics.threats import NO_WAY, NOBODY, NOWHERE
from .layout import FACE_EXTRA, FACE_SYMBOL, N_ENEMIES, N_FACES, N_GROUND
from .rules import ally_attack, ending, gear, lock, placing, story
from .sides import side_of
from .terms import Border, Decision, Ending, Kind, Objective, Op, Roll, Shape, Side, Will

ROW = ACTION_INT8 if COMPILED else with_fields(ACTION_INT8)
BLANK = np.zeros(1, ROW)
LAST_CONDITION = 10


@kernel
def write_features(s, c, mask, legal, work, rows, first):
    """Write the features of every action with a 1 in the mask, in order, from rows[first] on.

    rows: ROW (m,), all 0 once the scenario has ended. legal, work: scratch,
    int64 (N_BLOCKS,) and attack_value.WORK.
    """
    if s.ending != Ending.NONE:
        clear_rows(mask, rows, first)
        return
    legal[:] = 0
    for action in range(N_ACTIONS):
        legal[decode_block(action)] |= int(mask[action]) << decode_index(action)
    by_enemies = is_by_enemies(s, c)
    prepare(s, c, legal, work, by_enemies)
    k, best, most = first, first, policies.NEVER - 1.0
    for block in range(N_BLOCKS):
        indices = int(legal[block])
        while indices != 0:
            index = lowest(indices)
            indices &= indices - 1
            score = score_of(s, c, block, index, work, by_enemies)
            if score > most:
                best, most = k, score
            rows[k] = BLANK[0]
            write_row(s, c, block, index, score, work, rows[k])
            k += 1
    if k > first:
        rows[best].greedy_choice = 1


@kernel
def clear_rows(mask, rows, first):
    """Write zeros for the actions in the mask."""
    k = first
    for action in range(N_ACTIONS):
        if mask[action]:
            rows[k] = BLANK[0]
            k += 1


@kernel
def is_by_enemies(s, c):
    """Whether the greedy policy answers the question now asked for the Enemies."""
    return c.enemy_will == Will.FREE and side_of(s) == Side.ENEMIES


@kernel
def score_of(s, c, block, index, work, by_enemies):
    """What the greedy policy thinks of an answer."""
    if by_enemies:
        return enemy_value.score_action(s, c, index)
    return policies.score_action(s, c, block, index, work)


@kernel
def prepare(s, c, legal, work, by_enemies):
    """Find once what the rows of a question share."""
    if by_enemies:
        attack_value.clear(c, work)
    else:
        policies.prepare(s, c, legal, work)
    attack_value.survey(s, c, work)
    if s.decision != Decision.STEP:  # there the policy has written what follows
        work.gain[:] = 0.0
        work.distance[:] = 0
        a = threats.actor(s)
        if a != NOBODY:
            objective_routes.write_distances(s, c, a, work.distance)
    bars = threats.bars_of(s, c)
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            kind = s.enemy[e].type
            work.strike[e], work.strike_reach[e] = c.attack_value[kind, 3], c.attack_reach[kind, 3]
            work.due[e], work.due_reach[e] = threats.due_of(s, c, e, bars)


@kernel
def write_row(s, c, block, index, score, work, row):
    """Write the features of one answer into a row of zeros."""
    row.kind[block] = 1
    row.greedy_score = tenths(score)
    a = threats.actor(s)
    ally, enemy, area = named(block, index)
    if block == Block.TURN:
        row.turn[index] = 1
        write_turn(s, c, a, index, row)
    elif block == Block.AMOUNT:
        row.amount = index
        write_amount(s, c, index, row)
    write_figure(s, c, a, ally, enemy, block, index, work, row.figure)
    if block == Block.ENEMY and s.decision == Decision.TARGET:
        write_hit(s, c, enemy, work, row)
    if block == Block.ALLY and s.decision == Decision.RECIPIENT:
        effect = c.effect[s.act.row - 1]
        if effect.op in (Op.HEAL, Op.RESTORE, Op.MIXED):
            healed = min(1.0 * effect.amount, hero_value.missing(s, c, ally))
            row.healing = clipped(max(0.0, healed))
    if ally != NOBODY:
        area = int(s.ally[ally].area)
    elif enemy != NOBODY:
        area = int(s.enemy[enemy].area)
    write_area(s, c, a, area, work, row.area)
    if s.decision == Decision.STEP:
        row.provoked = clipped(provoked(s, c, work)) if area != NOWHERE else 0
    write_does(s, c, a, block, index, work, row.does)


@kernel
def named(block, index):
    """What an action names -> (ally, enemy, area), each -1 if none."""
    ally = index if block == Block.ALLY else NOBODY
    enemy = index if block == Block.ENEMY else NOBODY
    leads = block == Block.AREA or block == Block.CLIMB or block == Block.PORTAL
    return ally, enemy, index if leads else NOWHERE


@kernel
def tenths(value):
    """The integer of a real number scaled by 10."""
    return clipped(np.rint(STEPS * value))


# ---- what is answered ----------------------------------------------------------------------------
@kernel
def write_turn(s, c, a, choice, row):
    """What a choice of the own turn costs and brings."""
    sheet, ally = c.sheet[a], s.ally[a]
    match choice:
        case Turn.MOVE_FREE:
            row.amount = sheet.move_free
        case Turn.MOVE_PAID:
            row.amount, row.cost = sheet.move_paid, sheet.move_cost
        case Turn.RECOVER_STAMINA:
            row.amount = sheet.recover_stamina
            row.healing = clipped(min(int(sheet.recover_stamina), int(ally.spent)))
        case Turn.RECOVER_DAMAGE:
            row.amount = sheet.recover_damage
            healed = min(1.0 * sheet.recover_damage, hero_value.missing(s, c, a))
            row.healing = clipped(max(0.0, healed))
        case _:
            pass


@kernel
def write_amount(s, c, n, row):
    """What naming a number brings: stamina paid for damage, a share of a Cleave."""
    if s.decision == Decision.PAY:
        row.cost = n
    attack = s.attack
    if s.decision == Decision.SHARE:
        write_damage(s, c, s.subject, 1.0 * n, row)
    elif s.decision == Decision.PAY and s.roll.use == Roll.ATTACK and attack.n_targets > 0:
        damage = s.roll.successes + n + c.attack[attack.row].bonus + attack.bonus
        damage += gear.bonus(s, c, s.roll.ally, attack.type, attack.weapon)
        write_damage(s, c, attack.target[0], 1.0 * damage, row)


@kernel
def write_damage(s, c, e, damage, row):
    """Damage to an Enemy, before its shield, that is certain."""
    through = max(0.0, damage - shield(s, c, e))
    row.damage = clipped(through)
    row.defeat = 100 if through >= s.enemy[e].health else 0


@kernel
def shield(s, c, e):
    """Shield points of an Enemy that count against the attack going on."""
    pierce = c.attack[s.attack.row].pierce + s.attack.pierce
    return max(0, int(c.type[s.enemy[e].type].shield) - int(pierce))


@kernel
def write_hit(s, c, e, work, row):
    """Expected damage to an Enemy, and the chance to defeat it, with every S-symbol paid for."""
    attack, card = s.attack, c.attack[s.attack.row]
    if card.effect_only:
        return
    a, kind = int(attack.ally), int(attack.type)
    less = shield(s, c, e) + ally_attack.aim_penalty(s, c, a, attack.row, kind, s.enemy[e].area)
    if card.shape == Shape.CLEAVE and attack.left > 0:
        write_damage(s, c, e, 1.0 * attack.left, row)
        return
    damage = attack_value.expected(s, c, a, attack.row, kind, work) + attack.bonus
    row.damage = clipped(np.rint(max(0.0, damage - less)))
    lacking = s.enemy[e].health + less
    if s.ally[a].kind != Kind.HERO:
        row.defeat = 100 if damage >= lacking else 0
        return
    arms = work.arms[kind]
    lacking -= card.bonus + arms.bonus + attack.bonus
    if card.double:
        lacking = (lacking + 1) // 2
    dice = max(0, int(card.dice) + int(arms.dice) + int(attack.dice))
    row.defeat = clipped(np.rint(100.0 * chance_of(c, dice, lacking, work.odds)))


@kernel
def chance_of(c, dice, number, odds):
    """The chance of at least `number` successes on Action dice; odds: scratch, float64 (2, n)."""
    if number <= 0:
        return 1.0
    if number >= odds.shape[1]:
        return 0.0
    write_die_odds(c, odds[0], number)
    total = odds[1]
    total[:number] = 0.0
    total[0] = 1.0
    for _ in range(dice):
        for n in range(number - 1, -1, -1):
            chance = 0.0
            for k in range(n + 1):
                chance += total[n - k] * odds[0, k]
            total[n] = chance
    missed = 0.0
    for n in range(number):
        missed += total[n]
    return max(0.0, 1.0 - missed)


@kernel
def write_die_odds(c, odds, number):
    """R3.1 [Q2] - the chances of 0 to number - 1 successes on a die and those it adds."""
    odds[:number] = 0.0
    extra = 0.0
    for k in range(N_FACES):
        face = int(c.action_die[k])
        if face == FACE_EXTRA:
            extra += 1.0 / N_FACES
        else:
            successes = 1 if face == FACE_SYMBOL else face
            if successes < number:
                odds[successes] += 1.0 / N_FACES
    for n in range(1, number):
        odds[n] += extra * odds[n - 1]


@kernel
def provoked(s, c, work):
    """Points of damage of the Enemies that leaving the area provokes."""
    points, enemies = 0, int(work.provoking)
    while enemies != 0:
        points += int(c.type[s.enemy[lowest(enemies)].type].provoke)
        enemies &= enemies - 1
    return points


# ---- whom it names -------------------------------------------------------------------------------
@kernel
def write_figure(s, c, a, ally, enemy, block, index, work, part):
    """The Ally, the Enemy or the Enemy card that an action names."""
    if ally != NOBODY:
        write_ally(s, c, a, ally, part)
    elif enemy != NOBODY:
        write_enemy(s, c, enemy, work, part)
    elif block == Block.TYPE:
        write_card(c, index, part)


@kernel
def write_ally(s, c, a, b, part):
    """Ally b, named by ally a."""
    ally = s.ally[b]
    part.ally = 1
    part.itself = a == b
    part.wanted = ending.is_escorted(c, b)
    part.acted = ally.acted
    part.fly = lock.flies(s, c, b)
    part.mirror, part.revenge, part.wounded = ally.mirror, ally.revenge, ally.wounded
    hero = ally.kind == Kind.HERO
    part.hero = hero
    part.health = clipped(ally.disk if hero else ally.health)
    part.missing = clipped(ally.wounds if hero else c.sheet[b].health - ally.health)
    part.spent = clipped(ally.spent)
    part.size = c.sheet[b].size
    if s.strike.enemy >= 0:
        part.hit_value = clipped(max(0, int(s.strike.value)))
    write_flags(int(ally.conditions) >> 1, part.conditions)


@kernel
def write_enemy(s, c, e, work, part):
    """Enemy e."""
    enemy = s.enemy[e]
    write_card(c, enemy.type, part)
    part.acted, part.due = enemy.acted, work.due_reach[e] >= 0
    part.fly, part.mirror, part.revenge = enemy.fly, enemy.mirror, enemy.revenge
    part.health = clipped(enemy.health)
    part.missing = clipped(enemy.full - enemy.health)
    write_flags(int(enemy.conditions) >> 1, part.conditions)


@kernel
def write_card(c, kind, part):
    """What an Enemy card says."""
    card = c.type[kind]
    part.enemy = 1
    part.wanted = c.objective == Objective.DEFEAT_TYPE and c.objective_subject == kind
    part.elite = card.elite
    part.shield, part.provoke, part.size = card.shield, card.provoke, card.size
    part.strike = clipped(c.attack_value[kind, 3])
    part.reach = clipped(c.attack_reach[kind, 3])


# ---- where it leads ------------------------------------------------------------------------------
@kernel
def write_area(s, c, a, area, work, part):
    """An area, or where the figure that acts stands."""
    here = threats.here_of(s)
    there = area if area != NOWHERE else here
    if there == NOWHERE:
        return
    part.exists = 1
    part.room = clipped(c.capacity[there] - s.used[there])
    part.allies, part.enemies = s.allies_in[there], s.enemies_in[there]
    part.trap = s.trap[there]
    for k in range(N_GROUND):
        part.items += s.item[there, k] >= 0
    part.goal = (int(c.goal) >> there) & 1
    for k in range(c.n_stories):
        if c.section[k].area == there and story.is_open(s, c, k):
            part.story = 1
    part.distance = clipped(work.distance[there])
    part.nearest = clipped(policies.nearest_enemy(s, c, there, work))
    write_exposure(s, c, there, work, part)
    part.gain = tenths(work.gain[there])
    if here != NOWHERE:
        part.other = there != here
        steps = int(c.range[here, there])
        part.range = steps if steps >= 0 else NO_WAY
        part.higher = clipped(c.level[there] - c.level[here])
        part.nearer = clipped(work.distance[here] - work.distance[there])
        drop = c.border[here, there] == Border.DOUBLE_DOWN
        part.fall = drop and a != NOBODY and not lock.flies(s, c, a)


@kernel
def write_exposure(s, c, there, work, part):
    """The Enemies that could move and attack a figure in an area."""
    attackers, value, due, due_value, enemies = 0, 0, 0, 0, int(work.standing)
    while enemies != 0:
        e = lowest(enemies)
        enemies &= enemies - 1
        steps = c.range[s.enemy[e].area, there]
        if 0 <= steps <= work.strike_reach[e]:
            attackers += 1
            value += int(work.strike[e])
        if 0 <= steps <= work.due_reach[e]:
            due += 1
            due_value += int(work.due[e])
    part.attackers, part.exposure = attackers, clipped(value)
    part.due_attackers, part.due_exposure = due, clipped(due_value)


# ---- what it does --------------------------------------------------------------------------------
@kernel
def write_does(s, c, a, block, index, work, part):
    """What the action token, item, section, lock or attack that an action names does."""
    match block:
        case Block.TOKEN:
            write_token(s, c, a, int(c.sheet[s.asked].token[index]), work, part)
        case Block.TURN:
            if index == Turn.ACT:
                write_token(s, c, a, hero_value.row_of(s, c, a), work, part)
        case Block.ITEM:
            write_item(s, c, a, int(s.ally[s.asked].item[index]), work, part)
        case Block.GROUND:
            area = s.ally[s.asked].area
            write_item(s, c, a, int(s.item[area, index]), work, part)
        case Block.STORY:
            write_section(s, c, a, index, work, part)
        case Block.LOCK:
            owner = s.flip_ally if s.decision == Decision.FLIP_LOCK else s.asked
            passive = int(s.ally[owner].lock_passive[index])
            if passive >= 0:
                write_passive(c, passive, part)
        case Block.ATTACK_TYPE:
            part.types[index] = 1
            write_attack(s, c, s.attack.ally, s.attack.row, work, part)
        case _:
            pass


@kernel
def write_token(s, c, a, row, work, part):
    """An action of an Ally; row -1 = none."""
    if row < 0:
        return
    token = c.token[row]
    part.colour[token.colour] = 1
    write_flags(int(token.special), part.special)
    part.cost, part.gem = clipped(token.cost), clipped(token.gem)
    part.maneuver, part.once = token.maneuver, token.once
    write_effects(s, c, a, token.first, token.n, work, part)


@kernel
def write_item(s, c, a, item, work, part):
    """An item; -1 = none."""
    if item < 0:
        return
    card = c.item[item]
    part.wear[card.wear] = 1
    if card.weapon >= 0:
        part.weapon[card.weapon] = 1
    part.bonus = clipped(card.bonus + card.rider_bonus)
    part.weight = clipped(card.weight)
    active = s.decision == Decision.BOOST and s.roll.use == Roll.ACTIVE
    for k in range(3):
        part.boost[k] = clipped(card.boost_active[k] if active else card.boost[k])
    part.cost = clipped(card.special_cost)
    write_flags(int(card.special), part.special)
    part.maneuver, part.once = card.maneuver, not card.kept
    part.wanted = c.objective == Objective.COLLECT and c.objective_subject == item
    part.range = clipped(card.range_max)
    part.pierce = clipped(card.rider_pierce)
    write_effects(s, c, a, card.first, card.n, work, part)
    raise_flags(int(card.rider_conditions), part.conditions)
    if card.passive >= 0:
        write_passive(c, card.passive, part)


@kernel
def write_section(s, c, a, k, work, part):
    """A section of the story."""
    section = c.section[k]
    part.maneuver, part.once = section.maneuver, not section.repeats
    part.number = clipped(section.number)
    write_effects(s, c, a, section.first, section.n, work, part)


@kernel
def write_effects(s, c, a, first, n, work, part):
    """Effect rows."""
    restores, amounts = 0, 0
    for k in range(first, first + n):
        row = c.effect[k]
        place = PLACE_OF_OP[row.op]
        if place >= 0:
            part.ops[place] = 1
        part.range = clipped(max(int(part.range), int(row.range)))
        match row.op:
            case Op.ATTACK:
                write_attack(s, c, a, row.a, work, part)
            case Op.HEAL | Op.RESTORE | Op.MIXED | Op.ROLL_HEAL | Op.ROLL_RESTORE:
                restores += int(row.amount)
            case Op.GAIN | Op.AFFLICT | Op.AFFECT:
                raise_flags(1 << int(row.a), part.conditions)
            case Op.LOCK:
                write_passive(c, row.a, part)
            case _:
                amounts += max(0, int(row.amount))
    part.restores, part.amounts = clipped(restores), clipped(amounts)


@kernel
def raise_flags(conditions, flags):
    """Add conditions, as bits by number, to the flags."""
    for k in range(LAST_CONDITION):
        flags[k] |= (conditions >> (k + 1)) & 1


@kernel
def write_attack(s, c, a, row, work, part):
    """An attack of an Ally."""
    card = c.attack[row]
    write_flags(int(card.types), part.types)
    part.shape[card.shape] = 1
    part.targets, part.radius = clipped(card.targets), clipped(card.radius)
    part.pierce = clipped(card.pierce)
    part.push = clipped(card.push - card.pull)
    raise_flags(int(card.conditions), part.conditions)
    damage = 0.0
    for kind in range(3):
        if a >= 0 and (card.types >> kind) & 1:
            damage = max(damage, attack_value.expected(s, c, a, row, kind, work))
            if card.range_max < 0:
                part.range = clipped(max(int(part.range), int(c.sheet[a].weapon_max[kind])))
    part.damage = clipped(np.rint(damage))
    part.range = clipped(max(int(part.range), int(card.range_max)))


@kernel
def write_passive(c, row, part):
    """What is locked or in use."""
    passive = c.passive[row]
    part.need = clipped(passive.need)
    for k in range(3):
        part.reactive[k] = clipped(passive.reactive[k])
        part.dice[k] = clipped(passive.dice[k])
    part.evade, part.move = clipped(passive.evade), clipped(passive.move)
    part.riposte = clipped(passive.riposte)
    part.mirror, part.revenge, part.fly = passive.mirror, passive.revenge, passive.fly
