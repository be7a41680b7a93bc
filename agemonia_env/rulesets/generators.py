"""Scenarios drawn from seeds, in every ruleset."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from functools import cached_property
from operator import methodcaller
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros
from agemonia_env.core.records import record_of

from .arguments import Arguments, Compiled
from .knobs import Knobs, KnobTable

VERSION = 1  # increases whenever a seed means another scenario
FIRST = np.zeros(1, np.int16)  # the row that a single scenario is drawn into


class Drawn:
    """A drawn scenario: see arguments.Compiled. Names and pictures are made when somebody looks.

    figures: the names of its figures alone, which take no time.
    """

    def __init__(self, generator: Generator, seed: int, fingerprint: str) -> None:
        """Keep what the generator has just drawn."""
        self._generator, self._seed = generator, seed
        self.plan = record_of(generator.plan_dtype, generator.raw_plan)
        self.content = record_of(generator.contents.dtype, generator.raw_content)
        self.fingerprint = fingerprint

    @cached_property
    def figures(self) -> Any:
        """Those fields of `names` that name figures."""
        return self._generator.figures(self.plan)

    @cached_property
    def _compiled(self) -> Any:
        return self._generator.look(self.plan, self._seed)

    def __getattr__(self, name: str) -> Any:
        """`names`, and what else a compiled scenario of the ruleset has."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._compiled, name)


class Generator(ABC):
    """Draws scenarios from seeds for one party, level and pack.

    arguments: those of the env; drawing: DRAWING (1,) of the ruleset, with `library`, and `work`
    with the last `plan`; parts: CONTENT (m,), rows that the library refers to; made_with: words for
    what the scenarios depend on beside library, parts, knobs and seed.
    """

    TABLE: ClassVar[KnobTable]

    def __init__(
        self,
        api: Any,
        arguments: Arguments,
        drawing: NDArray[Any],
        parts: NDArray[Any],
        made_with: str,
    ) -> None:
        self.arguments = arguments
        self.drawing, self.parts = drawing, parts
        self.knobs = self.TABLE.vector(arguments.generator)
        self.contents = zeros(parts.dtype, 1 + len(parts))
        self.contents[1:] = parts
        self.raw_content = self.contents[:1].view(np.uint8)
        plan = drawing["work"]["plan"]
        self.plan_dtype, first = plan.dtype, plan.ctypes.data - drawing.ctypes.data
        self.raw_plan = drawing.view(np.uint8)[first : first + plan.dtype.itemsize]
        self._draw = api.draw_scenarios
        told = f"generator {VERSION} {made_with} ".encode()
        told += drawing.view(np.uint8).tobytes() + parts.view(np.uint8).tobytes()
        self._made_with = hashlib.sha256(told).digest()
        drawing["library"]["first_row"] = 1

    def draw(self, seed: int, knobs: Knobs | None = None) -> Drawn:
        """The scenario of a seed. Raises ValueError if the pack has none that fits."""
        chosen = self.knobs if knobs is None else knobs
        seeds = np.array([seed], np.int64)
        if not self._draw(self.contents, FIRST, seeds, chosen[None], self.drawing):
            raise ValueError(undrawable(seed))
        made_with = self._made_with + seeds.tobytes() + chosen.tobytes()
        return Drawn(self, seed, hashlib.sha256(made_with).hexdigest()[:16])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments alone; a copy reads the pack again."""
        return methodcaller("make_generator"), (self.arguments,)

    def for_core(self, threads: int, first_row: int) -> NDArray[Any]:
        """What `play_slots` takes: DRAWING (threads,), `parts` being rows from first_row on."""
        drawing = zeros(self.drawing.dtype, threads)
        drawing[:] = self.drawing
        drawing["library"]["first_row"] = first_row
        return drawing

    @abstractmethod
    def look(self, plan: NDArray[Any], seed: int) -> Compiled:
        """The scenario of a plan, compiled from the file that it makes."""

    @abstractmethod
    def figures(self, plan: NDArray[Any]) -> Any:
        """Those names of a plan that name figures."""


def undrawable(seed: int) -> str:
    """What a pack lacks."""
    return f"scenario_seed={seed}: this pack has too many cards, or too few, to draw it"
