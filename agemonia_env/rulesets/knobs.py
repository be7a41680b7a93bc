"""Knobs of generators of scenarios: what they are called, and what they allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.env_slots import N_KNOBS
from agemonia_env.display.messages import shown
from agemonia_env.display.suggestions import did_you_mean

from .arguments import RANDOM, whole_number

MOST_WEIGHT = 100

Knobs = NDArray[np.int16]  # (N_KNOBS,)


@dataclass(frozen=True)
class Knob:
    """One thing that a generator can be told: a number, a range of two, or weights by name.

    at: its first column; default: what it is if nothing is said, (least, most) of a range.
    """

    name: str
    meaning: str
    at: int
    least: int
    most: int
    default: int | tuple[int, int] | Mapping[str, int]

    def checked(self, value: Any) -> Any:
        """The value as JSON has it. Raises ValueError that says what is allowed."""
        if isinstance(self.default, Mapping):
            return self._weights(value)
        if isinstance(self.default, tuple):
            return self._range(value)
        number = whole_number(value)
        if number is None or not self.least <= number <= self.most:
            raise self._wrong(value, f"a whole number, {self.least} to {self.most}")
        return number

    def _range(self, value: Any) -> list[int]:
        ends = list(value) if isinstance(value, list | tuple) else [value, value]
        numbers = [whole_number(end) for end in ends]
        there = [n for n in numbers if n is not None and self.least <= n <= self.most]
        if len(there) != 2 or there[0] > there[1] or len(ends) != 2:
            allowed = f"[least, most] or a number, {self.least} to {self.most}"
            raise self._wrong(value, allowed)
        return there

    def _weights(self, value: Any) -> dict[str, int]:
        assert isinstance(self.default, Mapping)
        names = list(self.default)
        if isinstance(value, str):
            value = [value]
        if isinstance(value, list | tuple):
            value = {one if isinstance(one, str) else shown(one): 1 for one in value}
        allowed = f"names among {', '.join(names)}, or a weight of each, 0 to {MOST_WEIGHT}"
        if not isinstance(value, Mapping):
            raise self._wrong(value, allowed)
        for name, weight in value.items():
            number = whole_number(weight)
            if name not in names or number is None or not 0 <= number <= MOST_WEIGHT:
                raise self._wrong(value, allowed + did_you_mean(str(name), names))
        if not any(value.values()):
            raise self._wrong(value, f"{allowed}, one of them above 0")
        return {name: int(value[name]) for name in names if value.get(name)}

    def _wrong(self, value: Any, allowed: str) -> ValueError:
        return ValueError(f"generator: {self.name}={shown(value)}: must be {allowed}")

    @property
    def columns(self) -> slice:
        """Its columns of the vector."""
        n = 1 if isinstance(self.default, int) else len(self.default)
        return slice(self.at, self.at + n)

    def write(self, knobs: Knobs, value: Any) -> None:
        """Write a checked value into its columns."""
        if isinstance(self.default, Mapping):
            value = [value.get(name, 0) for name in self.default]
        knobs[self.columns] = value

    def read(self, knobs: Knobs) -> Any:
        """The value that its columns have, as `checked` returns it."""
        numbers = knobs[self.columns].tolist()
        if isinstance(self.default, Mapping):
            named = zip(self.default, numbers, strict=True)
            return {name: weight for name, weight in named if weight}
        return numbers if isinstance(self.default, tuple) else numbers[0]


@dataclass(frozen=True)
class KnobTable:
    """The knobs of a ruleset. presets: settings that have a name."""

    knobs: tuple[Knob, ...]
    presets: Mapping[str, Mapping[str, Any]]

    def check(self, value: Any) -> dict[str, Any]:
        """Settings by knob, of a mapping or the name of a preset; None: none.

        Raises ValueError that names the knob and its range.
        """
        names = [knob.name for knob in self.knobs]
        if value is None:
            return {}
        if isinstance(value, str) and value in self.presets:
            value = self.presets[value]
        if not isinstance(value, Mapping):
            presets = ", ".join(map(repr, self.presets))
            allowed = f"{presets}, or a mapping with {', '.join(names)}"
            raise ValueError(f"generator={shown(value)}: must be {allowed}")
        for name in value:
            if name not in names:
                meant = did_you_mean(str(name), names) or f"; there are {', '.join(names)}"
                raise ValueError(f"generator: {shown(name)}: no such knob{meant}")
        return {one.name: one.checked(value[one.name]) for one in self.knobs if one.name in value}

    def vector(self, settings: Mapping[str, Any]) -> Knobs:
        """What the core reads, int16 (N_KNOBS,); settings: checked ones."""
        knobs = np.zeros(N_KNOBS, np.int16)
        for knob in self.knobs:
            knob.write(knobs, settings.get(knob.name, knob.default))
        return knobs

    def settings(self, vector: Knobs) -> dict[str, Any]:
        """The settings that a vector has, without those that are the default."""
        default = self.vector({})
        return {
            knob.name: knob.read(vector)
            for knob in self.knobs
            if (vector[knob.columns] != default[knob.columns]).any()
        }


def check_generator(scenario: str, value: Any, table: KnobTable) -> dict[str, Any]:
    """Checked settings of a generator; ValueError with a fixed scenario."""
    if value is not None and scenario != RANDOM and value != {}:
        raise ValueError(f"generator={shown(value)}: only scenario={RANDOM!r} is drawn by one")
    return table.check(value)
