"""Progress of a simulation, and a summary of its games."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from threading import Lock
from types import TracebackType
from typing import Any, Self

import polars as pl
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from agemonia_env.display.reports import text_table

from .interval import wilson
from .result_file import one_line

PAUSE = 10.0  # seconds between lines without a terminal
KIND = {"scenario": "scenario", "party": "heroes", "level": "level", "difficulty": "difficulty"}
MEANS = {
    "rounds": "rounds",
    "decisions": "decisions",
    "damage_dealt": "dealt",
    "damage_taken": "taken",
    "exhausted": "exhausted",
}


class Progress:
    """Counts games and shows speed and win rate.

    Draws a bar on a terminal and prints a line from time to time elsewhere; console None: silent.
    """

    def __init__(self, total: int, console: Console | None) -> None:
        self._total, self._console = total, console
        self._games = self._wins = self._before = 0
        self._lock = Lock()
        self._start = self._printed = time.monotonic()
        self._bar: Bar | None = None
        if console is not None and console.is_terminal:
            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
            self._bar = Bar(*columns, TimeRemainingColumn(), console=console)
            self._task = self._bar.add_task("", total=total)

    def __enter__(self) -> Self:
        """Start the display."""
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the display; print the final line unless there was an error."""
        if self._bar is not None:
            self._bar.stop()
        elif self._console is not None and error is None:
            self._console.print(self.line(), highlight=False, soft_wrap=True)

    def resume(self, games: int, wins: int) -> None:
        """Add games of an earlier run, which do not count for the speed."""
        self._before = games
        self.add(games, wins)

    def add(self, games: int, wins: int) -> None:
        """Add games played and won. Safe from any thread."""
        with self._lock:
            self._games += games
            self._wins += wins
            now = time.monotonic()
            if self._bar is not None:
                self._bar.update(self._task, completed=self._games, description=self.rates())
            elif self._console is not None and now >= self._printed + PAUSE:
                self._printed = now
                self._console.print(self.line(), highlight=False, soft_wrap=True)

    def rates(self) -> str:
        """Games per second, and the win rate with its interval."""
        if not self._games:
            return self.speed()
        return f"{self.speed()}, won {share(self._wins, self._games)}"

    def speed(self) -> str:
        """Games per second."""
        seconds = max(time.monotonic() - self._start, 1e-9)
        speed = (self._games - self._before) / seconds
        return f"{speed:{',.0f' if speed >= 10 else '.2g'}} games/s"

    def line(self) -> str:
        """Progress in one line."""
        return f"{self._games:,} of {self._total:,} games, {self.rates()}"


def share(wins: int, games: int) -> str:
    """A win rate with its interval: `70.8 % (68.7 - 72.7)`."""
    low, high = wilson(wins, games)
    return f"{100 * wins / games:.1f} % ({100 * low:.1f} - {100 * high:.1f})"


def summary(rows: pl.LazyFrame) -> Table:
    """A table with a line per kind of game: win rate and means."""
    with one_line(None):
        found = (
            rows.group_by(*KIND, maintain_order=True)
            .agg(pl.len(), pl.col("won").sum(), pl.col(*MEANS).mean())
            .collect(engine="streaming")
        )
    cells = []
    for row in found.iter_rows(named=True):
        row["party"] = in_words(row["party"])
        kind = ["-" if row[name] is None else str(row[name]) for name in KIND]
        means = [f"{row[name]:.2f}" for name in MEANS]
        cells.append((*kind, f"{row['len']:,}", share(row["won"], row["len"]), *means))
    heads = (*KIND.values(), "games", "won (95 %)", *MEANS.values())
    return text_table("", heads, cells, names=len(KIND))


def in_words(party: str) -> str:
    """A party as text: the number of heroes, or their names and further choices."""
    heroes = json.loads(party)
    if isinstance(heroes, int):
        return party
    return ", ".join(hero if isinstance(hero, str) else _hero_in_words(hero) for hero in heroes)


def _hero_in_words(hero: Mapping[str, Any]) -> str:
    """A hero with choices: `orsa (items boat-hook, plank-shield; level 3)`."""
    choices = []
    for key, value in hero.items():
        if key != "hero":
            words = ", ".join(map(str, value)) or "none" if isinstance(value, list) else value
            choices.append(f"{key} {words}")
    return f"{hero['hero']} ({'; '.join(choices)})" if choices else str(hero["hero"])
