"""Fixtures of the benchmark tests: everything is measured small and short."""

from importlib.util import find_spec

import pytest

from benchmarks.cases import Scale


@pytest.fixture(scope="session")
def monkeypatch_session():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="session")
def small(monkeypatch_session):
    if find_spec("torch") and find_spec("sb3_contrib"):  # columns are found in few games
        monkeypatch_session.setattr("agents.columns.GAMES", 4)
    training = (("n_envs", "2"), ("n_steps", "2"), ("batch_size", "4"))
    size = {"sizes": (1, 2), "some": 2, "played": 1, "rows": 2, "searched": 2, "limit": 3}
    return Scale(**size, pool=1, span=3, begin=1, training=training)
