"""The legal actions of one position, for what shows them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from agemonia_env.core.jit import zeros


def legal_actions(
    api: ModuleType, state: np.void, content: Any
) -> tuple[tuple[int, ...], dict[Any, tuple[int, ...]]]:
    """The legal actions, and what they name, by block."""
    actions = api.CORE.actions
    states, masks = zeros(api.CORE.STATE), np.zeros((1, actions.N_ACTIONS), np.uint8)
    states[0] = state
    api.write_masks(states, content, np.zeros(1, np.int16), masks)
    named = {
        block: tuple(np.flatnonzero(masks[0, start : start + size]).tolist())
        for block, start, size in zip(actions.Block, actions.STARTS, actions.SIZES, strict=True)
    }
    return tuple(np.flatnonzero(masks[0]).tolist()), named
