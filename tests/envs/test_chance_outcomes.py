"""Outcomes of actions: counted, and as often as dice and cards really bring them."""

import re
from collections import Counter
from fractions import Fraction
from itertools import islice

import gymnasium
import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.envs.chance_outcomes import TOLERANCE
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.hexdungeon.content.modifier_cards import STANDARD
from agemonia_env.rulesets.hexdungeon.core.terms import Draw
from agemonia_env.rulesets.hexdungeon.tools.odds import Attack, damage_of
from benchmarks.outcomes import p_value, p_values

ENVS = ["Agemonia-v0", "HexDungeon-v0"]
FEW = {"limit": 20_000, "samples": 50} if COMPILED else {"limit": 200, "samples": 20}


def begun(env_id, **arguments):
    env = gymnasium.make(f"agemonia_env:{env_id}", **arguments).unwrapped
    env.reset(seed=1)
    return env


def decisions(env):
    """Greedy play: the action taken at each decision, before it is taken."""
    policy, over = policy_of(env.ruleset, "greedy"), False
    while not over:
        action = env.choose(policy)
        yield action
        *_, terminated, truncated, _ = env.step(action)
        over = terminated or truncated


def one_of(text, env_id, **arguments):
    """An environment at the first greedy decision whose action begins with a text; the action."""
    env = begun(env_id, **arguments)
    for action in decisions(env):
        if env.action_meaning(action).startswith(text):
            return env, action
    raise AssertionError(text)


@pytest.mark.skipif(not COMPILED, reason="thousands of ways")
@pytest.mark.parametrize("env_id", ENVS)
def test_counted_and_sampled_outcomes_agree(env_id):
    values = [p for _, p in p_values(env_id, 15, 2000)]
    assert len(values) == 15
    assert min(values) > 1e-4
    assert np.mean(values) > 0.2  # 0.5, with a standard error of 0.075


def test_a_wrong_probability_is_noticed():
    counted = {look: (0, Fraction(1, 4)) for look in (b"a", b"b", b"c", b"d")}
    assert p_value(counted, counted, 1000) == 1
    wrong = counted | {b"a": (0, Fraction(32, 100)), b"b": (0, Fraction(18, 100))}
    assert p_value(counted, wrong, 1000) < 1e-4
    assert p_value(counted, wrong | {b"e": (0, Fraction(1, 100))}, 1000) < 1e-4
    assert p_value({b"a": (0, Fraction(1))}, {b"a": (0, Fraction(1))}, 1000) == 1


def test_a_round_ends_with_each_fate_card_as_often_as_it_is_in_the_deck():
    env, action = one_of("end the turn", "Agemonia-v0", heroes=1)
    while not (found := env.chance_outcomes(action, **FEW))[0].events[0].startswith("The Fate"):
        env.step(action)
        action = next(a for a in decisions(env) if env.action_meaning(a) == "end the turn")
    state = env.states[0]
    left = Counter(state["fate"][: state["n_fate"]].tolist())
    wanted = {f"The Fate card is a {value}": Fraction(n, left.total()) for value, n in left.items()}
    shares = Counter()
    for outcome in found:
        shares[outcome.events[0]] += outcome.probability
    assert shares == wanted
    assert found.exact
    assert found.unresolved == 0


def test_damage_of_an_attack_as_the_odds_say():
    env, action = one_of("attack", "HexDungeon-v0", scenario="warm-cellar")
    found = env.chance_outcomes(action, **FEW)
    value = int(re.search(r"attacks .* for (\d+)", found[0].events[0])[1])
    shares = Counter()
    for outcome in found:
        shares[int(re.search(r"the damage (\d+)", "; ".join(outcome.events))[1])] += (
            outcome.probability
        )
    assert shares == damage_of(Attack(value), STANDARD, Draw.NORMAL)
    assert found.ways == len({*STANDARD})


@pytest.mark.skipif(not COMPILED, reason="thousands of ways")
def test_dice_that_roll_on_leave_next_to_nothing_open():
    env, action = one_of("attack", "Agemonia-v0")
    found = env.chance_outcomes(action)
    assert found.exact
    assert 0 < found.unresolved < TOLERANCE
    assert sum(outcome.probability for outcome in found) == 1 - found.unresolved
    few = env.chance_outcomes(action, limit=10, samples=100)
    assert not few.exact
    assert (few.ways, few.unresolved) == (100, 0)
    assert sum(outcome.probability for outcome in few) == 1


@pytest.mark.parametrize("env_id", ENVS)
def test_a_game_goes_on_from_an_outcome(env_id):
    env = begun(env_id)
    for action in decisions(env):
        before = env.get_state()
        found = env.chance_outcomes(action, **FEW)
        assert env.get_state() == before
        if len(found) > 1:
            break
    assert [*found] == sorted(found, key=lambda one: -one.probability)
    assert found[0] == env.chance_outcomes(action, **FEW)[0]
    other = env.chance_outcomes(action, **FEW, seed=1)[0]
    assert other.events == found[0].events
    assert other.position != found[0].position  # its further chance is another
    copy = env.clone()
    copy.set_state(bytes(found[-1].position))
    assert copy.states["decisions"][0] > env.states["decisions"][0]
    copy.step(int(copy.legal_actions()[0]))


def test_certain_actions_have_one_outcome():
    env = begun("Agemonia-v0")
    (only,) = env.chance_outcomes(next(decisions(env)), **FEW)
    assert only.probability == 1
    assert not only.ended
    assert not only.won
    assert "position" not in repr(only)


def test_opponents_of_the_core_are_part_of_chance():
    env = begun("Agemonia-v0", enemy_will="free", opponent="random")
    assert all(
        env.chance_outcomes(action, limit=50, samples=10).ways
        for action in islice(decisions(env), 40 if COMPILED else 8)
    )


def test_mistakes_are_named():
    env = begun("Agemonia-v0")
    illegal = next(a for a in range(env.action_space.n) if a not in env.legal_actions())
    with pytest.raises(ValueError, match=rf"^action {illegal} is illegal now: "):
        env.chance_outcomes(illegal)
    legal = int(env.legal_actions()[0])
    for wrong in ({"limit": 0}, {"samples": 0.5}, {"seed": -1}):
        (name,) = wrong
        with pytest.raises(ValueError, match=f"^{name}="):
            env.chance_outcomes(legal, **wrong)
    with pytest.raises(ValueError, match="whole number"):
        env.chance_outcomes(-1)
