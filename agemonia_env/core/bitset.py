"""Sets of areas, figures or places as the bits of an integer, 0 or above.

To iterate over a set from its lowest member:

    while bits != 0:
        k = lowest(bits)
        bits &= bits - 1
"""

import numpy as np

from .intrinsics import trailing_zeros
from .jit import COMPILED, kernel

EACH_BYTE, SEVEN_BITS = np.uint64(0x0101010101010101), np.uint64(0x7F7F7F7F7F7F7F7F)
GATHER = np.uint64(0x0102040810204080)  # a product with it gathers a bit of each byte on top


@kernel
def size(bits):
    """The number of members of a set below 1 << 32. Compiles to one instruction."""
    bits = bits - ((bits >> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F
    return ((bits * 0x01010101) & 0xFFFFFFFF) >> 24


@kernel
def member(bits, n):
    """The n-th member, counted from 0; there must be more than n."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@kernel
def equal_bytes(word, value):
    """Compare eight bytes at once: 1 in every byte of the word that equals the value, else 0.

    word: uint64. All bytes and the value are below 128, so that none carries over.
    """
    other = word ^ (EACH_BYTE * np.uint64(value))
    return (~(other + SEVEN_BITS) >> np.uint64(7)) & EACH_BYTE


@kernel
def where_equal(words, value):
    """The set of bytes of words, uint64 (n,), that equal the value; all are below 128."""
    found = 0
    for k in range(len(words)):
        found |= np.int64((equal_bytes(words[k], value) * GATHER) >> np.uint64(56)) << (8 * k)
    return found


if COMPILED:

    @kernel
    def lowest(bits):
        """The lowest member; -1 for the empty set. Compiles to one instruction."""
        return np.int64(trailing_zeros(bits)) if bits != 0 else -1

else:

    def lowest(bits):
        """The lowest member; -1 for the empty set."""
        return (int(bits) & -int(bits)).bit_length() - 1
