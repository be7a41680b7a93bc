"""The scenarios of one environment: the same for every game, or one drawn for each."""

from __future__ import annotations

from typing import Any

import numpy as np

from agemonia_env.rulesets.arguments import Arguments, Compiled

KEPT = 64  # scenarios that stand ready; one takes 0.1 MB, compiling it 20 to 60 ms
DRAW = 0x5CE7A210  # keeps the draw of a scenario apart from all other uses of the game's seed


class ScenarioCache:
    """Draws and compiles scenarios; those of the last games stand ready."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.seeds = arguments.scenario_seeds()
        self.varies = self.seeds is not None and len(self.seeds) > 1
        self._ready: dict[int | None, Compiled] = {}

    def draw(self, core_seed: int) -> int | None:
        """The scenario seed of the game that `core_seed` fixes; None if it is not drawn from one.

        Its dice have nothing to do with it: they come from other streams of that seed.
        """
        if self.seeds is None:
            return None
        if len(self.seeds) == 1:
            return self.seeds[0]
        return self.seeds[int(np.random.default_rng([DRAW, core_seed]).integers(len(self.seeds)))]

    def first(self) -> int | None:
        """A scenario seed to begin with, before any game is."""
        return None if self.seeds is None else self.seeds[0]

    def take(self, scenario_seed: int | None) -> Compiled:
        """The scenario of a seed, compiled. Raises ValueError as Arguments.compile."""
        compiled = self._ready.pop(scenario_seed, None)
        if compiled is None:
            compiled = self.arguments.compile(scenario_seed or 0)
        self._ready[scenario_seed] = compiled  # the newest stands last
        if len(self._ready) > KEPT:
            self._ready.pop(next(iter(self._ready)))
        return compiled

    def __getstate__(self) -> dict[str, Any]:
        """A copy compiles for itself."""
        return self.__dict__ | {"_ready": {}}
