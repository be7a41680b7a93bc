"""Plays a recorded game again, up to a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from agemonia_env.rulesets.arguments import CORE_SEED, Arguments, Compiled
from agemonia_env.rulesets.doors import doors_of
from agemonia_env.rulesets.recorded_game import (
    RecordedGame,
    ReviewError,
    check_step,
    position_hash,
)


class Game(Protocol):
    """What a game must provide: see RulesetEnv."""

    compiled: Compiled
    arguments: Arguments

    @property
    def states(self) -> NDArray[Any]: ...  # noqa: D102
    def reset(self, *, options: dict[str, Any]) -> Any: ...  # noqa: D102
    def step(self, action: Any) -> Any: ...  # noqa: D102
    def set_streams(self, counters: Mapping[int, int]) -> None: ...  # noqa: D102


Env = TypeVar("Env", bound=Game)


def replay(env: Env, game: RecordedGame, step: int | None = None) -> Env:
    """Play a game again up to a step (None = the last), and return the environment.

    env: made with the game's arguments. Raises ReviewError if there is no such step, or a position
    on the way is another one.
    """
    for _ in replay_steps(env, game, check_step(game, step)):
        pass
    return env


def replay_steps(env: Game, game: RecordedGame, last: int) -> Iterator[int]:
    """As `replay`, step by step: yield 0 to `last`, the environment being at that step."""
    env.reset(options={CORE_SEED: int(game.core_seed, 16)})
    fingerprint = env.compiled.fingerprint
    if fingerprint != game.fingerprint:
        scenario, pack = env.arguments.scenario, env.arguments.pack
        raise ReviewError(
            f"the scenario {scenario} of the pack {pack} has changed: its fingerprint was "
            f"{game.fingerprint}, now {fingerprint}; it still opens in a browser"
        )
    for k in range(last + 1):
        if k:
            take_step(env, game, k - 1)
        if position_hash(env.states) != game.positions[k]:
            raise ReviewError(f"the game goes another way at step {k}: the file is damaged")
        yield k


def check_one_scenario(env: Any, what: str) -> None:
    """Raise ValueError if games of an environment cannot be such as "recorded".

    An environment that plays otherwise, such as a gauntlet, has a from_review that refuses.
    """
    kind = doors_of(env.ruleset.env_id).open("single")
    if type(env).from_review.__func__ is not kind.from_review.__func__:
        raise ValueError(f"games of {type(env).__name__} cannot be {what}, only single scenarios")


def take_step(env: Game, game: RecordedGame, k: int) -> None:
    """Make step k, after the draws that a policy made before it."""
    streams = {int(number): int(counter, 16) for number, counter in game.streams[k].items()}
    try:
        env.set_streams(streams)
        env.step(game.actions[k])
    except (ValueError, IndexError) as error:
        raise ReviewError(f"the file is damaged at step {k}: {error}") from None


def changed_streams(before: bytes, after: bytes) -> dict[str, str]:
    """The random counters that differ, as RecordedGame has them; before, after: uint64 arrays."""
    old, new = np.frombuffer(before, np.uint64), np.frombuffer(after, np.uint64)
    return {str(k): f"{int(new[k]):x}" for k in np.flatnonzero(old != new)}
