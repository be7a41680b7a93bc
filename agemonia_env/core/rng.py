"""Counter-based random streams, kept in the state; the only file that advances them.

A stream is one uint64: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014, section 3). A copied state therefore draws the same numbers, and a
stream per purpose keeps later dice aligned when one card changes. A ruleset that aligns its streams
never draws from the first one: all aligned positions are derived from it.
"""

import numpy as np

from .jit import kernel

# All operands stay uint64: one int64 among them makes >> and % signed in compiled code.
GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
HIGH = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
TWO_32 = np.uint64(1 << 32)


@kernel
def mix(z):
    """SplitMix64's output function, uint64 -> uint64."""
    z = (z ^ (z >> np.uint64(30))) * MIX_A
    z = (z ^ (z >> np.uint64(27))) * MIX_B
    return z ^ (z >> np.uint64(31))


@kernel
def seed_streams(counters, seed):
    """Start every stream of `counters`, uint64 (n,), at its own position derived from `seed`."""
    base = mix(np.uint64(seed) + GAMMA)
    for stream in range(len(counters)):
        counters[stream] = mix(base + GAMMA * np.uint64(stream + 1))


@kernel
def align_streams(counters, place):
    """Move every stream but the first to its position of this number, wherever it is now.

    Earlier draws no longer matter, so games that diverged draw the same numbers again. Use each
    number once per game: the same position repeats the same draws.
    """
    base = mix(counters[0] + GAMMA * np.uint64(place + 1))
    for stream in range(1, len(counters)):
        counters[stream] = mix(base + GAMMA * np.uint64(stream))


@kernel
def draw(counters, stream):
    """64 random bits."""
    counters[stream] = counters[stream] + GAMMA
    return mix(counters[stream])


@kernel
def draw_below(counters, stream, n):
    """Uniform integer in [0, n), without bias (Lemire 2019, arXiv 1805.10941, algorithm 5)."""
    bound = np.uint64(n)
    while True:
        product = (draw(counters, stream) >> HIGH) * bound
        low = product & LOW
        if low >= bound or low >= (TWO_32 - bound) % bound:
            return np.int64(product >> HIGH)


@kernel
def sort(cards, n):
    """Sort cards[:n] ascending, so that the result of a shuffle does not reveal the old order."""
    for k in range(1, n):
        card = cards[k]
        j = k
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
