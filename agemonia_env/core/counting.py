"""Statistics of a game, which stop at the end of their range in place of changing their sign."""

from .jit import kernel

MOST = 2**15 - 1  # of an int16
MOST_ROUNDS = 10_000  # after which every scenario is over: no game goes on for ever


@kernel
def added(count, n):
    """A count with n more, at most MOST."""
    return min(MOST, int(count) + int(n))
