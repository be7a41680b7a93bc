"""Plays a recorded game again, up to a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from agemonia_env.display.messages import counted, in_line
from agemonia_env.rulesets.arguments import CORE_SEED, Arguments, Compiled
from agemonia_env.rulesets.doors import doors_of
from agemonia_env.rulesets.recorded_game import (
    RecordedGame,
    ReviewError,
    check_step,
    position_hash,
)


class Replayed(Protocol):
    """What a game must provide: see RulesetEnv."""

    compiled: Compiled
    arguments: Arguments

    @property
    def states(self) -> NDArray[Any]: ...  # noqa: D102
    def reset(self, *, options: dict[str, Any]) -> Any: ...  # noqa: D102
    def step(self, action: Any) -> Any: ...  # noqa: D102
    def set_streams(self, counters: Mapping[int, int]) -> None: ...  # noqa: D102
    def action_masks(self) -> NDArray[np.bool_]: ...  # noqa: D102
    def explain(self, action: int) -> str: ...  # noqa: D102


Env = TypeVar("Env", bound=Replayed)


def replay(env: Env, game: RecordedGame, step: int | None = None) -> Env:
    """Play a game again up to a step (None = the last), and return the environment.

    env: made with the game's arguments. Raises ReviewError if there is no such step, or if on the
    way an action is illegal or a position is another one.
    """
    for _ in replay_steps(env, game, check_step(game, step)):
        pass
    return env


def replay_steps(env: Replayed, game: RecordedGame, last: int) -> Iterator[int]:
    """As `replay`, step by step: yield 0 to `last`, the environment being at that step."""
    env.reset(options={CORE_SEED: int(game.core_seed, 16)})
    fingerprint = env.compiled.fingerprint
    if fingerprint != game.fingerprint:
        scenario, pack = env.arguments.scenario, env.arguments.pack
        raise ReviewError(
            f"the scenario {scenario} of the pack {pack} has changed: its fingerprint was "
            f"{in_line(game.fingerprint)}, now {fingerprint}; it still opens in a browser"
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


def take_step(env: Replayed, game: RecordedGame, k: int) -> None:
    """Make step k, after the draws that a policy made before it."""
    action = game.actions[k]
    env.set_streams({int(number): int(value, 16) for number, value in game.streams[k].items()})
    if not env.action_masks()[action]:
        raise ReviewError(f"step {k}: action {action} is illegal: {env.explain(action)}")
    _, _, terminated, truncated, _ = env.step(action)
    if (terminated or truncated) and k + 1 < game.steps:
        raise ReviewError(f"step {k + 1}: the game is over after {counted(k + 1, 'step')}")
