"""A Monte Carlo search tree over decisions, in arrays that a planner allocates once and reuses.

Nodes are questions, edges the answers tried. What follows an answer depends on chance, so an edge
leads to one node for each question reached so far. This is an open-loop tree: an answer's value is
the average over the chance events behind it. Legal answers may differ from visit to visit; only the
legal ones are considered (Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search",
IEEE TCIAIG 4, 2012).

Several threads may search one tree. They go down it one after the other, and play on to the end
side by side. Simulation k sees the results of all up to k - lag, and of no later one, even if it is
known already: so the same tree grows with any number of threads, on any machine. Steps of
simulations under way count as lost (virtual loss: Chaslot, Winands, van den Herik, "Parallel
Monte-Carlo Tree Search", CG 2008), which sends the next ones elsewhere.
"""

import numpy as np

from .jit import kernel
from .rng import GAMMA, mix
from .work_stealing import add, wait_for_count

ROOT = 0
NONE = -1
MAX_DEPTH = 256  # decisions of a simulation inside the tree

# A search's counts, int64 (LANDED + lag,): nodes and edges in use; the seed; simulations allowed,
# 0 where there is no choice; simulations taken by threads; the one whose turn it is to go down the
# tree; and how many have ended in each of the flights
NODES, EDGES, SEED, LIMIT, TAKEN, TURN, LANDED = range(7)
NOT_READY = -1  # as TURN: there is no root yet
MOST_LAG = 8
PER_LAG = 256  # simulations of a search for each result that it does without

NODE = np.dtype(
    [
        ("total", np.float64),  # sum of the values backed up, from the view of the Heroes
        ("visits", np.int32),
        ("question", np.int32),  # which of the questions after the same answer
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
        ("node", np.int32),  # the last one added below it
        ("sibling", np.int32),  # the edge tried before it at the same node
    ],
    align=True,
)
STEP = np.dtype(
    [
        ("lost", np.float64),  # the value counted until the simulation ends
        ("node", np.int32),
        ("edge", np.int32),
    ],
    align=True,
)
FLIGHT = np.dtype(  # a simulation under way
    [("value", np.float64), ("depth", np.int64), ("path", STEP, (MAX_DEPTH,))], align=True
)


def lag_of(simulations: int) -> int:
    """How many results behind a search of so many simulations goes on: 1 below 256, at most 8.

    At 1,000 simulations a decision two threads then hardly ever wait for each other, and few
    simulations lose nothing.
    """
    return min(MOST_LAG, 1 + simulations // PER_LAG)


@kernel
def clear_tree(nodes, counts):
    """Reset to a root without edges."""
    counts[NODES], counts[EDGES] = 0, 0
    add_node(nodes, counts, 0, NONE)


# ---- threads -------------------------------------------------------------------------------
@kernel
def begin(nodes, counts, seed, limit):
    """Prepare a root without edges; the first `end_turn` lets the threads search."""
    clear_tree(nodes, counts)
    counts[SEED], counts[LIMIT] = seed, limit


@kernel
def next_simulation(nodes, edges, counts):
    """Take the next simulation and wait for its turn -> its number, or NONE: the search is over.

    Between this and `end_turn` only one thread reads or changes the tree.
    """
    k = add(counts, TAKEN, 1)
    wait_for_count(counts, TURN, k)
    left = counts[LIMIT] - k
    if left > 0 and not is_decided(nodes, edges, left):
        return k
    end_turn(counts)
    return NONE


@kernel
def end_turn(counts):
    """Let the next simulation go down the tree."""
    add(counts, TURN, 1)


@kernel
def seed_of(counts, k):
    """The seed of simulation k, uint64."""
    return mix(np.uint64(counts[SEED]) + GAMMA * np.uint64(k))


@kernel
def land(flights, counts, k, value):
    """End simulation k with a value; a later turn backs it up."""
    flights[k % len(flights)].value = value
    add(counts, LANDED + k % len(flights), 1)


@kernel
def back_up_landed(nodes, edges, flights, counts, k):
    """Back up simulation k, if there is such, as soon as it has ended."""
    if k >= 0:
        lag = len(flights)
        wait_for_count(counts, LANDED + k % lag, k // lag + 1)
        back_up(nodes, edges, flights[k % lag])


@kernel
def back_up_last(nodes, edges, flights, counts):
    """Back up what is still under way once the search is over -> simulations done."""
    done = int(nodes[ROOT].visits)
    for k in range(done - len(flights), done):
        back_up_landed(nodes, edges, flights, counts, k)
    return done


# ---- the tree --------------------------------------------------------------------------------


@kernel
def add_node(nodes, counts, question, sibling):
    """Add an unvisited node -> its index."""
    k = counts[NODES]
    counts[NODES] += 1
    nodes[k].total = 0.0
    nodes[k].visits = 0
    nodes[k].question = question
    nodes[k].edge = NONE
    nodes[k].sibling = sibling
    return k


@kernel
def add_edge(nodes, edges, counts, node, action):
    """Add an untried answer to a node -> the index of its edge."""
    k = counts[EDGES]
    counts[EDGES] += 1
    edges[k].total = 0.0
    edges[k].visits = 0
    edges[k].action = action
    edges[k].node = NONE
    edges[k].sibling = nodes[node].edge
    nodes[node].edge = k
    return k


@kernel
def find_edge(nodes, edges, node, action):
    """The edge of an answer, or NONE if it was never tried."""
    k = int(nodes[node].edge)
    while k != NONE and edges[k].action != action:
        k = int(edges[k].sibling)
    return k


@kernel
def child_node(nodes, edges, counts, edge, question):
    """The node of the question now asked after an answer; added if it is new."""
    k = int(edges[edge].node)
    while k != NONE and nodes[k].question != question:
        k = int(nodes[k].sibling)
    if k == NONE:
        k = add_node(nodes, counts, question, edges[edge].node)
        edges[edge].node = k
    return k


@kernel
def share_by_choice(actions, n, chosen, prior, shares):
    """Write shares of n actions: `prior` for the one chosen, the rest for all alike."""
    for k in range(n):
        shares[k] = (1.0 - prior) / n + (prior if actions[k] == chosen else 0.0)


@kernel
def select_edge(nodes, edges, counts, node, actions, n, shares, exploration, sign):
    """Select the edge to follow at a node, by mean value and exploration (PUCT).

    actions: the n legal ones; shares: their prior probabilities. sign: 1 for the Heroes, -1 for
    their enemies. An untried answer has the value of its node. Silver et al., "Mastering the game
    of Go without human knowledge", Nature 550, 2017, Methods.
    """
    visits = nodes[node].visits
    mean = nodes[node].total / visits if visits > 0 else 0.0
    scale = exploration * np.sqrt(visits + 1.0)
    best, best_edge, best_score = 0, NONE, -np.inf
    for k in range(n):
        action = actions[k]
        edge = find_edge(nodes, edges, node, action)
        tried = int(edges[edge].visits) if edge != NONE else 0
        value = edges[edge].total / tried if tried > 0 else mean
        score = sign * value + scale * shares[k] / (1 + tried)
        if score > best_score:
            best, best_edge, best_score = action, edge, score
    return best_edge if best_edge != NONE else add_edge(nodes, edges, counts, node, best)


@kernel
def follow(nodes, edges, flight, node, edge, sign):
    """Add a step to a simulation's path, lost for the side that chooses until it ends."""
    step = flight.path[flight.depth]
    step.lost = 0.0 if sign > 0 else 1.0
    step.node, step.edge = node, edge
    flight.depth += 1
    nodes[node].visits += 1
    edges[edge].visits += 1
    add_value(nodes, edges, step, step.lost)


@kernel
def back_up(nodes, edges, flight):
    """Give the steps of a simulation that has ended its value in place of a loss."""
    for k in range(flight.depth):
        step = flight.path[k]
        add_value(nodes, edges, step, flight.value - step.lost)


@kernel
def add_value(nodes, edges, step, value):
    """Add to the total of a step's node and edge."""
    nodes[step.node].total += value
    edges[step.edge].total += value


@kernel
def is_decided(nodes, edges, left):
    """Whether `left` more simulations cannot change the best action.

    This saves four of ten simulations at 50 per decision without changing any action.
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
def best_action(nodes, edges, sign):
    """The most visited action at the root; the better mean value breaks ties."""
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
