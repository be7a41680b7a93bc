"""Forecasts round after round of a recorded game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agemonia_env.display.reports import Readable, text_table
from agemonia_env.envs import env_class
from agemonia_env.envs.replay import replay_steps
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.rulesets.recorded_game import RecordedGame, ReviewError, load_game, read_game
from agemonia_env.rulesets.ruleset import ruleset_of

from .play import Forecaster
from .result import Forecast, chance
from .start import Start, start_of

if TYPE_CHECKING:
    from rich.console import Group

LEVELS = "▁▂▃▄▅▆▇█"
BAR = 20  # characters of 100 %


class Stop(NamedTuple):
    """A position of a recorded game. step: as its page counts; round: that begins there."""

    step: int
    round: int
    start: Start


@dataclass(frozen=True, repr=False)
class Course(Readable):
    """The win probability over a recorded game: a forecast where each round begins, and at the end.

    steps: of each forecast, as the page of the game counts.
    """

    steps: tuple[int, ...]
    forecasts: tuple[Forecast, ...]

    def chances(self) -> dict[str, list[float]]:
        """Win probabilities by policy, one for each step; without those of unfinished forecasts."""
        names = [row.policy for row in self.forecasts[0].rows]
        return {name: [row.won for one in self.forecasts for row in one.rows if row.policy == name]
                for name in names}  # fmt: skip

    def record(self) -> dict[str, Any]:
        """The course, JSON-able."""
        pairs = zip(self.steps, self.forecasts, strict=True)
        return {"steps": [{"step": step, **one.record()} for step, one in pairs]}

    @property
    def headline(self) -> str:
        """The win probability of each policy, as a line."""
        lines = (f"{name} {sparkline(values)}" for name, values in self.chances().items())
        return f"{self.forecasts[0].start.party}: {', '.join(lines)}"

    def __rich__(self) -> Group:
        """A line for each round: win probability with its interval, and a bar."""
        from rich.console import Group
        from rich.text import Text

        rows = []
        for step, one in zip(self.steps, self.forecasts, strict=True):
            where = "end" if one.start.over else str(one.start.round)
            for k, row in enumerate(one.rows):
                at = (where, str(step)) if k == 0 else ("", "")
                rows.append((*at, row.policy, bar(row.won), chance(row)))
        heads = ("round", "step", "policy", "", "won (95 %)")
        return Group(Text(self.headline), text_table("", heads, rows, names=4))


def sparkline(values: Sequence[float]) -> str:
    """Shares as a line of blocks of different heights."""
    return "".join(LEVELS[min(int(value * len(LEVELS)), len(LEVELS) - 1)] for value in values)


def bar(value: float) -> str:
    """A share as a bar, to half a character."""
    halves = round(2 * BAR * value)
    return ("█" * (halves // 2) + "▌" * (halves % 2)).ljust(BAR)


# ---- positions of a recorded game ---------------------------------------------------------------
@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Within the block errors name a file."""
    try:
        yield
    except ValueError as error:
        raise ReviewError(f"{path}: {error}") from None


def recorded(path: Path) -> tuple[RulesetEnv, RecordedGame]:
    """The environment and the game of a review file. Raises ReviewError."""
    env_id = load_game(path).env_id
    game = read_game(path, ruleset_of(env_id))
    with naming(path):
        return env_class(env_id)(**game.arguments), game


def rounds_of(env: RulesetEnv, game: RecordedGame) -> list[Stop]:
    """The positions at which rounds begin, and the last one. Raises ReviewError.

    env: made with the game's arguments.
    """
    stops: list[Stop] = []
    for step in replay_steps(env, game, game.steps):
        number = int(env.states["round"][0])
        if not stops or number > stops[-1].round or step == game.steps:
            stops.append(Stop(step, number, start_of(env)))
    return stops


def step_of_round(env: RulesetEnv, game: RecordedGame, number: int) -> int:
    """The step at which a round of a recorded game begins. Raises ReviewError."""
    begun = {stop.round: stop.step for stop in reversed(rounds_of(env, game))}
    if number not in begun:
        raise ReviewError(f"round {number}: the game has rounds {min(begun)} to {max(begun)}")
    return begun[number]


def course_of(stops: Sequence[Stop], parts: Sequence[Forecaster]) -> Course:
    """The course from a forecaster for each stop, as far as it is known."""
    both = zip(stops, parts, strict=True)
    found = [(stop.step, part.result()) for stop, part in both if part.has_played]
    return Course(*zip(*found, strict=True))
