"""Functions that make arrays, or look at them."""

from __future__ import annotations

import bisect
import math
from itertools import pairwise, product

from . import types
from .arrays import _common, _filled, array, asarray, ndarray, zeros
from .types import float64, int64


def full(shape, value, dtype=int64):
    """An array of one value."""
    out = zeros(shape, dtype)
    out[...] = value
    return out


def ones(shape, dtype=float64):
    """An array of ones."""
    return full(shape, 1, dtype)


def arange(*bounds, dtype=int64):
    """The numbers of a range."""
    return array(list(range(*bounds)), dtype)


def frombuffer(data, dtype=float64, count=-1, offset=0):
    """A view of bytes."""
    kind, memory = types.dtype(dtype), memoryview(data).cast("B")
    n = (len(memory) - offset) // kind.itemsize if count < 0 else count
    return ndarray._over(memory, offset, (n,), (kind.itemsize,), kind)


def concatenate(arrays, axis=0):
    """Arrays one behind the other."""
    arrays = [asarray(one) for one in arrays]
    kind = arrays[0].dtype
    for one in arrays[1:]:
        kind = _common(kind, one.dtype)
    rows = sum(len(one) for one in arrays)
    return _filled(
        [value for one in arrays for value in one.flat], (rows, *arrays[0].shape[1:]), kind
    )


def repeat(values, counts):
    """Each number as often as said."""
    values = asarray(values)
    each = [counts] * len(values) if isinstance(counts, int) else list(counts)
    flat = [value for value, n in zip(values, each, strict=True) for _ in range(int(n))]
    return array(flat, values.dtype)


def flatnonzero(values):
    """Where the numbers are that are not 0."""
    return array([k for k, value in enumerate(asarray(values).flat) if value], int64)


def diff(values, prepend=None, append=None):
    """Differences between neighbours; numbers put before or behind are int64."""
    before, behind = ([] if one is None else [one] for one in (prepend, append))
    flat = [*before, *asarray(values).flat, *behind]
    kind = int64 if before or behind else values.dtype
    return array([b - a for a, b in pairwise(flat)], kind)


def ndenumerate(values):
    """Indices and items."""
    return zip(product(*map(range, values.shape)), values.flat, strict=True)


def ndindex(*shape):
    """All indices of a shape."""
    return product(*map(range, shape[0] if shape and not isinstance(shape[0], int) else shape))


def prod(values):
    """The product of numbers."""
    return math.prod(asarray(values).flat)


def searchsorted(values, wanted):
    """Where numbers would go in a sorted row."""
    row = asarray(values).flat
    return array([bisect.bisect_left(row, one) for one in wanted], int64)
