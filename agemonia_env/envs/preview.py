"""What an action brings for sure, found by trying it on copies of the game."""

from __future__ import annotations

from typing import Any, Protocol, Self

from numpy.typing import NDArray

COPIES = 12  # with chance of their own: what is the same in all of them is hardly luck
MOST_ANSWERS = 5


class Game(Protocol):
    """What is asked of a game: see RulesetEnv."""

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


def foreseen(env: Game, action: int) -> str:
    """Say what a legal action brings, up to the next question, if no chance has a part in it.

    Each copy has other dice and other decks than the game, so nothing hidden is told.
    """
    found = {_tried(env, action, seed) for seed in range(COPIES)}
    text = found.pop()
    return UNSURE if found or text is None else text


def _tried(env: Game, action: int, seed: int) -> str | None:
    """What comes of the action in one copy; None if dice were rolled."""
    copy = env.clone(reseed=seed)
    copy.keep_log()
    before = copy.states["chance"].tobytes()
    copy.step(action)
    if copy.states["chance"].tobytes() != before:
        return None
    told = "".join(f"{event}. " for event in copy.happened())
    told = f"Now: {told}" if told else ""
    if copy.states["ending"][0]:
        return f"{told}{copy.question()}"
    answers = [copy.action_meaning(int(answer)) for answer in copy.legal_actions()]
    more = ", ..." * (len(answers) > MOST_ANSWERS)
    return f"{told}Then: {copy.question()} ({', '.join(answers[:MOST_ANSWERS])}{more})"
