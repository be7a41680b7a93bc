"""Monte Carlo tree search over decisions: every simulation plays a reseeded copy of the game.

A simulation goes down the tree (core/mcts.py) to an untried answer; from there the greedy policy
plays on to the end of the scenario. Where the Enemies choose, each side
searches for itself.
"""

from agemonia_env.core import mcts
from agemonia_env.core.env_slots import Control
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import write_actions
from agemonia_env.core.rng import seed_streams

from . import chance, masks, policies
from .actions import WORD_START
from .control import settle, take
from .layout import N_ALLIES
from .policies import Policy
from .sides import side_of
from .terms import Side, Will

PRIOR = 0.5  # prior share of the greedy policy's action
EXPLORATION = 1.0


@kernel
def redraw_hidden(s, c, seed):
    """Reseed a game: its random streams, and the order of its face-down cards."""
    seed_streams(s.chance, seed)
    chance.shuffle_initiative(s, c)
    chance.shuffle_fate(s)


@kernel
def sign_of(s, c):
    """-1 where Enemies that choose for themselves are asked, else 1; ties are the players'."""
    return -1 if c.enemy_will == Will.FREE and side_of(s) == Side.ENEMIES else 1


@kernel
def control_of(c):
    """Who is asked in a simulation."""
    return Control.AUTO_TIES | (Control.ENEMIES_ASKED if c.enemy_will == Will.FREE else 0)


@kernel
def descend(s, c, work, legal, rows, actions, nodes, edges, counts, flight):
    """Take a copy down the tree to an untried answer -> the number of legal answers after it."""
    node, n = mcts.ROOT, masks.write_legal(s, c, legal)
    flight.depth = 0
    while n > 0 and flight.depth < mcts.MAX_DEPTH:
        prior_action = policies.choose(s, c, Policy.GREEDY, work, legal, n)
        write_actions(legal, WORD_START, actions)
        sign = sign_of(s, c)
        edge = mcts.select_edge(
            nodes, edges, counts, node, actions, n, prior_action, PRIOR, EXPLORATION, sign
        )
        is_new = edges[edge].visits == 0
        mcts.follow(nodes, edges, flight, node, edge, sign)
        take(s, edges[edge].action)
        n = settle(s, c, control_of(c), work, legal, rows)
        if is_new:
            break
        question = s.decision * (N_ALLIES + 1) + s.asked + 1
        node = mcts.child_node(nodes, edges, counts, edge, question)
    return n


@kernel
def play_on(s, c, work, legal, rows, n):
    """Play a copy, with n legal answers now, greedily to the end -> 1 if it is won, else 0."""
    while n > 0:
        take(s, policies.choose(s, c, Policy.GREEDY, work, legal, n))
        n = settle(s, c, control_of(c), work, legal, rows)
    return 1.0 if s.won else 0.0
