"""How sure the mean of paired differences is: 95 % intervals, for one look and for any number."""

from __future__ import annotations

from math import log, sqrt

from agemonia_env.simulation.interval import Z

ALPHA = 0.05


def one_look(pairs: int, variance: float) -> float:
    """Half the width of the interval after a number of pairs that was fixed before the first."""
    return Z * sqrt(variance / pairs)


def any_look(pairs: int, variance: float, tightest: float) -> float:
    """Half the width of the interval for who looks whenever he likes, and stops when he likes.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
    (Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics
    52(6), 2024, theorem 2.2): all the intervals of a run hold at once in 95 % of runs, so the one
    at which it stops does, whatever the reason for stopping. tightest: so many pairs make it
    narrowest beside that of one look, 1.5 times as wide; it must not depend on the games.
    """
    rho2 = (log(1 - 2 * log(ALPHA)) - 2 * log(ALPHA)) / tightest
    mixed = pairs * rho2 + 1
    return sqrt(variance * 2 * mixed * log(sqrt(mixed) / ALPHA) / rho2) / pairs
