"""R19.12, R19.13: how a scenario ends."""

from ...kernel.jit import kernel
from ..agenda import log
from ..layout import N_ALLIES, N_ENEMIES
from ..terms import Decision, Ending, Event, Kind, Objective, Op, When
from . import placing


@kernel
def end(s, ending):
    """The scenario ends; nothing more happens."""
    s.ending = ending
    s.won = ending == Ending.OBJECTIVE
    s.depth = 0
    s.decision = Decision.NONE
    s.answer = -1
    log(s, Event.SUCCESS if s.won else Event.FAILURE, -1)


@kernel
def end_if_all_exhausted(s):
    """R19.13 [Q29] - all Heroes exhausted: failure at once."""
    heroes = 0
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO:
            heroes += 1
            if not s.ally[a].exhausted:
                return
    if heroes > 0:
        end(s, Ending.ALL_EXHAUSTED)


@kernel
def is_reinforcement_due(s, c):
    """Whether a round to come brings Enemies by a scenario event."""
    for k in range(c.n_events):
        event = c.event[k]
        if event.when == When.ROUND and event.number >= s.round:
            for row in range(event.first, event.first + event.n):
                if c.effect[row].op in (Op.REINFORCE, Op.REINFORCE_PER_HERO):
                    return True
    return False


@kernel
def is_reached(s, c):
    """Objective.REACH - every standing Hero is in a goal area, and there is one."""
    standing = 0
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO and not s.ally[a].exhausted:
            standing += 1
            if (c.goal >> s.ally[a].area) & 1 == 0:
                return False
    return standing > 0


@kernel
def is_objective_met(s, c):
    """R19.12 - whether the scenario's objective is met now (HOLD: see `end_of_round`)."""
    match c.objective:
        case Objective.DEFEAT_ALL:
            for e in range(N_ENEMIES):
                if placing.enemy_stands(s, e):
                    return False
            return not is_reinforcement_due(s, c)
        case Objective.DEFEAT_TYPE:
            return s.defeated[c.objective_subject] >= c.objective_number
        case Objective.REACH:
            return is_reached(s, c)
        case _:
            return False


@kernel
def end_if_objective_met(s, c):
    """End the scenario with success if its objective is met. -> whether it has ended."""
    if s.ending == Ending.NONE and s.round > 0 and is_objective_met(s, c):
        end(s, Ending.OBJECTIVE)
    return s.ending != Ending.NONE


@kernel
def end_of_round(s, c):
    """Objective.HOLD, and the scenario's last round. -> whether the scenario has ended."""
    if c.objective == Objective.HOLD and s.round >= c.objective_number:
        end(s, Ending.OBJECTIVE)
    elif 0 < c.last_round <= s.round:
        end(s, Ending.OUT_OF_TIME)
    return s.ending != Ending.NONE
