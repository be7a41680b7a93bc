"""SplitMix64 and Lemire's draw against twins in Python's integers."""

import numpy as np
import pytest

from agemonia_env.core import rng
from agemonia_env.core.jit import entry

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def twin_mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def twin_accepts(word, n, bits):
    """Lemire's test of one random word, as the paper writes it; None = draw again."""
    product, low_bits = word * n, (1 << bits) - 1
    threshold = ((1 << bits) - n) % n
    return None if (product & low_bits) < threshold else product >> bits


def twin_draw(counter, n):
    """(counter after, result)."""
    while True:
        counter = (counter + GAMMA) & MASK
        result = twin_accepts(twin_mix(counter) >> 32, n, 32)
        if result is not None:
            return counter, result


@entry
def write_mixed(counters, out):
    for k in range(len(out)):
        counters[0] = counters[0] + rng.GAMMA
        out[k] = rng.mix(counters[0])


@entry
def write_draws(counters, stream, n, out):
    for k in range(len(out)):
        out[k] = rng.draw_below(counters, stream, n)


@entry
def write_seeds(counters, seed):
    rng.seed_streams(counters, seed)


@entry
def write_place(counters, place):
    rng.align_streams(counters, place)


def seeded(seed, n=9):
    counters = np.zeros(n, np.uint64)
    write_seeds(counters, np.uint64(seed))
    return counters


def test_known_answers_of_splitmix64():
    out = np.zeros(5, np.uint64)
    write_mixed(np.array([1234567], np.uint64), out)
    assert [int(x) for x in out] == [  # of the reference implementation in C, seed 1234567
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [0, 1, 42, (1 << 63) + 5, MASK])
def test_streams_start_where_the_twin_says(seed):
    base = twin_mix((seed + GAMMA) & MASK)
    expected = [twin_mix((base + GAMMA * (k + 1)) & MASK) for k in range(9)]
    assert [int(x) for x in seeded(seed)] == expected


@pytest.mark.parametrize("place", [0, 1, 23, 7000])
def test_aligned_places_do_not_depend_on_earlier_draws(place):
    counters = seeded(42)
    game = int(counters[0])
    base = twin_mix((game + GAMMA * (place + 1)) & MASK)
    expected = [game] + [twin_mix((base + GAMMA * k) & MASK) for k in range(1, 9)]
    for drawn in range(3):
        write_draws(counters, 4, 6, np.zeros(drawn, np.int64))
        write_place(counters, place)
        assert [int(x) for x in counters] == expected


@pytest.mark.parametrize("n", [1, 2, 3, 6, 20, 1000, 3 << 30, (1 << 32) - 1])
def test_draws_are_the_twins(n):
    counters = seeded(7)
    out = np.zeros(200, np.int64)
    counter, expected = int(counters[3]), []
    write_draws(counters, 3, n, out)
    for _ in range(len(out)):
        counter, result = twin_draw(counter, n)
        expected.append(result)
    assert out.tolist() == expected
    assert int(counters[3]) == counter  # as many words used, rejected ones included


def test_large_bounds_do_reject():
    counters = seeded(7)
    start, out = int(counters[0]), np.zeros(300, np.int64)
    write_draws(counters, 0, 3 << 30, out)
    words = (int(counters[0]) - start) * pow(GAMMA, -1, 1 << 64) & MASK
    assert 350 < words < 450  # a quarter of the words is refused: 400 on average


@pytest.mark.parametrize("n", range(1, 257))
def test_the_method_is_unbiased_for_every_word(n):
    """All 256 words of 8 bits: each result comes up equally often."""
    results = [twin_accepts(word, n, 8) for word in range(256)]
    counts = [results.count(k) for k in range(n)]
    assert set(counts) == {256 // n}


def test_draws_look_uniform():
    out = np.zeros(6000, np.int64)
    write_draws(seeded(1), 0, 6, out)
    counts = np.bincount(out, minlength=6)
    assert ((counts - 1000) ** 2 / 1000).sum() < 20.5  # chi-square, 5 degrees, p = 0.001


def test_streams_are_independent():
    counters = seeded(5)
    before = counters.copy()
    write_draws(counters, 4, 6, np.zeros(10, np.int64))
    assert (np.flatnonzero(counters != before) == [4]).all()
    others = [np.zeros(50, np.int64) for _ in range(9)]
    for stream, out in enumerate(others):
        write_draws(counters, stream, 1000, out)
    assert len({out.tobytes() for out in others}) == 9
    assert len({int(x) for seed in range(100) for x in seeded(seed)}) == 900


# ---- forced chance ------------------------------------------------------------------------------
@entry
def write_forced(counters, script, bounds, out):
    rng.force(counters, script)
    for k in range(len(out)):
        out[k] = rng.draw_below(counters, 3, bounds[k])


@entry
def write_forced_kinds(counters, script, kinds, out):
    rng.force(counters, script)
    for k in range(len(out)):
        out[k] = rng.draw_forced(counters, kinds, len(kinds))


def forced(script, *bounds):
    counters, out = seeded(3), np.zeros(len(bounds), np.int64)
    write_forced(counters, np.uint64(script), np.array(bounds, np.int64), out)
    return counters, tuple(out.tolist())


def test_scripts_give_every_result_once():
    found = [forced(script, 2, 1, 3)[1] for script in range(6)]
    assert sorted(found) == [(a, 0, b) for a in range(2) for b in range(3)]
    counters, _ = forced(5, 2, 1, 3)
    assert counters[rng.BASES] == 2 | 3 << 8  # a draw with one result has no digit
    assert counters[rng.N_DRAWS] == 2
    assert (counters[rng.WEIGHT], counters[rng.TOTAL]) == (1, 6)


def test_equal_ones_are_drawn_as_one_that_weighs_more():
    for script, place, weight in ((0, 0, 2), (1, 2, 1)):
        counters, out = seeded(3), np.zeros(1, np.int64)
        write_forced_kinds(counters, np.uint64(script), np.array([4, 4, 7]), out)
        assert out[0] == place
        assert (counters[rng.WEIGHT], counters[rng.TOTAL]) == (weight, 3)
        assert counters[rng.BASES] == 2


def test_scripts_of_sixteen_draws_at_most():
    counters, results = forced(4**16 - 1, *[4] * 16)
    assert results == (3,) * 16
    assert counters[rng.N_DRAWS] == 16
    assert counters[rng.BASES] == counters[rng.BASES + 1] == 0x0404040404040404
    for bounds in ([4] * 17, [256], [255] * 9):
        counters, results = forced(0, *bounds)
        assert counters[rng.N_DRAWS] == rng.TOO_MANY
        assert all(0 <= result < bound for result, bound in zip(results, bounds, strict=True))


def test_forced_streams_stay_where_they_are():
    counters, _ = forced(0, 6)
    before = counters.copy()
    write_place(counters, 5)
    assert (counters == before).all()
