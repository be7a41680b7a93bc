"""`RecordGames`: a Gymnasium wrapper that leaves a review file for each recorded episode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from agemonia_env.display.messages import shown
from agemonia_env.envs.single import RulesetEnv
from agemonia_env.files.writing import check_out_folder
from agemonia_env.rulesets.arguments import positive, whole_number

from .analysis import Analyst, Effort
from .page import Made, write_page
from .recording import ChangedGameError, Probabilities, Recording, check_env

Shares = Mapping[int, float] | Sequence[float] | NDArray[Any]
MOST = 1.001  # of a probability, which a network may have rounded


class RecordGames(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Writes `folder/game-episode-0.html` and so on: pages to scrub through each game.

    A file holds an episode, also one that `reset` or `close` cuts short. `agemonia review --fork
    FILE` and `from_review` play on from any step. Recording takes about 50 ms per step. The
    environment keeps its event log, so infos have `events`.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        folder: str | Path,
        every: int = 1,
        episode_trigger: Callable[[int], bool] | None = None,
        *,
        name_prefix: str = "game",
        keep: int | None = None,
        policy: str = "",
        simulations: int = 0,
        rollouts: int = 0,
    ) -> None:
        """Record every n-th episode, or those for whose number, from 0, the trigger is true.

        keep: only this many of the latest files. policy: who plays, for the page. simulations: of
        the planner for each decision; rollouts: games played on from each option; with 0 the page
        has no analysis. Raises ValueError for a wrong argument, or an env that cannot be recorded.
        """
        RecordConstructorArgs.__init__(
            self,
            folder=str(folder),
            every=every,
            episode_trigger=episode_trigger,
            name_prefix=name_prefix,
            keep=keep,
            policy=policy,
            simulations=simulations,
            rollouts=rollouts,
        )
        gymnasium.Wrapper.__init__(self, env)
        inner = env.unwrapped
        if not isinstance(inner, RulesetEnv):
            raise ValueError(f"must be an environment of this package, not {env}")
        check_env(inner)
        inner.keep_log()
        self._inner: RulesetEnv = inner
        self.folder = Path(folder)
        check_out_folder(self.folder, "folder")
        self.every = positive("every", every)
        if not isinstance(policy, str):
            raise ValueError(f"policy={shown(policy)}: must be a text, which the page shows")
        self.episode_trigger = episode_trigger
        self.keep = None if keep is None else positive("keep", keep)
        self.name_prefix, self.made = name_prefix, Made(policy)
        self.effort = Effort(*_counts(simulations=simulations, rollouts=rollouts))
        self.episode = -1
        self.files: list[Path] = []  # written and not deleted again
        self._recording: Recording | None = None
        self._probabilities: Probabilities | None = None

    def note_probabilities(self, probabilities: Shares) -> None:
        """Give the policy's probabilities of the next action: all actions, or a mapping.

        Raises ValueError for another number of them, or one that is none.
        """
        if isinstance(probabilities, Mapping):
            noted = {int(k): float(p) for k, p in probabilities.items()}
        else:
            shares, n = np.asarray(probabilities, np.float64), self._inner.ruleset.N_ACTIONS
            if shares.shape != (n,):
                raise ValueError(
                    f"probabilities: must be one for each of {n} actions, or a mapping"
                )
            noted = dict(enumerate(shares.tolist()))
        for action, share in noted.items():
            if not 0 <= share <= MOST:
                raise ValueError(f"probabilities: that of action {action} is {share}, not 0 to 1")
        self._probabilities = noted

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """As the env's own; an unfinished recording is written first."""
        self._finish()
        observation, info = self.env.reset(seed=seed, options=options)
        self.episode += 1
        wanted = self.episode_trigger or (lambda episode: episode % self.every == 0)
        if wanted(self.episode):
            self._recording = Recording(self._inner, seed)
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """As the env's own."""
        recording = self._note(action)
        try:
            observation, reward, terminated, truncated, info = self.env.step(action)
        except BaseException:  # no step was made
            if recording is not None:
                recording.forget()
            raise
        if recording is not None:
            recording.after(over=terminated or truncated)
            if recording.over:
                self._finish()
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """Write an unfinished recording, and close the env."""
        self._finish()
        self.env.close()

    def _note(self, action: Any) -> Recording | None:
        """The recording, with this action noted; None if nothing is recorded."""
        number, probabilities = whole_number(action), self._probabilities
        self._probabilities = None
        if self._recording is None or number is None:
            return None
        if not 0 <= number < self._inner.ruleset.N_ACTIONS:
            return None  # the env refuses it
        try:
            self._recording.before(number, probabilities)
        except ChangedGameError as error:
            gymnasium.logger.warn(f"RecordGames: {error}; the file ends there")
            self._finish()
        return self._recording

    def _finish(self) -> None:
        """Write the file of the recording, if it has a step."""
        recording, self._recording = self._recording, None
        if recording is None or not recording.steps:
            return
        path = self.folder / f"{self.name_prefix}-episode-{self.episode}.html"
        judged = list(Analyst(recording, self.effort).judgements())
        write_page(path, recording, self.made, judged, self.effort)
        self.files.append(path)
        while self.keep is not None and len(self.files) > self.keep:
            self.files.pop(0).unlink(missing_ok=True)


def _counts(**counts: Any) -> list[int]:
    """Whole numbers from 0 on. Raises ValueError."""
    for name, value in counts.items():
        number = whole_number(value)
        if number is None or number < 0:
            raise ValueError(f"{name}={shown(value)}: must be a whole number, at least 0")
    return list(map(int, counts.values()))
