"""A game as a tree: the same choices lead to the same node, and only chance nodes draw."""

import random
from itertools import pairwise

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from agemonia_env.envs import env_class
from agemonia_env.envs.game_tree import CHANCE, ENDED, SET_UP, GameTree
from agemonia_env.policies import policy_of
from agemonia_env.rulesets.ruleset import ruleset_of

IDS = ["Agemonia-v0", "HexDungeon-v0"]
QUICK = {"ties": "auto", "heroes": 1}
GAMES = [
    ("Agemonia-v0", QUICK),
    ("Agemonia-v0", QUICK | {"side": "both"}),
    ("HexDungeon-v0", QUICK),
]
MOMENTS = 400 if COMPILED else 12


def walk(tree, seed=0, most=MOMENTS):
    """Play by chance; yields each node with the choice that follows, and last the end."""
    source, node = random.Random(seed), tree.root()
    for _ in range(most):
        if node.turn == ENDED:
            break
        choice = source.choice(node.legal)
        yield node, choice
        node = tree.child(node, choice)
    yield node, None


@pytest.mark.parametrize(("env_id", "keys"), GAMES)
def test_the_same_choices_lead_to_the_same_node_in_any_order(env_id, keys):
    tree, other = GameTree(env_id, seed=3, **keys), GameTree(env_id, seed=3, **keys)
    first = list(walk(tree, seed=1))
    for (node, choice), (after, _) in reversed(list(pairwise(first))):
        assert other.child(node, choice) == after
    assert [node for node, _ in walk(GameTree(env_id, seed=4, **keys), seed=1)] != first


@pytest.mark.parametrize(("env_id", "keys"), GAMES)
def test_nodes_are_positions_of_the_environment(env_id, keys):
    tree, env = GameTree(env_id, **keys), env_class(env_id)(**keys)
    turns = set()
    for node, _ in walk(tree):
        turns.add(node.turn)
        if not node.position:
            assert not tree.observation(node).any()
            continue
        env.set_state(node.position)
        assert (node.turn == ENDED) == bool(env.states["ending"][0])
        if node.turn not in (CHANCE, ENDED):
            assert node.legal == tuple(env.legal_actions().tolist())
            assert tree.choice_text(node, node.legal[0]) == env.action_meaning(node.legal[0])
    assert turns >= {CHANCE, *tree.sides}
    if COMPILED:
        assert node.turn == ENDED
        assert node.score == (1 if env.states["won"][0] else -1)
        assert node.legal == ()


@pytest.mark.parametrize("env_id", IDS)
def test_chance_follows_exactly_the_actions_that_draw(env_id):
    tree, env = GameTree(env_id, **QUICK), env_class(env_id)(**QUICK)
    drawn = set()
    for node, choice in walk(tree, most=60 if COMPILED else 8):
        if choice is not None and node.turn != CHANCE:
            env.set_state(node.position)
            ways = env.chance_outcomes(choice, limit=2, samples=3).ways
            after = tree.child(node, choice)
            assert (after.turn == CHANCE) == (ways > 1)
            drawn.add(after.turn == CHANCE)
            assert after.action == (choice if after.turn == CHANCE else None)
    assert drawn == {False, True} or not COMPILED


def test_outcomes_differ_and_hide_what_comes():
    tree = GameTree("Agemonia-v0", outcomes=40, **QUICK)
    root = tree.root()
    assert (root.turn, root.action, root.legal) == (CHANCE, SET_UP, tuple(range(40)))
    positions = {tree.child(root, outcome).position for outcome in root.legal}
    assert len(positions) == 40


def test_an_opponent_outside_the_core_belongs_to_chance():
    greedy = policy_of(ruleset_of("Agemonia-v0"), "greedy", side="enemy")
    tree = GameTree("Agemonia-v0", enemy_will="free", opponent=greedy, **QUICK)
    node = tree.child(tree.root(), 0)
    assert {tree.child(node, action).turn for action in node.legal} == {CHANCE}


@pytest.mark.parametrize("env_id", IDS)
def test_a_node_is_told_in_words_and_numbers(env_id):
    tree = GameTree(env_id, **QUICK)
    root = tree.root()
    assert tree.board_text(root) == "Chance sets the scenario up."
    assert tree.choice_text(root, 3) == "outcome 3"
    seen = set()
    for node, _ in walk(tree, most=30 if COMPILED else 6):
        seen.add("Chance decides: " in tree.board_text(node))
        if node.position:
            tree.env.set_state(node.position)
            assert np.array_equal(tree.observation(node), tree.env._observe())
    assert seen == {False, True} or not COMPILED


def test_mistakes_are_named():
    tree = GameTree("Agemonia-v0", **QUICK)
    root = tree.root()
    first = tree.child(root, 0)
    with pytest.raises(ValueError, match=r"^choice=32: must be an outcome, 0 to 31$"):
        tree.child(root, 32)
    with pytest.raises(ValueError, match=r"^choice=-1: must be a legal action, one of \d+"):
        tree.child(first, -1)
    with pytest.raises(ValueError, match=r"^choice=0: the game has ended$"):
        tree.child(first._replace(turn=ENDED, legal=()), 0)
    with pytest.raises(ValueError, match=r"^outcomes=0: must be a whole number, 1 to 65536$"):
        GameTree("Agemonia-v0", outcomes=0)
    with pytest.raises(ValueError, match=r"^seed=-1: "):
        GameTree("Agemonia-v0", seed=-1)
    with pytest.raises(ValueError, match="unknown scenario 'fjord'"):
        GameTree("HexDungeon-v0", scenario="fjord")
