"""The part of NumPy that texts, pictures and the content compiler use, in plain Python.

Pages run the project's own Python in Pyodide, which has no NumPy without a download several times
the size of everything else. This package stands in for it there, and only there: records and
arrays over bytes in NumPy's layout, so that the compiled rules read what Python writes. Values
read from arrays are Python's own int, float and bool. What is missing raises AttributeError.
"""

from __future__ import annotations

import builtins
import math
import operator
import struct
from itertools import pairwise, product

__version__ = "0"
newaxis = None
inf, pi = math.inf, math.pi


# ---- types --------------------------------------------------------------------------------------
class generic:
    """Base of the scalar types; calling one gives a plain Python number."""


class number(generic):
    """Base of the numbers."""


class integer(number):
    """Base of the whole numbers: they wrap, as NumPy's do."""

    least, span = 0, 1

    def __new__(cls, value=0):
        return (int(value) - cls.least) % cls.span + cls.least


class signedinteger(integer):
    """Base of the signed ones."""


class unsignedinteger(integer):
    """Base of the others."""


class floating(number):
    """Base of the fractions."""

    letter = "d"

    def __new__(cls, value=0.0):
        return struct.unpack(cls.letter, struct.pack(cls.letter, float(value)))[0]


class bool_(generic):
    """A truth value in one byte."""

    letter, size = "?", 1

    def __new__(cls, value=False):
        return builtins.bool(value)


def _whole(name, letter, size, base):
    span = 1 << 8 * size
    least = -span // 2 if base is signedinteger else 0
    facts = {"letter": letter, "size": size, "least": least, "span": span}
    return type(name, (base,), facts)


int8 = _whole("int8", "b", 1, signedinteger)
int16 = _whole("int16", "h", 2, signedinteger)
int32 = _whole("int32", "i", 4, signedinteger)
int64 = _whole("int64", "q", 8, signedinteger)
uint8 = _whole("uint8", "B", 1, unsignedinteger)
uint16 = _whole("uint16", "H", 2, unsignedinteger)
uint32 = _whole("uint32", "I", 4, unsignedinteger)
uint64 = _whole("uint64", "Q", 8, unsignedinteger)
float32 = type("float32", (floating,), {"letter": "f", "size": 4})
float64 = type("float64", (floating,), {"letter": "d", "size": 8})
intp = int64
bool = bool_
KINDS = {signedinteger: "i", unsignedinteger: "u", floating: "f"}
BY_NAME = {
    **{f"{KINDS[t.__mro__[1]]}{t.size}": t for t in (int8, int16, int32, int64, float32, float64)},
    **{f"u{t.size}": t for t in (uint8, uint16, uint32, uint64)},
    **{"b1": bool_, "?": bool_, "bool": bool_, "int": int64, "float": float64},
}
FROM_PYTHON = {builtins.bool: bool_, int: int64, float: float64}


class void(generic):
    """One record: a view of its bytes."""

    def __init__(self, memory, at, kind):
        object.__setattr__(self, "_memory", memory)
        object.__setattr__(self, "_at", at)
        object.__setattr__(self, "dtype", kind)

    def __new__(cls, *_):
        return object.__new__(cls)

    def __getitem__(self, name):
        kind, offset = void.__getattribute__(self, "dtype").fields[name]
        return kind.read(
            object.__getattribute__(self, "_memory"), object.__getattribute__(self, "_at") + offset
        )

    def __setitem__(self, name, value):
        kind, offset = self.dtype.fields[name]
        kind.write(self._memory, self._at + offset, value)

    def __setattr__(self, name, value):
        self[name] = value

    def __eq__(self, other):
        return isinstance(other, void) and self.tobytes() == other.tobytes()

    __hash__ = None

    def tobytes(self):
        """Its bytes."""
        return builtins.bytes(self._memory[self._at : self._at + self.dtype.itemsize])

    def copy(self):
        """A record with memory of its own."""
        return type(self)(memoryview(bytearray(self.tobytes())), 0, self.dtype)


class record(void):
    """A record whose fields are attributes."""

    def __getattr__(self, name):
        if name in self.dtype.fields:
            return self[name]
        raise AttributeError(name)


class dtype:
    """What the items of an array are: a number, a record, or an array of either."""

    names = fields = subdtype = metadata = None
    shape, isalignedstruct = (), False

    def __class_getitem__(cls, _):
        return cls

    def __new__(cls, of=float64, align=False, metadata=None):
        if isinstance(of, dtype):
            return of
        self = object.__new__(cls)
        if metadata is not None:
            self.metadata = metadata
        if isinstance(of, list):
            self._from_fields([(name, *rest) for name, *rest in of], align)
        elif isinstance(of, dict):
            self._from_layout(of)
        elif isinstance(of, tuple) and isinstance(of[0], type) and issubclass(of[0], void):
            self.__dict__.update(of[1].__dict__)
            self.type = of[0]
        elif isinstance(of, tuple):
            self._from_array(*of)
        else:
            self._from_scalar(of)
        return self

    def _from_scalar(self, of):
        if isinstance(of, str):
            of = BY_NAME[of.lstrip("<=|")]
        self.type = FROM_PYTHON.get(of, of)
        self.itemsize = self.alignment = self.type.size
        self.kind = "b" if self.type is bool_ else KINDS[self.type.__mro__[1]]
        packing = struct.Struct("<" + self.type.letter)
        self._unpack, self._pack = packing.unpack_from, packing.pack_into

    def _from_array(self, of, shape):
        base = dtype(of)
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        if base.subdtype is not None:
            base, inner = base.subdtype
            self.shape += inner
        self.subdtype, self.kind, self.type = (base, self.shape), "V", void
        self.itemsize, self.alignment = base.itemsize * math.prod(self.shape), base.alignment
        self.strides = _strides(self.shape, base.itemsize)

    def _from_fields(self, of, align):
        self.kind, self.type, self.fields, end, self.alignment = "V", void, {}, 0, 1
        for name, kind, *shape in of:
            kind = dtype((kind, *shape)) if shape and shape[0] != () else dtype(kind)
            end += -end % kind.alignment if align else 0
            self.fields[name] = kind, end
            end += kind.itemsize
            self.alignment = max(self.alignment, kind.alignment) if align else 1
        self.names, self.itemsize = tuple(self.fields), end + -end % self.alignment
        self.isalignedstruct = align

    def _from_layout(self, of):
        self.kind, self.type = "V", void
        kinds = [dtype(kind) for kind in of["formats"]]
        self.fields = dict(zip(of["names"], zip(kinds, of["offsets"], strict=True), strict=True))
        self.names, self.itemsize = tuple(of["names"]), of["itemsize"]
        self.isalignedstruct = of["aligned"]
        self.alignment = max((kind.alignment for kind in kinds), default=1)

    @property
    def base(self):
        """Of an array, what its items are."""
        return self if self.subdtype is None else self.subdtype[0]

    @property
    def str(self):
        """As NumPy writes it."""
        order = "|" if self.itemsize == 1 or self.kind == "V" else "<"
        return f"{order}{self.kind}{self.itemsize}"

    def __getitem__(self, name):
        return self.fields[name][0]

    def _key(self):
        if self.fields is not None:
            fields = tuple((name, kind, at) for name, (kind, at) in self.fields.items())
            return fields, self.itemsize
        return (self.kind, self.itemsize, self.shape, self.subdtype and self.subdtype[0])

    def __eq__(self, other):
        try:
            return self._key() == dtype(other)._key()
        except (KeyError, TypeError, AttributeError):
            return False

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"dtype({self.names or self.subdtype or self.str!r})"

    def read(self, memory, at):
        """The value at a place of the memory; records and arrays are views of it."""
        if self.fields is not None:
            return self.type(memory, at, self)
        if self.subdtype is not None:
            return ndarray._over(memory, at, self.shape, self.strides, self.subdtype[0])
        return self._unpack(memory, at)[0]

    def write(self, memory, at, value):
        """Write a value to a place of the memory."""
        if self.fields is not None:
            if isinstance(value, tuple):
                for part, (kind, offset) in zip(value, self.fields.values(), strict=True):
                    kind.write(memory, at + offset, part)
            elif isinstance(value, void):
                memory[at : at + self.itemsize] = value.tobytes()
            else:
                memory[at : at + self.itemsize] = builtins.bytes(self.itemsize)  # only 0 is meant
        elif self.subdtype is not None:
            self.read(memory, at)[...] = value
        else:
            self._pack(memory, at, value if self.kind == "f" else self.type(value))


# ---- arrays -------------------------------------------------------------------------------------
def _strides(shape, size):
    strides = []
    for n in reversed(shape):
        strides.insert(0, size)
        size *= n
    return tuple(strides)


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
        return self.strides == _strides(self.shape, self.dtype.itemsize)

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

    def item(self):
        """The only item."""
        (value,) = self.flat
        return value

    def tobytes(self):
        """The bytes of all items, in order."""
        if self._is_whole():
            return builtins.bytes(self._memory[self._at : self._at + self.nbytes])
        size = self.itemsize
        return b"".join(self._memory[place : place + size] for place in self._places())

    def copy(self):
        """A C-contiguous array with memory of its own."""
        memory = memoryview(bytearray(self.tobytes()))
        return self._over(memory, 0, self.shape, _strides(self.shape, self.itemsize), self.dtype)

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
        return self._over(of._memory, of._at, shape, _strides(shape, self.itemsize), self.dtype)

    def ravel(self):
        """The same items in one row."""
        return self.reshape(-1)

    def view(self, kind):
        """The same memory read as another type."""
        kind = dtype(kind)
        if kind.itemsize == self.itemsize:
            return self._over(self._memory, self._at, self.shape, self.strides, kind)
        shape = (*self.shape[:-1], self.shape[-1] * self.itemsize // kind.itemsize)
        return self._over(self._memory, self._at, shape, _strides(shape, kind.itemsize), kind)

    # items
    def _select(self, key):
        """The view that ints, slices, None and ... select."""
        key = key if isinstance(key, tuple) else (key,)
        if Ellipsis in key:
            k, given = key.index(Ellipsis), builtins.sum(one is not None for one in key) - 1
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
        if _is_picking(key):
            return self._picked(key)
        at, shape, strides = self._select(key)
        if not shape:
            return self.dtype.read(self._memory, at)
        return self._over(self._memory, at, shape, strides, self.dtype)

    def _picked(self, key):
        rows = _rows(key)
        parts = [self[row] for row in rows]
        if self.ndim == 1 and self.dtype.fields is None:
            return array(parts, self.dtype)
        out = zeros((len(rows), *self.shape[1:]), self.dtype)
        for k, part in enumerate(parts):
            out[k] = part
        return out

    def __setitem__(self, key, value):
        if isinstance(key, str):
            self[key][...] = value
        elif isinstance(key, tuple) and builtins.all(map(_is_picking, key)):
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

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b, dtype(float64))

    def __rtruediv__(self, other):
        return self._with(other, lambda a, b: b / a, dtype(float64))

    def __and__(self, other):
        return self._with(other, lambda a, b: a & b)

    __rand__ = __and__

    def __or__(self, other):
        return self._with(other, lambda a, b: a | b)

    __ror__ = __or__

    def __rlshift__(self, other):
        return self._with(other, lambda a, b: b << a)

    def __invert__(self):
        flip = (lambda a: not a) if self.dtype.kind == "b" else (lambda a: ~a)
        return _filled([flip(a) for a in self.flat], self.shape, self.dtype)

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
        return array([builtins.sum(map(operator.mul, line, values)) for line in lines], other.dtype)

    def __bool__(self):
        return builtins.bool(self.item())

    def __int__(self):
        return int(self.item())

    __index__ = __int__

    def __repr__(self):
        return f"array({self.tolist()})"

    # reductions
    def _reduced(self, axis, reduce, kind=None):
        if axis is None:
            return reduce(self.flat)
        axis %= self.ndim
        rest = [n for k, n in enumerate(self.shape) if k != axis]
        values = [
            reduce(self[(*place[:axis], slice(None), *place[axis:])].flat)
            for place in product(*map(range, rest))
        ]
        return array(values, kind or self.dtype).reshape(rest)

    def sum(self, axis=None, dtype=None):
        """Of all numbers, or along an axis."""
        kind = dtype or (None if self.dtype.kind == "f" else int64)
        return self._reduced(axis, builtins.sum, kind)

    def any(self, axis=None):
        """Whether any is true."""
        return self._reduced(axis, builtins.any, BOOL)

    def all(self, axis=None):
        """Whether all are true."""
        return self._reduced(axis, builtins.all, BOOL)

    def max(self, axis=None, initial=None):
        """The largest."""
        least = [] if initial is None else [initial]
        return self._reduced(axis, lambda values: builtins.max([*values, *least]))

    def min(self, axis=None):
        """The smallest."""
        return self._reduced(axis, builtins.min)


BOOL = dtype(bool_)


def _is_scalar(value):
    return isinstance(value, int | float | void)


def _is_picking(key):
    return isinstance(key, list | range) or (isinstance(key, ndarray) and key.ndim > 0)


def _rows(key):
    """The rows that an array or list of indices or flags names."""
    if isinstance(key, ndarray) and key.dtype.kind == "b":
        return [k for k, one in enumerate(key.flat) if one]
    if isinstance(key, list) and key and isinstance(key[0], builtins.bool):
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
        memoryview(bytearray(packed)), 0, shape, _strides(shape, kind.itemsize), kind
    )


# ---- making arrays ------------------------------------------------------------------------------
def zeros(shape, dtype=float64):
    """An array of zeros."""
    kind = globals()["dtype"](dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    memory = memoryview(bytearray(math.prod(shape) * kind.itemsize))
    return ndarray._over(memory, 0, shape, _strides(shape, kind.itemsize), kind)


empty = zeros


def full(shape, value, dtype=int64):
    """An array of one value."""
    out = zeros(shape, dtype)
    out[...] = value
    return out


def ones(shape, dtype=float64):
    """An array of ones."""
    return full(shape, 1, dtype)


def array(values, dtype=None, copy=True):
    """An array of these numbers, nested as they are."""
    if isinstance(values, ndarray):
        return values.copy() if dtype is None else values.astype(dtype)
    shape, flat = _unnested(values)
    if dtype is None:
        dtype = _type_of(flat)
    return _filled(flat, shape, globals()["dtype"](dtype))


def _type_of(values):
    """The type of an array of these Python numbers."""
    if builtins.any(isinstance(value, float) for value in values):
        return float64
    flags = values and builtins.all(isinstance(value, builtins.bool) for value in values)
    return bool_ if flags else int64


def _unnested(values):
    if _is_scalar(values):
        return (), [values]
    if isinstance(values, ndarray):
        return values.shape, values.flat
    parts = [_unnested(value) for value in values]
    shape = parts[0][0] if parts else ()
    if builtins.any(part[0] != shape for part in parts):
        raise ValueError("rows differ in length")
    return (len(parts), *shape), [value for part in parts for value in part[1]]


def asarray(values, dtype=None):
    """The array itself, or one of these numbers."""
    return values if isinstance(values, ndarray) and dtype is None else array(values, dtype)


ascontiguousarray = asarray


def arange(*bounds, dtype=int64):
    """The numbers of a range."""
    return array(list(range(*bounds)), dtype)


def frombuffer(data, dtype=float64, count=-1, offset=0):
    """A view of bytes."""
    kind, memory = globals()["dtype"](dtype), memoryview(data).cast("B")
    n = (len(memory) - offset) // kind.itemsize if count < 0 else count
    return ndarray._over(memory, offset, (n,), (kind.itemsize,), kind)


def concatenate(arrays, axis=0):
    """Arrays one behind the other."""
    arrays = [asarray(one) for one in arrays]
    kind = arrays[0].dtype
    for one in arrays[1:]:
        kind = _common(kind, one.dtype)
    rows = builtins.sum(len(one) for one in arrays)
    return _filled(
        [value for one in arrays for value in one.flat], (rows, *arrays[0].shape[1:]), kind
    )


def repeat(values, counts):
    """Each number as often as said."""
    values = asarray(values)
    each = [counts] * len(values) if isinstance(counts, int) else list(counts)
    flat = [value for value, n in zip(values, each, strict=True) for _ in range(int(n))]
    return array(flat, values.dtype)


# ---- functions of arrays ------------------------------------------------------------------------
def broadcast_shapes(one, two):
    """The shape of a result."""
    n = builtins.max(len(one), len(two))
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


def flatnonzero(values):
    """Where the numbers are that are not 0."""
    return array([k for k, value in enumerate(asarray(values).flat) if value], int64)


def argwhere(values):
    """The indices of the numbers that are not 0, (n, axes)."""
    places = product(*map(range, values.shape))
    found = [place for place, value in zip(places, values.flat, strict=True) if value]
    return array(found, int64) if found else zeros((0, values.ndim), int64)


def diff(values, prepend=None, append=None):
    """Differences between neighbours."""
    flat = asarray(values).flat
    flat = [
        *([] if prepend is None else [prepend]),
        *flat,
        *([] if append is None else [append]),
    ]
    return array([b - a for a, b in pairwise(flat)], values.dtype)


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
    import bisect

    row = asarray(values).flat
    return array([bisect.bisect_left(row, one) for one in wanted], int64)


class random:
    """Only the name that annotations mention."""

    Generator = object
