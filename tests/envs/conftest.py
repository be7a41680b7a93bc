"""Fixtures for tests of the environments."""

import warnings

import pytest


@pytest.fixture
def strict():
    """Warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # plain Python
        yield
