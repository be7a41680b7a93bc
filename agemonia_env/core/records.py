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
    raw, at = records.view(np.uint8), 0
    for part in parts:
        raw[at : at + part.nbytes] = part.view(np.uint8)
        at += part.nbytes
    return records
