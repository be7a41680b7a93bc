"""`gymnasium.make_vec("agemonia_env:HexDungeon-v0", num_envs=n)`: n games in one compiled call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from gymnasium.vector import AutoresetMode

from agemonia_env.envs.batch import Mix
from agemonia_env.envs.vector import RulesetVectorEnv

from ..arguments import Choices
from ..content.party import HeroChoice
from ..ruleset import HEXDUNGEON


class HexDungeonVectorEnv(RulesetVectorEnv):
    """Many games of HexDungeon side by side; spaces, rewards and arguments are `HexDungeonEnv`'s.

    For everything else see `AgemoniaVectorEnv`. A `mix` has `scenario`,
    `heroes`, `level`, `pack` and `weight`.
    """

    ruleset = HEXDUNGEON

    def __init__(
        self,
        num_envs: int = 1,
        scenario: str = "warm-cellar",
        heroes: int | Sequence[HeroChoice] = 2,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        mix: Mix = None,
        dtype: str = "float32",
        copy: bool = True,
        render_mode: str | None = None,
        **choices: Unpack[Choices],
    ) -> None:
        """Compile the scenarios. Raises ValueError naming the wrong argument."""
        super().__init__(
            num_envs,
            scenario,
            heroes,
            autoreset_mode=autoreset_mode,
            threads=threads,
            mix=mix,
            dtype=dtype,
            copy=copy,
            render_mode=render_mode,
            **choices,
        )
