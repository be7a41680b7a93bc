"""Successive elimination: variants play the same seeds, and what is surely worse stops playing.

A variant is surely worse than another if an anytime-valid confidence sequence of their paired
difference says so (interval.any_look). The best variant is dropped wrongly only if a sequence
between it and one of the others fails. So it is enough that those of one variant hold at once, by
Bonferroni: the number of looks does not matter, nor does the choice of who leads.

Nearest to a target: a variant is farther from it than another if it lies on the same side of that
one as of the target, seen from their midpoint: (v - b) * (v + b - 2 * target) > 0. That takes two
sequences, of the difference and of the midpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agemonia_env.simulation.interval import ALPHA, any_look

from .accumulator import EXTRA_SQUARES

Goal = float | Literal["highest", "lowest"]  # a share of games won to be near to, or an end
Floats = NDArray[np.float64]
FIRST = 100  # games of each variant before the first look
PER_LOOK = 10  # looks while the number of games grows tenfold


@dataclass(frozen=True)
class Scores:
    """Sums over games of the same seeds: n; totals (k,); products (k, k) of each two variants."""

    n: int
    totals: Floats
    products: Floats

    @property
    def means(self) -> Floats:
        """The win rate of each variant, (k,)."""
        return self.totals / self.n

    def variance(self, sign: int) -> Floats:
        """The variance in one game of v + sign * b, (k, k), with two games more as a doubt."""
        own = np.diag(self.products)
        squares = (own[:, None] + own + 2 * sign * self.products) / self.n
        mean = self.means[:, None] + sign * self.means
        return np.asarray(squares - mean * mean + EXTRA_SQUARES / self.n, np.float64)


def scores_of(won: Floats) -> Scores:
    """Sum games, (k, n): what each variant made of each seed, from 0 to 1."""
    return Scores(won.shape[1], won.sum(axis=1), won @ won.T)


@dataclass(frozen=True)
class Rule:
    """Who is surely worse. variants: how many began; tightest: games at which it is sharpest."""

    goal: Goal
    variants: int
    tightest: float

    @property
    def alpha(self) -> float:
        """The share of runs in which one sequence may fail: all those of one variant count.

        For a target these are differences and midpoints, and the win rate of whoever leads.
        """
        others = max(self.variants - 1, 1)
        ends = isinstance(self.goal, str)
        return ALPHA / (others if ends else 2 * others + self.variants)

    def half(self, scores: Scores, variance: Floats) -> Floats:
        """Half-widths of sequences whose single values have these variances."""
        return np.sqrt(variance) * any_look(scores.n, 1.0, self.tightest, self.alpha)

    def off(self, means: Floats) -> Floats:
        """How far from the best that can be, the smaller the better."""
        if self.goal == "highest":
            return 1 - means
        return means if self.goal == "lowest" else np.abs(means - self.goal)

    def worse(self, scores: Scores) -> NDArray[np.bool_]:
        """Whether v is surely worse than b, bool (k, k)."""
        means, half = scores.means, self.half(scores, scores.variance(-1))
        difference = means[:, None] - means
        above, below = difference > half, difference < -half
        if self.goal == "highest":
            return np.asarray(below)
        if self.goal == "lowest":
            return np.asarray(above)
        middle = means[:, None] + means - 2 * self.goal
        half = self.half(scores, scores.variance(1))
        return np.asarray((above & (middle > half)) | (below & (middle < -half)))

    def short(self, scores: Scores, leader: int) -> float:
        """How much the leader surely falls short of the best at most, as a share of games won."""
        means = scores.means
        half = self.half(scores, scores.variance(-1))[leader]
        half[leader] = 0.0
        behind = means - means[leader]
        if self.goal == "highest":
            return float((behind + half).max())
        if self.goal == "lowest":
            return float((half - behind).max())
        own = max(float(means[leader] * (1 - means[leader])), 0.0) + EXTRA_SQUARES / scores.n
        alone = float(self.half(scores, np.array(own)))
        return min(
            abs(float(means[leader]) - self.goal) + alone,
            float((np.abs(behind) + half).max()),
        )


def next_look(games: int) -> int:
    """The number of games at the look after this one."""
    return games + FIRST * max(1, games // (PER_LOOK * FIRST // 2))


@dataclass(frozen=True)
class Standing:
    """What is known of a variant: its games, how many it won, with an interval of its own.

    by: the variant than which it is surely worse, None if it was never dropped. The interval holds
    whenever the variant stopped, in 95 % of runs.
    """

    games: int
    won: float
    low: float
    high: float
    by: int | None


class Race:
    """A race in progress. alive: who still plays; most: games of a variant; within: see `over`."""

    def __init__(self, rule: Rule, most: int, within: float) -> None:
        self.rule, self.most, self.within = rule, most, within
        self.alive = list(range(rule.variants))
        self.dropped: dict[int, Standing] = {}
        self.games = 0
        self.scores: Scores | None = None
        self.short = 1.0
        self.looks: list[tuple[int, int, int]] = []  # games, variants left, who leads

    @property
    def over(self) -> bool:
        """Whether one is left, or the leader is surely `within` of the best, or games are out."""
        if self.scores is None:
            return False
        return len(self.alive) == 1 or self.short <= self.within or self.games >= self.most

    def wanted(self) -> int:
        """The number of games of each variant at the next look."""
        return min(next_look(self.games) if self.games else FIRST, self.most)

    def look(self, won: Floats) -> None:
        """Take the games so far of those alive, (alive, games), and drop who is surely worse."""
        scores = scores_of(won)
        worse, off = self.rule.worse(scores), self.rule.off(scores.means)
        left = []
        for v, variant in enumerate(self.alive):
            better = np.flatnonzero(worse[v])
            if len(better):
                by = self.alive[int(better[off[better].argmin()])]
                self.dropped[variant] = self._standing(scores, v, by)
            else:
                left.append(v)
        self.alive = [self.alive[v] for v in left]
        kept = np.ix_(left, left)
        self.scores = Scores(scores.n, scores.totals[left], scores.products[kept])
        self.games = scores.n
        leader = int(off[left].argmin())
        self.short = self.rule.short(self.scores, leader)
        self.looks.append((scores.n, len(left), self.alive[leader]))

    def _standing(self, scores: Scores, v: int, by: int | None) -> Standing:
        """What is known of the variant in this place."""
        won, n = float(scores.means[v]), scores.n
        variance = float(scores.products[v, v]) / n - won * won + EXTRA_SQUARES / n
        half = any_look(n, variance, self.rule.tightest)
        return Standing(n, won, max(0.0, won - half), min(1.0, won + half), by)

    def played(self) -> list[int]:
        """The number of games of each variant."""
        return [
            self.dropped[v].games if v in self.dropped else self.games
            for v in range(self.rule.variants)
        ]

    def standings(self) -> dict[int, Standing]:
        """All variants, best first; of those dropped the last ones are the better ones."""
        assert self.scores is not None, "no look yet"
        left = {v: self._standing(self.scores, k, None) for k, v in enumerate(self.alive)}
        both = [*left.items(), *self.dropped.items()]
        off = self.rule.off(np.array([one.won for _, one in both]))
        keys = [
            (-self.games if one.by is None else -one.games, one.by is not None, off[k], v)
            for k, (v, one) in enumerate(both)
        ]
        return dict(both[k] for k in sorted(range(len(both)), key=keys.__getitem__))
