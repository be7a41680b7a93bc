"""The catalogue: what the numbers in observations stand for, such as items and cards.

An observation names a thing by its number; these arrays say what it does, in the terms of action
features. They are constant in a game, so a scenario has one, and the games look it up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agemonia_env.core.jit import zeros

from .obs_arrays import arrays_of, blocks_of
from .ruleset import Ruleset


def catalogue_of(ruleset: Ruleset, contents: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
    """The catalogues of CONTENT records (k,): an array (k, ..., features) for each field."""
    n, api = len(contents), ruleset.api
    states = zeros(ruleset.STATE, n)
    scenarios, seeds = np.arange(n, dtype=np.int16), np.zeros(n, np.uint64)
    api.reset(states, contents, scenarios, seeds, np.ones(n, np.uint8), 0, api.NO_ROWS)
    books = zeros(ruleset.BOOK, n)
    api.write_catalogue(states, contents, books)
    rows = np.asarray(books).view(np.int8).reshape(n, -1) / ruleset.CATALOGUE_SCALES
    return arrays_of(rows, blocks_of(ruleset.CATALOGUE))
