"""Records copied byte by byte: field by field takes 50 times as long, and leaves gaps unwritten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jit import zeros


def joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Concatenate records of one dtype; in plain Python they keep their named fields."""
    records = zeros(parts[0].dtype, sum(map(len, parts)))
    records.view(np.uint8)[:] = np.concatenate([part.view(np.uint8) for part in parts])
    return records


def record_of(dtype: np.dtype[Any], raw: NDArray[np.uint8]) -> NDArray[Any]:
    """A record (1,) from its bytes."""
    own = zeros(dtype, 1)
    own.view(np.uint8)[:] = raw
    return own
