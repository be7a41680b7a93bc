"""The search tree: when a search is decided, and what simulations under way count as."""

import numpy as np
import pytest

from agemonia_env.core import mcts
from agemonia_env.core.jit import entry, zeros


@entry
def is_decided(nodes, edges, counts, visits, left):
    """Whether a root whose answers were tried so often is decided."""
    mcts.clear_tree(nodes, counts)
    for k in range(len(visits)):
        edges[mcts.add_edge(nodes, edges, counts, mcts.ROOT, k)].visits = visits[k]
    return mcts.is_decided(nodes, edges, left)


@pytest.mark.parametrize(
    ("visits", "left", "decided"),
    [
        ([], 0, False),
        ([3], 2, True),
        ([3], 3, False),
        ([5, 2], 2, True),
        ([2, 5], 3, False),
        ([4, 4], 0, False),
        ([1, 2, 6], 3, True),
        ([1, 6, 2], 4, False),
    ],
)
def test_a_search_is_decided_if_the_rest_cannot_change_it(visits, left, decided):
    nodes, edges, counts = zeros(mcts.NODE, 4), zeros(mcts.EDGE, 4), np.zeros(2, np.int64)
    assert is_decided(nodes, edges, counts, np.array(visits, np.int64), left) == decided


@entry
def fly(nodes, edges, flights, counts, sign, value):
    """Begin a simulation of one step by a side, and end it with a value."""
    mcts.begin(nodes, counts, 0, len(edges))
    mcts.end_turn(counts)
    k = mcts.next_simulation(nodes, edges, counts)
    edge = mcts.add_edge(nodes, edges, counts, mcts.ROOT, 7)
    mcts.follow(nodes, edges, flights[k], mcts.ROOT, edge, sign)
    under_way = edges[edge].total, nodes[mcts.ROOT].total
    mcts.end_turn(counts)
    mcts.land(flights, counts, k, value)
    mcts.back_up_landed(nodes, edges, flights, counts, k)
    return under_way


@pytest.mark.parametrize(("sign", "lost"), [(1, 0.0), (-1, 1.0)])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_simulation_under_way_counts_as_lost_for_who_chose(sign, lost, value):
    nodes, edges, flights = zeros(mcts.NODE, 4), zeros(mcts.EDGE, 4), zeros(mcts.FLIGHT, 2)
    counts = np.zeros(mcts.LANDED + 2, np.int64)
    counts[mcts.TURN] = mcts.NOT_READY
    assert fly(nodes, edges, flights, counts, sign, value) == (lost, lost)
    assert edges["total"][0] == nodes["total"][0] == value
    assert edges["visits"][0] == nodes["visits"][0] == 1


@pytest.mark.parametrize(
    ("simulations", "lag"), [(1, 1), (255, 1), (256, 2), (1000, 4), (10**6, 8)]
)
def test_small_searches_wait_for_every_result(simulations, lag):
    assert mcts.lag_of(simulations) == lag
