"""Arrays: views of memory, their arithmetic, and how numbers become one."""

from __future__ import annotations

import math
import operator
import struct

from . import types
from .types import BOOL, bool_, float64, int64, strides_of, void


class ndarray:
    """An array: a view of memory."""

    def __class_getitem__(cls, _):
        return cls

    @classmethod
    def _over(cls, memory, at, shape, strides, kind):
        self = object.__new__(cls)
        if kind.subdtype is not None:
            shape, strides = (*shape, *kind.shape), (*strides, *kind.strides)
            kind = kind.subdtype[0]
        self._memory, self._at, self.shape, self.strides, self.dtype = (
            memory,
            at,
            shape,
            strides,
            kind,
        )
        return self

    # shape
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.dtype.itemsize)

    @property
    def T(self):
        """Axes in the opposite order."""
        return self._over(self._memory, self._at, self.shape[::-1], self.strides[::-1], self.dtype)

    def _places(self):
        """The place of every item, in order."""
        places = [self._at]
        for n, stride in zip(self.shape, self.strides, strict=True):
            places = [place + k * stride for place in places for k in range(n)]
        return places

    def _is_whole(self):
        """Whether the items lie one behind the other."""
        return self.strides == strides_of(self.shape, self.dtype.itemsize)

    @property
    def flat(self):
        """All items, in order."""
        if self.dtype.fields is None and self._is_whole():  # ten times as fast
            part = self._memory[self._at : self._at + self.nbytes]
            return part.cast(self.dtype.type.letter).tolist()
        read, memory = self.dtype.read, self._memory
        return [read(memory, place) for place in self._places()]

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def tolist(self):
        """As nested lists."""
        return self.flat if self.ndim == 1 else [row.tolist() for row in self]

    def tobytes(self):
        """The bytes of all items, in order."""
        if self._is_whole():
            return bytes(self._memory[self._at : self._at + self.nbytes])
        size = self.itemsize
        return b"".join(self._memory[place : place + size] for place in self._places())

    def copy(self):
        """A C-contiguous array with memory of its own."""
        memory = memoryview(bytearray(self.tobytes()))
        return self._over(memory, 0, self.shape, strides_of(self.shape, self.itemsize), self.dtype)

    def astype(self, kind, copy=True):
        """The same numbers as another type."""
        return array(self.flat, kind).reshape(self.shape)

    def reshape(self, *shape):
        """The same items in another shape."""
        shape = tuple(shape[0]) if shape and not isinstance(shape[0], int) else shape
        if -1 in shape:
            known = math.prod(n for n in shape if n != -1)
            shape = tuple(self.size // known if n == -1 else n for n in shape)
        of = self if self._is_whole() else self.copy()
        return self._over(of._memory, of._at, shape, strides_of(shape, self.itemsize), self.dtype)

    def ravel(self):
        """The same items in one row."""
        return self.reshape(-1)

    def view(self, kind):
        """The same memory read as another type."""
        kind = types.dtype(kind)
        if kind.itemsize == self.itemsize:
            return self._over(self._memory, self._at, self.shape, self.strides, kind)
        shape = (*self.shape[:-1], self.shape[-1] * self.itemsize // kind.itemsize)
        return self._over(self._memory, self._at, shape, strides_of(shape, kind.itemsize), kind)

    # items
    def _select(self, key):
        """The view that ints, slices, None and ... select."""
        key = key if isinstance(key, tuple) else (key,)
        if Ellipsis in key:
            k, given = key.index(Ellipsis), sum(one is not None for one in key) - 1
            key = key[:k] + (slice(None),) * (self.ndim - given) + key[k + 1 :]
        at, shape, strides, axis = self._at, [], [], 0
        for one in key:
            if one is None:
                shape.append(1)
                strides.append(0)
                continue
            n, stride = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(one, slice):
                first, last, step = one.indices(n)
                shape.append(len(range(first, last, step)))
                strides.append(stride * step)
                at += first * stride
            else:
                if not -n <= one < n:
                    raise IndexError(f"index {one} is out of bounds for size {n}")
                at += (one % n) * stride
        shape, strides = (*shape, *self.shape[axis:]), (*strides, *self.strides[axis:])
        return at, shape, strides

    def __getitem__(self, key):
        if isinstance(key, str):
            kind, offset = self.dtype.fields[key]
            return self._over(self._memory, self._at + offset, self.shape, self.strides, kind)
        if isinstance(key, int) and len(self.shape) == 1:  # most often
            n = self.shape[0]
            if not -n <= key < n:
                raise IndexError(f"index {key} is out of bounds for size {n}")
            return self.dtype.read(self._memory, self._at + (key % n) * self.strides[0])
        at, shape, strides = self._select(key)
        if not shape:
            return self.dtype.read(self._memory, at)
        return self._over(self._memory, at, shape, strides, self.dtype)

    def __setitem__(self, key, value):
        if isinstance(key, str):
            self[key][...] = value
        elif isinstance(key, tuple) and all(map(_is_picking, key)):
            for place in zip(*map(_rows, key), strict=True):
                self[place] = value
        elif _is_picking(key):
            rows = _rows(key)
            values = [value] * len(rows) if _is_scalar(value) else list(value)
            for row, one in zip(rows, values, strict=True):
                self[row] = one
        else:
            at, shape, strides = self._select(key)
            if not shape:
                self.dtype.write(self._memory, at, value)
            else:
                self._over(self._memory, at, shape, strides, self.dtype)._assign(value)

    def _assign(self, value):
        write, memory = self.dtype.write, self._memory
        if isinstance(value, ndarray) and value.shape == self.shape and self._is_whole():
            if self.dtype.fields is None and value.dtype != self.dtype:
                value = value.astype(self.dtype)
            memory[self._at : self._at + self.nbytes] = value.tobytes()
            return
        if _is_scalar(value):
            for place in self._places():
                write(memory, place, value)
            return
        values = asarray(value) if self.dtype.fields is None else value
        if isinstance(values, ndarray):
            values = broadcast_to(values, self.shape).flat
        for place, one in zip(self._places(), values, strict=True):
            write(memory, place, one)

    # arithmetic
    def _with(self, other, apply, kind=None):
        other = asarray(other)
        shape = broadcast_shapes(self.shape, other.shape)
        one, two = broadcast_to(self, shape).flat, broadcast_to(other, shape).flat
        kind = kind or _common(self.dtype, other.dtype)
        return _filled([apply(a, b) for a, b in zip(one, two, strict=True)], shape, kind)

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __rtruediv__(self, other):
        return self._with(other, lambda a, b: b / a, types.dtype(float64))

    def __and__(self, other):
        return self._with(other, lambda a, b: a & b)

    __rand__ = __and__

    def __rlshift__(self, other):
        return self._with(other, lambda a, b: b << a)

    def __eq__(self, other):
        return self._with(other, lambda a, b: a == b, BOOL)

    def __ne__(self, other):
        return self._with(other, lambda a, b: a != b, BOOL)

    def __lt__(self, other):
        return self._with(other, lambda a, b: a < b, BOOL)

    def __le__(self, other):
        return self._with(other, lambda a, b: a <= b, BOOL)

    def __gt__(self, other):
        return self._with(other, lambda a, b: a > b, BOOL)

    def __ge__(self, other):
        return self._with(other, lambda a, b: a >= b, BOOL)

    __hash__ = None

    def __matmul__(self, other):
        values, (rows, n), flat = other.flat, self.shape, self.flat
        lines = [flat[n * k : n * k + n] for k in range(rows)]
        return array([sum(map(operator.mul, line, values)) for line in lines], other.dtype)

    def __bool__(self):
        (value,) = self.flat
        return bool(value)

    # all numbers together
    def sum(self):
        """The sum."""
        return sum(self.flat)

    def max(self, initial=None):
        """The largest."""
        return max(self.flat if initial is None else [*self.flat, initial])

    def min(self):
        """The smallest."""
        return min(self.flat)


types.dtype.array = ndarray


def _is_scalar(value):
    return isinstance(value, int | float | void)


def _is_picking(key):
    return isinstance(key, list | range) or (isinstance(key, ndarray) and key.ndim > 0)


def _rows(key):
    """The rows that an array or list of indices or flags names."""
    if isinstance(key, ndarray) and key.dtype.kind == "b":
        return [k for k, one in enumerate(key.flat) if one]
    if isinstance(key, list) and key and isinstance(key[0], bool):
        return [k for k, one in enumerate(key) if one]
    return [int(k) for k in key]


def _common(one, two):
    """The type of a result: the larger of two; fractions win."""
    if (one.kind == "f") != (two.kind == "f"):
        return one if one.kind == "f" else two
    return one if one.itemsize >= two.itemsize else two


def _filled(values, shape, kind):
    """An array of these numbers; whole ones wrap."""
    try:
        packed = struct.pack(f"<{len(values)}{kind.type.letter}", *values)
    except struct.error:
        packed = struct.pack(f"<{len(values)}{kind.type.letter}", *map(kind.type, values))
    shape = tuple(shape)
    return ndarray._over(
        memoryview(bytearray(packed)), 0, shape, strides_of(shape, kind.itemsize), kind
    )


# ---- making arrays ---
def zeros(shape, dtype=float64):
    """An array of zeros."""
    kind = types.dtype(dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    memory = memoryview(bytearray(math.prod(shape) * kind.itemsize))
    return ndarray._over(memory, 0, shape, strides_of(shape, kind.itemsize), kind)


def array(values, dtype=None, copy=True):
    """An array of these numbers, nested as they are."""
    if isinstance(values, ndarray):
        return values.copy() if dtype is None else values.astype(dtype)
    shape, flat = _unnested(values)
    if dtype is None:
        dtype = _type_of(flat)
    return _filled(flat, shape, types.dtype(dtype))


def _type_of(values):
    """The type of an array of these Python numbers."""
    if any(isinstance(value, float) for value in values):
        return float64
    flags = values and all(isinstance(value, bool) for value in values)
    return bool_ if flags else int64


def _unnested(values):
    if _is_scalar(values):
        return (), [values]
    if isinstance(values, ndarray):
        return values.shape, values.flat
    parts = [_unnested(value) for value in values]
    shape = parts[0][0] if parts else ()
    if any(part[0] != shape for part in parts):
        raise ValueError("rows differ in length")
    return (len(parts), *shape), [value for part in parts for value in part[1]]


def asarray(values, dtype=None):
    """The array itself, or one of these numbers."""
    return values if isinstance(values, ndarray) and dtype is None else array(values, dtype)


def broadcast_shapes(one, two):
    """The shape of a result."""
    n = max(len(one), len(two))
    one, two = (1,) * (n - len(one)) + tuple(one), (1,) * (n - len(two)) + tuple(two)
    for a, b in zip(one, two, strict=True):
        if a != b and 1 not in (a, b):
            raise ValueError(f"shapes {one} and {two} do not fit together")
    return tuple(b if a == 1 else a for a, b in zip(one, two, strict=True))


def broadcast_to(values, shape):
    """A view in which axes of length 1 are repeated."""
    values = asarray(values)
    if values.shape == tuple(shape):
        return values
    missing = len(shape) - values.ndim
    strides = [0] * missing
    for n, wanted, stride in zip(values.shape, shape[missing:], values.strides, strict=True):
        strides.append(stride if n == wanted else 0)
        if n not in (1, wanted):
            raise ValueError(f"shape {values.shape} does not fit {shape}")
    return ndarray._over(values._memory, values._at, tuple(shape), tuple(strides), values.dtype)
