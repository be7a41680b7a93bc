"""Shaped rewards add a potential: over whole games it adds up, and winning play raises it."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED, entry
from agemonia_env.envs import env_class
from agemonia_env.rulesets.agemonia.core.heuristics import potential as agemonia
from agemonia_env.rulesets.agemonia.ruleset import AGEMONIA
from agemonia_env.rulesets.hexdungeon.core.heuristics import potential as hexdungeon
from agemonia_env.rulesets.hexdungeon.ruleset import HEXDUNGEON
from tests.games import Games

LIMIT = 20_000 if COMPILED else 25  # decisions of a game
GAMES = 24  # of greedy play
SCENARIOS = [
    (rules, {"scenario": scenario})
    for rules, pack in ((AGEMONIA, "core"), (HEXDUNGEON, "hex-core"))
    for scenario in rules.load_pack(pack).scenarios
]
DRAWN = [(AGEMONIA, {"scenario": "random", "scenario_seed": seed}) for seed in range(6)]
ENEMIES = [
    (rules, {**keys, "side": "enemy", "enemy_will": "free"})
    for rules, keys in SCENARIOS
    if rules is AGEMONIA
]


def name(value):
    return "-".join(map(str, value.values())) if isinstance(value, dict) else value.env_id


def chosen(env, random):
    """Mostly what the greedy policy does, now and then any legal action."""
    if env.arguments.side == "enemy" or random.random() < 0.2:
        return int(random.choice(env.legal_actions()))
    actions, policy = np.zeros(1, np.int64), int(env.ruleset.POLICIES["greedy"])
    env.ruleset.api.choose_actions(env._states, env.compiled.content, env._which, policy, actions)
    return int(actions[0])


@pytest.mark.parametrize("gamma", [1.0, 0.99])
@pytest.mark.parametrize(("rules", "keys"), SCENARIOS + DRAWN + ENEMIES, ids=name)
def test_the_shaping_of_a_game_depends_on_its_two_ends_alone(rules, keys, gamma):
    keys = {"heroes": 2, "max_decisions": LIMIT, "gamma": gamma} | keys
    plain, shaped = (env_class(rules.env_id)(**keys, reward=kind) for kind in ("sparse", "shaped"))
    for env in (plain, shaped):
        env.reset(seed=3)
    random, total, discount, over = np.random.default_rng(3), 0.0, 1.0, False
    start = float(shaped._slots["potential"][0])
    while not over:
        action = chosen(plain, random)
        (_, reward, *ends, _), (_, more, *same_ends, _) = plain.step(action), shaped.step(action)
        assert ends == same_ends
        total += discount * (more - reward)
        assert -1.0 <= shaped._slots["potential"][0] <= 1.0
        discount *= gamma
        over = any(ends)
    end = float(shaped._slots["potential"][0])
    assert end == 0.0 or not ends[0]
    assert total == pytest.approx(shaped.arguments.sign * (discount * end - start), abs=1e-5)


# ---- games won ----------------------------------------------------------------------------------
@entry
def write_agemonia(states, contents, potentials):
    for i in range(len(states)):
        potentials[i] = agemonia.potential(states[i], contents[0])


@entry
def write_hexdungeon(states, contents, potentials):
    for i in range(len(states)):
        potentials[i] = hexdungeon.potential(states[i], contents[0])


WRITE = {AGEMONIA: write_agemonia, HEXDUNGEON: write_hexdungeon}


def potentials_of(games):
    potentials = np.zeros(games.n)
    WRITE[games.rules](games.states, games.contents, potentials)
    return potentials


@pytest.mark.skipif(not COMPILED, reason="too many games for plain Python")
@pytest.mark.parametrize(("rules", "keys"), SCENARIOS, ids=name)
def test_the_potential_is_high_before_a_game_is_won(rules, keys):
    games = Games(rules, keys["scenario"], 2, range(GAMES))
    before = start = potentials_of(games)
    while games.running.any():
        before = np.where(games.running, potentials_of(games), before)
        games.step(games.chosen(rules.POLICIES["greedy"]))
    won = games.states["won"] != 0
    assert won.any()
    assert (potentials_of(games) == 0.0).all()
    assert before[won].mean() > start[won].mean()
    assert before[won].mean() > before[~won].mean() or won.all()
