"""Plays games by a policy, and writes their review files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agemonia_env.envs import env_class
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.files.stopping import uninterrupted
from agemonia_env.policies import Policy
from agemonia_env.rulesets.arguments import CORE_SEED, Arguments
from agemonia_env.rulesets.ruleset import Ruleset

from .analysis import Analyst, Effort, Judgement, probabilities_of
from .page import Made, write_page
from .recording import Recording

Report = Callable[[int, int], None]  # called with what is done and what there is to do


def record(recording: Recording, policy: Policy, limit: int | None = None) -> None:
    """Let a policy play a recording on to the end, or until it has `limit` steps."""
    env, ask = recording.env, probabilities_of(policy)
    while not recording.over and (limit is None or recording.steps < limit):
        probabilities = ask(recording) if ask else None
        action = env.choose(policy)
        with uninterrupted():  # a step is recorded whole, or not at all
            recording.before(action, probabilities)
            _, _, terminated, truncated, _ = env.step(action)
            recording.after(over=terminated or truncated)


@dataclass
class Reviewed:
    """A game being reviewed. `write` writes what there is so far, also after Ctrl-C."""

    recording: Recording
    made: Made
    effort: Effort
    judged: list[Judgement]

    @classmethod
    def begin(cls, env: RulesetEnv, seed: int, made: Made, effort: Effort) -> Reviewed:
        """Begin the game of a seed."""
        env.reset(seed=seed)
        return cls(Recording(env, seed), made, effort, [])

    def play(self, policy: Policy) -> None:
        """Let the policy play the game to its end."""
        record(self.recording, policy)

    def analyse(self, report: Report) -> None:
        """Judge every position; `report` is called after each."""
        for judgement in Analyst(self.recording, self.effort).judgements():
            self.judged.append(judgement)
            report(len(self.judged), self.recording.steps + 1)

    def write(self, path: Path) -> None:
        """Write the page, atomically."""
        write_page(path, self.recording, self.made, self.judged, self.effort)


def write_review(
    rules: Ruleset, played: Arguments, policy: Policy, core_seed: int, path: Path, made: Made
) -> None:
    """Play the game of a core seed and write its page, without an analysis."""
    choices: dict[str, Any] = {name: getattr(played, name) for name in rules.parameters}
    env = env_class(rules.env_id)(**choices)
    env.reset(options={CORE_SEED: core_seed})
    recording = Recording(env)
    record(recording, policy)
    write_page(path, recording, made)
