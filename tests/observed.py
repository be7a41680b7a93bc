"""Changes of a position, and whether the observation of it shows them."""

import numpy as np


def put(path, value, *index):
    """A change of one field of states[0], at a path such as "figure.hp"."""

    def change(states):
        record = states
        *folders, name = path.split(".")
        for folder in folders:
            record = record[folder]
        assert np.any(record[name][(0, *index)] != np.array(value)), "no change"
        record[name][(0, *index)] = value

    change.__name__ = f"{path}{list(index)}={value}"
    return change


def is_observed(games, change):
    """Whether the observation differs after the change."""
    before = games.observations()
    change(games.states)
    return bool((games.observations() != before).any())
