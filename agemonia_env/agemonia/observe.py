"""The observation: one writer per block of layout.OBS, one line per field.

Complete for both sides of the table: everything that lies open is in it; the order of decks, the
random streams and loaded dice never are.
"""

from ..kernel.jit import kernel
from .agenda import side_of
from .layout import (
    CHIPS,
    HEALTH,
    N_ALLIES,
    N_AREAS,
    N_CARRIED,
    N_ENEMIES,
    N_FIGURES,
    N_GROUND,
    N_ITEM_KINDS,
    N_LOCKS,
    N_STORIES,
    N_TOKENS,
    N_TYPES,
    SMALL,
)
from .rules import enemies, fate, gear, placing, wound
from .terms import Decision, Ending, Kind

ROUNDS = 12.0  # scale of round numbers
POINTS = 10.0  # scale of damage, timers, dice totals

# Decisions whose subject is an area, an Enemy, an Ally
ABOUT_AREA = (Decision.DISARM, Decision.SPRING)
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


@kernel
def write_observation(s, c, o):
    """Write the observation of one state into o, an OBS record."""
    write_question(s, c, o)
    write_decks(s, c, o)
    write_going_on(s, c, o)
    for a in range(N_ALLIES):
        write_ally(s, c, a, o.ally[a])
    for e in range(N_ENEMIES):
        write_enemy(s, c, e, o.enemy[e])
    for k in range(N_FIGURES):
        write_figure(s, k, o.figure[k])
    for area in range(N_AREAS):
        write_area(s, c, area, o.area[area])


@kernel
def write_question(s, c, o):
    """Who is asked what, in which round and phase."""
    if s.decision != Decision.NONE:
        o.decision[s.decision] = 1.0
    o.phase[s.phase] = 1.0
    o.round = s.round / ROUNDS
    if c.last_round > 0:
        o.rounds_left = (c.last_round - s.round) / ROUNDS
    o.limit = s.limit / POINTS
    o.actions = s.actions
    o.maneuvers = s.maneuvers / SMALL
    o.together = s.asked < 0
    o.spawn_left = s.spawn.left / SMALL
    o.event_due = s.event_due != 0
    for kind in range(N_TYPES):
        o.defeated[kind] = s.defeated[kind] / POINTS


@kernel
def write_decks(s, c, o):
    """The Initiative card of the round, what has been seen of the decks, the timer."""
    o.first_bar = s.card >= 0 and s.bar == 0
    o.last_bar = s.bar == 7
    for k in range(s.n_initiative_discard):
        o.card_seen[s.initiative_discard[k]] = 1.0
    for k in range(s.n_fate):
        o.fate_left[min(3, int(s.fate[k]))] += 1.0 / SMALL
    if s.timer_target > 0:
        o.timer = 1.0
        o.timer_sum = fate.timer_sum(s) / POINTS
        o.timer_missing = (s.timer_target - fate.timer_sum(s)) / POINTS
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
        b.colour[card.colour[bar]] = 1.0
        if card.enemy[bar]:
            b.eye[card.eye[bar]] = 1.0


@kernel
def write_going_on(s, c, o):
    """The roll, check, movement, action and attack being dealt with."""
    o.roll_dice = s.roll.dice / POINTS
    o.roll_successes = s.roll.successes / POINTS
    o.roll_symbols = s.roll.symbols / SMALL
    o.roll_asked = s.roll.asked / SMALL
    o.roll_use[s.roll.use] = 1.0
    o.check_number = s.check.number / POINTS
    o.check_modifier = s.check.modifier / SMALL
    o.check_ability[s.check.ability] = 1.0
    if s.decision == Decision.ABILITY:
        for ability in range(3):
            o.check_offered[ability] = (s.check.offered >> ability) & 1
    o.move_points = s.move.points / SMALL
    o.move_kind[s.move.kind] = 1.0
    o.move_gem = s.move.gem_used
    if s.attack.type >= 0:
        o.attack_type[s.attack.type] = 1.0
    o.attack_left = s.attack.left / POINTS
    o.attack_targets = s.attack.n_targets / SMALL
    o.attack_row = s.attack.row / 64.0
    o.act_row = s.act.row / 192.0
    o.act_amount = s.act.amount / POINTS
    o.cursed = s.act.cursed
    o.strike_value = s.strike.value / POINTS
    o.strike_loss = s.strike.loss
    for number in range(1, 11):
        o.strike_conditions[number - 1] = (s.strike.conditions >> number) & 1
    o.push_left = (-s.push.left if s.push.pulls else s.push.left) / SMALL
    o.attack_bonus = s.attack.bonus / SMALL
    o.attack_dice = s.attack.dice / SMALL
    o.roll_spoiled = s.roll.spoiled / SMALL
    write_items(s, o)
    for k in range(N_STORIES):
        o.section[k] = (s.read >> k) & 1
    o.progress = s.progress / POINTS
    o.story_tokens = s.story_tokens / POINTS
    o.disarmed = s.disarmed / SMALL
    o.enemy_side = side_of(s)
    o.free_will = c.enemy_will
    o.flip_chips = s.flip_chips / SMALL
    o.flip_excess = s.flip_excess / SMALL


@kernel
def write_items(s, o):
    """What items have added to the attack and check, and what a question about items is about."""
    attack = s.attack
    o.attack_pierce = attack.pierce / SMALL
    if attack.ally >= 0:
        o.attack_weapon = (attack.weapon + 1.0) / N_CARRIED
    for number in range(1, 11):
        o.attack_conditions[number - 1] = (attack.conditions >> number) & 1
    for rider in range(1, 4):
        o.ridden[rider - 1] = (attack.ridden >> rider) & 1
    for k in range(N_CARRIED):
        o.boosted[k] = (s.check.boosted >> k) & 1
    if s.decision == Decision.GIVE_TO:
        o.topic = (s.subject + 1.0) / N_CARRIED
    elif s.decision == Decision.REROLL or s.decision == Decision.ROPE:
        o.topic = s.subject


@kernel
def write_ally(s, c, a, o):
    """One ally slot; all zero if nobody is in it."""
    ally = s.ally[a]
    if ally.kind == Kind.NOBODY:
        return
    sheet = c.sheet[a]
    o.present = 1.0
    o.hero = ally.kind == Kind.HERO
    o.active = s.active_ally == a
    o.asked = s.asked == a
    o.subject = s.decision in ABOUT_ALLY and s.subject == a
    o.acted = ally.acted
    o.exhausted = ally.exhausted
    o.wounded = ally.wounded
    o.revived = ally.revived
    o.flipped = ally.flipped
    o.focus_rolled = ally.focus_rolled
    o.fly = ally.fly
    o.mirror = ally.mirror
    o.revenge = ally.revenge
    o.riposte = ally.riposte / SMALL
    o.disk = ally.disk / CHIPS
    o.spent = ally.spent / CHIPS
    o.wounds = ally.wounds / CHIPS
    for slot in range(N_LOCKS):
        o.lock[slot] = ally.lock_chips[slot] / SMALL
    o.health = ally.health / HEALTH
    o.inspiration = ally.inspiration / SMALL
    o.achievement = ally.achievement / SMALL
    o.evade = ally.evade / SMALL
    o.hindered = placing.ally_stands(s, a) and placing.is_hindered(s, c, a)
    o.missed[0] = ally.missed & 1
    o.missed[1] = (ally.missed >> 1) & 1
    o.lapsing = ally.lapsing != 0
    o.reactive[0] = ally.reactive_bonus / SMALL
    o.reactive[1] = ally.reactive_dice / SMALL
    o.reactive[2] = ally.reactive_h / SMALL
    for ability in range(3):
        o.ability[ability] = sheet.ability[ability] / SMALL
        o.injury[ability] = wound.injury_dice(s, c, a, ability) / SMALL
        o.armed[ability] = ally.armed[ability]
        o.special[ability] = (ally.special >> ability) & 1
        o.uses[ability] = (ally.uses >> ability) & 1
        o.ability_bonus[ability] = ally.ability[ability] / SMALL
        o.attack_dice[ability] = ally.attack_dice[ability] / SMALL
    o.rerolls = ally.rerolls / SMALL
    o.waits = ally.waits
    o.changed = ally.changed
    o.open_slots = ally.open_slots / SMALL
    o.injury_move = wound.injury_move(s, c, a) / SMALL
    o.injury_recover = wound.injury_recover(s, c, a) / SMALL
    o.taunt = sheet.taunt / SMALL
    write_ally_places(s, c, a, o)


@kernel
def write_ally_places(s, c, a, o):
    """Where an Ally stands, what it has chosen, its conditions, its part in an attack."""
    ally = s.ally[a]
    for k in range(N_CARRIED):
        if ally.item[k] >= 0:
            o.item[k] = (ally.item[k] + 1.0) / N_ITEM_KINDS
            if (ally.active >> k) & 1:
                o.in_use[k] = 1.0 if gear.works(s, c, a, k) else 0.5
            o.handled[k] = (ally.handled >> k) & 1
            o.worn_out[k] = (ally.worn_out >> k) & 1
    for k in range(N_TOKENS):
        o.slot[k] = (ally.slot >> k) & 1
        o.once[k] = (ally.once >> k) & 1
    for number in range(1, 11):
        o.conditions[number - 1] = (ally.conditions >> number) & 1
    if ally.token >= 0:
        o.token[ally.token] = 1.0
    o.colour[ally.colour] = 1.0
    if ally.provoked != 0:
        for e in range(N_ENEMIES):
            o.provoked[e] = (ally.provoked >> e) & 1
    if ally.area >= 0:
        o.area[ally.area] = 1.0
    if s.active_enemy >= 0:
        for k in range(s.strike.n_targets):
            if s.strike.target[k] == a:
                o.targeted = 1.0
        o.hit_value = max(0, s.strike.hit_value[a]) / POINTS
        o.struck = (s.strike.done >> a) & 1


@kernel
def write_enemy(s, c, e, o):
    """One enemy slot; all zero if no Enemy of it stands on the map."""
    enemy = s.enemy[e]
    if not placing.enemy_stands(s, e):
        return
    kind = c.type[enemy.type]
    o.present = 1.0
    o.active = s.active_enemy == e
    o.subject = s.decision in ABOUT_ENEMY and s.subject == e
    o.acted = enemy.acted
    o.spawned = enemy.spawned
    o.health = enemy.health / HEALTH
    o.missing = (enemy.full - enemy.health) / HEALTH
    o.number = enemy.number / SMALL
    o.fly = enemy.fly
    o.mirror = enemy.mirror
    o.revenge = enemy.revenge
    o.elite = kind.elite
    o.last = enemy.last
    o.shield = kind.shield / SMALL
    o.provoke = kind.provoke / SMALL
    o.size = kind.size / SMALL
    o.option = s.decision == Decision.DOMINATED_ENEMY and (s.options >> e) & 1 == 1
    for number in range(1, 11):
        o.conditions[number - 1] = (enemy.conditions >> number) & 1
    o.colour[kind.colour] = 1.0
    o.type[enemy.type] = 1.0
    o.area[enemy.area] = 1.0
    if s.attack.ally >= 0:
        for k in range(s.attack.n_targets):
            if s.attack.target[k] == e:
                o.target = 1.0
        o.share = s.attack.share[e] / POINTS
        o.damage = s.attack.damage[e] / POINTS


@kernel
def write_figure(s, k, o):
    """One summoned token or pet; all zero if it is not on the map."""
    figure = s.figure[k]
    if figure.area < 0:
        return
    o.present = 1.0
    o.owner = (figure.owner + 1.0) / N_ALLIES
    o.spawned = figure.spawned
    o.acted = min(1, figure.acted)
    o.area[figure.area] = 1.0


@kernel
def write_area(s, c, area, o):
    """One area; all zero if the map has fewer."""
    if area >= c.n_areas:
        return
    o.exists = 1.0
    o.room = (c.capacity[area] - s.used[area]) / SMALL
    o.capacity = c.capacity[area] / SMALL
    o.level = c.level[area] / SMALL
    o.allies = s.allies_in[area] / SMALL
    o.enemies = s.enemies_in[area] / SMALL
    o.trap = s.trap[area]
    for k in range(N_GROUND):
        o.item[k] = (s.item[area, k] + 1.0) / N_ITEM_KINDS
    if s.token_colour[area] >= 0:
        o.portal = (s.token_colour[area] + 1.0) / SMALL
        o.portal_active = s.token_active[area]
        o.portal_range = max(0, int(s.token_range[area])) / SMALL
    o.story = c.story[area] >= 0
    for k in range(c.n_stories):
        if c.section[k].area == area and (s.read >> k) & 1 == 0:
            o.story_open = 1.0
    o.goal = (c.goal >> area) & 1 == 1
    about = s.decision == Decision.ENEMY_DESTINATION or s.decision == Decision.ENEMY_STOP
    about = about or s.decision == Decision.SPAWN_AREA or s.decision == Decision.TRAP_AREA
    about = about or s.decision == Decision.PUSH_TO or s.decision == Decision.ROPE
    o.option = about and (s.options >> area) & 1 == 1
    for k in range(s.attack.n_line):
        if s.attack.line[k] == area:
            o.line = 1.0
    o.rope = s.rope[area] != 0
    o.subject = s.decision in ABOUT_AREA and s.subject == area


@kernel
def potential(s, c):
    """How well the Heroes stand, in [-1, 1], 0 at a finished state: for potential-based shaping.

    Ng, Harada, Russell (ICML 1999): F = gamma * potential(s') - potential(s) keeps the best policy.
    Half of it is the share of Enemy health beaten, half the share of chips still blue.
    """
    if s.ending != Ending.NONE:
        return 0.0
    blue, chips = 0, 0
    for a in range(c.n_allies):
        ally = s.ally[a]
        if ally.kind == Kind.HERO:
            chips += 2 * c.sheet[a].blue
            if not ally.exhausted:
                blue += ally.disk + ally.spent + (0 if ally.wounded else c.sheet[a].blue)
    health, full = 0, 0
    for e in range(N_ENEMIES):
        if placing.enemy_stands(s, e):
            health += s.enemy[e].health
    for k in range(c.n_setup):
        full += enemies.starting_health(c, c.setup_type[k])
    return 0.5 * blue / max(1, chips) + 0.5 * (1.0 - health / max(1, full)) - 0.5
