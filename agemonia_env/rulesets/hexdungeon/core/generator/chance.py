"""What the generator draws; see shapes.Draws for its streams."""

from agemonia_env.core.jit import kernel
from agemonia_env.core.rng import draw_below


@kernel
def below(work, stream, n):
    """A whole number from 0 to n - 1."""
    return draw_below(work.counters, stream, n)


@kernel
def between(work, stream, knobs, knob):
    """A whole number from the range of a knob."""
    least, most = int(knobs[knob]), int(knobs[knob + 1])
    return least + draw_below(work.counters, stream, most - least + 1)
