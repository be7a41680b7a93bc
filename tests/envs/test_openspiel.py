"""OpenSpiel: its own tests, and the same game as the environments."""

import copy
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip(
    "pyspiel", reason="OpenSpiel games need the extra openspiel, which make interop installs"
)

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import generate_playthrough, mcts
from open_spiel.python.observation import make_observation

import agemonia_env.envs.openspiel  # noqa: F401 - registers the games
from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import env_class

GAMES = [
    "agemonia_v0(heroes=1,ties=auto)",
    "agemonia_v0(heroes=1,side=both,ties=auto)",
    "agemonia_v0(party=ketch+orsa,scenario=beacon,ties=auto,outcomes=3)",
    "hexdungeon_v0(heroes=1,ties=auto)",
]


def load(name):
    return pyspiel.load_game(name)


def played(name, seed=1, most=1000):
    """States of one game by chance, up to its end."""
    state, random = load(name).new_initial_state(), np.random.default_rng(seed)
    for _ in range(most):
        yield state
        if state.is_terminal():
            return
        state.apply_action(int(random.choice(state.legal_actions())))


# ---- OpenSpiel's own tests ----------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_random_sim_test_passes(name):
    seen = []
    pyspiel.random_sim_test(
        load(name),
        num_sims=2 if COMPILED else 1,
        serialize=True,
        verbose=False,
        state_checker_fn=lambda state: seen.append(state.is_terminal()),
    )  # which ends the process if anything is wrong
    assert len(seen) > 10


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_plays_again(name):
    text = generate_playthrough.playthrough(name, [], seed=3)
    actions = [int(action) for action in re.findall(r"^action: (.*)$", text, re.MULTILINE)]
    words = re.findall(r'^# Apply action "(.*)"$', text, re.MULTILINE)
    assert generate_playthrough.playthrough(name, actions) == text
    assert generate_playthrough.playthrough(name, words) == text
    assert "IsTerminal() = True" in text


# ---- the same game ------------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_states_are_positions_of_the_environment(name):
    game = load(name)
    env = env_class(game.get_type().long_name)(**_arguments(game))
    seen = make_observation(game)
    for state in played(name):
        if not state.node.position:
            assert state.is_chance_node()
            continue
        env.set_state(state.node.position)
        seen.set_from(state, 0)
        assert np.array_equal(seen.tensor, env._observe())
        assert np.array_equal(state.observation_tensor(0), env._observe())
        if not state.is_chance_node() and not state.is_terminal():
            assert state.legal_actions() == env.legal_actions().tolist()
    assert state.is_terminal()
    won = 1.0 if env.states["won"][0] else -1.0
    assert state.returns() == [won, -won][: game.num_players()]


def _arguments(game):
    given = game.get_parameters()
    party = given.pop("party", None)
    given.pop("outcomes", None)
    return given | ({"heroes": party.split("+")} if party else {})


def test_both_sides_play():
    players = {state.current_player() for state in played(GAMES[1])}
    assert players == {0, 1, pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL}
    game = load(GAMES[1])
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert game.utility_sum() == 0
    assert load("agemonia_v0(side=enemy)").num_players() == 1


@pytest.mark.parametrize("name", [GAMES[0], GAMES[3]])
def test_clones_and_serialized_states_go_on_alike(name):
    game = load(name)
    for moment, state in enumerate(played(name, most=40)):
        copy, before = state.clone(), str(state)
        if moment % 8 == 0 and not state.is_terminal():
            text = pyspiel.serialize_game_and_state(game, state)
            _, again = pyspiel.deserialize_game_and_state(text)
            action = state.legal_actions()[-1]
            copy.apply_action(action)
            again.apply_action(action)
            assert str(copy) == str(again)
            assert copy.history() == again.history()
            assert str(state) == before


@pytest.mark.parametrize("name", [GAMES[1], GAMES[3]])
def test_tree_search_of_openspiel_plays(name):
    game = load(name)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
    bot = mcts.MCTSBot(game, 1.4, 4, evaluator, random_state=np.random.RandomState(0))
    for state in played(name, most=30):
        if state.current_player() >= 0:
            assert bot.step(state) in state.legal_actions()
            break


# ---- parameters ---------------------------------------------------------------------------------
def test_parameters_are_those_of_the_environment():
    game = load("agemonia_v0(scenario=random,scenario_seed=7to7,level=2,seed=5)")
    assert game.tree.env.arguments.scenario_seed == (7, 7)
    assert game.tree.env.arguments.level == 2
    assert str(load(str(game))) == str(game)
    assert (
        load("agemonia_v0").tree.env.arguments
        == env_class("Agemonia-v0")(illegal="raise").arguments
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("agemonia_v0(scenario=fjord)", "unknown scenario 'fjord'"),
        ("agemonia_v0(party=orsa,heroes=3)", "leave `heroes` out"),
        ("agemonia_v0(scenario=random,scenario_seed=7to)", "must be FIRSTtoLAST"),
        ("hexdungeon_v0(side=both)", "side='both'"),
        ("hexdungeon_v0(outcomes=0)", "outcomes=0"),
    ],
)
def test_wrong_parameters_are_named(name, said):
    with pytest.raises(ValueError, match=said):
        load(name)


def test_observations_have_no_parameters():
    with pytest.raises(ValueError, match=r"observation parameters=.*there are none"):
        make_observation(load("agemonia_v0"), params={"size": 3})


# ---- pickles ------------------------------------------------------------------------------------
@pytest.mark.parametrize("again", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])
@pytest.mark.parametrize("name", GAMES)
def test_games_states_and_policies_can_be_pickled(name, again):
    *_, state = played(name, most=12)
    game = state.get_game()
    assert again(game) == game
    assert str(again(game)) == str(game)
    other = again(state)
    assert (other.history(), str(other)) == (state.history(), str(state))
    chooser = policy.UniformRandomPolicy(game)
    assert again(chooser).action_probabilities(other) == chooser.action_probabilities(state)


def test_another_process_unpickles_a_game_that_it_has_not_registered(tmp_path):
    path = tmp_path / "game"
    path.write_bytes(pickle.dumps(load(GAMES[0])))
    code = (
        "import pathlib, pickle, sys; print(pickle.loads(pathlib.Path(sys.argv[1]).read_bytes()))"
    )
    words = [sys.executable, "-c", code, str(path)]
    assert subprocess.check_output(words, text=True).strip() == str(load(GAMES[0]))
