"""How a scenario ends."""

from agemonia_env.core.counting import MOST_ROUNDS
from agemonia_env.core.event_log import log
from agemonia_env.core.jit import kernel

from .. import hexset
from ..layout import HEROES, N_HEROES
from ..terms import Ending, Event, Goal
from .figures import is_present, monsters


@kernel
def end(s, ending):
    """The scenario ends, won if its goal is met."""
    s.ending = ending
    s.won = ending == Ending.GOAL
    log(s, Event.ENDING, -1, ending, -1)


@kernel
def look_for_end(s, c):
    """G14.5, H7 - whether the scenario ends now: nobody is left to play, or a goal is met."""
    if s.plain or s.ending != Ending.NONE:
        return
    # `and` would jump, and which way hangs on the scenario: half a wrong guess a step
    defeated = (c.goal == Goal.DEFEAT) & (s.left == 0) & (not any_monster(s))
    looted = (c.goal == Goal.LOOT) & (s.n_loot >= c.goal_amount)
    if not any_hero(s):
        end(s, Ending.EXHAUSTED)
    elif defeated | looted:
        end(s, Ending.GOAL)


@kernel
def look_at_end_of_round(s, c):
    """H7 - whether the scenario ends with this round: its goal is met, or it was the last."""
    if s.plain or s.ending != Ending.NONE:
        return
    survived = c.goal == Goal.SURVIVE and s.round >= c.goal_amount
    if survived or (c.goal == Goal.REACH and all_on_exit(s, c)):
        end(s, Ending.GOAL)
    elif 0 < c.last_round <= s.round or s.round >= MOST_ROUNDS:
        end(s, Ending.ROUNDS)


@kernel
def any_hero(s):
    """Whether a character is left."""
    return int(s.present) & HEROES != 0


@kernel
def any_monster(s):
    """Whether a monster stands on the board."""
    return monsters(s) != 0


@kernel
def all_on_exit(s, c):
    """Whether every character left stands on a hex of the exit."""
    for h in range(N_HEROES):
        if is_present(s, h) and not hexset.has(hexset.of(c.exit), s.figure[h].at):
            return False
    return True
