"""The benchmarks of rankings and of weighted games, on numbers that can be checked by hand."""

import numpy as np
import polars as pl
import pytest

import agemonia_env
from benchmarks import ranking
from benchmarks.ranking import HIT, VARIANTS, games_of, repeated
from benchmarks.reuse import effective, weights_without


def test_repetitions_know_who_is_best():
    """One variant wins all games: it is never dropped, and the others go at the first look."""
    won = np.zeros((3, 500))
    won[1] = 1
    row = repeated("highest", won, 4)
    assert (row.best, row.dropped, row.short, row.left) == (VARIANTS[1], 0, 0, 1.0)
    assert row.games == 300
    assert row.saved == 0


def test_games_saved_are_those_of_variants_that_stopped():
    random = np.random.default_rng(0)
    won = (random.random((3, 20_000)) < np.array([[0.1], [0.60], [0.64]])).astype(float)
    row = repeated("highest", won, 3)
    assert row.dropped == 0
    assert 0.1 < row.saved < 0.4  # a third of the games at most


def test_games_are_kept_for_the_same_rules_and_content(tmp_path, monkeypatch):
    played = []

    def simulate(*_, pack, **given):
        played.append(pack)
        return pl.DataFrame({"won": [True]})

    monkeypatch.setattr(agemonia_env, "simulate", simulate)
    for change in ("", "", f"{HIT} = 4"):
        assert games_of(change, 1, 1, tmp_path).tolist() == [True]
    monkeypatch.setattr(ranking, "sources_of", lambda env: "other")
    games_of("", 1, 1, tmp_path)
    assert played == ["core", f"core; {HIT} = 4", "core"]


def test_weights_are_ratios_of_probabilities():
    """Two cards from three, then without the last: the first two in either order are certain."""
    drawn = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 0, 0]], bool)
    weights = weights_without(drawn, 2)
    assert weights.tolist() == pytest.approx([3.0, 0.0, 0.0, 1.5, 1.0])
    assert weights[:3].mean() == pytest.approx(1)  # the three pairs are equally likely


def test_the_effective_sample_size():
    assert effective(np.array([1.0, 1, 1, 1])) == 1
    assert effective(np.array([2.0, 2, 0, 0])) == 0.5
