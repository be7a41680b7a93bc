"""Confidence interval of a win rate."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)  # 95 %, both sides


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % Wilson interval of `wins` out of `games` (E. B. Wilson, JASA 22, 1927)."""
    rate, spread = wins / games, Z * Z / games
    centre = rate + spread / 2
    half = sqrt(spread * (rate * (1 - rate) + spread / 4))
    low, high = (centre - half) / (1 + spread), (centre + half) / (1 + spread)
    return max(0.0, min(low, rate)), min(1.0, max(high, rate))  # rounding may leave the rate out
