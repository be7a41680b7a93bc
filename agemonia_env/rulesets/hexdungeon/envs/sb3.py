"""A batch of games as one native `VecEnv` of Stable-Baselines3: one compiled call for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from agemonia_env.envs.batch import Mix
from agemonia_env.envs.sb3 import RulesetVecEnv

from ..arguments import Choices
from ..content.party import HeroChoice
from ..ruleset import HEXDUNGEON


class HexDungeonVecEnv(RulesetVecEnv):
    """`num_envs` games of one scenario, reset as soon as they end.

    Arguments are those of `HexDungeonEnv`; for everything else see `AgemoniaVecEnv`.
    """

    ruleset = HEXDUNGEON

    def __init__(
        self,
        num_envs: int,
        scenario: str = "warm-cellar",
        heroes: int | Sequence[HeroChoice] = 2,
        *,
        seed: int | None = None,
        threads: int = 1,
        mix: Mix = None,
        render_mode: str | None = None,
        **choices: Unpack[Choices],
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
