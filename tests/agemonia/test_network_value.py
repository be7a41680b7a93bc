"""What a network says of a position counts in a simulation as far as it is trusted."""

import numpy as np
import pytest

from agemonia_env.core import scoring
from agemonia_env.core.control import control_kernels
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.core.planning import planning_kernels
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.action_features import ROW
from agemonia_env.rulesets.agemonia.core.heuristics.potential import potential
from agemonia_env.rulesets.agemonia.core.masks import write_legal
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games

pytestmark = pytest.mark.skipif(
    COMPILED, reason="a kernel is called by itself, which only plain Python can"
)
N_ACTIONS, N_FEATURES = AGEMONIA.N_ACTIONS, AGEMONIA.N_ACTION_FEATURES


def scorer(value, trust, side=1):
    """A network with layers of one unit that gives every position this value."""
    sizes = np.array([1, N_FEATURES, 1, 2, 0, 1, 1, 1], np.int64)
    # trunk, policy, two layers of the scorer, and the value's with its bias
    layers = [np.zeros(n, np.float32) for n in (2, 2, N_FEATURES + 1, 2, 3)]
    layers[-1][-1] = value
    rows = np.zeros((N_ACTIONS, N_FEATURES), np.int8)
    return scoring.Scorer(
        side,
        1.0,
        trust,
        sizes,
        np.concatenate(layers),
        np.empty(1, scoring.SCRATCH),
        np.zeros(N_ACTIONS, np.uint8),
        np.zeros((1, AGEMONIA.N_OBS_INT8), np.int8),
        np.zeros((0, AGEMONIA.N_OBSERVATION), np.float32),
        rows,
        rows.reshape(rows.size).view(ROW),
        np.empty(N_ACTIONS, np.float32),
        np.empty(N_ACTIONS),
    )


def chance(net):
    """Of a game before its first decision, as a simulation finds it -> chance, decisions played."""
    games = Games(AGEMONIA, "ford", 2, [5])
    s, c = games.states[0], games.contents[0]
    before, decisions = potential(s, c), int(s.decisions)
    legal, scratch = np.zeros(AGEMONIA.N_WORDS, np.int64), zeros(api.CORE.SCRATCH)
    *_, play_on = planning_kernels(api.CORE, *control_kernels(api.CORE))
    found = play_on(s, c, scratch[0], legal, api.NO_ROWS, write_legal(s, c, legal), net)
    return found, before, int(s.decisions) - decisions


@pytest.mark.parametrize("value", [-0.4, 0.0, 0.6])
def test_a_value_that_is_trusted_ends_the_simulation(value):
    found, before, played = chance(scorer(value, 1.0))
    assert found == pytest.approx(0.5 + 0.5 * (value + before), abs=1e-6)
    assert played == 0


def test_a_value_counts_for_the_rest_as_far_as_it_is_trusted():
    won, before, played = chance(scorer(0.0, 0.0))
    assert won in (0.0, 1.0)
    assert played > 10
    half, _, more = chance(scorer(0.6, 0.5))
    assert half == pytest.approx(0.5 * won + 0.5 * (0.5 + 0.5 * (0.6 + before)), abs=1e-6)
    assert more == played


def test_a_network_of_the_enemies_says_nothing_where_heroes_decide():
    assert chance(scorer(0.6, 1.0, side=-1)) == chance(scorer(0.0, 0.0))
