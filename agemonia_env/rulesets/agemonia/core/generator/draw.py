"""A scenario from a seed."""

import numpy as np

from agemonia_env.core.jit import kernel, zeros

from .parts import put_together
from .plan import draw_plan
from .shapes import COLUMNS, LIBRARY, PART, ROWS, WAY_MAX, WORK
from .tables import write_tables

# library, parts, ways: content.library.Library; WORK for each thread
NO_DRAWING = (
    *(zeros(LIBRARY, 0), zeros(PART, 0), np.zeros((0, 0, WAY_MAX + 1), np.int8)),
    zeros(WORK, 0),
)


@kernel
def draw(contents, row, seed, number, drawing, thread):
    """Write the scenario of a seed into a row of contents -> whether it fits.

    number: of the library; seed: below 2**32.
    """
    libraries, parts, ways, works = drawing
    library, work = libraries[number], works[thread]
    contents[row] = library.content
    c, plan = contents[row], work.plan
    draw_plan(work, library, seed)
    put_together(work, library, parts, c)
    grid = (plan.columns - COLUMNS[0]) * len(ROWS) + plan.rows - ROWS[0]
    if not work.linking.failed:
        write_tables(work, ways[grid], c)
    return not work.linking.failed
