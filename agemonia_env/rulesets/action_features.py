"""Features of the legal actions, beside the mask: one row for each 1 of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.thread_pool import ThreadPool

from .ruleset import Ruleset

FLOAT32 = np.dtype(np.float32)
GAMES_AT_ONCE = 128  # of a thread: a fraction of a millisecond


def features_of(
    ruleset: Ruleset,
    states: NDArray[Any],
    contents: NDArray[Any],
    which: NDArray[np.int16],
    masks: NDArray[np.uint8],
    dtype: np.dtype[Any] = FLOAT32,
    pool: ThreadPool | None = None,
) -> NDArray[Any]:
    """The rows of `masks.nonzero()`, in order: float32 or int8 (m, N_ACTION_FEATURES).

    states: STATE (n,); contents, which: game i plays contents[which[i]]; masks: (n, N_ACTIONS);
    pool: threads that help.
    """
    counts = np.count_nonzero(masks, axis=1)
    ends = counts.cumsum()
    firsts = ends - counts
    rows = np.empty((int(ends[-1]), ruleset.N_ACTION_FEATURES), np.int8)
    begins = iter(range(0, len(states), GAMES_AT_ONCE))  # each thread takes the next

    def work(_: int) -> None:
        for begin in begins:
            part = slice(begin, begin + GAMES_AT_ONCE)
            games = states[part], contents, which[part], masks[part]
            ruleset.api.write_action_features(*games, firsts[part], rows)

    if pool is None:
        work(0)
    else:
        pool.run(work)
    return rows / ruleset.ACTION_SCALES if dtype == FLOAT32 else rows


def dense(masks: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """The rows at their actions, (*masks.shape, N_ACTION_FEATURES); 0 for illegal actions."""
    spread = np.zeros((*masks.shape, rows.shape[1]), rows.dtype)
    spread[masks.nonzero()] = rows
    return spread
