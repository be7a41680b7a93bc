"""Monte Carlo tree search over decisions: one walk at a time, from a copy with chance of its own.

A walk goes down the tree (core/mcts.py) to an answer never tried, and the greedy policy plays on
from there to the end of the scenario.
"""

from agemonia_env.core import mcts
from agemonia_env.core.env_slots import Control
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import write_actions
from agemonia_env.core.rng import seed_streams, sort

from . import masks, policies
from .actions import WORD_START
from .control import settle, take
from .layout import N_DECKS, N_FIGURES, N_TYPES
from .policies import Policy
from .rules import deck
from .terms import Stream

DEEPEST = 256  # decisions of a walk inside the tree
TRUST = 0.5  # prior share of what the greedy policy would do
EXPLORATION = 1.0


@kernel
def forget(s):
    """Put what is face down into one order, so that no search can depend on the true one."""
    for d in range(N_DECKS):
        sort(s.deck[d].pile, s.deck[d].n_pile)
    for kind in range(N_TYPES):
        sort(s.type[kind].pile, s.type[kind].n_pile)


@kernel
def hide(s, seed):
    """Give a game chance of its own: its streams, and the order of what is face down."""
    seed_streams(s.chance, seed)
    for d in range(N_DECKS):
        deck.shuffle(s.deck[d], s.chance, Stream.MODIFIERS + d)
    for kind in range(N_TYPES):
        deck.shuffle(s.type[kind], s.chance, Stream.MONSTER_CARDS)


@kernel
def walk(s, c, plan, legal, rows, actions, nodes, edges, used, path):
    """Play a copy to its end by way of the tree, and enter what came of it."""
    node, depth = mcts.ROOT, 0
    n = masks.write_legal(s, c, legal)
    while n > 0 and depth < DEEPEST:
        likely = policies.choose(s, c, Policy.GREEDY, legal, n)
        write_actions(legal, WORD_START, actions)
        edge = mcts.climb(nodes, edges, used, node, actions, n, likely, TRUST, EXPLORATION, 1)
        path[depth, 0], path[depth, 1] = node, edge
        depth += 1
        take(s, edges[edge].action)
        n = settle(s, c, Control.AUTO_TIES, plan, legal, rows)
        if edges[edge].visits == 0:
            break
        question = s.decision * (N_FIGURES + 1) + s.asked + 1
        node = mcts.node_behind(nodes, edges, used, edge, question)
    while n > 0:
        take(s, policies.choose(s, c, Policy.GREEDY, legal, n))
        n = settle(s, c, Control.AUTO_TIES, plan, legal, rows)
    mcts.note(nodes, edges, path, depth, 1.0 if s.won else 0.0)
