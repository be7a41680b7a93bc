"""Types of numbers and records, and `dtype`: how they lie in memory."""

from __future__ import annotations

import math
import struct


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
        return bool(value)


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
KINDS = {signedinteger: "i", unsignedinteger: "u", floating: "f"}
FROM_PYTHON = {bool: bool_, int: int64, float: float64}


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
        return bytes(self._memory[self._at : self._at + self.dtype.itemsize])


class record(void):
    """Base of records whose fields are attributes: see Fields of core/jit.py."""


def strides_of(shape, size):
    """The bytes from one item to the next along each axis, if rows lie one behind the other."""
    strides = []
    for n in reversed(shape):
        strides.insert(0, size)
        size *= n
    return tuple(strides)


class dtype:
    """What the items of an array are: a number, a record, or an array of either."""

    names = fields = subdtype = metadata = None
    shape, isalignedstruct = (), False
    array = None  # what reads a field of several items: ndarray, set in arrays.py

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
        self.strides = strides_of(self.shape, base.itemsize)

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

    def read(self, memory, at):
        """The value at a place of the memory; records and arrays are views of it."""
        if self.fields is not None:
            return self.type(memory, at, self)
        if self.subdtype is not None:
            return self.array._over(memory, at, self.shape, self.strides, self.subdtype[0])
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
                memory[at : at + self.itemsize] = bytes(self.itemsize)  # only 0 is meant
        elif self.subdtype is not None:
            self.read(memory, at)[...] = value
        else:
            self._pack(memory, at, value if self.kind == "f" else self.type(value))


BOOL = dtype(bool_)
