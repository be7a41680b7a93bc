"""Counter-based random streams, kept in the state; the only file that advances them.

A stream is one uint64: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014, section 3). A copied state therefore draws the same numbers, and a
stream per purpose keeps later dice aligned when one card changes. No ruleset draws from the first
one: all aligned positions are derived from it.

Forced chance: counters whose first is FORCED take their draws from a script, so that a caller can
try every way that chance may go (`force`). In a game drawn from a seed that first counter comes up
once in 2**64.
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

FORCED = np.uint64(0x0DD50DD50DD50DD5)
SCRIPT, BASES, N_DRAWS, WEIGHT, TOTAL = 1, 2, 4, 5, 6  # what forced counters hold; see `force`
BASE_BITS = np.uint64(8)
MOST_DRAWS = np.uint64(16)  # of a script, each with at most MOST_RESULTS
MOST_RESULTS = np.uint64(255)
MOST_TOTAL = np.uint64((1 << 64) // 255)
TOO_MANY = np.uint64(1 << 32)  # in N_DRAWS: the script was too short, so its way means nothing


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
    if is_forced(counters):
        return
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
    if is_forced(counters):
        return force_digit(counters, n, n)
    while True:
        product = (draw(counters, stream) >> HIGH) * bound
        low = product & LOW
        if low >= bound or low >= (TWO_32 - bound) % bound:
            return np.int64(product >> HIGH)


@kernel
def force(counters, script):
    """Let further draws have the results that `script` says, uint64; needs seven counters.

    The digits of the script are the results, the first draw's lowest; each is to the base of how
    many different results its draw has. Draws with a single result have no digit. What is drawn
    leaves in the counters: from BASES on the bases, BASE_BITS each in two words; N_DRAWS, how many;
    and WEIGHT / TOTAL, the probability of these results.
    """
    counters[0] = FORCED
    counters[SCRIPT] = script
    counters[BASES] = 0
    counters[BASES + 1] = 0
    counters[N_DRAWS] = 0
    counters[WEIGHT] = 1
    counters[TOTAL] = 1


@kernel
def is_forced(counters):
    """Whether draws are forced."""
    return counters[0] == FORCED


@kernel
def force_digit(counters, base, total):
    """The next digit of the script, to a base; total: how many results are equally likely.

    Beyond the script's end it is any: dice that roll on must come to an end some time.
    """
    k, n = counters[N_DRAWS], np.uint64(base)
    if k >= MOST_DRAWS or np.uint64(total) > MOST_RESULTS or counters[TOTAL] > MOST_TOTAL:
        counters[N_DRAWS] = TOO_MANY
        return np.int64(draw(counters, SCRIPT) % n)
    counters[TOTAL] *= np.uint64(total)
    if base == 1:
        return np.int64(0)
    counters[N_DRAWS] = k + np.uint64(1)
    word = BASES + np.int64(k >> np.uint64(3))
    counters[word] |= n << (BASE_BITS * (k & np.uint64(7)))
    digit = counters[SCRIPT] % n
    counters[SCRIPT] = counters[SCRIPT] // n
    return np.int64(digit)


@kernel
def draw_forced(counters, kinds, n):
    """Draw one of kinds[:n] by the script -> its place; of equal ones the first stands for all."""
    digit = force_digit(counters, count_kinds(kinds, n), n)
    at = 0
    while digit > 0 or not is_first(kinds, at):
        digit -= is_first(kinds, at)
        at += 1
    same = 0
    for k in range(at, n):
        same += kinds[k] == kinds[at]
    counters[WEIGHT] *= np.uint64(same)
    return at


@kernel
def count_kinds(kinds, n):
    """How many different ones there are among kinds[:n]."""
    total = 0
    for k in range(n):
        total += is_first(kinds, k)
    return total


@kernel
def is_first(kinds, k):
    """Whether kinds[k] is none of those before it."""
    for j in range(k):
        if kinds[j] == kinds[k]:
            return False
    return True


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
