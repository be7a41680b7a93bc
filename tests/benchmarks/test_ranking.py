"""The benchmark of rankings, on numbers that can be checked by hand."""

import numpy as np
import polars as pl

import agemonia_env
from benchmarks import ranking
from benchmarks.ranking import HIT, VARIANTS, games_of, repeated


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
