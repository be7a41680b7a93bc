"""Fixtures of the trainers' tests."""

import pytest


@pytest.fixture(scope="module")
def few_games():
    """Columns are found in few games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agents.columns.GAMES", 32)
        yield
