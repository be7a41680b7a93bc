"""Single environments at the positions of a batch, for questions to each of its games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.rulesets.doors import doors_of

from .positions import NOT_DRAWN, Trailer, write

if TYPE_CHECKING:
    from .batch import Batch
    from .single import RulesetEnv


def ask(batch: Batch, name: str, *args: Any, render_mode: str | None, **kwargs: Any) -> list[Any]:
    """What each game's attribute `name` is, or returns if it is a method.

    Copies of the games answer. Raises AttributeError if there is no such attribute, ValueError if
    it changes the position, PendingStepError while a step is pending.
    """
    batch.check_settled()
    answers = []
    for env, position in _sub_envs(batch, render_mode):
        found = getattr(env, name)
        answers.append(found(*args, **kwargs) if callable(found) else found)
        if position is not None and env.get_state() != position:
            raise ValueError(f"{name} changes the game: only step() and reset() of all games may")
    return answers


def _sub_envs(batch: Batch, render_mode: str | None) -> Iterator[tuple[RulesetEnv, bytes | None]]:
    """A single environment for each game and its position, None before the first `reset`."""
    rules, make = batch.ruleset, doors_of(batch.ruleset.env_id).open("single")
    chosen = [
        {key: getattr(entry.arguments, key) for key in rules.parameters} for entry in batch.mix
    ]

    def made(entry: int) -> RulesetEnv:
        env: RulesetEnv = make(**chosen[entry], render_mode=render_mode)
        env.take_fit(batch.fit)  # of all entries
        return env

    first = [made(entry) for entry in range(len(chosen))]
    for i in range(batch.n):
        entry = batch.entry(i)
        if not batch.has_begun(i):
            yield made(entry), None
            continue
        position = _position(batch, i)
        first[entry].set_state(position)
        yield first[entry].clone(reseed=False), position


def _position(batch: Batch, i: int) -> bytes:
    """The position of game i, as `get_state` of its single environment gives it."""
    states, slot, drawn = batch.states[i : i + 1], batch.slots[i], int(batch.scenario_seeds[i, 0])
    over = bool(slot["terminated"]) and not slot["began"]  # with autoreset the next one may go on
    trailer = Trailer(
        batch.compiled(i).fingerprint,
        core_seed=int(batch.core_seeds[i]),
        steps=int(slot["steps"]),
        disqualified=over and states["ending"][0] == GOING_ON,
        scenario_seed=drawn if drawn >= 0 else NOT_DRAWN,
        knobs=batch.knobs[i, 0].tobytes(),
    )
    return write(batch.ruleset, states, trailer)
