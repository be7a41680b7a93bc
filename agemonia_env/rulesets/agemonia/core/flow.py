"""Round and turn (R5, R6): run everything forced until a decision is asked or the scenario ends."""

from agemonia_env.core.bitset import lowest
from agemonia_env.core.event_log import flush, log
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, push, take_answer, take_if

from . import chance, effects
from .actions import Block
from .layout import N_ALLIES, N_ENEMIES, N_FIGURES
from .rules import (
    action,
    ally_attack,
    burst,
    checks,
    ending,
    enemy_attack,
    enemy_pool,
    enemy_turn,
    entry,
    fate,
    figures,
    initiative,
    items,
    jump,
    lock,
    movement,
    pushing,
    setup,
    stamina,
    story,
    turn,
)
from .terms import Decision, Denial, Ending, Event, Kind, Phase, Proc, When


@kernel
def run_until_decision(s, c, scratch, rows):
    """Play all that is forced; stops with s.decision set, the scenario ended, or nothing to do.

    scratch: not used. rows: the event log, int16 (n, N_COLUMNS), see core/event_log.py; n = 0
    keeps none.
    """
    if ends_lock(s):
        end_lock(s, c)
    while s.decision == Decision.NONE and s.ending == Ending.NONE and s.depth > 0:
        s.depth -= 1
        run(s, c, s.tasks[s.depth])
        if s.n_log > 0:
            flush(s, rows)
    if s.n_log > 0:  # from a verb that left no task
        flush(s, rows)


@kernel
def ends_lock(s):
    """R14.4 [P3] - whether the answer ends a lock; the question is then asked again."""
    return s.answer >= 0 and s.block == Block.LOCK and s.tasks[s.depth - 1] != Proc.FLIP_LOCK


@kernel
def end_lock(s, c):
    """R14.4 - the Ally that was asked ends a lock; the task on the stack asks again."""
    lock.release(s, c, int(s.asked), take_answer(s))


@kernel
def run_round_start(s, c):
    """R5.1 - a new round: every Hero selects an action, then the card, the turns, the Fate card."""
    s.round += 1
    chance.begin_round(s)
    s.phase = Phase.SELECT
    for e in range(N_ENEMIES):
        s.enemy[e].spawned = 0  # R10.44: who came up at set-up acts in round 1
    log(s, Event.ROUND, -1, s.round, -1)
    push(s, Proc.ROUND_FATE)
    push(s, Proc.ROUND_REVEAL)
    push(s, Proc.TACTICS_NEXT)
    push(s, Proc.SELECT_NEXT)


@kernel
def run_select(s, c):
    """R5.2, R5.4, R5.5 - the Heroes select one after another, all choices open."""
    if answered(s):
        a = int(s.asked)
        initiative.select(s, c, a, take_answer(s))
    for a in range(N_ALLIES):
        hero = s.ally[a]
        if hero.kind == Kind.HERO and not hero.exhausted and hero.token < 0:
            ask(s, Proc.SELECT_NEXT, Decision.SELECT_ACTION, a, -1)
            return
    s.each = 0


@kernel
def run_tactics(s, c):
    """R5.6 - Heroes with the skill may take the colour of any Ally, one after another."""
    if answered(s):
        other = take_if(s, Block.ALLY)
        if other >= 0:
            initiative.take_colour(s, int(s.asked), other)
    while s.each < N_ALLIES:
        a = int(s.each)
        s.each += 1
        for other in range(N_ALLIES):
            if initiative.colour_denial(s, c, a, other) == Denial.NONE:
                ask(s, Proc.TACTICS_NEXT, Decision.TACTICS, a, -1)
                return


@kernel
def run_openings(s, c):
    """R15.9 - at the start of phase 3 Heroes may use what gives a special initiative."""
    if answered(s):
        a = int(s.asked)
        k = take_if(s, Block.ITEM)
        if k >= 0:
            items.open_with(s, c, a, k)
        else:
            s.each = a + 1
    while s.each < N_ALLIES:
        a = int(s.each)
        if items.may_open(s, c, a):
            ask(s, Proc.OPENING_NEXT, Decision.OPENING, a, -1)
            return
        s.each += 1
    s.each = 0


@kernel
def run_specials(s, c):
    """R15.7 - a Hero with First and After-an-Ally chooses one of them."""
    if answered(s):
        a = int(s.asked)
        initiative.use_special(s, a, 1 << take_answer(s))
    while s.each < N_ALLIES:
        a = int(s.each)
        s.each += 1
        if initiative.may_choose_special(s, a):
            ask(s, Proc.SPECIAL_NEXT, Decision.SPECIAL, a, -1)
            return


@kernel
def run_reveal(s, c):
    """R5.7 - the Initiative card of the round; then the bars from the top."""
    s.phase = Phase.REVEAL
    initiative.reveal(s, c)
    s.phase = Phase.TURNS
    s.bar = initiative.FIRST_BAR
    s.chosen_type = -1
    s.each = 0
    push(s, Proc.TURN_NEXT)
    push(s, Proc.SPECIAL_NEXT)
    push(s, Proc.OPENING_NEXT)


@kernel
def run_turn_next(s, c):
    """R5.14, R5.15 - the next figure of the current bar, or of the first bar that has one."""
    if answered(s):
        block, answer = s.block, take_answer(s)
        if block == Block.ALLY:
            start_ally(s, c, answer)
            return
        if block == Block.NO:
            initiative.wait(s, c)
        else:
            s.chosen_type = answer
    while s.bar <= initiative.DELAYED_BAR:
        if initiative.is_bar_enemy(s, c):
            if next_enemy(s, c):
                return
        elif next_ally(s, c):
            return
        s.bar += 1
        s.chosen_type = -1


@kernel
def next_ally(s, c):
    """R5.14, R15.4 - an Ally of this bar takes its turn; the players choose, also that those with
    After-an-Ally wait. -> whether one does, or is asked for
    """
    options = initiative.ally_options(s, c)
    if options == 0:
        return False
    a = lowest(options)
    if options == 1 << a and not initiative.may_wait(s, c):
        start_ally(s, c, a)
        return True
    ask(s, Proc.TURN_NEXT, Decision.NEXT_ALLY, -1, s.bar)
    s.options = options
    return True


@kernel
def start_ally(s, c, a):
    """Ally a takes its turn; then the order of turns goes on."""
    push(s, Proc.TURN_NEXT)
    take_turn(s, c, a)


@kernel
def take_turn(s, c, a):
    """R15.4 - the turn of ally a, after which others may follow."""
    push(s, Proc.AFTER_ALLY)
    turn.begin(s, c, a, initiative.has_bonus(s, c, a), 0)


@kernel
def run_after_ally(s, c):
    """R15.4 - right after an Ally's turn a Hero with After-an-Ally may take its own."""
    if answered(s):
        a = take_if(s, Block.ALLY)
        if a >= 0:
            take_turn(s, c, a)
        return
    options = initiative.after_options(s)
    if options != 0:
        ask(s, Proc.AFTER_ALLY, Decision.AFTER_ALLY, -1, s.last_ally)
        s.options = options


@kernel
def next_enemy(s, c):
    """R5.11, R5.15 - an Enemy of this bar takes its turn. -> whether one does (or is asked for)."""
    ready = initiative.enemies_now(s, c)
    if ready == 0:
        return False
    e = initiative.next_of_type(s, ready, s.chosen_type)
    if e < 0:
        options = initiative.types_of(s, ready)
        s.chosen_type = lowest(options)
        if options != 1 << int(s.chosen_type):
            ask(s, Proc.TURN_NEXT, Decision.NEXT_TYPE, -1, s.bar)
            s.options = options
            return True
        e = initiative.next_of_type(s, ready, s.chosen_type)
    card = c.card[s.card]
    bar = initiative.bar_of(s, c, e)
    push(s, Proc.TURN_NEXT)
    enemy_turn.begin_turn(s, e, card.eye[bar], card.horns[bar], card.snake[bar])
    return True


@kernel
def run_fate(s, c):
    """R5.18, R19.1 to R19.4 - the Fate card of the round and the timer."""
    chance.finish_round(s)
    s.phase = Phase.FATE
    if c.timer_round > 0 and s.round == c.timer_round:
        fate.start_timer(s, c.timer_target)
    push(s, Proc.ROUND_END)
    if fate.reveal(s, c):
        for k in range(c.n_events):
            if c.event[k].when == When.TIMER:
                s.event_due |= 1 << k
        if c.timer_repeats:
            fate.reset_timer(s)
        else:
            fate.stop_timer(s)
    for k in range(c.n_events):
        if c.event[k].when == When.ROUND and c.event[k].number == s.round:
            s.event_due |= 1 << k
    push(s, Proc.EVENT_NEXT)


@kernel
def run_round_end(s, c):
    """R5.20, R19.12 - the round is over."""
    if ending.end_if_objective_met(s, c) or ending.end_of_round(s, c):
        return
    end_round(s)
    push(s, Proc.ROUND_START)


@kernel
def end_round(s):
    """R5.20, R10.44, R13.9 - what lasts until the end of the round ends."""
    for a in range(N_ALLIES):
        ally = s.ally[a]
        ally.acted = 0
        ally.revived = 0
        ally.token = -1
        ally.special = 0
        ally.uses = 0
        ally.waits = 0
        for ability in range(3):
            ally.ability[ability] = 0
        ally.flipped = 0
        ally.focus_rolled = 0
        ally.reactive_bonus = 0
        ally.reactive_dice = 0
        ally.reactive_h = 0
    for e in range(N_ENEMIES):
        s.enemy[e].acted = 0
        s.enemy[e].spawned = 0
        s.enemy[e].last = 0
    for k in range(N_FIGURES):
        s.figure[k].spawned = 0
    s.last_ally = -1


@kernel
def run(s, c, proc):
    """Do one task from the stack."""
    if proc < Proc.ROLL_INSPIRATION:
        run_turns_and_moves(s, c, proc)
    elif proc < Proc.ENEMY_START:
        run_rolls_and_attacks(s, c, proc)
    else:
        run_enemies(s, c, proc)


@kernel
def run_turns_and_moves(s, c, proc):
    """Rounds, turns, movement, traps and locks."""
    match proc:
        case Proc.ROUND_START:
            run_round_start(s, c)
        case Proc.SELECT_NEXT:
            run_select(s, c)
        case Proc.SET_UP_SLOT:
            setup.run_slots(s, c)
        case Proc.TACTICS_NEXT:
            run_tactics(s, c)
        case Proc.ROUND_REVEAL:
            run_reveal(s, c)
        case Proc.OPENING_NEXT:
            run_openings(s, c)
        case Proc.SPECIAL_NEXT:
            run_specials(s, c)
        case Proc.AFTER_ALLY:
            run_after_ally(s, c)
        case Proc.TURN_NEXT:
            run_turn_next(s, c)
        case Proc.ROUND_FATE:
            run_fate(s, c)
        case Proc.ROUND_END:
            run_round_end(s, c)
        case Proc.TURN_START:
            turn.run_start(s, c)
        case Proc.TURN_TRAP:
            turn.run_trap(s, c)
        case Proc.TURN_CHOOSE:
            turn.run_choose(s, c)
        case Proc.TURN_END:
            turn.run_end(s, c)
        case Proc.RECOVER:
            turn.run_recover(s, c)
        case Proc.MOVE_NEXT:
            turn.run_move(s, c)
        case Proc.STEP_PROVOKE:
            movement.run_step_provoke(s, c)
        case Proc.STEP_PLACE:
            movement.run_step_place(s, c)
        case Proc.STEP_FALL:
            movement.run_step_fall(s, c)
        case Proc.STEP_CLIMB:
            movement.run_climb(s, c)
        case Proc.JUMP_TO | Proc.TELEPORT_TO:
            jump.run(s, c, proc)
        case Proc.PUSH_NEXT:
            pushing.run_next(s, c)
        case Proc.PUSH_STEP:
            pushing.run_step(s, c)
        case Proc.PUSH_END:
            pushing.run_end(s, c)
        case Proc.FALL_HIT:
            movement.run_fall_hit(s, c)
        case Proc.FALL_CONDITION:
            movement.run_fall_condition(s, c)
        case Proc.ENTER_STORY:
            story.run_entered(s, c)
        case Proc.STORY_CHECK:
            story.run_check(s, c)
        case Proc.STORY_NEXT:
            effects.run_section(s, c)
        case Proc.ENTER_TRAP:
            entry.run_trap(s, c)
        case Proc.TRAP_DISARMED:
            entry.run_disarmed(s, c)
        case Proc.TRAP_TRIGGER:
            entry.run_trigger(s, c)
        case Proc.TRAP_VICTIM:
            entry.run_victim(s, c)
        case Proc.TRAP_CHECK:
            entry.run_trap_check(s, c)
        case Proc.TRAP_SET:
            entry.run_set(s, c)
        case Proc.TRAP_CONDITION:
            entry.run_trap_condition(s, c)
        case Proc.TOKEN_WALK:
            figures.run_walk(s, c)
        case Proc.TOKEN_HARM:
            figures.run_harm(s, c)
        case Proc.FLIP_LOCK:
            stamina.run_flip_lock(s, c)
        case Proc.ITEM_USE | Proc.ITEM_DROP | Proc.ITEM_TAKE | Proc.ITEM_GIVE | Proc.ITEM_WEAR:
            items.run_choice(s, c, proc)
        case Proc.ITEM_GIVE_TO:
            items.run_give_to(s, c)
        case Proc.ROPE_TO:
            items.run_rope(s, c)
        case Proc.ROPE_FIXED:
            movement.run_rope_fixed(s, c)
        case _:
            pass


@kernel
def run_rolls_and_attacks(s, c, proc):
    """Dice, checks, actions and attacks of Allies."""
    match proc:
        case (
            Proc.ROLL_INSPIRATION
            | Proc.ROLL_AGAIN
            | Proc.ROLL_BLESSED
            | Proc.ROLL_PAY
            | Proc.ROLL_ACHIEVEMENT
        ):
            checks.run_roll(s, c, proc)
        case Proc.CHECK_ABILITY:
            checks.run_offered_check(s, c)
        case Proc.CHECK_BOOST:
            checks.run_boost(s, c)
        case Proc.CHECK_ACTIVE:
            checks.run_active_check(s, c)
        case Proc.CHECK_REACTIVE:
            checks.run_reactive_check(s, c)
        case Proc.ACTION_NEXT:
            effects.run_action(s, c)
        case Proc.ACTION_END:
            action.run_end(s, c)
        case Proc.ATTACK_TYPE:
            ally_attack.run_type(s, c)
        case Proc.ATTACK_WEAPON:
            ally_attack.run_weapon(s, c)
        case Proc.ATTACK_AIM:
            ally_attack.run_aim(s, c)
        case Proc.ATTACK_RIDER:
            ally_attack.run_rider(s, c)
        case Proc.ATTACK_TARGET:
            ally_attack.run_target(s, c)
        case Proc.ATTACK_LINE:
            ally_attack.run_line(s, c)
        case Proc.ATTACK_CENTRE:
            ally_attack.run_centre(s, c)
        case Proc.ATTACK_ROLL:
            ally_attack.run_roll(s, c)
        case Proc.ATTACK_TOTAL:
            ally_attack.run_total(s, c)
        case Proc.ATTACK_SHARE:
            ally_attack.run_share(s, c)
        case Proc.ATTACK_DAMAGE:
            ally_attack.run_damage(s, c)
        case Proc.ATTACK_RIDERS:
            ally_attack.run_riders(s, c)
        case Proc.ATTACK_PUSH:
            ally_attack.run_push(s, c)
        case Proc.ATTACK_DRAIN:
            ally_attack.run_drain(s, c)
        case Proc.ATTACK_REVENGE:
            ally_attack.run_revenge(s, c)
        case Proc.ATTACK_DEFEATS:
            ally_attack.run_defeats(s, c)
        case Proc.EFFECT_RECIPIENT:
            action.run_recipient(s, c)
        case Proc.EFFECT_ROLLED:
            action.run_rolled(s, c)
        case Proc.ROLLED_ALONE:
            action.run_rolled_alone(s, c)
        case Proc.EFFECT_RESTORE:
            action.run_restore(s, c)
        case Proc.EFFECT_AMOUNT:
            action.run_amount(s, c)
        case Proc.EFFECT_DISCARD:
            action.run_discard(s, c)
        case Proc.EFFECT_VICTIM | Proc.EFFECT_AFFLICTED:
            action.run_victim(s, c, proc)
        case Proc.EFFECT_ABILITY:
            action.run_ability(s, c)
        case Proc.EFFECT_PLACE:
            figures.run_place(s, c)
        case _:
            pass


@kernel
def run_enemies(s, c, proc):
    """Enemies' turns and attacks, spawning, scenario events."""
    match proc:
        case Proc.ENEMY_START:
            enemy_turn.run_start(s, c)
        case Proc.ENEMY_SNAKE:
            enemy_turn.run_snake(s, c)
        case Proc.ENEMY_PLAN:
            enemy_turn.run_plan(s, c)
        case Proc.ENEMY_TELEPORT:
            enemy_turn.run_teleport(s, c)
        case Proc.ENEMY_ROAM:
            enemy_turn.run_roam(s, c)
        case Proc.ENEMY_STOP:
            enemy_turn.run_stop(s, c)
        case Proc.ENEMY_STEP:
            enemy_turn.run_step(s, c)
        case Proc.ENEMY_STRIKE:
            enemy_turn.run_strike(s, c)
        case Proc.ENEMY_HORNS:
            enemy_turn.run_horns(s, c)
        case Proc.ENEMY_END:
            enemy_turn.run_end(s, c)
        case Proc.STRIKE_TARGET:
            enemy_attack.run_target(s, c)
        case Proc.STRIKE_STAND_IN:
            enemy_attack.run_stand_in(s, c)
        case Proc.STRIKE_LINE_UP:
            enemy_attack.run_line_up(s, c)
        case Proc.STRIKE_NEXT:
            enemy_attack.run_next(s, c)
        case Proc.STRIKE_HIT:
            enemy_attack.run_hit(s, c)
        case Proc.STRIKE_RIDERS:
            enemy_attack.run_riders(s, c)
        case Proc.STRIKE_OR_ELSE:
            enemy_attack.run_or_else(s, c)
        case Proc.STRIKE_OR_ELSE_DONE:
            enemy_attack.run_or_else_done(s, c)
        case Proc.STRIKE_OR_ELSE_HIT:
            enemy_attack.run_or_else_hit(s, c)
        case Proc.STRIKE_PUSH:
            enemy_attack.run_push(s, c)
        case Proc.STRIKE_DRAIN:
            enemy_attack.run_drain(s, c)
        case Proc.STRIKE_REVENGE:
            enemy_attack.run_revenge(s, c)
        case Proc.STRIKE_RIPOSTE:
            enemy_attack.run_riposte(s, c)
        case Proc.DOMINATED_ENEMY:
            enemy_attack.run_dominated_enemy(s, c)
        case Proc.DOMINATED_ALLY:
            turn.run_dominated(s, c)
        case Proc.DOMINATED_STAND_IN:
            turn.run_dominated_stand_in(s, c)
        case Proc.SPAWN:
            enemy_pool.run_spawn(s, c)
        case Proc.DEFEAT_BOX:
            effects.run_box(s, c)
        case Proc.BURST:
            burst.run_hit(s, c)
        case Proc.BURST_CONDITION:
            burst.run_condition(s, c)
        case Proc.EVENT_NEXT:
            effects.run_event(s, c)
        case _:
            pass
