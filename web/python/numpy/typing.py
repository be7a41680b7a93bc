"""Names for annotations."""

from . import ndarray

NDArray = ndarray
ArrayLike = object
DTypeLike = object
