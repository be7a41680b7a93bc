"""Scenarios drawn from seeds, in every ruleset."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import methodcaller
from threading import Lock
from typing import Any, ClassVar, NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import BaseModel

from agemonia_env.core.jit import zeros
from agemonia_env.core.records import joined

from .arguments import Arguments, Compiled
from .knobs import Knobs, KnobTable

VERSION = 1  # increases whenever a seed means another scenario


class Drawn:
    """A drawn scenario: see arguments.Compiled. Names and pictures are made when somebody looks."""

    def __init__(
        self, generator: Generator, seed: int, scenarios: Scenarios, fingerprint: str
    ) -> None:
        self._generator, self._seed = generator, seed
        self.plan, self.content = scenarios.plans, scenarios.contents[:1]
        self.fingerprint = fingerprint

    @cached_property
    def _compiled(self) -> Any:
        return self._generator.look(self.plan[0], self._seed)

    def __getattr__(self, name: str) -> Any:
        """`names`, and what else a compiled scenario of the ruleset has."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._compiled, name)


class Scenarios(NamedTuple):
    """n scenarios as they are drawn."""

    contents: NDArray[Any]  # CONTENT (n + m,), the last m being parts
    plans: NDArray[Any]  # PLAN (n,)


class Figures(NamedTuple):
    """Names of figures of n scenarios; scenario i has names[k] for the k of numbers[i, :n[i]]."""

    names: Sequence[str]
    numbers: NDArray[np.integer[Any]]  # (n, most)
    n: NDArray[np.integer[Any]]  # (n,)


class Generator(ABC):
    """Draws scenarios from seeds for one party, level and pack.

    arguments: those of the env; drawing: DRAWING (1,) of the ruleset, with a `library`; parts:
    CONTENT (m,), rows that the library refers to; made_with: words for what the scenarios depend on
    beside library, parts, knobs and seed.
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
        self.arguments, self.drawing, self.parts = arguments, drawing, parts
        self.knobs = self.TABLE.vector(arguments.generator)
        self._draw, self._plan_dtype = api.draw_scenarios, api.CORE.generator.PLAN
        told = f"generator {VERSION} {made_with} ".encode()
        told += drawing.view(np.uint8).tobytes() + parts.view(np.uint8).tobytes()
        self._made_with = hashlib.sha256(told).digest()
        self._lock = Lock()
        drawing["library"]["first_row"] = 1

    @cached_property
    def _single(self) -> Scenarios:
        """Room for one scenario, made when one is drawn: 2.6 MB."""
        return self._room(1)

    def _room(self, n: int) -> Scenarios:
        """Room for n scenarios."""
        contents = zeros(self.parts.dtype, n + len(self.parts))
        contents[n:].view(np.uint8)[:] = self.parts.view(np.uint8)
        return Scenarios(contents, zeros(self._plan_dtype, n))

    def draw(self, seed: int, knobs: Knobs | None = None) -> Drawn:
        """The scenario of a seed: 35 us. Raises ValueError if the pack has none that fits."""
        chosen = self.knobs if knobs is None else knobs
        with self._lock:
            self._fill(self._single, self.drawing, [seed], chosen[None])
            rows = [one[:1].view(np.uint8).copy().view(one.dtype) for one in self._single]
        return Drawn(self, seed, Scenarios(*rows), self.fingerprint(seed, chosen))

    def draw_all(self, seeds: Sequence[int]) -> Scenarios:
        """The scenarios of several seeds, in any number of threads. Raises ValueError as `draw`."""
        n = len(seeds)
        scenarios, knobs = self._room(n), np.tile(self.knobs, (n, 1))
        self._fill(scenarios, self.for_core(1, n), seeds, knobs)
        return scenarios

    def _fill(
        self, room: Scenarios, drawing: NDArray[Any], seeds: Sequence[int], knobs: NDArray[np.int16]
    ) -> None:
        n = len(seeds)
        which, drawn = np.arange(n, dtype=np.int16), np.array(seeds, np.int64)
        done = self._draw(room.contents, which, drawn, knobs, drawing, room.plans)
        if done < n:
            raise ValueError(undrawable(seeds[done]))

    def fingerprint(self, seed: int, knobs: Knobs | None = None) -> str:
        """16 hex digits that change with generator, pack, party, seed and knobs."""
        chosen = self.knobs if knobs is None else knobs
        made_with = self._made_with + seed.to_bytes(8, "little") + chosen.tobytes()
        return hashlib.sha256(made_with).hexdigest()[:16]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments alone; a copy reads the pack again."""
        return methodcaller("make_generator"), (self.arguments,)

    def for_core(self, threads: int, first_row: int) -> NDArray[Any]:
        """What `play_slots` takes: DRAWING (threads,), `parts` being rows from first_row on."""
        drawing = joined([self.drawing] * threads)
        drawing["library"]["first_row"] = first_row
        return drawing

    @abstractmethod
    def card(self, plan: Any, seed: int) -> BaseModel:
        """The scenario of a PLAN record as a file of a pack."""

    @abstractmethod
    def look(self, plan: Any, seed: int) -> Compiled:
        """The scenario of a PLAN record, compiled from the file that it makes."""

    @abstractmethod
    def figures(self, plans: NDArray[Any]) -> Mapping[str, Figures]:
        """What Ruleset.figure_names gives, for n plans."""


def written(arguments: Arguments, seed: int) -> str:
    """The scenario of a seed as YAML, for a file of a pack. Raises ValueError as `draw` does."""
    generator: Generator = arguments.make_generator()
    card = generator.card(generator.draw(seed).plan[0], seed)
    fields = card.model_dump(mode="json", exclude_defaults=True)
    return yaml.dump(fields, Dumper=Lines, default_flow_style=None, sort_keys=False, width=100)


class Lines(yaml.SafeDumper):
    """Writes a text of several lines, such as a map, as it is."""


def _text(dumper: Lines, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


Lines.add_representer(str, _text)


def undrawable(seed: int) -> str:
    """What a pack lacks."""
    return f"scenario_seed={seed}: this pack has too many cards, or too few, to draw it"
