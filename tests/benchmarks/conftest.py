"""What tests of the benchmarks share: everything measured small and short."""

import pytest

from benchmarks.cases import Scale


@pytest.fixture(scope="session")
def small():
    training = (("n_envs", "2"), ("n_steps", "2"), ("batch_size", "4"))
    return Scale(
        sizes=(1, 2), some=2, played=1, limit=3, pool=1, span=3, begin=1, training=training
    )
