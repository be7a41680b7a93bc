"""Changes of a position, whether the observation of it shows them, and fields of dtypes."""

import numpy as np


def put(path, value, *index):
    """A change of one field of states[0], at a path such as "figure.hp"."""

    def change(states):
        field = field_of(states, path)
        assert np.any(field[(0, *index)] != np.array(value)), "no change"
        field[(0, *index)] = value

    change.__name__ = f"{path}{list(index)}={value}"
    return change


def add(path, amount, *index):
    """A change of one number of states[0]: so much more."""

    def change(states):
        field_of(states, path)[(0, *index)] += amount

    change.__name__ = f"{path}{list(index)}+={amount}"
    return change


def field_of(states, path):
    record = states
    for name in path.split("."):
        record = record[name]
    return record


def leaves(dtype, path=""):
    """(path, base dtype) of every number in a dtype."""
    base = dtype.base
    if base.fields is None:
        yield path, base
        return
    for name in base.names:
        yield from leaves(base.fields[name][0], f"{path}.{name}")


def is_observed(games, change):
    """Whether the observation differs after the change."""
    before = games.observations()
    change(games.states)
    return bool((games.observations() != before).any())
