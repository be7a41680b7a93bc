"""Sets of hexes as bits: four uint64 in a tuple, so that they live in registers.

A hex is one number, q * stride + r in axial coordinates, with stride = height + 1. A step in a
direction therefore adds the same number to every hex, and a whole set takes it in one shift. The
columns lie close together without overlapping; what a shift carries over a rim is masked away
by sets of hexes that have a neighbour there. To go through a set:

    while not is_empty(hexes):
        h = lowest(hexes)
        hexes = without(hexes, only(h))
"""

import numpy as np

from agemonia_env.core import bitset
from agemonia_env.core.jit import kernel

N_WORDS = 4
MAX_HEXES = 64 * N_WORDS
ONE = np.uint64(1)
WORD = np.uint64(64)
HIGH = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
EMPTY = (np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0))


@kernel
def of(words):
    """The set kept in a field of a record, uint64 (4,)."""
    return (words[0], words[1], words[2], words[3])


@kernel
def keep(words, a):
    """Write a set to a field of a record."""
    words[0] = a[0]
    words[1] = a[1]
    words[2] = a[2]
    words[3] = a[3]


@kernel
def only(h):
    """The set of one hex."""
    bit = ONE << np.uint64(h & 63)
    word = h >> 6
    none = np.uint64(0)
    return (
        bit if word == 0 else none,
        bit if word == 1 else none,
        bit if word == 2 else none,
        bit if word == 3 else none,
    )


@kernel
def has(a, h):
    """Whether a hex is in the set; chosen without a jump, which indexing a tuple would be."""
    word = h >> 6
    first = a[1] if word & 1 else a[0]
    second = a[3] if word & 1 else a[2]
    return ((second if word & 2 else first) >> np.uint64(h & 63)) & ONE != np.uint64(0)


@kernel
def union(a, b):
    """Hexes of either."""
    return (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3])


@kernel
def common(a, b):
    """Hexes of both."""
    return (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3])


@kernel
def without(a, b):
    """Hexes of the first alone."""
    return (a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3])


@kernel
def is_empty(a):
    """Whether there is none."""
    return (a[0] | a[1]) | (a[2] | a[3]) == np.uint64(0)


@kernel
def lowest(a):
    """The hex with the lowest number; -1 for the empty set."""
    for word in range(N_WORDS):
        if a[word] != np.uint64(0):
            return 64 * word + np.int64(bitset.lowest(a[word]))
    return -1


@kernel
def size(a):
    """How many hexes."""
    n = 0
    for word in range(N_WORDS):
        n += bitset.size(np.int64(a[word] & LOW)) + bitset.size(np.int64(a[word] >> HIGH))
    return n


@kernel
def raised(a, k):
    """Every hex plus k, 0 < k < 64."""
    up = np.uint64(k)
    over = WORD - up
    return (
        a[0] << up,
        (a[1] << up) | (a[0] >> over),
        (a[2] << up) | (a[1] >> over),
        (a[3] << up) | (a[2] >> over),
    )


@kernel
def lowered(a, k):
    """Every hex minus k, 0 < k < 64."""
    down = np.uint64(k)
    over = WORD - down
    return (
        (a[0] >> down) | (a[1] << over),
        (a[1] >> down) | (a[2] << over),
        (a[2] >> down) | (a[3] << over),
        a[3] >> down,
    )
