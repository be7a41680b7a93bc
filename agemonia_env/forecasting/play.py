"""Plays games from a position to their end, block by block, on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from agemonia_env.display.messages import shown
from agemonia_env.envs.copies import copies
from agemonia_env.policies import Policy
from agemonia_env.rulesets.arguments import CORE_SEEDS, MAX_THREADS, check_number
from agemonia_env.simulation.games import game_seeds
from agemonia_env.simulation.interval import at_any_time, wilson
from agemonia_env.simulation.jobs import OnPlayed, run_on_threads

from .outcomes import Ends, ForecastRow, row_of, row_of_ended
from .result import Forecast
from .start import Start

GAMES = 1_000  # default, of each policy
MOST_GAMES = 1_000_000  # default where the width of the interval decides
STREAM = 0xF0CA5  # keeps the seeds of forecasts apart from other uses of a seed
BLOCK = 250  # games played at a time, and between two looks at the width

Report = Callable[[int], None]  # called with the number of games played since the last call


@dataclass(frozen=True)
class Effort:
    """How many games are played: see `agemonia_env.forecast`."""

    games: int | None = None
    width: float | None = None
    seed: int = 0
    threads: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError for a number out of range."""
        if self.games is not None:
            check_number("games", self.games, 1)
        width = self.width
        number = isinstance(width, int | float | np.integer | np.floating)
        if width is not None and (isinstance(width, bool) or not number or not 0 < width <= 100):
            raise ValueError(f"width={shown(width)}: must be a number of points, above 0 to 100")
        check_number("seed", self.seed, 0, CORE_SEEDS - 1)
        check_number("threads", self.threads, 1, MAX_THREADS)

    @property
    def most(self) -> int:
        """The most games of a policy."""
        return self.games or (GAMES if self.width is None else MOST_GAMES)


class Forecaster:
    """Plays the games of a forecast; `result` has those played so far, also after Ctrl-C."""

    def __init__(
        self,
        start: Start,
        policy: str | Policy | Sequence[str | Policy],
        effort: Effort,
    ) -> None:
        """Load the policies. Raises ValueError for an unknown one."""
        self.start, self.effort = start, effort
        self.policies = start.policies(policy)
        self.played: dict[str, list[Ends]] = {}  # blocks by policy, in order

    def play(self, report: Report = lambda games: None) -> None:
        """Play all games; `report` is called from time to time, by this thread."""
        if not self.start.over:
            for policy in self.policies:
                self._play(policy, report)

    def _play(self, policy: Policy, report: Report) -> None:
        """Play the games of a policy, until there are enough.

        Blocks are looked at in order, so where playing stops does not depend on threads.
        """
        size, most = min(policy.batch, BLOCK), self.effort.most
        blocks = (range(k, min(k + size, most)) for k in range(0, most, size))
        early: dict[int, Ends] = {}  # blocks that others before them are missing
        played = self.played.setdefault(policy.name, [])
        next_game = 0

        def play(block: range, on_played: OnPlayed) -> Ends:
            ends = self._play_block(policy, block)
            on_played(len(block), 0)
            return ends

        def ignore(games: int, wins: int) -> None:
            pass

        with closing(run_on_threads(play, blocks, self.effort.threads, ignore)) as done:
            for block, ends in done:
                early[block.start] = ends
                while next_game in early:
                    played.append(early.pop(next_game))
                    report(len(played[-1].won))
                    next_game += size
                    if self._is_narrow(played):
                        return

    def _play_block(self, policy: Policy, block: range) -> Ends:
        """Play these games to their end."""
        states = self.start.games(game_seeds(self.effort.seed, STREAM, block))
        before = copies(states)
        self.start.play(states, policy)
        return Ends.between(before, states)

    def _is_narrow(self, played: Sequence[Ends]) -> bool:
        """Whether the interval is as narrow as wanted."""
        if self.effort.width is None:
            return False
        games = sum(len(ends.won) for ends in played)
        low, high = at_any_time(sum(int(ends.won.sum()) for ends in played), games)
        return 100 * (high - low) <= self.effort.width

    @property
    def n_plays(self) -> int:
        """How often the games of a policy are played: for each policy, unless the game is over."""
        return 0 if self.start.over else len(self.policies)

    @property
    def has_played(self) -> bool:
        """Whether there is a result."""
        return self.start.over or any(self.played.values())

    def result(self) -> Forecast:
        """The forecast, from the games played so far. Raises ValueError if there are none."""
        if not self.has_played:
            raise ValueError("no games have been played")
        return Forecast(self.start, self.effort.seed, self.effort.width, tuple(self._rows()))

    def _rows(self) -> Sequence[ForecastRow]:
        if self.start.over:
            state = self.start.state
            assert state is not None
            return [row_of_ended(one.name, Ends.between(state, state)) for one in self.policies]
        parts = {name: Ends.joined(ends) for name, ends in self.played.items() if ends}
        planned = self.effort.most if self.effort.width is None else None  # one look
        return [
            row_of(name, ends, wilson if len(ends.won) == planned else at_any_time)
            for name, ends in parts.items()
        ]
