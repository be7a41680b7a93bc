"""The smallest and the largest value of every field of a state, checked all at once.

A ruleset declares them as a mapping of the shape of its STATE: a pair (smallest, largest) for each
field, a mapping for each record within. A bound is a number, or an array that broadcasts to the
field: another bound for each ally slot, say. One that the field's type cannot hold is cut to what
the type can. A field of uint64 is a set of hexes or a random counter and has no bounds here: what
is wrong with it the ruleset finds by itself.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bound = tuple[Any, Any]
Table = Mapping[str, Any]  # of Bound or, for a record, of another Table

FLAG = (0, 1)
ANY = None  # of a field of uint64


def index(n: int) -> Bound:
    """A place among n, or -1 for none."""
    return -1, int(n) - 1


def count(n: int) -> Bound:
    """A number from 0 to n."""
    return 0, int(n)


def bits(n: int) -> Bound:
    """A set of numbers below n."""
    return 0, (1 << int(n)) - 1


class Ranges:
    """What the fields of a state may hold in one scenario."""

    def __init__(self, state: np.dtype[Any], table: Table) -> None:
        """Lay the bounds out as two states. Raises KeyError for a field without a bound."""
        self.state = state
        self.least, self.most = np.zeros(1, state), np.zeros(1, state)
        _declare(state, table, self.least[0], self.most[0])
        # Compared as whole vectors, one for each type: 2,000 fields in 15 us
        self._vectors = []
        for kind, places in _places(state).items():
            least, most = (bound.view(kind).take(places) for bound in (self.least, self.most))
            unsigned = np.dtype(f"u{kind.itemsize}")
            self._vectors.append((kind, places, least, unsigned, (most - least).view(unsigned)))

    def check(self, states: NDArray[Any]) -> None:
        """Raise ValueError naming the first field of states[0], STATE (1,), that is out of range.

        It says what the field holds, and what is allowed.
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


def _declare(dtype: np.dtype[Any], table: Table, least: Any, most: Any) -> None:
    for name in dtype.names or ():
        given, item = table[name], dtype[name]
        if item.base.names is not None:
            _declare(item.base, given, least[name], most[name])
        elif given is not ANY:
            held = np.iinfo(item.base)
            least[name], most[name] = (np.clip(bound, held.min, held.max) for bound in given)


def fields(dtype: np.dtype[Any], start: int = 0) -> Iterator[tuple[str, np.dtype[Any], int]]:
    """Every number in a record -> its name, such as `ally[2].area`, its type, and its offset."""
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


def layout_of(env_id: str, state: np.dtype[Any]) -> bytes:
    """8 bytes that tell apart environments and the layouts of their states."""
    told = [env_id, *(f"{name} {kind.str} {offset}" for name, kind, offset in fields(state))]
    return hashlib.blake2b("\n".join(told).encode(), digest_size=8).digest()


def name_of(dtype: np.dtype[Any], offset: int) -> str:
    """The number that begins at an offset."""
    return next(name for name, _, at in fields(dtype) if at == offset)


@functools.cache
def _places(dtype: np.dtype[Any]) -> dict[np.dtype[Any], NDArray[np.intp]]:
    """Where the numbers of each type lie, in units of their own size; uint64 is left out."""
    found: dict[np.dtype[Any], list[int]] = {}
    for _, kind, offset in fields(dtype):
        if kind != np.uint64:
            found.setdefault(kind, []).append(offset // kind.itemsize)
    return {kind: np.array(places) for kind, places in found.items()}
