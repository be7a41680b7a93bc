"""The scenarios of one environment: one for all games, or one drawn for each game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from agemonia_env.core.env_slots import DRAW, drawn_seed
from agemonia_env.rulesets.arguments import (
    GENERATOR,
    LAST_SEED,
    RANDOM,
    SCENARIO_SEED,
    Arguments,
    Compiled,
    check_number,
)
from agemonia_env.rulesets.generators import Generator
from agemonia_env.rulesets.knobs import Knobs

KEPT = 64  # drawn scenarios, for those who look at a game several times; each takes 0.07 MB
CHOSEN = SCENARIO_SEED, GENERATOR  # options of `reset`


class Choice(NamedTuple):
    """The scenario of one game; None: as the arguments have it."""

    seed: int | None = None
    knobs: Knobs | None = None


DRAWN_BY_SEED = Choice()


class ScenarioCache:
    """Compiles or draws scenarios, and keeps the latest."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.seeds = arguments.scenario_seeds()
        self.varies = self.seeds is not None and len(self.seeds) > 1
        self._kept: dict[Any, Compiled] = {}

    @cached_property
    def generator(self) -> Generator:
        """What draws them. Raises ValueError for a pack that it cannot draw from."""
        generator: Generator = self.arguments.make_generator()
        return generator

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

    def acquire(self, scenario_seed: int | None, knobs: Knobs | None = None) -> Compiled:
        """The scenario of a seed. Raises ValueError like Arguments.compile.

        knobs: of this game, None for those of the arguments.
        """
        key = scenario_seed, self.knobs(knobs)
        compiled = self._kept.pop(key, None)
        if compiled is None:
            if scenario_seed is None:
                compiled = self.arguments.compile()
            else:
                compiled = self.generator.draw(scenario_seed, knobs)
        self._kept[key] = compiled  # newest last
        if len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))
        return compiled

    def knobs(self, chosen: Knobs | None) -> bytes:
        """The knobs of a game, those chosen for it or those of the arguments."""
        if self.seeds is None:
            return b""
        return (self.generator.knobs if chosen is None else chosen).tobytes()

    def chosen(self, core_seed: int, seed: int | None, knobs: Knobs | None) -> dict[str, Any]:
        """Arguments for the scenario of a game, as far as it is not the one that they draw."""
        if seed is None:
            return {}
        vector = np.frombuffer(self.knobs(knobs), np.int16)
        found: dict[str, Any] = {} if seed == self.draw(core_seed) else {SCENARIO_SEED: seed}
        if (vector != self.generator.knobs).any():
            found[GENERATOR] = self.generator.TABLE.settings(vector)
        return found

    def __getstate__(self) -> dict[str, Any]:
        """A copy starts with nothing kept."""
        state = self.__dict__ | {"_kept": {}}
        state.pop("generator", None)
        return state


def check_choice(scenarios: ScenarioCache, options: Mapping[str, Any]) -> Choice:
    """The scenario that options of `reset` choose. ValueError says what is wrong."""
    seed, settings = (options.get(name) for name in CHOSEN)
    if seed is None and settings is None:
        return DRAWN_BY_SEED
    if scenarios.seeds is None:
        name = SCENARIO_SEED if settings is None else GENERATOR
        raise ValueError(f"options: {name}: only scenario={RANDOM!r} is drawn")
    if seed is not None:
        seed = check_number(f"options: {SCENARIO_SEED}", seed, 0, LAST_SEED)
    table = scenarios.generator.TABLE
    return Choice(seed, None if settings is None else table.vector(table.check(settings)))
