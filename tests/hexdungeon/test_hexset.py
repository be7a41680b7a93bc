"""Sets of hexes as bits against Python's sets."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from agemonia_env.core.jit import entry
from agemonia_env.rulesets.hexdungeon.content.board import fill
from agemonia_env.rulesets.hexdungeon.core import hexset
from agemonia_env.rulesets.hexdungeon.core.hexset import MAX_HEXES

SETS = st.frozensets(st.integers(0, MAX_HEXES - 1), max_size=12)


@entry
def write_results(words, k, out):
    """Every operation on the sets words[0] and words[1] into out; -> (size, lowest, empty)."""
    a, b = hexset.of(words[0]), hexset.of(words[1])
    hexset.keep(out[0], hexset.union(a, b))
    hexset.keep(out[1], hexset.common(a, b))
    hexset.keep(out[2], hexset.without(a, b))
    hexset.keep(out[3], hexset.raised(a, k))
    hexset.keep(out[4], hexset.lowered(a, k))
    rest, h = a, hexset.lowest(a)
    if h >= 0:
        rest = hexset.without(a, hexset.only(h))
    hexset.keep(out[5], rest)
    return hexset.size(a), h, hexset.is_empty(a)


def members(words):
    return {h for h in range(MAX_HEXES) if int(words[h >> 6]) >> (h & 63) & 1}


@settings(deadline=None)  # the first call compiles
@given(SETS, SETS, st.integers(1, 63))
def test_operations_are_those_of_sets(a, b, k):
    words, out = np.zeros((2, 4), np.uint64), np.zeros((6, 4), np.uint64)
    fill(words[0], a)
    fill(words[1], b)
    size, lowest, empty = write_results(words, k, out)
    raised, lowered = {h + k for h in a if h + k < MAX_HEXES}, {h - k for h in a if h >= k}
    found = [members(row) for row in out]
    assert found == [a | b, a & b, a - b, raised, lowered, a - {min(a, default=-1)}]
    assert (size, lowest, bool(empty)) == (len(a), min(a, default=-1), not a)
