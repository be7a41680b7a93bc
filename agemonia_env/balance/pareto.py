"""Targets in conflict: the trials than which no other is better in everything."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from .measures import Measure
from .plots import trade_off
from .trials import FINALISTS, SearchStudy, Trial, misses, rank, steps_off


def front(points: Sequence[tuple[int, ...]]) -> list[int]:
    """Which points no other one dominates, smaller being better; of equal ones the first."""
    return [
        i
        for i, own in enumerate(points)
        if own not in points[:i]
        and not any(
            other != own and all(a <= b for a, b in zip(other, own, strict=True))
            for other in points
        )
    ]


def front_of(search: SearchStudy, trials: Sequence[Trial]) -> list[Trial]:
    """The front of valid trials, best compromise first; misses are compared in whole steps."""
    ordered = sorted(trials, key=lambda trial: rank(search, trial))
    return [ordered[i] for i in front([steps_off(search, trial) for trial in ordered])]


def finalists(search: SearchStudy, trials: Sequence[Trial]) -> list[Trial]:
    """The trials to play again: the best; with several measures, from all along the front.

    First the best compromise and the best of each measure, then the rest of the front, then others:
    with more games one of them may turn out to be better.
    """
    ordered = sorted(trials, key=lambda trial: rank(search, trial))
    if len(search.measures) == 1:
        return ordered[:FINALISTS]
    best = front_of(search, trials)
    ends = [
        min(best, key=lambda trial: steps_off(search, trial)[k])
        for k in range(len(search.measures))
    ]
    wanted = [best[0], *ends, *best, *ordered]
    unlike = {tuple(trial.values.values()): trial for trial in reversed(wanted)}
    return list(reversed(unlike.values()))[:FINALISTS]


# ---- for readers ------------------------------------------------------------------------------
def miss_unit(measure: Measure) -> tuple[str, float]:
    """What misses of a measure are shown in, and the factor for it."""
    if measure.quantile:
        return "points of the games", 100.0
    return ("points", 100.0) if measure.percent else ("rounds", 1.0)


def miss_text(measure: Measure, miss: float) -> str:
    """A miss in words."""
    unit, scale = miss_unit(measure)
    return f"{scale * miss:.{1 if scale > 1 else 2}f} {unit}"


def picture_of(search: SearchStudy, trials: Sequence[Trial], best: Sequence[Trial]) -> str:
    """The misses of all valid trials, a picture for each two measures; empty without two to show.

    best: the front, the chosen trial first. Measures whose targets every trial meets are left out.
    """
    points = [misses(search, trial) for trial in trials if not trial.refused]
    chosen = [misses(search, trial) for trial in best]
    units = [miss_unit(measure) for measure in search.measures]
    labels = [
        f"{measure.label}:\nmissed by, {unit}"
        for measure, (unit, _) in zip(search.measures, units, strict=True)
    ]
    scales = np.array([scale for _, scale in units])
    missed = [k for k in range(len(units)) if any(point[k] for point in [*points, *chosen])]
    shown, front_shown = scales * np.array(points), scales * np.array(chosen)
    return "".join(
        trade_off(
            shown[:, pair],
            front_shown[:, pair],
            (labels[pair[0]], labels[pair[1]]),
            line=len(missed) == 2,
            legend=k == 0,
        )
        for k, pair in enumerate(map(list, combinations(missed, 2)))
    )
