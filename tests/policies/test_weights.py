"""The networks that come with the package play as well as the documentation says."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.policies.named import SHIPPED, policy_of
from agemonia_env.rulesets.ruleset import ruleset_of
from agents.play import play_games, scenarios_of

# Share won of 10,000 games with two heroes in procedural scenarios of test (docs/learning.md)
PUBLISHED = {"generalist": ("Agemonia-v0", 0.769)}
GAMES = 1024


def test_every_network_has_a_published_rate():
    assert set(PUBLISHED) == set(SHIPPED)
    assert sum(path.stat().st_size for path in SHIPPED.values()) < 5_000_000


@pytest.mark.skipif(not COMPILED, reason="a thousand games in plain Python take hours")
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_network_reproduces_its_rate(name):
    env, published = PUBLISHED[name]
    rules = ruleset_of(env)
    arguments = rules.check_arguments(
        scenario="random", scenario_seed="test", heroes=2, ties="auto"
    )
    content = scenarios_of(arguments, arguments.scenario_seeds())
    seeds = np.arange(1_000_000, 1_000_000 + GAMES, dtype=np.uint64)
    policy = policy_of(rules, f"likeliest:{name}")
    won = play_games(rules, content, seeds, policy, control=arguments.control()).won.mean()
    deviation = np.sqrt(published * (1 - published) / GAMES)
    assert abs(won - published) < 4 * deviation
