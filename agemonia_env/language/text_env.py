"""A game as an environment of texts, with the interface of Gymnasium.

Environments of GEM have the same interface: reset() -> (text, info), and
step(text) -> (text, reward, terminated, truncated, info).
"""

from __future__ import annotations

from typing import Any

from agemonia_env.challenge.decision import (
    WHY_NOT,
    WORDS,
    Clock,
    Decision,
    decision_of,
    is_over,
    is_won,
    start_of,
)
from agemonia_env.challenge.entries import fault
from agemonia_env.challenge.referee import ANSWERS
from agemonia_env.display.messages import counted
from agemonia_env.envs import env_class
from agemonia_env.rulesets.doors import DEFAULT

from .answers import answer_in, no_answer
from .prompts import question_prompt, refusal_prompt, system_prompt

KEPT = ("refused", "episode_statistics")  # of the infos of the environment
NO_CLOCK = Clock(0, 0, 0)


class TextEnv:
    """One game, in which observations and actions are texts.

    env: id of the environment; choices: its arguments, such as scenario, heroes and side; ties are
    settled without asking. The reward is that of the environment: +1 for a game won, -1 for one
    lost, of the heroes if side="both". An answer without a legal action changes nothing, and the
    next observation says why; the third one in a row ends the game as lost.
    """

    def __init__(self, env: str = DEFAULT, **choices: Any) -> None:
        """Make the environment. Raises ValueError naming the wrong argument."""
        given = {"ties": "auto", **choices, "illegal": "raise"}
        self.env = env_class(env)(**given, log=True)
        self.choices = dict(choices)
        self.over, self.number = True, 0  # until reset

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin a game -> (rules and first question, info); arguments as those of Gymnasium."""
        self.observation, info = self.env.reset(seed=seed, options=options)
        self.over, self.refused, self.number = is_over(self.env), 0, 0
        rules = system_prompt(start_of(self.env, 0, "", self.choices))
        return f"{rules}\n\n{self._question()}", self._info(info)

    def step(self, text: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take the action that a text names -> (text, reward, terminated, truncated, info).

        Raises ValueError if no game is going on.
        """
        if self.over:
            raise ValueError("the game is over or has not begun; call reset() first")
        answer = answer_in(text)
        if answer is None:
            return self._refuse(no_answer(text))
        if again := fault(answer, self.env, self.env.legal_actions().tolist()):
            return self._refuse(again)
        self.refused, self.number = 0, self.number + 1
        self.observation, reward, terminated, truncated, info = self.env.step(answer)
        self.over = terminated or truncated
        return self._question(), reward, terminated, truncated, self._info(info)

    def _refuse(self, again: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """What follows an answer without a legal action."""
        self.refused += 1
        self.over = self.refused == ANSWERS
        info = self._info({"refused": again})
        if self.over:
            return f"Your answer was refused: {again}\n{self._question()}", -1.0, True, False, info
        return refusal_prompt(self._decision(), again), 0.0, False, False, info

    def sample_random_action(self) -> str:
        """A random legal answer, such as [26]; GEM's name for it."""
        action = self.env.action_space.sample(mask=self.env.action_masks().astype("int8"))
        return f"[{action}]"

    def render(self) -> str:
        """The question as the last observation had it."""
        return self._question()

    def close(self) -> None:
        """Nothing needs to be closed."""

    def _decision(self) -> Decision:
        return decision_of(self.env, self.observation, self.number, NO_CLOCK, (WORDS, WHY_NOT))

    def _question(self) -> str:
        """The position and the question, or how the game ended."""
        env = self.env
        if is_over(env):
            return env.ruleset.ending_text(env.states[0], env.compiled)
        if self.over:
            return f"The game was stopped after {counted(self.number, 'decision')}."
        return question_prompt(self._decision())

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        """What accompanies an observation: legal actions, and who won."""
        legal = [] if self.over else self.env.legal_actions().tolist()
        told: dict[str, Any] = {"legal_actions": legal}
        if self.over:
            told["is_success"] = is_won(self.env)
        return told | {key: info[key] for key in KEPT if key in info}
