"""What a GPU runs plays as the vector environment does, here called in plain Python."""

import numpy as np
import pytest

from agemonia_env.core.env_slots import Autoreset, Command
from agemonia_env.core.gpu_slots import UNDRAWN, gpu_entries
from agemonia_env.core.jit import COMPILED, zeros
from agemonia_env.core.pcg64 import generators
from agemonia_env.envs.batch import Batch, mix_entries
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.ruleset import ruleset_of

pytestmark = pytest.mark.skipif(COMPILED, reason="functions of a GPU are not compiled for the CPU")
N, STEPS = 3, 80


def batch_of(rules):
    """A batch of several scenarios whose episodes are short."""
    arguments = rules.check_arguments(max_decisions=25, reward="shaped")
    names = list(rules.load_pack(arguments.pack).scenarios)[:3]
    mix = mix_entries(rules, arguments, [{"scenario": name} for name in names])
    return Batch(rules, N, mix, Autoreset.SAME_STEP, dtype=np.dtype(np.int8))


@pytest.mark.parametrize("env_id", RULESETS)
def test_slots_play_the_same_games(env_id):
    rules = ruleset_of(env_id)
    entries = gpu_entries(rules.api.CORE)
    expected, other = batch_of(rules), batch_of(rules).arrays
    expected.reset(np.ones(N, np.bool_), list(range(N)))
    scratch = zeros(rules.api.CORE.SCRATCH)
    games = (
        *(other.states, other.raw, expected.contents.rows, other.slots, other.actions),
        *(other.episode, generators(range(N)), expected._bounds),
    )
    observed = other.obs_int8, other.observations, other.columns, other.ranges
    outputs = other.masks, other.legal, other.cached, *observed
    obs_scratch = np.zeros((1, 1, rules.N_OBS_INT8), np.int8)
    played = outputs, other.rows, scratch, obs_scratch
    other.slots["next_which"] = UNDRAWN
    commands = np.full(N, Command.BEGIN, np.uint8)
    policy, actions = int(rules.POLICIES["random"]), np.zeros(N, np.int64)
    ends = 0
    for step in range(STEPS):
        if step:
            which = expected.slots["which"].copy()
            rules.api.choose_actions(
                expected.states, expected.contents.rows, which, policy, actions
            )
            ends += len(expected.step(actions).which_ended)
        for i in range(N):
            if step:
                entries["play_on"](i, 0, games, policy, 1, *played)
            else:
                entries["play"](i, 0, games, commands, *played)
                entries["write"](i, 0, games, commands, outputs, obs_scratch)
        assert np.array_equal(other.raw, expected.arrays.raw)
        assert np.array_equal(other.masks, expected.masks)
        assert np.array_equal(other.obs_int8[:N], expected.arrays.obs_int8[:N])
        for name in ("reward", "terminated", "truncated", "next_seed", "next_which", "last"):
            assert np.array_equal(other.slots[name], expected.slots[name]), name
    assert ends > N
