"""A batch of games as one native `VecEnv` of Stable-Baselines3: one compiled call for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from agemonia_env.envs.batch import Mix
from agemonia_env.envs.sb3 import RulesetVecEnv

from ..arguments import ScenarioChoices
from ..content.party import HeroChoice
from ..ruleset import AGEMONIA


class AgemoniaVecEnv(RulesetVecEnv):
    """`num_envs` games of one scenario, reset as soon as they end.

    Arguments are those of `AgemoniaEnv`, `threads` and `mix` of `AgemoniaVectorEnv`, and `seed`:
    env i then plays as a single environment reset with `seed + i`. `env_method("action_masks")` is
    bool (num_envs, N_ACTIONS). At the end of an episode its info has `terminal_observation`,
    `TimeLimit.truncated`, `is_success`, `episode_statistics` and, as from SB3's `Monitor`,
    `episode`: `r` (return), `l` (steps) and `t` (seconds since the env was made).

    With `scenario="random"` each game has its own scenario; its seed is `scenario_seed` in
    `reset_infos` and in the info at the end. Drawing and compiling one takes 20 to 60 ms, unless
    it is among the last 64. `compiled` is then the scenario of seed 0, whatever is played.
    """

    ruleset = AGEMONIA

    def __init__(
        self,
        num_envs: int,
        scenario: str = "ford",
        heroes: int | Sequence[HeroChoice] = 2,
        *,
        seed: int | None = None,
        threads: int = 1,
        mix: Mix = None,
        render_mode: str | None = None,
        **choices: Unpack[ScenarioChoices],
    ) -> None:
        """Compile the scenario. Raises ValueError naming the wrong argument."""
        super().__init__(
            num_envs,
            scenario,
            heroes,
            seed=seed,
            threads=threads,
            mix=mix,
            render_mode=render_mode,
            **choices,
        )
