"""Print hashes of random play of every scenario, for comparison between processes.

Run as `python tests/agemonia/trajectories.py [decisions]`: one line per party, with the hashes of
all states, masks and observations on the way. Seeds are fixed.
"""

import functools
import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, not installed

from agemonia_env.rulesets.agemonia.content.load import scenarios
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from tests.games import Games

N = 2  # games side by side
DECISIONS = 20


def trajectory(scenario, heroes, policy, decisions):
    """Hashes of states, masks and observations along N games."""
    games = Games(AGEMONIA, scenario, heroes, range(100, 100 + N), auto_ties=0)
    hashes = [hashlib.sha256() for _ in range(3)]
    for _ in range(decisions):
        arrays = games.states, games.masks(), games.observations()
        for digest, array in zip(hashes, arrays, strict=True):
            digest.update(array.tobytes())
        games.step(games.chosen(policy))
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
