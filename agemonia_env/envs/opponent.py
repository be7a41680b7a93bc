"""An opponent outside the core: any policy that answers for the side nobody else plays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import GOING_ON
from agemonia_env.policies import check_policy, model_file, policy_of
from agemonia_env.rulesets.arguments import Arguments
from agemonia_env.rulesets.policy import Policy, Records
from agemonia_env.rulesets.ruleset import Ruleset

SIDES = ("hero", "enemy")  # as `write_sides` of a ruleset numbers them


def opponent_of(ruleset: Ruleset, arguments: Arguments) -> Policy | None:
    """The policy outside the core that plays the side not asked; None if nobody has to.

    Raises ValueError for an unknown one, and for a model that cannot be read, asked or not.
    """
    given = arguments.opponent
    if given is None:
        return None
    if isinstance(given, str) or not hasattr(given, "choose"):
        check_policy(given, ruleset.RIVALS, what="opponent")
    if not isinstance(given, str):
        return given if arguments.opposed else None
    if given in ruleset.RIVALS or (not arguments.opposed and model_file(given) is None):
        return None
    policy = policy_of(ruleset, given)
    return policy if arguments.opposed else None


class Opponent:
    """Plays one side of games that stand side by side, so that the other side alone is asked."""

    def __init__(self, ruleset: Ruleset, policy: Policy, arguments: Arguments) -> None:
        """Play the side that is not `arguments.side`, in games seated as `arguments` says."""
        self.ruleset, self.policy = ruleset, policy
        self.side = 1 - SIDES.index(arguments.side)
        self.seating = arguments.seating()

    def play_ahead(
        self,
        states: Records,
        contents: Records,
        which: NDArray[np.int16],
        games: NDArray[np.intp],
        actions: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Leave each of these games one answer before the next question of the side asked.

        That answer, of the action itself or of the opponent, takes the place of the action in what
        is returned, int64 (n,). The core gives it, and so judges all that the action has led to as
        the one step that it is. An illegal action stays.
        """
        last, ahead = actions.copy(), _bytes(states).copy().view(states.dtype).reshape(-1)
        part = _take(states, games)
        self._give(part, contents, which[games], actions[games])
        _put(ahead, games, part)
        for asked, part, answers in self._answers(ahead, contents, which, games):
            _put(states, asked, part)
            last[asked] = answers
        return last

    def open(
        self,
        states: Records,
        contents: Records,
        which: NDArray[np.int16],
        games: NDArray[np.intp],
    ) -> NDArray[np.intp]:
        """Answer what comes before the first question of the side asked -> where there was any."""
        touched = [asked for asked, *_ in self._answers(states, contents, which, games)]
        return np.unique(np.concatenate([games[:0], *touched]))

    def _answers(
        self,
        states: Records,
        contents: Records,
        which: NDArray[np.int16],
        games: NDArray[np.intp],
    ) -> Iterator[tuple[NDArray[np.intp], Records, NDArray[np.int64]]]:
        """Answer on and on -> each time the games asked, their states (a copy) and the answers.

        An answer is given when the next ones are asked for.
        """
        while True:
            part = _take(states, games)
            sides = np.zeros(len(part), np.uint8)
            self.ruleset.api.write_sides(part, sides)
            asked = (sides == self.side) & (part["ending"] == GOING_ON)
            games, part = games[asked], _take(part, np.flatnonzero(asked))
            if not len(games):
                return
            answers = self.policy.choose(part, contents, which[games])
            yield games, part, answers
            denials = self._give(part, contents, which[games], answers)
            check_answers(self.ruleset, self.policy, answers, denials)
            _put(states, games, part)

    def _give(
        self,
        part: Records,
        contents: Records,
        which: NDArray[np.int16],
        answers: NDArray[np.int64],
    ) -> NDArray[np.int16]:
        """Answer the questions of games -> why not; what is illegal changes nothing."""
        api, denials = self.ruleset.api, np.zeros(len(part), np.int16)
        api.step(part, contents, which, answers, self.seating, api.NO_ROWS, denials)
        return denials


def check_answers(
    ruleset: Ruleset, policy: Policy, answers: NDArray[np.int64], denials: NDArray[np.int16]
) -> None:
    """ValueError if a policy has chosen what it must not: it would be asked the same for ever."""
    if denials.any():
        i = int(np.flatnonzero(denials)[0])
        reason = ruleset.DENIAL_TEXTS[int(denials[i])]
        raise ValueError(f"opponent {policy.name!r}: action {answers[i]} is illegal: {reason}")


def _bytes(states: Records) -> NDArray[np.uint8]:
    """A view of records, uint8 (n, itemsize): copied by fields they take 8 times as long."""
    return states.view(np.uint8).reshape(len(states), states.dtype.itemsize)


def _take(states: Records, games: NDArray[np.intp]) -> Records:
    return _bytes(states)[games].view(states.dtype).reshape(-1)


def _put(states: Records, games: NDArray[np.intp], part: Records) -> None:
    _bytes(states)[games] = _bytes(part)
