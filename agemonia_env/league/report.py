"""What came out of a league: tables for the terminal, and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from agemonia_env import __version__
from agemonia_env.display.reports import Readable
from agemonia_env.rulesets.identity import IDENTITY
from agemonia_env.simulation.interval import wilson
from agemonia_env.simulation.progress import share

from .matches import Match, Player, Role
from .rating import Rating, expected

JSON, PICTURE = "ratings.json", "ratings.png"


@dataclass(frozen=True, repr=False)
class Report(Readable):
    """A league that was played. wins: of each match, games won by the Heroes, and games.

    Printed it is one sentence; a notebook shows its tables.
    """

    matches: tuple[Match, ...]
    wins: tuple[tuple[int, int], ...]
    ratings: dict[Player, Rating]
    orders: int

    def ranked(self, *roles: Role) -> list[Rating]:
        """Ratings of these roles, the strongest or hardest first."""
        chosen = [rating for rating in self.ratings.values() if rating.player.role in roles]
        return sorted(chosen, key=lambda rating: (-rating.mu, rating.player))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every match: how often the Heroes won it, and how often by the ratings."""
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
        """How far the ratings are from what happened: the mean over matches, in percentage points.

        One number for each player cannot say that a policy is good at one scenario of all.
        """
        return 100 * float(mean(abs(row["won"] - row["expected"]) for row in self.rows()))

    def record(self) -> dict[str, Any]:
        """All of it, JSON-able; nothing of the machine or the time."""
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

    # ---- to be read -----------------------------------------------------------------------------
    @property
    def headline(self) -> str:
        """Who is strongest, and which scenario is hardest."""
        policy, scenario = self.ranked(Role.POLICY)[0], self.ranked(Role.SCENARIO)[0]
        games = sum(games for _, games in self.wins)
        return (
            f"{len(self.matches)} matches, {games:,} games; strongest: "
            f"{_in_words(policy)}; hardest: {_in_words(scenario)}"
        )

    def __rich__(self) -> Group:
        """Ratings and matches."""
        parts: list[Any] = [_ratings("", self.ranked(Role.POLICY, Role.SCENARIO))]
        if any(player.role is Role.ENEMIES for player in self.ratings):
            title = "Who moves the Enemies, and what it adds to a scenario moved by its cards"
            parts.append(_ratings(title, self.ranked(Role.ENEMIES)))
        parts.append(self._matches())
        spread = max(rating.spread for rating in self.ratings.values())
        parts.append(
            Text(
                f"By the ratings, win rates are {self.misfit():.1f} percentage points off, in the "
                f"mean over matches. Between {self.orders} orders of the games ratings differ by "
                f"{spread:.2f} at most (standard deviation)."
            )
        )
        return Group(*parts)

    def _matches(self) -> Table:
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for heading in ("policy", "scenario", "Enemies"):
            table.add_column(heading)
        for heading in ("games", "won (95 %)", "by ratings"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in self.rows():
            names = (row["policy"], row["scenario"], row["enemies"] or "cards")
            won = share(row["wins"], row["games"])
            cells = (f"{row['games']:,}", won, f"{100 * row['expected']:.1f} %")
            table.add_row(*map(Text, (*names, *cells)))  # brackets in a name are no markup
        return table


def _ratings(title: str, ratings: list[Rating]) -> Table:
    """Ratings, the highest first."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title or None, title_justify="left")
    for heading in ("", "name"):
        table.add_column(heading)
    for heading in ("rating", "95 % interval", "games"):
        table.add_column(heading, justify="right", no_wrap=True)
    for rating in ratings:
        low, high = rating.interval
        numbers = (f"{rating.mu:.2f}", f"{low:.2f} to {high:.2f}", f"{rating.games:,}")
        table.add_row(*map(Text, (rating.player.role.value, rating.player.name, *numbers)))
    return table


def _in_words(rating: Rating) -> str:
    """A player with its rating: `greedy (27.1, 26.5 to 27.7)`."""
    low, high = rating.interval
    return f"{rating.player.name} ({rating.mu:.1f}, {low:.1f} to {high:.1f})"
