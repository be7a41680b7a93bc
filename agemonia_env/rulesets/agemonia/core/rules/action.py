"""R6.1, R6.13, R9.6 and the effect rows of actions: what a Hero's action does."""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer

from ..actions import Block
from ..layout import N_ALLIES, N_ENEMIES
from ..sides import credit
from ..terms import Condition, Decision, Denial, Die, Event, Kind, Movement, Op, Proc, Roll, Way
from . import (
    ally_attack,
    checks,
    condition,
    enemy_pool,
    entry,
    figures,
    jump,
    lock,
    movement,
    placing,
    pushing,
    stamina,
    wound,
)


@kernel
def act_denial(s, c, a):
    """R6.13 - may ally a perform the action it has chosen?"""
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    if s.ally[a].token < 0:
        return Denial.NOTHING_CHOSEN
    row = c.sheet[a].token[s.ally[a].token]
    if row < 0 or c.token[row].n == 0:
        return Denial.NO_SUCH_ACTION  # Focus and Extra Maneuver work from their selection on
    return action_denial(s, c, a, row)


@kernel
def action_denial(s, c, a, row):
    """R6.1, R6.13, R9.6, R16.3 - budget, cost, gem, and that some effect can be had."""
    token = c.token[row]
    if token.maneuver:
        denial = movement.maneuver_denial(s, a)
        if denial != Denial.NONE:
            return denial
    elif movement.in_turn(s, a) and s.actions <= 0:
        return Denial.NO_ACTION_LEFT
    denial = stamina.spend_denial(s, a, token.cost)
    if denial != Denial.NONE:
        return denial
    if s.ally[a].inspiration < token.gem:
        return Denial.NO_GEM
    denial = Denial.NO_SUCH_ACTION
    for k in range(token.first, token.first + token.n):
        denial = effect_denial(s, c, a, k, token.cost)
        if denial == Denial.NONE:
            return denial
    return denial


@kernel
def effect_denial(s, c, a, k, cost):
    """May ally a have effect row k, after paying `cost` stamina?"""
    row = c.effect[k]
    if s.move.going_on and row.op in (Op.MOVE, Op.JUMP, Op.TELEPORT):
        return Denial.MOVE_GOING_ON
    if row.op == Op.ATTACK:
        return ally_attack.attack_denial(s, c, a, row.a)
    if row.op == Op.LOCK:
        denial = lock.lock_denial(s, c, a, row.a)
        if denial == Denial.NONE and s.ally[a].disk - cost < c.passive[row.a].need:
            return Denial.NOT_ENOUGH_STAMINA
        return denial
    if row.op == Op.SET_TRAP:
        places = entry.trap_places(s, c, s.ally[a].area, row.range)
        return Denial.NONE if places != 0 else Denial.NO_TARGET
    if is_hostile(row.op):
        for e in range(N_ENEMIES):
            if victim_denial(s, c, a, k, e) == Denial.NONE:
                return Denial.NONE
        return Denial.NO_TARGET
    if row.op == Op.JUMP or row.op == Op.TELEPORT:
        way = Way.JUMP if row.op == Op.JUMP else Way.TELEPORT
        return Denial.NONE if jump.is_any(s, c, a, row.range, way) else Denial.OUT_OF_RANGE
    if row.op == Op.SUMMON or row.op == Op.SUMMON_ALLY or row.op == Op.PORTAL:
        return figures.any_place_denial(s, c, a, k)
    if row.op == Op.COMMAND:
        return figures.command_denial(s, a, row.a)
    if needs_recipient(row.op):
        for b in range(N_ALLIES):
            if help_denial(s, c, a, k, b) == Denial.NONE:
                return Denial.NONE
        return Denial.NO_TARGET
    return Denial.NONE


@kernel
def is_hostile(op):
    """Whether an effect is directed at one Enemy that the player names."""
    return op in (Op.AFFLICT, Op.PUSH, Op.PULL, Op.DRAIN, Op.DAMAGE, Op.DEFEAT, Op.DELAY)


@kernel
def needs_recipient(op):
    """Whether an effect helps one Ally only in a certain plight."""
    return op in (Op.UNWOUND, Op.REVIVE)


@kernel
def act(s, c, a):
    """R6.1 - perform the chosen action. Needs act_denial NONE."""
    perform(s, c, a, s.ally[a].token)


@kernel
def perform(s, c, a, token):
    """R6.1 - perform an action token; some work once in a scenario. Needs action_denial NONE."""
    row = c.sheet[a].token[token]
    if c.token[row].once:
        s.ally[a].once |= 1 << int(token)
    begin(s, c, a, row, False)


@kernel
def begin(s, c, a, row, continues):
    """R9.6, R12.7 - pay the cost (Cursed turns it red in an attack action), then row by row.

    Needs action_denial NONE. `continues`: a further attack of the action done before (R9.7).
    """
    token = c.token[row]
    log(s, Event.ACT, a, row, -1)
    if token.maneuver:
        movement.use_maneuver(s, a)
    elif movement.in_turn(s, a):
        s.actions -= 1
    doing = s.act
    doing.ally = a
    doing.token = row
    doing.item = -1
    doing.row = token.first
    doing.opening = token.first + 1
    cursed = condition.holds(s.ally[a], Condition.CURSED) or (continues and doing.was_cursed)
    doing.cursed = cursed and has_attack(c, row)
    doing.was_cursed = doing.cursed
    if s.ally[a].kind == Kind.HERO:
        if doing.cursed:
            stamina.spend_cursed(s, a, token.cost)
        else:
            stamina.spend(s, a, token.cost)
        checks.use_inspiration(s, a, token.gem)
    push(s, Proc.ACTION_END)
    push(s, Proc.ACTION_NEXT)


@kernel
def begin_item(s, c, a, item):
    """R6.11 [P39] - the effects of an item that ally a uses, row by row; no action is performed."""
    doing = s.act
    doing.ally = a
    doing.token = -1
    doing.item = item
    doing.row = c.item[item].first
    doing.opening = doing.row + 1
    doing.cursed = 0
    push(s, Proc.ACTION_NEXT)


@kernel
def end_row(s, c):
    """The effect row after the last one of the action performed or the item used."""
    doing = s.act
    if doing.item >= 0:
        return int(c.item[doing.item].first + c.item[doing.item].n)
    return int(c.token[doing.token].first + c.token[doing.token].n)


@kernel
def has_attack(c, row):
    """Whether the action contains an attack."""
    for k in range(c.token[row].first, c.token[row].first + c.token[row].n):
        if c.effect[k].op == Op.ATTACK:
            return True
    return False


@kernel
def run_end(s, c):
    """R12.7 - Cursed goes after the attack action."""
    if s.act.cursed:
        condition.discard_ally(s, s.act.ally, Condition.CURSED)
    s.act.cursed = 0


@kernel
def help_denial(s, c, a, k, b):
    """May effect row k of ally a help ally b: standing (or in need of it), within range?"""
    row = c.effect[k]
    ally = s.ally[b]
    if row.op == Op.REVIVE:
        if ally.kind != Kind.HERO or not ally.exhausted:
            return Denial.NO_TARGET
    elif not placing.ally_stands(s, b):
        return Denial.OUT_OF_ACTION
    elif row.op == Op.UNWOUND and not ally.wounded:
        return Denial.NO_TARGET
    distance = c.range[s.ally[a].area, ally.area]
    return Denial.NONE if 0 <= distance <= row.range else Denial.OUT_OF_RANGE


@kernel
def recipient_denial(s, c, b):
    """May the effect row being done help ally b?"""
    return help_denial(s, c, s.act.ally, s.act.row - 1, b)


@kernel
def victim_denial(s, c, a, k, e):
    """May effect row k of ally a meet enemy e: on the map, within range and sight (R15.10, R10.42)?

    A pull has a range of its own distance if none is printed (R7.50).
    """
    if not placing.enemy_stands(s, e):
        return Denial.NO_TARGET
    if c.effect[k].op == Op.DELAY and (s.enemy[e].acted or s.enemy[e].last):
        return Denial.TURN_TAKEN
    if c.effect[k].op == Op.DEFEAT and c.type[s.enemy[e].type].elite:
        return Denial.ELITE
    here, there = s.ally[a].area, s.enemy[e].area
    distance = c.range[here, there]
    if distance < 0 or distance > c.effect[k].range:
        return Denial.OUT_OF_RANGE
    return Denial.NONE if placing.sees(c, here, there) else Denial.NO_SIGHT


@kernel
def afflicted_denial(s, c, e):
    """May the effect row being done meet enemy e?"""
    return victim_denial(s, c, s.act.ally, s.act.row - 1, e)


@kernel
def run_victim(s, c, proc):
    """An effect that meets one Enemy: whom?"""
    if answered(s):
        meet_enemy(s, c, take_answer(s))
        return
    decision = Decision.VICTIM if proc == Proc.EFFECT_VICTIM else Decision.AFFLICTED
    for e in range(N_ENEMIES):
        if afflicted_denial(s, c, e) == Denial.NONE:
            ask(s, proc, decision, s.act.ally, s.act.row - 1)
            return


@kernel
def meet_enemy(s, c, e):
    """R7.49, R7.51, R9.31, R2.13, R10.42, R15.10 - what the effect row being done does to it."""
    a = int(s.act.ally)
    row = c.effect[s.act.row - 1]
    match row.op:
        case Op.AFFLICT:
            condition.gain_enemy(s, e, row.a)
        case Op.PUSH | Op.PULL:
            pushing.begin(s, s.ally[a].area, a, row.amount, row.op == Op.PULL, False)
            pushing.name(s, N_ALLIES + e)
        case Op.DRAIN:
            s.result = ally_attack.drain(s, c, a, e, row.amount)
        case Op.DAMAGE:
            credit(s, a, enemy_pool.damage(s, c, e, row.amount))
        case Op.DEFEAT:
            enemy_pool.defeat(s, c, e)
        case _:
            s.enemy[e].last = 1


@kernel
def begin_ability(s, c):
    """A.4 - levels of one ability, of all, or of one that the player picks."""
    row = c.effect[s.act.row - 1]
    if row.a < 0 or row.a >= 3:
        push(s, Proc.EFFECT_ABILITY)
    else:
        s.ally[s.act.ally].ability[row.a] += row.amount


@kernel
def run_ability(s, c):
    """A.4 - a = -1: all abilities; a = 3: the player picks one."""
    row = c.effect[s.act.row - 1]
    ally = s.ally[s.act.ally]
    if answered(s):
        ally.ability[take_answer(s)] += row.amount
    elif row.a < 0:
        for ability in range(3):
            ally.ability[ability] += row.amount
    else:
        ask(s, Proc.EFFECT_ABILITY, Decision.ABILITY_BONUS, s.act.ally, -1)


@kernel
def run_recipient(s, c):
    """An effect that helps an Ally within range: whom?"""
    if answered(s):
        s.act.recipient = take_answer(s)
        help_ally(s, c, s.act.recipient)
        return
    for b in range(N_ALLIES):
        if recipient_denial(s, c, b) == Denial.NONE:
            ask(s, Proc.EFFECT_RECIPIENT, Decision.RECIPIENT, s.act.ally, s.act.row - 1)
            return


@kernel
def help_ally(s, c, b):
    """R2.6, R2.7, R2.9 - the effect row being done helps ally b."""
    row = c.effect[s.act.row - 1]
    s.act.amount = row.amount
    match row.op:
        case Op.HEAL:
            s.result = stamina.heal(s, c, b, row.amount)
        case Op.RESTORE:
            run_restore(s, c)
        case Op.MIXED:
            push(s, Proc.EFFECT_AMOUNT)
        case Op.ROLL_HEAL | Op.ROLL_RESTORE:
            push(s, Proc.EFFECT_ROLLED)
            checks.begin_roll(s, s.act.ally, Die.ACTION, Roll.RECOVERY, row.amount)
        case Op.GAIN:
            condition.gain_ally(s, c, b, row.a)
        case Op.DISCARD_ONE:
            push(s, Proc.EFFECT_DISCARD)
        case Op.DISCARD_ALL:
            for number in range(1, condition.N_NUMBERS):
                condition.discard_ally(s, b, number)
        case Op.UNWOUND:
            wound.remove_wounded(s, b)
        case Op.REVIVE:
            wound.remove_exhausted(s, c, b)
        case _:
            pass


@kernel
def run_rolled(s, c):
    """A.3 - a helping action: heal or restore as much as was rolled."""
    s.act.amount = s.roll.successes
    if c.effect[s.act.row - 1].op == Op.ROLL_HEAL:
        s.result = stamina.heal(s, c, s.act.recipient, s.roll.successes)
    else:
        run_restore(s, c)


@kernel
def run_restore(s, c):
    """R2.6, R14.4 [P46] - s.act.amount is restored; first the Hero may end a lock."""
    b, amount = int(s.act.recipient), int(s.act.amount)
    if answered(s):
        take_answer(s)  # no further lock
    elif stamina.gains_by_ending(s, c, b, amount, 0):
        stamina.ask_end_lock(s, c, b, amount, Proc.EFFECT_RESTORE)
        return
    s.result = stamina.restore(s, c, b, amount)


@kernel
def run_amount(s, c):
    """R2.9, R14.4 [P46] - how much of a mixed effect restores; the rest heals."""
    b, amount = int(s.act.recipient), int(s.act.amount)
    if answered(s) and s.block == Block.AMOUNT:
        restored = stamina.restore(s, c, b, take_answer(s))
        s.result = restored + stamina.heal(s, c, b, amount - restored)
        return
    if s.ally[b].kind != Kind.HERO:
        s.result = stamina.heal(s, c, b, amount)
        return
    if answered(s):
        take_answer(s)  # no further lock
    elif stamina.gains_by_ending(s, c, b, amount, s.ally[b].wounds):
        stamina.ask_end_lock(s, c, b, amount, Proc.EFFECT_AMOUNT)
        return
    ask(s, Proc.EFFECT_AMOUNT, Decision.AMOUNT, s.act.ally, b)
    s.limit = min(amount, int(s.ally[b].spent))


@kernel
def cure_denial(s, number):
    """May this condition be discarded by the effect being done? Only what the Ally holds."""
    held = condition.holds(s.ally[s.act.recipient], number)
    return Denial.NONE if held else Denial.NOTHING_TO_DISCARD


@kernel
def run_discard(s, c):
    """An effect that discards one condition of an Ally: which?"""
    b = s.act.recipient
    if answered(s):
        condition.discard_ally(s, b, take_answer(s))
    elif s.ally[b].conditions != 0:
        ask(s, Proc.EFFECT_DISCARD, Decision.DISCARD, s.act.ally, b)


@kernel
def grant_move(s, c, points):
    """Q4 - movement by an action is no move maneuver."""
    movement.begin_move(s, s.act.ally, Movement.EFFECT, points)


@kernel
def begin_roll(s, a, dice, use, whom):
    """A.3 - a roll that stands alone; `use` 1 heals, 2 restores as much for ally `whom`."""
    s.act.ally = a
    s.act.recipient = whom
    s.act.amount = use
    push(s, Proc.ROLLED_ALONE)
    checks.begin_roll(s, a, Die.ACTION, Roll.RECOVERY, dice)


@kernel
def run_rolled_alone(s, c):
    """A.3 - what a roll that stands alone heals or restores; s.result is its total."""
    total = s.roll.successes
    if s.act.amount == 1:
        stamina.heal(s, c, s.act.recipient, total)
    elif s.act.amount == 2:
        stamina.restore(s, c, s.act.recipient, total)
    s.result = total
