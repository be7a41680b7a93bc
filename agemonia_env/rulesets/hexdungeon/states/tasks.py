"""Which tasks of HexDungeon may lie on the stack, and which questions they ask.

The order of tasks follows from the source of the rules; a test derives it and compares.
"""

from __future__ import annotations

from agemonia_env.rulesets.tasks import Question, TaskRules

from ..core.layout import N_FIGURES, N_HAND
from ..core.terms import Decision, Effect, Proc

D, P = Decision, Proc
QUESTIONS: dict[int, Question] = {
    D.LEAD: Question((P.SELECT_NEXT,), "one"),
    D.SECOND: Question((P.SELECT_SECOND,), "one", "card"),
    D.TURN: Question((P.HERO_TURN,), "one"),
    D.STEP: Question((P.MOVE_STEP,), "one", "figure"),
    D.TARGET: Question((P.ATTACK_NEXT,), "one", "figure"),
    D.AIM: Question((P.ATTACK_AIM,), "one", "figure"),
    D.ORIENTATION: Question((P.ATTACK_AIM,), "one", "figure"),
    D.CELL: Question((P.ATTACK_AIM,), "one", "figure"),
    D.EFFECT: Question((P.ATTACK_EFFECTS,), "one", "effect"),
    D.FORCE: Question((P.FORCE_STEP,), "any", "figure"),
    D.LOSE: Question((P.HARM,), "one", "number"),
    D.LOSE_SECOND: Question((P.HARM,), "one", "number"),
    D.RECIPIENT: Question((P.LINE_CHOICE,), "one", "figure"),
    D.SUMMON: Question((P.SUMMON,), "one", "figure"),
    D.REST_LOSE: Question((P.LONG_REST,), "one"),
    D.REST_KEEP: Question((P.REST_BACK,), "one", "card"),
    D.SHORT_REST: Question((P.SHORT_RESTS,), "one"),
    D.INSTEAD: Question((P.SHORT_RESTS,), "one", "card"),
    D.RECOVER: Question((P.RECOVER,), "one", "figure"),
    D.FOCUS: Question((P.MONSTER_PLAN,), "all", "figure"),
    D.END_HEX: Question((P.MONSTER_PLAN,), "all", "figure"),
    D.MONSTER_CHOICE: Question((P.LINE_CHOICE,), "any", "figure"),
    D.NEXT_TYPE: Question((P.NEXT_TURN,), "all"),
    D.LANDING: Question((P.LANDING,), "all", "figure"),
}

# Work that several tasks put above themselves
ATTACKS = (P.ATTACK_EFFECTS, P.ATTACK_NEXT)
HARMS = (P.HARM, P.HAZARD)
LINES = (
    *ATTACKS,
    *HARMS,
    P.ATTACK_AIM,
    P.FORCE_STEP,
    P.LINE_CHOICE,
    P.MOVE_STEP,
    P.RECOVER,
    P.SUFFER_NEXT,
    P.SUMMON,
)

# Work, and what it may put right above itself or leave there
ABOVE: dict[int, tuple[int, ...]] = {
    P.ATTACK_EFFECTS: (*ATTACKS, P.FORCE_STEP, P.HARM),
    P.ATTACK_NEXT: (P.HARM,),
    P.FORCE_STEP: (*ATTACKS, *HARMS),
    P.HALF_END: (P.HALF_NEXT,),
    P.HALF_NEXT: LINES,
    P.HAZARD: (P.HARM,),
    P.HERO_TURN: (P.HALF_END, P.HARM),
    P.MONSTER_NEXT: (*LINES, P.MONSTER_PLAN, P.MONSTER_WALK),
    P.MONSTER_WALK: HARMS,
    P.MOVE_STEP: HARMS,
    P.NEXT_TURN: (P.TURN_END,),
    P.REST_BACK: (P.HARM,),
    P.REST_DONE: (P.REST_BACK,),
    P.ROUND_START: (P.REST_DONE, P.SHORT_RESTS),
    P.SUFFER_NEXT: (P.FORCE_STEP, P.HARM),
    P.TURNS_BEGIN: (P.SELECT_NEXT, P.SELECT_SECOND),
    P.TURN_END: (P.HARM, P.HERO_TURN, P.LONG_REST, P.MONSTER_NEXT, P.REST_BACK),
}

TASK_RULES = TaskRules(QUESTIONS, (P.ROUND_START, P.TURNS_BEGIN, P.NEXT_TURN, P.ROUND_END), ABOVE)


SUBJECTS = {
    "none": (-1, -1),
    "card": (0, N_HAND - 1),
    "figure": (0, N_FIGURES - 1),
    "effect": (0, max(Effect)),
    "number": (0, 999),
}
