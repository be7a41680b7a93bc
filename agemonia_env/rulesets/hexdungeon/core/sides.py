"""Whose questions are: monsters follow their cards, so that all are the characters'."""

from agemonia_env.core.jit import kernel


@kernel
def side_of(s):
    """0: the characters."""
    return 0


@kernel
def enemies_choose(c):
    """Whether the monsters choose for themselves."""
    return False
