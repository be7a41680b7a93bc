"""Simulations in a folder: only missing and changed ones are played."""

import polars as pl
import pytest

from agemonia_env.simulation import result_cache
from agemonia_env.simulation.plan import make_plan
from agemonia_env.simulation.result_cache import CachedSimulation


def simulation(folder, games=300, name="ford by greedy/1", **choices):
    return CachedSimulation(make_plan("ford", 2, "greedy", games, **choices), folder, name)


def test_it_is_played_once(tmp_path, monkeypatch):
    one = simulation(tmp_path)
    assert one.rows() is None
    one.play(1, None)
    rows = one.rows()
    assert len(rows) == 300
    monkeypatch.setattr(result_cache, "rows_of", lambda *_: pytest.fail("played again"))
    simulation(tmp_path).play(2, None)
    assert simulation(tmp_path).rows().equals(rows)
    assert one.path.name.startswith("ford-by-greedy-1.")


def test_a_changed_simulation_replaces_the_old_one(tmp_path):
    one, other, stranger = (
        simulation(tmp_path, seed=1),
        simulation(tmp_path, seed=2),
        simulation(tmp_path, name="ford by greedy/12"),
    )
    for each in (one, stranger, other):
        each.play(1, None)
    assert sorted(tmp_path.iterdir()) == sorted([other.path, stranger.path])
    assert not one.is_played()


def test_an_unfinished_simulation_is_resumed(tmp_path, monkeypatch):
    one = simulation(tmp_path, chunk=100)
    real, count = result_cache.rows_of, []

    def stopped_after_one(plan, threads, out, *more):
        parts = result_cache.CheckpointStore(plan, out)
        parts.open()
        parts.write(0, kept_chunk(plan))
        count.append(len(parts.missing()))
        raise KeyboardInterrupt

    monkeypatch.setattr(result_cache, "rows_of", stopped_after_one)
    with pytest.raises(KeyboardInterrupt):
        one.play(1, None)
    assert count == [2]
    monkeypatch.setattr(result_cache, "rows_of", real)
    one.play(1, None)
    whole = simulation(tmp_path / "other", chunk=100)
    whole.play(1, None)
    assert isinstance(one.rows(), pl.DataFrame)
    assert one.rows().equals(whole.rows())


def kept_chunk(plan):
    from agemonia_env.simulation.play import play_chunk

    return play_chunk(plan, 0, lambda games, wins: None)
