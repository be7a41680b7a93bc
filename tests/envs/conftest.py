"""Fixtures for tests of the environments."""

import warnings

import pytest

from agemonia_env.envs import batch


@pytest.fixture(autouse=True)
def cores(monkeypatch):
    """Threads are tested on any machine: a batch would use no more than there are cores."""
    monkeypatch.setattr(batch, "available_cores", lambda: 3)


@pytest.fixture
def strict():
    """Warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # plain Python
        yield
