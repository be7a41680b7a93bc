"""The benchmarks of the balance lab, on numbers that can be checked by hand."""

from io import StringIO

import numpy as np
from rich.console import Console

from benchmarks.calibration import coverages
from benchmarks.pairing import Gain, gain_of, report


def test_medians_are_of_changes_that_games_meet():
    found = [Gain("health", 0.5, 40.0), Gain("health", 9.0, 2.0), Gain("move", 2.0, 10.0)]
    found += [Gain("health", 0.0, None), Gain("supply", 0.0, None)]
    console = Console(file=StringIO(), width=120)
    report(found, console)
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    assert ["health", "3", "2", "2.0", "21.0", "40.0"] in lines
    assert ["supply", "1", "0"] in lines
    assert ["0", "to", "1", "points", "3", "1", "40.0", "40.0", "40.0"] in lines
    assert ["all", "5", "3", "2.0", "10.0", "40.0"] in lines
    assert lines[-1] == ["median", "of", "the", "medians", "of", "2", "kinds:", "15.5"]


def test_the_effect_is_in_points_without_sign():
    assert gain_of("a kind", {"difference": -0.125, "gain": 3.0}) == Gain("a kind", 12.5, 3.0)


def test_intervals_that_hold_the_truth_are_counted():
    """Two experiments of 1,000 pairs: B wins 10 % more in the first, as often in the second."""
    a = np.zeros(2000, np.bool_)
    b = a.copy()
    b[:100] = True
    fixed, *stopping = coverages("small", 0.1, a, b, 1000)
    assert (fixed.experiments, fixed.held) == (2, 1)
    assert fixed.share[0] == 0.5
    assert all(one.held <= 1 and one.stopped == 2 for one in stopping[:2])
