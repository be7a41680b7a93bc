"""Sets as bits against Python's integers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agemonia_env.core import bitset
from agemonia_env.core.jit import entry


@entry
def write_facts(number, out):
    out[0] = bitset.lowest(number)
    out[1] = bitset.size(number)


@entry
def write_members(number, out):
    for k in range(bitset.size(number)):
        out[k] = bitset.member(number, k)


@settings(deadline=None)  # the first call compiles
@given(st.integers(0, (1 << 31) - 1))
def test_lowest_size_and_members(number):
    members = [k for k in range(31) if number >> k & 1]
    facts, listed = np.zeros(2, np.int64), np.full(31, -1)
    write_facts(number, facts)
    write_members(number, listed)
    assert facts.tolist() == [members[0] if members else -1, len(members)]
    assert [k for k in listed.tolist() if k >= 0] == members


@entry
def write_equal(words, value, out):
    out[0] = bitset.where_equal(words, value)
    for k in range(len(words)):
        words[k] = bitset.equal_bytes(words[k], value)


@settings(deadline=None)  # the first call compiles
@given(st.binary(min_size=16, max_size=16).map(lambda drawn: [byte & 127 for byte in drawn]))
@pytest.mark.parametrize("value", [0, 1, 5, 127])
def test_bytes_that_are_a_value(value, listed):
    numbers, out = np.array([value, 0, *listed[2:]], np.uint8), np.zeros(1, np.int64)
    equal = (numbers == value).tolist()
    write_equal(numbers.view(np.uint64), value, out)
    assert out[0] == sum(1 << k for k, same in enumerate(equal) if same)
    assert numbers.tolist() == equal
