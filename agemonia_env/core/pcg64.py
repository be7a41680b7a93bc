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


# ---- numpy.random.default_rng([a, b]).integers(n) ------------------------------------------------
INIT_A, FACTOR_A = np.uint64(0x43B0D7E5), np.uint64(0x931E8875)  # of numpy.random.SeedSequence
INIT_B, FACTOR_B = np.uint64(0x8B51F9DD), np.uint64(0x58F38DED)
LEFT, RIGHT, SHIFT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715), np.uint64(16)
ONE, TOP = np.uint64(1), np.uint64(63)
POOL = 4


@kernel
def integer_of(first, second, n, pool, generator):
    """`numpy.random.default_rng([first, second]).integers(n)`, uint64, n at most 2**32.

    pool, generator: uint64 (POOL,) and (N_WORDS,), to work in.
    """
    fill_pool(pool, first, second)
    seed_from(generator, pool)
    while True:
        bits = next_64(generator)
        for part in (bits & LOW, bits >> HALF):
            product = part * n
            if (product & LOW) >= n or (product & LOW) >= (LOW + ONE - n) % n:
                return np.int64(product >> HALF)


@kernel
def fill_pool(pool, first, second):
    """The entropy of two numbers, the first below 2**32."""
    words = (first, second & LOW, second >> HALF, np.uint64(0))
    constant = INIT_A
    for k in range(POOL):
        pool[k], constant = hashed(words[k], constant, FACTOR_A)
    for source in range(POOL):
        for k in range(POOL):
            if source != k:
                word, constant = hashed(pool[source], constant, FACTOR_A)
                mixed = (LEFT * pool[k] - RIGHT * word) & LOW
                pool[k] = mixed ^ (mixed >> SHIFT)


@kernel
def hashed(word, constant, factor):
    """A word hashed with a constant, and the next constant."""
    word ^= constant
    constant = (constant * factor) & LOW
    word = (word * constant) & LOW
    return word ^ (word >> SHIFT), constant


@kernel
def seed_from(generator, pool):
    """The generator that PCG64 makes of a pool."""
    constant, low = INIT_B, np.uint64(0)
    for k in range(2 * N_WORDS):
        word, constant = hashed(pool[k % POOL], constant, FACTOR_B)
        if k % 2 == 0:
            low = word
        else:
            generator[k // 2] = low | (word << HALF)
    high, low = generator[STATE_HIGH], generator[STATE_LOW]
    step_high, step_low = generator[STEP_HIGH], generator[STEP_LOW]
    generator[STEP_HIGH] = (step_high << ONE) | (step_low >> TOP)
    generator[STEP_LOW] = (step_low << ONE) | ONE
    total = generator[STEP_LOW] + low
    generator[STATE_HIGH] = generator[STEP_HIGH] + high + np.uint64(total < low)
    generator[STATE_LOW] = total
    next_64(generator)
