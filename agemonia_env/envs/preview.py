"""Previews an action: its certain outcome, found by trying it on copies of the game."""

from __future__ import annotations

from typing import Any, Protocol, Self

from numpy.typing import NDArray

COPIES = 12  # each with its own randomness: an outcome of all of them is certain
MOST_ANSWERS = 5


class Previewed(Protocol):
    """What a game must provide: see RulesetEnv."""

    @property
    def states(self) -> NDArray[Any]: ...  # noqa: D102
    def clone(self, reseed: bool | int) -> Self: ...  # noqa: D102
    def keep_log(self) -> None: ...  # noqa: D102
    def step(self, action: Any) -> Any: ...  # noqa: D102
    def happened(self) -> list[str]: ...  # noqa: D102
    def question(self) -> str: ...  # noqa: D102
    def legal_actions(self) -> NDArray[Any]: ...  # noqa: D102
    def action_meaning(self, action: int) -> str: ...  # noqa: D102


UNSURE = "What follows depends on dice or cards."


def preview(env: Previewed, action: int) -> str:
    """Describe the outcome of a legal action up to the next question, if it is certain.

    The copies have their own dice and decks, so nothing hidden is revealed.
    """
    outcomes = {_try_copy(env, action, seed) for seed in range(COPIES)}
    text = outcomes.pop()
    return UNSURE if outcomes or text is None else text


def _try_copy(env: Previewed, action: int, seed: int) -> str | None:
    """The outcome in one copy; None if anything random was drawn."""
    copy = env.clone(reseed=seed)
    copy.keep_log()
    before = copy.states["chance"].tobytes()
    copy.step(action)
    if copy.states["chance"].tobytes() != before:
        return None
    events = "".join(f"{event}. " for event in copy.happened())
    events = f"Now: {events}" if events else ""
    if copy.states["ending"][0]:
        return f"{events}{copy.question()}"
    answers = [copy.action_meaning(int(answer)) for answer in copy.legal_actions()]
    more = ", ..." * (len(answers) > MOST_ANSWERS)
    return f"{events}Then: {copy.question()} ({', '.join(answers[:MOST_ANSWERS])}{more})"
