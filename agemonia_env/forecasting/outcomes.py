"""What the games played from a position have in common: win rate, length, damage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.simulation.games import Records

QUANTILES = (5, 25, 50, 75, 95)  # percent
AMOUNTS = ("rounds", "decisions", "damage_dealt", "damage_taken")  # of a game, from the position on
FROM_STATE = ("round", "decisions", "damage_dealt", "damage_taken")  # the fields they come from

Interval = Callable[[int, int], tuple[float, float]]  # of wins and games


class Ends(NamedTuple):
    """How n games ended, arrays (n,).

    amounts: of AMOUNTS, (4, n); rounds count the present one. last_round: in which each ended.
    """

    won: NDArray[np.bool_]
    over: NDArray[np.bool_]  # False: aborted
    last_round: NDArray[np.int64]
    amounts: NDArray[np.int64]

    @classmethod
    def between(cls, before: Records, after: Records) -> Ends:
        """Of games that stood at `before` and were played on to `after`, STATE (n,) each."""
        amounts = np.stack([after[name].astype(np.int64) - before[name] for name in FROM_STATE])
        amounts[0] += before["ending"] == GOING_ON
        over = after["ending"] != GOING_ON
        return cls(after["won"].astype(np.bool_), over, after["round"].astype(np.int64), amounts)

    @classmethod
    def joined(cls, parts: Sequence[Ends]) -> Ends:
        """All games of these parts."""
        return cls(*(np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True)))


class Spread(NamedTuple):
    """How an amount is spread over games: mean and quantiles.

    q5: the smallest amount that at least 5 % of the games stay within; the others alike.
    """

    mean: float
    q5: int
    q25: int
    q50: int
    q75: int
    q95: int

    @classmethod
    def of(cls, amounts: NDArray[np.int64]) -> Spread:
        """Of the amounts of n games, (n,)."""
        cuts = np.percentile(amounts, QUANTILES, method="inverted_cdf").astype(int).tolist()
        return cls(float(amounts.mean()), *cuts)


class ByRound(NamedTuple):
    """Where games stand at the end of a round.

    over: share of games that have ended by then; won: share that have been won by then, with its
    95 % interval.
    """

    round: int
    over: float
    won: float
    low: float
    high: float


@dataclass(frozen=True)
class ForecastRow:
    """The forecast for a policy.

    games: played; 0 if the position has ended. aborted: games that took too long, counted as not
    won. won: win probability, with its 95 % interval from low to high. The spreads are of what
    comes after the position; rounds count the present one.
    """

    policy: str
    games: int
    aborted: int
    won: float
    low: float
    high: float
    rounds: Spread
    decisions: Spread
    damage_dealt: Spread
    damage_taken: Spread
    by_round: tuple[ByRound, ...]

    def record(self) -> dict[str, Any]:
        """The row, JSON-able."""
        spreads = {name: getattr(self, name)._asdict() for name in AMOUNTS}
        by_round = [line._asdict() for line in self.by_round]
        plain = ("policy", "games", "aborted", "won", "low", "high")
        return {name: getattr(self, name) for name in plain} | spreads | {"by_round": by_round}


def row_of(policy: str, ends: Ends, interval: Interval) -> ForecastRow:
    """The row of a policy from its games."""
    n, wins = len(ends.won), int(ends.won.sum())
    low, high = interval(wins, n)
    aborted = n - int(ends.over.sum())
    by_round = tuple(_by_round(ends, interval))
    return ForecastRow(policy, n, aborted, wins / n, low, high, **_spreads(ends), by_round=by_round)


def row_of_ended(policy: str, ends: Ends) -> ForecastRow:
    """The row of a position that has ended; ends: of one game. Nothing about it is uncertain."""
    won = float(ends.won[0])
    by_round = (ByRound(int(ends.last_round[0]), 1.0, won, won, won),)
    return ForecastRow(policy, 0, 0, won, won, won, **_spreads(ends), by_round=by_round)


def _spreads(ends: Ends) -> dict[str, Spread]:
    return {name: Spread.of(amounts) for name, amounts in zip(AMOUNTS, ends.amounts, strict=True)}


def _by_round(ends: Ends, interval: Interval) -> Sequence[ByRound]:
    """A line for each round in which games end, and those between."""
    n, ended = len(ends.won), ends.last_round[ends.over]
    if not len(ended):
        return ()
    lines = []
    for number in range(int(ended.min()), int(ended.max()) + 1):
        over = ends.over & (ends.last_round <= number)
        won = int((over & ends.won).sum())
        lines.append(ByRound(number, int(over.sum()) / n, won / n, *interval(won, n)))
    return lines
