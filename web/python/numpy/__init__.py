"""The part of NumPy that texts, pictures and the content compiler use, in plain Python.

Pages run the project's own Python in Pyodide, which has no NumPy without a download several times
the size of everything else. This package stands in for it there, and only there: records and
arrays over bytes in NumPy's layout, so that the compiled rules read what Python writes. Values
read from arrays are Python's own int, float and bool. What is missing raises AttributeError.
"""

from .arrays import array, asarray, ndarray, zeros
from .functions import (
    arange,
    concatenate,
    diff,
    flatnonzero,
    frombuffer,
    full,
    ndenumerate,
    ndindex,
    ones,
    prod,
    repeat,
    searchsorted,
)
from .types import (
    bool_,
    dtype,
    float32,
    float64,
    floating,
    int8,
    int16,
    int32,
    int64,
    integer,
    record,
    uint8,
    uint16,
    uint32,
    uint64,
    void,
)

__version__ = "0"
bool = bool_
empty = zeros
newaxis = None
