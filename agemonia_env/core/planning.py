"""Monte Carlo tree search over decisions: every simulation plays a reseeded copy of the game.

A simulation goes down the tree (mcts.py) to an untried answer; from there the greedy policy plays
on to the end of the scenario. With a network (scoring.py) for the side that is asked, that gives
the priors, and its value counts beside playing on. Where the enemies choose, each side searches for
itself.
"""

from . import mcts, scoring
from .env_slots import Control
from .jit import kernel
from .legal_sets import write_actions
from .rng import seed_streams

PRIOR = 0.5  # prior share of the greedy policy's action
EXPLORATION = 1.0
MOST_ASKED = 64  # figures and parties that a question may be put to


def planning_kernels(core, settle, take):
    """The kernels `redraw_hidden`, `descend` and `play_on` of a ruleset; core: entries.Core."""
    action_features, hidden, masks = core.action_features, core.hidden, core.masks
    observe, policies, potential, sides = core.observe, core.policies, core.potential, core.sides
    GREEDY, WORD_START = policies.Policy.GREEDY, core.actions.WORD_START

    @kernel
    def redraw_hidden(s, c, seed):
        """Reseed a game: its random streams, and the order of its face-down cards."""
        seed_streams(s.chance, seed)
        hidden.reorder(s, c)

    @kernel
    def control_of(c):
        """Who is asked in a simulation."""
        return Control.AUTO_TIES | (Control.ENEMIES_ASKED if sides.enemies_choose(c) else 0)

    @kernel
    def sign_of(s, c):
        """-1 where enemies that choose for themselves are asked, else 1; ties are the players'."""
        return -1 if sides.enemies_choose(c) and sides.side_of(s) > 0 else 1

    @kernel
    def descend(s, c, scratch, legal, rows, actions, nodes, edges, counts, flight, net):
        """Take a copy down the tree to an untried answer -> how many answers are legal then."""
        node, n = mcts.ROOT, masks.write_legal(s, c, legal)
        flight.depth = 0
        while n > 0 and flight.depth < mcts.MAX_DEPTH:
            write_shares(s, c, scratch, legal, n, actions, net)
            sign = sign_of(s, c)
            edge = mcts.select_edge(
                nodes, edges, counts, node, actions, n, net.shares, EXPLORATION, sign
            )
            is_new = edges[edge].visits == 0
            mcts.follow(nodes, edges, flight, node, edge, sign)
            take(s, edges[edge].action)
            n = settle(s, c, control_of(c), scratch, legal, rows)
            if is_new:
                break
            question = s.decision * MOST_ASKED + s.asked + 1
            node = mcts.child_node(nodes, edges, counts, edge, question)
        return n

    @kernel
    def write_shares(s, c, scratch, legal, n, actions, net):
        """List the n legal answers, and write their prior probabilities into net.shares.

        They come from the network where its side is asked, else from what the greedy policy would
        do.
        """
        if is_scored(s, c, net):
            score(s, c, scratch, legal, n, net)
            scoring.write_shares(net, n)
            write_actions(legal, WORD_START, actions)
        else:
            chosen = policies.choose(s, c, GREEDY, scratch, legal, n)
            write_actions(legal, WORD_START, actions)
            mcts.share_by_choice(actions, n, chosen, PRIOR, net.shares)

    @kernel
    def is_scored(s, c, net):
        """Whether the network plays the side that is asked."""
        return net.side == sign_of(s, c)

    @kernel
    def score(s, c, scratch, legal, n, net):
        """Run the network on a position with n legal answers -> its value for its side."""
        masks.write_mask(s, legal, net.mask)
        observe.observe(s, c, 0, observe.ALL_CHANGED, net.codes, net.observations, net.codes[0])
        action_features.write_features(s, c, net.mask, legal, scratch, net.rows, 0)
        return scoring.score(net, n)

    @kernel
    def play_on(s, c, scratch, legal, rows, n, net):
        """The chance that a copy, with n legal answers now, is won.

        The greedy policy plays it to the end. What the network says where its side is first asked
        has the share net.trust in the result; if that is all of it, nothing more is played.
        """
        chance, share = 0.0, 0.0
        while n > 0 and share < 1.0:
            if share < net.trust and is_scored(s, c, net):
                value = score(s, c, scratch, legal, n, net)
                chance = scoring.chance_of_winning(net, value, potential.potential(s, c))
                share = net.trust
            else:
                take(s, policies.choose(s, c, GREEDY, scratch, legal, n))
                n = settle(s, c, control_of(c), scratch, legal, rows)
        return share * chance + (1.0 - share) * s.won

    return redraw_hidden, sign_of, descend, play_on
