"""Positions drawn from everything there is, and games that once went wrong, are played."""

import numpy as np
import pytest

from agemonia_env.core.jit import COMPILED
from tests import fuzz
from tests.hexdungeon.fuzz import draw, failures

LIMIT = fuzz.ENDLESS if COMPILED else 40
DRAWN = [draw(np.random.default_rng(seed), games=16 if COMPILED else 1) for seed in range(12)]


@pytest.mark.parametrize("game", [*DRAWN, *failures()], ids=lambda game: game.scenario)
def test_nothing_goes_wrong(game):
    played, states, wrong = game.play(LIMIT)
    assert wrong == []
    assert played >= len(states)
