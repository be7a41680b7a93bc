"""The smallest and largest value of every field of a state, checked all at once.

A ruleset declares them as a mapping with the structure of its STATE: a pair (smallest, largest) for
each field, a mapping for each nested record. A bound is a number, or an array that broadcasts to
the field, for example one bound per ally slot. Bounds are clipped to the field's type. A field of
uint64 is a set of hexes or a random counter and has no bounds; the ruleset checks it itself.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bound = tuple[Any, Any]
Bounds = Mapping[str, Any]  # of Bound or, for a record, of nested Bounds

FLAG = (0, 1)
ANY = None  # of a field of uint64


def index(n: int) -> Bound:
    """An index below n, or -1 for none."""
    return -1, int(n) - 1


def count(n: int) -> Bound:
    """A number from 0 to n."""
    return 0, int(n)


def bits(n: int) -> Bound:
    """A set of numbers below n."""
    return 0, (1 << int(n)) - 1


def each(bound: Bound | None, names: str) -> Bounds:
    """The same bound for several fields, whose names are separated by spaces."""
    return dict.fromkeys(names.split(), bound)


class Ranges:
    """The allowed ranges of all fields of a state in one scenario."""

    def __init__(self, state: np.dtype[Any], bounds: Bounds) -> None:
        """Store the bounds as two states. Raises KeyError for a field without a bound."""
        self.state = state
        self.least, self.most = np.zeros(1, state), np.zeros(1, state)
        _declare(state, bounds, self.least[0], self.most[0])
        # Compared as vectors, one per type: 2,000 fields in 15 us
        self._vectors = []
        for kind, places in _places(state).items():
            least, most = (bound.view(kind).take(places) for bound in (self.least, self.most))
            unsigned = np.dtype(f"u{kind.itemsize}")
            self._vectors.append((kind, places, least, unsigned, (most - least).view(unsigned)))

    def check(self, states: NDArray[Any]) -> None:
        """Raise ValueError for the first field of states[0], STATE (1,), that is out of range.

        The message has its name, its value and the allowed range.
        """
        for kind, places, least, unsigned, span in self._vectors:
            found = states.view(kind).take(places)
            # Below the smallest value the difference, as unsigned, is above any span
            if ((found - least).view(unsigned) > span).any():
                self._refuse(found, places, kind)

    def _refuse(self, found: NDArray[Any], places: NDArray[np.intp], kind: np.dtype[Any]) -> None:
        least, most = (bound.view(kind).take(places) for bound in (self.least, self.most))
        k = int(((found < least) | (found > most)).argmax())
        name = name_of(self.state, int(places[k]) * kind.itemsize)
        raise ValueError(f"{name}={found[k]}: must be from {least[k]} to {most[k]}")


def _declare(dtype: np.dtype[Any], bounds: Bounds, least: Any, most: Any) -> None:
    for name in dtype.names or ():
        bound, item = bounds[name], dtype[name]
        if item.base.names is not None:
            _declare(item.base, bound, least[name], most[name])
        elif bound is not ANY:
            limits = np.iinfo(item.base)
            least[name], most[name] = (np.clip(edge, limits.min, limits.max) for edge in bound)


def fields(dtype: np.dtype[Any], start: int = 0) -> Iterator[tuple[str, np.dtype[Any], int]]:
    """Every scalar in a record: its name, such as `ally[2].area`, its type, and its offset."""
    for name, (item, offset, *_) in (dtype.fields or {}).items():
        base = item.base
        for k, place in enumerate(np.ndindex(item.shape)):
            inner = f"{name}[{', '.join(map(str, place))}]" if place else name
            at = start + offset + k * base.itemsize
            if base.names is None:
                yield inner, base, at
            else:
                for rest, kind, there in fields(base, at):
                    yield f"{inner}.{rest}", kind, there


def layout_hash(env_id: str, state: np.dtype[Any]) -> bytes:
    """8 bytes that identify an environment and the layout of its states."""
    lines = [env_id, *(f"{name} {kind.str} {offset}" for name, kind, offset in fields(state))]
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).digest()


def name_of(dtype: np.dtype[Any], offset: int) -> str:
    """The name of the scalar at an offset."""
    return next(name for name, _, at in fields(dtype) if at == offset)


@functools.cache
def _places(dtype: np.dtype[Any]) -> dict[np.dtype[Any], NDArray[np.intp]]:
    """Positions of the scalars of each type, in units of their size; without uint64."""
    found: dict[np.dtype[Any], list[int]] = {}
    for _, kind, offset in fields(dtype):
        if kind != np.uint64:
            found.setdefault(kind, []).append(offset // kind.itemsize)
    return {kind: np.array(places) for kind, places in found.items()}
