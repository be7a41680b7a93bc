"""Single rules on a position, outside the course of a game.

`perform` begins a verb of the rulebook on a state if its denial allows it; `flow` then runs it,
with questions as in a game. Cases, planners and designers use it. Arguments are int16
(N_ARGUMENTS,); a figure is its ally slot, or N_ALLIES + its enemy slot; above both are tokens and
pets.
"""

from enum import IntEnum

from agemonia_env.core.jit import kernel

from . import flow
from .layout import N_ALLIES, N_ENEMIES
from .rules import (
    action,
    aim,
    ally_attack,
    checks,
    condition,
    enemy_attack,
    enemy_pool,
    enemy_turn,
    fate,
    figures,
    gear,
    initiative,
    items,
    jump,
    lock,
    movement,
    placing,
    pushing,
    stamina,
    teleport,
    turn,
    wound,
)
from .terms import Decision, Denial, Ending, Kind, Movement, Way

N_ARGUMENTS = 32
N_ANSWERS = 64


class Verb(IntEnum):
    """Verbs and their arguments."""

    SPEND = 0  # ally, n
    LOSE = 1  # figure, n
    DAMAGE = 2  # figure, n
    RESTORE = 3  # figure, n
    HEAL = 4  # figure, n
    MIXED = 5  # figure, amount, restored, healed
    RECOVER = 6  # ally, 0 stamina / 1 damage
    LOCK = 7  # ally, passive row
    UNLOCK = 8  # ally, passive row
    REMOVE_WOUNDED = 9  # ally
    REMOVE_EXHAUSTED = 10  # ally
    GAIN = 11  # figure, condition
    DISCARD = 12  # figure, condition (0 = all)
    SPEND_MANEUVER = 13  # ally, condition
    GAIN_GEM = 14  # ally, 0 Inspiration / 1 Achievement
    ACTIVE_CHECK = 15  # ally, ability, number, modifier, dice, outside
    REACTIVE_CHECK = 16  # ally, ability, value, bonus, dice, successes of H
    ROLL = 17  # ally, dice, 0 nothing / 1 heal / 2 restore, whom
    ATTACK = 18  # ally, token row, continues
    DRAIN = 19  # ally, enemy, amount
    DEFEAT = 20  # enemy
    ENEMY_ATTACK = 21  # enemy, strike row, number of given targets, their ally slots
    ENEMY_TURN = 22  # enemy, eye, horns, snake
    SPAWN = 23  # type, area
    MOVE = 24  # ally, paid
    WALK = 25  # ally, points
    RETHINK = 26  # ally, restores
    CHOOSE = 27  # ally, token
    START_TURN = 28  # ally, bonus, jewels
    END_TURN = 29  # ally
    NEXT_ROUND = 30
    REVEAL = 31
    FATE = 32
    TIMER = 33  # 0 start / 1 reset / 2 stop, target
    RECOUNT = 34
    MARK_ACTED = 35  # figure
    FIX_ROPE = 36  # ally, area, item
    TAKE_ROPE = 37  # ally, area, item
    JUMP = 38  # ally, area, range
    TELEPORT = 39  # figure, area, range (-1 = any)
    PUSH = 40  # source area, distance, range (-1 = any), 1 = pull, number of figures, figures
    USE_SPECIAL = 41  # ally, terms.Special it uses this round (R15.7), waits for another Ally
    TAKE = 42  # ally, item
    DROP = 43  # ally, item
    GIVE = 44  # ally, ally that receives, item
    SUMMON = 45  # figure row, area
    WALK_TOKEN = 46  # figure row, points


class Query(IntEnum):
    """Questions about a position; answers go to int16 (N_ANSWERS,)."""

    HINDERED = 0  # ally -> 0/1
    RANGE = 1  # area, area -> range; -1 = none
    SEES = 2  # area, area -> 0/1
    CAPACITY = 3  # area -> used, maximum, full
    AIM = 4  # figure, figure -> obstructed
    TARGETS = 5  # ally, attack row, type -> per enemy slot 0/1
    ENEMY_TARGETS = 6  # enemy, strike row -> per ally slot legal; from 16 on: best first choice
    NEXT_FIGURE = 7  # -> count, figures that may act next on the current bar; moves on to it
    BAR = 8  # figure -> eye, horns, snake of its bar; bonus maneuver of an ally
    STANDS = 9  # figure -> 0/1
    AFTER = 10  # -> per ally slot: may act right after an Ally's turn (R15.4)


@kernel
def perform(s, c, verb, x):
    """Begin a verb with arguments x -> Denial; NONE = begun, run on with flow."""
    if s.ending != Ending.NONE:
        return Denial.SCENARIO_ENDED
    if s.decision == Decision.TURN:  # between the choices of an own turn, which is asked again
        s.decision = Decision.NONE
    if verb <= Verb.GAIN_GEM:
        return perform_bookkeeping(s, c, verb, x)
    if verb <= Verb.SPAWN:
        return perform_fight(s, c, verb, x)
    return perform_turn(s, c, verb, x)


@kernel
def perform_bookkeeping(s, c, verb, x):
    """Sections 2, 12, 13, 14, 16."""
    who, n = int(x[0]), int(x[1])
    match verb:
        case Verb.SPEND:
            denial = stamina.spend_denial(s, who, n)
            if denial == Denial.NONE:
                stamina.spend(s, who, n)
            return denial
        case Verb.MIXED:
            denial = stamina.mixed_denial(n, x[2], x[3])
            if denial == Denial.NONE:
                affect(s, c, Verb.RESTORE, who, int(x[2]))
                affect(s, c, Verb.HEAL, who, int(x[3]))
            return denial
        case Verb.RECOVER:
            denial = turn.recover_denial(s, who, n)
            if denial == Denial.NONE:
                turn.begin_recover(s, who, n)
            return denial
        case Verb.LOCK:
            denial = lock.lock_denial(s, c, who, n)
            if denial == Denial.NONE:
                lock.lock(s, c, who, n)
            return denial
        case Verb.UNLOCK:
            slot = lock.find(s, who, n)
            if slot < 0:
                return Denial.NOT_RUNNING
            lock.release(s, c, who, slot)
        case Verb.REMOVE_WOUNDED:
            wound.remove_wounded(s, who)
        case Verb.REMOVE_EXHAUSTED:
            wound.remove_exhausted(s, c, who)
        case Verb.SPEND_MANEUVER:
            denial = turn.discard_denial(s, who, n)
            if denial == Denial.NONE:
                turn.discard(s, who, n)
            return denial
        case Verb.GAIN_GEM:
            if not placing.ally_stands(s, who) or s.ally[who].kind != Kind.HERO:
                return Denial.NONE  # R13.8, R18.2: it changes nothing
            if n == 0:
                checks.gain_inspiration(s, who)
            else:
                checks.gain_achievement(s, who)
        case _:
            affect(s, c, verb, who, n)
    return Denial.NONE


@kernel
def affect(s, c, verb, figure, n):
    """Effects on any figure: loss, damage, recovery, conditions."""
    e = figure - N_ALLIES
    s.result = 0
    if e >= N_ENEMIES:
        return  # R18.7, R18.8: a token or pet is immune
    match verb:
        case Verb.LOSE:
            if e < 0:
                stamina.lose(s, c, figure, n)
            else:
                enemy_pool.damage(s, c, e, n)
        case Verb.DAMAGE:
            if e < 0:
                stamina.damage(s, c, figure, n)
            else:
                enemy_pool.damage(s, c, e, n)
        case Verb.RESTORE:
            if e < 0:
                s.result = stamina.restore(s, c, figure, n)
        case Verb.HEAL:
            s.result = stamina.heal(s, c, figure, n) if e < 0 else enemy_pool.heal(s, e, n)
        case Verb.GAIN:
            if e < 0:
                condition.gain_ally(s, c, figure, n)
            else:
                condition.gain_enemy(s, e, n)
        case _:
            for number in range(1, condition.N_NUMBERS):
                if n == 0 or n == number:
                    if e < 0:
                        condition.discard_ally(s, figure, number)
                    else:
                        condition.discard_enemy(s, e, number)


@kernel
def perform_fight(s, c, verb, x):
    """Sections 3, 9, 10."""
    who, n = int(x[0]), int(x[1])
    if verb <= Verb.DRAIN and not placing.ally_stands(s, who):
        return Denial.OUT_OF_ACTION
    match verb:
        case Verb.ACTIVE_CHECK:
            s.check.modifier = x[3]
            s.check.dice = x[4]
            checks.begin_active_check(s, c, who, n, x[2])
            s.roll.outside = x[5]
        case Verb.REACTIVE_CHECK:
            s.check.modifier = x[3]
            s.check.dice = x[4]
            s.check.h_worth = x[5]
            checks.begin_reactive_check(s, c, who, n, x[2])
        case Verb.ROLL:
            action.begin_roll(s, who, n, x[2], x[3])
        case Verb.ATTACK:
            more = int(x[2]) if movement.in_turn(s, who) else 0
            s.actions += more  # a further attack of the same action takes no other (R9.7)
            denial = action.action_denial(s, c, who, n)
            if denial != Denial.NONE:
                s.actions -= more
                return denial
            action.begin(s, c, who, n, x[2] == 1)
        case Verb.DRAIN:
            s.result = ally_attack.drain(s, c, who, n, x[2])
        case Verb.DEFEAT:
            enemy_pool.defeat(s, c, who)
        case Verb.SPAWN:
            enemy_pool.begin_spawn(s, who, n, 1)
        case _:
            return perform_enemy(s, c, verb, x)
    return Denial.NONE


@kernel
def perform_enemy(s, c, verb, x):
    """R10.4, R10.20 - an Enemy's attack or whole turn."""
    e = int(x[0])
    if verb == Verb.ENEMY_ATTACK:
        denial = enemy_turn.attack_denial(s, e)
        if denial == Denial.NONE:
            s.turn.enemy = e
            enemy_attack.load(s, c, e, x[1])
            enemy_attack.begin(s, x[2] > 0)
            for k in range(x[2]):
                enemy_attack.add_target(s, int(x[3 + k]))
        return denial
    if not placing.enemy_stands(s, e):
        return Denial.OUT_OF_ACTION
    if s.enemy[e].acted:
        return Denial.TURN_TAKEN
    enemy_turn.begin_turn(s, e, x[1], x[2], x[3])
    return Denial.NONE


@kernel
def perform_turn(s, c, verb, x):
    """Sections 5, 6, 7, 19."""
    who, n = int(x[0]), int(x[1])
    denial = Denial.NONE
    match verb:
        case Verb.MOVE:
            denial = movement.move_denial(s, c, who, n == 1)
            if denial == Denial.NONE:
                movement.begin_maneuver_move(s, c, who, n == 1)
        case Verb.WALK:
            if not placing.ally_stands(s, who):
                return Denial.OUT_OF_ACTION
            movement.begin_move(s, who, Movement.EFFECT, n)
        case Verb.RETHINK:
            denial = turn.rethink_denial(s, who)
            if denial == Denial.NONE:
                turn.rethink(s, c, who, n == 1)
        case Verb.CHOOSE:
            denial = initiative.select_denial(s, c, who, n)
            if denial == Denial.NONE:
                initiative.select(s, c, who, n)
        case Verb.START_TURN:
            denial = Denial.TURN_TAKEN if s.active_ally >= 0 else turn.start_denial(s, who)
            if denial == Denial.NONE:
                turn.begin(s, c, who, n, x[2])
        case Verb.END_TURN:
            if s.active_ally != who:
                return Denial.NOT_ASKED
            s.depth -= 1  # the choice that waits
        case _:
            return perform_round(s, c, verb, x)
    return denial


@kernel
def close_turn(s, c):
    """R6.2 - what is left of an own turn that is still open is forfeited."""
    if s.active_ally >= 0:
        s.depth = 0
        turn.run_end(s, c)


@kernel
def perform_round(s, c, verb, x):
    """Rounds, decks, timers."""
    match verb:
        case Verb.NEXT_ROUND:
            close_turn(s, c)
            flow.end_round(s)
        case Verb.REVEAL:
            initiative.reveal(s, c)
        case Verb.FATE:
            s.result = fate.reveal(s, c)
        case Verb.TIMER:
            if x[0] == 0:
                fate.start_timer(s, x[1])
            elif x[0] == 1:
                fate.reset_timer(s)
            else:
                fate.stop_timer(s)
        case Verb.RECOUNT:
            placing.recount(s, c)
        case Verb.MARK_ACTED:
            if x[0] < N_ALLIES:
                s.ally[x[0]].acted = 1
            else:
                s.enemy[x[0] - N_ALLIES].acted = 1
        case Verb.USE_SPECIAL:
            s.ally[x[0]].uses = x[1]
            s.ally[x[0]].waits = x[2]
        case Verb.FIX_ROPE | Verb.TAKE_ROPE:
            return perform_rope(s, c, verb, x)
        case Verb.TAKE | Verb.DROP | Verb.GIVE:
            return perform_item(s, c, verb, x)
        case _:
            return perform_leap(s, c, verb, x)
    return Denial.NONE


@kernel
def perform_leap(s, c, verb, x):
    """R7.30 to R7.60 - jump, teleport, push and pull."""
    who, to, n = int(x[0]), int(x[1]), int(x[2])
    denial = Denial.NONE
    if verb == Verb.JUMP or (verb == Verb.TELEPORT and who < N_ALLIES):
        way = Way.JUMP if verb == Verb.JUMP else Way.TELEPORT
        denial = jump.leap_denial(s, c, who, to, n, way)
        if denial == Denial.NONE:
            jump.begin(s, who, to, way)
    elif verb == Verb.TELEPORT:
        e = who - N_ALLIES
        if e >= N_ENEMIES or not placing.enemy_stands(s, e):
            return Denial.OUT_OF_ACTION
        size = c.type[s.enemy[e].type].size
        denial = teleport.teleport_denial(c, s.enemy[e].area, to, size, n)
        if denial == Denial.NONE:
            teleport.teleport_enemy(s, c, e, to)
    else:
        return perform_rest(s, c, verb, x)
    return denial


@kernel
def perform_rest(s, c, verb, x):
    """R7.49, R18.7 - push and pull, summoned tokens."""
    k, n = int(x[0]), int(x[1])
    if verb == Verb.PUSH:
        return perform_push(s, c, x)
    if verb == Verb.SUMMON:
        figures.summon(s, k, 0, n)
        return Denial.NONE
    denial = figures.walk_denial(s, k)
    if denial == Denial.NONE:
        figures.begin_walk(s, k, n)
    return denial


@kernel
def perform_push(s, c, x):
    """R7.49 to R7.60 - all figures within range are pushed or pulled, or none."""
    for k in range(x[4]):
        denial = pushing.reach_denial(s, c, x[0], int(x[5 + k]), int(x[2]))
        if denial != Denial.NONE:
            return denial
    pushing.begin(s, x[0], -1, x[1], x[3], False)
    for k in range(x[4]):
        pushing.name(s, int(x[5 + k]))
    return Denial.NONE


@kernel
def perform_rope(s, c, verb, x):
    """R7.17 - Hook & Rope is fixed or taken back."""
    a, to, item = int(x[0]), int(x[1]), int(x[2])
    if verb == Verb.FIX_ROPE:
        denial = movement.fix_rope_denial(s, c, a, to, item)
        if denial == Denial.NONE:
            movement.begin_fix_rope(s, c, a, to, item)
        return denial
    denial = movement.take_rope_denial(s, c, a, to)
    if denial == Denial.NONE:
        movement.take_rope(s, a, to, item)
    return denial


@kernel
def perform_item(s, c, verb, x):
    """R17.5 - an item is picked up, dropped or given."""
    a, item = int(x[0]), int(x[2] if verb == Verb.GIVE else x[1])
    if verb == Verb.TAKE:
        denial = items.item_lying_denial(s, c, a, item)
        if denial == Denial.NONE:
            items.take(s, c, a, items.place_lying(s, c, a, item))
        return denial
    k = gear.find(s, a, item)
    if k < 0:
        return Denial.NO_SUCH_ITEM
    if verb == Verb.DROP:
        denial = items.drop_denial(s, c, a, k)
        if denial == Denial.NONE:
            items.drop(s, c, a, k)
    else:
        denial = items.give_denial(s, c, a, k, x[1])
        if denial == Denial.NONE:
            items.give(s, c, a, k, x[1])
    return denial


@kernel
def query(s, c, question, x, out):
    """Answer a question about the position into out, int16 (N_ANSWERS,)."""
    a, b = int(x[0]), int(x[1])
    out[:] = 0
    match question:
        case Query.HINDERED:
            out[0] = placing.is_hindered(s, c, a)
        case Query.RANGE:
            out[0] = c.range[a, b]
        case Query.SEES:
            out[0] = placing.sees(c, a, b)
        case Query.CAPACITY:
            out[0] = s.used[a]
            out[1] = c.capacity[a]
            out[2] = placing.is_full(s, c, a)
        case Query.AIM:
            out[0] = is_aim_obstructed(s, c, a, b)
        case Query.TARGETS:
            for e in range(N_ENEMIES):
                out[e] = aim.target_denial(s, c, a, b, x[2], e) == Denial.NONE
        case Query.ENEMY_TARGETS:
            enemy_attack.load(s, c, a, b)
            best = enemy_attack.best_targets(s, c, a, s.enemy[a].area, 0)
            for k in range(N_ALLIES):
                out[k] = enemy_attack.reach_denial(s, c, a, s.enemy[a].area, k) == Denial.NONE
                out[16 + k] = (best >> k) & 1
        case Query.NEXT_FIGURE:
            write_next_figures(s, c, out)
        case Query.BAR:
            write_bar(s, c, a, out)
        case Query.AFTER:
            options = initiative.after_options(s)
            for k in range(N_ALLIES):
                out[k] = (options >> k) & 1
        case _:
            e = a - N_ALLIES
            out[0] = placing.ally_stands(s, a) if e < 0 else placing.enemy_stands(s, e)


@kernel
def is_aim_obstructed(s, c, a, b):
    """R9.20 - between an Ally and an Enemy, whichever attacks."""
    if a < N_ALLIES:
        here, there = s.ally[a].area, s.enemy[b - N_ALLIES].area
        return aim.is_obstructed(s, c, here, there, s.enemies_in[here])
    here, there = s.enemy[a - N_ALLIES].area, s.ally[b].area
    return aim.is_obstructed(s, c, here, there, s.allies_in[here])


@kernel
def write_next_figures(s, c, out):
    """R5.14, R5.15 - who may act next; of each Enemy type only its lowest number."""
    n = 0
    while n == 0 and s.bar <= initiative.DELAYED_BAR:
        allies = initiative.ally_options(s, c)
        for a in range(N_ALLIES):
            if (allies >> a) & 1:
                n += 1
                out[n] = a
        types = initiative.type_options(s, c)
        ready = initiative.enemies_now(s, c) if types != 0 else 0
        for kind in range(c.n_types):
            if (types >> kind) & 1:
                n += 1
                out[n] = N_ALLIES + initiative.next_of_type(s, ready, kind)
        if n == 0:
            s.bar += 1
    out[0] = n


@kernel
def write_bar(s, c, figure, out):
    """R5.9, R5.10 - eye, horns and snake of an Enemy's bar; the bonus maneuver of an Ally."""
    if figure < N_ALLIES:
        out[3] = initiative.has_bonus(s, c, figure)
        return
    card = c.card[s.card]
    bar = initiative.bar_of(s, c, figure - N_ALLIES)
    out[0] = card.eye[bar]
    out[1] = card.horns[bar]
    out[2] = card.snake[bar]
