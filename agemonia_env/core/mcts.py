"""A search tree over decisions, in arrays that a planner lays out once and plants anew.

Nodes are questions, edges the answers tried. What follows an answer depends on chance, so one edge
leads to as many nodes as there are questions that chance has led to so far: an open-loop tree, in
which an answer is judged by the average over the chance behind it. Which answers are legal may
differ from visit to visit, too; only those are looked at (Cowling, Powley, Whitehouse, "Information
Set Monte Carlo Tree Search", IEEE TCIAIG 4, 2012).
"""

import numpy as np

from .jit import kernel

ROOT = 0
NONE = -1

NODE = np.dtype(
    [
        ("total", np.float64),  # sum of the values seen here, in the view of the Heroes
        ("visits", np.int32),
        ("question", np.int32),  # tells apart what may be asked after the same answer
        ("edge", np.int32),  # the last one tried
        ("sibling", np.int32),  # another question after the same answer
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("total", np.float64),
        ("visits", np.int32),
        ("action", np.int32),
        ("node", np.int32),  # the last one found behind it
        ("sibling", np.int32),  # tried before it at the same node
    ],
    align=True,
)


@kernel
def plant(nodes, used):
    """Begin a tree: a root, nothing tried. used: int64 (2,), how many nodes and edges there are."""
    used[0], used[1] = 0, 0
    add_node(nodes, used, 0, NONE)


@kernel
def add_node(nodes, used, question, sibling):
    """A node that nobody has visited -> its number."""
    k = used[0]
    used[0] += 1
    nodes[k].total = 0.0
    nodes[k].visits = 0
    nodes[k].question = question
    nodes[k].edge = NONE
    nodes[k].sibling = sibling
    return k


@kernel
def add_edge(nodes, edges, used, node, action):
    """An answer that nobody has tried -> its number."""
    k = used[1]
    used[1] += 1
    edges[k].total = 0.0
    edges[k].visits = 0
    edges[k].action = action
    edges[k].node = NONE
    edges[k].sibling = nodes[node].edge
    nodes[node].edge = k
    return k


@kernel
def edge_of(nodes, edges, node, action):
    """The edge of an answer, or NONE if it was never tried."""
    k = int(nodes[node].edge)
    while k != NONE and edges[k].action != action:
        k = int(edges[k].sibling)
    return k


@kernel
def node_behind(nodes, edges, used, edge, question):
    """The node of the question that is now asked after an answer."""
    k = int(edges[edge].node)
    while k != NONE and nodes[k].question != question:
        k = int(nodes[k].sibling)
    if k == NONE:
        k = add_node(nodes, used, question, edges[edge].node)
        edges[edge].node = k
    return k


@kernel
def climb(nodes, edges, used, node, actions, n, likely, trust, exploration, sign):
    """The edge to follow at a node: the best of mean value and exploration (PUCT).

    actions: the n legal ones; likely: that of the policy searched from, which has the prior `trust`
    beside its even share of the rest. sign: 1 for the Heroes, -1 for their enemies. An answer never
    tried counts as good as its node. Silver et al., "Mastering the game of Go without human
    knowledge", Nature 550, 2017, Methods.
    """
    visits = nodes[node].visits
    mean = nodes[node].total / visits if visits > 0 else 0.0
    wide = exploration * np.sqrt(visits + 1.0)
    best, best_edge, best_score = 0, NONE, -np.inf
    for k in range(n):
        action = actions[k]
        prior = (1.0 - trust) / n + (trust if action == likely else 0.0)
        edge = edge_of(nodes, edges, node, action)
        tried = int(edges[edge].visits) if edge != NONE else 0
        value = edges[edge].total / tried if tried > 0 else mean
        score = sign * value + wide * prior / (1 + tried)
        if score > best_score:
            best, best_edge, best_score = action, edge, score
    return best_edge if best_edge != NONE else add_edge(nodes, edges, used, node, best)


@kernel
def note(nodes, edges, path, depth, value):
    """Enter what came of a walk: path[:depth] are its (node, edge), value that of its end."""
    for k in range(depth):
        node, edge = path[k, 0], path[k, 1]
        nodes[node].visits += 1
        nodes[node].total += value
        edges[edge].visits += 1
        edges[edge].total += value


@kernel
def decided(nodes, edges, left):
    """Whether `left` walks more cannot change which answer is settled.

    Four of ten walks are spared so with 50 for each decision, and every answer is the same.
    """
    most, second = 0, 0
    k = int(nodes[ROOT].edge)
    while k != NONE:
        tried = int(edges[k].visits)
        if tried > most:
            most, second = tried, most
        elif tried > second:
            second = tried
        k = int(edges[k].sibling)
    return most - second > left


@kernel
def settled(nodes, edges, sign):
    """The answer visited most at the root; of equals the one with the better mean."""
    best, best_score = NONE, -np.inf
    k = int(nodes[ROOT].edge)
    while k != NONE:
        tried = int(edges[k].visits)
        if tried > 0:
            score = tried + 0.4 * sign * edges[k].total / tried
            if score > best_score:
                best, best_score = int(edges[k].action), score
        k = int(edges[k].sibling)
    return best
