"""Every case runs, and games side by side are what they are said to be."""

import numpy as np
import pytest

from benchmarks import stepping, table
from benchmarks.cases import COLD, Scale, cases, vector_name

NAMES = [case.name for case in cases(Scale(sizes=(1, 2)))]


@pytest.mark.parametrize("name", NAMES)
def test_every_case_runs(name, small, monkeypatch):
    if name.startswith("start: "):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # of processes begun here: no compiling
    (case,) = [case for case in cases(small) if case.name == name]
    figure = table.run([case], 1, 0.0, lambda _: None)[name]
    if figure.missing:
        assert figure.missing == "not installed: stable_baselines3"
    else:
        assert [value > 0 for value in figure.values] == [True]


def test_names_are_unlike_and_the_sweep_is_among_them(small):
    assert len(set(NAMES)) == len(NAMES)
    assert {vector_name(1), vector_name(2), vector_name(2, 2), COLD} <= set(NAMES)
    assert vector_name(1, 2) not in NAMES


def test_games_of_a_fleet_stand_at_different_stages_of_all_scenarios():
    games = stepping.fleet(24, pool=12, span=36)
    assert len(set(games.batch.lanes["which"].tolist())) > 5
    actions = games.choose()
    games.step(actions)
    assert not games.batch.lanes["denial"].any()
    assert len(set(games.states["decisions"].tolist())) > 5
    assert len(np.unique(games.states["chance"], axis=0)) == 24
