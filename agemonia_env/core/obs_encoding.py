"""Observation encoding: int8 integers, and the float32 values they are scaled to.

A ruleset declares its observation once, as a dtype of float32 fields, each with the scale that
divides its integer. Its writers write the integers.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .jit import kernel

F32 = np.float32
INT8_MAX = 127  # larger integers are clipped to this
SCALE, NUMBERED = "scale", "numbered"


# ---- dtypes -------------------------------------------------------------------------------------
def scaled(scale: int) -> np.dtype[np.float32]:
    """The float32 type of an integer divided by `scale`."""
    return np.dtype(F32, metadata={SCALE: scale})


def numbered(of: Any) -> np.dtype[Any]:
    """The same fields, marked as places or numbers of things of one scenario, such as its areas.

    In another scenario they mean something else.
    """
    dtype = np.dtype(of)
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((numbered(item), shape))
    if dtype.names is None:
        return np.dtype(dtype.type, metadata={**(dtype.metadata or {}), NUMBERED: True})
    return np.dtype([(name, numbered(dtype[name])) for name in dtype.names])


def with_scalar_type(dtype: np.dtype[Any], scalar: type[np.generic]) -> np.dtype[Any]:
    """The same fields, all of one scalar type."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((with_scalar_type(item, scalar), shape))
    if dtype.names is None:
        return np.dtype(scalar)
    return np.dtype([(name, with_scalar_type(dtype[name], scalar)) for name in dtype.names])


def scales_of(dtype: np.dtype[Any]) -> list[int]:
    """The scale of each float32 of the dtype, in order."""
    return [marks.get(SCALE, 1) for marks in _marks_of(dtype)]


def numbered_of(dtype: np.dtype[Any]) -> list[bool]:
    """Whether each float32 of the dtype, in order, is marked as `numbered`."""
    return [NUMBERED in marks for marks in _marks_of(dtype)]


def _marks_of(dtype: np.dtype[Any]) -> list[Mapping[str, Any]]:
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return _marks_of(item) * math.prod(shape)
    if dtype.names is None:
        return [dtype.metadata or {}]
    return [marks for name in dtype.names for marks in _marks_of(dtype[name])]


@kernel
def clipped(number):
    """A whole number as an int8 has room for it."""
    return min(INT8_MAX, max(-INT8_MAX, int(number)))


# ---- writing ------------------------------------------------------------------------------------
@kernel
def write_flags(bits, flags):
    """Write the flags of a set of up to 32: 1 = member, 0 = none."""
    for k in range(len(flags)):  # looping over the members mispredicts 6 branches a step
        flags[k] = (bits >> k) & 1


@kernel
def refresh(words, at, cached, first, n):
    """Refresh n words of the cached copy from words[at:]; return 1 if any changed, else 0."""
    difference = words[at] ^ cached[first]
    for k in range(1, n):  # without an early exit, so that it is vectorised
        difference |= words[at + k] ^ cached[first + k]
    if difference == 0:
        return 0
    for k in range(n):
        cached[first + k] = words[at + k]
    return 1


@kernel
def write_scaled(obs_int8, observation, factors, first, n):
    """Write n float32 values of an observation from their integers."""
    integers, values = obs_int8[first : first + n], observation[first : first + n]
    used = factors[first : first + n]
    for k in range(len(integers)):  # multiplying takes a sixth of the time of dividing
        values[k] = integers[k] * used[k]


@kernel
def update_row(scratch, obs_int8, observation, factors, n):
    """Update the first n integers, and their float32 values, from a scratch row.

    Unchanged values are not written: float32 observations of 1,024 games are 14 MB.
    """
    words, new_words = obs_int8[: n & ~7].view(np.int64), scratch[: n & ~7].view(np.int64)
    for w in range(len(words)):
        if words[w] != new_words[w]:
            words[w] = new_words[w]
            for k in range(8 * w, 8 * w + 8):
                observation[k] = scratch[k] * factors[k]
    for k in range(n & ~7, n):
        obs_int8[k] = scratch[k]
        observation[k] = scratch[k] * factors[k]
