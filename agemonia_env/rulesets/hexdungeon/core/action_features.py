"""The features of the legal actions (action_spec.ACTION): one writer for each part of a row.

They say what an action is and does, by what is open on the table, and what the greedy policy thinks
of it. What the answers to one question share is found once.
"""

import math

import numpy as np

from agemonia_env.core.bitset import lowest, size
from agemonia_env.core.jit import COMPILED, kernel, with_fields
from agemonia_env.core.obs_encoding import INT8_MAX

from . import hexset, policies
from .action_spec import ACTION_INT8, PERCENT, QUARTERS
from .actions import N_ACTIONS, SIZES, STARTS, Block
from .heuristics import attack_odds, exposure, hero_value
from .layout import FIRST_MONSTER, MAX_CELLS, N_FIGURES
from .masks import ANSWERING
from .obs_spec import N_CONDITIONS, POINTS
from .rules import attack, bonus, condition, monster_actions, terrain, travel
from .rules.board import neighbour, neighbours
from .rules.distance import range_between
from .rules.figures import has, is_present
from .rules.hand_management import REST_HEAL
from .rules.order import REST, initiative_of
from .terms import Decision, Effect, Ending, Half, Mode, Op, Place, Serve, Side, Terrain

EACH = QUARTERS // POINTS  # integers of a point
# Decisions about cards to be played, about an attack ability, and about where a figure comes to
PLAYING = (Decision.LEAD, Decision.SECOND, Decision.TURN)
STRIKING = (Decision.TARGET, Decision.AIM, Decision.ORIENTATION, Decision.CELL)
PLACING = (Decision.STEP, Decision.FORCE, Decision.SUMMON, Decision.END_HEX, Decision.LANDING)

SHARED_RECORD = np.dtype(
    [  # what the features of the answers to one question share
        ("actor", np.int64),  # the figure that acts; -1 = none
        ("mover", np.int64),  # the figure that comes to a hex; -1 = none
        ("here", np.int64),  # where it stands, or the one that summons it
        ("exposure", exposure.RECORD),
        # the attack, by which `odds` are asked
        ("attacks", np.int64),  # 0/1: there is one
        ("value", np.int64),  # printed
        ("doublings", np.int64),
        ("pierce", np.int64),
        ("good", np.int64),  # instances of advantage
        ("bad", np.int64),
        ("range", np.int64),  # 0 = melee
        ("odds", attack_odds.RECORD),
    ],
    align=True,
)
SHARED = SHARED_RECORD if COMPILED else with_fields(SHARED_RECORD)
ROW = ACTION_INT8 if COMPILED else with_fields(ACTION_INT8)
BLANK = np.zeros(1, ROW)


@kernel
def write_features(s, c, mask, legal, scratch, rows, first):
    """Write the features of the legal actions into rows[first], rows[first + 1] ..., ascending.

    mask: uint8 (N_ACTIONS,), of the question now asked; at a finished state all ones, and the rows
    are zero. legal: not used.
    """
    work, shared = scratch.work, scratch.shared
    if s.ending != Ending.NONE:
        for n in range(first, first + N_ACTIONS):
            rows[n] = BLANK[0]
        return
    prepare(s, c, work, shared)
    n, best, best_score = first, first, policies.NEVER - 1.0
    blocks = int(ANSWERING[s.decision])
    while blocks != 0:
        block = lowest(blocks)
        blocks &= blocks - 1
        for k in range(SIZES[block]):
            if mask[STARTS[block] + k] == 0:
                continue
            score = policies.score_action(s, c, block, k, work)
            if score > best_score:
                best, best_score = n, score
            rows[n] = BLANK[0]
            write_row(s, c, block, k, score, work, shared, rows[n])
            n += 1
    if n > first:
        rows[best].greedy_choice = 1


@kernel
def clipped(number):
    """A number, rounded and clipped to int8."""
    return int(max(-INT8_MAX, min(INT8_MAX, math.floor(number + 0.5))))


# ---- what the answers share ----------------------------------------------------------------------
@kernel
def prepare(s, c, work, shared):
    """Find once what the rows of all answers share."""
    policies.prepare(s, c, work)
    shared.actor = actor_of(s)
    shared.mover = -1
    shared.attacks = 0
    if s.decision in PLAYING:
        attack_odds.prepare(s, c, int(s.asked), False, shared.odds)
        shared.attacks = not has(s, int(s.asked), Effect.DISARM)
    elif s.decision in STRIKING:
        take_strike(s, c, shared)
    elif s.decision == Decision.FOCUS or s.decision == Decision.END_HEX:
        take_attack_of_turn(s, c, shared)
    if s.decision in PLACING:
        shared.mover = mover_of(s)
        shared.here = s.figure[shared.mover].at
        exposure.prepare(s, c, shared.mover, hexes_led_to(s, shared.here), shared.exposure)


@kernel
def actor_of(s):
    """The figure whose ability is going on; else the character that is asked, -1 = none."""
    match s.decision:
        case (
            Decision.TARGET | Decision.AIM | Decision.ORIENTATION | Decision.CELL | Decision.EFFECT
        ):
            return int(s.strike.by)
        case Decision.FORCE:
            return int(s.force.by)
        case Decision.FOCUS | Decision.END_HEX:
            return int(s.turn)
        case Decision.RECIPIENT | Decision.MONSTER_CHOICE:
            return int(s.actor)
        case _:
            return int(s.asked)


@kernel
def mover_of(s):
    """The figure that comes to a hex; of a summon the one that summons it."""
    match s.decision:
        case Decision.STEP:
            return int(s.move.by)
        case Decision.FORCE:
            return int(s.force.target)
        case Decision.END_HEX:
            return int(s.turn)
        case _:
            return int(s.actor)


@kernel
def hexes_led_to(s, here):
    """The hexes that answers lead to, and the one where the figure stands."""
    hexes = hexset.only(here)
    if s.decision == Decision.END_HEX:
        for k in range(s.n_ties):
            hexes = hexset.union(hexes, hexset.only(int(s.tie[k].end)))
        return hexes
    if s.decision == Decision.LANDING:
        return hexset.union(hexes, terrain.landing_hexes(s, int(s.actor)))
    for direction in range(6):
        there = neighbour(s.board, here, direction)
        if there >= 0:
            hexes = hexset.union(hexes, hexset.only(there))
    return hexes


@kernel
def take_strike(s, c, shared):
    """The attack is the next one of the ability that is going on."""
    strike = s.strike
    attack_odds.prepare(s, c, int(strike.by), strike.made > 0, shared.odds)
    shared.attacks = 1
    shared.value = strike.value + strike.bonus
    shared.doublings = strike.doublings
    shared.pierce = strike.pierce
    shared.good = strike.advantages
    shared.bad = strike.disadvantages
    shared.range = strike.range


@kernel
def take_line(s, c, f, row, shared):
    """The attack is a line of a card, with what the stat card of a monster or summon adds."""
    line = c.row[row]
    shared.value = line.amount
    shared.doublings = 0
    shared.pierce = line.pierce
    shared.good = line.advantages
    shared.bad = line.disadvantages
    shared.range = line.range
    if s.figure[f].kind >= 0:
        stats = c.kind[s.figure[f].kind].stats[s.figure[f].elite]
        shared.value += stats.attack
        shared.pierce += stats.pierce
        shared.good += stats.advantages
        if line.range == 0:
            shared.range = stats.range


@kernel
def take_attack_of_turn(s, c, shared):
    """The attack is the next one on the card of the monster or summon whose turn it is."""
    f = int(s.turn)
    _, end = monster_actions.lines_of(s, c, f)
    for row in range(s.row, end):
        if c.row[row].op == Op.ATTACK and not has(s, f, Effect.DISARM):
            attack_odds.prepare(s, c, f, False, shared.odds)
            take_line(s, c, f, row, shared)
            shared.attacks = 1
            return


# ---- a row ---------------------------------------------------------------------------------------
@kernel
def write_row(s, c, block, k, score, work, shared, row):
    """Write the features of one answer into a row of zeros."""
    row.kind[block] = 1
    if block == Block.HALF:
        row.half[k & 3] = 1
    row.greedy_score = clipped(EACH * score)
    row.amount = clipped(amount_of(s, c))
    write_card(s, c, block, k, work, shared, row)
    f = target_of(s, block, k)
    if f >= 0:
        write_target(s, c, f, shared.actor, row.target)
    if shared.mover >= 0:
        h = hex_of(s, block, k, shared.here)
        if h >= 0:
            write_hex(s, c, h, shared, row.hex)
            write_dangers(s, c, block, h, shared, row)
    write_outcome(s, c, block, k, shared, row)


@kernel
def amount_of(s, c):
    """What the question is about: movement points, hexes, damage, or the amount of a line."""
    match s.decision:
        case Decision.STEP:
            return int(s.move.points)
        case Decision.FORCE:
            return int(s.force.left)
        case Decision.LOSE | Decision.LOSE_SECOND:
            return int(s.harm.amount)
        case Decision.TARGET | Decision.AIM | Decision.ORIENTATION | Decision.CELL:
            return s.strike.value + s.strike.bonus
        case Decision.RECIPIENT | Decision.MONSTER_CHOICE:
            return int(c.row[s.row].amount)
        case _:
            return 0


@kernel
def target_of(s, block, k):
    """The figure that an answer is about; -1 = none."""
    if block == Block.FIGURE:
        return k
    match s.decision:
        case Decision.EFFECT:
            return int(s.strike.target)
        case Decision.ORIENTATION | Decision.CELL:
            return int(s.strike.aimed)
        case Decision.FORCE:
            return int(s.force.target)
        case Decision.LOSE | Decision.LOSE_SECOND:
            return int(s.harm.to)
        case Decision.SHORT_REST | Decision.INSTEAD:
            return int(s.asked)
        case Decision.END_HEX:
            return int(s.turn)
        case Decision.LANDING:
            return int(s.actor)
        case _:
            return -1


@kernel
def hex_of(s, block, k, here):
    """The hex that the mover comes to with an answer, or stays on; -1 = none."""
    if block == Block.HEX:
        return k
    if block == Block.DIRECTION:
        return neighbour(s.board, here, k)
    return -1 if s.decision == Decision.SUMMON else here


# ---- parts: a figure -----------------------------------------------------------------------------
@kernel
def write_target(s, c, f, actor, o):
    """The figure that an answer is about."""
    figure = s.figure[f]
    o.hero = figure.side == Side.HERO
    o.summon = figure.side == Side.SUMMON
    o.monster = figure.side == Side.MONSTER
    o.elite = figure.elite
    o.flying = figure.flying
    o.acted = (s.acted >> f) & 1
    o.hp = clipped(figure.hp)
    o.max_hp = clipped(figure.max_hp)
    o.missing = clipped(figure.max_hp - figure.hp)
    o.shield = clipped(bonus.standing_shield(s, c, f))
    for k in range(N_CONDITIONS):
        o.condition[k] = figure.condition[k + 1] != 0
    o.initiative = clipped(initiative_of(s, f))
    if figure.kind >= 0:
        o.attack = clipped(exposure.attack_of(s, c, f))
        o.reach = clipped(exposure.reach_of(s, c, f))
    if is_present(s, actor) and is_present(s, f) and actor != f:
        away = range_between(s.board, int(s.figure[actor].at), int(figure.at))
        if away >= 0:
            o.away = clipped(away)
            o.retaliate = clipped(bonus.standing_retaliate(s, c, f, away, away == 1))


# ---- parts: a hex --------------------------------------------------------------------------------
@kernel
def write_hex(s, c, h, shared, o):
    """The hex that the mover comes to."""
    near = shared.exposure
    o.objective_before = clipped(near.objective[shared.here])
    o.objective_after = clipped(near.objective[h])
    o.enemy_before = clipped(near.enemy[shared.here])
    o.enemy_after = clipped(near.enemy[h])
    threats, damage = exposure.threats_at(h, near)
    o.threats = clipped(threats)
    o.threat_damage = clipped(damage)
    beside = neighbours(s.board, hexset.only(h))
    o.beside_enemies = hexset.size(hexset.common(beside, hexset.of(near.enemies)))
    o.beside_allies = hexset.size(hexset.common(beside, hexset.of(near.allies)))
    o.hazard = terrain.is_terrain(s, Terrain.HAZARD, h)
    o.trap = terrain.is_terrain(s, Terrain.TRAP, h)
    o.obstacle = terrain.is_terrain(s, Terrain.OBSTACLE, h)
    o.door = terrain.is_terrain(s, Terrain.DOOR, h)
    o.loot = hexset.has(hexset.of(s.loot), h)
    o.exit = hexset.has(hexset.of(c.exit), h)


@kernel
def write_dangers(s, c, block, h, shared, row):
    """The damage of trap and hazard where the mover comes to."""
    if s.decision == Decision.SUMMON or s.decision == Decision.LANDING:
        return
    f = shared.mover
    mode = int(s.move.mode)
    if s.decision == Decision.FORCE:
        mode = Mode.FLY.value if s.figure[f].flying else Mode.WALK.value
    lands = block == Block.HEX or (block == Block.DONE and s.move.entered > 0)
    enters = lands if mode == Mode.JUMP else mode == Mode.WALK and h != shared.here
    if not enters:
        return
    if terrain.is_terrain(s, Terrain.HAZARD, h):
        add_harm(s, f, terrain.hazard_damage(c), row)
    if terrain.is_terrain(s, Terrain.TRAP, h):
        for k in range(len(s.trap)):
            if s.trap[k].at == h:
                add_harm(s, f, int(s.trap[k].damage), row)
                for effect in range(Effect.POISON, Effect.STRENGTHEN + 1):
                    if (int(s.trap[k].conditions) >> effect) & 1:
                        mark(s, f, effect, row)


@kernel
def add_harm(s, f, amount, row):
    """Damage that figure f suffers for certain."""
    if f >= FIRST_MONSTER:
        row.damage = clipped(row.damage + EACH * amount)
    else:
        row.suffers = clipped(row.suffers + EACH * amount)
    if amount >= s.figure[f].hp:
        row.defeat = PERCENT


@kernel
def mark(s, f, effect, row):
    """A condition or curse that figure f gains; -1 = several figures."""
    if f >= 0 and condition.is_immune(s, f, effect):
        return
    if Effect.POISON <= effect <= Effect.STRENGTHEN:
        row.gives[effect - Effect.POISON] = 1
    elif effect == Effect.CURSE:
        row.curse = 1


# ---- parts: an ability card ----------------------------------------------------------------------
@kernel
def card_of(s, block, k):
    """The ability card that an answer is about -> (character, card); -1 = none."""
    h = int(s.asked)
    match block:
        case Block.CARD:
            return h, k
        case Block.HALF:
            return h, int(s.hero[h].second if k >> 2 else s.hero[h].lead)
        case Block.ACTIVE:
            return int(s.active[k].owner), int(s.active[k].card)
        case Block.YES | Block.NO:
            if s.decision == Decision.REST_KEEP:
                return h, int(s.subject)
            if s.decision == Decision.INSTEAD and block == Block.NO:
                return h, int(s.lost_card)
            return h, -1
        case _:
            return h, -1


@kernel
def write_card(s, c, block, k, work, shared, row):
    """The ability card that an answer is about, and what its halves do; of a half only that."""
    if block == Block.REST:
        row.initiative = REST
    h, card = card_of(s, block, k)
    if card < 0:
        return
    sheet = c.hero[h].card[card]
    row.initiative = clipped(sheet.initiative)
    row.discarded = s.hero[h].place[card] == Place.DISCARD
    row.active = s.hero[h].place[card] == Place.ACTIVE
    kind = k & 3
    if block == Block.HALF and kind == Half.BASIC_ATTACK:
        write_line(s, c, h, int(c.basic_attack), 0, work, shared, row, row.top)
    elif block == Block.HALF and kind == Half.BASIC_MOVE:
        write_line(s, c, h, int(c.basic_move), 0, work, shared, row, row.bottom)
    else:
        if block != Block.HALF or kind == Half.TOP:
            write_half(s, c, h, sheet.half[0], work, shared, row, row.top)
        if block != Block.HALF or kind == Half.BOTTOM:
            write_half(s, c, h, sheet.half[1], work, shared, row, row.bottom)
        if block == Block.HALF:
            row.loses = sheet.half[kind].loss


@kernel
def write_half(s, c, h, half, work, shared, row, o):
    """What a half does, line by line."""
    o.loss = half.loss
    steps = 0
    for line in range(half.first, half.first + half.n_rows):
        write_line(s, c, h, line, steps, work, shared, row, o)
        if c.row[line].op == Op.MOVE and not has(s, h, Effect.IMMOBILIZE):
            steps += c.row[line].amount


@kernel
def write_line(s, c, h, k, steps, work, shared, row, o):
    """Add what line k does for character h, `steps` movement points coming before it."""
    line = c.row[k]
    amount = int(line.amount)
    match line.op:
        case Op.ATTACK:
            write_attack_line(s, c, h, k, steps, work, shared, row, o)
        case Op.MOVE:
            o.move = clipped(o.move + amount)
            o.jump |= line.mode == Mode.JUMP
        case Op.HEAL:
            o.heal = clipped(o.heal + amount)
            if s.decision in PLAYING:
                gain = hero_value.heal_gain(s, h, line.serves, amount)
                row.healing = clipped(row.healing + gain)
        case Op.SHIELD:
            o.shield = clipped(o.shield + amount)
        case Op.RETALIATE:
            o.retaliate = clipped(o.retaliate + amount)
        case Op.SUFFER:
            o.harm = clipped(o.harm + amount)
        case Op.PUSH | Op.PULL:
            o.force = clipped(o.force + amount)
        case Op.LOOT:
            o.loot = clipped(amount)
        case Op.SUMMON:
            o.summon = 1
            o.persistent = 1
        case Op.RECOVER:
            o.recover = 1
        case Op.BONUS:
            write_bonus(c, int(line.bonus), o)
    o.others |= line.serves == Serve.ALLY or line.serves == Serve.ALLIES
    o.others |= line.serves == Serve.PARTY
    write_effects_of_line(line, o)


@kernel
def write_effects_of_line(line, o):
    """The conditions that a line gives, and how far its attack pushes or pulls."""
    for k in range(len(line.effect)):
        effect = int(line.effect[k])
        if Effect.POISON <= effect <= Effect.STRENGTHEN:
            o.condition[effect - Effect.POISON] = 1
        elif effect == Effect.PUSH or effect == Effect.PULL:
            o.force = clipped(o.force + int(line.effect_amount[k]))


@kernel
def write_bonus(c, k, o):
    """The active bonus that begins."""
    begun = c.bonus[k]
    o.bonus = clipped(hero_value.bonus_gain(c, k))
    o.persistent = begun.round == 0
    o.shield = clipped(o.shield + int(begun.shield))
    o.retaliate = clipped(o.retaliate + int(begun.retaliate))
    o.others |= begun.serves != Serve.SELF


@kernel
def write_attack_line(s, c, h, k, steps, work, shared, row, o):
    """An attack: its numbers, and what it would do now to the enemies in its reach."""
    line = c.row[k]
    if line.amount >= o.attack:
        o.attack = clipped(line.amount)
        o.range = clipped(line.range)
        o.targets = min(MAX_CELLS, max(1, int(line.targets)) + int(line.extra_targets))
        if line.template >= 0:
            o.targets = clipped(c.template[line.template].n_cells)
        o.pierce = clipped(line.pierce)
    if not (shared.attacks and s.decision in PLAYING):
        return
    take_line(s, c, h, k, shared)
    reach, n = max(1, int(line.range)) + steps, 0
    for e in range(FIRST_MONSTER, N_FIGURES):
        if work.away[e] <= reach:
            n += 1
            near = steps == 0 and work.away[e] == 1
            damage, chance = expect_on(s, c, e, near, shared)
            row.damage = max(row.damage, clipped(EACH * damage))
            row.defeat = max(row.defeat, clipped(PERCENT * chance))
    o.in_reach = max(o.in_reach, clipped(n))


# ---- parts: what comes of it ---------------------------------------------------------------------
@kernel
def expect_on(s, c, e, near, shared):
    """Expected damage of the attack to figure e, adjacent or not -> (damage, chance to defeat)."""
    melee = shared.range == 0
    bad = shared.bad + (near and not melee)
    return attack_odds.expect(
        *(s, c, e, shared.value, shared.doublings, shared.pierce),
        *(shared.good, bad, melee, shared.odds),
    )


@kernel
def expect_all(s, c, figures, at, shared):
    """The same of attacks on a set of figures from hex `at` -> (damage, chance, retaliate)."""
    total, best, back = 0.0, 0.0, 0
    while figures != 0:
        e = lowest(figures)
        figures &= figures - 1
        away = range_between(s.board, at, int(s.figure[e].at))
        damage, chance = expect_on(s, c, e, away == 1, shared)
        total += damage
        best = max(best, chance)
        back += bonus.standing_retaliate(s, c, e, away, shared.range == 0) if away > 0 else 0
    return total, best, back


@kernel
def write_attack(s, c, figures, at, shared, row):
    """Attacks by the actor on a set of figures from hex `at`: what they do, and what comes back."""
    if not shared.attacks or figures == 0:
        return
    damage, chance, back = expect_all(s, c, figures, at, shared)
    if shared.actor >= FIRST_MONSTER:
        row.suffers, row.damage = clipped(EACH * damage), clipped(EACH * back)
    else:
        row.damage, row.suffers = clipped(EACH * damage), clipped(EACH * back)
    row.defeat = clipped(PERCENT * chance)
    row.targets = size(figures)


@kernel
def write_strike(s, c, figures, shared, row):
    """The next attacks of the ability that is going on, and the conditions they give."""
    write_attack(s, c, figures, int(s.figure[s.strike.by].at), shared, row)
    f = lowest(figures) if size(figures) == 1 else -1
    given = int(s.strike.action_conditions) | int(shared.odds.conditions[int(shared.range == 0)])
    for k in range(len(s.strike.effect)):
        mark(s, f, int(s.strike.effect[k]), row)
    for effect in range(Effect.POISON, Effect.STRENGTHEN + 1):
        if (given >> effect) & 1:
            mark(s, f, effect, row)


@kernel
def best_cover(s, c, orientation, shared):
    """The enemies covered by the placement in an orientation that promises most damage, as bits."""
    best, most = 0, -1.0
    at = int(s.figure[s.strike.by].at)
    aimed = int(s.figure[s.strike.aimed].at)
    for cell in range(c.template[s.strike.template].n_cells):
        if attack.is_placement(s, c, aimed, orientation, cell):
            covered = attack.covered_by(s, c, aimed, orientation, cell)
            damage, _, _ = expect_all(s, c, covered, at, shared)
            if damage > most:
                best, most = covered, damage
    return best


@kernel
def write_outcome(s, c, block, k, shared, row):
    """What an answer costs, and what comes of it, by the question."""
    match s.decision:
        case Decision.STEP:
            if block == Block.DIRECTION:
                there = neighbour(s.board, shared.here, k)
                row.cost = travel.cost_of(s, int(s.move.mode), there)
        case Decision.TARGET | Decision.AIM:
            if block == Block.FIGURE:
                write_strike(s, c, 1 << k, shared, row)
        case Decision.ORIENTATION:
            write_strike(s, c, best_cover(s, c, k, shared), shared, row)
        case Decision.CELL:
            aimed = int(s.figure[s.strike.aimed].at)
            covered = attack.covered_by(s, c, aimed, int(s.strike.orientation), k)
            write_strike(s, c, covered, shared, row)
        case Decision.EFFECT:
            if block == Block.YES:
                mark(s, int(s.strike.target), int(s.subject), row)
        case Decision.FOCUS | Decision.END_HEX:
            write_tie(s, c, block, k, shared, row)
        case Decision.RECIPIENT | Decision.MONSTER_CHOICE:
            if block == Block.FIGURE:
                write_service(s, c, k, row)
        case Decision.LOSE | Decision.LOSE_SECOND:
            row.loses = block == Block.CARD
            if block == Block.NO:
                add_harm(s, int(s.harm.to), int(s.harm.amount), row)
        case Decision.LEAD | Decision.SHORT_REST | Decision.INSTEAD | Decision.REST_LOSE:
            write_rest(s, block, row)


@kernel
def write_tie(s, c, block, k, shared, row):
    """What a monster or summon does in the first outcome of its turn that the answer means."""
    for n in range(s.n_ties):
        if monster_actions.agrees(s, n, block, k):
            write_attack(s, c, int(s.tie[n].attacked), int(s.tie[n].end), shared, row)
            return


@kernel
def write_service(s, c, f, row):
    """What a line does to the figure chosen for it."""
    line, figure = c.row[s.row], s.figure[f]
    if line.op == Op.HEAL and not has(s, f, Effect.POISON):
        row.healing = clipped(min(int(line.amount), figure.max_hp - figure.hp))
    elif line.op == Op.SUFFER:
        add_harm(s, f, int(line.amount), row)
    for k in range(len(line.effect)):
        mark(s, f, int(line.effect[k]), row)


@kernel
def write_rest(s, block, row):
    """What a rest costs and brings."""
    figure = s.figure[s.asked]
    if block == Block.REST:
        row.healing = min(REST_HEAL, int(figure.max_hp - figure.hp))
    rests = block == Block.REST or s.decision == Decision.INSTEAD
    rests |= s.decision == Decision.REST_LOSE
    row.loses = rests or (s.decision == Decision.SHORT_REST and block == Block.YES)
    if s.decision == Decision.INSTEAD and block == Block.YES:
        add_harm(s, int(s.asked), 1, row)
