"""The scenarios of one environment: one for all games, or one drawn for each game."""

from __future__ import annotations

from typing import Any

import numpy as np

from agemonia_env.core.env_slots import DRAW, drawn_seed
from agemonia_env.rulesets.arguments import Arguments, Compiled

# Compiled scenarios to keep; each takes 0.07 MB, and 5 ms to compile
ALL = 2048  # all of them, if they are no more
LATEST = 64  # of more: one drawn at random hardly ever comes again


class ScenarioCache:
    """Draws and compiles scenarios, and caches the most recent ones."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.seeds = arguments.scenario_seeds()
        self.varies = self.seeds is not None and len(self.seeds) > 1
        self.most = LATEST if self.seeds is not None and len(self.seeds) > ALL else ALL
        self._compiled: dict[int | None, Compiled] = {}

    def draw(self, core_seed: int) -> int | None:
        """The scenario seed of the game with this core seed; None if scenarios are not drawn.

        The game's dice are independent of it: they use other streams of the core seed.
        """
        if self.seeds is None:
            return None
        if len(self.seeds) == 1:
            return self.seeds[0]
        if len(self.seeds) <= 2**32:
            return self.seeds[int(drawn_seed(core_seed, len(self.seeds)))]
        random = np.random.default_rng([int(DRAW), core_seed])
        return self.seeds[int(random.integers(len(self.seeds)))]

    def first(self) -> int | None:
        """A scenario seed to use before the first game."""
        return None if self.seeds is None else self.seeds[0]

    def acquire(self, scenario_seed: int | None) -> Compiled:
        """The compiled scenario of a seed. Raises ValueError like Arguments.compile."""
        compiled = self._compiled.pop(scenario_seed, None)
        if compiled is None:
            compiled = self.arguments.compile(scenario_seed or 0)
        self._compiled[scenario_seed] = compiled  # newest last
        if len(self._compiled) > self.most:
            self._compiled.pop(next(iter(self._compiled)))
        return compiled

    def __getstate__(self) -> dict[str, Any]:
        """A copy starts with an empty cache."""
        return self.__dict__ | {"_compiled": {}}
