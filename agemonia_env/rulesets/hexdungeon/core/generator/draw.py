"""A scenario from a seed."""

from agemonia_env.core.jit import kernel, zeros

from .parts import write_content
from .plan import draw_plan
from .shapes import DRAWING
from .shapes import PLAN as PLAN

NO_DRAWING = zeros(DRAWING, 0)


@kernel
def draw(contents, row, seed, knobs, drawing):
    """Write the scenario of a seed into a row of contents -> whether the pack has one that fits.

    knobs: by shapes.Knob; drawing: a record of DRAWING, whose library has its party in contents.
    """
    if not draw_plan(drawing.work, drawing.library, seed, knobs):
        return False
    contents[row] = contents[drawing.library.first_row]
    write_content(drawing.work, drawing.library, contents[row])
    return True


@kernel
def keep_plan(drawing, plans, i):
    """Keep the plan that was drawn last, at index i."""
    plans[i] = drawing.work.plan
