"""Sums over pairs of games, and what they say. Whole numbers: no order of adding changes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

METRICS = {
    "won": pl.col("won"),
    "rounds": pl.col("rounds"),
    "exhausted": pl.col("exhausted"),
    "damage_dealt": pl.col("damage_dealt"),
    "damage_taken": pl.col("damage_taken"),
    "chips_left": pl.col("hero_disk").list.sum(),
}
SUMS = 5  # of each metric: a, b, a * a, b * b, (b - a) ** 2
ONE_MORE = 2  # squared differences put in so that what never differed so far may still do so


@dataclass(frozen=True)
class Tally:
    """pairs of games, and int64 (metrics, SUMS)."""

    pairs: int
    sums: NDArray[np.int64]

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.pairs + other.pairs, self.sums + other.sums)

    def found(self, metric: str, *, alike: bool = False) -> Difference:
        """What is known of a metric. alike: both variants have the same numbers."""
        n = self.pairs
        a, b, aa, bb, dd = (int(total) for total in self.sums[list(METRICS).index(metric)])
        variance = (n * dd - (b - a) ** 2) / n**2
        apart = (n * aa - a * a + n * bb - b * b) / n**2
        return Difference(
            pairs=n,
            a=a / n,
            b=b / n,
            difference=(b - a) / n,
            variance=0.0 if alike else variance + ONE_MORE / n,
            gain=apart / variance if variance else None,
        )


@dataclass(frozen=True)
class Difference:
    """A metric's means, and the mean of its differences b - a.

    variance: of a difference, with one pair of +1 and one of -1 put in: a thousand pairs without a
    difference do not prove that there is none. gain: how many times larger the variance of a
    difference between games that share no seed is; None where no pair differed.
    """

    pairs: int
    a: float
    b: float
    difference: float
    variance: float
    gain: float | None


EMPTY = Tally(0, np.zeros((len(METRICS), SUMS), np.int64))


def tally(a: pl.DataFrame, b: pl.DataFrame) -> Tally:
    """The sums of pairs of games: rows of the same seeds in the same order."""
    sums = []
    for metric in METRICS.values():
        one, other = (
            frame.select(metric.cast(pl.Int64)).to_series().to_numpy() for frame in (a, b)
        )
        apart = other - one
        columns = (one, other, one * one, other * other, apart * apart)
        sums.append([column.sum() for column in columns])
    return Tally(len(a), np.array(sums, np.int64))
