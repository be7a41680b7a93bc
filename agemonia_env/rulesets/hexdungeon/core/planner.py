"""Monte Carlo tree search over decisions: every simulation plays a reseeded copy of the game.

A simulation goes down the tree (core/mcts.py) to an untried answer; from there the greedy policy
plays on to the end of the scenario. With a network (core/scoring.py), that gives the priors, and
its value counts beside playing on.
"""

from agemonia_env.core import mcts, scoring
from agemonia_env.core.env_slots import Control
from agemonia_env.core.jit import kernel
from agemonia_env.core.legal_sets import write_actions
from agemonia_env.core.rng import seed_streams, sort

from . import action_features, masks, observe, policies
from .actions import WORD_START
from .control import settle, take
from .heuristics.potential import potential
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
    reorder_hidden(s)


@kernel
def reorder_hidden(s):
    """Shuffle the face-down cards; with forced chance they are sorted."""
    for d in range(N_DECKS):
        deck.shuffle(s.deck[d], s.chance, Stream.MODIFIERS + d)
    for kind in range(N_TYPES):
        deck.shuffle(s.type[kind], s.chance, Stream.MONSTER_CARDS)


@kernel
def descend(s, c, plan, work, legal, rows, actions, nodes, edges, counts, flight, net):
    """Take a copy down the tree to an untried answer -> the number of legal answers after it."""
    node, n = mcts.ROOT, masks.write_legal(s, c, legal)
    flight.depth = 0
    while n > 0 and flight.depth < mcts.MAX_DEPTH:
        write_shares(s, c, work, legal, n, actions, net)
        sign = 1
        edge = mcts.select_edge(
            nodes, edges, counts, node, actions, n, net.shares, EXPLORATION, sign
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
def write_shares(s, c, work, legal, n, actions, net):
    """List the n legal answers, and write their prior probabilities into net.shares.

    They come from the network where its side is asked, else from what the greedy policy would do.
    """
    if is_scored(s, c, net):
        score(s, c, work, legal, n, net)
        scoring.write_shares(net, n)
        write_actions(legal, WORD_START, actions)
    else:
        chosen = policies.choose(s, c, Policy.GREEDY, work, legal, n)
        write_actions(legal, WORD_START, actions)
        mcts.share_by_choice(actions, n, chosen, PRIOR, net.shares)


@kernel
def is_scored(s, c, net):
    """Whether the network plays the side that is asked."""
    return net.side == 1


@kernel
def score(s, c, work, legal, n, net):
    """Run the network on a position with n legal answers -> its value for the network's side."""
    masks.write_mask(s, legal, net.mask)
    observe.observe(s, c, 0, observe.ALL_CHANGED, net.codes, net.observations, net.codes[0])
    action_features.write_features(s, c, net.mask, work, net.work[0], net.rows, 0)
    return scoring.score(net, n)


@kernel
def play_on(s, c, plan, work, legal, rows, n, net):
    """The chance that a copy, with n legal answers now, is won.

    The greedy policy plays it to the end. What the network says where its side is first asked has
    the share net.trust in the result; if that is all of it, nothing more is played.
    """
    chance, share = 0.0, 0.0
    while n > 0 and share < 1.0:
        if share < net.trust and is_scored(s, c, net):
            value = score(s, c, work, legal, n, net)
            chance = scoring.chance_of_winning(net, value, potential(s, c))
            share = net.trust
        else:
            take(s, policies.choose(s, c, Policy.GREEDY, work, legal, n))
            n = settle(s, c, Control.AUTO_TIES, plan, work, legal, rows)
    return share * chance + (1.0 - share) * s.won
