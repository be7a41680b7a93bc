"""Sums over pairs of games, and the differences they show. Integers: any order gives the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp, log

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.rulesets.pack_tools import pack_tools_of

SHARED = ("won", "rounds", "exhausted", "damage_dealt", "damage_taken")  # metrics of any ruleset
SUMS = 5  # of each metric: a, b, a * a, b * b, (b - a) ** 2
EXTRA_SQUARES = 2  # squared differences added, since metrics that never differed so far may do so

Metrics = Mapping[str, pl.Expr]  # from the rows of games, by name


def metrics_of(env: str) -> Metrics:
    """What is compared in the games of an environment, the win rate first."""
    own = pack_tools_of(env).metrics
    shared = {name: pl.col(name) for name in SHARED}
    return shared | {name: pl.col(column).list.sum() for name, (column, _) in own.items()}


@dataclass(frozen=True)
class Accumulator:
    """Sums over `pairs` of games: int64 (SUMS,) for each metric."""

    pairs: int
    sums: Mapping[str, NDArray[np.int64]]

    def __add__(self, other: Accumulator) -> Accumulator:
        sums = {name: own + other.sums[name] for name, own in self.sums.items()}
        return Accumulator(self.pairs + other.pairs, sums)

    def difference(self, metric: str, *, alike: bool = False) -> Difference:
        """The estimate for a metric. alike: both variants have the same numbers."""
        n = self.pairs
        a, b, aa, bb, dd = map(int, self.sums[metric])
        variance = (n * dd - (b - a) ** 2) / n**2
        unpaired = (n * aa - a * a + n * bb - b * b) / n**2
        return Difference(
            pairs=n,
            a=a / n,
            b=b / n,
            difference=(b - a) / n,
            variance=0.0 if alike else variance + EXTRA_SQUARES / n,
            gain=unpaired / variance if variance else None,
        )

    def log_odds(self) -> Odds:
        """The change of the log-odds of games won.

        By the delta method from the covariance of both means. A mean counts as at least half a
        game away from nothing and everything, with a variance that says as good as nothing.
        """
        n = self.pairs
        total_a, total_b, aa, bb, dd = map(int, self.sums["won"])
        raw_a, raw_b = total_a / n, total_b / n
        a, b = (min(max(mean, 0.5 / n), 1 - 0.5 / n) for mean in (raw_a, raw_b))
        slope_a, slope_b = 1 / (a * (1 - a)), 1 / (b * (1 - b))
        together = (aa + bb - dd) / 2 / n - raw_a * raw_b
        variance = slope_a**2 * (aa / n - raw_a**2) + slope_b**2 * (bb / n - raw_b**2)
        variance -= 2 * slope_a * slope_b * together
        doubt = (slope_a**2 + slope_b**2) / 2 * EXTRA_SQUARES / n
        return Odds(a, log(b / (1 - b)) - log(a / (1 - a)), variance + doubt)


@dataclass(frozen=True)
class Odds:
    """The log-odds of winning in b less those in a. a: the win rate; variance: of one pair."""

    a: float
    change: float
    variance: float

    def carried_to(self, a: float) -> float:
        """The change of a win rate by as much on this scale."""
        odds = a / (1 - a) * exp(self.change)
        return odds / (1 + odds) - a


@dataclass(frozen=True)
class Difference:
    """The means of a metric in both variants, and the mean of its differences b - a.

    variance: of one difference, with one pair of +1 and one of -1 added: a thousand equal pairs do
    not prove that there is no difference. gain: how many times larger the variance is between games
    that share no seed; None where no pair differed.
    """

    pairs: int
    a: float
    b: float
    difference: float
    variance: float
    gain: float | None


def empty(metrics: Iterable[str]) -> Accumulator:
    """No pairs yet."""
    return Accumulator(0, {name: np.zeros(SUMS, np.int64) for name in metrics})


def accumulate(a: pl.DataFrame, b: pl.DataFrame, metrics: Metrics) -> Accumulator:
    """Sum pairs of games: rows of the same seeds in the same order."""
    sums = {}
    for name, metric in metrics.items():
        one, other = (
            frame.select(metric.cast(pl.Int64)).to_series().to_numpy() for frame in (a, b)
        )
        apart = other - one
        columns = (one, other, one * one, other * other, apart * apart)
        sums[name] = np.array([column.sum() for column in columns], np.int64)
    return Accumulator(len(a), sums)
