"""What players do not see: the order of the face-down cards."""

from agemonia_env.core.jit import kernel

from . import chance


@kernel
def reorder(s, c):
    """Shuffle the face-down cards; with forced chance they are sorted."""
    chance.shuffle_initiative(s, c)
    chance.shuffle_fate(s)


@kernel
def sort(s):
    """Nothing: a shuffle here does not depend on the order before."""
