"""Policies that run inside the compiled loop: an action for the question now asked."""

from enum import IntEnum

from ..kernel.chance import draw_below
from ..kernel.jit import kernel
from .terms import Stream


class Policy(IntEnum):
    """Compiled policies, weakest first."""

    RANDOM = 0  # any legal action, uniformly
    GREEDY = 1


@kernel
def choose(s, c, policy, mask, legal):
    """The action of a policy in a state with `legal` > 0 legal actions in `mask`, uint8 (N_ACTIONS,).

    Draws from the state's POLICY stream only.
    """
    return random(s, mask, legal)


@kernel
def random(s, mask, legal):
    """A legal action, uniformly. 1 draw."""
    k = draw_below(s.chance, Stream.POLICY, legal)
    for a in range(len(mask)):
        if mask[a]:
            if k == 0:
                return a
            k -= 1
    return 0
