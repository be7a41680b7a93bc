"""Forecasts: how a game will end from a position, for each of several policies.

start.py     a position, and copies of it with everything hidden drawn anew
play.py      plays the copies to their end, on threads, block by block
outcomes.py  what the games played have in common: win rate, length, damage
result.py    the forecast of a position, as tables and as a record
course.py    forecasts round after round of a recorded game

Importing this package imports none of these modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agemonia_env.rulesets.policy import Policy

    from .course import Course
    from .result import Forecast

__all__ = ["forecast", "forecast_rounds"]


def forecast(
    env: Any,
    policy: str | Policy | Sequence[str | Policy] = "greedy",
    games: int | None = None,
    *,
    position: bytes | None = None,
    width: float | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Forecast:
    """Play on from the position of an environment, many times, and return how the games end.

    env: a single environment, which is not changed; of one that was not reset, the start of its
    scenario, set up anew in every game. position: of `env.get_state()`, in place of the
    environment's own. policy: one or several of the heroes, each a name as `simulate` takes it or
    an object with `choose`. Where the enemies decide, the environment's opponent plays them, or
    greedy play if the environment has none.

    Every game has its own dice and decks: nothing hidden is known to the forecast. games: of each
    policy, 1,000 if None. width: play until the interval of the win rate is at most this many
    percentage points wide, or `games` are played, a million if None. seed: fixes all chance; game k
    has the same hidden cards for every policy. threads: never change the result.

    Raises ValueError for mistakes in the arguments, a position of other rules or another scenario,
    a gauntlet, and an environment that draws a scenario for each game and was not reset; and
    MissingExtra (an ImportError) if an optional package is missing.
    """
    from .play import Effort, Forecaster
    from .start import start_of

    effort = Effort(games, width, seed, threads)
    forecaster = Forecaster(start_of(env, position), policy, effort)
    forecaster.play()
    return forecaster.result()


def forecast_rounds(
    path: str | Path,
    policy: str | Policy | Sequence[str | Policy] = "greedy",
    games: int | None = None,
    *,
    width: float | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Course:
    """Forecast a recorded game where each of its rounds begins, and at its end.

    path: a review file (`agemonia review`, `RecordGames`). The rest as `forecast`. Raises
    ValueError if the file is damaged or of other rules, and for mistakes in the arguments.
    """
    from .course import course_of, naming, recorded, rounds_of
    from .play import Effort, Forecaster

    effort = Effort(games, width, seed, threads)
    game = recorded(Path(path))
    with naming(Path(path)):
        stops = rounds_of(*game)
    parts = [Forecaster(stop.start, policy, effort) for stop in stops]
    for part in parts:
        part.play()
    return course_of(stops, parts)
