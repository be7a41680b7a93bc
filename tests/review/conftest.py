"""Recorded games, and their files."""

import pytest

from agemonia_env.envs import env_class
from agemonia_env.policies import policy_of
from agemonia_env.review.analysis import Effort
from agemonia_env.review.page import Made
from agemonia_env.review.play import Reviewed, record
from tests.review.games import recorded

# A game of each kind: what could go another way when it is played again
KINDS = {
    "fixed": ("Agemonia-v0", {"scenario": "ford"}, "random"),
    "greedy": ("Agemonia-v0", {"scenario": "tithe", "ties": "auto"}, "greedy"),
    "network": ("Agemonia-v0", {"scenario": "beacon", "heroes": ["orsa", "ketch"]}, "generalist"),
    "drawn": ("Agemonia-v0", {"scenario": "random", "generator": "varied"}, "random"),
    "free": ("Agemonia-v0", {"enemy_will": "free", "opponent": "random"}, "random"),
    "both": ("Agemonia-v0", {"side": "both", "difficulty": "hard"}, "random"),
    "enemy": ("Agemonia-v0", {"side": "enemy", "opponent": "greedy"}, "random"),
    "outside": ("Agemonia-v0", {"enemy_will": "free", "opponent": "generalist"}, "random"),
    "hexes": ("HexDungeon-v0", {"scenario": "warm-cellar"}, "random"),
    "many": ("HexDungeon-v0", {"scenario": "slag-market", "heroes": 4}, "greedy"),
}


@pytest.fixture(params=KINDS)
def played(request):
    """A recording of up to 80 steps, and the position of each step: (recording, positions)."""
    env_id, choices, name = KINDS[request.param]
    recording = recorded(env_id, seed=11, **choices)
    env, positions = recording.env, [recording.env.get_state()]
    policy = policy_of(env.ruleset, name)
    while not recording.over and recording.steps < 80:
        record(recording, policy, recording.steps + 1)
        positions.append(env.get_state())
    return recording, positions


@pytest.fixture(scope="session")
def review(tmp_path_factory):
    """A function that plays, analyses and writes a game once: kind of game -> Reviewed, path."""
    folder, known = tmp_path_factory.mktemp("reviews"), {}

    def make(env_id, scenario, policy, *, heroes=2, seed=7, simulations=24, rollouts=40, **choices):
        key = env_id, scenario, policy, heroes, seed, *choices.items()
        if key not in known:
            env = env_class(env_id)(scenario, heroes=heroes, **choices)
            chosen = policy_of(env.ruleset, policy)
            effort = Effort(simulations, rollouts)
            reviewed = Reviewed.begin(env, seed, Made(chosen.name), effort)
            reviewed.play(chosen)
            reviewed.analyse(lambda done, total: None)
            path = folder / f"game {len(known)}.html"
            reviewed.write(path)
            known[key] = reviewed, path
        return known[key]

    return make
