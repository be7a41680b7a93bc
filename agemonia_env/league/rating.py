"""Ratings from games, by openskill: a number and its uncertainty for every player.

The model is that of Thurstone and Mosteller as R. C. Weng and C.-J. Lin update it (A Bayesian
Approximation Method for Online Ranking, JMLR 12, 2011): a team's strength is the sum of its
players', and it wins with the chance that `chance` gives. A scenario is a player like a policy.
A policy that plays its enemies joins the scenario's team and starts at 0, as if it played like
their cards: its rating is what it adds to the difficulty.

Players do not learn between games, so ratings do not drift (tau = 0), and each game counts in full
(gamma = 1). Games only determine differences: a rating and its sigma are relative to the players of
the league. With strengths drawn at random, 94 % of the intervals contain a player's distance to the
mean of its league. Ratings updated game by game depend on the order of the games. The games of all
matches are therefore rated in several seeded orders; the result is the mean of these ratings, and
its sigma combines their uncertainty with the spread between orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray
from openskill.models import ThurstoneMostellerFull

from agemonia_env.simulation.interval import Z

from .matches import Match, Player, Role

MU, SIGMA, BETA = (
    25.0,
    25.0 / 3.0,
    25.0 / 6.0,
)  # defaults of openskill; beta: randomness of one game
STREAM = 0x1EA6  # keeps the orders apart from other uses of a seed


@dataclass(frozen=True)
class Rating:
    """The rating of a player. sigma: total uncertainty of mu; spread: of mu between orders."""

    player: Player
    mu: float
    sigma: float
    spread: float
    games: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, relative to the players of the league."""
        return self.mu - Z * self.sigma, self.mu + Z * self.sigma


def rated(
    matches: Sequence[Match], wins: Sequence[tuple[int, int]], *, seed: int, orders: int
) -> dict[Player, Rating]:
    """Rate every player; wins: of each match, games won by the heroes, and games."""
    outcomes = mixed(wins)
    counted: dict[Player, int] = {}
    for match, (_, games) in zip(matches, wins, strict=True):
        for player in (match.policy, *match.defenders()):
            counted[player] = counted.get(player, 0) + games
    found = [in_order(matches, outcomes, [seed, STREAM, k]) for k in range(orders)]
    mus = np.array([[one[player].mu for player in counted] for one in found])
    variances = np.array([[one[player].sigma ** 2 for player in counted] for one in found])
    spread = mus.std(axis=0, ddof=1 if orders > 1 else 0)
    sigma = np.sqrt(variances.mean(axis=0) + spread**2)
    columns = zip(counted.items(), mus.mean(axis=0), sigma, spread, strict=True)
    return {
        player: Rating(player, float(mu), float(deviation), float(between), games)
        for (player, games), mu, deviation, between in columns
    }


def mixed(wins: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """Every game as (number of its match, 1 if the heroes won it), int64 (games, 2)."""
    parts = [
        np.column_stack([np.full(games, k), np.arange(games) < won])
        for k, (won, games) in enumerate(wins)
    ]
    return np.concatenate(parts).astype(np.int64)


def in_order(
    matches: Sequence[Match], outcomes: NDArray[np.int64], seed: Sequence[int]
) -> dict[Player, Any]:
    """Ratings of openskill after all games in one seeded order."""
    weight = lambda *_: 1.0  # noqa: E731 - of a game: gamma of Weng and Lin
    model = ThurstoneMostellerFull(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, gamma=weight)
    found: dict[Player, Any] = {}
    for match in matches:
        for player in (match.policy, *match.defenders()):
            mu = 0.0 if player.role is Role.ENEMIES else MU
            found.setdefault(player, model.rating(mu=mu))
    for number, won in np.random.default_rng(list(seed)).permutation(outcomes).tolist():
        match = matches[number]
        heroes, others = [match.policy], match.defenders()
        teams = [[found[player] for player in team] for team in (heroes, others)]
        after = model.rate(teams, ranks=[0, 1] if won else [1, 0])
        for team, ratings in zip((heroes, others), after, strict=True):
            found.update(zip(team, ratings, strict=True))
    return found


def chance(difference: float) -> float:
    """The probability that a team wins with this lead in strength."""
    return NormalDist().cdf(difference / (sqrt(2) * BETA))


def expected(match: Match, ratings: dict[Player, Rating]) -> float:
    """The probability, by the ratings, that the heroes win a game of a match."""
    against = sum(ratings[player].mu for player in match.defenders())
    return chance(ratings[match.policy].mu - against)
