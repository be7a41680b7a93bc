"""G5 to G8 - an attack ability in play: template, targets, and the steps of each attack."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from .. import hexset
from ..actions import Block
from ..layout import ALL_TARGETS, MAX_EFFECTS, MAX_LINE_EFFECTS, N_FIGURES, PILES
from ..terms import Decision, Denial, Effect, Element, Event, Proc, Source, Stream, Worth
from . import bonus, condition, force, harm, heal
from .advantage import draw, mode_of
from .area import cell_at
from .damage import damage, value_before_card
from .deck import applied_amount, modified
from .distance import anchors, is_within, range_between
from .figures import are_enemies, asked_for, deck_of, enemies_of, has, is_present, touch
from .sight import sees

# Places of the effects of an attack, one after another (G7.10)
OF_CARDS = MAX_LINE_EFFECTS  # conditions of active cards, by terms.Effect
OF_MODIFIERS = OF_CARDS + Effect.STRENGTHEN + 1


# ---- the ability ---------------------------------------------------------------------------------
@kernel
def begin_denial(s, f):
    """G10.5, G10.6 - why a figure makes no attack ability -> Denial."""
    if has(s, f, Effect.STUN):
        return Denial.STUNNED
    return Denial.DISARMED if has(s, f, Effect.DISARM) else Denial.NONE


@kernel
def begin(s, c, f, row):
    """G3, G5, G6 - an attack ability of figure f begins: row of the content.

    A monster and a summon add their own numbers to it (G13.2, G3.9).
    """
    clear(s)
    strike, line = s.strike, c.row[row]
    strike.by = f
    strike.value = line.amount
    strike.range = line.range
    strike.left = max(1, line.targets)
    strike.added = line.extra_targets
    strike.pierce = line.pierce
    strike.advantages = line.advantages
    strike.disadvantages = line.disadvantages
    strike.template = line.template
    for k in range(MAX_LINE_EFFECTS):
        strike.effect[k] = line.effect[k]
        strike.effect_amount[k] = line.effect_amount[k]
    if line.template >= 0:
        strike.left = 0
        strike.grey = c.template[line.template].grey
    if s.figure[f].kind >= 0:
        add_stats(s, c, f, line.targets)
    if strike.grey:
        strike.range = 0
    if strike.template >= 0:
        push(s, Proc.ATTACK_AIM)
    else:
        if strike.left >= ALL_TARGETS:
            strike.all = 1
            strike.left = 0
            strike.waiting = all_in_reach(s)
        push(s, Proc.ATTACK_NEXT)


@kernel
def clear(s):
    """A new ability: nothing of the last one is left."""
    strike = s.strike
    strike.made = 0
    strike.bonus = 0
    strike.doublings = 0
    strike.all = 0
    strike.grey = 0
    strike.placed = 0
    strike.on_added = 0
    strike.monster = 0
    strike.aimed = -1
    strike.orientation = -1
    strike.waiting = 0
    strike.covered = 0
    strike.done = 0
    strike.action_conditions = 0
    strike.conditions = 0
    strike.target = -1


@kernel
def add_stats(s, c, f, targets):
    """G3.9, G13.2 - what a monster's or summon's own card adds to an attack."""
    figure, strike = s.figure[f], s.strike
    stats = c.kind[figure.kind].stats[figure.elite]
    strike.value += stats.attack
    strike.pierce += stats.pierce
    strike.advantages += stats.advantages
    strike.action_conditions |= stats.conditions
    if strike.range == 0:
        strike.range = stats.range
    if strike.template < 0 and targets == 0:
        strike.left = max(1, int(stats.targets))


@kernel
def aim_at(s, wanted):
    """G13.11 - the targets of a monster's or summon's turn, bits; nothing of it is asked."""
    strike = s.strike
    strike.monster = 1
    strike.waiting = wanted
    strike.covered = wanted if strike.template >= 0 else 0
    strike.placed = 1
    strike.left = 0
    strike.added = 0


@kernel
def reach_denial(s, f):
    """G3.3, G3.5, G3.6, G6.3, G6.7 - why a figure cannot be chosen as a target -> Denial."""
    if not is_present(s, f):
        return Denial.NO_SUCH_FIGURE
    by = int(s.strike.by)
    if not are_enemies(s, by, f):
        return Denial.NOT_AN_ENEMY
    if has(s, f, Effect.INVISIBLE):
        return Denial.INVISIBLE
    a, b = s.figure[by].at, s.figure[f].at
    if not is_within(s.board, a, b, max(1, s.strike.range)):
        return Denial.OUT_OF_RANGE
    return Denial.NONE if sees(s.board, a, b) else Denial.NOT_IN_SIGHT


@kernel
def all_in_reach(s):
    """G5.11 - bits of every enemy within range and in sight."""
    bits = 0
    left = enemies_of(s, s.strike.by)
    while left != 0:
        f = lowest(left)
        left &= left - 1
        if reach_denial(s, f) == Denial.NONE:
            bits |= 1 << f
    return bits


# ---- the template --------------------------------------------------------------------------------
@kernel
def is_placement(s, c, at, orientation, cell):
    """G5.1 to G5.5, G5.10 - whether the template may lie so that a red hex is on hex `at`."""
    strike = s.strike
    template = c.template[strike.template]
    own = s.figure[strike.by].at
    if not (orientation < template.n_orientations and cell < template.n_cells):
        return False
    if strike.grey:
        return cell_at(s.board, template, orientation, cell, own, -1) == at
    near = anchors(s.board, own, strike.range)
    for k in range(template.n_cells):
        h = cell_at(s.board, template, orientation, k, at, cell)
        if h >= 0 and hexset.has(near, h):
            return True
    return False


@kernel
def is_attacked(s, e):
    """G5.6, G5.8, G6.7 - whether a figure in a red hex is attacked."""
    by = int(s.strike.by)
    if not is_present(s, e) or not are_enemies(s, by, e) or has(s, e, Effect.INVISIBLE):
        return False
    return sees(s.board, s.figure[by].at, s.figure[e].at)


@kernel
def covered_by(s, c, at, orientation, cell):
    """G5.6, G5.7 - bits of the enemies attacked if red hex `cell` lies on hex `at`."""
    strike = s.strike
    template = c.template[strike.template]
    red = hexset.EMPTY
    for k in range(template.n_cells):
        if strike.grey:
            h = cell_at(s.board, template, orientation, k, s.figure[strike.by].at, -1)
        else:
            h = cell_at(s.board, template, orientation, k, at, cell)
        if h >= 0:
            red = hexset.union(red, hexset.only(h))
    bits = 0
    left = enemies_of(s, strike.by)
    while left != 0:
        f = lowest(left)
        left &= left - 1
        if hexset.has(red, s.figure[f].at) and is_attacked(s, f):
            bits |= 1 << f
    return bits


@kernel
def aim_denial(s, c, e):
    """G5.4 to G5.7 - why no placement of the template attacks a figure -> Denial."""
    if not is_present(s, e):
        return Denial.NO_SUCH_FIGURE
    if not are_enemies(s, s.strike.by, e):
        return Denial.NOT_AN_ENEMY
    if has(s, e, Effect.INVISIBLE):
        return Denial.INVISIBLE
    if not is_attacked(s, e):
        return Denial.NOT_IN_SIGHT
    template = c.template[s.strike.template]
    for orientation in range(template.n_orientations):
        if orientation_denial(s, c, e, orientation) == Denial.NONE:
            return Denial.NONE
    return Denial.OUT_OF_RANGE


@kernel
def orientation_denial(s, c, e, orientation):
    """G5.2, G5.3 - why an orientation has no placement that covers enemy e -> Denial."""
    for cell in range(c.template[s.strike.template].n_cells):
        if is_placement(s, c, s.figure[e].at, orientation, cell):
            return Denial.NONE
    return Denial.NO_SUCH_PLACEMENT


@kernel
def cell_denial(s, c, cell):
    """G5.4 - why a red hex cannot lie on the enemy aimed at -> Denial."""
    at, orientation = s.figure[s.strike.aimed].at, int(s.strike.orientation)
    if is_placement(s, c, at, orientation, cell):
        return Denial.NONE
    return Denial.NO_SUCH_PLACEMENT


@kernel
def run_aim(s, c):
    """G5 - which enemy is to be covered, in which orientation, by which red hex."""
    strike = s.strike
    if answered(s):
        block, k = s.block, take_answer(s)
        if block == Block.FIGURE:
            strike.aimed = k
        elif block == Block.ORIENTATION:
            strike.orientation = k
        elif block == Block.CELL:
            strike.placed = 1
            at = s.figure[strike.aimed].at
            strike.covered = covered_by(s, c, at, strike.orientation, k)
            strike.waiting = strike.covered
        else:
            return  # the ability is not used
    player = asked_for(s, strike.by)
    if strike.placed:
        push(s, Proc.ATTACK_NEXT)
    elif strike.orientation >= 0:
        ask(s, Proc.ATTACK_AIM, Decision.CELL, player, strike.aimed)
    elif strike.aimed >= 0:
        ask(s, Proc.ATTACK_AIM, Decision.ORIENTATION, player, strike.aimed)
    else:
        left = enemies_of(s, strike.by)
        while left != 0:
            if aim_denial(s, c, lowest(left)) == Denial.NONE:
                ask(s, Proc.ATTACK_AIM, Decision.AIM, player, strike.by)
                return
            left &= left - 1


# ---- targets -------------------------------------------------------------------------------------
@kernel
def target_denial(s, f):
    """G6.1, G6.2, G6.5, G6.6 - why a figure cannot be the next target -> Denial."""
    strike = s.strike
    if not 0 <= f < N_FIGURES:
        return Denial.NO_SUCH_FIGURE
    bit = 1 << int(f)
    if strike.done & bit:
        return Denial.ALREADY_TARGETED
    if strike.waiting & bit:
        return Denial.NONE if is_present(s, f) else Denial.NO_SUCH_FIGURE
    denied = reach_denial(s, f)
    if denied != Denial.NONE:
        return denied
    if strike.covered & bit:
        return Denial.COVERED
    return Denial.NONE if strike.left + strike.added > 0 else Denial.NO_TARGETS_LEFT


@kernel
def candidate_targets(s):
    """Candidates for the next target, as bits of figures."""
    strike = s.strike
    if strike.left + strike.added > 0:
        return (enemies_of(s, strike.by) | int(strike.waiting)) & ~int(strike.done)
    return int(strike.waiting) & ~int(strike.done)


@kernel
def no_more_denial(s):
    """G5.6, G5.11, G13.15 - why the ability cannot end here -> Denial.

    All that a template covers are attacked, and monsters attack as many as they may.
    """
    strike = s.strike
    if strike.monster or (strike.waiting and strike.made):
        return Denial.NOT_OPTIONAL
    return Denial.NONE


@kernel
def run_next(s, c):
    """G7.12, H17 - the next attack of the ability, if there is one; its target is chosen now."""
    strike = s.strike
    if answered(s):
        target = take_answer(s)
        if s.block == Block.FIGURE:
            strike_at(s, c, target)
        else:
            finish(s, c)
        return
    by = int(strike.by)
    if not is_present(s, by) or has(s, by, Effect.STUN):
        finish(s, c)
        return
    strike.waiting &= s.present
    if strike.monster and strike.waiting:
        strike_at(s, c, next_waiting(s))
        return
    left = candidate_targets(s)
    while left != 0:
        if target_denial(s, lowest(left)) == Denial.NONE:
            ask(s, Proc.ATTACK_NEXT, Decision.TARGET, asked_for(s, by), by)
            return
        left &= left - 1
    finish(s, c)


@kernel
def next_waiting(s):
    """H15 - the focus of a monster first, then its other targets in the order of their slots."""
    if s.focus >= 0 and s.strike.waiting & (1 << int(s.focus)):
        return int(s.focus)
    return lowest(int(s.strike.waiting))


@kernel
def take_target(s, f):
    """G6.1, G6.6 - one target more is attacked, one that is left or an added one."""
    strike = s.strike
    bit = 1 << int(f)
    strike.target = f
    strike.on_added = 0
    if strike.waiting & bit:
        strike.waiting &= ~bit
    elif strike.left > 0:
        strike.left -= 1
    else:
        strike.added -= 1
        strike.on_added = 1
    strike.done |= bit
    strike.made += 1


@kernel
def finish(s, c):
    """The ability is over; experience if it was used."""
    if s.strike.made > 0 and s.row >= 0:
        s.used_line = 1
        bonus.gain_xp(s, s.strike.by, c.row[s.row].xp)


# ---- one attack ----------------------------------------------------------------------------------
@kernel
def has_disadvantage_near(s):
    """G2.10 - whether it is a ranged attack on an adjacent target."""
    strike = s.strike
    if strike.range == 0:
        return False
    a, b = s.figure[strike.by].at, s.figure[strike.target].at
    return is_within(s.board, a, b, 1)


@kernel
def strike_at(s, c, target):
    """G7.1, G2.3, G2.15, G10.7 - steps 1 to 4 of an attack; then damage, effects, retaliate."""
    take_target(s, target)
    strike = s.strike
    by = int(strike.by)
    if strike.made == 1:
        bonus.add_to_action(s, c)
    strike.conditions = strike.action_conditions
    value, good, bad, pierce = bonus.add_to_attack(s, c)
    good += strike.advantages + has(s, by, Effect.STRENGTHEN)
    bad += strike.disadvantages + has(s, by, Effect.MUDDLE) + has_disadvantage_near(s)
    value += strike.bonus
    doublings = int(strike.doublings)
    pierce += strike.pierce
    if s.plain:  # items are no part of a game, and their records lie far away
        aid = s.aid[target]
        good += aid.advantages
        bad += aid.disadvantages
        value += aid.bonus
        doublings += aid.doublings
        pierce += aid.pierce
    strike.mode = mode_of(good, bad)
    value = value_before_card(strike.value, value, doublings, has(s, target, Effect.POISON))
    value = draw_cards(s, by, target, value)
    pierce += applied_amount(s.deck[deck_of(s, by)], Effect.PIERCE)
    defend(s, c, target, value, pierce, strike.range == 0)
    log(s, Event.STRIKE, by, strike.drawn_value, strike.damage, target)
    strike.cursor = 0
    push(s, Proc.ATTACK_EFFECTS)
    if not strike.negated:
        harm.begin(s, target, strike.damage, Source.ATTACK, by)


@kernel
def draw_cards(s, by, target, value):
    """G1, G2, G6.4 - the modifier cards of an attack -> its value; s.strike has the rest."""
    strike = s.strike
    d = deck_of(s, by)
    deck = s.deck[d]
    touch(s, PILES + d)
    draw(deck, strike.mode, value, s.chance, Stream.MODIFIERS + d)
    condition.return_revealed(s, d)
    log(s, Event.ATTACK, by, strike.mode, value, target)
    strike.dead_card = 0
    for k in range(deck.n_drawn):
        card = deck.card[deck.drawn[k]]
        log(s, Event.CARD, d, deck.drawn[k], -1, deck.applied[k])
        if not deck.applied[k]:
            continue
        strike.dead_card |= card.worth == Worth.NULL
        for i in range(len(card.effect)):
            if card.effect[i] == Effect.ADD_TARGET and not strike.on_added:  # G6.6
                strike.added += 1
    value = modified(deck, value)
    strike.drawn_value = max(0, value)
    return value


@kernel
def defend(s, c, f, value, pierce, melee):
    """G7.4 to G7.6, G1.5 - step 4: the damage of an attack value that reaches a figure."""
    strike, figure = s.strike, s.figure[f]
    bonus.guard(s, c, f, melee)
    shield = figure.shield + figure.round_shield + strike.guard
    if s.plain:
        shield += s.aid[f].shield
    strike.damage = 0 if strike.dead_card else damage(value, shield, pierce)


@kernel
def effect_at(s, cursor):
    """G7.10 - effect number `cursor` of the attack -> (terms.Effect, amount); NONE = none."""
    strike = s.strike
    if cursor < OF_CARDS:
        return int(strike.effect[cursor]), int(strike.effect_amount[cursor])
    if cursor < OF_MODIFIERS:
        effect = cursor - OF_CARDS
        if (int(strike.conditions) >> effect) & 1:
            return effect, 0
        return 0, 0
    deck = s.deck[deck_of(s, strike.by)]
    k, i = (cursor - OF_MODIFIERS) // MAX_EFFECTS, (cursor - OF_MODIFIERS) % MAX_EFFECTS
    if not deck.applied[k]:
        return 0, 0
    card = deck.card[deck.drawn[k]]
    return int(card.effect[i]), int(card.amount[i])


@kernel
def run_effects(s, c):
    """G7.8 to G7.10 - the effects of an attack, one after another, on a target that lives."""
    strike = s.strike
    by, target = int(strike.by), int(strike.target)
    n = OF_MODIFIERS + MAX_EFFECTS * s.deck[deck_of(s, by)].n_drawn
    if answered(s):
        effect, _ = effect_at(s, strike.cursor)
        block = s.block
        take_answer(s)
        if block == Block.YES:
            condition.gain(s, target, effect)
        strike.cursor += 1
    while strike.cursor < n:
        if strike.cursor == OF_CARDS and strike.conditions == 0:  # as of most attacks
            strike.cursor = OF_MODIFIERS
            continue
        effect, amount = effect_at(s, strike.cursor)
        if effect != Effect.NONE and apply_effect(s, by, target, effect, amount):
            return
        strike.cursor += 1
    retaliate(s, c)


@kernel
def apply_effect(s, by, target, effect, amount):
    """G9.8 - one effect of an attack -> whether something is to be asked or done before the next.

    H14: monsters and summons apply all of theirs.
    """
    strike = s.strike
    if Effect.FIRE <= effect <= Effect.DARK:
        infuse(s, effect)
        return False
    if effect == Effect.HEAL:  # G1.16
        heal.heal(s, by, amount)
        return False
    if effect == Effect.PIERCE or effect == Effect.ADD_TARGET or not is_present(s, target):
        return False
    if effect == Effect.PUSH or effect == Effect.PULL:
        strike.cursor += 1
        push(s, Proc.ATTACK_EFFECTS)
        force.begin(s, by, target, amount, effect == Effect.PULL, not strike.monster)
        return True
    if condition.is_immune(s, target, effect):
        return False
    if strike.monster:
        condition.gain(s, target, effect)
        return False
    ask(s, Proc.ATTACK_EFFECTS, Decision.EFFECT, asked_for(s, by), effect)
    return True


@kernel
def infuse(s, effect):
    """G14.6 - an element becomes strong."""
    s.element[effect - Effect.FIRE] = Element.STRONG
    log(s, Event.ELEMENT, -1, effect - Effect.FIRE, -1)


@kernel
def retaliate(s, c):
    """G7.11, G8.8 to G8.13 - last the target strikes back, from where push and pull left it."""
    strike = s.strike
    by, target = int(strike.by), int(strike.target)
    push(s, Proc.ATTACK_NEXT)
    if not is_present(s, target) or not is_present(s, by):
        return
    away = range_between(s.board, s.figure[by].at, s.figure[target].at)
    if away < 0:
        return
    amount = bonus.standing_retaliate(s, c, target, away, strike.range == 0)
    for reach in range(away, len(strike.riposte)):
        amount += strike.riposte[reach]
    if amount > 0:
        harm.begin(s, by, amount, Source.RETALIATE, target)


@kernel
def suffer_attack(s, c, f, value, pierce):
    """G7.4, G8.1 - an attack value that reaches a figure, as if by a melee attack of nobody."""
    s.strike.dead_card = 0
    defend(s, c, f, value, pierce, True)
    if not s.strike.negated:
        harm.begin(s, f, s.strike.damage, Source.ATTACK, -1)
