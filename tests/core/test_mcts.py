"""The search tree: when a search is decided."""

import numpy as np
import pytest

from agemonia_env.core import mcts
from agemonia_env.core.jit import entry, zeros


@entry
def is_decided(nodes, edges, used, visits, left):
    """Whether a root whose answers were tried so often is decided."""
    mcts.clear_tree(nodes, used)
    for k in range(len(visits)):
        edges[mcts.add_edge(nodes, edges, used, mcts.ROOT, k)].visits = visits[k]
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
    nodes, edges, used = zeros(mcts.NODE, 4), zeros(mcts.EDGE, 4), np.zeros(2, np.int64)
    assert is_decided(nodes, edges, used, np.array(visits, np.int64), left) == decided
