"""The forecast of a position: tables for a terminal or a notebook, and a JSON-able record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agemonia_env.display.reports import Readable, text_table

from .outcomes import AMOUNTS, QUANTILES, ForecastRow
from .start import Start

if TYPE_CHECKING:
    from rich.console import Group

WORDS = ("rounds", "decisions", "damage dealt", "damage taken")  # AMOUNTS for readers


@dataclass(frozen=True, repr=False)
class Forecast(Readable):
    """How games end from a position.

    rows: for each policy. Printing it shows the headline; a notebook shows its tables.
    """

    start: Start
    seed: int
    width: float | None
    rows: tuple[ForecastRow, ...]

    def row(self, policy: str) -> ForecastRow:
        """The row of a policy. Raises KeyError."""
        return {row.policy: row for row in self.rows}[policy]

    def record(self) -> dict[str, Any]:
        """The forecast, JSON-able, independent of machine and threads."""
        start, heroes = self.start, self.start.arguments.heroes
        return {
            "env": start.rules.env_id,
            "rules": start.rules.version,
            "ruleset": start.compiled.fingerprint,
            "pack": start.compiled.names.pack,
            "scenario": start.arguments.scenario,
            "heroes": heroes if isinstance(heroes, int) else list(heroes),
            "round": start.round,
            "decisions": start.decisions,
            "over": start.over,
            "seed": self.seed,
            "width": self.width,
            "rows": [row.record() for row in self.rows],
        }

    # ---- for readers -----------------------------------------------------------------------------
    @property
    def headline(self) -> str:
        """Where, and the win probability of each policy."""
        chances = ", ".join(f"{row.policy} wins {chance(row)}" for row in self.rows)
        return f"{self.start}: {chances}"

    def __rich__(self) -> Group:
        """Win probabilities, what is to come, and the chances round by round."""
        from rich.console import Group
        from rich.text import Text

        first = [(row.policy, f"{row.games:,}", chance(row)) for row in self.rows]
        parts: list[Any] = [
            Text(str(self.start)),
            text_table("", ("policy", "games", "won (95 %)"), first),
        ]
        if not self.start.over:
            amounts = ("policy", "still to come", "mean", *(f"{q} %" for q in QUANTILES))
            rounds = ("policy", "by the end of round", "over", "won (95 %)")
            parts.append(text_table("", amounts, list(self._amounts()), names=2))
            parts.append(text_table("", rounds, list(self._by_round())))
        aborted = sum(row.aborted for row in self.rows)
        if aborted:
            parts.append(Text(f"{aborted:,} games took too long and count as not won."))
        return Group(*parts)

    def _amounts(self) -> Iterator[tuple[str, ...]]:
        """A line for each policy and amount."""
        for row in self.rows:
            for name, words in zip(AMOUNTS, WORDS, strict=True):
                mean, *cuts = getattr(row, name)
                policy = row.policy if name == AMOUNTS[0] else ""
                yield (policy, words, f"{mean:.1f}", *map(str, cuts))

    def _by_round(self) -> Iterator[tuple[str, ...]]:
        """A line for each policy and round: where games stand at its end."""
        for row in self.rows:
            for k, line in enumerate(row.by_round):
                name = "" if k else row.policy
                yield (name, str(line.round), share(line.over), chance(line))


def share(value: float) -> str:
    """A share as text: `12.3 %`."""
    return f"{100 * value:.1f} %"


def chance(line: Any) -> str:
    """A win probability with its interval: `70.8 % (68.7 - 72.7)`; without, if it is certain."""
    if line.low == line.high:
        return share(line.won)
    return f"{share(line.won)} ({100 * line.low:.1f} - {100 * line.high:.1f})"
