"""The yardstick: a fixed piece of compiled work, measured beside the cases of every run.

A figure in steps/s says little on another machine, or on a busy one. The figure as a multiple of
the yardstick, measured in the same seconds, says more. The yardstick uses none of the rules and
resembles them: branches that depend on data, loops over neighbours, int16 and int64 reads and
writes in 4 KB, and random numbers.

It must never change: neither `walk` nor how numba compiles it, nor MOVES and SEED. Every recorded
multiple would lose its meaning. If it has to change, give it a new NAME (files with another
yardstick are refused) and record the baselines again.

Limits: the rules read more memory and run more code than the yardstick, so a neighbour that
competes for caches slows them more. Figures of 8,192 games depend on the size of the caches too.
"""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from .play import Play, processor, wall
from .table import Case, Figures, Measure, is_timed

NAME = "walk-1"
UNIT = "moves/s"
MOVES, SEED = 200_000, np.uint64(0x9E3779B97F4A7C15)
SCORE = 12_419_360  # of a walk of MOVES from SEED


@numba.njit(nogil=True)
def walk(fields, worths, random, moves):  # type: ignore[no-untyped-def]
    """Walk over a ring of fields and change them -> the score, int64.

    fields, int16 (1024,), and worths, int64 (256,), are overwritten; random: uint64, not 0; moves:
    int64.
    """
    for k in range(1024):
        fields[k] = (k * 7919) % 257 - 64
    for k in range(256):
        worths[k] = (k * 104729) % 1009
    at, score, health = np.int64(0), np.int64(0), np.int64(100)
    for _ in range(moves):
        random ^= random << np.uint64(13)
        random ^= random >> np.uint64(7)
        random ^= random << np.uint64(17)
        roll = np.int64(random >> np.uint64(59))
        field = np.int64(fields[at])
        if field < 0:
            health -= roll & 3
            fields[at] = field + roll
            at = (at + 37 + roll) & 1023
        elif field & 3 == 0:
            best, where = np.int64(-1000), at
            for step in range(6):
                near = (at + 1 + step * 31) & 1023
                value = np.int64(fields[near]) ^ roll
                if value > best:
                    best, where = value, near
            fields[where] -= roll + 1
            at = where
        elif roll > 20:
            score += worths[(field * 3 + roll) & 255]
            worths[roll * 8] += field
            fields[at] = roll - 8
            at = (at + field) & 1023
        else:
            score ^= field << 3
            fields[at] = field + 1
            at = (at + 1 + (roll & 7)) & 1023
        if health <= 0:
            health = np.int64(100)
            score -= at
            fields[(at * 5) & 1023] = 64 + roll
    return score


def beside(case: Case) -> Measure | None:
    """The yardstick for a case; None for figures that are neither times nor rates.

    Two threads need a yardstick on two threads: whether the second core is free, and how fast both
    run together, does not show on one. Its time is measured as the case's: processor time for work
    on one thread, otherwise wall time.
    """
    if not is_timed(case.unit):
        return None
    clock = wall if case.threads > 1 or case.unit == "s" else processor
    return walks(case.threads, clock).per_second


@functools.cache
def walks(threads: int, clock: Callable[[], float]) -> Play:
    """Moves of one walk per thread, side by side; every score is checked."""
    boards = [(np.zeros(1024, np.int16), np.zeros(256, np.int64)) for _ in range(threads)]
    pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def one(i: int) -> int:
        return int(walk(*boards[i], SEED, MOVES))

    def work(_: object) -> int:
        scores = list((pool.map if pool else map)(one, range(threads)))
        assert scores == [SCORE] * threads
        return MOVES * threads

    one(0)  # compiles
    return Play(work, clock=clock)


def facts(figures: Figures) -> dict[str, str]:
    """Name and median rate of the yardstick in a run, for each number of threads."""
    rates: dict[int, list[float]] = {}
    for figure in figures.values():
        rates.setdefault(figure.threads, []).extend(figure.yardsticks)
    medians = {threads: statistics.median(rates[threads]) for threads in rates if rates[threads]}
    return {"name": NAME} | {
        UNIT + (f" on {threads} threads" if threads > 1 else ""): f"{median:,.0f}"
        for threads, median in sorted(medians.items())
    }
