"""A scenario from a seed."""

from agemonia_env.core.jit import kernel, zeros

from .parts import put_together
from .plan import draw_plan
from .shapes import COLUMNS, DRAWING, ROWS
from .shapes import PLAN as PLAN
from .tables import write_tables

NO_DRAWING = zeros(DRAWING, 0)


@kernel
def draw(contents, row, seed, knobs, drawing):
    """Write the scenario of a seed into a row of contents -> whether the pack has one that fits.

    knobs: by shapes.Knob; drawing: a record of DRAWING, whose library has its parts in contents.
    """
    library, work, c = drawing.library, drawing.work, contents[row]
    contents[row] = library.content
    if not draw_plan(work, library, seed, knobs):
        return False
    put_together(work, library, contents, c)
    grid = (work.plan.columns - COLUMNS[0]) * len(ROWS) + work.plan.rows - ROWS[0]
    if not work.plan.linking.failed:
        write_tables(work, drawing.ways[grid], c)
    return not work.plan.linking.failed


@kernel
def keep_plan(drawing, plans, i):
    """Keep the plan that was drawn last, at index i."""
    plans[i] = drawing.work.plan
