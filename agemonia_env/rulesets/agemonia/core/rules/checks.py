"""Section 3: rolls of dice, active and reactive checks, Focus and gems.

The tasks of a roll: items of a check, Inspiration gem, dice, dice rolled again, Blessed, stamina on
S-symbols, Achievement gem. `s.roll` holds it, `s.check` the check that it serves.
"""

from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer, take_if

from .. import chance
from ..actions import Block
from ..layout import FACE_EXTRA, FACE_SYMBOL, FOCUS, N_CARRIED
from ..terms import Condition, Decision, Denial, Die, Event, Kind, Proc, Roll
from . import condition, gear, lock, placing, stamina, wound

INSPIRATION_DICE = 2  # R3.23
SYMBOL_MAX = 2  # R3.3: stamina on one S-symbol
SYMBOL_OUTSIDE = 2  # R3.4: its successes outside scenarios
HINDERED_PENALTY = 1  # R3.13
INSPIRATION_LIMIT = 5  # R16.1
ACHIEVEMENT_LIMIT = 15  # R16.4
EXTRA_DICE = 1000  # of one roll: no die can roll on for ever
H_FACES, WHOLE_ROLL = 0, 1  # R3.8: what is rolled again


@kernel
def begin_roll(s, a, die, use, dice):
    """R3.1 to R3.8 - ally a rolls; the result is in s.roll afterwards."""
    roll = s.roll
    roll.ally = a
    roll.die = die
    roll.use = use
    roll.dice = dice
    roll.successes = 0
    roll.symbols = 0
    roll.spoiled = 0
    roll.asked = 0
    roll.outside = 0
    log(s, Event.ROLL, a, use, -1, dice)
    push(s, Proc.ROLL_INSPIRATION)


@kernel
def run_roll(s, c, part):
    """R3.1 to R3.8, R3.23, R3.24, R12.2 - a roll from this part on, until one of them asks.

    The parts call each other instead of using the task stack, where every task is a mispredicted
    branch; only a question interrupts them.
    """
    if part == Proc.ROLL_INSPIRATION:
        run_inspiration(s, c)
        if s.decision != Decision.NONE:
            return
        run_dice(s, c)
    if part <= Proc.ROLL_AGAIN:
        run_again(s, c)
    if part <= Proc.ROLL_BLESSED and s.decision == Decision.NONE:
        run_blessed(s, c)
    if part <= Proc.ROLL_PAY and s.decision == Decision.NONE:
        run_pay(s, c)
    if s.decision == Decision.NONE:
        run_achievement(s, c)


@kernel
def may_use_gems(s):
    """Gems serve attacks and ability checks of Heroes (R3.23, R3.24)."""
    return s.ally[s.roll.ally].kind == Kind.HERO and s.roll.use != Roll.RECOVERY


@kernel
def run_inspiration(s, c):
    """R3.23, R3.12 - before the roll: one Inspiration gem for 2 more dice."""
    ally = s.ally[s.roll.ally]
    if answered(s):
        if take_answer(s):
            use_inspiration(s, s.roll.ally, 1)
            s.roll.dice += INSPIRATION_DICE
    elif may_use_gems(s) and ally.inspiration > 0:
        ask(s, Proc.ROLL_INSPIRATION, Decision.INSPIRATION, s.roll.ally, s.roll.use)


@kernel
def run_dice(s, c):
    """R3.1, R3.2, R3.6, R12.5, R12.11 [Q21] - roll the dice; Weakened takes one of the Action dice.

    Outside scenarios conditions are carried but rest (R12.0f).
    """
    a = s.roll.ally
    if s.roll.die == Die.ACTION and s.roll.dice > 0 and not s.roll.outside:
        if condition.holds(s.ally[a], Condition.WEAKENED):
            s.roll.dice -= 1
            condition.discard_ally(s, a, Condition.WEAKENED)
    roll_dice(s, c, s.roll.dice)


@kernel
def roll_dice(s, c, n):
    """R3.2 - n dice; extra dice come after the others, at most EXTRA_DICE."""
    for _ in range(n):
        roll_one(s, c)
    for _ in range(EXTRA_DICE):
        if s.roll.asked == 0:
            break
        s.roll.asked -= 1
        roll_one(s, c)


@kernel
def roll_one(s, c):
    """R3.1, R3.2, R3.6 - one die; s.roll.asked counts the extra dice still to be rolled."""
    roll = s.roll
    face = chance.roll_die(s, c, roll.die, roll.ally)
    log(s, Event.DIE, roll.ally, roll.die, -1, face)
    if face == FACE_EXTRA:
        roll.successes += 1
        roll.asked += 1
    elif face == FACE_SYMBOL:
        roll.symbols += 1
    else:
        roll.successes += face


@kernel
def may_roll_h_again(s, c):
    """R3.8 - may the H faces of this reactive check be rolled again, by skill or gear?"""
    roll = s.roll
    if roll.use != Roll.REACTIVE or roll.symbols <= roll.spoiled:
        return False
    bits = int(c.sheet[roll.ally].reroll_h) | lock.reroll_h(s, c, roll.ally)
    return (bits >> s.check.ability) & 1 == 1


@kernel
def may_roll_all_again(s):
    """R3.8 - may the roller make this roll again as a whole?"""
    roll = s.roll
    return s.ally[roll.ally].rerolls > 0 and roll.dice > 0


@kernel
def run_again(s, c):
    """R3.8, R9.12 [P38] - H faces are offered first, then the whole roll; a new roll, too."""
    roll = s.roll
    if answered(s):
        whole = s.subject == WHOLE_ROLL
        yes = take_answer(s) == 1
        if whole and not yes:
            return
        if whole:
            roll_all_again(s, c)
        elif yes:
            roll_h_again(s, c)
        if whole and may_roll_h_again(s, c):
            ask(s, Proc.ROLL_AGAIN, Decision.REROLL, roll.ally, H_FACES)
            return
    elif may_roll_h_again(s, c):
        ask(s, Proc.ROLL_AGAIN, Decision.REROLL, roll.ally, H_FACES)
        return
    if may_roll_all_again(s):
        ask(s, Proc.ROLL_AGAIN, Decision.REROLL, roll.ally, WHOLE_ROLL)


@kernel
def roll_h_again(s, c):
    """R3.7, R3.8 - new faces replace the H faces; an H among them serves nothing more."""
    roll = s.roll
    dice = roll.symbols - roll.spoiled
    roll.symbols -= dice
    roll_dice(s, c, dice)
    roll.spoiled = roll.symbols


@kernel
def roll_all_again(s, c):
    """R3.8 - the same dice once more; the first result is gone."""
    s.ally[s.roll.ally].rerolls -= 1
    s.roll.successes = 0
    s.roll.symbols = 0
    s.roll.spoiled = 0
    roll_dice(s, c, s.roll.dice)


@kernel
def run_blessed(s, c):
    """R12.2, R9.12 [Q32] - after an attack roll or check, Blessed gives one more such die."""
    a = s.roll.ally
    if answered(s):
        if take_answer(s):
            condition.discard_ally(s, a, Condition.BLESSED)
            roll_dice(s, c, 1)
    elif s.roll.use == Roll.RECOVERY or s.roll.outside:
        return
    elif condition.holds(s.ally[a], Condition.BLESSED):
        ask(s, Proc.ROLL_BLESSED, Decision.BLESSED, a, s.roll.use)


@kernel
def pay_limit(s):
    """R3.3, R2.1 - stamina that the roller may put on one S-symbol now."""
    return min(SYMBOL_MAX, int(s.ally[s.roll.ally].disk))


@kernel
def run_pay(s, c):
    """R3.3 to R3.5, R3.19 - S-symbols: 0 to 2 stamina each for as many successes."""
    roll = s.roll
    if roll.die != Die.ACTION or s.ally[roll.ally].kind != Kind.HERO:
        return
    if roll.outside:
        roll.successes += SYMBOL_OUTSIDE * roll.symbols
        return
    if answered(s):
        pay(s, take_answer(s))
    if roll.asked < roll.symbols and s.ally[roll.ally].disk > 0:
        ask(s, Proc.ROLL_PAY, Decision.PAY, roll.ally, roll.use)
        s.limit = pay_limit(s)


@kernel
def pay(s, n):
    """R3.3, R12.7 - n stamina on the next S-symbol; in a Cursed attack action chips turn red."""
    roll = s.roll
    if s.act.cursed and roll.use == Roll.ATTACK:
        stamina.spend_cursed(s, roll.ally, n)
    else:
        stamina.spend(s, roll.ally, n)
    roll.successes += n
    roll.asked += 1


@kernel
def run_achievement(s, c):
    """R3.24 - after the roll: one Achievement gem for 1 more success."""
    ally = s.ally[s.roll.ally]
    if answered(s):
        if take_answer(s):
            use_achievement(s, s.roll.ally)
            s.roll.successes += 1
    elif may_use_gems(s) and ally.achievement > 0:
        ask(s, Proc.ROLL_ACHIEVEMENT, Decision.ACHIEVEMENT, s.roll.ally, s.roll.use)


@kernel
def check_dice(s, c, a, ability, extra):
    """R3.9, R3.20, R3.21, R13.14 - dice of a check; using the Focus die forbids Rethink (R3.22)."""
    dice = c.sheet[a].ability[ability] + s.ally[a].ability[ability] + extra
    dice -= wound.injury_dice(s, c, a, ability)
    if s.ally[a].kind == Kind.HERO and s.ally[a].token == FOCUS and not s.ally[a].flipped:
        s.ally[a].focus_rolled = 1
        dice += 1
    return max(0, dice)


@kernel
def begin_active_check(s, c, a, ability, number):
    """R3.9 - ally a checks against `number`; s.check holds the result afterwards.

    Modifiers (R3.11) and added dice are s.check.modifier and s.check.dice, set before the call and
    cleared by it.
    """
    check = s.check
    check.ally = a
    check.ability = ability
    check.number = number
    push(s, Proc.CHECK_ACTIVE)
    begin_roll(s, a, Die.ACTION, Roll.ACTIVE, check_dice(s, c, a, ability, check.dice))
    begin_boosts(s)
    check.dice = 0


@kernel
def begin_boosts(s):
    """R3.12 - before the roll of a check its maker may discard items for successes."""
    s.check.boosted = 0
    push(s, Proc.CHECK_BOOST)


@kernel
def boost(s, c, k):
    """R3.12 - successes that the item in place k adds to the check being made."""
    item = c.item[s.ally[s.check.ally].item[k]]
    if s.roll.die == Die.REACTION:
        return int(item.boost[s.check.ability])
    return int(item.boost_active[s.check.ability])


@kernel
def boost_denial(s, c, k):
    """R3.12 - may the item in place k add to the check? Several do, but of each kind only one."""
    a = s.check.ally
    if s.ally[a].item[k] < 0:
        return Denial.NO_SUCH_ITEM
    if boost(s, c, k) <= 0 or not gear.works(s, c, a, k):
        return Denial.NO_USE
    if gear.is_worn_out(s, a, k):
        return Denial.USED_UP
    return Denial.ALREADY_CHOSEN if (s.check.boosted >> k) & 1 else Denial.NONE


@kernel
def run_boost(s, c):
    """R3.12, R17.8 - items discarded for the check, one after another."""
    a = int(s.check.ally)
    if answered(s):
        k = take_if(s, Block.ITEM)
        if k < 0:
            return
        for other in range(N_CARRIED):
            if s.ally[a].item[other] == s.ally[a].item[k]:
                s.check.boosted |= 1 << other
        log(s, Event.BOOST, a, s.ally[a].item[k], -1)
        s.check.modifier += boost(s, c, k)
        gear.use_up(s, c, a, k)
    for k in range(N_CARRIED):
        if boost_denial(s, c, k) == Denial.NONE:
            ask(s, Proc.CHECK_BOOST, Decision.BOOST, a, s.check.number)
            return


@kernel
def begin_offered_check(s, c, a, abilities, number):
    """R3.10 - an active check with one of several abilities, bits 1 << Ability: one is picked."""
    s.check.ally = a
    s.check.number = number
    s.check.offered = abilities
    push(s, Proc.CHECK_ABILITY)


@kernel
def run_offered_check(s, c):
    """R3.10 - the ability is picked before the roll, if there is a choice."""
    check = s.check
    if answered(s):
        ability = take_answer(s)
    else:
        ability = 0
        while (check.offered >> ability) & 1 == 0:
            ability += 1
        if check.offered != 1 << ability:
            ask(s, Proc.CHECK_ABILITY, Decision.ABILITY, check.ally, check.number)
            return
    begin_active_check(s, c, check.ally, ability, check.number)


@kernel
def offer_denial(s, ability):
    """R3.10 - is the ability among those offered?"""
    return Denial.NONE if (s.check.offered >> ability) & 1 else Denial.NO_SUCH_ACTION


@kernel
def run_active_check(s, c):
    """R3.11, R3.13 - total and success of an active check."""
    check = s.check
    check.total = s.roll.successes + check.modifier
    if not s.roll.outside and placing.is_hindered(s, c, check.ally):
        check.total -= HINDERED_PENALTY
    check.success = check.total >= check.number
    log(s, Event.CHECK, check.ally, check.total, check.number, check.success)
    check.modifier = 0


@kernel
def begin_reactive_check(s, c, a, ability, value):
    """R3.15, R18.4 - ally a checks against an attack of `value`; s.check.remaining gets through.

    s.check.modifier, .dice and .h_worth are added; they are set before and cleared by the call.
    """
    check = s.check
    ally = s.ally[a]
    check.ally = a
    check.ability = ability
    check.number = value
    push(s, Proc.CHECK_REACTIVE)
    dice = check_dice(s, c, a, ability, check.dice + ally.reactive_dice)
    begin_roll(s, a, Die.REACTION, Roll.REACTIVE, dice)
    begin_boosts(s)
    check.dice = 0


@kernel
def h_worth(s, c):
    """R3.6, R3.7 - successes of each H face of the check: it serves one effect only, the best."""
    check = s.check
    a = check.ally
    worth = max(int(check.h_worth), int(s.ally[a].reactive_h))
    worth = max(worth, int(c.sheet[a].h_worth[check.ability]))
    return max(worth, lock.h_worth(s, c, a, check.ability))


@kernel
def run_reactive_check(s, c):
    """R3.16, R3.17, R3.6 - what a reactive check leaves of the value."""
    check = s.check
    ally = s.ally[check.ally]
    bonus = check.modifier + ally.reactive_bonus + c.sheet[check.ally].reactive[check.ability]
    bonus += lock.reactive_bonus(s, c, check.ally, check.ability)
    check.total = s.roll.successes + bonus + h_worth(s, c) * (s.roll.symbols - s.roll.spoiled)
    check.remaining = max(0, check.number - max(0, check.total))
    log(s, Event.CHECK, check.ally, check.total, check.number)
    check.modifier = 0
    check.h_worth = 0


@kernel
def gain_inspiration(s, a):
    """R16.1 - an Inspiration gem; a sixth becomes an Achievement gem."""
    if s.ally[a].inspiration < INSPIRATION_LIMIT:
        s.ally[a].inspiration += 1
        log(s, Event.GEM, a, 0, -1, 1)
    else:
        gain_achievement(s, a)


@kernel
def gain_achievement(s, a):
    """R16.4 - an Achievement gem, up to 15."""
    if s.ally[a].achievement < ACHIEVEMENT_LIMIT:
        s.ally[a].achievement += 1
        log(s, Event.GEM, a, 1, -1, 1)


@kernel
def use_inspiration(s, a, n):
    """R3.23, R16.2 - n Inspiration gems are discarded."""
    s.ally[a].inspiration -= n
    for _ in range(n):
        log(s, Event.GEM, a, 0, -1, 0)


@kernel
def use_achievement(s, a):
    """R3.24 - an Achievement gem is discarded."""
    s.ally[a].achievement -= 1
    log(s, Event.GEM, a, 1, -1, 0)


@kernel
def amount_denial(s, n):
    """An amount that answers the question now asked: up to s.limit; a share (R9.29) is no 0."""
    if s.decision == Decision.SHARE and n == 0:
        return Denial.NO_TARGET
    return Denial.NONE if n <= s.limit else Denial.TOO_MUCH
