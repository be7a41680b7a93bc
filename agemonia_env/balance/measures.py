"""What a target can be about: statistics of games, each with an honest 95 % interval.

won                 share of games won: Wilson's interval
rounds              mean length: normal interval
rounds, quantile    length that this share of the games does not exceed: order statistics
spread              largest difference of win rates between parties: Bonferroni over all pairs
exhausted           largest share of games at whose end a hero is exhausted: Bonferroni over heroes
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import sqrt
from statistics import NormalDist

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agemonia_env.simulation.interval import Z, wilson

from .accumulator import EXTRA_SQUARES

DOUBT = 0.05
Span = tuple[float, float]  # from, to; infinite where a target is open


@dataclass(frozen=True)
class Games:
    """The games of one condition; label: its party."""

    label: str
    heroes: Sequence[str]
    rows: pl.DataFrame


@dataclass(frozen=True)
class Estimate:
    """A statistic with its 95 % interval.

    apart: distance to the target, 0 inside it; variance: of that distance by sampling. who: the
    hero, or the parties, that it is about.
    """

    value: float
    low: float
    high: float
    apart: float
    variance: float
    who: str = ""

    @property
    def missed(self) -> float:
        """The squared distance to the target, less what sampling alone would make of it."""
        return max(self.apart * self.apart - self.variance, 0.0) if self.apart else 0.0


@dataclass(frozen=True)
class Measure:
    """Something that a target can be about.

    estimate: measures it in the games of all conditions of a target. percent: whether it is a
    share. near: misses that differ by less are alike. widest: interval with which a target counts
    as met. quantile: the share of games, of a quantile.
    """

    label: str
    estimate: Callable[[Sequence[Games], Span], Estimate]
    percent: bool = True
    near: float = 0.01
    widest: float = 0.05
    quantile: float | None = None


def apart(value: float, target: Span) -> float:
    """The distance of a value to a target."""
    return max(target[0] - value, value - target[1], 0.0)


def bonferroni(number: int) -> float:
    """The normal quantile with which so many intervals hold together in 95 % of cases."""
    return NormalDist().inv_cdf(1 - DOUBT / (2 * number))


def won(games: Sequence[Games], target: Span) -> Estimate:
    """The share of games won, in one condition."""
    won = games[0].rows["won"]
    wins, n = int(won.sum()), len(won)
    share = wins / n
    return Estimate(share, *wilson(wins, n), apart(share, target), share * (1 - share) / n)


def mean_rounds(games: Sequence[Games], target: Span) -> Estimate:
    """The mean length of a game, in one condition."""
    rounds = games[0].rows["rounds"].to_numpy().astype(np.float64)
    n, mean = len(rounds), float(rounds.mean())
    variance = (float(rounds.var()) + EXTRA_SQUARES / n) / n  # see accumulator.Difference
    half = Z * sqrt(variance)
    return Estimate(mean, mean - half, mean + half, apart(mean, target), variance)


def _quantile(share: float, games: Sequence[Games], target: Span) -> Estimate:
    """As `rounds_quantile`, in one condition."""
    rounds = np.sort(games[0].rows["rounds"].to_numpy())
    n = len(rounds)
    value, low, high = quantile_of(rounds, share)
    short = float((rounds <= target[1]).mean())
    early = float((rounds < target[0]).mean())
    off = max(share - short, early - share, 0.0)
    at = short if share - short >= early - share else early
    return Estimate(value, low, high, off, at * (1 - at) / n)


@cache
def rounds_quantile(share: float) -> Measure:
    """The length that `share` of the games do not exceed.

    The distance to a target is the share of games on the wrong side of it: a quantile of whole
    rounds jumps, and a share shows which way is better.
    """
    label = f"rounds, {100 * share:g} % quantile"
    return Measure(label, partial(_quantile, share), False, 0.01, 1.0, share)


def spread(games: Sequence[Games], target: Span) -> Estimate:
    """The largest difference of win rates between at least two parties that play the same seeds.

    The largest of noisy differences is too large on average. Its interval is what intervals of all
    pairs allow that hold together: at least the largest lower end, at most the largest upper end.
    """
    won = np.array([one.rows["won"].to_numpy() for one in games], np.float64)
    k, n = won.shape
    means, shared = won.mean(axis=1), np.cov(won, bias=True)
    own = np.diag(shared)
    variance = own[:, None] + own - 2 * shared + EXTRA_SQUARES / n
    half = bonferroni(k * (k - 1) // 2) * np.sqrt(variance / n)
    difference = means[:, None] - means
    np.fill_diagonal(half, 0.0)
    best, worst = int(means.argmax()), int(means.argmin())
    if best == worst:  # all alike
        best, worst = 0, 1
    value = float(difference[best, worst])
    low = max(0.0, float((difference - half).max()))
    high = min(1.0, float((difference + half).max()))
    who = f"{games[best].label} above {games[worst].label}"
    noise = float(variance[best, worst]) / n
    return Estimate(value, low, high, apart(value, target), noise, who)


def exhausted(games: Sequence[Games], target: Span) -> Estimate:
    """The share of games at whose end a hero is exhausted, of the hero with the largest share.

    In one condition. Its interval is that of `spread`, from Wilson intervals of all heroes that
    hold together.
    """
    flags = np.array(games[0].rows["hero_exhausted"].to_list(), np.bool_)
    times, n = flags.sum(axis=0), len(flags)
    spans = [wilson(int(one), n, bonferroni(len(times))) for one in times]
    most = int(times.argmax())
    share = float(times[most]) / n
    low, high = (max(ends) for ends in zip(*spans, strict=True))
    noise, who = share * (1 - share) / n, games[0].heroes[most]
    return Estimate(share, low, high, apart(share, target), noise, who)


WON = Measure("games won", won)
MEAN_ROUNDS = Measure("rounds, mean", mean_rounds, percent=False, near=0.1, widest=0.5)
SPREAD = Measure("spread of parties", spread)
EXHAUSTED = Measure("hero most often exhausted", exhausted)


def quantile_of(ordered: NDArray[np.int16], share: float) -> tuple[float, float, float]:
    """The smallest value that `share` of the values do not exceed, and its 95 % interval.

    ordered: ascending. The interval runs from one order statistic to another: how many values lie
    below the true quantile is binomial, so it holds for any distribution.
    """
    n = len(ordered)
    chances = np.cumsum(binomial(n, share))
    below = int(np.searchsorted(chances, DOUBT / 2))  # first k with P(count <= k) at least 2.5 %
    above = int(np.searchsorted(chances, 1 - DOUBT / 2))
    at = int(np.ceil(share * n - 1e-9)) - 1
    low, high = max(below - 1, 0), min(above, n - 1)
    return float(ordered[max(at, 0)]), float(ordered[low]), float(ordered[high])


def binomial(n: int, chance: float) -> NDArray[np.float64]:
    """The probabilities of 0 to n successes, float64 (n + 1,)."""
    k = np.arange(1, n + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log((n - k + 1) / k))])
    whole = np.arange(n + 1)
    found: NDArray[np.float64] = np.exp(
        logs + whole * np.log(chance) + (n - whole) * np.log1p(-chance)
    )
    return found
