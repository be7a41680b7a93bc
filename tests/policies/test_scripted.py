"""Policies refuse arrays that the compiled core would read beyond."""

import numpy as np
import pytest

from agemonia_env.envs import env_class
from agemonia_env.policies import policy_of
from agemonia_env.policies.planner import Planner
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of


@pytest.mark.parametrize("name", ["greedy", "planner:2"])
@pytest.mark.parametrize("env_id", RULESETS)
def test_arrays_of_another_form_are_refused(env_id, name):
    rules = ruleset_of(env_id)
    env = env_class(rules.env_id)()
    env.reset(seed=1)
    policy = policy_of(rules, name)
    states, contents, which = env.states, env.compiled.content, np.zeros(1, np.int16)
    assert env.action_masks()[policy.choose(states, contents, which)[0]]
    for wrong in (
        (states, contents, np.ones(1, np.int16)),
        (states, contents, -np.ones(1, np.int16)),
        (states, contents, np.zeros(2, np.int16)),
        (states, contents, np.zeros(1)),
        (contents, states, which),
        (states.view(np.uint8), contents, which),
        (states[None], contents, which),
    ):
        with pytest.raises(ValueError, match=r"which|states, contents"):
            policy.choose(*wrong)


@pytest.mark.parametrize("simulations", [0, -1, 2.5, "3", 10**12])
def test_a_planner_wants_a_number_of_simulations(simulations):
    with pytest.raises(ValueError, match="simulations="):
        Planner(ruleset_of("Agemonia-v0"), simulations)
