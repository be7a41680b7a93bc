"""The result of a league: tables for the terminal, and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from agemonia_env import __version__
from agemonia_env.display.reports import Readable, text_table
from agemonia_env.rulesets.identity import IDENTITY
from agemonia_env.simulation.interval import wilson
from agemonia_env.simulation.progress import share

from .matches import Match, Player, Role
from .rating import Rating, expected

JSON, PICTURE = "ratings.json", "ratings.png"


@dataclass(frozen=True, repr=False)
class Report(Readable):
    """A played league. wins: of each match, games won by the heroes, and games.

    Printing it shows the headline; a notebook shows its tables.
    """

    matches: tuple[Match, ...]
    wins: tuple[tuple[int, int], ...]
    ratings: dict[Player, Rating]
    orders: int

    def ranked(self, *roles: Role) -> list[Rating]:
        """Ratings of these roles, strongest or hardest first."""
        chosen = [rating for rating in self.ratings.values() if rating.player.role in roles]
        return sorted(chosen, key=lambda rating: (-rating.mu, rating.player))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every match: the heroes' win rate, and the one expected by the ratings."""
        for match, (won, games) in zip(self.matches, self.wins, strict=True):
            low, high = wilson(won, games)
            yield {
                "policy": match.policy.name,
                "scenario": match.scenario.name,
                "enemies": None if match.enemies is None else match.enemies.name,
                "games": games,
                "wins": won,
                "won": won / games,
                "low": low,
                "high": high,
                "expected": expected(match, self.ratings),
            }

    def misfit(self) -> float:
        """Mean difference of expected and real win rates over matches, in percentage points.

        One number per player cannot express that a policy is good at one scenario.
        """
        return 100 * float(mean(abs(row["won"] - row["expected"]) for row in self.rows()))

    def record(self) -> dict[str, Any]:
        """The result, JSON-able, independent of machine and time."""
        plan = self.matches[0].plan
        ratings = [
            {
                "role": rating.player.role.value,
                "name": rating.player.name,
                "rating": rating.mu,
                "low": rating.interval[0],
                "high": rating.interval[1],
                "sigma": rating.sigma,
                "spread": rating.spread,
                "games": rating.games,
            }
            for rating in self.ranked(*Role)
        ]
        return {
            "agemonia_env": __version__,
            **{key: plan.record()[key] for key in ("rules", IDENTITY)},
            "seed": plan.seed,
            "orders": self.orders,
            "misfit": self.misfit(),
            "ratings": ratings,
            "matches": list(self.rows()),
        }

    # ---- for readers -----------------------------------------------------------------------------
    @property
    def headline(self) -> str:
        """The strongest policy and the hardest scenario."""
        policy, scenario = self.ranked(Role.POLICY)[0], self.ranked(Role.SCENARIO)[0]
        games = sum(games for _, games in self.wins)
        return (
            f"{len(self.matches)} matches, {games:,} games; strongest: "
            f"{_in_words(policy)}; hardest: {_in_words(scenario)}"
        )

    def __rich__(self) -> Group:
        """Ratings and matches for the terminal."""
        parts: list[Any] = [_ratings("", self.ranked(Role.POLICY, Role.SCENARIO))]
        if any(player.role is Role.ENEMIES for player in self.ratings):
            title = "Enemy policies: what they add to the difficulty compared with cards"
            parts.append(_ratings(title, self.ranked(Role.ENEMIES)))
        parts.append(self._matches())
        spread = max(rating.spread for rating in self.ratings.values())
        parts.append(
            Text(
                f"Expected win rates are off by {self.misfit():.1f} percentage points on average. "
                f"Over {self.orders} orders of the games, the standard deviation of a "
                f"rating is at most {spread:.2f}."
            )
        )
        return Group(*parts)

    def _matches(self) -> Table:
        heads = ("policy", "scenario", "enemies", "games", "won (95 %)", "by ratings")
        rows = [
            (
                *(row["policy"], row["scenario"], row["enemies"] or "cards"),
                *(f"{row['games']:,}", share(row["wins"], row["games"])),
                f"{100 * row['expected']:.1f} %",
            )
            for row in self.rows()
        ]
        return text_table("", heads, rows, names=3)


def _ratings(title: str, ratings: list[Rating]) -> Table:
    """A table of ratings."""
    rows = [
        (
            *(rating.player.role.value, rating.player.name, f"{rating.mu:.2f}"),
            "{:.2f} to {:.2f}".format(*rating.interval),
            f"{rating.games:,}",
        )
        for rating in ratings
    ]
    return text_table(title, ("", "name", "rating", "95 % interval", "games"), rows, names=2)


def _in_words(rating: Rating) -> str:
    """A rating as text: `greedy (27.1, 26.5 to 27.7)`."""
    low, high = rating.interval
    return f"{rating.player.name} ({rating.mu:.1f}, {low:.1f} to {high:.1f})"
