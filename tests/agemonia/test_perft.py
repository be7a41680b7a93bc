"""Counts of decision sequences from toy positions are those of perft.txt."""

import pytest

SCRIPT = "tests/agemonia/perft.py"
BY_HAND = {"walk": 7, "duel": 8, "climb": 3}


@pytest.mark.parametrize("name", BY_HAND)
def test_counts_are_as_written(load_script, name):
    module = load_script(SCRIPT)
    assert module.line(name) == module.read()[name]


def test_depth_1_is_as_counted_by_hand(load_script):
    written = load_script(SCRIPT).read()
    assert {name: int(line.split()[1]) for name, line in written.items()} == BY_HAND
