"""Statistics stop at the end of their range, and no game goes on for ever."""

import numpy as np
import pytest

from agemonia_env.core.counting import MOST, MOST_ROUNDS
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.simulation.games import play_to_end, start_games


@pytest.mark.parametrize("env", RULESETS)
def test_damage_stops_at_the_end_of_its_range_and_rounds_end(env):
    rules = ruleset_of(env)
    arguments = rules.check_arguments(ties="auto")
    content, which = arguments.compile().content, np.zeros(4, np.int16)
    control = arguments.control()
    states = start_games(rules, content, which, np.arange(4, dtype=np.uint64), control=control)
    states["damage_dealt"], states["round"] = MOST - 1, MOST_ROUNDS - 1
    games = states, content, which
    play_to_end(rules, games, (policy_of(rules, "greedy"), None), control, 5000)
    assert (states["damage_dealt"] >= MOST - 1).all()
    assert (states["damage_dealt"] == MOST).any()
    assert states["ending"].all()
    assert (states["round"] <= MOST_ROUNDS).all()
