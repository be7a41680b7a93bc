"""Print hashes of random play of every scenario, for comparison between processes.

Run as `python tests/agemonia/trajectories.py [decisions]`: one line per party, with the hashes of
all states, masks and observations on the way. Seeds are fixed.
"""

import functools
import hashlib
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, not installed

from agemonia_env.core.jit import zeros
from agemonia_env.rulesets.agemonia.content.compile import compile_scenario
from agemonia_env.rulesets.agemonia.content.load import scenarios
from agemonia_env.rulesets.agemonia.core import api
from agemonia_env.rulesets.agemonia.core.actions import N_ACTIONS
from agemonia_env.rulesets.agemonia.core.layout import STATE
from agemonia_env.rulesets.agemonia.core.obs_spec import N_OBSERVATION

N = 2  # games side by side
DECISIONS = 20


def trajectory(scenario, heroes, policy, decisions):
    """Hashes of states, masks and observations along N games."""
    contents = compile_scenario("core", scenario, heroes).content
    states, which = zeros(STATE, N), np.zeros(N, np.int16)
    masks = np.zeros((N, N_ACTIONS), np.uint8)
    observations = np.zeros((N, N_OBSERVATION), np.float32)
    actions, denials = np.zeros(N, np.int64), np.zeros(N, np.int16)
    seeds = np.arange(100, 100 + N, dtype=np.uint64)
    hashes = [hashlib.sha256() for _ in range(3)]
    api.reset(states, contents, which, seeds, np.ones(N, np.uint8), 0, api.NO_ROWS)
    for _ in range(decisions):
        api.write_masks(states, contents, which, masks)
        api.write_observations(states, contents, which, observations)
        for digest, array in zip(hashes, (states, masks, observations), strict=True):
            digest.update(array.tobytes())
        api.choose_actions(states, contents, which, policy, actions)
        api.step(states, contents, which, actions, 0, api.NO_ROWS, denials)
    return [digest.hexdigest()[:16] for digest in hashes]


@functools.cache
def lines(decisions=DECISIONS):
    """One line per scenario and party; half of them play greedily."""
    return [
        " ".join([scenario, str(heroes), *trajectory(scenario, heroes, heroes % 2, decisions)])
        for scenario in scenarios("core")
        for heroes in (2, 3)
    ]


if __name__ == "__main__":
    print("\n".join(lines(*map(int, sys.argv[1:]))))
