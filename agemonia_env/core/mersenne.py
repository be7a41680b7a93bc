"""Python's `random.Random` in the core: the Mersenne Twister, seeded by one whole number.

MT19937 (Matsumoto and Nishimura, "Mersenne Twister", TOMACS 1998), seeded and read as CPython does,
so that scenarios drawn here are those that Python draws.
"""

import numpy as np

from .jit import kernel

N, FAR = 624, 397
ZERO, ONE, HALF, WORD = np.uint64(0), np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)
TOP, LOWER, MATRIX = np.uint64(0x80000000), np.uint64(0x7FFFFFFF), np.uint64(0x9908B0DF)
FIRST, SECOND = np.uint64(1664525), np.uint64(1566083941)
S30 = np.uint64(30)

TWISTER = np.dtype([("word", np.uint64, (N,)), ("at", np.int64)], align=True)


def _beginning() -> np.ndarray:
    """The words before the seed is mixed in."""
    words = [19650218]
    for k in range(1, N):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + k) & 0xFFFFFFFF)
    return np.array(words, np.uint64)


BEGINNING = _beginning()


@kernel
def seed_twister(twister, seed):
    """Start the stream of a seed, 0 to 2**63 - 1."""
    word, low, high = twister.word, np.uint64(seed) & WORD, np.uint64(seed) >> HALF
    high += np.uint64(high > ZERO)  # the number of the second word of the seed is added to it
    for k in range(N):
        word[k] = BEGINNING[k]
    last, second = word[0], False
    for k in range(1, N + 1):
        if k == N:
            word[0] = last
        at = k if k < N else 1
        added = high if second else low
        last = ((word[at] ^ ((last ^ (last >> S30)) * FIRST)) + added) & WORD
        word[at] = last
        second = high > ZERO and not second
    for k in range(2, N + 1):
        if k == N:
            word[0] = last
        at = k if k < N else 1
        last = ((word[at] ^ ((last ^ (last >> S30)) * SECOND)) - np.uint64(at)) & WORD
        word[at] = last
    word[0] = TOP
    twister.at = N


@kernel
def twist(word):
    """The next 624 words."""
    for k in range(N - FAR):
        word[k] = word[k + FAR] ^ twisted(word[k], word[k + 1])
    for k in range(N - FAR, N - 1):
        word[k] = word[k + FAR - N] ^ twisted(word[k], word[k + 1])
    word[N - 1] = word[FAR - 1] ^ twisted(word[N - 1], word[0])


@kernel
def twisted(word, after):
    """What the highest bit of a word and the lower ones of the next become."""
    both = (word & TOP) | (after & LOWER)
    return (both >> ONE) ^ (MATRIX * (both & ONE))


@kernel
def next_word(twister):
    """32 random bits."""
    if twister.at == N:
        twist(twister.word)
        twister.at = 0
    y = twister.word[twister.at]
    twister.at += 1
    y ^= y >> np.uint64(11)
    y ^= (y << np.uint64(7)) & np.uint64(0x9D2C5680)
    y ^= (y << np.uint64(15)) & np.uint64(0xEFC60000)
    return y ^ (y >> np.uint64(18))


@kernel
def uniform(twister):
    """A number in [0, 1), float64, of 53 random bits."""
    high, low = next_word(twister) >> np.uint64(5), next_word(twister) >> np.uint64(6)
    return (np.int64(high) * 67108864.0 + np.int64(low)) / 9007199254740992.0


@kernel
def skip(twister, n):
    """Pass over n numbers."""
    for _ in range(2 * n):
        if twister.at == N:
            twist(twister.word)
            twister.at = 0
        twister.at += 1
