"""R19.12, R19.13: how a scenario ends."""

from agemonia_env.core.counting import MOST_ROUNDS
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from ..layout import N_ALLIES, N_CARRIED, N_ENEMIES
from ..terms import Decision, Ending, Event, Kind, Objective, Op, Phase, When
from . import placing


@kernel
def end(s, ending):
    """The scenario ends; nothing more happens."""
    s.ending = ending
    s.won = ending == Ending.OBJECTIVE
    s.depth = 0
    s.decision = Decision.NONE
    s.answer = -1
    log(s, Event.SUCCESS if s.won else Event.FAILURE, -1, ending, -1)


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
def end_if_escort_lost(s, c, a):
    """Objective.ESCORT - all is lost at once when the Ally to be escorted is exhausted."""
    if is_escorted(c, a):
        end(s, Ending.ESCORT_LOST)


@kernel
def is_event_due(s, c, k):
    """Whether event k is set off already, or sure to be: by its round, or by a timer that is set.

    A timer that goes off again and again is never over, so nobody waits for it.
    """
    if (s.event_due >> k) & 1:
        return True
    if c.event[k].when == When.ROUND:
        return is_ahead(s, c.event[k].number)
    if c.event[k].when == When.TIMER and not c.timer_repeats:
        return s.timer_target > 0 or is_ahead(s, c.timer_round)
    return False


@kernel
def is_ahead(s, number):
    """Whether the Fate card of round `number` is still to come (R5.18)."""
    return number > s.round or (number == s.round and s.phase != Phase.FATE)


@kernel
def is_reinforcement_due(s, c):
    """Whether a scenario event that is due brings Enemies."""
    for k in range(c.n_events):
        if is_event_due(s, c, k):
            for row in range(c.event[k].first, c.event[k].first + c.event[k].n):
                if c.effect[row].op in (Op.REINFORCE, Op.REINFORCE_PER_HERO):
                    return True
    return False


@kernel
def is_in_goal(s, c, a):
    """Whether ally a stands in a goal area."""
    return placing.ally_stands(s, a) and (c.goal >> s.ally[a].area) & 1 == 1


@kernel
def is_reached(s, c):
    """Objective.REACH - every standing Hero is in a goal area, and there is one."""
    standing = 0
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO and placing.ally_stands(s, a):
            standing += 1
            if not is_in_goal(s, c, a):
                return False
    return standing > 0


@kernel
def is_escorted(c, a):
    """Objective.ESCORT - whether ally a is the one to be brought to the goal."""
    return c.objective == Objective.ESCORT and c.objective_subject == a


@kernel
def carried(s, a, item):
    """How many items of a kind ally a carries."""
    n = 0
    for k in range(N_CARRIED):
        n += s.ally[a].item[k] == item
    return n


@kernel
def collected(s, c):
    """Objective.COLLECT - items that standing Heroes carry, in goal areas if there are any."""
    n = 0
    for a in range(N_ALLIES):
        if s.ally[a].kind == Kind.HERO and placing.ally_stands(s, a):
            if c.goal == 0 or is_in_goal(s, c, a):
                n += carried(s, a, c.objective_subject)
    return n


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
        case Objective.COLLECT:
            return collected(s, c) >= c.objective_number
        case Objective.ESCORT:
            return is_in_goal(s, c, c.objective_subject)
        case Objective.DISARM:
            return s.disarmed >= c.objective_number
        case Objective.ADVANCE:
            return s.progress >= c.objective_number
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
    elif 0 < c.last_round <= s.round or s.round >= MOST_ROUNDS:
        end(s, Ending.OUT_OF_TIME)
    return s.ending != Ending.NONE
