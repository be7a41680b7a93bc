"""Monte Carlo tree search over decisions: every simulation plays a reseeded copy of the game.

A simulation goes down the tree (core/mcts.py) to an untried answer; from there the greedy policy
plays on to the end of the scenario.
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

PRIOR = 0.5  # prior share of the greedy policy's action
EXPLORATION = 1.0


@kernel
def sort_hidden(s):
    """Sort the face-down cards, so that no search can depend on their true order."""
    for d in range(N_DECKS):
        sort(s.deck[d].pile, s.deck[d].n_pile)
    for kind in range(N_TYPES):
        sort(s.type[kind].pile, s.type[kind].n_pile)


@kernel
def redraw_hidden(s, seed):
    """Reseed a game: its random streams, and the order of its face-down cards."""
    seed_streams(s.chance, seed)
    for d in range(N_DECKS):
        deck.shuffle(s.deck[d], s.chance, Stream.MODIFIERS + d)
    for kind in range(N_TYPES):
        deck.shuffle(s.type[kind], s.chance, Stream.MONSTER_CARDS)


@kernel
def descend(s, c, plan, work, legal, rows, actions, nodes, edges, counts, flight):
    """Take a copy down the tree to an untried answer -> the number of legal answers after it."""
    node, n = mcts.ROOT, masks.write_legal(s, c, legal)
    flight.depth = 0
    while n > 0 and flight.depth < mcts.MAX_DEPTH:
        prior_action = policies.choose(s, c, Policy.GREEDY, work, legal, n)
        write_actions(legal, WORD_START, actions)
        sign = 1
        edge = mcts.select_edge(
            nodes, edges, counts, node, actions, n, prior_action, PRIOR, EXPLORATION, sign
        )
        is_new = edges[edge].visits == 0
        mcts.follow(nodes, edges, flight, node, edge, sign)
        take(s, edges[edge].action)
        n = settle(s, c, Control.AUTO_TIES, plan, work, legal, rows)
        if is_new:
            break
        question = s.decision * (N_FIGURES + 1) + s.asked + 1
        node = mcts.child_node(nodes, edges, counts, edge, question)
    return n


@kernel
def play_on(s, c, plan, work, legal, rows, n):
    """Play a copy, with n legal answers now, greedily to the end -> 1 if it is won, else 0."""
    while n > 0:
        take(s, policies.choose(s, c, Policy.GREEDY, work, legal, n))
        n = settle(s, c, Control.AUTO_TIES, plan, work, legal, rows)
    return 1.0 if s.won else 0.0
