"""The generator of rulesets whose scenarios are all made by hand; see entries.Core."""

import numpy as np

from .jit import kernel

NO_DRAWING = np.zeros(0, np.int64)
PLAN = np.dtype(np.int64)


@kernel
def draw(contents, row, seed, knobs, drawing):
    """Write the scenario of a seed into a row of contents -> whether it fits."""
    return False


@kernel
def keep_plan(drawing, plans, i):
    """Keep what was drawn last."""
