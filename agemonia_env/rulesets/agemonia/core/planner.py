"""Monte Carlo tree search over decisions: one simulation at a time, on a reseeded copy.

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

MAX_DEPTH = 256  # decisions of a simulation inside the tree
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
def simulate(s, c, work, legal, rows, actions, nodes, edges, used, path):
    """Play a copy through the tree to the end of the scenario, and back up the result."""
    control = Control.AUTO_TIES | (Control.ENEMIES_ASKED if c.enemy_will == Will.FREE else 0)
    node, depth = mcts.ROOT, 0
    n = masks.write_legal(s, c, legal)
    while n > 0 and depth < MAX_DEPTH:
        prior_action = policies.choose(s, c, Policy.GREEDY, work, legal, n)
        write_actions(legal, WORD_START, actions)
        sign = sign_of(s, c)
        edge = mcts.select_edge(
            nodes, edges, used, node, actions, n, prior_action, PRIOR, EXPLORATION, sign
        )
        path[depth, 0], path[depth, 1] = node, edge
        depth += 1
        take(s, edges[edge].action)
        n = settle(s, c, control, work, legal, rows)
        if edges[edge].visits == 0:
            break
        question = s.decision * (N_ALLIES + 1) + s.asked + 1
        node = mcts.child_node(nodes, edges, used, edge, question)
    while n > 0:
        take(s, policies.choose(s, c, Policy.GREEDY, work, legal, n))
        n = settle(s, c, control, work, legal, rows)
    mcts.back_up(nodes, edges, path, depth, 1.0 if s.won else 0.0)
