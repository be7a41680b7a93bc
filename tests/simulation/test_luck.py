"""Luck has mean zero whatever values positions by, and does not depend on how games are batched."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.policies.network import Layer, Network
from agemonia_env.policies.scripted import ScriptedPolicy
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.simulation.games import play_batches
from agemonia_env.simulation.luck import LUCK, UNIT, Luck, LuckMeter, Terms, Value, luck_of

ENVS = ["Agemonia-v0", "HexDungeon-v0"]
MANY = 600 if COMPILED else 0


def random_value(rules, spread=3.0):
    """A value function that knows nothing."""
    random = np.random.default_rng(5)
    columns = np.arange(0, rules.N_OBSERVATION, 7, dtype=np.int32)

    def layer(inputs, outputs):
        weights = random.normal(0, spread / np.sqrt(inputs), (inputs, outputs))
        return Layer(weights.astype(np.float32), np.zeros(outputs, np.float32))

    trunk = layer(len(columns), 8)
    return Value(Network(columns, [trunk], layer(8, 0), layer(8, 1)))


def play(env, seeds, *, batch=256, redraws=2, policy="greedy"):
    """Games of these seeds -> won, luck (n,)."""
    rules = ruleset_of(env)
    arguments = rules.check_arguments()
    control, content = arguments.control(), arguments.compile().content
    meter = LuckMeter(Luck(random_value(rules), redraws), rules, control)
    which = np.zeros(len(seeds), np.int16)
    scripted = ScriptedPolicy(rules, policy, int(rules.POLICIES[policy]), batch=batch)
    games = rules, content, which, np.array(seeds, np.uint64), scripted
    won, luck = [], []
    for states in play_batches(*games, control=control, max_decisions=5000, meter=meter):
        won.append(states["won"] != 0)
        luck.append(meter.finish(states)[LUCK])
    return np.concatenate(won), np.concatenate(luck)


@pytest.mark.parametrize("env", ENVS)
@pytest.mark.skipif(not COMPILED, reason="plays hundreds of games with redraws")
def test_luck_has_mean_zero_for_a_value_function_that_knows_nothing(env):
    _, luck = play(env, range(MANY))
    games_won = luck / UNIT
    error = games_won.std() / np.sqrt(MANY)
    assert games_won.std() > 0.1  # there was something to measure
    assert abs(games_won.mean()) < 4 * error


@pytest.mark.parametrize("env", ENVS)
def test_luck_of_a_game_does_not_depend_on_its_batch(env):
    together = play(env, [3, 4, 5])[1]
    alone = [play(env, [seed])[1][0] for seed in (3, 4, 5)]
    assert together.tolist() == alone
    assert together.tolist() == play(env, [3, 4, 5], batch=2)[1].tolist()
    assert any(together)


@pytest.mark.parametrize("env", ENVS)
def test_measuring_luck_changes_no_game(env):
    rules = ruleset_of(env)
    arguments = rules.check_arguments()
    control, content = arguments.control(), arguments.compile().content
    seeds = np.arange(4, dtype=np.uint64)
    policy = ScriptedPolicy(rules, "greedy", int(rules.POLICIES["greedy"]))
    games = rules, content, np.zeros(4, np.int16), seeds, policy
    (plain,) = play_batches(*games, control=control, max_decisions=5000)
    meter = LuckMeter(Luck(random_value(rules), 2), rules, control)
    (watched,) = play_batches(*games, control=control, max_decisions=5000, meter=meter)
    assert plain.tobytes() == watched.tobytes()


def test_positions_where_the_game_is_over_are_worth_one_or_zero():
    value = Value(random_value(ruleset_of("Agemonia-v0")).network, slope=0.5, shift=2.0)
    won, lost = np.inf, -np.inf
    assert value.chances(np.array([won, lost])).tolist() == [1, 0]
    terms = Terms(np.array([0, 2, 2]), np.array([won, lost, won]), np.array([[won, lost]] * 3))
    assert luck_of(terms, value, 4).tolist() == [0.5, 0, 0, 0]


def test_a_fingerprint_changes_with_every_number():
    value = random_value(ruleset_of("Agemonia-v0"))
    marks = {value.fingerprint, Value(value.network, 2.0).fingerprint}
    marks |= {Value(value.network, 1.0, 0.5).fingerprint, random_fingerprint(2.0)}
    assert len(marks) == 4
    assert random_fingerprint(3.0) == value.fingerprint


def random_fingerprint(spread):
    return random_value(ruleset_of("Agemonia-v0"), spread).fingerprint
