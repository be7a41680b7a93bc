"""95 % intervals for one look, and anytime-valid: of a win rate, and of a mean difference."""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma, log, log1p, sqrt
from statistics import NormalDist

ALPHA = 0.05
Z = NormalDist().inv_cdf(1 - ALPHA / 2)  # 95 %, both sides
BISECTIONS = 50  # to the last digits of a float


def wilson(wins: int, games: int, z: float = Z) -> tuple[float, float]:
    """The Wilson interval of `wins` out of `games` (E. B. Wilson, JASA 22, 1927).

    z: normal quantile of its confidence, 95 % unless said otherwise.
    """
    rate, spread = wins / games, z * z / games
    centre = rate + spread / 2
    half = sqrt(spread * (rate * (1 - rate) + spread / 4))
    low, high = (centre - half) / (1 + spread), (centre + half) / (1 + spread)
    return max(0.0, min(low, rate)), min(1.0, max(high, rate))  # rounding may leave the rate out


def at_any_time(wins: int, games: int) -> tuple[float, float]:
    """A 95 % interval that holds after every game at once, so that one may stop whenever one likes.

    The rates whose posterior density, under a uniform prior, is at least 0.05. By Ville's
    inequality the true rate leaves them, at any time, in at most 5 % of runs, also where wins are
    rare (Waudby-Smith and Ramdas, Confidence sequences for sampling without replacement, NeurIPS
    2020). Nearly twice as wide as `wilson` after a thousand games.
    """
    losses, rate = games - wins, wins / games
    least = log(ALPHA) - (lgamma(games + 2) - lgamma(wins + 1) - lgamma(losses + 1))

    def holds(p: float) -> bool:
        return wins * log(p) + losses * log1p(-p) >= least

    low = _edge(holds, rate, 0.0) if wins else 0.0
    return low, _edge(holds, rate, 1.0) if losses else 1.0


def _edge(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """Where `holds` ends between two numbers, by bisection."""
    for _ in range(BISECTIONS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return outside


# ---- of the mean of paired differences ----------------------------------------------------------
def one_look(pairs: int, variance: float) -> float:
    """Half-width of the interval after a number of pairs fixed in advance."""
    return Z * sqrt(variance / pairs)


def any_look(pairs: int, variance: float, tightest: float, alpha: float = ALPHA) -> float:
    """Half-width of an anytime-valid confidence sequence.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
    (Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics
    52(6), 2024, theorem 2.2): all intervals of a run hold at once in 95 % of runs, so the one at
    which it stops holds, whatever the reason for stopping. tightest: number of pairs at which it is
    narrowest relative to `one_look`, 1.5 times as wide; it must not depend on the games. alpha: the
    share of runs in which it may fail; of several that must hold at once, each gets its part.
    """
    rho2 = (log(1 - 2 * log(alpha)) - 2 * log(alpha)) / tightest
    mixed = pairs * rho2 + 1
    return sqrt(variance * 2 * mixed * log(sqrt(mixed) / alpha) / rho2) / pairs
