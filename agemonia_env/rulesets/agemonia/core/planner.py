"""Monte Carlo tree search over decisions: one walk at a time, from a copy with chance of its own.

A walk goes down the tree (core/mcts.py) to an answer never tried, and the greedy policy plays on
from there to the end of the scenario. Both sides search for themselves where the Enemies choose.
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

DEEPEST = 256  # decisions of a walk inside the tree
TRUST = 0.5  # prior share of what the greedy policy would do
EXPLORATION = 1.0


@kernel
def hide(s, c, seed):
    """Give a game chance of its own: its streams, and the order of what is face down."""
    seed_streams(s.chance, seed)
    chance.shuffle_initiative(s, c)
    chance.shuffle_fate(s)


@kernel
def sign_of(s, c):
    """-1 where Enemies that choose for themselves are asked, else 1; ties are the players'."""
    return -1 if c.enemy_will == Will.FREE and side_of(s) == Side.ENEMIES else 1


@kernel
def walk(s, c, legal, rows, actions, nodes, edges, used, path):
    """Play a copy to its end by way of the tree, and enter what came of it."""
    control = Control.AUTO_TIES | (Control.ENEMIES_ASKED if c.enemy_will == Will.FREE else 0)
    node, depth = mcts.ROOT, 0
    n = masks.write_legal(s, c, legal)
    while n > 0 and depth < DEEPEST:
        likely = policies.choose(s, c, Policy.GREEDY, legal, n)
        write_actions(legal, WORD_START, actions)
        sign = sign_of(s, c)
        edge = mcts.climb(nodes, edges, used, node, actions, n, likely, TRUST, EXPLORATION, sign)
        path[depth, 0], path[depth, 1] = node, edge
        depth += 1
        take(s, edges[edge].action)
        n = settle(s, c, control, legal, rows)
        if edges[edge].visits == 0:
            break
        question = s.decision * (N_ALLIES + 1) + s.asked + 1
        node = mcts.node_behind(nodes, edges, used, edge, question)
    while n > 0:
        take(s, policies.choose(s, c, Policy.GREEDY, legal, n))
        n = settle(s, c, control, legal, rows)
    mcts.note(nodes, edges, path, depth, 1.0 if s.won else 0.0)
