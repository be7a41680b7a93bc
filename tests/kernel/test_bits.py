"""Sets as bits against Python's own whole numbers."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from agemonia_env.kernel import bits
from agemonia_env.kernel.jit import entry


@entry
def write_facts(number, out):
    out[0] = bits.lowest(number)
    out[1] = bits.size(number)


@entry
def write_members(number, out):
    for k in range(bits.size(number)):
        out[k] = bits.member(number, k)


@settings(deadline=None)  # the first call compiles
@given(st.integers(0, (1 << 31) - 1))
def test_lowest_size_and_members(number):
    members = [k for k in range(31) if number >> k & 1]
    facts, listed = np.zeros(2, np.int64), np.full(31, -1)
    write_facts(number, facts)
    write_members(number, listed)
    assert facts.tolist() == [members[0] if members else -1, len(members)]
    assert [k for k in listed.tolist() if k >= 0] == members
