"""Round, turn and everything within them: run until a decision is asked or the scenario ends."""

from agemonia_env.core.event_log import flush
from agemonia_env.core.jit import kernel
from agemonia_env.core.task_stack import answered, ask, take_answer

from . import effects
from .rules import attack, force, hand_management, harm, monster_actions, rounds, terrain, travel
from .rules.ending import look_for_end
from .rules.figures import put_on
from .terms import Decision, Ending, Proc


@kernel
def run_until_decision(s, c, scratch, rows):
    """Play all that is forced; stops with s.decision set, the scenario ended, or nothing to do.

    scratch: for the turns of monsters. rows: the event log, int16 (n, N_COLUMNS), see
    core/event_log.py; n = 0 keeps none.
    """
    while s.decision == Decision.NONE and s.ending == Ending.NONE and s.depth > 0:
        s.depth -= 1
        run(s, c, scratch.plan, s.tasks[s.depth])
        if s.n_log > 0:
            flush(s, rows)
    if s.n_log > 0:  # from a verb that left no task
        flush(s, rows)


@kernel
def run(s, c, plan, proc):
    """Do one task."""
    match proc:
        case Proc.ROUND_START:
            rounds.run_round_start(s, c)
        case Proc.SELECT_NEXT:
            hand_management.run_select(s)
        case Proc.SELECT_SECOND:
            hand_management.run_second(s)
        case Proc.TURNS_BEGIN:
            rounds.run_turns_begin(s, c)
        case Proc.NEXT_TURN:
            rounds.run_next_turn(s)
        case Proc.HERO_TURN:
            rounds.run_hero_turn(s, c)
        case Proc.HALF_NEXT:
            rounds.run_half(s, c)
        case Proc.HALF_END:
            rounds.run_half_end(s, c)
        case Proc.MONSTER_NEXT:
            monster_actions.run_next(s, c, plan)
        case Proc.MONSTER_PLAN:
            monster_actions.run_plan(s, c)
        case Proc.MONSTER_WALK:
            monster_actions.run_walk(s, c, plan)
        case Proc.TURN_END:
            rounds.run_turn_end(s, c)
        case Proc.ROUND_END:
            rounds.run_round_end(s, c)
        case Proc.SHORT_RESTS:
            hand_management.run_short_rests(s)
        case Proc.REST_DONE:
            hand_management.run_rest_done(s)
        case Proc.LONG_REST:
            hand_management.run_long_rest(s)
        case Proc.REST_BACK:
            hand_management.run_back(s)
        case Proc.MOVE_STEP:
            travel.run_step(s, c)
        case Proc.ATTACK_AIM:
            attack.run_aim(s, c)
        case Proc.ATTACK_NEXT:
            attack.run_next(s, c)
        case Proc.ATTACK_EFFECTS:
            attack.run_effects(s, c)
        case Proc.FORCE_STEP:
            force.run_step(s, c)
        case Proc.HARM:
            harm.run_harm(s, c)
            look_for_end(s, c)
        case Proc.HAZARD:
            terrain.run_hazard(s, c)
        case Proc.LINE_CHOICE:
            effects.run_choice(s, c)
        case Proc.SUFFER_NEXT:
            effects.run_affected(s, c)
        case Proc.RECOVER:
            effects.run_recover(s, c)
        case Proc.SUMMON:
            effects.run_summon(s, c)
        case Proc.LANDING:
            run_landing(s)


@kernel
def run_landing(s):
    """G12.8 - a figure that has lost flight goes to an empty hex, as its player has it."""
    f = int(s.actor)
    if answered(s):
        put_on(s, f, take_answer(s))
    elif s.figure[f].at >= 0:
        ask(s, Proc.LANDING, Decision.LANDING, -1, f)
