"""The observation: one writer per block of obs_spec.OBS, one line per field.

The writers write integers into an OBS_INT8 record; `observe` scales them to float32. The
observation is complete for both sides: it has everything that is open on the table, and never the
order of decks, the random streams or loaded dice.
"""

import numpy as np

from agemonia_env.core.bitset import lowest
from agemonia_env.core.jit import COMPILED, kernel, with_fields
from agemonia_env.core.obs_encoding import (
    INT8_MAX,
    clipped,
    refresh,
    update_row,
    write_flags,
    write_scaled,
)

from .heuristics import threats
from .layout import (
    ALLY,
    ENEMY,
    N_ALLIES,
    N_CARRIED,
    N_ENEMIES,
    N_FIGURES,
    N_GROUND,
    N_LOCKS,
    N_TYPES,
    STATE,
)
from .obs_spec import N_HEAD, N_OBSERVATION, OBS_ALLY, OBS_ENEMY, OBS_INT8, SCALES
from .rules import ending, fate, gear, placing, wound
from .sides import side_of
from .terms import Decision, Kind, Objective, Trait

# Decisions whose subject is an area, an Enemy, an Ally
ABOUT_AREA = (Decision.DISARM, Decision.SPRING)
AMONG_AREAS = (  # with the areas to choose from in s.options
    Decision.ENEMY_DESTINATION,
    Decision.ENEMY_STOP,
    Decision.SPAWN_AREA,
    Decision.TRAP_AREA,
    Decision.PUSH_TO,
    Decision.ROPE,
)
ABOUT_ENEMY = (
    Decision.EVADE,
    Decision.SHARE,
    Decision.ENEMY_DESTINATION,
    Decision.ENEMY_STOP,
    Decision.ENEMY_TARGET,
    Decision.STRIKE_ORDER,
    Decision.DOMINATED_ENEMY,
)
ABOUT_ALLY = (Decision.STAND_IN, Decision.AMOUNT, Decision.DISCARD, Decision.DOMINATED_ALLY)


# One dtype object at module level: an equal, separate one costs 1.1 us a call.
RECORD = OBS_INT8 if COMPILED else with_fields(OBS_INT8)
FACTORS = (np.float32(1) / SCALES).astype(np.float32)

# ---- what has changed ---------------------------------------------------------------------------
# Blocks of the observation, each a bit of `changed_blocks`: the slots of Allies, then
# ENEMY_BLOCKS of ENEMIES_TOGETHER Enemy slots each, then the map, then the decks
ENEMIES_TOGETHER = 4
ENEMY_BLOCKS = N_ENEMIES // ENEMIES_TOGETHER
MAP = N_ALLIES + ENEMY_BLOCKS
DECKS = MAP + 1
FIGURE_BLOCKS = (1 << MAP) - 1
ALL_CHANGED = (1 << (DECKS + 1)) - 1

# Where their sources lie in a state, and how long they are, in words
FIGURES_AT = STATE.fields["ally"][1] // 8
ALLY_LONG = ALLY.itemsize // 8
ENEMIES_LONG = ENEMIES_TOGETHER * ENEMY.itemsize // 8
MAP_CACHED = N_ALLIES * ALLY_LONG + ENEMY_BLOCKS * ENEMIES_LONG
MAP_LONG = (STATE.fields["used_now"][1] + 4) // 8 - FIGURES_AT - MAP_CACHED
PILES_AT = STATE.fields["n_initiative"][1] // 8  # and what shares a word with them
PILES_CACHED = MAP_CACHED + MAP_LONG
PILES_LONG = (STATE.fields["timer_target"][1] + 9) // 8 - PILES_AT
# After them: whether areas were marked, and the bar and card of the turn
MARKS_CACHED, TURN_CACHED = PILES_CACHED + PILES_LONG, PILES_CACHED + PILES_LONG + 1
N_CACHED = 4 * (TURN_CACHED + 1)  # in int16

# Where the blocks lie in a row of obs_int8
ALLIES_AT, ENEMIES_AT = OBS_INT8.fields["ally"][1], OBS_INT8.fields["enemy"][1]
ALLY_SIZE = OBS_ALLY.itemsize // 4  # numbers
ENEMIES_SIZE = ENEMIES_TOGETHER * OBS_ENEMY.itemsize // 4
DECKS_AT, DECKS_END = OBS_INT8.fields["first_bar"][1], OBS_INT8.fields["roll_dice"][1]
BARS_AT, BARS_END = OBS_INT8.fields["bar"][1], OBS_INT8.fields["ally_now"][1]


@kernel
def changed_blocks(s, c, raw, cached, all_new):
    """The observation blocks that may have changed since the last call, as bits.

    raw: the bytes of the state; cached: int16 (N_CACHED,), refreshed; all_new: the cache is stale.
    """
    now, old = raw.view(np.int64), cached.view(np.int64)
    bits = 0
    for a in range(c.n_allies):
        first = a * ALLY_LONG
        bits |= refresh(now, FIGURES_AT + first, old, first, ALLY_LONG) << a
    for k in range(ENEMY_BLOCKS):
        first = N_ALLIES * ALLY_LONG + k * ENEMIES_LONG
        bits |= refresh(now, FIGURES_AT + first, old, first, ENEMIES_LONG) << (N_ALLIES + k)
    bits |= refresh(now, FIGURES_AT + MAP_CACHED, old, MAP_CACHED, MAP_LONG) << MAP
    marked = are_areas_marked(s)
    if marked or old[MARKS_CACHED] != 0:
        bits |= 1 << MAP
    old[MARKS_CACHED] = marked
    bits |= refresh(now, PILES_AT, old, PILES_CACHED, PILES_LONG) << DECKS
    turn = (int(s.card) << 8) + int(s.bar)
    bits |= (old[TURN_CACHED] != turn) << DECKS
    old[TURN_CACHED] = turn
    return ALL_CHANGED if all_new else bits


@kernel
def observe(s, c, i, changed, obs_int8, observations, scratch):
    """Write observation i as int8 or as float32; whichever array has no rows is skipped.

    obs_int8: (n, N_OBS_INT8); observations: float32 (n, N_OBSERVATION). With rows in both, obs_int8
    caches the integers, and only changed values are written as float32. changed: bits of
    `changed_blocks`; scratch: a row of obs_int8.
    """
    row = obs_int8[i] if len(observations) == 0 else scratch
    record = row[:N_OBSERVATION].view(RECORD)
    n = ALLIES_AT if (changed >> MAP) & 1 else N_HEAD
    row[:DECKS_AT] = 0
    row[DECKS_END:BARS_AT] = 0
    row[BARS_END:n] = 0
    write_head(s, c, record[0])
    if (changed >> DECKS) & 1 or len(observations) > 0:  # scratch keeps nothing from last time
        row[DECKS_AT:DECKS_END] = 0
        row[BARS_AT:BARS_END] = 0
        write_decks(s, c, record[0])
    if (changed >> MAP) & 1:
        write_map(s, c, record[0])
    write_figures(s, c, i, changed & FIGURE_BLOCKS, row, record[0], observations)
    if len(observations) == 0:
        return
    if len(obs_int8) == 0:
        write_scaled(row, observations[i], FACTORS, 0, n)
    else:
        update_row(row, obs_int8[i], observations[i], FACTORS, n)


@kernel
def write_figures(s, c, i, changed, row, o, observations):
    """Write the slots that have changed, and their float32 values."""
    while changed != 0:
        k = lowest(changed)
        changed &= changed - 1
        if k < N_ALLIES:
            first, n = ALLIES_AT + ALLY_SIZE * k, ALLY_SIZE
            row[first : first + n] = 0
            write_ally(s, c, k, o.ally[k])
        else:
            k -= N_ALLIES
            first, n = ENEMIES_AT + ENEMIES_SIZE * k, ENEMIES_SIZE
            row[first : first + n] = 0
            for e in range(ENEMIES_TOGETHER * k, ENEMIES_TOGETHER * (k + 1)):
                write_enemy(s, c, e, o.enemy[e])
        if len(observations) > 0:
            write_scaled(row, observations[i], FACTORS, first, n)


# ---- the head -----------------------------------------------------------------------------------
@kernel
def write_head(s, c, o):
    """Write the head, which changes at every step, into o, an OBS_INT8 record zeroed there."""
    write_question(s, c, o)
    write_current_task(s, c, o)
    write_allies_now(s, c, o)
    write_enemies_now(s, o)
    write_threats(s, c, o)


@kernel
def write_question(s, c, o):
    """Who is asked what, in which round and phase."""
    if s.decision != Decision.NONE:
        o.decision[s.decision] = 1
    o.phase[s.phase] = 1
    o.round = clipped(s.round)
    if c.last_round > 0:
        o.rounds_left = clipped(c.last_round - s.round)
    o.limit = s.limit
    o.actions = s.actions
    o.maneuvers = s.maneuvers
    o.together = s.asked < 0
    o.spawn_left = s.spawn.left
    o.event_due = s.event_due != 0
    for kind in range(N_TYPES):
        o.defeated[kind] = s.defeated[kind]


@kernel
def write_decks(s, c, o):
    """The Initiative card of the round, the cards of the decks seen so far, the timer."""
    o.first_bar = s.card >= 0 and s.bar == 0
    o.last_bar = s.bar == 7
    for k in range(s.n_initiative_discard):
        o.card_seen[s.initiative_discard[k]] = 1
    for k in range(s.n_fate):
        o.fate_left[min(3, int(s.fate[k]))] += 1
    if s.timer_target > 0:
        o.timer = 1
        o.timer_sum = clipped(fate.timer_sum(s))
        o.timer_missing = clipped(s.timer_target - fate.timer_sum(s))
    if s.card < 0:
        return
    card = c.card[s.card]
    for bar in range(6):
        b = o.bar[bar]
        b.enemy = card.enemy[bar]
        b.bonus = card.bonus[bar]
        b.current = s.bar == bar + 1
        b.passed = s.bar > bar + 1
        b.horns = card.horns[bar]
        b.snake = card.snake[bar]
        b.colour[card.colour[bar]] = 1
        if card.enemy[bar]:
            b.eye[card.eye[bar]] = 1


@kernel
def write_current_task(s, c, o):
    """The roll, check, movement, action and attack in progress."""
    o.roll_dice = clipped(s.roll.dice)
    o.roll_successes = clipped(s.roll.successes)
    o.roll_symbols = s.roll.symbols
    o.roll_asked = s.roll.asked
    o.roll_use[s.roll.use] = 1
    o.check_number = clipped(s.check.number)
    o.check_modifier = clipped(s.check.modifier)
    o.check_ability[s.check.ability] = 1
    if s.decision == Decision.ABILITY:
        write_flags(int(s.check.offered), o.check_offered)
    o.move_points = clipped(s.move.points)
    o.move_kind[s.move.kind] = 1
    o.move_gem = s.move.gem_used
    if s.attack.type >= 0:
        o.attack_type[s.attack.type] = 1
    o.attack_left = s.attack.left
    o.attack_targets = s.attack.n_targets
    o.attack_row = s.attack.row
    o.act_row[0] = s.act.row // 16
    o.act_row[1] = s.act.row % 16
    o.act_amount = clipped(s.act.amount)
    o.cursed = s.act.cursed
    o.strike_value = clipped(s.strike.value)
    o.strike_loss = s.strike.loss
    write_flags(int(s.strike.conditions) >> 1, o.strike_conditions)
    o.push_left = -s.push.left if s.push.pulls else s.push.left
    o.attack_bonus = clipped(s.attack.bonus)
    o.attack_dice = clipped(s.attack.dice)
    o.roll_spoiled = s.roll.spoiled
    write_items(s, o)
    write_flags(int(s.read), o.section)
    o.progress = clipped(s.progress)
    o.story_tokens = s.story_tokens
    o.disarmed = s.disarmed
    o.enemy_side = side_of(s)
    o.free_will = c.enemy_will
    o.flip_chips = s.flip_chips
    o.flip_excess = clipped(s.flip_excess)


@kernel
def write_items(s, o):
    """Item bonuses to the attack and check, and the subject of a question about items."""
    attack = s.attack
    o.attack_pierce = clipped(attack.pierce)
    if attack.ally >= 0:
        o.attack_weapon = attack.weapon + 1
    write_flags(int(attack.conditions) >> 1, o.attack_conditions)
    write_flags(int(attack.ridden) >> 1, o.ridden)
    write_flags(int(s.check.boosted), o.boosted)
    if s.decision == Decision.GIVE_TO:
        o.topic = s.subject + 1
    elif s.decision == Decision.REROLL or s.decision == Decision.ROPE:
        o.topic = s.subject * N_CARRIED


@kernel
def write_allies_now(s, c, o):
    """The role of each Ally in the current task; empty slots stay zero."""
    for a in range(N_ALLIES):
        now = o.ally_now[a]
        now.hindered = placing.is_hindered(s, c, a)
    if is_somebody(s, s.active_ally):
        now = o.ally_now[s.active_ally]
        now.active = 1
    if is_somebody(s, s.asked):
        now = o.ally_now[s.asked]
        now.asked = 1
    if s.decision in ABOUT_ALLY and is_somebody(s, s.subject):
        now = o.ally_now[s.subject]
        now.subject = 1
    if s.active_enemy < 0:
        return
    for a in range(N_ALLIES):
        if is_somebody(s, a):
            now = o.ally_now[a]
            now.hit_value = max(0, s.strike.hit_value[a])
            now.struck = (s.strike.done >> a) & 1
    for k in range(s.strike.n_targets):
        if is_somebody(s, s.strike.target[k]):
            now = o.ally_now[s.strike.target[k]]
            now.targeted = 1


@kernel
def is_somebody(s, a):
    """Whether a is an occupied ally slot."""
    return 0 <= a < N_ALLIES and s.ally[a].kind != Kind.NOBODY


@kernel
def write_enemies_now(s, o):
    """The role of each Enemy in the current task; Enemies off the map stay zero."""
    if is_enemy(s, s.active_enemy):
        now = o.enemy_now[s.active_enemy]
        now.active = 1
    if s.decision in ABOUT_ENEMY and is_enemy(s, s.subject):
        now = o.enemy_now[s.subject]
        now.subject = 1
    if s.decision == Decision.DOMINATED_ENEMY:
        for e in range(N_ENEMIES):
            now = o.enemy_now[e]
            now.option = (s.options >> e) & 1 == 1 and placing.enemy_stands(s, e)
    if s.attack.ally < 0:
        return
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            now = o.enemy_now[e]
            now.share = s.attack.share[e]
            now.damage = s.attack.damage[e]
    for k in range(s.attack.n_targets):
        if is_enemy(s, s.attack.target[k]):
            now = o.enemy_now[s.attack.target[k]]
            now.target = 1


@kernel
def write_threats(s, c, o):
    """How far figures are from the one that acts, and whom Enemies may attack."""
    here, actor, bars = threats.here_of(s), threats.actor(s), threats.bars_of(s, c)
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            now, there = o.enemy_now[e], int(s.enemy[e].area)
            if here >= 0:
                now.away = threats.steps_between(c, here, there)
                now.seen = placing.sees(c, here, there)
            value, reach = threats.due_of(s, c, e, bars)
            now.due = value
            kind = s.enemy[e].type
            most, reach_of_any = int(c.attack_value[kind, 3]), int(c.attack_reach[kind, 3])
            for a in range(N_ALLIES):
                if placing.ally_stands(s, a):
                    steps = int(c.range[there, s.ally[a].area])
                    if 0 <= steps <= reach:
                        write_due(value, a == actor, now, o.ally_now[a])
                    if 0 <= steps <= reach_of_any:
                        write_attack(most, a == actor, now, o.ally_now[a])
    if here >= 0:
        for a in range(N_ALLIES):
            if placing.ally_stands(s, a):
                now_of_ally = o.ally_now[a]
                now_of_ally.away = threats.steps_between(c, here, s.ally[a].area)


@kernel
def write_due(value, acts, enemy, ally):
    """An attack of this round may still reach an Ally."""
    ally.threats += 1
    ally.threat = min(INT8_MAX, ally.threat + value)
    enemy.reaches += 1
    enemy.reaches_actor |= acts


@kernel
def write_attack(value, acts, enemy, ally):
    """An attack of some Eye may reach an Ally."""
    ally.attackers += 1
    ally.exposure = min(INT8_MAX, ally.exposure + value)
    enemy.attacks += 1
    enemy.attacks_actor |= acts


@kernel
def is_enemy(s, e):
    """Whether e is the slot of an Enemy on the map."""
    return 0 <= e < N_ENEMIES and placing.enemy_stands(s, e)


# ---- the figures --------------------------------------------------------------------------------
@kernel
def write_ally(s, c, a, o):
    """One ally slot, from its record and sheet alone; all zero if it is empty."""
    ally = s.ally[a]
    if ally.kind == Kind.NOBODY:
        return
    sheet = c.sheet[a]
    o.present = 1
    o.hero = ally.kind == Kind.HERO
    o.acted = ally.acted
    o.exhausted = ally.exhausted
    o.wounded = ally.wounded
    o.revived = ally.revived
    o.flipped = ally.flipped
    o.focus_rolled = ally.focus_rolled
    o.fly = ally.fly
    o.mirror = ally.mirror
    o.revenge = ally.revenge
    write_riposte(ally, o)
    o.disk = ally.disk
    o.spent = ally.spent
    o.wounds = ally.wounds
    for slot in range(N_LOCKS):
        o.lock[slot], o.locked[slot] = ally.lock_chips[slot], ally.lock_passive[slot] + 1
    o.health = min(INT8_MAX, int(ally.health))
    o.inspiration = ally.inspiration
    o.achievement = ally.achievement
    o.evade, o.evaded = ally.evade, ally.evaded
    o.missed[0] = ally.missed & 1
    o.missed[1] = (ally.missed >> 1) & 1
    o.lapsing = ally.lapsing != 0
    o.reactive[0] = ally.reactive_bonus
    o.reactive[1] = ally.reactive_dice
    o.reactive[2] = ally.reactive_h
    for ability in range(3):
        o.ability[ability] = sheet.ability[ability]
        o.injury[ability] = wound.injury_dice(s, c, a, ability)
        o.armed[ability] = ally.armed[ability]
        o.special[ability] = (ally.special >> ability) & 1
        o.uses[ability] = (ally.uses >> ability) & 1
        o.ability_bonus[ability] = ally.ability[ability]
        o.attack_dice[ability] = ally.attack_dice[ability]
    o.rerolls = ally.rerolls
    o.waits = ally.waits
    o.changed = ally.changed
    o.open_slots = ally.open_slots
    o.injury_move = wound.injury_move(s, c, a)
    o.injury_recover = wound.injury_recover(s, c, a)
    o.taunt = sheet.taunt
    write_sheet(c, a, o)
    if c.objective == Objective.COLLECT:
        o.collected = ending.carried(s, a, c.objective_subject)
    write_ally_places(s, c, a, o)


@kernel
def write_riposte(ally, o):
    """R11.10 - the Riposte of an Ally, and which attacks it answers."""
    if ally.riposte == 0:
        return
    o.riposte, o.riposte_range = ally.riposte, ally.riposte_range
    o.riposte_when[ally.riposte_when] = 1
    for kind in range(3):
        o.riposte_type[kind] = ally.riposte_type == -1 or ally.riposte_type == kind


@kernel
def write_sheet(c, a, o):
    """What the board of an Ally says."""
    sheet = c.sheet[a]
    o.blue = sheet.blue
    o.moves[0] = sheet.move_free
    o.moves[1] = sheet.move_paid
    o.recovers[0] = sheet.recover_stamina
    o.recovers[1] = sheet.recover_damage
    o.wanted = ending.is_escorted(c, a)


@kernel
def write_ally_places(s, c, a, o):
    """Where an Ally stands, what it carries and has chosen, its conditions."""
    ally = s.ally[a]
    for k in range(N_CARRIED):
        o.item[k] = ally.item[k] + 1  # 0 = no item
    active = int(ally.active) & gear.places(gear.traits(s, c, a), Trait.ITEM)
    while active != 0:
        k = lowest(active)
        active &= active - 1
        o.in_use[k] = 2 if gear.works(s, c, a, k) else 1
    write_flags(int(ally.handled), o.handled)
    write_flags(int(ally.worn_out), o.worn_out)
    write_flags(int(ally.slot), o.slot)
    write_flags(int(ally.once), o.once)
    write_flags(int(ally.conditions) >> 1, o.conditions)
    o.token = ally.token + 1
    o.colour[ally.colour] = 1
    write_flags(int(ally.provoked), o.provoked)
    o.area, o.retreat = ally.area + 1, ally.retreat + 1


@kernel
def write_enemy(s, c, e, o):
    """One enemy slot, from its record and type alone; all zero if it is not on the map."""
    enemy = s.enemy[e]
    if not placing.enemy_stands(s, e):
        return
    kind = c.type[enemy.type]
    o.present = 1
    o.acted = enemy.acted
    o.spawned = enemy.spawned
    o.health = min(INT8_MAX, int(enemy.health))
    o.missing = min(INT8_MAX, int(enemy.full) - int(enemy.health))
    o.number = enemy.number
    o.fly = enemy.fly
    o.mirror = enemy.mirror
    o.revenge = enemy.revenge
    o.elite = kind.elite
    o.last = enemy.last
    o.shield = kind.shield
    o.provoke = kind.provoke
    o.size = kind.size
    write_flags(int(enemy.conditions) >> 1, o.conditions)
    o.colour[kind.colour] = 1
    o.type, o.area, o.retreat = enemy.type + 1, enemy.area + 1, enemy.retreat + 1
    o.wanted = c.objective == Objective.DEFEAT_TYPE and c.objective_subject == enemy.type
    for eye in range(3):
        o.move[eye] = kind.move[eye]
        if kind.strike[eye] >= 0:
            strike = c.strike[kind.strike[eye]]
            o.strike[eye] = max(0, int(strike.value))
            o.range[eye] = max(0, int(strike.range))


# ---- the map ------------------------------------------------------------------------------------
@kernel
def are_areas_marked(s):
    """Whether the question, or a line being chosen, marks areas."""
    return s.decision in AMONG_AREAS or s.decision in ABOUT_AREA or s.attack.n_line > 0


@kernel
def write_map(s, c, o):
    """Write tokens, pets and areas into o, an OBS_INT8 record in which they are zero."""
    for k in range(N_FIGURES):
        write_figure(s, k, o.figure[k])
    for area in range(c.n_areas):
        write_area(s, c, area, o.area[area])
    write_places(s, c, o)
    write_scenario(c, o.scenario)


@kernel
def write_figure(s, k, o):
    """One summoned token or pet; all zero if it is not on the map."""
    figure = s.figure[k]
    if figure.area < 0:
        return
    o.present = 1
    o.owner = figure.owner + 1
    o.spawned = figure.spawned
    o.acted = min(1, figure.acted)
    o.area = figure.area + 1


@kernel
def write_area(s, c, area, o):
    """One area of the map."""
    o.exists = 1
    o.room = c.capacity[area] - s.used[area]
    o.capacity = c.capacity[area]
    o.level = c.level[area]
    o.allies = s.allies_in[area]
    o.enemies = s.enemies_in[area]
    o.trap = s.trap[area]
    for k in range(N_GROUND):
        o.item[k] = s.item[area, k] + 1
        if c.objective == Objective.COLLECT and s.item[area, k] == c.objective_subject:
            o.wanted += 1
    if s.token_colour[area] >= 0:
        o.portal = s.token_colour[area] + 1
        o.portal_active = s.token_active[area]
        o.portal_range = max(0, int(s.token_range[area]))
    o.story = c.story[area] >= 0
    o.rope = s.rope[area] != 0


@kernel
def write_places(s, c, o):
    """Marks of single areas: open sections, goals, options, a line, the subject."""
    for k in range(c.n_stories):
        if c.section[k].area >= 0 and (s.read >> k) & 1 == 0:
            o.area[c.section[k].area].story_open = 1
    goal, options = int(c.goal), int(s.options) if s.decision in AMONG_AREAS else 0
    while goal != 0:
        o.area[lowest(goal)].goal = 1
        goal &= goal - 1
    while options != 0:
        o.area[lowest(options)].option = 1
        options &= options - 1
    for k in range(s.attack.n_line):
        o.area[s.attack.line[k]].line = 1
    if s.decision in ABOUT_AREA and s.subject >= 0:
        o.area[s.subject].subject = 1


@kernel
def write_scenario(c, o):
    """How the scenario is won and lost."""
    o.objective[c.objective] = 1
    o.number = c.objective_number
    o.last_round = c.last_round
    o.heroes = c.n_heroes
