"""Which tasks of Agemonia may lie on the stack, and which questions they ask.

The order of tasks follows from the source of the rules; a test derives it and compares.
"""

from __future__ import annotations

import numpy as np

from agemonia_env.rulesets.tasks import Question, TaskRules

from ..core import terms
from ..core.layout import N_ALLIES, N_ATTACKS, N_CARRIED, N_EFFECTS, N_ENEMIES
from ..core.rules.initiative import DELAYED_BAR
from ..core.terms import Decision, Proc

D, P = Decision, Proc
QUESTIONS: dict[int, Question] = {
    D.SELECT_ACTION: Question((P.SELECT_NEXT,), "one"),
    D.NEXT_ALLY: Question((P.TURN_NEXT,), "all", "bar"),
    D.NEXT_TYPE: Question((P.TURN_NEXT,), "all", "bar"),
    D.TURN: Question((P.TURN_CHOOSE,), "one"),
    D.STEP: Question((P.MOVE_NEXT,), "one"),
    D.EVADE: Question((P.STEP_PROVOKE,), "one", "enemy"),
    D.DISARM: Question((P.ENTER_TRAP,), "one", "area"),
    D.ATTACK_TYPE: Question((P.ATTACK_TYPE,), "one"),
    D.TARGET: Question((P.ATTACK_TARGET, P.ATTACK_SHARE), "one", "attack"),
    D.CENTRE: Question((P.ATTACK_CENTRE,), "one", "attack"),
    D.LINE: Question((P.ATTACK_LINE,), "one", "attack"),
    D.SHARE: Question((P.ATTACK_SHARE,), "one", "enemy"),
    D.INSPIRATION: Question((P.ROLL_INSPIRATION,), "one", "roll"),
    D.BLESSED: Question((P.ROLL_BLESSED,), "one", "roll"),
    D.PAY: Question((P.ROLL_PAY,), "one", "roll"),
    D.ACHIEVEMENT: Question((P.ROLL_ACHIEVEMENT, P.RECOVER), "one", "roll"),
    D.FLIP_LOCK: Question((P.FLIP_LOCK, P.EFFECT_RESTORE, P.EFFECT_AMOUNT), "one"),
    D.STAND_IN: Question(
        (P.STRIKE_STAND_IN, P.STRIKE_LINE_UP, P.DOMINATED_STAND_IN), "one", "ally"
    ),
    D.ENEMY_DESTINATION: Question((P.ENEMY_PLAN, P.ENEMY_TELEPORT, P.ENEMY_ROAM), "all", "enemy"),
    D.ENEMY_STOP: Question((P.ENEMY_STOP,), "all", "enemy"),
    D.ENEMY_TARGET: Question((P.STRIKE_TARGET,), "all", "enemy"),
    D.STRIKE_ORDER: Question((P.STRIKE_NEXT,), "all", "enemy"),
    D.DOMINATED_ENEMY: Question((P.DOMINATED_ENEMY,), "all", "enemy"),
    D.DOMINATED_ALLY: Question((P.DOMINATED_ALLY,), "all", "ally"),
    D.SPAWN_AREA: Question((P.SPAWN,), "all", "type"),
    D.RECIPIENT: Question((P.EFFECT_RECIPIENT,), "one", "row"),
    D.AFFLICTED: Question((P.EFFECT_AFFLICTED,), "one", "row"),
    D.AMOUNT: Question((P.EFFECT_AMOUNT,), "one", "ally"),
    D.ABILITY: Question((P.CHECK_ABILITY,), "one", "number"),
    D.DISCARD: Question((P.EFFECT_DISCARD,), "one", "ally"),
    D.SPRING: Question((P.ENTER_TRAP,), "one", "area"),
    D.TRAP_AREA: Question((P.TRAP_SET,), "any"),
    D.JUMP: Question((P.JUMP_TO,), "one"),
    D.TELEPORT: Question((P.TELEPORT_TO,), "one"),
    D.PUSH_TO: Question((P.PUSH_STEP,), "any", "figure"),
    D.VICTIM: Question((P.EFFECT_VICTIM,), "one", "row"),
    D.AFTER_ALLY: Question((P.AFTER_ALLY,), "all", "ally"),
    D.SPECIAL: Question((P.SPECIAL_NEXT,), "one"),
    D.TACTICS: Question((P.TACTICS_NEXT,), "one"),
    D.SLOT: Question((P.SET_UP_SLOT,), "one", "number"),
    D.REROLL: Question((P.ROLL_AGAIN,), "one", "number"),
    D.BOOST: Question((P.CHECK_BOOST,), "one", "number"),
    D.RIDER: Question((P.ATTACK_RIDER,), "one", "attack"),
    D.WEAPON: Question((P.ATTACK_WEAPON,), "one", "number"),
    D.OPENING: Question((P.OPENING_NEXT,), "one"),
    D.USE: Question((P.ITEM_USE,), "one"),
    D.DROP: Question((P.ITEM_DROP,), "one"),
    D.TAKE: Question((P.ITEM_TAKE,), "one"),
    D.GIVE: Question((P.ITEM_GIVE,), "one"),
    D.GIVE_TO: Question((P.ITEM_GIVE_TO,), "one", "place"),
    D.WEAR: Question((P.ITEM_WEAR,), "one"),
    D.ROPE: Question((P.ROPE_TO,), "one", "number"),
    D.SUMMON_AREA: Question((P.EFFECT_PLACE,), "one"),
    D.TOKEN_STEP: Question((P.TOKEN_WALK,), "one", "token"),
    D.TOKEN_HARM: Question((P.TOKEN_HARM,), "one", "token"),
    D.STORY: Question((P.STORY_NEXT,), "one"),
    D.ABILITY_BONUS: Question((P.EFFECT_ABILITY,), "one"),
}

# Work that several tasks put above themselves
ROLLS = (P.ROLL_ACHIEVEMENT, P.ROLL_AGAIN, P.ROLL_BLESSED, P.ROLL_INSPIRATION, P.ROLL_PAY)
CHECKS = (P.CHECK_ABILITY, P.CHECK_ACTIVE)
TRAPS = (P.ENTER_TRAP, P.TRAP_DISARMED, P.TRAP_TRIGGER, P.TRAP_VICTIM)
ARRIVALS = (*TRAPS, P.FALL_CONDITION, P.FALL_HIT)
SPAWNS = (P.DEFEAT_BOX, P.SPAWN, P.TRAP_SET)
BURSTS = (P.BURST, P.BURST_CONDITION)
STRIKES = (P.DOMINATED_ENEMY, P.STRIKE_LINE_UP, P.STRIKE_NEXT)
ENEMY_MOVES = (
    *TRAPS,
    P.DEFEAT_BOX,
    P.ENEMY_PLAN,
    P.ENEMY_ROAM,
    P.ENEMY_STEP,
    P.ENEMY_STOP,
    P.ENEMY_TELEPORT,
)
OR_ELSE = (P.STRIKE_OR_ELSE, P.STRIKE_OR_ELSE_DONE, P.STRIKE_OR_ELSE_HIT)
AFTER_HIT = (*OR_ELSE, P.FLIP_LOCK, P.PUSH_NEXT, P.STRIKE_HIT, P.STRIKE_RIDERS)
ITEMS = (P.ITEM_DROP, P.ITEM_GIVE, P.ITEM_GIVE_TO, P.ITEM_TAKE, P.ITEM_USE, P.ITEM_WEAR)
CHOICES = (
    *ITEMS,
    *TRAPS,
    P.ACTION_NEXT,
    P.MOVE_NEXT,
    P.ROPE_FIXED,
    P.ROPE_TO,
    P.STORY_NEXT,
    P.TOKEN_WALK,
)
GIFTS = (P.EFFECT_ABILITY, P.EFFECT_AMOUNT, P.EFFECT_RECIPIENT, P.EFFECT_RESTORE, P.EFFECT_ROLLED)
HARMS = (P.EFFECT_AFFLICTED, P.EFFECT_DISCARD, P.EFFECT_PLACE, P.EFFECT_VICTIM, P.TOKEN_HARM)
MOVES = (P.JUMP_TO, P.MOVE_NEXT, P.PUSH_NEXT, P.STEP_FALL, P.TELEPORT_TO)
ATTACKS = (P.ATTACK_DEFEATS, P.ATTACK_ROLL, P.ATTACK_TOTAL, P.DEFEAT_BOX)

# Work, and what it may put right above itself or leave there
ABOVE: dict[int, tuple[int, ...]] = {
    P.ACTION_END: (P.ACTION_NEXT,),
    P.ACTION_NEXT: (*ARRIVALS, *GIFTS, *HARMS, *MOVES, *ATTACKS, P.STORY_NEXT, P.TRAP_SET),
    P.AFTER_ALLY: (P.TURN_END, P.TURN_NEXT),
    P.ATTACK_AIM: (P.ATTACK_WEAPON,),
    P.ATTACK_DAMAGE: (P.ATTACK_SHARE,),
    P.ATTACK_DEFEATS: (P.ATTACK_REVENGE,),
    P.ATTACK_DRAIN: (P.ATTACK_PUSH, P.PUSH_NEXT),
    P.ATTACK_PUSH: (P.ATTACK_RIDERS, P.PUSH_NEXT),
    P.ATTACK_REVENGE: (P.ATTACK_DRAIN, P.FLIP_LOCK),
    P.ATTACK_RIDER: (P.ATTACK_AIM, P.ATTACK_CENTRE, P.ATTACK_LINE, P.ATTACK_TARGET, P.ATTACK_TYPE),
    P.ATTACK_RIDERS: (P.ATTACK_DAMAGE,),
    P.ATTACK_ROLL: (P.ATTACK_RIDER,),
    P.ATTACK_TOTAL: ROLLS,
    P.BURST_CONDITION: (P.FLIP_LOCK,),
    P.CHECK_ACTIVE: (*ROLLS, P.CHECK_BOOST),
    P.CHECK_REACTIVE: (*ROLLS, P.CHECK_BOOST),
    P.DEFEAT_BOX: (*SPAWNS, *BURSTS, P.ENEMY_HORNS, P.ENEMY_SNAKE, P.ENEMY_STEP),
    P.DOMINATED_ALLY: (P.FLIP_LOCK,),
    P.DOMINATED_ENEMY: (P.DEFEAT_BOX,),
    P.EFFECT_ROLLED: ROLLS,
    P.ENEMY_END: (*SPAWNS, P.ENEMY_HORNS, P.ENEMY_START),
    P.ENEMY_HORNS: (*STRIKES, P.DEFEAT_BOX, P.ENEMY_STRIKE),
    P.ENEMY_PLAN: (P.DEFEAT_BOX, P.ENEMY_SNAKE),
    P.ENEMY_SNAKE: (*SPAWNS, *STRIKES),
    P.ENEMY_START: (P.TURN_NEXT,),
    P.ENEMY_STEP: TRAPS,
    P.ENEMY_STOP: (P.DEFEAT_BOX, P.ENEMY_STEP),
    P.ENEMY_STRIKE: ENEMY_MOVES,
    P.ENEMY_TELEPORT: ENEMY_MOVES,
    P.ENTER_STORY: (*ENEMY_MOVES, P.FALL_CONDITION, P.FALL_HIT),
    P.ENTER_TRAP: (P.ENTER_STORY, P.STORY_NEXT),
    P.EVENT_NEXT: (*BURSTS, P.SPAWN, P.STORY_NEXT),
    P.FALL_CONDITION: (P.FLIP_LOCK,),
    P.FALL_HIT: (P.CHECK_REACTIVE,),
    P.MOVE_NEXT: (*CHOICES, P.FALL_CONDITION, P.FALL_HIT, P.STEP_CLIMB, P.STEP_FALL),
    P.PUSH_END: (P.PUSH_STEP,),
    P.PUSH_NEXT: (P.DEFEAT_BOX, P.PUSH_END),
    P.PUSH_STEP: (*ARRIVALS, P.PUSH_STEP),
    P.ROLL_AGAIN: ROLLS,
    P.ROLL_BLESSED: ROLLS,
    P.ROLL_INSPIRATION: (*ROLLS, P.CHECK_BOOST),
    P.ROLL_PAY: ROLLS,
    P.ROPE_FIXED: (P.CHECK_ACTIVE,),
    P.ROUND_END: (P.EVENT_NEXT,),
    P.ROUND_FATE: (P.ROUND_REVEAL, P.TURN_NEXT),
    P.ROUND_REVEAL: (P.TACTICS_NEXT,),
    P.ROUND_START: (P.STORY_NEXT,),
    P.SPAWN: SPAWNS,
    P.SPECIAL_NEXT: (P.OPENING_NEXT,),
    P.STEP_CLIMB: (P.CHECK_ACTIVE, P.MOVE_NEXT),
    P.STEP_FALL: (P.STEP_PLACE,),
    P.STEP_PLACE: (P.MOVE_NEXT, P.STEP_PROVOKE),
    P.STEP_PROVOKE: (P.FLIP_LOCK, P.MOVE_NEXT),
    P.STORY_CHECK: CHECKS,
    P.STORY_NEXT: (*BURSTS, P.SET_UP_SLOT, P.SPAWN, P.STORY_CHECK, P.STORY_NEXT),
    P.STRIKE_DRAIN: (*AFTER_HIT, P.STRIKE_PUSH),
    P.STRIKE_HIT: (P.CHECK_REACTIVE,),
    P.STRIKE_LINE_UP: (P.STRIKE_STAND_IN,),
    P.STRIKE_NEXT: (P.DEFEAT_BOX, P.STRIKE_RIPOSTE),
    P.STRIKE_OR_ELSE: (P.FLIP_LOCK, P.STRIKE_HIT, P.STRIKE_RIDERS),
    P.STRIKE_OR_ELSE_DONE: CHECKS,
    P.STRIKE_OR_ELSE_HIT: (P.FLIP_LOCK,),
    P.STRIKE_PUSH: AFTER_HIT,
    P.STRIKE_REVENGE: (*AFTER_HIT, P.STRIKE_DRAIN, P.STRIKE_PUSH),
    P.STRIKE_RIDERS: (P.FLIP_LOCK, P.STRIKE_HIT),
    P.STRIKE_RIPOSTE: (P.DEFEAT_BOX, P.STRIKE_REVENGE),
    P.STRIKE_STAND_IN: (P.STRIKE_TARGET,),
    P.TACTICS_NEXT: (P.SELECT_NEXT,),
    P.TOKEN_HARM: (P.TOKEN_WALK,),
    P.TRAP_CHECK: CHECKS,
    P.TRAP_CONDITION: (P.FLIP_LOCK,),
    P.TRAP_DISARMED: (P.CHECK_ACTIVE,),
    P.TRAP_SET: SPAWNS,
    P.TRAP_VICTIM: (P.DEFEAT_BOX, P.TRAP_CHECK, P.TRAP_CONDITION),
    P.TURN_CHOOSE: (*CHOICES, P.ACTION_END, P.RECOVER, P.TURN_TRAP),
    P.TURN_END: (P.TURN_CHOOSE,),
    P.TURN_NEXT: (P.AFTER_ALLY, P.ENEMY_END, P.SPECIAL_NEXT, P.TURN_NEXT),
    P.TURN_START: (P.TURN_NEXT,),
    P.TURN_TRAP: (P.DOMINATED_ALLY, P.DOMINATED_STAND_IN, P.FLIP_LOCK, P.TURN_START),
}

TASK_RULES = TaskRules(QUESTIONS, (P.ROUND_START, P.ROUND_FATE, P.ROUND_END), ABOVE)


def subjects(c: np.void) -> dict[str, tuple[int, int]]:
    """What a question may be about, smallest and largest."""
    return {
        "none": (-1, -1),
        "bar": (0, DELAYED_BAR),
        "ally": (0, int(c["n_allies"]) - 1),
        "enemy": (0, N_ENEMIES - 1),
        "type": (0, int(c["n_types"]) - 1),
        "figure": (0, N_ALLIES + N_ENEMIES - 1),
        "area": (0, int(c["n_areas"]) - 1),
        "attack": (0, N_ATTACKS - 1),
        "row": (0, N_EFFECTS - 1),
        "roll": (-1, max(terms.Roll)),
        "place": (0, N_CARRIED - 1),
        "token": (0, max(0, int(c["n_figures"]) - 1)),
        "number": (0, 999),
    }
