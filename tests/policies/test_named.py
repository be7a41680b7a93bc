"""Policies by name, and games that they play outside the compiled loop."""

import numpy as np
import pytest

from agemonia_env.policies import model_file, policy_of
from agemonia_env.policies.learned import LearnedPolicy, sample_actions
from agemonia_env.policies.model_record import ModelError
from agemonia_env.policies.network import Layer, Network
from agemonia_env.rulesets.doors import RULESETS
from agemonia_env.rulesets.identity import identity_of
from agemonia_env.rulesets.ruleset import ruleset_of
from agemonia_env.simulation.games import play_batches, play_on, start_games

MOST = 5000
TOLD = ("won", "round", "decisions", "damage_dealt", "damage_taken", "chance")


class OneByOne:
    """A compiled policy, asked from outside."""

    def __init__(self, policy, batch):
        self.policy, self.batch, self.name = policy, batch, "one by one"

    def choose(self, states, contents, which):
        return self.policy.choose(states, contents, which)


def games(rules, policy, n=24, **options):
    arguments = rules.check_arguments(ties="auto", **options)
    seeds, which = np.arange(n, dtype=np.uint64), (np.arange(n) % 1).astype(np.int16)
    content, control = arguments.compile().content, arguments.control()
    ended = play_batches(rules, content, which, seeds, policy, control=control, max_decisions=MOST)
    return np.concatenate(list(ended))


@pytest.mark.parametrize("env", RULESETS)
@pytest.mark.parametrize("name", ["random", "greedy"])
@pytest.mark.parametrize("batch", [1, 7, 64])
def test_games_are_the_same_inside_and_outside_the_compiled_loop(env, name, batch):
    rules = ruleset_of(env)
    policy = policy_of(rules, name)
    inside, outside = games(rules, policy), games(rules, OneByOne(policy, batch))
    for field in TOLD:
        assert (inside[field] == outside[field]).all(), field


def test_each_side_is_played_by_its_own_policy():
    """The compiled enemy policy, called from outside, plays as it does inside the core."""
    rules = ruleset_of("Agemonia-v0")
    n, heroes = 24, policy_of(rules, "greedy")
    seeds, which = np.arange(n, dtype=np.uint64), np.zeros(n, np.int16)
    inside = games(rules, heroes, n, enemy_will="free", opponent="greedy")
    both = rules.check_arguments(ties="auto", side="both", enemy_will="free")
    content, control = both.compile().content, both.control()
    states = start_games(rules, content, which, seeds, control=control)
    seats = heroes, policy_of(rules, "greedy", side="enemy")
    play_on(rules, (states, content, which), seats, control, MOST)
    for field in TOLD:
        assert (inside[field] == states[field]).all(), field


def test_an_endless_game_is_aborted():
    rules = ruleset_of("Agemonia-v0")
    arguments = rules.check_arguments(ties="auto")
    limits = {"control": arguments.control(), "max_decisions": 3}
    policy = OneByOne(policy_of(rules, "greedy"), 4)
    seeds, which = np.arange(4, dtype=np.uint64), np.zeros(4, np.int16)
    content = arguments.compile().content
    for states in play_batches(rules, content, which, seeds, policy, **limits):
        assert (states["ending"] == 0).all()


def test_actions_are_drawn_by_their_probabilities():
    logits = np.log(np.array([[0.2, 0.5, 0.3]])).repeat(30_000, axis=0)
    logits = np.insert(logits, 1, -np.inf, axis=1)
    actions = sample_actions(logits, np.random.default_rng(0).random(len(logits)))
    shares = np.bincount(actions, minlength=4) / len(actions)
    assert shares[1] == 0
    assert np.abs(shares - [0.2, 0, 0.5, 0.3]).max() < 0.015


@pytest.mark.parametrize("uniform", [0.0, 1 - 2**-31])
def test_an_illegal_action_is_never_drawn(uniform):
    logits = np.array([[-np.inf, 1.0, -np.inf, -np.inf]])
    assert sample_actions(logits, np.array([uniform])).tolist() == [1]


def test_unknown_names_are_refused_with_the_allowed_ones():
    with pytest.raises(ValueError, match=r"policy='clever': must be one of 'greedy', 'random'"):
        policy_of(ruleset_of("Agemonia-v0"), "clever")


@pytest.mark.parametrize("name", ["no.npz", "likeliest:no.npz", "no.safetensors"])
def test_a_missing_model_is_named(name):
    assert model_file(name) is not None
    with pytest.raises(ValueError, match=r"no.*: (no such model|missing)"):
        policy_of(ruleset_of("Agemonia-v0"), name)


def test_the_likeliest_action_is_a_legal_one():
    rules = ruleset_of("Agemonia-v0")
    logits = np.random.default_rng(0).normal(size=rules.N_ACTIONS).astype(np.float32)
    policy = LearnedPolicy(
        rules, "fixed", lambda seen, masks: np.tile(logits, (len(seen), 1)), {}, True
    )
    arguments = rules.check_arguments(ties="auto")
    content, which = arguments.compile().content, np.zeros(4, np.int16)
    seeds = np.arange(4, dtype=np.uint64)
    states = start_games(rules, content, which, seeds, control=arguments.control())
    masks = np.zeros((4, rules.N_ACTIONS), np.uint8)
    rules.api.write_masks(states, content, which, masks)
    actions = policy.choose(states, content, which)
    for action, mask in zip(actions, masks.astype(bool), strict=True):
        assert mask[action]
        assert logits[action] == logits[mask].max()


@pytest.mark.parametrize(
    ("columns", "actions", "message"),
    [
        ([0, 10**6], None, "columns: must be from 0 to"),
        ([-1], None, "columns: must be from 0 to"),
        ([0], 5, "5 actions; Agemonia-v0 has"),
    ],
)
def test_a_network_of_another_size_is_refused(tmp_path, columns, actions, message):
    rules = ruleset_of("Agemonia-v0")
    wide, n = len(columns), actions or rules.N_ACTIONS
    policy, value = (
        Layer(np.zeros((wide, k), np.float32), np.zeros(k, np.float32)) for k in (n, 1)
    )
    identity = identity_of("Agemonia-v0")
    record = {"env_id": "Agemonia-v0", "fingerprint": "", "identity": identity}
    path = tmp_path / "model.npz"
    Network(np.array(columns, np.int32), [], policy, value, record).save(path)
    with pytest.raises(ModelError, match=message):
        policy_of(rules, str(path))


def scoring_network(n_features, **layouts):
    """A network of one column whose scorer reads so many features; layouts: of its identity."""
    read, score, last, value = (
        Layer(np.zeros((inputs, 1), np.float32), np.zeros(1, np.float32))
        for inputs in (n_features, 1, 1, 2)
    )
    trunk = [Layer(np.zeros((1, 1), np.float32), np.zeros(1, np.float32))]
    identity = identity_of("Agemonia-v0") | layouts
    record = {"env_id": "Agemonia-v0", "fingerprint": "", "identity": identity}
    return Network(np.zeros(1, np.int32), trunk, score, value, record, [read, last])


def test_a_network_for_other_action_features_is_refused(tmp_path):
    rules, path = ruleset_of("Agemonia-v0"), tmp_path / "model.npz"
    scoring_network(5).save(path)
    with pytest.raises(ModelError, match="5 action features; Agemonia-v0 has"):
        policy_of(rules, str(path))
    scoring_network(rules.N_ACTION_FEATURES, features="other").save(path)
    with pytest.raises(ModelError, match="action features have another layout"):
        policy_of(rules, f"force:{path}")


def test_a_scoring_network_plays_any_scenario(tmp_path):
    rules, path = ruleset_of("Agemonia-v0"), tmp_path / "model.npz"
    scoring_network(rules.N_ACTION_FEATURES).save(path)
    policy = policy_of(rules, str(path), fingerprint="of another scenario")
    assert policy.reads_features


def test_a_planners_network_is_part_of_its_name(tmp_path):
    rules, path = ruleset_of("Agemonia-v0"), tmp_path / "model.npz"
    scoring_network(rules.N_ACTION_FEATURES).save(path)
    name = f"planner:7:{path}"
    planner = policy_of(rules, name)
    assert (planner.name, planner.simulations) == (name, 7)
    assert planner.network is not None
    assert model_file(name) == path
    assert policy_of(rules, "planner:7").network is None


@pytest.mark.parametrize(
    "file", ["model.zip", "nobody", "likeliest:model.npz", "", "planner:7:model.npz"]
)
def test_a_planner_needs_a_network_of_its_own_kind(file):
    with pytest.raises(ValueError, match=r"policy=.*: a planner's network must be"):
        policy_of(ruleset_of("Agemonia-v0"), f"planner:7:{file}")


def test_a_planner_needs_a_network_that_scores(tmp_path):
    rules, path = ruleset_of("Agemonia-v0"), tmp_path / "model.npz"
    policy, value = (
        Layer(np.zeros((1, k), np.float32), np.zeros(k, np.float32)) for k in (rules.N_ACTIONS, 1)
    )
    Network(np.zeros(1, np.int32), [], policy, value, scoring_network(1).record).save(path)
    with pytest.raises(ModelError, match=r"model\.npz: a planner needs a network that scores"):
        policy_of(rules, f"planner:7:{path}")
