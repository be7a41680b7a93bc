"""The mask of one position, for what shows it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros


def legal_in(
    api: ModuleType, blank: np.dtype[Any], n: int, state: np.void, content: Any
) -> NDArray[np.bool_]:
    """Which of the n actions are legal, bool (n,). blank: the dtype of states."""
    states, masks = zeros(blank), np.zeros((1, n), np.uint8)
    states[0] = state
    api.write_masks(states, content, np.zeros(1, np.int16), masks)
    legal: NDArray[np.bool_] = masks[0].astype(np.bool_)
    return legal
