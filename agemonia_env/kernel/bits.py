"""Sets of areas, figures or places as the bits of a whole number, 0 or above.

To go through a set from its lowest member on:

    while bits != 0:
        k = lowest(bits)
        bits &= bits - 1
"""

import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros

from .jit import COMPILED, kernel


@kernel
def size(bits):
    """How many members, of a set below 1 << 32. Compiled to one instruction."""
    bits = bits - ((bits >> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F
    return ((bits * 0x01010101) & 0xFFFFFFFF) >> 24


@kernel
def member(bits, n):
    """The n-th member, from 0 on, of a set that has so many."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


if COMPILED:

    @kernel
    def lowest(bits):
        """The lowest member; -1 for the empty set. One instruction instead of a loop."""
        return np.int64(trailing_zeros(bits)) if bits != 0 else -1

else:

    def lowest(bits):
        """The lowest member; -1 for the empty set."""
        return (int(bits) & -int(bits)).bit_length() - 1
