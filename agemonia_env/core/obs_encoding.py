"""Observations: whole numbers, one byte each, and the float32 numbers that they stand for.

A ruleset declares its observation once, as a dtype of float32 fields, each with the scale by which
its whole number is divided. Its writers write the whole numbers.
"""

import math
from typing import Any

import numpy as np

from .jit import kernel

F32 = np.float32
CODE_MAX = 127  # larger whole numbers are written as this one
OVER = "over"


# ---- dtypes -------------------------------------------------------------------------------------
def over(scale: int) -> np.dtype[np.float32]:
    """float32 of whole numbers divided by `scale`."""
    return np.dtype(F32, metadata={OVER: scale})


def typed(dtype: np.dtype[Any], scalar: type[np.generic]) -> np.dtype[Any]:
    """The same fields, all of them of one type."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((typed(item, scalar), shape))
    if dtype.names is None:
        return np.dtype(scalar)
    return np.dtype([(name, typed(dtype[name], scalar)) for name in dtype.names])


def scales_of(dtype: np.dtype[Any]) -> list[int]:
    """What the whole number behind each float32 of the dtype is divided by."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return scales_of(item) * math.prod(shape)
    if dtype.names is None:
        return [(dtype.metadata or {}).get(OVER, 1)]
    return [scale for name in dtype.names for scale in scales_of(dtype[name])]


# ---- writing ------------------------------------------------------------------------------------
@kernel
def write_flags(bits, flags):
    """Write the flags of a set of up to 32: 1 = member, 0 = none."""
    for k in range(len(flags)):  # going from member to member, 6 jumps a step are guessed wrong
        flags[k] = (bits >> k) & 1


@kernel
def differ(now, there, old, first, n):
    """Bring n words of what was seen up to date -> 1 if one of them is another, otherwise 0."""
    difference = now[there] ^ old[first]
    for k in range(1, n):  # without a way out, which makes it one of vectors
        difference |= now[there + k] ^ old[first + k]
    if difference == 0:
        return 0
    for k in range(n):
        old[first + k] = now[there + k]
    return 1


@kernel
def scale(codes, observation, factors, first, n):
    """Write n float32 numbers of an observation from the whole numbers behind them."""
    whole, shown = codes[first : first + n], observation[first : first + n]
    used = factors[first : first + n]
    for k in range(len(whole)):  # a product takes a sixth of the time of a quotient
        shown[k] = whole[k] * used[k]


@kernel
def renew(fresh, codes, observation, factors, n):
    """Bring the first n codes, and the float32 numbers that they stand for, up to date.

    What did not change is not written: float32 observations of 1,024 games are 14 MB.
    """
    words, fresh_words = codes[: n & ~7].view(np.int64), fresh[: n & ~7].view(np.int64)
    for w in range(len(words)):
        if words[w] != fresh_words[w]:
            words[w] = fresh_words[w]
            for k in range(8 * w, 8 * w + 8):
                observation[k] = fresh[k] * factors[k]
    for k in range(n & ~7, n):
        codes[k] = fresh[k]
        observation[k] = fresh[k] * factors[k]
