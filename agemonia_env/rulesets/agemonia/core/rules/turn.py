"""Section 6: an Ally's own turn, its action and its maneuvers."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer, take_if

from .. import chance
from ..actions import Block, Turn
from ..layout import EXTRA_MANEUVER, N_ALLIES
from ..terms import Condition, Decision, Denial, Event, Kind, Movement, Proc
from . import (
    action,
    checks,
    condition,
    ending,
    entry,
    figures,
    items,
    lock,
    movement,
    placing,
    stamina,
    story,
    wound,
)

BLEEDING_DAMAGE = 1  # R12.3
HINDERED_PENALTY = 1  # R13.2
RETHINK_POINTS = 1  # R6.8
RETHINK_RESTORES = 1
RECOVER_STAMINA, RECOVER_DAMAGE = 0, 1


@kernel
def start_denial(s, a):
    """R5.16, R13.9 - may ally a take its turn now?"""
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    if s.ally[a].acted or s.ally[a].revived:
        return Denial.TURN_TAKEN
    return Denial.NONE


@kernel
def begin(s, c, a, bonus, jewels):
    """R6.1, R6.3, R6.12, R15.2 [Q63] - ally a's turn: budget, start-of-turn effects, then choices.

    `bonus`: the card shows the bonus maneuver for it; `jewels`: extra maneuvers of items.
    """
    ally = s.ally[a]
    s.active_ally = a
    s.actions = 1
    s.maneuvers = 1 + jewels
    if bonus and ally.special == 0:
        s.maneuvers += 1
    if ally.kind == Kind.HERO and ally.token == EXTRA_MANEUVER:
        s.maneuvers += 1
    ally.evade = c.sheet[a].evade + lock.evade(s, c, a)
    ally.evaded = 0
    ally.provoked = 0
    ally.flipped = 0
    ally.changed = 0
    ally.handled = 0
    for attack_type in range(3):
        ally.attack_dice[attack_type] = 0
    s.used_now = 0
    chance.begin_turn(s, a)
    figures.begin_owner_turn(s, a)
    log(s, Event.TURN, a, -1, -1)
    push(s, Proc.TURN_END)
    push(s, Proc.TURN_CHOOSE)
    push(s, Proc.TURN_TRAP)
    push(s, Proc.TURN_START)


@kernel
def run_start(s, c):
    """R6.12, R12.3, R12.14, R12.8 to R12.10 - Bleeding, Dominated, and what is missed."""
    a = s.active_ally
    if condition.holds(s.ally[a], Condition.DOMINATED):
        push(s, Proc.DOMINATED_ALLY)
    condition.miss(s, a)
    if condition.holds(s.ally[a], Condition.BLEEDING):
        stamina.damage(s, c, a, BLEEDING_DAMAGE)


@kernel
def dominated_options(s, c, a):
    """R12.10 - bits of the closest other Allies within range, of these the highest Taunt."""
    best, nearest, taunt = 0, int(c.dominated_range), -1
    for other in range(N_ALLIES):
        if other == a or not placing.ally_stands(s, other):
            continue
        distance = c.range[s.ally[a].area, s.ally[other].area]
        t = c.sheet[other].taunt
        if distance < 0 or distance > nearest:
            continue
        if distance < nearest or t > taunt:
            best = 0
            nearest = distance
            taunt = t
        if t == taunt:
            best |= 1 << other
    return best


@kernel
def run_dominated(s, c):
    """R12.10, R12.15 - the closest other Ally suffers; the players choose among equals."""
    a = s.active_ally
    if not placing.ally_stands(s, a):
        return
    if answered(s):
        s.strike.ally = take_answer(s)
    else:
        best = dominated_options(s, c, a)
        if best == 0:
            return
        victim = lowest(best)
        s.strike.ally = victim
        if best != 1 << victim:
            ask(s, Proc.DOMINATED_ALLY, Decision.DOMINATED_ALLY, -1, a)
            s.options = best
            return
    push(s, Proc.DOMINATED_STAND_IN)


@kernel
def dominated_stand_in_denial(s, a):
    """R12.10 - may Hero a of the victim's area take the damage?"""
    victim = s.strike.ally
    if a == victim or a == s.active_ally or s.ally[a].kind != Kind.HERO:
        return Denial.NOT_A_HERO
    same = placing.ally_stands(s, a) and s.ally[a].area == s.ally[victim].area
    return Denial.NONE if same else Denial.OUT_OF_RANGE


@kernel
def run_dominated_stand_in(s, c):
    """R12.10, R12.16 [Q22] - the damage, without a reactive check."""
    victim = s.strike.ally
    if answered(s):
        a = take_if(s, Block.ALLY)
        if a >= 0:
            victim = a
    else:
        for a in range(N_ALLIES):
            if dominated_stand_in_denial(s, a) == Denial.NONE:
                ask(s, Proc.DOMINATED_STAND_IN, Decision.STAND_IN, victim, victim)
                return
    stamina.damage(s, c, victim, c.dominated_damage)


@kernel
def run_trap(s, c):
    """R6.12, R19.7 [Q38] - a Hero that starts its turn on a trap token is treated as entering."""
    a = s.active_ally
    if s.ally[a].kind == Kind.HERO and placing.ally_stands(s, a) and s.trap[s.ally[a].area]:
        entry.begin_on_trap(s, a)


@kernel
def aside_denial(s, c, k):
    """R3.14, R6.11, R17.5, R18.8 [P43] - may the moving Ally do this between two steps?

    In its own turn, whatever is neither an action nor a maneuver.
    """
    a = s.move.ally
    if not movement.in_turn(s, a):
        return Denial.NOT_ASKED
    return extra_denial(s, c, a, k) if k >= Turn.USE_ITEM else Denial.MOVE_GOING_ON


@kernel
def run_move(s, c):
    """R6.6, R3.14 - the next step of a move, or what is done between two."""
    if answered(s) and s.block == Block.TURN:
        push(s, Proc.MOVE_NEXT)
        do_extra(s, c, s.active_ally, take_answer(s))
        return
    movement.run_move_next(s, c)


@kernel
def turn_denial(s, c, choice):
    """R6.1 to R6.13 - may the Ally whose turn it is do this next?"""
    a = s.active_ally
    match choice:
        case Turn.ACT:
            return action.act_denial(s, c, a)
        case Turn.RETHINK_MOVE | Turn.RETHINK_RESTORE:
            return rethink_denial(s, a)
        case Turn.MOVE_FREE:
            return movement.move_denial(s, c, a, False)
        case Turn.MOVE_PAID:
            return movement.move_denial(s, c, a, True)
        case Turn.RECOVER_STAMINA:
            return recover_denial(s, a, RECOVER_STAMINA)
        case Turn.RECOVER_DAMAGE:
            return recover_denial(s, a, RECOVER_DAMAGE)
        case Turn.DISCARD_BLEEDING:
            return discard_denial(s, a, Condition.BLEEDING)
        case Turn.DISCARD_HELD:
            return discard_denial(s, a, Condition.HELD)
        case Turn.END_TURN:
            return Denial.NONE  # actions and maneuvers may be forfeited (R6.2)
        case _:
            return extra_denial(s, c, a, choice)


@kernel
def extra_denial(s, c, a, choice):
    """R6.4, R6.11, R17, R18.8, R19.11 - items, ropes, pets and story sections in the own turn."""
    match choice:
        case Turn.PLACE_PET:
            return figures.place_pet_denial(s, c, a)
        case Turn.MOVE_PET:
            return figures.move_pet_denial(s, c, a)
        case Turn.RECALL_PET:
            return figures.recall_pet_denial(s, c, a)
        case Turn.READ_STORY:
            return story.use_denial(s, c, a)
        case _:
            return items.menu_denial(s, c, a, choice)


@kernel
def token_denial(s, c, a, k):
    """R18.1, R6.4 - may ally a perform this action token now, in its turn?

    Non-Hero Allies choose their action in their turn; Heroes only what is done as a maneuver.
    """
    row = c.sheet[a].token[k]
    if row < 0 or (s.ally[a].kind == Kind.HERO and not c.token[row].maneuver):
        return Denial.NO_SUCH_ACTION
    if (s.ally[a].once >> k) & 1:
        return Denial.USED_UP
    return action.action_denial(s, c, a, row)


@kernel
def run_choose(s, c):
    """R6.1, R6.2, R6.15 - action and maneuvers in any order, one finished before the next [P3]."""
    a = s.active_ally
    if answered(s):
        block = s.block
        choice = take_answer(s)
        if block == Block.TURN and choice == Turn.END_TURN:
            return
        push(s, Proc.TURN_CHOOSE)
        if block == Block.TOKEN:
            action.perform(s, c, a, choice)
        else:
            do(s, c, a, choice)
        return
    if ending.end_if_objective_met(s, c) or not placing.ally_stands(s, a):
        return
    ask(s, Proc.TURN_CHOOSE, Decision.TURN, a, -1)


@kernel
def do(s, c, a, choice):
    """Begin what the player has chosen. Needs turn_denial NONE."""
    match choice:
        case Turn.ACT:
            action.act(s, c, a)
        case Turn.RETHINK_MOVE:
            rethink(s, c, a, False)
        case Turn.RETHINK_RESTORE:
            rethink(s, c, a, True)
        case Turn.MOVE_FREE:
            movement.begin_maneuver_move(s, c, a, False)
        case Turn.MOVE_PAID:
            movement.begin_maneuver_move(s, c, a, True)
        case Turn.RECOVER_STAMINA:
            begin_recover(s, a, RECOVER_STAMINA)
        case Turn.RECOVER_DAMAGE:
            begin_recover(s, a, RECOVER_DAMAGE)
        case Turn.DISCARD_BLEEDING:
            discard(s, a, Condition.BLEEDING)
        case Turn.DISCARD_HELD:
            discard(s, a, Condition.HELD)
        case _:
            do_extra(s, c, a, choice)


@kernel
def do_extra(s, c, a, choice):
    """R6.4, R6.11, R17, R18.8, R19.11 - items, ropes, pets and story sections."""
    match choice:
        case Turn.PLACE_PET:
            figures.place_pet(s, c, a)
        case Turn.MOVE_PET:
            figures.move_pet(s, c, a)
        case Turn.RECALL_PET:
            figures.recall_pet(s, c, a)
        case Turn.READ_STORY:
            story.offer(s, a)
        case _:
            items.begin_menu(s, c, choice)


@kernel
def rethink_denial(s, a):
    """R6.8, R6.9, R12.13, R3.22, R15.5 - may ally a take Rethink instead of its action?

    Only a rolled Focus die forbids it: Extra Maneuver works from being chosen (R6.3) [P2].
    """
    ally = s.ally[a]
    if not placing.ally_stands(s, a):
        return Denial.OUT_OF_ACTION
    if ally.kind != Kind.HERO:
        return Denial.NOT_A_HERO
    if ally.focus_rolled:
        return Denial.FOCUS_USED
    if movement.in_turn(s, a) and s.actions <= 0:
        return Denial.NO_ACTION_LEFT
    return Denial.NONE


@kernel
def rethink(s, c, a, restores):
    """R6.8, R6.10 [Q4] - 1 movement point that is no move maneuver, or 1 stamina restored."""
    if movement.in_turn(s, a):
        s.actions -= 1
    log(s, Event.RETHINK, a, restores, -1)
    s.ally[a].flipped = 1
    if restores:
        s.recover_ally = a
        s.rethinking = 1
        s.recovering = RECOVER_STAMINA
        push(s, Proc.RECOVER)
    else:
        movement.begin_move(s, a, Movement.RETHINK, RETHINK_POINTS)


@kernel
def recover_denial(s, a, choice):
    """R6.7 - may ally a recover stamina (0) or damage (1)? Non-Hero Allies only heal."""
    if s.ally[a].kind == Kind.COMPANION and choice == RECOVER_STAMINA:
        return Denial.NOT_A_HERO
    return movement.maneuver_denial(s, a)


@kernel
def begin_recover(s, a, choice):
    """R6.7 - a recover maneuver: one of the two. Needs recover_denial NONE."""
    movement.use_maneuver(s, a)
    log(s, Event.RECOVER, a, choice, -1)
    s.recover_ally = a
    s.rethinking = 0
    s.recovering = choice
    push(s, Proc.RECOVER)


@kernel
def run_recover(s, c):
    """R6.7, R6.8, R13.2, R3.24 - restore or heal; an Achievement gem adds 1."""
    a = s.recover_ally
    extra = 0
    if answered(s):
        extra = take_answer(s)
        if extra:
            checks.use_achievement(s, a)
    elif s.ally[a].kind == Kind.HERO and s.ally[a].achievement > 0:
        ask(s, Proc.RECOVER, Decision.ACHIEVEMENT, a, -1)
        return
    amount = RETHINK_RESTORES
    if not s.rethinking:
        sheet = c.sheet[a]
        amount = sheet.recover_damage if s.recovering else sheet.recover_stamina
        amount -= wound.injury_recover(s, c, a)
        if placing.is_hindered(s, c, a):
            amount -= HINDERED_PENALTY
    amount = max(0, amount + extra)
    if s.recovering:
        s.result = stamina.heal(s, c, a, amount)
    else:
        s.result = stamina.restore(s, c, a, amount)


@kernel
def discard_denial(s, a, which):
    """R6.4, R12.3, R12.6 - may ally a spend a maneuver to discard Bleeding or Held?"""
    denial = movement.maneuver_denial(s, a)
    if denial != Denial.NONE:
        return denial
    held = condition.holds(s.ally[a], which)
    return Denial.NONE if held else Denial.NOTHING_TO_DISCARD


@kernel
def discard(s, a, which):
    """R6.4, R12.18 - spend a maneuver to discard that one condition. Needs discard_denial NONE."""
    movement.use_maneuver(s, a)
    log(s, Event.MANEUVER, a, which, -1)
    condition.discard_ally(s, a, which)


@kernel
def run_end(s, c):
    """R7.8, R12.8 to R12.10 [Q57] - the turn is over."""
    a = s.active_ally
    s.ally[a].acted = 1
    s.last_ally = a
    if placing.ally_stands(s, a):
        placing.put_back_ally(s, c, a)
        condition.lapse(s, a)
    s.active_ally = -1
    s.actions = 0
    s.maneuvers = 0
    log(s, Event.TURN_END, a, -1, -1)
    ending.end_if_objective_met(s, c)
