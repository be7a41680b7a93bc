"""95 % intervals for the mean of paired differences: for one look, and anytime-valid."""

from __future__ import annotations

from math import log, sqrt

from agemonia_env.simulation.interval import Z

ALPHA = 0.05


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
