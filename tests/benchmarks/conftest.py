"""Fixtures of the benchmark tests: everything is measured small and short."""

import pytest

from benchmarks.cases import Scale


@pytest.fixture(scope="session")
def small():
    training = (("n_envs", "2"), ("n_steps", "2"), ("batch_size", "4"))
    size = {"sizes": (1, 2), "some": 2, "played": 1, "rows": 2, "searched": 2, "limit": 3}
    return Scale(**size, pool=1, span=3, begin=1, training=training)
