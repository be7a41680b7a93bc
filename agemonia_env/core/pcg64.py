"""NumPy's default generator, of which every env slot draws the seeds of its games.

A GPU draws them itself, the same ones: PCG XSL RR 128/64 (M. O'Neill, "PCG: a family of simple fast
space-efficient statistically good algorithms for random number generation", 2014, section 6.3).
A generator is uint64 (4,): the state's high and low half, then those of the increment.
"""

import numpy as np

from .jit import kernel

STATE_HIGH, STATE_LOW, STEP_HIGH, STEP_LOW = range(4)
N_WORDS = 4
FACTOR_HIGH, FACTOR_LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
ROTATION, WORD = np.uint64(58), np.uint64(63)


@kernel
def next_64(generator):
    """64 random bits; the generator moves on."""
    high, low = generator[STATE_HIGH], generator[STATE_LOW]
    carried = product_high(low, FACTOR_LOW) + high * FACTOR_LOW + low * FACTOR_HIGH
    low = low * FACTOR_LOW
    total = low + generator[STEP_LOW]
    high = carried + generator[STEP_HIGH] + np.uint64(total < low)
    generator[STATE_HIGH] = high
    generator[STATE_LOW] = total
    bits, turn = high ^ total, high >> ROTATION
    return (bits >> turn) | (bits << ((np.uint64(64) - turn) & WORD))


@kernel
def product_high(a, b):
    """The high half of the product of two uint64."""
    a_high, a_low, b_high, b_low = a >> HALF, a & LOW, b >> HALF, b & LOW
    cross = a_high * b_low + ((a_low * b_low) >> HALF)
    other = a_low * b_high + (cross & LOW)
    return a_high * b_high + (cross >> HALF) + (other >> HALF)


def generators(seeds):
    """The generators that numpy.random.PCG64 makes of these seeds, uint64 (n, N_WORDS)."""
    rows = np.empty((len(seeds), N_WORDS), np.uint64)
    for row, seed in zip(rows, seeds, strict=True):
        inside = np.random.PCG64(seed).state["state"]
        for k, number in enumerate((inside["state"], inside["inc"])):
            row[2 * k] = number >> 64
            row[2 * k + 1] = number & (2**64 - 1)
    return rows
